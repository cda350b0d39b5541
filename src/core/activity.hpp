#pragma once
/// What this rank is doing, for the watchdog's thread (simulation/run/watchdog.hpp). Local: the main thread writes, any
/// thread reads.

#include <atomic>
#include <cstdint>

namespace sunder {

namespace activity {
inline std::atomic<const char*> phase{nullptr};
inline std::atomic<bool> waiting{false};
inline std::atomic<std::uint64_t> units{0};
}  // namespace activity

/// Marks work that may take longer than a step. While one lives, the watchdog takes finished units of the work as a
/// sign of life, as it takes steps.
class LongWork {
public:
  /// name: of the work, for messages; must outlive the object.
  explicit LongWork(const char* name) : before_(activity::phase.exchange(name, std::memory_order_relaxed)) {}
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;
  ~LongWork() { activity::phase.store(before_, std::memory_order_relaxed); }

  /// To be called when a unit is finished: a chunk of a file, an exchange.
  static void advanced() noexcept { activity::units.fetch_add(1, std::memory_order_relaxed); }

private:
  const char* before_;
};

/// While one lives, this rank waits for other ranks, so it is not the one that hangs.
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
