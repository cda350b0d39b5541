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

/// Of a matrix of four rows, and of four columns.
[[gnu::always_inline]] inline std::array<Four, 4> transposed(Four a, Four b, Four c, Four d)
{
  const Four ab02 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab13 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
             cd02 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(ab02, cd02, 0, 1, 4, 5), __builtin_shufflevector(ab13, cd13, 0, 1, 4, 5),
          __builtin_shufflevector(ab02, cd02, 2, 3, 6, 7), __builtin_shufflevector(ab13, cd13, 2, 3, 6, 7)};
}

/// Of two rows (x, y, z, w); w of the result is 0.
[[gnu::always_inline]] inline Four cross(Four a, Four b)
{
  const Four a_yzx = __builtin_shufflevector(a, a, 1, 2, 0, 3), b_yzx = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  const Four zxy = a * b_yzx - a_yzx * b;  // half as many shuffles as of both factors
  return __builtin_shufflevector(zxy, zxy, 1, 2, 0, 3);
}

}  // namespace sunder
