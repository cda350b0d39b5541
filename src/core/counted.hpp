#pragma once
/// Numbers of things in messages.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sunder {

/// Local. "1 rank", "2 ranks": of a noun whose plural ends in s.
inline std::string counted(std::int64_t count, std::string_view noun)
{
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace sunder
