#include "simulation/watchdog.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

namespace sunder::simulation {

Watchdog::Watchdog(Rank me, double patience) : me_(me), patience_(patience)
{
  if (patience > 0) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Watchdog::watch(const std::stop_token& stop)
{
  // Rank 0 speaks for all, unless it is the one that hangs.
  const double seconds = me_ == 0 ? patience_ : 1.2 * patience_;
  constexpr int looks = 10;  // not the clock: it goes on while a batch system has the whole job suspended
  std::unique_lock lock(mutex_);
  std::uint64_t before = 0;
  for (int silent = 0; silent <= looks;) {
    wake_.wait_for(lock, stop, std::chrono::duration<double>(seconds / looks), [] { return false; });
    if (stop.stop_requested()) return;
    silent = heard_ == before ? silent + 1 : 0;
    before = heard_;
  }
  fmt::print(stderr,
             "error: rank {}: no step has ended for {:.4g} s, the last was step {}: a rank hangs, or steps take longer "
             "than checkpoint.patience. The run is given up; it can go on with --restart latest\n",
             me_, seconds, step_.load());
  std::fflush(stderr);
  ::_exit(static_cast<int>(ExitStatus::simulation_failed));
}

}  // namespace sunder::simulation
