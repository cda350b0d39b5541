#include "core/failed_allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace sunder {
namespace {

std::atomic<std::size_t> refused_bytes{0};
std::atomic<const char*> last_place{nullptr};

}  // namespace

void allocating_for(const char* place) noexcept
{
  last_place = place;
}

std::string failed_allocation()
{
  constexpr double MiB = 1 << 20;
  const double mebibytes = static_cast<double>(refused_bytes.load()) / MiB;
  const char* const place = last_place.load();
  const std::string amount = refused_bytes == 0 ? "what was asked for"
                             : mebibytes < 1024 ? fmt::format("{:.3g} MiB", mebibytes)
                                                : fmt::format("{:.3g} GiB", mebibytes / 1024);
  return place ? fmt::format("{} after \"{}\"", amount, place) : amount;
}

}  // namespace sunder

// Sanitizers have allocation functions of their own, which find what is freed by the wrong one.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace sunder {
namespace {

/// As the library's operator new, but for remembering how much was refused.
void* allocate(std::size_t bytes, std::size_t alignment)
{
  bytes = std::max<std::size_t>(bytes, 1);
  for (;;) {
    void* found = nullptr;
    if (alignment <= alignof(std::max_align_t))
      found = std::malloc(bytes);
    else if (::posix_memalign(&found, alignment, bytes) != 0)
      found = nullptr;
    if (found) return found;
    if (const std::new_handler handler = std::get_new_handler()) {
      handler();
      continue;
    }
    refused_bytes = bytes;
    throw std::bad_alloc();
  }
}

}  // namespace
}  // namespace sunder

void* operator new(std::size_t bytes)
{
  return sunder::allocate(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
  return sunder::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept
{
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept
{
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept
{
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept
{
  std::free(p);
}
#endif
