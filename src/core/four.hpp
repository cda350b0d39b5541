#pragma once
/// Four numbers in one register. A vector that is set number by number is waited for when it is read whole: build it
/// from rows, shuffled. Every lane is rounded as a double of its own is.

#include "core/types.hpp"

#include <array>

namespace sunder {

using Four [[gnu::vector_size(32)]] = double;

[[gnu::always_inline]] inline const Four& four(const Row4& row)
{
  return reinterpret_cast<const Four&>(row);
}
[[gnu::always_inline]] inline Four& four(Row4& row)
{
  return reinterpret_cast<Four&>(row);
}

/// (x, y, z) of four rows; w is left out.
struct FourVectors {
  Four x, y, z;
};

[[gnu::always_inline]] inline FourVectors transposed(Four r0, Four r1, Four r2, Four r3)
{
  const Four xz01 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6), xz23 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6),
             yw01 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7), yw23 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
  return {__builtin_shufflevector(xz01, xz23, 0, 1, 4, 5), __builtin_shufflevector(yw01, yw23, 0, 1, 4, 5),
          __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7)};
}

/// The rows of four vectors; w is 0.
[[gnu::always_inline]] inline std::array<Four, 4> rows(const FourVectors& v)
{
  const Four xy02 = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6), xy13 = __builtin_shufflevector(v.x, v.y, 1, 5, 3, 7),
             zw02 = __builtin_shufflevector(v.z, Four{}, 0, 4, 2, 6),
             zw13 = __builtin_shufflevector(v.z, Four{}, 1, 5, 3, 7);
  return {__builtin_shufflevector(xy02, zw02, 0, 1, 4, 5), __builtin_shufflevector(xy13, zw13, 0, 1, 4, 5),
          __builtin_shufflevector(xy02, zw02, 2, 3, 6, 7), __builtin_shufflevector(xy13, zw13, 2, 3, 6, 7)};
}

/// Of two rows (x, y, z, w); w of the result is 0.
[[gnu::always_inline]] inline Four cross(Four a, Four b)
{
  const Four a_yzx = __builtin_shufflevector(a, a, 1, 2, 0, 3), b_yzx = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  const Four zxy = a * b_yzx - a_yzx * b;  // half as many shuffles as of both factors
  return __builtin_shufflevector(zxy, zxy, 1, 2, 0, 3);
}

}  // namespace sunder
