#include "partition/distribute/row_check.hpp"

#include "core/hash.hpp"
#include "core/sort_unique.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::partition {
namespace {

/// The problem of the lowest row, or id, that has one.
struct First {
  std::int64_t at = std::numeric_limits<std::int64_t>::max();
  std::optional<std::string> text;

  void note(std::int64_t where, std::string what)
  {
    if (where < at) at = where, text = std::move(what);
  }
};

/// Collective.
std::optional<std::string> lowest(const Comm& comm, const First& mine)
{
  const bool first = mine.at == -comm.max(-mine.at);
  return first_of(comm, first ? mine.text : std::nullopt);
}

template <std::size_t n>
bool finite(const std::array<double, n>& x)
{
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

/// What is wrong with these corners, as rows of nodes; empty: nothing.
template <std::size_t n>
std::string problem_of(std::array<GlobalIndex, n> corners, GlobalIndex rows)
{
  for (const GlobalIndex row : corners)
    if (row < 0 || row >= rows) return fmt::format("a corner in row {} of {} nodes", row, rows);
  std::sort(corners.begin(), corners.end());
  if (std::adjacent_find(corners.begin(), corners.end()) != corners.end()) return "the same corner twice";
  return {};
}

std::string problem_of(const NodeRecord& node, const RowLimits& limits, GlobalIndex rows)
{
  if (node.owner < 0 || node.owner >= limits.parts)
    return fmt::format("owner {}, expected one of {} parts", node.owner, limits.parts);
  if (!finite(node.X) || !finite(node.p) || !finite(node.v)) return "a position or velocity that is not finite";
  if (!(node.size > 0 && std::isfinite(node.size))) return fmt::format("mesh size {}, expected more than 0", node.size);
  if ((node.marks & ~limits.marks) != 0)
    return fmt::format("marks {:#x}, expected some of {:#x}", node.marks, limits.marks);
  if (limits.ids_are_rows && node.id >= NodeId(static_cast<std::uint64_t>(rows)))
    return fmt::format("id {} of {} nodes", node.id.low, rows);
  return {};
}

std::string problem_of(const ElementTable& elements, std::size_t e, const RowLimits& limits, GlobalIndex rows)
{
  const ElementRecord& element = elements.rows[e];
  if (element.material >= limits.materials)
    return fmt::format("material {}, expected one of {}", element.material, limits.materials);
  if (element.level > limits.most_levels)
    return fmt::format("{} divisions to come, expected at most {}", element.level, limits.most_levels);
  if (!finite(elements.plastic_strain(e))) return "plastic strain that is not finite";
  const mesh::LatticeMemory& memory = elements.lattice_memory(e);
  if (!finite(memory.strengths) || !finite(memory.forces) || !finite(memory.impulses) || !finite(memory.received))
    return "a lattice's memory that is not finite";
  if (limits.ids_are_rows && element.id >= ElementId(static_cast<std::uint64_t>(rows)))
    return fmt::format("id {} of {} elements", element.id.low, rows);
  return {};
}

First node_problem(const Comm& comm, const RowSlice& slice, const RowLimits& limits)
{
  First first;
  const GlobalIndex begin = BlockDistribution{slice.all_nodes, comm.size()}.begin(comm.rank());
  for (std::size_t n = 0; n < slice.nodes.size(); ++n)
    if (auto what = problem_of(slice.nodes[n], limits, slice.all_nodes); !what.empty())
      first.note(begin + static_cast<GlobalIndex>(n),
                 fmt::format("row {} of nodes: {}", begin + static_cast<GlobalIndex>(n), what));
  return first;
}

First element_problem(const Comm& comm, const RowSlice& slice, const RowLimits& limits)
{
  First first;
  const GlobalIndex begin = BlockDistribution{slice.all_elements, comm.size()}.begin(comm.rank());
  for (std::size_t e = 0; e < slice.elements.size(); ++e) {
    auto what = problem_of(slice.elements, e, limits, slice.all_elements);
    if (what.empty()) what = problem_of(slice.corners[e], slice.all_nodes);
    const GlobalIndex row = begin + static_cast<GlobalIndex>(e);
    if (!what.empty()) first.note(row, fmt::format("row {} of elements: {}", row, what));
  }
  return first;
}

/// Of pairs and faces, whose rows this rank's follow those of lower ranks.
First other_problem(const Comm& comm, const RowSlice& slice, const RowLimits& limits)
{
  First first;
  const GlobalIndex faces = comm.sum_before(static_cast<std::int64_t>(slice.faces.size())),
                    pairs = comm.sum_before(static_cast<std::int64_t>(slice.pairs.size())),
                    all_faces = comm.sum(static_cast<std::int64_t>(slice.faces.size()));
  for (std::size_t f = 0; f < slice.faces.size(); ++f) {
    auto what = problem_of(slice.faces[f].nodes, slice.all_nodes);
    if (const auto marks = slice.faces[f].marks; what.empty() && (marks & ~limits.marks) != 0)
      what = fmt::format("marks {:#x}, expected some of {:#x}", marks, limits.marks);
    const GlobalIndex row = faces + static_cast<GlobalIndex>(f);
    if (!what.empty()) first.note(row, fmt::format("row {} of faces: {}", row, what));
  }
  for (std::size_t k = 0; k < slice.links.size(); ++k)
    for (const GlobalIndex row : slice.link_nodes[k])
      if (row < 0 || row >= slice.all_nodes)
        first.note(all_faces, fmt::format("a link: node in row {} of {}", row, slice.all_nodes));
  for (std::size_t k = 0; k < slice.pairs.size(); ++k) {
    const GlobalIndex row = pairs + static_cast<GlobalIndex>(k), element = slice.pair_elements[k];
    if (element < 0 || element >= slice.all_elements)
      first.note(all_faces + row,
                 fmt::format("row {} of pairs: element in row {} of {}", row, element, slice.all_elements));
    else if (!std::isfinite(slice.pairs[k].overlap) || !std::isfinite(slice.pairs[k].initial_overlap))
      first.note(all_faces + row, fmt::format("row {} of pairs: a volume that is not finite", row));
  }
  return first;
}

/// Collective. Are the ids the numbers of the rows, each once, in any order? Compares sums of hashes of both.
template <class Row>
bool each_id_once(const Comm& comm, const std::vector<Row>& rows, GlobalIndex all)
{
  const BlockDistribution distribution{all, comm.size()};
  std::uint64_t sum = 0;
  for (const Row& r : rows) sum += mix(combine(1, r.id.low));
  for (GlobalIndex k = distribution.begin(comm.rank()); k < distribution.begin(comm.rank() + 1); ++k)
    sum -= mix(combine(1, static_cast<std::uint64_t>(k)));
  return comm.sum(sum) == 0;
}

double volume(const ElementRecord& element, const std::vector<NodeRecord>& nodes)
{
  std::array<Vec3, 4> X;
  for (std::size_t a = 0; a < 4; ++a) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), element.nodes[a],
                                     [](const NodeRecord& n, NodeId id) { return n.id < id; });
    X[a] = Vec3(at->X.data());
  }
  return (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / 6;
}

}  // namespace

