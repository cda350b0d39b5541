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

/// An error the user can act on: one message that says where, what was expected and what was found. Thrown on one rank
/// and not caught, it ends the whole job at once, with this message and status (core/mpi_session.hpp).
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

/// An error that every rank of the job throws alike, so that none waits for another: made by throw_on_all(),
/// on_rank_0() and on_every_rank() (core/comm.hpp), or where all judge the same values, such as a reduction's result.
/// Only such an error may be caught where the next thing to do is done together.
class AgreedError : public Error {
public:
  using Error::Error;
};

/// What keeps this rank from going on. Where several ranks have one, all tell that of the smallest key.
struct Failure {
  static constexpr std::uint64_t of_no_node = std::numeric_limits<std::int64_t>::max() - 1;

  // Implicit: a text is a problem of no node.
  Failure(std::string its_text, std::uint64_t its_key = of_no_node) : text(std::move(its_text)), key(its_key) {}

  std::string text;   ///< The same on whichever rank, and however many there are.
  std::uint64_t key;  ///< Id of the node or element that it is about, below 2^63.
};

/// Keeps the problem of the smaller key.
void note(std::optional<Failure>& first, Failure problem);

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace sunder

#ifdef NDEBUG
#define SUNDER_ASSERT(expression) static_cast<void>(0)
#else
#define SUNDER_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::sunder::assertion_failed(#expression, __FILE__, __LINE__))
#endif
