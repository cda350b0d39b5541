#include "simulation/run/watchdog.hpp"

#include "core/activity.hpp"
#include "core/error.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>

using namespace sunder;

namespace {

constexpr double patience = 1;  // [s]; a busy machine may be late by some of it

void sleep_for(double seconds)
{
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Exit status of a process that does this under a watchdog; 0 if it comes to its end.
int status_of(const std::function<void(simulation::Watchdog&)>& action)
{
  const pid_t child = ::fork();
  if (child == 0) {
    simulation::Watchdog watchdog(0, patience);
    action(watchdog);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr int given_up = static_cast<int>(ExitStatus::simulation_failed);

}  // namespace

TEST_CASE("a rank that ends no step is given up", "[simulation][watchdog]")
{
  CHECK(status_of([](auto& watchdog) {
          for (int k = 0; k < 8; ++k) watchdog.heard(k), sleep_for(patience / 3);
        }) == 0);
  CHECK(status_of([](auto&) { sleep_for(5 * patience); }) == given_up);
}

TEST_CASE("finished units of long work are signs of life, and only there", "[simulation][watchdog]")
{
  const auto units = [](auto&) {
    for (int k = 0; k < 8; ++k) LongWork::advanced(), sleep_for(patience / 3);
  };
  CHECK(status_of([&](auto& watchdog) {
          const LongWork work("a checkpoint");
          units(watchdog);
        }) == 0);
  CHECK(status_of(units) == given_up);  // a step that exchanges for ever and does not end
}

TEST_CASE("long work that gets on no more is given up", "[simulation][watchdog]")
{
  CHECK(status_of([](auto&) {
          const LongWork work("a checkpoint");
          sleep_for(5 * patience);
        }) == given_up);
}

TEST_CASE("a rank that waits for others in long work speaks after the one that hangs", "[simulation][watchdog]")
{
  const auto wait = [](double seconds) {
    return [seconds](auto&) {
      const LongWork work("output");
      const WaitingForOthers waiting;
      sleep_for(seconds);
    };
  };
  CHECK(status_of(wait(2 * patience)) == 0);
  CHECK(status_of(wait(8 * patience)) == given_up);
}
