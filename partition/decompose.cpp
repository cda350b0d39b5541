#include "partition/decompose.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::partition {
namespace {

std::vector<Rank> along_hilbert(const std::vector<idx_t>& weights, Rank parts)
{
  double total = 0;
  for (const idx_t w : weights) total += w;
  std::vector<Rank> owner(weights.size());
  double before = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    owner[n] = std::min(parts - 1, static_cast<Rank>((before + 0.5 * weights[n]) / total * parts));
    before += weights[n];
  }
  return owner;
}

struct Graph {
  std::vector<idx_t> begin, neighbour;
};

/// Nodes are joined if a tetrahedron has both.
Graph nodal_graph(const mesh::MeshData& mesh)
{
  const std::size_t n = mesh.nodes.size();
  std::vector<idx_t> slot(n + 1, 0);
  for (const auto& tet : mesh.tets)
    for (const GlobalIndex q : tet) slot[static_cast<std::size_t>(q) + 1] += 3;
  for (std::size_t q = 0; q < n; ++q) slot[q + 1] += slot[q];
  std::vector<idx_t> all(static_cast<std::size_t>(slot[n]));
  auto next = slot;
  for (const auto& tet : mesh.tets)
    for (const GlobalIndex q : tet)
      for (const GlobalIndex r : tet)
        if (q != r) all[static_cast<std::size_t>(next[static_cast<std::size_t>(q)]++)] = static_cast<idx_t>(r);
  Graph graph;
  graph.begin.push_back(0);
  for (std::size_t q = 0; q < n; ++q) {  // unique neighbours, moved up in place
    const auto first = all.begin() + slot[q];
    std::sort(first, all.begin() + slot[q + 1]);
    const auto last = std::unique(first, all.begin() + slot[q + 1]);
    graph.begin.push_back(static_cast<idx_t>(std::copy(first, last, all.begin() + graph.begin.back()) - all.begin()));
  }
  all.resize(static_cast<std::size_t>(graph.begin.back()));
  graph.neighbour = std::move(all);
  return graph;
}

std::vector<Rank> with_metis(const mesh::MeshData& mesh, std::vector<idx_t>& weights, Rank parts, std::int64_t seed)
{
  Graph graph = nodal_graph(mesh);
  idx_t n = static_cast<idx_t>(mesh.nodes.size()), constraints = 1, count = parts, cut = 0;
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed);
  options[METIS_OPTION_CONTIG] = 0;
  std::vector<idx_t> part(mesh.nodes.size());
  const int code = METIS_PartGraphKway(&n, &constraints, graph.begin.data(), graph.neighbour.data(), weights.data(),
                                       nullptr, nullptr, &count, nullptr, nullptr, options.data(), &cut, part.data());
  if (code != METIS_OK) throw Error(fmt::format("METIS could not make {} parts of {} nodes (code {})", parts, n, code));
  return {part.begin(), part.end()};
}

/// Elements around each node once they are divided, as a share of what METIS can add up.
std::vector<idx_t> node_weights(const mesh::MeshData& mesh, std::span<const std::uint8_t> levels)
{
  std::vector<double> work(mesh.nodes.size(), 0);
  double total = 0;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const double parts = levels.empty() ? 1 : std::exp2(3 * levels[e]);
    for (const GlobalIndex q : mesh.tets[e]) work[static_cast<std::size_t>(q)] += parts, total += parts;
  }
  const double unit = std::max(1.0, total / (1 << 30));
  std::vector<idx_t> weights;
  weights.reserve(work.size());
  for (const double w : work) weights.push_back(std::max(idx_t{1}, static_cast<idx_t>(w / unit)));
  return weights;
}

}  // namespace

std::vector<Rank> decompose(const mesh::MeshData& mesh, Rank parts, Method method, std::int64_t seed,
                            std::span<const std::uint8_t> levels)
{
  if (static_cast<std::size_t>(parts) > mesh.nodes.size())
    throw Error(
        fmt::format("{} ranks for a mesh of {} nodes: expected at most one rank a node", parts, mesh.nodes.size()));
  if (parts == 1) return std::vector<Rank>(mesh.nodes.size(), 0);
  if (mesh.tets.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()) / 12)
    throw Error(fmt::format("{} elements are too many for METIS on one rank (32-bit indices)", mesh.tets.size()));
  std::vector<idx_t> weights = node_weights(mesh, levels);
  return method == Method::metis ? with_metis(mesh, weights, parts, seed) : along_hilbert(weights, parts);
}

}  // namespace sunder::partition
