#include "io/surfaces/ply_reader.hpp"

#include "io/files/number_at.hpp"
#include "io/files/text_lines.hpp"
#include "io/files/whole_file.hpp"
#include "io/surfaces/polygon.hpp"

#include <optional>

namespace sunder::io {
namespace {

enum class Encoding { text, little_endian, big_endian };
enum class Number { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(Number type)
{
  constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

struct Property {
  std::string name;
  Number type = Number::float64;
  std::optional<Number> count_type;  // of a list
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

Number number_type(const TextLines& in, std::size_t k)
{
  // By size; the second four-letter names are those of the first version of the format.
  constexpr std::array<std::array<std::string_view, 2>, 8> names{{{"int8", "char"},
                                                                  {"uint8", "uchar"},
                                                                  {"int16", "short"},
                                                                  {"uint16", "ushort"},
                                                                  {"int32", "int"},
                                                                  {"uint32", "uint"},
                                                                  {"float32", "float"},
                                                                  {"float64", "double"}}};
  const std::string_view word = in.word(k, "a number type");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (word == names[i][0] || word == names[i][1]) return static_cast<Number>(i);
  in.fail("a number type such as float or uchar", fmt::format("'{}'", word.substr(0, 40)));
}

Encoding read_encoding(TextLines& in)
{
  in.next("ply");
  if (in.word(0, "ply") != "ply") in.fail("ply", fmt::format("'{}'", in.word(0, "ply").substr(0, 40)));
  in.next("format");
  if (in.word(0, "format") != "format") in.fail("format", fmt::format("'{}'", in.word(0, "format").substr(0, 40)));
  const std::string_view word = in.word(1, "an encoding");
  if (word == "ascii") return Encoding::text;
  if (word == "binary_little_endian") return Encoding::little_endian;
  if (word == "binary_big_endian") return Encoding::big_endian;
  in.fail("ascii, binary_little_endian or binary_big_endian", fmt::format("'{}'", word.substr(0, 40)));
}

Property read_property(const TextLines& in)
{
  const bool list = in.word(1, "a number type") == "list";
  Property p;
  if (list) {
    p.count_type = number_type(in, 2);
    if (*p.count_type >= Number::float32) in.fail("whole numbers as lengths of a list", "others");
  }
  p.type = number_type(in, list ? 3 : 1);
  p.name = in.word(list ? 4 : 2, "a property's name");
  return p;
}

std::vector<Element> read_elements(TextLines& in)
{
  std::vector<Element> elements;
  for (;;) {
    in.next("end_header");
    const std::string_view word = in.word(0, "a word");
    if (word == "end_header") return elements;
    if (word == "comment" || word == "obj_info") continue;
    if (word == "element") {
      elements.push_back({std::string(in.word(1, "an element's name")), in.count(2, 1, "a number of elements"), {}});
    } else if (word == "property" && !elements.empty()) {
      elements.back().properties.push_back(read_property(in));
    } else {
      in.fail("element, property, comment or end_header", fmt::format("'{}'", word.substr(0, 40)));
    }
  }
}

/// The numbers behind the header, one after the other.
class Body {
public:
  Body(const std::string& path, TextLines& in, const std::string& bytes, Encoding encoding)
    : path_(path), in_(in), bytes_(bytes), at_(in.position()), encoding_(encoding)
  {
  }

  /// To the next element: in a text a line of its own.
  void next()
  {
    if (encoding_ == Encoding::text) in_.next("another element");
    word_ = 0;
  }

  double number(Number type)
  {
    if (encoding_ == Encoding::text) return in_.number<double>(word_++, "a number");
    switch (type) {
      case Number::int8:
        return binary<std::int8_t>();
      case Number::uint8:
        return binary<std::uint8_t>();
      case Number::int16:
        return binary<std::int16_t>();
      case Number::uint16:
        return binary<std::uint16_t>();
      case Number::int32:
        return binary<std::int32_t>();
      case Number::uint32:
        return binary<std::uint32_t>();
      case Number::float32:
        return static_cast<double>(binary<float>());
      default:
        return binary<double>();
    }
  }

