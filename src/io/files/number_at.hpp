#pragma once
/// A number as it lies in a file.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace sunder::io {

/// Local. In this machine's byte order, or the other.
template <class T>
T number_at(const char* bytes, bool swapped)
{
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (swapped) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

}  // namespace sunder::io
