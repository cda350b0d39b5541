#pragma once
/// Signals that ask a run to stop: SIGTERM and SIGUSR1 of a batch system, SIGINT of a person. Local.

namespace sunder::simulation {

/// While it lives, the first such signal is remembered and a second SIGINT ends the program at once.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested() noexcept;
};

}  // namespace sunder::simulation
