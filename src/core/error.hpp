#pragma once
/// Three kinds of failure, three tools: bad input and bad physics throw Error; a bug of ours trips
/// SUNDER_ASSERT; a failing MPI call aborts with its name (core/comm.hpp). docs/errors.md.

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sunder {

/// Exit status of the program, as scripts rely on it.
enum class ExitStatus : int { done = 0, bad_input = 2, simulation_failed = 3, stopped_on_request = 75 };

/// An error that the user can act on. Its message says where, what was expected and what was found. If one rank throws
/// it and does not catch it, the whole job ends at once, with this message and status (core/mpi_session.hpp).
class Error : public std::runtime_error {
public:
  explicit Error(const std::string& message, ExitStatus status = ExitStatus::bad_input)
    : std::runtime_error(message), status_(status)
  {
  }
  ExitStatus status() const noexcept { return status_; }

private:
  ExitStatus status_;
};

/// An error that every rank throws at the same place, so that no rank waits for another. throw_on_all(), on_rank_0()
/// and on_every_rank() (core/comm.hpp) throw it; so does code that judges values that are the same on every rank, such
/// as a reduction's result. Only this error may be caught where collective calls follow.
class AgreedError : public Error {
public:
  using Error::Error;
};

/// A problem that this rank has found. If several ranks have one, the message is that of the smallest key.
struct Failure {
  static constexpr std::uint64_t of_no_node = std::numeric_limits<std::int64_t>::max() - 1;

  // Implicit: a text alone is a problem that concerns no node.
  Failure(std::string its_text, std::uint64_t its_key = of_no_node) : text(std::move(its_text)), key(its_key) {}

  std::string text;   ///< Must not depend on the rank or on the number of ranks.
  std::uint64_t key;  ///< Id of the node or element that it is about, below 2^63.
};

/// Local. Keeps in `first` the one with the smaller key.
void note(std::optional<Failure>& first, Failure problem);

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace sunder

#ifdef NDEBUG
#define SUNDER_ASSERT(expression) static_cast<void>(0)
#else
#define SUNDER_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::sunder::assertion_failed(#expression, __FILE__, __LINE__))
#endif
