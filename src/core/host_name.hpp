#pragma once
/// The machine this rank runs on.

#include <unistd.h>

#include <array>
#include <string>

namespace sunder {

/// Local. "unknown-host" if the machine does not tell its name.
inline std::string host_name()
{
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown-host";
}

}  // namespace sunder
