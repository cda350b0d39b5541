#include "io/gmsh_reader.hpp"

#include "io/gmsh_source.hpp"
#include "io/whole_file.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace sunder::io {
namespace {

constexpr int type_line = 1, type_triangle = 2, type_tetrahedron = 4, type_point = 15;

/// Nodes an element of a type has; 0 for types this program has no use for.
int corners_of(int type)
{
  switch (type) {
    case type_line:
      return 2;
    case type_triangle:
      return 3;
    case type_tetrahedron:
      return 4;
    case type_point:
      return 1;
    default:
      return 0;
  }
}

struct Group {
  int dimension = 0, tag = 0;
  auto operator<=>(const Group&) const = default;
};

/// An element as it stands in the file: node tags, and the groups it is in.
struct RawElement {
  std::uint64_t label = 0;
  int type = 0;
  std::array<std::uint64_t, 4> nodes{};
  std::int32_t groups = 0;  // position in Contents::group_lists
};

struct Contents {
  double version = 0;
  std::map<Group, std::string> names;
  std::map<std::pair<int, int>, std::vector<int>> entity_groups;  // 4.1: (dimension, entity) -> physical tags
  std::vector<std::uint64_t> node_labels;
  std::vector<Vec3> nodes;
  std::vector<std::vector<int>> group_lists{{}};
  std::vector<RawElement> elements;
  bool has_nodes = false, has_elements = false;
};

std::int32_t remember(Contents& c, std::map<std::vector<int>, std::int32_t>& known, const std::vector<int>& groups)
{
  const auto [it, fresh] = known.emplace(groups, static_cast<std::int32_t>(c.group_lists.size()));
  if (fresh) c.group_lists.push_back(groups);
  return it->second;
}

void read_format(GmshSource& in, Contents& c)
{
  c.version = in.text_number<double>("a version");
  // 2.0 to 2.2 have one layout; netgen writes 2.0.
  if (!(c.version >= 2 && c.version <= 2.2) && c.version != 4.1)
    in.fail("version 2.2 or 4.1", fmt::format("{}", c.version));
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

void read_names(GmshSource& in, Contents& c)
{
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of names"), 5, "names");
  for (std::size_t k = 0; k < n; ++k) {
    Group group;
    group.dimension = in.text_number<int>("a dimension"), group.tag = in.text_number<int>("a tag");
    const std::string_view rest = in.line();
    const std::size_t open = rest.find('"'), close = rest.rfind('"');
    if (open == std::string_view::npos || close <= open)
      in.fail("a name in quotes", fmt::format("'{}'", rest.substr(0, 40)));
    c.names[group] = rest.substr(open + 1, close - open - 1);
  }
}

void read_entities(GmshSource& in, Contents& c)
{
  std::array<std::size_t, 4> counts{};
  for (auto& n : counts) n = in.count(in.number<std::int64_t>("a number of entities"), in.binary ? 36 : 8, "entities");
  for (int dimension = 0; dimension < 4; ++dimension)
    for (std::size_t k = 0; k < counts[static_cast<std::size_t>(dimension)]; ++k) {
      const int tag = in.number<int, std::int32_t>("an entity's tag");
      for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) in.number<double>("a coordinate of an entity");
      const std::size_t groups =
          in.count(in.number<std::int64_t>("a number of physical tags"), in.binary ? 4 : 2, "tags");
      auto& list = c.entity_groups[{dimension, tag}];
      for (std::size_t g = 0; g < groups; ++g) list.push_back(std::abs(in.number<int, std::int32_t>("a physical tag")));
      if (dimension == 0) continue;
      const std::size_t bounds =
          in.count(in.number<std::int64_t>("a number of bounding entities"), in.binary ? 4 : 2, "entities");
      for (std::size_t b = 0; b < bounds; ++b) in.number<int, std::int32_t>("a bounding entity");
    }
}

void add_node(GmshSource& in, Contents& c, std::uint64_t label, const Vec3& x)
{
  if (!x.allFinite())
    in.fail(fmt::format("finite coordinates of node {}", label), fmt::format("{} {} {}", x.x(), x.y(), x.z()));
  c.node_labels.push_back(label), c.nodes.push_back(x);
}

Vec3 read_point(GmshSource& in)
{
  Vec3 x;
  for (double& xi : x) xi = in.number<double>("a coordinate");
  return x;
}

void read_nodes_2(GmshSource& in, Contents& c)
{
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of nodes"), in.binary ? 28 : 8, "nodes");
  if (in.binary) in.skip_line_end();
  for (std::size_t k = 0; k < n; ++k) {
    const auto label = in.number<std::uint64_t, std::uint32_t>("a node number");
    add_node(in, c, label, read_point(in));
  }
}

void read_nodes_4(GmshSource& in, Contents& c)
{
  const auto blocks = in.number<std::int64_t>("a number of blocks");
  in.count(in.number<std::int64_t>("a number of nodes"), in.binary ? 32 : 8, "nodes");
  in.number<std::int64_t>("the smallest node tag"), in.number<std::int64_t>("the greatest node tag");
  for (std::size_t b = 0, n = in.count(blocks, 8, "blocks"); b < n; ++b) {
    in.number<int, std::int32_t>("a dimension"), in.number<int, std::int32_t>("an entity");
    const int parametric = in.number<int, std::int32_t>("0 or 1");
    if (parametric != 0) in.fail("nodes without parametric coordinates", "some with");
    const std::size_t count = in.count(in.number<std::int64_t>("a number of nodes"), in.binary ? 32 : 8, "nodes");
    std::vector<std::uint64_t> labels(count);
    for (auto& label : labels) label = in.number<std::uint64_t>("a node tag");
    for (const auto label : labels) add_node(in, c, label, read_point(in));
  }
}

int known_corners(GmshSource& in, int type)
{
  const int corners = corners_of(type);
  if (corners == 0)
    in.fail("linear tetrahedra, triangles, lines and points (types 4, 2, 1, 15)", fmt::format("element type {}", type));
  return corners;
}

void read_elements_2(GmshSource& in, Contents& c)
{
  std::map<std::vector<int>, std::int32_t> known;
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of elements"), in.binary ? 8 : 8, "elements");
  if (in.binary) in.skip_line_end();
  for (std::size_t k = 0; k < n;) {
    RawElement e;
    std::size_t block = 1;
    int tags = 0;
    if (in.binary) {  // a header for a run of elements of one type
      e.type = in.binary_number<std::int32_t>();
      block = in.count(in.binary_number<std::int32_t>(), 8, "elements");
      tags = in.binary_number<std::int32_t>();
      if (block == 0 || block > n - k)
        in.fail(fmt::format("a run of 1 to {} elements", n - k), fmt::format("{}", block));
    }
    for (std::size_t r = 0; r < block; ++r, ++k) {
      e.label = in.number<std::uint64_t, std::uint32_t>("an element number");
      if (!in.binary) e.type = in.text_number<int>("an element type"), tags = in.text_number<int>("a number of tags");
      const int corners = known_corners(in, e.type);
      std::vector<int> groups;
      for (std::size_t t = 0, m = in.count(tags, 2, "tags"); t < m; ++t) {
        const int tag = in.number<int, std::int32_t>("a tag");
        if (t == 0 && tag != 0) groups.push_back(std::abs(tag == INT32_MIN ? 0 : tag));
      }
      e.groups = remember(c, known, groups);
      for (int a = 0; a < corners; ++a)
        e.nodes[static_cast<std::size_t>(a)] = in.number<std::uint64_t, std::uint32_t>("a node number");
      c.elements.push_back(e);
    }
  }
}

void read_elements_4(GmshSource& in, Contents& c)
{
  std::map<std::vector<int>, std::int32_t> known;
  const auto blocks = in.number<std::int64_t>("a number of blocks");
  in.count(in.number<std::int64_t>("a number of elements"), 4, "elements");
  in.number<std::int64_t>("the smallest element tag"), in.number<std::int64_t>("the greatest element tag");
  for (std::size_t b = 0, n = in.count(blocks, 8, "blocks"); b < n; ++b) {
    const int dimension = in.number<int, std::int32_t>("a dimension"),
              entity = in.number<int, std::int32_t>("an entity");
    RawElement e;
    e.type = in.number<int, std::int32_t>("an element type");
    const int corners = known_corners(in, e.type);
    const auto groups = c.entity_groups.find({dimension, entity});
    e.groups = groups == c.entity_groups.end() ? 0 : remember(c, known, groups->second);
    const std::size_t count = in.count(in.number<std::int64_t>("a number of elements"), in.binary ? 16 : 4, "elements");
    for (std::size_t k = 0; k < count; ++k) {
      e.label = in.number<std::uint64_t>("an element tag");
      for (int a = 0; a < corners; ++a) e.nodes[static_cast<std::size_t>(a)] = in.number<std::uint64_t>("a node tag");
      c.elements.push_back(e);
    }
  }
}

void read_section(GmshSource& in, Contents& c)
{
  if (in.section == "MeshFormat") return read_format(in, c);
  if (c.version == 0) in.fail("$MeshFormat first", fmt::format("'${}'", in.section.substr(0, 40)));
  // Section bodies of 4.1 are binary from their first number; 2.2 keeps the first count as text.
  if (in.binary && c.version > 4) in.skip_line_end();
  const bool two = c.version < 4;
  if (in.section == "Entities" && !two) return read_entities(in, c);
  if (in.section == "Nodes") return c.has_nodes = true, two ? read_nodes_2(in, c) : read_nodes_4(in, c);
  if (in.section == "Elements") return c.has_elements = true, two ? read_elements_2(in, c) : read_elements_4(in, c);
}

Contents read_contents(GmshSource& in)
{
  Contents c;
  while (!in.at_end()) {
    in.section.clear();
    const std::string_view mark = in.word();
    if (mark.size() < 2 || mark[0] != '$')
      in.fail("a section mark such as $Nodes", fmt::format("'{}'", mark.substr(0, 40)));
    in.section = mark.substr(1);
    const bool known = in.section == "MeshFormat" || in.section == "Nodes" || in.section == "Elements" ||
                       (in.section == "Entities" && c.version > 4);
    if (in.section == "PhysicalNames") {
      const bool binary = std::exchange(in.binary, false);  // text in either kind of file
      read_names(in, c);
      in.binary = binary;
    } else if (known) {
      read_section(in, c);
    } else {
      in.skip_past("$End" + in.section);
      continue;
    }
    in.expect("$End" + in.section);
  }
  in.section.clear();
  if (c.version == 0) in.fail("$MeshFormat", "an empty file");
  if (!c.has_nodes) in.fail("a section $Nodes", "none");
  if (!c.has_elements) in.fail("a section $Elements", "none");
  return c;
}

/// Position of each node tag.
class NodeIndex {
public:
  NodeIndex(const GmshSource& in, const std::vector<std::uint64_t>& labels)
  {
    for (std::size_t n = 0; n < labels.size(); ++n) sorted_.emplace_back(labels[n], static_cast<GlobalIndex>(n));
    if (!std::is_sorted(sorted_.begin(), sorted_.end())) std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t n = 1; n < sorted_.size(); ++n)
      if (sorted_[n].first == sorted_[n - 1].first)
        in.fail("each node once", fmt::format("node {} twice", sorted_[n].first));
    dense_ = !sorted_.empty() && sorted_.back().first - sorted_.front().first == sorted_.size() - 1;
  }
  std::optional<GlobalIndex> find(std::uint64_t label) const
  {
    if (sorted_.empty() || label < sorted_.front().first || label > sorted_.back().first) return std::nullopt;
    if (dense_) return sorted_[label - sorted_.front().first].second;
    const auto it = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(label, GlobalIndex{0}));
    if (it == sorted_.end() || it->first != label) return std::nullopt;
    return it->second;
  }

