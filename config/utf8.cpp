#include "config/utf8.hpp"

#include <array>
#include <cstddef>

namespace sunder::config {

bool is_utf8(std::string_view text)
{
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  for (std::size_t k = 0; k < text.size();) {
    const unsigned lead = byte(k);
    const std::size_t more = lead < 0x80 ? 0 : lead >> 5 == 0b110 ? 1 : lead >> 4 == 0b1110 ? 2 : 3;
    if (more == 3 && lead >> 3 != 0b11110) return false;
    unsigned code = more == 0 ? lead : lead & (0x3fu >> more);
    for (std::size_t j = 1; j <= more; ++j) {
      if (byte(k + j) >> 6 != 0b10) return false;
      code = code << 6 | (byte(k + j) & 0x3fu);
    }
    constexpr std::array<unsigned, 4> least{0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    k += 1 + more;
  }
  return true;
}

}  // namespace sunder::config
