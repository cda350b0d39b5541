#include "solvers/elastic_block.hpp"

#include "core/hash.hpp"
#include "core/sort_unique.hpp"
#include "support/all_gather.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace sunder::test {

namespace {

using Ids = std::array<std::int64_t, 4>;

/// One block's nodes and elements by number.
struct Grid {
  const ElasticBlock& block;
  std::int64_t first_id;

  std::int64_t nodes(std::size_t axis) const { return block.cubes[axis] + 1; }
  std::int64_t size() const { return nodes(0) * nodes(1) * nodes(2); }
  std::int64_t id(const std::array<std::int64_t, 3>& at) const
  {
    return first_id + at[0] + nodes(0) * (at[1] + nodes(1) * at[2]);
  }
  std::array<std::int64_t, 3> place(std::int64_t id) const
  {
    const std::int64_t n = id - first_id;
    return {n % nodes(0), n / nodes(0) % nodes(1), n / nodes(0) / nodes(1)};
  }
  Vec3 position(std::int64_t id) const
  {
    const auto at = place(id);
    Vec3 X = block.corner;
    for (std::size_t a = 0; a < 3; ++a) {
      const double h = block.size[static_cast<Eigen::Index>(a)] / static_cast<double>(block.cubes[a]);
      const auto bits = combine(combine(7, static_cast<std::uint64_t>(id)), static_cast<std::uint64_t>(a));
      const bool inside = at[a] > 0 && at[a] < block.cubes[a];
      const double jitter = inside ? 0.1 * static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63 : 0;
      X[static_cast<Eigen::Index>(a)] += h * (static_cast<double>(at[a]) + jitter);
    }
    return X;
  }
  /// The corners of tetrahedra around a node, in the order of cubes.
  template <class Visit>
  void for_each_tet_around(std::int64_t node, const Visit& visit) const
  {
    static constexpr std::array<std::array<std::size_t, 3>, 6> axes{
        {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
    const auto at = place(node);
    for (std::int64_t c = 0; c < 8; ++c) {
      const std::array<std::int64_t, 3> cube{at[0] - 1 + c % 2, at[1] - 1 + c / 2 % 2, at[2] - 1 + c / 4};
      bool exists = true;
      for (std::size_t a = 0; a < 3; ++a) exists = exists && cube[a] >= 0 && cube[a] < block.cubes[a];
      for (std::size_t t = 0; exists && t < 6; ++t) {
        auto corner = cube;
        Ids tet{id(corner)};
        for (std::size_t k = 0; k < 3; ++k) ++corner[axes[t][k]], tet[k + 1] = id(corner);
        if (t >= 3) std::swap(tet[2], tet[3]);  // odd permutations: positive volume all the same
        if (std::find(tet.begin(), tet.end(), node) != tet.end()) visit(tet);
      }
    }
  }
};

/// Adds the row of `node` of one element's stiffness to the blocks of its columns.
void add_stiffness(const Grid& grid, const Ids& tet, std::int64_t node, std::map<std::int64_t, solvers::Block>& row)
{
  const double E = grid.block.young, nu = grid.block.poisson;
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu));
  Mat3 edges;
  for (std::size_t k = 0; k < 3; ++k)
    edges.col(static_cast<Eigen::Index>(k)) = grid.position(tet[k + 1]) - grid.position(tet[0]);
  const double volume = std::abs(edges.determinant()) / 6;
  Mat34 slopes;
  slopes.rightCols<3>() = edges.inverse().transpose();
  slopes.col(0) = -slopes.rightCols<3>().rowwise().sum();
  const auto mine = std::find(tet.begin(), tet.end(), node) - tet.begin();
  const Vec3 g = slopes.col(mine);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 h = slopes.col(static_cast<Eigen::Index>(k));
    solvers::Block& block = row[tet[k]];
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j)
        block[static_cast<std::size_t>(3 * i + j)] +=
            volume * (lambda * g[i] * h[j] + mu * g[j] * h[i] + (i == j ? mu * g.dot(h) : 0));
  }
}

