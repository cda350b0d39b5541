#include "commands/commands.hpp"
#include "config/files.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/gmsh_writer.hpp"
#include "io/mesher.hpp"
#include "mesh/mesh_check.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace sunder::commands {
namespace {

std::string find_geometry(const std::string& argument)
{
  if (std::filesystem::exists(argument)) return argument;
  const auto shipped = std::filesystem::path(config::data_directory()) / "geometry" / argument;
  for (const char* ending : {"", ".geo", ".stl", ".obj", ".ply"})
    if (const auto file = shipped.string() + ending; std::filesystem::is_regular_file(file)) return file;
  throw Error(fmt::format("{}: expected a geometry file or the name of a shipped one, found neither", argument));
}

void make(const MeshArguments& a)
{
  io::check_can_replace(a.output);
  const io::Facing facing = a.flip ? io::Facing::flipped : io::Facing::as_given;
  mesh::MeshData data = io::mesh_geometry(find_geometry(a.geometry), a.size, a.grading, facing);
  const mesh::MeshReport report = mesh::check_mesh(data, mesh::Hinges::report);
  for (const auto& note : report.notes) log_warning(note);
  if (!report.errors.empty()) throw Error(fmt::format("{}: {}", a.geometry, fmt::join(report.errors, "; ")));
  io::write_gmsh(data, a.output);
  log_info(fmt::format("{}: {} nodes, {} elements", a.output, data.nodes.size(), data.tets.size()));
}

}  // namespace

void make_mesh(const Comm& comm, const MeshArguments& arguments)
{
  on_rank_0(comm, [&] { make(arguments); });
}

}  // namespace sunder::commands
