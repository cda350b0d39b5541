#pragma once
/// Starts and ends MPI, and ends the job when one rank alone cannot go on. docs/errors.md.

#include "core/error.hpp"

#include <string>

namespace sunder {

/// Keeps MPI alive until everything that uses it is gone. main() makes one, before anything else.
///
/// While it lives, an exception that is not caught ends the whole job at once. The rank that threw it prints its
/// message, and the launcher returns its status (3 for anything but an Error). The stack of that rank is not unwound: a
/// destructor on it may be collective, and would wait for the other ranks for ever.
class MpiSession {
public:
  /// Collective on all ranks of the job.
  MpiSession(int& argc, char**& argv);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession();
};

/// Local. Prints the message and ends all ranks of the job.
[[noreturn]] void end_job(const std::string& message, ExitStatus status) noexcept;

}  // namespace sunder
