#pragma once
/// 64-bit mixing for ids by ancestry and for the state hash.

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

inline std::uint64_t combine(std::uint64_t seed, double value)
{
  return combine(seed, std::bit_cast<std::uint64_t>(value));
}

/// Id of something made during the run from the ids of its parents. Bit 62 marks it as made, so it
/// never meets an id of the input mesh (those count from 0); bit 63 stays clear, because files hold
/// ids as signed integers.
constexpr std::uint64_t made_bit = 1ull << 62;
constexpr std::uint64_t made_id(std::uint64_t parent_a, std::uint64_t parent_b)
{
  return made_bit | (combine(combine(0, parent_a), parent_b) & (made_bit - 1));
}

}  // namespace sunder
