#include "simulation/setup/coarse_mesh_source.hpp"

#include "config/differences.hpp"
#include "config/schema.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "partition/decompose/decompose.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "partition/decompose/hilbert.hpp"
#include "partition/distribute/row_check.hpp"
#include "simulation/setup/placed_materials.hpp"
#include "simulation/setup/scene_mesh.hpp"
#include "simulation/setup/scene_mesh_slices.hpp"
#include "simulation/setup/selection.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sunder::simulation {
namespace {

/// What of a coarse mesh is the same on every rank.
struct Header {
  std::string scene;  ///< Completed, as to_yaml() writes it.
  Rank parts = 1;
  double size = 0;           ///< As in CoarseMesh.
  GlobalIndex elements = 0;  ///< Likewise.
  std::uint64_t surface_marks = 0;
  std::vector<std::string> warnings;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Header, scene, parts, size, elements, surface_marks, warnings)

Header header_from(const std::string& text, const std::filesystem::path& file)
{
  try {
    return nlohmann::json::parse(text).get<Header>();
  } catch (const nlohmann::json::exception&) {
    throw Error(fmt::format("{}: expected a mesh of this version of sunder; make it anew with sunder partition",
                            file.string()));
  }
}

partition::WholeMesh prepare(const config::Scene& scene, Rank parts, Header& header)
{
  partition::WholeMesh whole = scene_mesh(scene, header.warnings).whole;
  partition::order_along_hilbert(whole);
  // PT-Scotch begins with blocks along the curve.
  const auto method = scene.partition.method == "metis" ? partition::Method::metis : partition::Method::hilbert;
  whole.owners = partition::decompose(whole.data, parts, method, scene.partition.seed, whole.element_levels);
  header.parts = parts, header.surface_marks = whole.surface_marks;
  const RefinedMeasure measure = refined_measure(whole);
  header.elements = measure.elements, header.size = measure.size;
  return whole;
}

CoarseMesh make(const Comm& comm, const config::Scene& scene)
{
  partition::WholeMesh whole;
  Header header;
  on_rank_0(comm, [&] { whole = prepare(scene, comm.size(), header); });
  if (scene.partition.method == "ptscotch")
    whole.owners = partition::decompose_in_parallel(comm, whole.data, whole.owners, whole.element_levels);
  CoarseMesh mesh;
  mesh.size = comm.max(header.size), mesh.elements = comm.max(header.elements);
  mesh.warnings = std::move(header.warnings);
  mesh.part = partition::distribute(comm, std::move(whole));
  return mesh;
}

void refuse(const Comm& comm, const std::filesystem::path& file, const std::optional<std::string>& problem)
{
  throw_on_all(comm, problem
                         ? std::optional(fmt::format("{}: expected a mesh that agrees with itself, found {}; make it "
                                                     "anew with sunder partition",
                                                     file.string(), *problem))
                         : std::nullopt);
}

/// Collective. A file with a good seal is as it was written, by whatever program.
void check_rows(const Comm& comm, const config::Scene& scene, const Header& header, const partition::RowSlice& rows,
                const std::filesystem::path& file)
{
  partition::RowLimits limits;
  limits.parts = header.parts, limits.materials = place_materials(scene).all.size(), limits.ids_are_rows = true;
  for (const auto& body : scene.bodies) limits.most_levels = std::max(limits.most_levels, body.mesh.refine);
  if (const std::size_t bits = selections(scene).size(); bits < 64) limits.marks = (std::uint64_t{1} << bits) - 1;
  refuse(comm, file, partition::unsound_row(comm, rows, limits));

  GlobalIndex elements = 0;
  for (const auto& e : rows.elements.rows) elements += GlobalIndex{1} << 3 * e.level;
  elements = comm.sum(elements);
  std::optional<std::string> problem;
  if (header.elements != elements)
    problem = fmt::format("a count of {} refined elements where rows add up to {}", header.elements, elements);
  else if (!(header.size > 0 && std::isfinite(header.size)))
    problem = fmt::format("a mesh size of {}", header.size);
  else if ((header.surface_marks & ~limits.marks) != 0)
    problem = fmt::format("marks {:#x} of surfaces, expected some of {:#x}", header.surface_marks, limits.marks);
  refuse(comm, file, problem);
}

CoarseMesh read(const Comm& comm, const config::Scene& scene)
{
  const std::filesystem::path file = scene.partition.file;
  throw_on_all(comm, io::damage(comm, file, io::FileKind::mesh));
  io::StoredBodies stored = io::read_bodies(comm, file);
  Header header;
  on_every_rank(comm, [&] { header = header_from(stored.state, file); });
  const auto different = config::first_difference(
      header.scene, config::to_yaml(scene),
      {"title", "obstacles", "gravity", "time", "fracture", "output", "partition", "checkpoint"});
  if (different) throw AgreedError(fmt::format("{}: expected a mesh of this scene, but {}", file.string(), *different));
  check_rows(comm, scene, header, stored.bodies, file);
  CoarseMesh mesh{{}, header.size, header.elements, std::move(header.warnings)};
  partition::MigrationRecords mine =
      partition::redistribute(comm, std::move(stored.bodies), header.parts == comm.size());
  refuse(comm, file, partition::unsound_element(comm, mine));
  mesh.part = partition::part_of(comm.rank(), std::move(mine), header.surface_marks);
  return mesh;
}

}  // namespace

CoarseMesh coarse_mesh(const Comm& comm, const config::Scene& scene)
{
  if (!scene.partition.file.empty()) return read(comm, scene);
  return can_be_sliced(comm, scene) ? assemble_slices(comm, scene) : make(comm, scene);
}

void write_coarse_mesh(const Comm& comm, const config::Scene& scene, Rank parts, const std::filesystem::path& path)
{
  Header header;
  partition::RowSlice rows;
  on_rank_0(comm, [&] {
    header.scene = config::to_yaml(scene);
    rows = partition::rows_by_part(prepare(scene, parts, header));
  });
  const auto write = [&] {
    io::write_bodies(Comm(MPI_COMM_SELF), std::filesystem::absolute(path), io::FileKind::mesh,
                     {nlohmann::json(header).dump(), std::move(rows)});
  };
  on_rank_0(comm, write, ExitStatus::simulation_failed);
}

std::string describe_coarse_mesh(const std::filesystem::path& path)
{
  const Comm alone(MPI_COMM_SELF);
  throw_on_all(alone, io::damage(alone, path, io::FileKind::mesh));
  const io::Outline found = io::outline(alone, path);
  const Header header = header_from(found.state, path);
  return fmt::format("{}: whole; a mesh in {}, {} nodes, {} elements, refined {} elements of {:.4g} m", path.string(),
                     counted(header.parts, "part"), found.nodes, found.elements, header.elements, header.size);
}

}  // namespace sunder::simulation
