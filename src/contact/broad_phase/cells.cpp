#include "contact/broad_phase/cells.hpp"

#include "core/blocking.hpp"
#include "core/hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sunder::contact {
namespace {

constexpr double greatest = std::numeric_limits<double>::max();

Vec3 clamped(const Vec3& x)
{
  return x.cwiseMax(-greatest).cwiseMin(greatest);
}

/// The exponent of the least power of two that is not below x >= 0.
int ceil_log2(double x)
{
  if (x > greatest) return highest_level;
  int exponent = lowest_level;
  const double fraction = std::frexp(x, &exponent);
  if (fraction == 0) return lowest_level;
  return std::max(lowest_level, fraction == 0.5 ? exponent - 1 : exponent);
}

}  // namespace

Cell cell_at(const Vec3& x, int level)
{
  const Vec3 inside = clamped(x);
  const auto number = [&](int axis) { return static_cast<std::int64_t>(std::floor(std::ldexp(inside[axis], -level))); };
  return {level, {number(0), number(1), number(2)}};
}

int level_of(const geometry::Box& box)
{
  constexpr int digits = 50;
  const Vec3 low = clamped(box.low), high = clamped(box.high);
  const double furthest = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  return std::max(ceil_log2((high - low).maxCoeff()), ceil_log2(furthest) - digits);
}

std::uint64_t block_hash(const Cell& cell)
{
  std::uint64_t hash = combine(0, static_cast<std::uint64_t>(cell.level));
  for (const std::int64_t at : cell.at) hash = combine(hash, static_cast<std::uint64_t>(at >> 1));
  return hash;
}

bool holds_points(const geometry::Box& box)
{
  return (box.low.array() <= box.high.array()).all();
}

Levels::Levels(const Comm& comm, std::span<const geometry::Box> mine)
{
  for (const geometry::Box& b : mine) {
    if (!holds_points(b)) continue;
    const auto bit = static_cast<std::size_t>(level_of(b) - lowest_level);
    occur_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  blocking::all_reduce(occur_.data(), words, MPI_UINT64_T, MPI_BOR, comm.mpi());
}

int Levels::next(int level) const
{
  if (level > highest_level) return level;
  const auto bit = static_cast<std::size_t>(level - lowest_level);
  for (std::size_t word = bit / 64; word < words; ++word) {
    const std::uint64_t from = word == bit / 64 ? occur_[word] >> bit % 64 << bit % 64 : occur_[word];
    if (from != 0) return lowest_level + static_cast<int>(64 * word) + std::countr_zero(from);
  }
  return highest_level + 1;
}

}  // namespace sunder::contact
