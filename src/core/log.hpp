#pragma once
/// Messages to people: standard error on rank 0, and the run's log file once it is open. Local.

#include <string>

namespace sunder {

enum class LogLevel { debug, info, warning, error };  ///< debug: for the file alone.

/// Local. Only rank 0 (speak = true) prints; quiet keeps warnings and errors.
void set_up_log(bool speak, bool quiet);
/// Local. Adds a file that gets every message, those before this call too; called by rank 0 once the output folder is
/// this run's. Throws Error if it cannot be opened.
void log_to_file(const std::string& path, bool append);
/// Local. The last message of a rank that ends the job: printed by whichever rank it is.
void log_last(const std::string& message);
void log(LogLevel level, const std::string& message);
inline void log_debug(const std::string& message)
{
  log(LogLevel::debug, message);
}
inline void log_info(const std::string& message)
{
  log(LogLevel::info, message);
}
inline void log_warning(const std::string& message)
{
  log(LogLevel::warning, message);
}
inline void log_error(const std::string& message)
{
  log(LogLevel::error, message);
}

}  // namespace sunder
