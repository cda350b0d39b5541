#include "simulation/run/schedule.hpp"

#include "core/error.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sunder;
using simulation::Schedule;

TEST_CASE("a schedule that goes on is where it was, however far that is", "[schedule]")
{
  const double interval = 0.1, end = 1e9;
  for (const std::int64_t k : {0, 1, 3, 7, 1000003, 1999999999}) {
    const double time = static_cast<double>(k) * interval;
    for (const double at : {time, time + 0.3 * interval}) {
      Schedule schedule(interval, end);
      schedule.go_on_from(at);  // in no time: it does not count
      CAPTURE(k, at);
      CHECK(schedule.next() == (at == time ? time : static_cast<double>(k + 1) * interval));
    }
  }
  Schedule over(interval, 1);
  over.go_on_from(5);
  CHECK(over.next() == 1);
}

TEST_CASE("after an impact the first step in each interval is due, also of a run that goes on", "[schedule]")
{
  constexpr double impact = 4, interval = 10, end = 1000, dt = 3;
  const Schedule schedule = Schedule::after_impact(impact, interval, end);
  CHECK(schedule.next() == end);  // no step is made to end at one
  for (const double time : {0.0, 1.0, 4.0}) CHECK(schedule.due(time, time));
  std::vector<double> due;
  for (double time = impact + dt; time < 50; time += dt)
    if (schedule.due(time, dt)) due.push_back(time);
  CHECK(due == std::vector<double>{10, 22, 31, 40});
  CHECK(schedule.due(75, 25));  // longer steps than intervals
}

TEST_CASE("intervals far below the step are named with it", "[schedule]")
{
  constexpr double step = 1e-4;
  config::Scene scene;
  scene.time.end = 1;
  const auto check = [&](double end) { simulation::check_intervals(scene, end, step); };
  CHECK_NOTHROW(check(1));
  CHECK_NOTHROW(check(step / 50));
  CHECK_THROWS_WITH(check(1e-322), Catch::StartsWith("--until: expected at least 1e-06 s, a hundredth of the step"));
  scene.time.end = 1e-322;
  CHECK_THROWS_WITH(check(1e-322), Catch::StartsWith("time.end: ") && Catch::Contains("0.0001 s"));
  scene.time.end = 1;
  struct {
    const char* key;
    double* value;
  } const intervals[] = {{"output.history_interval", &scene.output.history_interval},
                         {"output.frame_interval", &scene.output.frame_interval},
                         {"checkpoint.interval", &scene.checkpoint.interval}};
  for (const auto& [key, value] : intervals) {
    *value = step / 50;
    CHECK_NOTHROW(check(1));
    *value = step / 100;
    CHECK_NOTHROW(simulation::check_intervals(scene, 1, (1 + 1e-9) * step));  // as a static solver has it
    *value = 1e-15;
    CHECK_THROWS_WITH(check(1), Catch::StartsWith(key) && Catch::Contains("1e-15") && Catch::Contains("0.0001 s"));
    *value = 0;
  }
  scene.output.frame_interval = 1e-15, scene.output.frames = false;
  CHECK_NOTHROW(check(1));
}
