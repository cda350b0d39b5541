#include "io/mesh_files/gmsh_header.hpp"

#include <cmath>

namespace sunder::io {
namespace {

void read_format(GmshSource& in, GmshHeader& header)
{
  header.version = in.text_number<double>("a version");
  // 2.0 to 2.2 have one layout; netgen writes 2.0.
  if (!(header.version >= 2 && header.version <= 2.2) && header.version != 4.1)
    in.fail("version 2.2 or 4.1", fmt::format("{}", header.version));
  const int kind = in.text_number<int>("0 (text) or 1 (binary)");
  if (kind != 0 && kind != 1) in.fail("0 (text) or 1 (binary)", fmt::format("{}", kind));
  const int size = in.text_number<int>("a data size");
  if (size != 8) in.fail("data size 8", fmt::format("{}", size));
  if (kind == 1) {
    in.binary = true;
    in.line();
    if (const int one = in.binary_number<std::int32_t>(); one != 1) {
      if (one != 0x01000000) in.fail("the number 1 in either byte order", fmt::format("{}", one));
      in.swap_bytes = true;
    }
  }
}

void read_names(GmshSource& in, GmshHeader& header)
{
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of names"), 5, "names");
  for (std::size_t k = 0; k < n; ++k) {
    GmshGroup group;
    group.dimension = in.text_number<int>("a dimension"), group.tag = in.text_number<int>("a tag");
    const std::string_view rest = in.line();
    const std::size_t open = rest.find('"'), close = rest.rfind('"');
    if (open == std::string_view::npos || close <= open)
      in.fail("a name in quotes", fmt::format("'{}'", rest.substr(0, 40)));
    header.names[group] = rest.substr(open + 1, close - open - 1);
  }
}

void read_entities(GmshSource& in, GmshHeader& header)
{
  std::array<std::size_t, 4> counts{};
  for (auto& n : counts) n = in.count(in.number<std::int64_t>("a number of entities"), in.binary ? 36 : 8, "entities");
  for (int dimension = 0; dimension < 4; ++dimension)
    for (std::size_t k = 0; k < counts[static_cast<std::size_t>(dimension)]; ++k) {
      const int tag = in.number<int, std::int32_t>("an entity's tag");
      for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) in.number<double>("a coordinate of an entity");
      const std::size_t groups =
          in.count(in.number<std::int64_t>("a number of physical tags"), in.binary ? 4 : 2, "tags");
      std::vector<int> list;
      for (std::size_t g = 0; g < groups; ++g) list.push_back(std::abs(in.number<int, std::int32_t>("a physical tag")));
      if (!list.empty()) header.entity_groups[{dimension, tag}] = std::move(list);
      if (dimension == 0) continue;
      const std::size_t bounds =
          in.count(in.number<std::int64_t>("a number of bounding entities"), in.binary ? 4 : 2, "entities");
      for (std::size_t b = 0; b < bounds; ++b) in.number<int, std::int32_t>("a bounding entity");
    }
}

}  // namespace

std::string GmshHeader::name_of(const GmshGroup& group) const
{
  const auto it = names.find(group);
  return it == names.end() ? fmt::format("{}", group.tag) : it->second;
}

GmshShape shape_of_type(GmshSource& in, int type)
{
  switch (type) {
    case 1:
      return {2, 2};
    case 2:
      return {3, 3};
    case 4:
      return {4, 4};
    case 8:
      return {2, 3};
    case 9:
      return {3, 6};
    case 11:
      return {4, 10};
    case 15:
      return {1, 1};
    default:
      in.fail("tetrahedra, triangles and lines of first or second order, and points (types 4, 11, 2, 9, 1, 8, 15)",
              fmt::format("element type {}", type));
  }
}

bool is_binary_gmsh(const std::string& path)
{
  try {
    GmshSource in(path);
    GmshHeader header;
    if (in.word() == "$MeshFormat") read_format(in, header);
    return in.binary;
  } catch (const Unreadable&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

GmshHeader read_gmsh_sections(GmshSource& in, const std::function<void(const GmshHeader&)>& nodes,
                              const std::function<void(const GmshHeader&)>& elements)
{
  GmshHeader header;
  bool has_nodes = false, has_elements = false;
  while (!in.at_end()) {
    in.section.clear();
    const std::string_view mark = in.word();
    if (mark.size() < 2 || mark[0] != '$')
      in.fail("a section mark such as $Nodes", fmt::format("'{}'", mark.substr(0, 40)));
    in.section = mark.substr(1);
    const bool four = header.version > 4;
    const bool known = in.section == "MeshFormat" || in.section == "Nodes" || in.section == "Elements" ||
                       in.section == "PhysicalNames" || (in.section == "Entities" && four);
    if (!known) {
      in.skip_past("$End" + in.section);
      continue;
    }
    if (in.section == "PhysicalNames") {
      const bool binary = std::exchange(in.binary, false);  // text in either kind of file
      read_names(in, header);
      in.binary = binary;
    } else if (in.section == "MeshFormat") {
      read_format(in, header);
    } else {
      if (header.version == 0) in.fail("$MeshFormat first", fmt::format("'${}'", in.section.substr(0, 40)));
      // Section bodies of 4.1 are binary from their first number; 2.2 keeps the first count as text.
      if (in.binary && four) in.skip_line_end();
      if (in.section == "Entities") read_entities(in, header);
      if (in.section == "Nodes") has_nodes = true, nodes(header);
      if (in.section == "Elements") has_elements = true, elements(header);
    }
    in.expect("$End" + in.section);
  }
  in.section.clear();
  if (header.version == 0) in.fail("$MeshFormat", "an empty file");
  if (!has_nodes) in.fail("a section $Nodes", "none");
  if (!has_elements) in.fail("a section $Elements", "none");
  return header;
}

}  // namespace sunder::io
