#pragma once
/// history.csv: one line an output step, for plots and for watching a run.

#include "io/frame.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace sunder::io {

/// Local. First line of history.csv, without the line end.
std::string history_header();
/// Local. The row as a line without the line end; numbers with the fewest digits that read back to the same bits.
std::string history_line(const HistoryRow& row);

/// The file, held open. One rank has it. Local, all of it; every line is on its way to the disk when append() returns.
class History {
public:
  /// Begins the file anew; or, given the step of the checkpoint a run goes on from, keeps the rows up to that step
  /// (later rows belong to a run that was cut off, a half line to its last moment).
  explicit History(const std::filesystem::path& path, std::optional<std::int64_t> resume_step = {});

  /// A step not later than the last row is skipped: a run that goes on meets its last row again.
  void append(const HistoryRow& row);

private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::optional<std::int64_t> last_step_;
};

}  // namespace sunder::io
