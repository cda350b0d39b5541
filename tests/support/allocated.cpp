// The functions of malloc's family, for every library of the process: glibc's own, and counted.

#include "support/allocated.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

std::atomic<std::size_t> bytes{0}, peak{0};

void* counted(void* block)
{
  const std::size_t now = bytes += malloc_usable_size(block);
  std::size_t before = peak;
  while (now > before && !peak.compare_exchange_weak(before, now)) {
  }
  return block;
}

}  // namespace

namespace sunder::test {

std::size_t allocated()
{
  return bytes;
}

std::size_t peak_allocated()
{
  return peak;
}

void forget_peak()
{
  peak = bytes.load();
}

}  // namespace sunder::test

extern "C" {

void* malloc(std::size_t size)
{
  return counted(__libc_malloc(size));
}

void* calloc(std::size_t count, std::size_t size)
{
  return counted(__libc_calloc(count, size));
}

void* realloc(void* block, std::size_t size)
{
  const std::size_t before = malloc_usable_size(block);
  void* const moved = __libc_realloc(block, size);
  if (moved || size == 0) bytes -= before;
  return counted(moved);
}

void* memalign(std::size_t alignment, std::size_t size)
{
  return counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size)
{
  return memalign(alignment, size);
}

int posix_memalign(void** to, std::size_t alignment, std::size_t size)
{
  void* const block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *to = block;
  return 0;
}

void free(void* block)
{
  bytes -= malloc_usable_size(block);
  __libc_free(block);
}
}
