#include "io/mesh_files/gmsh_slice.hpp"

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "io/mesh_files/gmsh_layout.hpp"
#include "io/mesh_files/label_directory.hpp"
#include "partition/across_ranks/tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace sunder::io {
namespace {

using partition::BlockDistribution;

constexpr GlobalIndex looked_at_once = 4096;  // rows in the file's window

GmshLayout layout_on_all(const Comm& comm, const std::string& path)
{
  std::string bytes;
  on_rank_0(comm, [&] {
    const Bytes laid_out = packed(gmsh_layout(path));
    bytes.assign(reinterpret_cast<const char*>(laid_out.data()), laid_out.size());
  });
  comm.broadcast(bytes);
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return unpacked_layout({first, first + bytes.size()});
}

/// Calls read(run, first, last) for the pieces [first, last) of runs that rows [begin, end) of all lie in.
template <class Run, class Read>
void each_run(const std::vector<Run>& runs, GlobalIndex begin, GlobalIndex end, Read&& read)
{
  GlobalIndex before = 0;
  for (const Run& run : runs) {
    const GlobalIndex first = std::max(begin - before, GlobalIndex{0}), last = std::min(end - before, run.count);
    for (GlobalIndex k = first; k < last; k += looked_at_once) read(run, k, std::min(k + looked_at_once, last));
    before += run.count;
  }
}

std::uint64_t tag_at(const GmshLayout& layout, const char* bytes)
{
  return layout.four ? number_at<std::uint64_t>(bytes, layout.swapped)
                     : number_at<std::uint32_t>(bytes, layout.swapped);
}

void read_nodes(FileWindow& file, const GmshLayout& layout, const GmshNodeRun& run, GlobalIndex first, GlobalIndex last,
                mesh::MeshSlice& slice)
{
  const auto n = static_cast<std::size_t>(last - first), tag_size = std::size_t{layout.four ? 8u : 4u};
  const auto bytes_at = [&](std::uint64_t at, std::uint64_t stride, std::size_t size) {
    const std::size_t length = (n - 1) * stride + size;
    const std::string_view bytes = file.view(at + static_cast<std::uint64_t>(first) * stride, length);
    if (bytes.size() < length) throw Error(fmt::format("{}: cannot be read to its end", file.path()));
    return bytes;
  };
  const char* tags = bytes_at(run.tags_at, run.tag_stride, tag_size).data();
  for (std::size_t k = 0; k < n; ++k) slice.node_labels.push_back(tag_at(layout, tags + k * run.tag_stride));
  const char* points = bytes_at(run.points_at, run.point_stride, 24).data();
  for (std::size_t k = 0; k < n; ++k) {
    const char* at = points + k * run.point_stride;
    Vec3 x;
    for (int i = 0; i < 3; ++i) x[i] = number_at<double>(at + 8 * i, layout.swapped);
    if (!x.allFinite())
      throw Error(fmt::format("{}: $Nodes, byte {}: expected finite coordinates of node {}, got {} {} {}", file.path(),
                              run.points_at + (static_cast<std::uint64_t>(first) + k) * run.point_stride + 24,
                              slice.node_labels[slice.node_labels.size() - n + k], x.x(), x.y(), x.z()));
    slice.nodes.push_back(x);
  }
}

/// An element as it stands in the file.
struct TaggedElement {
  std::uint64_t label = 0;
  std::array<std::uint64_t, 4> nodes{};
  std::int32_t corners = 0;
  std::int32_t list = 0;  // of the groups it is in
};

/// Lists of groups: those of the layout (4.1), and those that elements name themselves (2.2).
class GroupLists {
public:
  explicit GroupLists(const GmshLayout& layout) : lists_(layout.group_lists) {}

  std::int32_t of_tag(std::int32_t tag)
  {
    if (tag == 0 || tag == std::numeric_limits<std::int32_t>::min()) return tag == 0 ? 0 : of_tag_known(0);
    return of_tag_known(std::abs(tag));
  }
  const std::vector<int>& operator[](std::int32_t list) const { return lists_[static_cast<std::size_t>(list)]; }
  std::size_t size() const { return lists_.size(); }

private:
  std::int32_t of_tag_known(int tag)
  {
    if (last_ != 0 && lists_[static_cast<std::size_t>(last_)].front() == tag) return last_;
    const auto [it, fresh] = of_tag_.emplace(tag, static_cast<std::int32_t>(lists_.size()));
    if (fresh) lists_.push_back({tag});
    return last_ = it->second;
  }

