#include "partition/decompose/decompose.hpp"

#include "core/error.hpp"
#include "partition/decompose/nodal_graph.hpp"
#include "partition/decompose/weights.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>

namespace sunder::partition {
namespace {

std::vector<Rank> along_hilbert(const std::vector<double>& weights, Rank parts)
{
  double total = 0;
  for (const double w : weights) total += w;
  std::vector<Rank> owner(weights.size());
  double before = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    owner[n] = std::min(parts - 1, static_cast<Rank>((before + 0.5 * weights[n]) / total * parts));
    before += weights[n];
  }
  return owner;
}

/// Work is a number of elements here, so a unit below one would add nothing.
std::vector<idx_t> metis_weights(const std::vector<double>& weights)
{
  double total = 0;
  for (const double w : weights) total += w;
  return whole_weights<idx_t>(weights, std::max(1.0, weight_unit(total, static_cast<GlobalIndex>(weights.size()))));
}

std::vector<Rank> with_metis(const mesh::MeshData& mesh, std::vector<idx_t> weights, Rank parts, std::int64_t seed)
{
  if (mesh.tets.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()) / 12)
    throw Error(
        fmt::format("{} elements are too many for METIS on one rank ({}-bit indices): "
                    "set partition.method to ptscotch",
                    mesh.tets.size(), 8 * sizeof(idx_t)));
  auto graph = nodal_graph<idx_t>(mesh.tets, 0, static_cast<GlobalIndex>(mesh.nodes.size()));
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

}  // namespace

std::vector<Rank> decompose(const mesh::MeshData& mesh, Rank parts, Method method, std::int64_t seed,
                            std::span<const std::uint8_t> levels)
{
  if (static_cast<std::size_t>(parts) > mesh.nodes.size())
    throw Error(
        fmt::format("{} ranks for a mesh of {} nodes: expected at most one rank a node", parts, mesh.nodes.size()));
  if (parts == 1) return std::vector<Rank>(mesh.nodes.size(), 0);
  const std::vector<double> weights = node_weights(mesh.tets, 0, mesh.nodes.size(), levels);
  return method == Method::metis ? with_metis(mesh, metis_weights(weights), parts, seed)
                                 : along_hilbert(weights, parts);
}

}  // namespace sunder::partition
