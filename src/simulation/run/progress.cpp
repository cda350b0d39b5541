#include "simulation/run/progress.hpp"

#include "core/log.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sunder::simulation {
namespace {

std::string duration(double seconds)
{
  if (!std::isfinite(seconds)) return "?";
  const auto s = static_cast<std::int64_t>(std::lround(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

constexpr double seconds_between_bars = 0.2;

/// Of a log, after so long a run [s]: ten seconds, later a fiftieth of the run, so that a day's log stays short.
double seconds_between_lines(double elapsed)
{
  return std::max(10.0, elapsed / 50);
}

}  // namespace

double share_of(const Reached& end, const Reached& now)
{
  const double steps = static_cast<double>(now.step) / static_cast<double>(std::max<std::int64_t>(end.step, 1));
  return std::clamp(std::max(now.time / end.time, steps), 0.0, 1.0);
}

void Pace::update(double elapsed, double share)
{
  constexpr double late = 0.2;  // of the run so far
  const double taken = elapsed - elapsed_;
  if (taken <= 0) return;
  const double weight = elapsed_ == 0 ? 1 : taken / (taken + late * elapsed);
  of_late_ += weight * ((share - share_) / taken - of_late_);
  elapsed_ = elapsed, share_ = share;
}

double Pace::seconds_left() const
{
  return of_late_ > 0 ? (1 - share_) / of_late_ : INFINITY;
}

Progress::Progress(const Reached& begin, const Reached& end, bool quiet)
  : end_(end), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), pace_(share_of(end, begin)), begin_(MPI_Wtime())
{
  next_ = begin_ + (terminal_ ? seconds_between_bars : seconds_between_lines(0));
}

Progress::~Progress()
{
  if (bar_shown_) std::fputs("\n", stderr);
}

void Progress::update(double time, std::int64_t step, double dt, std::int64_t elements, std::int64_t events)
{
  const double now = MPI_Wtime();
  if (quiet_ || now < next_) return;
  next_ = now + (terminal_ ? seconds_between_bars : seconds_between_lines(now - begin_));
  const double share = share_of(end_, {time, step});
  pace_.update(now - begin_, share);
  const std::string left = duration(pace_.seconds_left());
  const std::string facts = fmt::format("t = {:.4g} of {:.4g} s, step {}, dt {:.2g} s, {} elements, {} events, {} left",
                                        time, end_.time, step, dt, elements, events, left);
  if (!terminal_) return log_info(facts);
  constexpr int width = 24;
  const int full = static_cast<int>(share * width);
  fmt::print(stderr, "\r[{:#<{}}{:<{}}] {:3.0f} %  {}\x1b[K", "", full, "", width - full, 100 * share, facts);
  std::fflush(stderr);
  bar_shown_ = true;
}

}  // namespace sunder::simulation
