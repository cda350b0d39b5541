#include "simulation/assemble_slices.hpp"

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/mesh_slice_reader.hpp"
#include "partition/sliced_check.hpp"
#include "partition/tree.hpp"
#include "simulation/assemble.hpp"
#include "simulation/set_marks.hpp"
#include "simulation/sliced_body.hpp"

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
  const std::vector<BodyMarks> marks = marks_of_sets(scene, node_sets);
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

/// Notes go to warnings; the first body that is not fit ends it. Hinges are told of a mesh that is sound otherwise.
void judge(const config::Scene& scene, const std::vector<FaultTally>& tallies, std::vector<std::string>& warnings)
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
    if (!errors.empty()) throw Error(fmt::format("{}: {}", name_of(scene.bodies[b]), fmt::join(errors, "; ")));
  }
}

/// Collective. Throws Error on every rank if a mesh is not fit; parts hinges where the body says so, and returns whether
/// it did.
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
    findings.push_back({split ? mesh::Fault::split : mesh::Fault::hinged, static_cast<std::int32_t>(body),
                        node.position, node.label});
  }
  judge(scene, tally(comm, findings), warnings);
  const bool hinged = comm.max(static_cast<std::int64_t>(topology.hinged.size())) > 0;
  if (hinged) part_hinges(comm, mesh, stars, topology.hinged, bodies.rows);
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

partition::RowShare rows_of(const Comm& comm, SlicedMesh mesh, const std::vector<double>& sizes)
{
  partition::RowShare share;
  share.all_nodes = mesh.node_blocks.rows, share.all_elements = mesh.element_blocks.rows;
  auto id = static_cast<NodeId>(mesh.node_blocks.begin(comm.rank()));
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const partition::SlicedNode& node = mesh.nodes[n];
    share.nodes.push_back({id++, 0, node.X, node.X, node.v, sizes[n], node.marks});
  }
  mesh.nodes = {};
  auto element = static_cast<ElementId>(mesh.element_blocks.begin(comm.rank()));
  share.elements.reserve(mesh.elements.size()), share.corners.reserve(mesh.elements.size());
  for (const partition::SlicedElement& e : mesh.elements) {
    partition::ElementRecord record;
    record.id = element++, record.material = e.material, record.level = e.level;
    share.elements.push_back(record);
    share.corners.push_back(e.nodes);
  }
  mesh.elements = {};
  share.faces = std::move(mesh.faces);
  return share;
}

}  // namespace

bool can_be_sliced(const Comm& comm, const config::Scene& scene)
{
  bool sliced = false;
  if (comm.rank() == 0) {
    sliced = std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const config::Body& body) {
      return !body.mesh.file.empty() && io::has_slices(body.mesh.file);
    });
    if (scene.bodies.size() > 1 && scene.collisions.enabled && scene.collisions.resolve != "forgive") sliced = false;
  }
  return comm.max(static_cast<std::int64_t>(sliced)) > 0;
}

CoarseMesh assemble_slices(const Comm& comm, const config::Scene& scene)
{
  CoarseMesh coarse;
  Bodies bodies = load(comm, scene);
  SlicedMesh mesh = order_along_hilbert(comm, std::move(bodies.slices), std::move(bodies.centroids));
  std::vector<double> sizes;
  {
    auto stars = std::make_unique<SlicedStars>(comm, mesh);
    if (check(comm, scene, bodies, mesh, *stars, coarse.warnings)) stars = std::make_unique<SlicedStars>(comm, mesh);
    sizes = node_sizes(comm, mesh, *stars);
  }
  coarse.size = mean_size(comm, mesh, sizes, scene);
  std::int64_t refined = 0;
  for (const partition::SlicedElement& e : mesh.elements) refined += std::int64_t{1} << 3 * e.level;
  coarse.elements = comm.sum(refined);
  const partition::Records mine = partition::redistribute(comm, rows_of(comm, std::move(mesh), sizes), false);
  coarse.part = partition::part_of(comm.rank(), mine, bodies.surface_marks);
  return coarse;
}

}  // namespace sunder::simulation
