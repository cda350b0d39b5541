#include "simulation/equilibrium/stiffness_matrix.hpp"

#include "core/four.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace sunder::simulation {
namespace {

bool rests(std::span<const std::uint8_t> at_rest, LocalIndex i)
{
  return !at_rest.empty() && at_rest[static_cast<std::size_t>(i)];
}

[[gnu::always_inline]] inline Four load(const double* from)
{
  Four loaded;
  std::memcpy(&loaded, from, sizeof(loaded));
  return loaded;
}

[[gnu::always_inline]] inline void store(double* to, Four values)
{
  std::memcpy(to, &values, sizeof(values));
}

/// Tangents of the elements of a block, each element's blocks in one piece: 9 numbers, and room.
struct alignas(64) ElementTangents {
  double K[element::lanes][16][12];
};

/// Four lanes and four numbers at a time: what is added to a matrix one number after the other costs more than the
/// tangent.
void transpose(const element::TangentBlock& tangent, ElementTangents& out)
{
  static_assert(element::lanes % 4 == 0);
  for (std::size_t l = 0; l < element::lanes; l += 4)
    for (std::size_t k = 0; k < 16; ++k) {
      const auto& block = tangent.K[k / 4][k % 4];
      for (std::size_t i = 0; i < 8; i += 4) {
        const std::array<Four, 4> of_lanes =
            transposed(load(block[i] + l), load(block[i + 1] + l), load(block[i + 2] + l), load(block[i + 3] + l));
        for (std::size_t m = 0; m < 4; ++m) store(&out.K[l + m][k][i], of_lanes[m]);
      }
      for (std::size_t m = 0; m < 4; ++m) out.K[l + m][k][8] = block[8][l + m];
    }
}

}  // namespace

StiffnessMatrix::StiffnessMatrix(const mesh::TetMesh& mesh, const NodeNumbering& numbering,
                                 std::span<const CoupledNodes> coupled, std::span<const std::uint8_t> at_rest,
                                 std::span<const NodePair> joined)
  : numbering_(numbering), positions_(static_cast<std::size_t>(mesh.num_slots()))
{
  for (auto& positions : positions_) positions.fill(-1);
  wanted_.resize((positions_.size() + element::lanes - 1) / element::lanes);
  make_rows(mesh, coupled, at_rest, joined);
  matrix_.values.resize(matrix_.columns.size());
  for (const CoupledNodes& nodes : coupled) {
    auto& positions = coupled_positions_.emplace_back();
    for (std::size_t k = 0; k < 64; ++k)
      positions[k] = nodes[k / 8] < numbering.num_owned()
                         ? static_cast<std::int32_t>(position_of_indices(nodes[k / 8], nodes[k % 8]))
                         : -1;
  }
}

void StiffnessMatrix::make_rows(const mesh::TetMesh& mesh, std::span<const CoupledNodes> coupled,
                                std::span<const std::uint8_t> at_rest, std::span<const NodePair> joined)
{
  std::vector<std::pair<LocalIndex, LocalIndex>> more;
  for (const CoupledNodes& nodes : coupled)
    for (const LocalIndex i : nodes)
      for (const LocalIndex j : nodes)
        if (i < numbering_.num_owned()) more.emplace_back(i, j);
  for (const auto& [a, b] : joined)
    for (const auto& [row, column] : {std::pair(a, b), std::pair(b, a)})
      if (const LocalIndex i = numbering_.index(row); i < numbering_.num_owned())
        more.emplace_back(i, numbering_.index(column));
  sort_unique(more);
  const auto& ids = numbering_.layout().ids;
  const auto by_id = [&ids](LocalIndex a, LocalIndex b) {
    return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)];
  };
  std::vector<LocalIndex> row;
  std::vector<std::int32_t> position(ids.size(), -1);  // (nodes of the layout) of its block in the row; -1: it has none
  const auto join = [&](LocalIndex j) {
    if (std::exchange(position[static_cast<std::size_t>(j)], 0) < 0) row.push_back(j);
  };
  matrix_.row_begin.push_back(0);
  auto next = more.begin();
  for (LocalIndex i = 0; i < numbering_.num_owned(); ++i) {
    row.clear();
    join(i);
    if (!rests(at_rest, i))
      for (const LocalIndex e : mesh.star(numbering_.node(i)))
        for (const LocalIndex n : mesh.tet(e))
          if (!rests(at_rest, numbering_.index(n))) join(numbering_.index(n));
    for (; next != more.end() && next->first == i; ++next) join(next->second);
    std::sort(row.begin(), row.end(), by_id);
    for (std::size_t k = 0; k < row.size(); ++k)
      position[static_cast<std::size_t>(row[k])] = static_cast<std::int32_t>(matrix_.columns.size() + k);
    matrix_.columns.insert(matrix_.columns.end(), row.begin(), row.end());
    matrix_.row_begin.push_back(std::ssize(matrix_.columns));
    if (!rests(at_rest, i)) place_elements(mesh, numbering_.node(i), at_rest, position);
    for (const LocalIndex j : row) position[static_cast<std::size_t>(j)] = -1;
  }
}

