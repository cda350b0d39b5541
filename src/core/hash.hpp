#pragma once
/// 64-bit mixing for ids by ancestry and for the state hash. Local, pure.

#include "core/types.hpp"

#include <bit>
#include <cstdint>

namespace sunder {

/// Bijective 64-bit finaliser (Stafford's variant 13 of the MurmurHash3 finaliser).
constexpr std::uint64_t mix(std::uint64_t x)
{
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27, x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Order matters: combine(combine(0, a), b) differs from combine(combine(0, b), a).
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value)
{
  return mix(seed + 0x9e3779b97f4a7c15ull + mix(value + 0x632be59bd9b4e019ull));
}

/// Of so many ranks the one where what several of them know of a key comes together.
constexpr Rank home_rank(std::uint64_t key, Rank ranks)
{
  return static_cast<Rank>(mix(key) % static_cast<std::uint64_t>(ranks));
}

inline std::uint64_t combine(std::uint64_t seed, double value)
{
  return combine(seed, std::bit_cast<std::uint64_t>(value));
}

/// The id of a node or element that the run makes, from the ids of its parents. Bit 62 of the low word is set, so it
/// never equals an id of the input mesh, which count from 0. Bit 63 is clear, because files hold low words as signed
/// integers. The high word is a second hash, of all bits of the parents.
constexpr std::uint64_t made_bit = 1ull << 62;
constexpr GlobalId made_id(const GlobalId& a, const GlobalId& b)
{
  const std::uint64_t low = made_bit | (combine(combine(0, a.low), b.low) & (made_bit - 1));
  std::uint64_t high = 0x5c1f0e8d7a3b4629ull;
  for (const std::uint64_t word : {a.low, a.high, b.low, b.high}) high = combine(high, word);
  return {low, high};
}
constexpr bool is_made(const GlobalId& id)
{
  return (id.low & made_bit) != 0;
}

}  // namespace sunder