private:
  std::vector<std::pair<std::uint64_t, GlobalIndex>> sorted_;
  bool dense_ = false;
};

std::string name_of(const Contents& c, const Group& group)
{
  const auto it = c.names.find(group);
  return it == c.names.end() ? fmt::format("{}", group.tag) : it->second;
}

void sort_unique(std::vector<GlobalIndex>& values)
{
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

mesh::MeshData assemble(const GmshSource& in, Contents c)
{
  mesh::MeshData data;
  const NodeIndex index(in, c.node_labels);
  data.nodes = std::move(c.nodes), data.node_labels = std::move(c.node_labels);
  std::map<Group, mesh::ElementSet> element_sets;
  std::map<Group, mesh::FaceSet> face_sets;
  std::map<Group, mesh::NodeSet> node_sets;
  for (const RawElement& e : c.elements) {
    const int corners = corners_of(e.type), dimension = e.type == type_point ? 0 : corners - 1;
    std::array<GlobalIndex, 4> nodes{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(corners); ++a) {
      const auto n = index.find(e.nodes[a]);
      if (!n)
        in.fail(fmt::format("nodes of element {} among those of $Nodes", e.label), fmt::format("node {}", e.nodes[a]));
      nodes[a] = *n;
    }
    if (dimension == 3) data.tets.push_back(nodes), data.element_labels.push_back(e.label);
    for (const int tag : c.group_lists[static_cast<std::size_t>(e.groups)]) {
      const Group group{dimension, tag};
      if (dimension == 3) element_sets[group].elements.push_back(static_cast<GlobalIndex>(data.tets.size()) - 1);
      if (dimension == 2) face_sets[group].faces.push_back({nodes[0], nodes[1], nodes[2]});
      if (dimension < 3)
        node_sets[group].nodes.insert(node_sets[group].nodes.end(), nodes.begin(), nodes.begin() + corners);
    }
  }
  if (data.tets.empty()) in.fail("at least one tetrahedron", "none");
  for (auto& [group, set] : element_sets) {
    set.name = name_of(c, group);
    sort_unique(set.elements);
    data.element_sets.push_back(std::move(set));
  }
  for (auto& [group, set] : face_sets) set.name = name_of(c, group), data.face_sets.push_back(std::move(set));
  for (auto& [group, set] : node_sets) {
    set.name = name_of(c, group);
    sort_unique(set.nodes);
    data.node_sets.push_back(std::move(set));
  }
  return data;
}

}  // namespace

mesh::MeshData read_gmsh(const std::string& path)
{
  GmshSource in(path, read_whole(path, "a mesh file"));
  Contents contents = read_contents(in);
  return assemble(in, std::move(contents));
}

}  // namespace sunder::io