  /// Length of a list whose entries are of a type: one the file has no room for is refused.
  std::size_t length(const Property& list)
  {
    const double n = number(*list.count_type);
    const std::size_t room = bytes_.size() / (encoding_ == Encoding::text ? 2 : size_of(list.type));
    if (!(n >= 0 && n <= static_cast<double>(room)) || n != std::floor(n))
      fail(fmt::format("a length of list {} the file has room for", list.name), fmt::format("{}", n));
    return static_cast<std::size_t>(n);
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& got) const
  {
    if (encoding_ == Encoding::text) in_.fail(expected, got);
    throw Error(fmt::format("{}: byte {}: expected {}, got {}", path_, at_, expected, got));
  }

private:
  template <class T>
  T binary()
  {
    if (bytes_.size() - at_ < sizeof(T)) fail("more data", "the end of the file");
    const bool little = encoding_ == Encoding::little_endian;
    const T value = number_at<T>(bytes_.data() + at_, little != (std::endian::native == std::endian::little));
    at_ += sizeof(T);
    return value;
  }

  const std::string& path_;
  TextLines& in_;
  const std::string& bytes_;
  std::size_t at_ = 0, word_ = 0;
  Encoding encoding_;
};

void read_vertex(Body& in, const Element& element, TriangleSurface& surface)
{
  Vec3 x = Vec3::Constant(std::nan(""));
  for (const Property& p : element.properties) {
    const std::size_t n = p.count_type ? in.length(p) : 1;
    for (std::size_t k = 0; k < n; ++k) {
      const double value = in.number(p.type);
      if (p.name.size() == 1 && p.name[0] >= 'x' && p.name[0] <= 'z') x[p.name[0] - 'x'] = value;
    }
  }
  if (!x.allFinite())
    in.fail(fmt::format("finite coordinates of vertex {}", surface.points.size()),
            fmt::format("{} {} {}", x.x(), x.y(), x.z()));
  surface.points.push_back(x);
}

void read_face(Body& in, const Element& element, std::size_t num_points, std::vector<std::uint32_t>& corners)
{
  corners.clear();
  for (const Property& p : element.properties) {
    const bool wanted = p.name == "vertex_indices" || p.name == "vertex_index";
    const std::size_t n = p.count_type ? in.length(p) : 1;
    for (std::size_t k = 0; k < n; ++k) {
      const double value = in.number(p.type);
      if (!wanted) continue;
      if (!(value >= 0 && value < static_cast<double>(num_points)) || value != std::floor(value))
        in.fail(fmt::format("a vertex from 0 to {}", static_cast<std::int64_t>(num_points) - 1),
                fmt::format("{}", value));
      corners.push_back(static_cast<std::uint32_t>(value));
    }
  }
}

void pass_over(Body& in, const Element& element)
{
  for (const Property& p : element.properties)
    for (std::size_t n = p.count_type ? in.length(p) : 1; n > 0; --n) in.number(p.type);
}

}  // namespace

TriangleSurface read_ply(const std::string& path)
{
  const std::string bytes = read_whole(path, "a surface");
  TextLines lines(path, bytes, 0);
  const Encoding encoding = read_encoding(lines);
  const std::vector<Element> elements = read_elements(lines);
  Body in(path, lines, bytes, encoding);
  TriangleSurface surface;
  std::vector<std::uint32_t> corners;
  for (const Element& element : elements)
    for (std::size_t k = 0; k < element.count; ++k) {
      in.next();
      if (element.name == "vertex") {
        read_vertex(in, element, surface);
      } else if (element.name == "face") {
        read_face(in, element, surface.points.size(), corners);
        if (const auto problem = add_polygon(surface, corners, k + 1)) in.fail(problem->expected, problem->got);
      } else {
        pass_over(in, element);
      }
    }
  return surface;
}

}  // namespace sunder::io
