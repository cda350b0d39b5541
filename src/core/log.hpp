#pragma once
/// Messages to people: standard error on rank 0, and the run's log file once it is open. Local.

#include <string>

namespace sunder {

enum class LogLevel { debug, info, warning, error };  ///< debug: goes to the log file only.

/// Local. speak: this rank prints; true on rank 0 only. quiet: the terminal gets warnings and errors
/// only; log.txt gets all.
void set_up_log(bool speak, bool quiet);
/// Local. Adds a file for all messages, including those before this call. Rank 0 calls it once the output folder
/// belongs to this run. Throws Error if the file cannot be opened.
void log_to_file(const std::string& path, bool append);
/// Local. For the last message of a rank that ends the job. It is printed on any rank.
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