  std::vector<std::vector<int>> lists_;
  std::map<int, std::int32_t> of_tag_;
  std::int32_t last_ = 0;
};

void read_elements(FileWindow& file, const GmshLayout& layout, const GmshElementRun& run, GlobalIndex first,
                   GlobalIndex last, GroupLists& lists, std::vector<TaggedElement>& elements)
{
  const auto place = [&run](GlobalIndex k) {
    return run.at + static_cast<std::uint64_t>(k / run.per_group) * run.pitch +
           static_cast<std::uint64_t>(k % run.per_group) * run.stride;
  };
  const std::uint64_t begin = place(first);
  const auto length = static_cast<std::size_t>(place(last - 1) + run.stride - begin);
  const std::string_view bytes = file.view(begin, length);
  if (bytes.size() < length) throw Error(fmt::format("{}: cannot be read to its end", file.path()));
  const std::size_t tag_size = layout.four ? 8 : 4;
  for (GlobalIndex k = first; k < last; ++k) {
    const char* at = bytes.data() + (place(k) - begin);
    TaggedElement e{tag_at(layout, at), {}, run.corners, run.groups};
    at += tag_size;
    if (run.tags > 0) e.list = lists.of_tag(number_at<std::int32_t>(at, layout.swapped));
    at += 4 * run.tags;
    for (std::size_t a = 0; a < static_cast<std::size_t>(run.corners); ++a, at += tag_size)
      e.nodes[a] = tag_at(layout, at);
    elements.push_back(e);
  }
}

/// Dimension and tag of a group as one number that sorts as they do.
std::uint64_t code_of(int dimension, int tag)
{
  return static_cast<std::uint64_t>(dimension) << 32 | static_cast<std::uint32_t>(tag);
}

/// What a rank has read of the elements, sets still by the file's numbers.
class ElementCollector {
public:
  ElementCollector(const Comm& comm, const GmshLayout& layout, const std::string& path, GroupLists& lists,
                   mesh::MeshSlice& slice)
    : comm_(comm), layout_(layout), path_(path), lists_(lists), slice_(slice)
  {
  }

  /// Collective. Adds them, nodes by row; remembers the first that has a node that is none of the file's.
  void add(const std::vector<TaggedElement>& elements, const LabelDirectory& directory)
  {
    std::vector<std::uint64_t> labels;
    for (const TaggedElement& e : elements) labels.insert(labels.end(), e.nodes.begin(), e.nodes.begin() + e.corners);
    sort_unique(labels);
    const std::vector<GlobalIndex> rows = directory.rows(labels);
    for (const TaggedElement& e : elements) {
      std::array<GlobalIndex, 4> nodes{};
      for (std::size_t a = 0; a < static_cast<std::size_t>(e.corners); ++a) {
        const auto at = std::lower_bound(labels.begin(), labels.end(), e.nodes[a]) - labels.begin();
        nodes[a] = rows[static_cast<std::size_t>(at)];
        if (nodes[a] < 0 && !problem_)
          problem_ = fmt::format("{}: expected nodes of element {} among those of $Nodes, got node {}", path_, e.label,
                                 e.nodes[a]);
      }
      if (!problem_) add(e, nodes);
    }
  }

