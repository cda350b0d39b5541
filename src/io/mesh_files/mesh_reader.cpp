#include "io/mesh_files/mesh_reader.hpp"

#include "core/error.hpp"
#include "io/files/file_format.hpp"
#include "io/mesh_files/gmsh_reader.hpp"
#include "io/mesh_files/tetgen_reader.hpp"
#include "io/mesh_files/vtu_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace sunder::io {
namespace {

using Format = FileFormat<mesh::MeshData>;

constexpr std::array formats{Format{".msh", read_gmsh}, Format{".vtu", read_vtu}, Format{".pvtu", read_vtu},
                             Format{".ele", read_tetgen}, Format{".node", read_tetgen}};

const Format* format_of(const std::string& path)
{
  return find_format(std::span<const Format>(formats), path);
}

}  // namespace

bool is_mesh_file(const std::string& path)
{
  return format_of(path) != nullptr;
}

mesh::MeshData read_mesh(const std::string& path)
{
  if (const Format* format = format_of(path)) return format->read(path);
  throw Error(
      fmt::format("{}: expected a mesh that ends in .msh (Gmsh), .vtu, .pvtu (VTK), .ele or .node (TetGen), "
                  "got '{}'",
                  path, std::filesystem::path(path).extension().string()));
}

}  // namespace sunder::io
