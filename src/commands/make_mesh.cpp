#include "commands/commands.hpp"
#include "config/files.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/files/atomic_file.hpp"
#include "io/mesh_files/mesh_writer.hpp"
#include "io/surfaces/mesher.hpp"
#include "io/surfaces/surface_reader.hpp"
#include "mesh/mesh_check.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

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

/// Throws Error if the output is the geometry itself, by whatever name.
void refuse_own_input(const std::string& geometry, const std::string& output)
{
  std::error_code none;
  if (std::filesystem::equivalent(geometry, output, none))
    throw Error(fmt::format("{}: expected a mesh to write, got the geometry {} itself", output, geometry));
}

/// Throws Error for options that say nothing of a solid geometry.
void refuse_options_of_surfaces(const std::string& geometry, const MeshArguments& a)
{
  if (io::is_surface_file(geometry)) return;
  for (const auto& [option, given] : {std::pair{"--flip", a.flip}, std::pair{"--grading", a.grading.has_value()}})
    if (given) throw Error(fmt::format("{}: expected a surface (.stl, .obj, .ply) with it, got {}", option, geometry));
}

/// Turns the mesh so that the axis points up, which is z here.
void turn_up(const std::string& axis, mesh::MeshData& data)
{
  if (axis == "z") return;
  Mat3 turn;
  if (axis == "y")
    turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  else
    turn << 0, 0, -1, 0, 1, 0, 1, 0, 0;
  for (Vec3& x : data.nodes) x = turn * x;
  log_info(axis == "y" ? "turned by 90 degrees about x: y points up now, (x, y, z) is at (x, -z, y)"
                       : "turned by -90 degrees about y: x points up now, (x, y, z) is at (-z, y, x)");
}

void make(const MeshArguments& a)
{
  io::check_can_write_mesh(a.output);
  io::check_can_replace(a.output);
  const std::string geometry = find_geometry(a.geometry);
  refuse_own_input(geometry, a.output);
  refuse_options_of_surfaces(geometry, a);
  constexpr double usual_grading = 0.3;
  const io::Facing facing = a.flip ? io::Facing::flipped : io::Facing::as_given;
  mesh::MeshData data = io::mesh_geometry(geometry, a.size, a.grading.value_or(usual_grading), facing);
  const mesh::MeshReport report = mesh::check_mesh(data, mesh::Hinges::report);
  for (const auto& note : report.notes) log_warning(note);
  if (!report.errors.empty()) throw Error(fmt::format("{}: {}", a.geometry, fmt::join(report.errors, "; ")));
  turn_up(a.up, data);
  io::write_mesh(data, a.output);
  log_info(fmt::format("{}: {} nodes, {} elements", a.output, data.nodes.size(), data.tets.size()));
}

}  // namespace

void make_mesh(const Comm& comm, const MeshArguments& arguments)
{
  on_rank_0(comm, [&] { make(arguments); });
}

}  // namespace sunder::commands