/// Where elements go in the row of node n.
/// @param position  (nodes of the layout) of the row's blocks
void StiffnessMatrix::place_elements(const mesh::TetMesh& mesh, LocalIndex n, std::span<const std::uint8_t> at_rest,
                                     std::span<const std::int32_t> position)
{
  for (const LocalIndex e : mesh.star(n)) {
    const Tet& tet = mesh.tet(e);
    const auto row = static_cast<std::size_t>(std::find(tet.begin(), tet.end(), n) - tet.begin());
    for (std::size_t c = 0; c < 4; ++c) {
      const LocalIndex j = numbering_.index(tet[c]);
      if (!rests(at_rest, j))
        positions_[static_cast<std::size_t>(e)][4 * row + c] = position[static_cast<std::size_t>(j)];
    }
    wanted_[static_cast<std::size_t>(e) / element::lanes] = 1;
  }
}

/// Of two nodes of the mesh, the first one owned.
std::size_t StiffnessMatrix::position(LocalIndex row, LocalIndex column) const
{
  return position_of_indices(numbering_.index(row), numbering_.index(column));
}

std::size_t StiffnessMatrix::position_of_indices(LocalIndex row, LocalIndex column) const
{
  const auto i = static_cast<std::size_t>(row);
  const auto begin = matrix_.columns.begin() + matrix_.row_begin[i],
             end = matrix_.columns.begin() + matrix_.row_begin[i + 1];
  const auto found = std::find(begin, end, column);
  SUNDER_ASSERT(found != end);
  return static_cast<std::size_t>(found - matrix_.columns.begin());
}

void StiffnessMatrix::clear()
{
  std::fill(matrix_.values.begin(), matrix_.values.end(), solvers::Block{});
  matrix_.fixed.assign(3 * numbering_.layout().ids.size(), 0);
}

void StiffnessMatrix::add_elements(const element::Model& model, std::span<const element::PlasticBlock> old,
                                   const element::TangentOptions& options)
{
  ElementTangents tangents;
  const auto add_block = [&](std::size_t block, const element::TangentBlock& tangent) {
    transpose(tangent, tangents);
    const std::size_t first = block * element::lanes, end = std::min(first + element::lanes, positions_.size());
    // Where the next elements go: that is seldom in the cache.
    for (std::size_t e = end; e < std::min(end + element::lanes, positions_.size()); ++e)
      for (const std::int32_t k : positions_[e])
        if (k >= 0) __builtin_prefetch(&matrix_.values[static_cast<std::size_t>(k)], 1);
    for (std::size_t e = first; e < end; ++e) add_element(positions_[e], tangents.K[e - first]);
  };
  element::for_each_tangent(model.blocks, old, model.materials, model.p, model.v, options, add_block, wanted_);
}

void StiffnessMatrix::add_element(const std::array<std::int32_t, 16>& positions, const double (&K)[16][12])
{
  for (std::size_t k = 0; k < 16; ++k) {
    if (positions[k] < 0) continue;
    double* const block = matrix_.values[static_cast<std::size_t>(positions[k])].data();
    for (std::size_t i = 0; i < 8; i += 4) store(block + i, load(block + i) + load(&K[k][i]));
    block[8] += K[k][8];
  }
}

void StiffnessMatrix::add(LocalIndex row, LocalIndex column, const Mat3& block)
{
  if (numbering_.index(row) >= numbering_.num_owned()) return;
  solvers::Block& values = matrix_.values[position(row, column)];
  for (std::size_t k = 0; k < 9; ++k)
    values[k] += block(static_cast<Eigen::Index>(k / 3), static_cast<Eigen::Index>(k % 3));
}

void StiffnessMatrix::add_coupled(std::size_t k, const contact::PairMatrix& values)
{
  const auto& positions = coupled_positions_[k];
  for (std::size_t pair = 0; pair < 64; ++pair) {
    if (positions[pair] < 0) continue;
    solvers::Block& block = matrix_.values[static_cast<std::size_t>(positions[pair])];
    const auto row = 3 * static_cast<Eigen::Index>(pair / 8), column = 3 * static_cast<Eigen::Index>(pair % 8);
    for (int i = 0; i < 9; ++i) block[static_cast<std::size_t>(i)] += values(row + i / 3, column + i % 3);
  }
}

void StiffnessMatrix::add_diagonal(LocalIndex i, double value)
{
  const LocalIndex node = numbering_.node(i);
  solvers::Block& values = matrix_.values[position(node, node)];
  for (const std::size_t k : {0, 4, 8}) values[k] += value;
}

void StiffnessMatrix::fix(std::span<const std::uint8_t> fixed)
{
  matrix_.fixed.assign(fixed.begin(), fixed.end());
  for (std::size_t row = 0; row + 1 < matrix_.row_begin.size(); ++row)
    for (auto k = static_cast<std::size_t>(matrix_.row_begin[row]);
         k < static_cast<std::size_t>(matrix_.row_begin[row + 1]); ++k) {
      const auto column = static_cast<std::size_t>(matrix_.columns[k]);
      solvers::Block& block = matrix_.values[k];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          if (!fixed[3 * row + i] && !fixed[3 * column + j]) continue;
          double& value = block[3 * i + j];
          if (row == column && i == j)
            value = value > 0 ? value : 1;
          else
            value = 0;
        }
    }
}

}  // namespace sunder::simulation
