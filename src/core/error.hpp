#pragma once
/// Three kinds of failure, three tools: bad input and bad physics throw Error; a bug of ours trips
/// SUNDER_ASSERT; a failing MPI call aborts with its name (core/comm.hpp).

#include <stdexcept>
#include <string>

namespace sunder {

/// Exit status of the program, as scripts rely on it.
enum class ExitStatus : int { done = 0, bad_input = 2, simulation_failed = 3, stopped_on_request = 75 };

/// An error the user can act on: one message that says where, what was expected and what was found.
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

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace sunder

#ifdef NDEBUG
#define SUNDER_ASSERT(expression) static_cast<void>(0)
#else
#define SUNDER_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::sunder::assertion_failed(#expression, __FILE__, __LINE__))
#endif
