#pragma once
/// Where one rank hangs, all others wait for it: without this, in silence and until the job's time is up. Local.

#include "core/types.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace sunder::simulation {

/// While it lives, the program is ended with a message and status 3 once no step has been heard of for `patience`
/// seconds of the clock; 0: never. In long work (core/activity.hpp) its finished units count as steps do, and a rank
/// that waits there for others has three times the patience: the one that hangs is to speak first. The thread that
/// watches calls nothing of MPI: the launcher ends the other ranks.
class Watchdog {
public:
  Watchdog(Rank me, double patience);

  void heard(std::int64_t step) noexcept { step_.store(step, std::memory_order_relaxed), ++heard_; }

private:
  void watch(const std::stop_token& stop);

  Rank me_;
  double patience_;
  std::atomic<std::int64_t> step_{0};
  std::atomic<std::uint64_t> heard_{0};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses what is above
};

}  // namespace sunder::simulation