class Assembler {
public:
  Assembler(const Comm& comm, std::span<const ElasticBlock> blocks, const OwnerRule& owner) : comm_(comm), owner_(owner)
  {
    for (const ElasticBlock& block : blocks) grids_.push_back({block, num_nodes_}), num_nodes_ += grids_.back().size();
  }

  ElasticSystem operator()()
  {
    system_.layout = std::make_shared<solvers::NodeLayout>(solvers::NodeLayout{comm_, 0, 0, {}, {}, {}, {}, {}});
    find_nodes();
    make_halo();
    for (const std::int64_t id : ids_) assemble_row(id);
    return std::move(system_);
  }

private:
  std::size_t component(std::int64_t id) const
  {
    std::size_t g = 0;
    while (g + 1 < grids_.size() && id >= grids_[g + 1].first_id) ++g;
    return g;
  }
  bool fixed(std::int64_t id) const
  {
    const Grid& grid = grids_[component(id)];
    return grid.block.clamped && grid.place(id)[0] == 0;
  }
  std::vector<std::int64_t> neighbours(std::int64_t id) const
  {
    std::vector<std::int64_t> found;
    grids_[component(id)].for_each_tet_around(
        id, [&](const Ids& tet) { found.insert(found.end(), tet.begin(), tet.end()); });
    sort_unique(found);
    return found;
  }

  void find_nodes()
  {
    solvers::NodeLayout& layout = *system_.layout;
    for (std::int64_t id = 0; id < num_nodes_; ++id)
      if (owner_(id) == comm_.rank()) ids_.push_back(id);
    layout.num_owned = static_cast<LocalIndex>(ids_.size());
    std::vector<std::int64_t> ghosts;
    for (const std::int64_t id : ids_)
      for (const std::int64_t other : neighbours(id))
        if (owner_(other) != comm_.rank()) ghosts.push_back(other), to_[owner_(other)].push_back(id);
    sort_unique(ghosts);
    std::reverse(ghosts.begin(), ghosts.end());  // in any order
    std::vector<std::int64_t> all = ids_;
    all.insert(all.end(), ghosts.begin(), ghosts.end());
    for (std::size_t n = 0; n < all.size(); ++n) {
      local_[all[n]] = static_cast<LocalIndex>(n);
      layout.ids.emplace_back(static_cast<std::uint64_t>(all[n]));
      const std::size_t c = component(all[n]);
      layout.X.push_back(grids_[c].position(all[n]));
      layout.component.push_back(static_cast<std::int64_t>(c) + 10);
      for (int axis = 0; axis < 3; ++axis) system_.A.fixed.push_back(fixed(all[n]));
    }
    for (const std::int64_t ghost : ghosts) from_[owner_(ghost)].push_back(local_.at(ghost));
  }

  void make_halo()
  {
    solvers::NodeLayout& layout = *system_.layout;
    std::map<Rank, std::vector<LocalIndex>> to;
    for (auto& [rank, ids] : to_) {
      sort_unique(ids);
      for (const std::int64_t id : ids) to[rank].push_back(local_.at(id));
    }
    for (auto& [rank, ghosts] : from_) std::reverse(ghosts.begin(), ghosts.end());  // ascending by id, as they are sent
    layout.owners_to_ghosts = [comm = comm_, to, from = from_](std::span<double> x) {
      std::vector<Rank> peers;
      std::vector<std::vector<std::byte>> out;
      for (const auto& [rank, nodes] : to) {
        peers.push_back(rank);
        auto& bytes = out.emplace_back(24 * nodes.size());
        for (std::size_t k = 0; k < nodes.size(); ++k)
          std::copy_n(as_bytes(x).begin() + 24 * nodes[k], 24, bytes.begin() + static_cast<std::ptrdiff_t>(24 * k));
      }
      const auto in = exchange(comm, peers, out);
      for (std::size_t p = 0; p < peers.size(); ++p)
        for (std::size_t k = 0; k < from.at(peers[p]).size(); ++k)
          std::copy_n(in[p].begin() + static_cast<std::ptrdiff_t>(24 * k), 24,
                      as_writable_bytes(x).begin() + 24 * from.at(peers[p])[k]);
    };
    layout.first_owned = comm_.sum_before(static_cast<std::int64_t>(layout.num_owned));
    std::vector<double> numbers(3 * layout.ids.size());
    for (LocalIndex n = 0; n < layout.num_owned; ++n)
      numbers[static_cast<std::size_t>(3 * n)] = static_cast<double>(layout.first_owned + n);
    layout.owners_to_ghosts(numbers);
    for (std::size_t n = 0; n < layout.ids.size(); ++n)
      layout.global.push_back(static_cast<GlobalIndex>(numbers[3 * n]));
  }

