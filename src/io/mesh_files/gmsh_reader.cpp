#include "io/mesh_files/gmsh_reader.hpp"

#include "core/sort_unique.hpp"
#include "io/mesh_files/gmsh_header.hpp"
#include "io/mesh_files/gmsh_slice.hpp"
#include "io/mesh_files/mesh_slice_reader.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace sunder::io {
namespace {

/// An element as it stands in the file: node tags, and the groups it is in.
struct RawElement {
  std::uint64_t label = 0;
  GmshShape shape;
  std::array<std::uint64_t, 4> nodes{};
  std::int32_t groups = 0;  // position in Contents::group_lists
};

struct Contents {
  std::vector<std::uint64_t> node_labels;
  std::vector<Vec3> nodes;
  std::vector<std::vector<int>> group_lists{{}};
  std::vector<RawElement> elements;
};

/// The nodes of an element: its corners, behind which others follow that are not kept.
void read_corners(GmshSource& in, const char* what, RawElement& e)
{
  for (int a = 0; a < e.shape.nodes; ++a) {
    const auto node = in.text_number<std::uint64_t>(what);
    if (a < e.shape.corners) e.nodes[static_cast<std::size_t>(a)] = node;
  }
}

std::int32_t remember(Contents& c, std::map<std::vector<int>, std::int32_t>& known, const std::vector<int>& groups)
{
  const auto [it, fresh] = known.emplace(groups, static_cast<std::int32_t>(c.group_lists.size()));
  if (fresh) c.group_lists.push_back(groups);
  return it->second;
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
  for (double& xi : x) xi = in.text_number<double>("a coordinate");
  return x;
}

void read_nodes_2(GmshSource& in, Contents& c)
{
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of nodes"), 8, "nodes");
  for (std::size_t k = 0; k < n; ++k) {
    const auto label = in.text_number<std::uint64_t>("a node number");
    add_node(in, c, label, read_point(in));
  }
}

void read_nodes_4(GmshSource& in, Contents& c)
{
  const auto blocks = in.text_number<std::int64_t>("a number of blocks");
  in.count(in.text_number<std::int64_t>("a number of nodes"), 8, "nodes");
  in.text_number<std::int64_t>("the smallest node tag"), in.text_number<std::int64_t>("the greatest node tag");
  for (std::size_t b = 0, n = in.count(blocks, 8, "blocks"); b < n; ++b) {
    in.text_number<int>("a dimension"), in.text_number<int>("an entity");
    const int parametric = in.text_number<int>("0 or 1");
    if (parametric != 0) in.fail("nodes without parametric coordinates", "some with");
    const std::size_t count = in.count(in.text_number<std::int64_t>("a number of nodes"), 8, "nodes");
    std::vector<std::uint64_t> labels(count);
    for (auto& label : labels) label = in.text_number<std::uint64_t>("a node tag");
    for (const auto label : labels) add_node(in, c, label, read_point(in));
  }
}

void read_elements_2(GmshSource& in, Contents& c)
{
  std::map<std::vector<int>, std::int32_t> known;
  const std::size_t n = in.count(in.text_number<std::int64_t>("a number of elements"), 8, "elements");
  for (std::size_t k = 0; k < n; ++k) {
    RawElement e;
    e.label = in.text_number<std::uint64_t>("an element number");
    const int type = in.text_number<int>("an element type"), tags = in.text_number<int>("a number of tags");
    e.shape = shape_of_type(in, type);
    std::vector<int> groups;
    for (std::size_t t = 0, m = in.count(tags, 2, "tags"); t < m; ++t) {
      const int tag = in.text_number<int>("a tag");
      if (t == 0 && tag != 0) groups.push_back(std::abs(tag == INT32_MIN ? 0 : tag));
    }
    e.groups = remember(c, known, groups);
    read_corners(in, "a node number", e);
    c.elements.push_back(e);
  }
}

void read_elements_4(GmshSource& in, const GmshHeader& header, Contents& c)
{
  std::map<std::vector<int>, std::int32_t> known;
  const auto blocks = in.text_number<std::int64_t>("a number of blocks");
  in.count(in.text_number<std::int64_t>("a number of elements"), 4, "elements");
  in.text_number<std::int64_t>("the smallest element tag"), in.text_number<std::int64_t>("the greatest element tag");
  for (std::size_t b = 0, n = in.count(blocks, 8, "blocks"); b < n; ++b) {
    const int dimension = in.text_number<int>("a dimension"), entity = in.text_number<int>("an entity");
    RawElement e;
    e.shape = shape_of_type(in, in.text_number<int>("an element type"));
    const auto groups = header.entity_groups.find({dimension, entity});
    e.groups = groups == header.entity_groups.end() ? 0 : remember(c, known, groups->second);
    const std::size_t count = in.count(in.text_number<std::int64_t>("a number of elements"), 4, "elements");
    for (std::size_t k = 0; k < count; ++k) {
      e.label = in.text_number<std::uint64_t>("an element tag");
      read_corners(in, "a node tag", e);
      c.elements.push_back(e);
    }
  }
}

/// Position of each node tag.
class NodeIndex {
public:
  NodeIndex(GmshSource& in, const std::vector<std::uint64_t>& labels)
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

mesh::MeshData assemble(GmshSource& in, const GmshHeader& header, Contents c)
{
  mesh::MeshData data;
  const NodeIndex index(in, c.node_labels);
  data.nodes = std::move(c.nodes), data.node_labels = std::move(c.node_labels);
  std::map<GmshGroup, mesh::ElementSet> element_sets;
  std::map<GmshGroup, mesh::FaceSet> face_sets;
  std::map<GmshGroup, mesh::NodeSet> node_sets;
  for (const RawElement& e : c.elements) {
    const int corners = e.shape.corners, dimension = dimension_of(corners);
    data.second_order = data.second_order || e.shape.nodes > corners;
    std::array<GlobalIndex, 4> nodes{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(corners); ++a) {
      const auto n = index.find(e.nodes[a]);
      if (!n)
        in.fail(fmt::format("nodes of element {} among those of $Nodes", e.label), fmt::format("node {}", e.nodes[a]));
      nodes[a] = *n;
    }
    if (dimension == 3) data.tets.push_back(nodes), data.element_labels.push_back(e.label);
    for (const int tag : c.group_lists[static_cast<std::size_t>(e.groups)]) {
      const GmshGroup group{dimension, tag};
      if (dimension == 3) element_sets[group].elements.push_back(static_cast<GlobalIndex>(data.tets.size()) - 1);
      if (dimension == 2) face_sets[group].faces.push_back({nodes[0], nodes[1], nodes[2]});
      if (dimension < 3)
        node_sets[group].nodes.insert(node_sets[group].nodes.end(), nodes.begin(), nodes.begin() + corners);
    }
  }
  if (data.tets.empty()) in.fail("at least one tetrahedron", "none");
  for (auto& [group, set] : element_sets) {
    set.name = header.name_of(group);
    sort_unique(set.elements);
    data.element_sets.push_back(std::move(set));
  }
  for (auto& [group, set] : face_sets) set.name = header.name_of(group), data.face_sets.push_back(std::move(set));
  for (auto& [group, set] : node_sets) {
    set.name = header.name_of(group);
    sort_unique(set.nodes);
    data.node_sets.push_back(std::move(set));
  }
  return data;
}

}  // namespace

mesh::MeshData read_gmsh(const std::string& path)
{
  if (is_binary_gmsh(path)) return whole_mesh(read_gmsh_slice(Comm(MPI_COMM_SELF), path));
  GmshSource in(path);
  Contents contents;
  const auto nodes = [&](const GmshHeader& header) {
    header.version > 4 ? read_nodes_4(in, contents) : read_nodes_2(in, contents);
  };
  const auto elements = [&](const GmshHeader& header) {
    header.version > 4 ? read_elements_4(in, header, contents) : read_elements_2(in, contents);
  };
  const GmshHeader header = read_gmsh_sections(in, nodes, elements);
  return assemble(in, header, std::move(contents));
}

}  // namespace sunder::io
