#include "partition/refine/refined_sizes.hpp"

#include "core/error.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/refine/bey.hpp"

#include <algorithm>

namespace sunder::partition {
namespace {

template <std::size_t size>
std::array<GlobalIndex, size> sorted(std::array<GlobalIndex, size> nodes)
{
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// Sums of the entries of each edge or face, one entry for each.
template <class Around>
void add_up(std::vector<Around>& entries)
{
  std::stable_sort(entries.begin(), entries.end(), [](const Around& a, const Around& b) { return a.nodes < b.nodes; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].nodes == entries[last].nodes)
      entries[last].sum += entries[i].sum, entries[last].count += entries[i].count;
    else
      entries[++last] = entries[i];
  if (!entries.empty()) entries.resize(last + 1);
  entries.shrink_to_fit();
}

template <class Around, class Nodes>
double mean_at(const std::vector<Around>& entries, const Nodes& nodes)
{
  const auto it = std::lower_bound(entries.begin(), entries.end(), nodes,
                                   [](const Around& entry, const Nodes& key) { return entry.nodes < key; });
  SUNDER_ASSERT(it != entries.end() && it->nodes == nodes);
  return it->sum / it->count;
}

/// Lengths of the edges that children have at the middle of each edge, and how many, for edges in the order of
/// with_middles(); twice as long as they are after one division.
struct EdgeShares {
  std::array<double, 6> sum{}, count{};
};

EdgeShares edge_shares(const std::array<Vec3, 4>& X)
{
  const auto x = with_middles<Vec3>(X);
  EdgeShares shares;
  for (const auto& child : bey_children)
    for (const std::uint8_t at : child) {
      if (at < 4) continue;
      for (const std::uint8_t other : child)
        if (other != at) shares.sum[at - 4u] += 2 * (x[at] - x[other]).norm(), ++shares.count[at - 4u];
    }
  return shares;
}

}  // namespace

RefinedSizes::RefinedSizes(const mesh::MeshData& mesh, const std::vector<bool>& refined)
{
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    if (!refined[e]) continue;
    std::array<Vec3, 4> corners, X;
    for (std::size_t a = 0; a < 4; ++a) corners[a] = mesh.nodes[static_cast<std::size_t>(mesh.tets[e][a])];
    const auto order = best_order(corners);
    std::array<GlobalIndex, 4> n{};
    for (std::size_t a = 0; a < 4; ++a) X[a] = corners[order[a]], n[a] = mesh.tets[e][order[a]];
    const EdgeShares shares = edge_shares(X);
    std::size_t k = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b, ++k)
        edges_.push_back({sorted<2>({n[a], n[b]}), shares.sum[k], shares.count[k]});
    // Half a lattice has the mean of the whole one, which is the same from its other side.
    for (const auto& face : mesh::face_corners)
      faces_.push_back({sorted<3>({n[face[0]], n[face[1]], n[face[2]]}), in_element(X), 1});
  }
  add_up(edges_), add_up(faces_);
}

double RefinedSizes::in_edge(GlobalIndex a, GlobalIndex b) const
{
  return mean_at(edges_, sorted<2>({a, b}));
}

double RefinedSizes::in_face(GlobalIndex a, GlobalIndex b, GlobalIndex c) const
{
  return mean_at(faces_, sorted<3>({a, b, c}));
}

/// Around an edge of the lattice along an edge or the space diagonal of its cells are six elements, along the diagonal
/// of a face four.
double RefinedSizes::in_element(const std::array<Vec3, 4>& X)
{
  const auto length = [&X](std::size_t a, std::size_t b) { return (X[a] - X[b]).norm(); };
  const double six = length(0, 1) + length(1, 2) + length(2, 3) + length(0, 3);
  const double four = length(0, 2) + length(1, 3) + (X[1] + X[3] - X[0] - X[2]).norm();
  return (12 * six + 8 * four) / 72;
}

}  // namespace sunder::partition
