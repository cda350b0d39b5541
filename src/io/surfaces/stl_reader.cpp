#include "io/surfaces/stl_reader.hpp"

#include "io/files/text_lines.hpp"
#include "io/files/whole_file.hpp"

#include <bit>
#include <cstring>

namespace sunder::io {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is read as it stands");

constexpr std::size_t header = 84, bytes_each = 50;

void add(TriangleSurface& surface, const std::array<Vec3, 3>& corners)
{
  const auto first = static_cast<std::uint32_t>(surface.points.size());
  surface.points.insert(surface.points.end(), corners.begin(), corners.end());
  surface.triangles.push_back({first, first + 1, first + 2});
  surface.labels.push_back(surface.triangles.size());
}

bool is_binary(const std::string& bytes)
{
  std::uint32_t triangles = 0;
  if (bytes.size() < header) return false;
  std::memcpy(&triangles, bytes.data() + header - sizeof triangles, sizeof triangles);
  return bytes.size() == header + bytes_each * std::size_t{triangles};
}

TriangleSurface read_binary(const std::string& path, const std::string& bytes)
{
  TriangleSurface surface;
  for (std::size_t at = header; at < bytes.size(); at += bytes_each) {
    std::array<float, 12> record;  // normal and corners
    std::memcpy(record.data(), bytes.data() + at, sizeof record);
    std::array<Vec3, 3> corners;
    for (std::size_t a = 0; a < 3; ++a) corners[a] = Vec3(record[3 + 3 * a], record[4 + 3 * a], record[5 + 3 * a]);
    for (const Vec3& x : corners)
      if (!x.allFinite())
        throw Error(fmt::format("{}: byte {}: expected finite coordinates of triangle {}, got {} {} {}", path, at,
                                surface.triangles.size() + 1, x.x(), x.y(), x.z()));
    add(surface, corners);
  }
  return surface;
}

void expect(const TextLines& in, std::size_t k, const char* word)
{
  if (in.word(k, word) != word) in.fail(word, fmt::format("'{}'", in.word(k, word).substr(0, 40)));
}

void read_facet(TextLines& in, TriangleSurface& surface)
{
  expect(in, 1, "normal");
  in.next("outer loop"), expect(in, 0, "outer"), expect(in, 1, "loop");
  std::array<Vec3, 3> corners;
  for (Vec3& x : corners) in.next("vertex"), expect(in, 0, "vertex"), x = in.point(1);
  in.next("endloop"), expect(in, 0, "endloop");
  in.next("endfacet"), expect(in, 0, "endfacet");
  add(surface, corners);
}

TriangleSurface read_text(const std::string& path, const std::string& bytes)
{
  TextLines in(path, bytes, 0);
  TriangleSurface surface;
  bool in_solid = false;
  while (in.next()) {
    const std::string_view word = in.word(0, "a word");
    if (word == "solid" && !in_solid) {
      in_solid = true;
    } else if (word == "endsolid" && in_solid) {
      in_solid = false;
    } else if (word == "facet" && in_solid) {
      read_facet(in, surface);
    } else {
      in.fail(in_solid ? "facet or endsolid" : "solid (text), or the size a binary file's header asks for",
              fmt::format("'{}'", word.substr(0, 40)));
    }
  }
  if (in_solid) in.fail("endsolid", "the end of the file");
  return surface;
}

}  // namespace

TriangleSurface read_stl(const std::string& path)
{
  const std::string bytes = read_whole(path, "a surface");
  return is_binary(bytes) ? read_binary(path, bytes) : read_text(path, bytes);
}

}  // namespace sunder::io
