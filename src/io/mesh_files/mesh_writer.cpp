#include "io/mesh_files/mesh_writer.hpp"

#include "core/error.hpp"
#include "io/mesh_files/gmsh_writer.hpp"
#include "io/mesh_files/vtu_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace sunder::io {
namespace {

struct WritableFormat {
  const char* ending;
  void (*write)(const mesh::MeshData& mesh, const std::string& path);
};

constexpr std::array writable_formats{WritableFormat{".msh", write_gmsh}, WritableFormat{".vtu", write_vtu}};

const WritableFormat& writable_format_of(const std::string& path)
{
  const std::string ending = std::filesystem::path(path).extension().string();
  for (const WritableFormat& format : writable_formats)
    if (ending == format.ending) return format;
  throw Error(
      fmt::format("{}: expected a mesh to write that ends in .msh (Gmsh) or .vtu (VTK), got '{}'", path, ending));
}

}  // namespace

void check_can_write_mesh(const std::string& path)
{
  writable_format_of(path);
}

void write_mesh(const mesh::MeshData& mesh, const std::string& path)
{
  writable_format_of(path).write(mesh, path);
}

}  // namespace sunder::io