  /// Collective. Sets get their names and numbers, once all elements are there. Throws Error on every rank, of the
  /// first element in the file that add() could not take.
  void name_sets()
  {
    throw_on_all(comm_, problem_);
    const auto groups = partition::union_of(comm_, std::vector<std::uint64_t>(seen_.begin(), seen_.end()));
    std::map<std::uint64_t, std::int32_t> set;  // of the kind that belongs to the dimension
    std::map<std::uint64_t, std::int32_t> node_set;
    for (const std::uint64_t code : groups) {
      const GmshGroup group{static_cast<int>(code >> 32), static_cast<int>(code & 0xffffffffu)};
      const auto name = layout_.names.find(group);
      const std::string text = name == layout_.names.end() ? fmt::format("{}", group.tag) : name->second;
      if (group.dimension == 3) {
        set[code] = static_cast<std::int32_t>(slice_.element_sets.size());
        slice_.element_sets.push_back(text);
        continue;
      }
      node_set[code] = static_cast<std::int32_t>(slice_.node_sets.size());
      slice_.node_sets.push_back(text);
      if (group.dimension < 2) continue;
      set[code] = static_cast<std::int32_t>(slice_.face_sets.size());
      slice_.face_sets.push_back({text, node_set[code]});
    }
    for (const auto& [nodes, code] : faces_) slice_.set_faces.push_back({nodes, set.at(code)});
    for (const auto& [node, code] : nodes_) slice_.set_nodes.push_back({node, node_set.at(code)});
    slice_.set_lists.assign(lists_.size(), {});
    for (std::size_t l = 0; l < lists_.size(); ++l)
      for (const int tag : lists_[static_cast<std::int32_t>(l)])
        if (const auto it = set.find(code_of(3, tag)); it != set.end()) slice_.set_lists[l].push_back(it->second);
    if (slice_.element_sets.empty()) slice_.tet_sets = {};
  }

private:
  void add(const TaggedElement& e, const std::array<GlobalIndex, 4>& nodes)
  {
    const int dimension = dimension_of(e.corners);
    if (dimension == 3) {
      slice_.tets.push_back(nodes), slice_.element_labels.push_back(e.label);
      slice_.tet_sets.push_back(e.list);
    }
    for (const int tag : lists_[e.list]) {
      const std::uint64_t code = code_of(dimension, tag);
      if (code != last_seen_) seen_.insert(last_seen_ = code);
      if (dimension == 2) faces_.push_back({{nodes[0], nodes[1], nodes[2]}, code});
      if (dimension < 2)
        for (std::size_t a = 0; a < static_cast<std::size_t>(e.corners); ++a) nodes_.emplace_back(nodes[a], code);
    }
  }

  Comm comm_;
  const GmshLayout& layout_;
  const std::string& path_;
  GroupLists& lists_;
  mesh::MeshSlice& slice_;
  std::optional<std::string> problem_;
  std::set<std::uint64_t> seen_;
  std::uint64_t last_seen_ = ~std::uint64_t{0};
  std::vector<std::pair<std::array<GlobalIndex, 3>, std::uint64_t>> faces_;
  std::vector<std::pair<GlobalIndex, std::uint64_t>> nodes_;
};

}  // namespace

mesh::MeshSlice read_gmsh_slice(const Comm& comm, const std::string& path)
{
  const GmshLayout layout = layout_on_all(comm, path);
  std::optional<FileWindow> file;
  on_every_rank(comm, [&] { file.emplace(path, "a mesh file"); });
  mesh::MeshSlice slice;
  slice.second_order = layout.second_order;
  slice.all_nodes = layout.num_nodes();
  const BlockDistribution nodes{slice.all_nodes, comm.size()}, elements{layout.num_elements(), comm.size()};
  slice.first_node = nodes.begin(comm.rank());
  const GlobalIndex last_node = nodes.begin(comm.rank() + 1);
  slice.nodes.reserve(static_cast<std::size_t>(last_node - slice.first_node));
  slice.node_labels.reserve(slice.nodes.capacity());
  on_every_rank(comm, [&] {
    each_run(layout.nodes, slice.first_node, last_node, [&](const GmshNodeRun& run, GlobalIndex a, GlobalIndex b) {
      read_nodes(*file, layout, run, a, b, slice);
    });
  });
  const LabelDirectory directory(comm, slice.first_node, slice.node_labels);
  if (directory.twice())
    throw_on_all(comm, fmt::format("{}: expected each node once, got node {} twice", path, *directory.twice()));

  GroupLists lists(layout);
  ElementCollector collector(comm, layout, path, lists, slice);
  const GlobalIndex begin = elements.begin(comm.rank()), end = elements.begin(comm.rank() + 1);
  const auto at_once = static_cast<GlobalIndex>(partition::rows_at_once);
  const std::size_t batches = partition::batches_of(comm, static_cast<std::size_t>(end - begin));
  std::vector<TaggedElement> raw;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const GlobalIndex first = std::min(begin + static_cast<GlobalIndex>(batch) * at_once, end);
    raw.clear();
    on_every_rank(comm, [&] {
      each_run(layout.elements, first, std::min(first + at_once, end),
               [&](const GmshElementRun& run, GlobalIndex a, GlobalIndex b) {
                 read_elements(*file, layout, run, a, b, lists, raw);
               });
    });
    collector.add(raw, directory);
  }
  collector.name_sets();
  slice.all_tets = comm.sum(static_cast<std::int64_t>(slice.tets.size()));
  slice.first_tet = comm.sum_before(static_cast<std::int64_t>(slice.tets.size()));
  if (slice.all_tets == 0) throw_on_all(comm, fmt::format("{}: expected at least one tetrahedron, got none", path));
  return slice;
}

}  // namespace sunder::io
