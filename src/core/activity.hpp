#pragma once
/// What this rank is about, for the thread that watches over it (simulation/run/watchdog.hpp). Local: written by the
/// thread that works, read by any.

#include <atomic>
#include <cstdint>

namespace sunder {

namespace activity {
inline std::atomic<const char*> phase{nullptr};
inline std::atomic<bool> waiting{false};
inline std::atomic<std::uint64_t> pieces{0};
}  // namespace activity

/// Work of a rank, or of all, that may take longer than a step: while it lives, pieces of it are signs of life too.
class LongWork {
public:
  /// name: what it is, for messages; must outlive it.
  explicit LongWork(const char* name) : before_(activity::phase.exchange(name, std::memory_order_relaxed)) {}
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;
  ~LongWork() { activity::phase.store(before_, std::memory_order_relaxed); }

  /// A piece of it is done: a chunk of a file, an exchange.
  static void advanced() noexcept { activity::pieces.fetch_add(1, std::memory_order_relaxed); }

private:
  const char* before_;
};

/// While it lives, this rank waits for others: if one hangs, it is not this one.
class WaitingForOthers {
public:
  WaitingForOthers() : before_(activity::waiting.exchange(true, std::memory_order_relaxed)) {}
  WaitingForOthers(const WaitingForOthers&) = delete;
  WaitingForOthers& operator=(const WaitingForOthers&) = delete;
  ~WaitingForOthers()
  {
    activity::waiting.store(before_, std::memory_order_relaxed);
    LongWork::advanced();
  }

private:
  bool before_;
};

}  // namespace sunder
