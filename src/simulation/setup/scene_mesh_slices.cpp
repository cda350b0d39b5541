#include "simulation/setup/scene_mesh_slices.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/mesh_files/mesh_slice_reader.hpp"
#include "partition/across_ranks/tree.hpp"
#include "partition/slices/partition_slices.hpp"
#include "partition/slices/sliced_check.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/placement.hpp"
#include "simulation/setup/set_marks.hpp"
#include "simulation/setup/sliced_body.hpp"
#include "simulation/setup/sliced_overlaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

using partition::FaultTally;
using partition::Finding;
using partition::SlicedMesh;
using partition::SlicedStars;

/// Bodies as they lie in their files.
struct Bodies {
  std::vector<partition::BodySlice> slices;
  std::vector<std::vector<Vec3>> centroids;
  std::vector<Finding> findings;
  std::vector<GlobalIndex> rows;
  std::uint64_t surface_marks = 0;
};

Bodies load(const Comm& comm, const config::Scene& scene)
{
  const PlacedMaterials materials = place_materials(scene);
  std::vector<mesh::MeshSlice> loaded;
  std::vector<std::vector<std::string>> node_sets;
  for (const config::Body& body : scene.bodies) {
    loaded.push_back(load_slice(comm, body));
    node_sets.push_back(loaded.back().node_sets);
  }
  std::vector<BodyMarks> marks;
  on_every_rank(comm, [&] { marks = marks_of_sets(scene, node_sets); });
  Bodies bodies;
  for (std::size_t b = 0; b < loaded.size(); ++b) {
    PlacedSlice placed =
        place_slice(comm, {b, &scene.bodies[b], &materials.all, &materials.of_body[b]}, std::move(loaded[b]), marks[b]);
    bodies.rows.push_back(placed.slice.rows.rows);
    bodies.slices.push_back(std::move(placed.slice));
    bodies.centroids.push_back(std::move(placed.centroids));
    bodies.findings.insert(bodies.findings.end(), placed.findings.begin(), placed.findings.end());
    bodies.surface_marks |= placed.surface_marks;
  }
  return bodies;
}

const std::string& name_of(const config::Body& body)
{
  return body.mesh.file.empty() ? body.mesh.geometry : body.mesh.file;
}

/// Collective. Notes go to warnings; the first body that is not fit ends it. Hinges are told of a mesh that is sound
/// otherwise.
void judge(const Comm& comm, const config::Scene& scene, const std::vector<FaultTally>& tallies,
           std::vector<std::string>& warnings)
{
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    std::vector<std::string> errors, hinges;
    for (const FaultTally& t : tallies) {
      if (t.body != static_cast<std::int32_t>(b)) continue;
      if (mesh::is_mended(t.fault))
        warnings.push_back(fmt::format("{}: {}", name_of(scene.bodies[b]), t.text()));
      else
        (t.fault == mesh::Fault::hinged ? hinges : errors).push_back(t.text());
    }
    if (errors.empty()) errors = std::move(hinges);
    if (!errors.empty()) throw_on_all(comm, fmt::format("{}: {}", name_of(scene.bodies[b]), fmt::join(errors, "; ")));
  }
}

/// Collective. Throws Error on every rank if a mesh is not fit; splits hinges where the body says so, and returns
/// whether it did.
bool check(const Comm& comm, const config::Scene& scene, const Bodies& bodies, SlicedMesh& mesh,
           const SlicedStars& stars, std::vector<std::string>& warnings)
{
  partition::Topology topology = check_topology(comm, mesh, stars);
  std::vector<Finding> findings = bodies.findings;
  findings.insert(findings.end(), topology.findings.begin(), topology.findings.end());
  for (const partition::HingedNode& hinged : topology.hinged) {
    const partition::SlicedNode& node = mesh.nodes[hinged.node];
    const std::size_t body = partition::body_of(node.position);
    const bool split = scene.bodies[body].split_hinges == "split";
    findings.push_back(
        {split ? mesh::Fault::split : mesh::Fault::hinged, static_cast<std::int32_t>(body), node.position, node.label});
  }
  judge(comm, scene, tally(comm, findings), warnings);
  const bool hinged = comm.max(static_cast<std::int64_t>(topology.hinged.size())) > 0;
  if (hinged) split_hinges(comm, mesh, stars, topology.hinged, bodies.rows);
  return hinged;
}

