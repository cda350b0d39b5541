#pragma once
/// Files gone bad, for tests that nothing worse than an error comes of them.

#include "core/hash.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace sunder::test {

/// The text with the first `what`, which must be in it, replaced.
inline std::string replaced(std::string text, const std::string& what, const std::string& with)
{
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

/// The bytes with one to four changes: a byte replaced, a bit flipped, the rest cut off, a number put in, a few bytes
/// gone. The same for the same key.
inline std::string mutated(std::string bytes, std::uint64_t key)
{
  const auto draw = [key](std::uint64_t i, std::size_t below) { return combine(combine(9, key), i) % below; };
  const std::uint64_t changes = 1 + draw(0, 4);
  for (std::uint64_t c = 0; c < changes; ++c) {
    const std::size_t at = draw(10 * c + 1, bytes.size());
    switch (draw(10 * c + 2, 5)) {
      case 0:
        bytes[at] = static_cast<char>(draw(10 * c + 3, 256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw(10 * c + 3, 8)));
        break;
      case 2:
        bytes.resize(std::max<std::size_t>(1, at));
        break;
      case 3:
        bytes.insert(at, std::to_string(static_cast<std::int64_t>(combine(key, c)) >> draw(10 * c + 3, 60)));
        break;
      default:
        bytes.erase(at, 1 + draw(10 * c + 3, 8));
        break;
    }
    if (bytes.empty()) bytes = " ";
  }
  return bytes;
}

}  // namespace sunder::test
