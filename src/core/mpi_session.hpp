#pragma once
/// MPI from its beginning to its end, and the end of the job when one rank alone cannot go on. docs/errors.md.

#include "core/error.hpp"

#include <string>

namespace sunder {

/// Keeps MPI alive until everything that uses it is gone. One of them, in main(), before anything else.
///
/// While it lives, an exception that nobody catches ends the whole job at once: its message is printed by the rank that
/// threw it, and the launcher returns its status (3 for anything but an Error). The stack of that rank is left as it
/// is: what is on it may end in a call of all ranks, for which this one would wait.
class MpiSession {
public:
  /// Collective on all ranks of the job.
  MpiSession(int& argc, char**& argv);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession();
};

/// Local. Ends all ranks of the job, with this message.
[[noreturn]] void end_job(const std::string& message, ExitStatus status) noexcept;

}  // namespace sunder
