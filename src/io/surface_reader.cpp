#include "io/surface_reader.hpp"

#include "core/error.hpp"
#include "io/obj_reader.hpp"
#include "io/ply_reader.hpp"
#include "io/stl_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace sunder::io {
namespace {

struct Format {
  const char* ending;
  Surface (*read)(const std::string& path);
};

constexpr std::array formats{Format{".stl", read_stl}, Format{".obj", read_obj}, Format{".ply", read_ply}};

const Format* format_of(const std::string& path)
{
  const std::string ending = std::filesystem::path(path).extension().string();
  for (const Format& format : formats)
    if (ending == format.ending) return &format;
  return nullptr;
}

}  // namespace

bool is_surface_file(const std::string& path)
{
  return format_of(path) != nullptr;
}

Surface read_surface(const std::string& path)
{
  if (const Format* format = format_of(path)) return format->read(path);
  throw Error(fmt::format("{}: expected a surface that ends in .stl, .obj or .ply", path));
}

}  // namespace sunder::io
