#include "contact/overlapping_pairs.hpp"

#include "contact/law/pair_force.hpp"
#include "core/four.hpp"

#include <cstring>

namespace sunder::contact {
namespace {

/// Lanes need not be as aligned as a Four.
Four load(const Lanes& x, std::size_t begin)
{
  Four loaded;
  std::memcpy(&loaded, x.data() + begin, sizeof loaded);
  return loaded;
}
void store(Lanes& x, std::size_t begin, Four values)
{
  std::memcpy(x.data() + begin, &values, sizeof values);
}

}  // namespace

void OverlappingPairs::clear()
{
  for (Level& level : levels_) {
    for (const int k : level.nodes) known_[at(k)] = 0;
    level.nodes.clear(), level.count = level.begin = level.end = 0;
  }
  blocks_.clear(), count_ = 0;
}

void OverlappingPairs::add(const Pair& pair, std::span<const LocalIndex> held)
{
  Level& level = levels_[pair.level];
  const auto bit = static_cast<std::uint8_t>(1u << pair.level);
  const std::size_t l = level.count++ % lanes;
  if (level.count == 1) level.begin = blocks_.size();
  if (l == 0) blocks_.emplace_back(), level.end = blocks_.size();
  ++count_;
  Block& block = blocks_.back();
  const auto lane = static_cast<Eigen::Index>(l);
  const auto set = [lane](LaneVector& to, const Vec3& x) {
    to.x[lane] = x.x(), to.y[lane] = x.y(), to.z[lane] = x.z();
  };
  block.volume[lane] = pair.overlap.volume, block.initial_overlap[lane] = pair.initial_overlap;
  block.stiffness[lane] = pair.stiffness, block.damping[lane] = resolved(response_, pair.stiffness).damping;
  set(block.area, pair.overlap.area), set(block.normal, pair.overlap.normal);
  block.counted[l] = pair.counted;
  known_.resize(held.size(), 0);
  for (std::size_t c = 0; c < 8; ++c) {
    const auto corner = static_cast<Eigen::Index>(c % 4);
    const int k = block.corners[l][c] = c < 4 ? pair.a[c] : pair.b[c - 4];
    block.weights[l][c] = c < 4 ? pair.overlap.weights_a[corner] : -pair.overlap.weights_b[corner];
    block.held[l][c] = held[at(k)];
    if (held[at(k)] < 0 || (known_[at(k)] & bit) != 0) continue;
    known_[at(k)] |= bit, level.nodes.push_back(k);
  }
}

/// Of a's point at the overlap's centre, relative to b's.
OverlappingPairs::LaneVector OverlappingPairs::relative(const Block& block, std::span<const Row4> rows)
{
  LaneVector result;
  for (std::size_t begin = 0; begin < lanes; begin += 4) {
    std::array<Four, 4> of{};
    for (std::size_t l = 0; l < 4; ++l)
      for (std::size_t c = 0; c < 8; ++c)
        of[l] += block.weights[begin + l][c] * four(rows[at(block.corners[begin + l][c])]);
    const auto [x, y, z, w] = transposed(of[0], of[1], of[2], of[3]);
    store(result.x, begin, x), store(result.y, begin, y), store(result.z, begin, z);
  }
  return result;
}

double OverlappingPairs::power_of(const Block& block, const LaneVector& velocity)
{
  const Lanes power = dot(block.force, velocity);
  double sum = 0;
  for (std::size_t l = 0; l < lanes; ++l)
    if (block.counted[l]) sum += power[static_cast<Eigen::Index>(l)];
  return sum;
}

/// A node that is not held here gets nothing: its owner has this pair too, and adds the force.
void OverlappingPairs::scatter(const Block& block, const LaneVector& forces, std::span<Row4> f)
{
  for (std::size_t begin = 0; begin < lanes; begin += 4) {
    const std::array<Four, 4> force =
        transposed(load(forces.x, begin), load(forces.y, begin), load(forces.z, begin), Four{});
    for (std::size_t l = 0; l < 4; ++l) {
      if (force[l][0] == 0 && force[l][1] == 0 && force[l][2] == 0) continue;
      for (std::size_t c = 0; c < 8; ++c)
        if (const LocalIndex n = block.held[begin + l][c]; n >= 0)
          four(f[at(n)]) += block.weights[begin + l][c] * force[l];
    }
  }
}

OverlappingPairs::LaneVector OverlappingPairs::force_of(const Block& block, const LaneVector& shift,
                                                        const LaneVector& velocity) const
{
  const Lanes volume = at_least(block.volume - dot(block.area, shift) - block.initial_overlap, 0.0);
  return response(response_, block.stiffness, block.damping, volume, block.normal, velocity);
}

void OverlappingPairs::gather(const Level& level, std::span<const Row4> p, std::span<const Row4> v,
                              const Nodes& nodes) const
{
  for (const int k : level.nodes) {
    const std::size_t n = at(nodes.held[at(k)]);
    nodes.p[at(k)] = p[n], nodes.v[at(k)] = v[n];
  }
}

double OverlappingPairs::add_forces(std::span<const Row4> p, std::span<const Row4> v, const Nodes& nodes,
                                    std::span<Row4> f)
{
  for (const Level& level : levels_) gather(level, p, v, nodes);
  double power = 0;
  for (Block& block : blocks_) {
    const LaneVector shift = relative(block, nodes.p), velocity = relative(block, nodes.v);
    block.force = force_of(block, shift, velocity);
    power += power_of(block, velocity);
    scatter(block, block.force, f);
  }
  return power;
}

void OverlappingPairs::add_trial_forces(int level, std::span<const Row4> p, std::span<const Row4> v, const Nodes& nodes,
                                        std::span<Row4> f) const
{
  const Level& pairs = levels_[at(level)];
  gather(pairs, p, v, nodes);
  for (std::size_t k = pairs.begin; k < pairs.end; ++k)
    scatter(blocks_[k], force_of(blocks_[k], relative(blocks_[k], nodes.p), relative(blocks_[k], nodes.v)), f);
}

double OverlappingPairs::power(std::span<const Row4> v, const Nodes& nodes) const
{
  for (const Level& level : levels_)
    for (const int k : level.nodes) nodes.v[at(k)] = v[at(nodes.held[at(k)])];
  double power = 0;
  for (const Block& block : blocks_) power += power_of(block, relative(block, nodes.v));
  return power;
}

}  // namespace sunder::contact