std::optional<std::string> unsound_row(const Comm& comm, const RowSlice& slice, const RowLimits& limits)
{
  for (const auto& find_problem : {node_problem, element_problem, other_problem})
    if (auto problem = lowest(comm, find_problem(comm, slice, limits))) return problem;
  if (!limits.ids_are_rows) return {};
  if (!each_id_once(comm, slice.nodes, slice.all_nodes)) return "ids of nodes: expected each once, found some twice";
  if (!each_id_once(comm, slice.elements.rows, slice.all_elements))
    return "ids of elements: expected each once, found some twice";
  return {};
}

std::optional<std::string> unsound_element(const Comm& comm, const MigrationRecords& held)
{
  First first;
  std::vector<std::pair<NodeId, std::uint8_t>> levels;  // of elements around each node
  for (const ElementRecord& e : held.elements.rows) {
    if (const double v = volume(e, held.nodes); !(v > 0))
      first.note(static_cast<std::int64_t>(e.id.low),
                 fmt::format("element {}: volume {:.3g} m^3, expected more than 0", e.id.low, v));
    for (const NodeId n : e.nodes) levels.emplace_back(n, e.level);
  }
  if (auto problem = lowest(comm, first)) return problem;
  first = {};
  std::sort(levels.begin(), levels.end());
  for (std::size_t k = 1; k < levels.size(); ++k)
    if (levels[k].first == levels[k - 1].first && levels[k].second != levels[k - 1].second)
      first.note(
          static_cast<std::int64_t>(levels[k].first.low),
          fmt::format("node {}: expected elements around it that are to be divided as often, found {} and {} times",
                      levels[k].first.low, levels[k - 1].second, levels[k].second));
  return lowest(comm, first);
}

}  // namespace sunder::partition
