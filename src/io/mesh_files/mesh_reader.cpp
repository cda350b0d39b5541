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

using MeshFormat = FileFormat<mesh::MeshData>;

constexpr std::array mesh_formats{MeshFormat{".msh", read_gmsh}, MeshFormat{".vtu", read_vtu},
                                  MeshFormat{".pvtu", read_vtu}, MeshFormat{".ele", read_tetgen},
                                  MeshFormat{".node", read_tetgen}};

const MeshFormat* mesh_format_of(const std::string& path)
{
  return find_format(std::span<const MeshFormat>(mesh_formats), path);
}

}  // namespace

bool is_mesh_file(const std::string& path)
{
  return mesh_format_of(path) != nullptr;
}

mesh::MeshData read_mesh(const std::string& path)
{
  if (const MeshFormat* format = mesh_format_of(path)) return format->read(path);
  throw Error(
      fmt::format("{}: expected a mesh that ends in .msh (Gmsh), .vtu, .pvtu (VTK), .ele or .node (TetGen), "
                  "got '{}'",
                  path, std::filesystem::path(path).extension().string()));
}

}  // namespace sunder::io