  void assemble_row(std::int64_t id)
  {
    std::map<std::int64_t, solvers::Block> row;
    const Grid& grid = grids_[component(id)];
    grid.for_each_tet_around(id, [&](const Ids& tet) { add_stiffness(grid, tet, id, row); });
    auto& A = system_.A;
    if (A.row_begin.empty()) A.row_begin.push_back(0);
    const double diagonal = row.at(id)[0];
    for (auto& [column, block] : row) {
      if (fixed(id) || fixed(column)) block = {};
      if (column == id && fixed(id)) block[0] = block[4] = block[8] = diagonal;
      A.columns.push_back(local_.at(column));
      A.values.push_back(block);
    }
    A.row_begin.push_back(static_cast<std::int64_t>(A.columns.size()));
    const bool held = fixed(id);
    for (const double load : {0.0, 10.0, -100.0}) system_.b.push_back(held ? 0 : load);
  }

  Comm comm_;
  const OwnerRule& owner_;
  std::vector<Grid> grids_;
  std::int64_t num_nodes_ = 0;
  ElasticSystem system_;
  std::vector<std::int64_t> ids_;                 // owned
  std::map<std::int64_t, LocalIndex> local_;      // of owned nodes and ghosts
  std::map<Rank, std::vector<std::int64_t>> to_;  // owned nodes that peers hold
  std::map<Rank, std::vector<LocalIndex>> from_;  // ghosts
};

}  // namespace

std::int64_t num_nodes(std::span<const ElasticBlock> blocks)
{
  std::int64_t sum = 0;
  for (const ElasticBlock& block : blocks) sum += Grid{block, 0}.size();
  return sum;
}

ElasticSystem assemble(const Comm& comm, std::span<const ElasticBlock> blocks, const OwnerRule& owner)
{
  ElasticSystem system = Assembler(comm, blocks, owner)();
  if (system.A.row_begin.empty()) system.A.row_begin.push_back(0);
  return system;
}

OwnerRule slabs(const Comm& comm, std::int64_t num_nodes)
{
  return [size = comm.size(), num_nodes](std::int64_t id) { return static_cast<Rank>(id * size / num_nodes); };
}

OwnerRule scattered(const Comm& comm, std::uint64_t seed)
{
  const auto size = static_cast<std::uint64_t>(comm.size());
  return
      [size, seed](std::int64_t id) { return static_cast<Rank>(combine(seed, static_cast<std::uint64_t>(id)) % size); };
}

std::map<std::uint64_t, std::uint64_t> bits_of_all(const ElasticSystem& system, std::span<const double> x)
{
  std::vector<std::uint64_t> mine;
  for (std::size_t k = 0; k < x.size(); ++k)
    mine.push_back(3 * system.layout->ids[k / 3].low + k % 3), mine.push_back(std::bit_cast<std::uint64_t>(x[k]));
  const auto all = all_gather(system.layout->comm, mine);
  std::map<std::uint64_t, std::uint64_t> bits;
  for (std::size_t k = 0; k < all.size(); k += 2) bits[all[k]] = all[k + 1];
  return bits;
}

}  // namespace sunder::test
