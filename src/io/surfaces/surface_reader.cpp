#include "io/surfaces/surface_reader.hpp"

#include "core/error.hpp"
#include "io/files/file_format.hpp"
#include "io/surfaces/obj_reader.hpp"
#include "io/surfaces/ply_reader.hpp"
#include "io/surfaces/stl_reader.hpp"

#include <fmt/format.h>

#include <array>

namespace sunder::io {
namespace {

using SurfaceFormat = FileFormat<TriangleSurface>;

constexpr std::array surface_formats{SurfaceFormat{".stl", read_stl}, SurfaceFormat{".obj", read_obj},
                                     SurfaceFormat{".ply", read_ply}};

const SurfaceFormat* surface_format_of(const std::string& path)
{
  return find_format(std::span<const SurfaceFormat>(surface_formats), path);
}

}  // namespace

bool is_surface_file(const std::string& path)
{
  return surface_format_of(path) != nullptr;
}

TriangleSurface read_surface(const std::string& path)
{
  if (const SurfaceFormat* format = surface_format_of(path)) return format->read(path);
  throw Error(fmt::format("{}: expected a surface that ends in .stl, .obj or .ply", path));
}

TriangleSurface read_welded_surface(const std::string& path)
{
  constexpr double netgen_weld = 1e-6;  // of the diagonal
  TriangleSurface surface = read_surface(path);
  const SurfaceMeasure size = measure(surface);
  if (!surface.points.empty()) weld(surface, netgen_weld * (size.high - size.low).norm());
  return surface;
}

}  // namespace sunder::io
