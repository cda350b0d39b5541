#pragma once
/// Four boxes that another one is tested against at a time. Local, pure.

#include "core/four.hpp"
#include "geometry/box.hpp"

namespace sunder::geometry {

/// The leaves of a BoxTree. Most of the boxes in a leaf do not meet a given one, but along which axis they are apart
/// cannot be foreseen. Tests without branches therefore take less time, here four at once.
class FourBoxes {
public:
  /// None: they meet nothing.
  FourBoxes()
  {
    for (int k = 0; k < 4; ++k) set(k, Box{});
  }

  void set(int k, const Box& box)
  {
    for (int i = 0; i < 3; ++i) low_[i][k] = box.low[i], high_[i][k] = box.high[i];
  }
  Box box(int k) const { return {{low_[0][k], low_[1][k], low_[2][k]}, {high_[0][k], high_[1][k], high_[2][k]}}; }
  /// Bit k: does box k meet b? As Box::meets().
  unsigned meeting(const Box& b) const
  {
    Mask meet = (low_[0] <= b.high[0]) & (high_[0] >= b.low[0]);
    for (int i = 1; i < 3; ++i) meet &= (low_[i] <= b.high[i]) & (high_[i] >= b.low[i]);
    meet &= Mask{1, 2, 4, 8};
    return static_cast<unsigned>((meet[0] | meet[1]) | (meet[2] | meet[3]));
  }

private:
  using Mask [[gnu::vector_size(32)]] = long long;

  Four low_[3], high_[3];
};

}  // namespace sunder::geometry
