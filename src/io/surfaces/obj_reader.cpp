#include "io/surfaces/obj_reader.hpp"

#include "io/files/text_lines.hpp"
#include "io/files/whole_file.hpp"
#include "io/surfaces/polygon.hpp"

#include <algorithm>

namespace sunder::io {
namespace {

constexpr std::array<std::string_view, 11> passed_over{"vt", "vn", "vp",     "g",      "o", "s",
                                                       "l",  "p",  "usemtl", "mtllib", "mg"};

/// "7", "7/1", "7//3" or "7/1/3"; counted back from the last point so far if negative.
std::uint32_t corner(const TextLines& in, std::size_t k, std::size_t num_points)
{
  const std::string_view word = in.word(k, "a point's number");
  const std::string_view digits = word.substr(0, word.find('/'));
  std::int64_t n = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (code != std::errc() || end != digits.data() + digits.size())
    in.fail("a point's number", fmt::format("'{}'", word.substr(0, 40)));
  const auto count = static_cast<std::int64_t>(num_points);
  const std::int64_t position = n < 0 ? count + n : n - 1;
  if (n == 0 || n < -count || position >= count)
    in.fail(fmt::format("a point from 1 to {} or -{} to -1", count, count), fmt::format("{}", n));
  return static_cast<std::uint32_t>(position);
}

}  // namespace

TriangleSurface read_obj(const std::string& path)
{
  const std::string bytes = read_whole(path, "a surface");
  TextLines in(path, bytes, '#');
  TriangleSurface surface;
  std::vector<std::uint32_t> corners;
  for (std::uint64_t faces = 0; in.next();) {
    const std::string_view word = in.word(0, "a word");
    if (word == "v") {
      surface.points.push_back(in.point(1));
    } else if (word == "f") {
      corners.clear();
      for (std::size_t k = 1; k < in.num_words(); ++k) corners.push_back(corner(in, k, surface.points.size()));
      if (const auto problem = add_polygon(surface, corners, ++faces)) in.fail(problem->expected, problem->got);
    } else if (std::find(passed_over.begin(), passed_over.end(), word) == passed_over.end()) {
      in.fail("a statement of polygonal OBJ such as v or f", fmt::format("'{}'", word.substr(0, 40)));
    }
  }
  return surface;
}

}  // namespace sunder::io
