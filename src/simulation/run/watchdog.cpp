#include "simulation/run/watchdog.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace sunder::simulation {

Watchdog::Watchdog(Rank me, double patience) : me_(me), patience_(patience)
{
  if (patience > 0) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Watchdog::watch(const std::stop_token& stop)
{
  // Rank 0 speaks for all, unless it is the one that hangs.
  const double seconds = me_ == 0 ? patience_ : 1.2 * patience_;
  constexpr int checks = 10;  // not the clock: it goes on while a batch system has the whole job suspended
  constexpr int as_long_for_others = 3;
  std::unique_lock lock(mutex_);
  std::uint64_t before = 0;
  const char* work = nullptr;
  int silent = 0, bearable = checks;
  while (silent <= bearable) {
    wake_.wait_for(lock, stop, std::chrono::duration<double>(seconds / checks), [] { return false; });
    if (stop.stop_requested()) return;
    work = activity::phase;
    bearable = work && activity::waiting ? checks * as_long_for_others : checks;
    const std::uint64_t now = heard_ + (work ? activity::units.load() : 0);
    silent = now == before ? silent + 1 : 0;
    before = now;
  }
  const std::string doing = work ? fmt::format("{} gets on no more", work) : "no step has ended";
  fmt::print(stderr,
             "error: rank {}: {} for {:.4g} s, the last step was {}: a rank hangs, or what it does takes longer than "
             "checkpoint.patience. The run is given up; it can go on with --restart latest\n",
             me_, doing, seconds * bearable / checks, step_.load());
  std::fflush(stderr);
  ::_exit(static_cast<int>(ExitStatus::simulation_failed));
}

}  // namespace sunder::simulation
