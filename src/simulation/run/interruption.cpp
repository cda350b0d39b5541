#include "simulation/run/interruption.hpp"

#include <unistd.h>

#include <array>
#include <csignal>

namespace sunder::simulation {
namespace {

volatile std::sig_atomic_t asked = 0;
constexpr std::array signals{SIGTERM, SIGUSR1, SIGINT};
std::array<struct sigaction, signals.size()> before;

extern "C" void remember(int signal)
{
  if (asked && signal == SIGINT) ::_exit(128 + SIGINT);
  asked = 1;
}

}  // namespace

Interruption::Interruption()
{
  asked = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &action, &before[k]);
}

Interruption::~Interruption()
{
  for (std::size_t k = 0; k < signals.size(); ++k) ::sigaction(signals[k], &before[k], nullptr);
}

bool Interruption::requested() noexcept
{
  return asked != 0;
}

}  // namespace sunder::simulation
