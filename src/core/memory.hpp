#pragma once
/// How much memory this process holds. Local.

#include <cstdint>

namespace sunder {

std::int64_t resident_bytes();       ///< Now.
std::int64_t peak_resident_bytes();  ///< At most, since the process began.

}  // namespace sunder