/// Collective. Mean edge length once the mesh is refined, added up in the order of nodes as one rank would.
double mean_size(const Comm& comm, const SlicedMesh& mesh, const std::vector<double>& sizes, const config::Scene& scene)
{
  std::vector<std::array<double, 2>> terms;
  terms.reserve(sizes.size());
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const double level = scene.bodies[partition::body_of(mesh.nodes[n].position)].mesh.refine;
    const double nodes = std::exp2(3 * level);
    terms.push_back({nodes * std::exp2(-level) * sizes[n], nodes});
  }
  const auto [sum, count] = partition::sum_in_order<2>(comm, terms);
  return sum / count;
}

/// Times the elements around each node of this rank's block are divided.
std::vector<std::uint8_t> levels_of(const SlicedMesh& mesh, const config::Scene& scene)
{
  std::vector<std::uint8_t> levels;
  levels.reserve(mesh.nodes.size());
  for (const partition::SlicedNode& node : mesh.nodes)
    levels.push_back(static_cast<std::uint8_t>(scene.bodies[partition::body_of(node.position)].mesh.refine));
  return levels;
}

}  // namespace

bool can_be_sliced(const Comm& comm, const config::Scene& scene)
{
  bool sliced = false;
  on_rank_0(comm, [&] {
    sliced = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const config::Body& body) {
      return !body.mesh.file.empty() && io::has_slices(body.mesh.file);
    });
    if (sliced && scene.bodies.size() > 1 && scene.collisions.enabled && scene.collisions.resolve == "push") {
      sliced = false;  // pushing asks for whole bodies again and again
      log_info("collisions.resolve: push: one rank reads all meshes, and has to have room for them");
    }
  });
  return comm.max(static_cast<std::int64_t>(sliced)) > 0;
}

CoarseMesh assemble_slices(const Comm& comm, const config::Scene& scene)
{
  CoarseMesh coarse;
  Bodies bodies = load(comm, scene);
  SlicedMesh mesh = order_along_hilbert(comm, std::move(bodies.slices), std::move(bodies.centroids));
  auto stars = std::make_unique<SlicedStars>(comm, mesh);
  if (check(comm, scene, bodies, mesh, *stars, coarse.warnings)) stars = std::make_unique<SlicedStars>(comm, mesh);
  note_units(scene, boxes_of(comm, scene.bodies.size(), mesh), coarse.warnings);
  const std::vector<double> sizes = node_sizes(comm, mesh, *stars);
  if (scene.bodies.size() > 1 && scene.collisions.enabled && scene.collisions.resolve == "error")
    refuse_overlaps(comm, scene, mesh);
  note_obstacle_overlaps(comm, scene, mesh, sizes, coarse.warnings);
  coarse.size = mean_size(comm, mesh, sizes, scene);
  std::int64_t refined = 0;
  for (const partition::SlicedElement& e : mesh.elements) refined += std::int64_t{1} << 3 * e.level;
  coarse.elements = comm.sum(refined);
  const auto method =
      scene.partition.method == "hilbert" ? partition::ParallelMethod::hilbert : partition::ParallelMethod::ptscotch;
  if (scene.partition.method == "metis" && comm.size() > 1)
    log_info("a mesh read in slices is decomposed by PT-Scotch: METIS would need all of it on one rank");
  const std::vector<Rank> owners = partition_slices(comm, mesh, std::move(stars), levels_of(mesh, scene), method);
  coarse.part = migrate_slices(comm, std::move(mesh), sizes, owners, bodies.surface_marks);
  return coarse;
}

}  // namespace sunder::simulation
