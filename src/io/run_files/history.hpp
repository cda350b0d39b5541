#pragma once
/// history.csv and the like: one line an output step, for plots and for watching a run. The caller decides what the
/// columns are.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::io {

/// The file, held open. One rank has it. Local, all of it; every line is on its way to the disk when append() returns.
class History {
public:
  /// Begins the file anew with the header (no line end); or, where a run goes on, keeps the rows up to the given step
  /// (later rows belong to a run that was cut off, a half line to its last moment). Throws
  /// Error (bad_input) if the rows that are there have other columns: they would not fit those that follow.
  History(const std::filesystem::path& path, std::string_view header, std::optional<std::int64_t> resume_step = {});

  /// Appends a row, without line end, whose first column is the step. A step not later than the last row is skipped: a
  /// run that goes on meets its last row again. Throws Error (simulation_failed) if the disk refuses.
  void append(std::int64_t step, std::string_view row);

private:
  std::filesystem::path path_;
  std::ofstream file_;
  std::optional<std::int64_t> last_step_;
};

/// Local. As the constructor of a run that goes on: throws Error if the file is there with other columns.
void check_columns(const std::filesystem::path& path, std::string_view header);

/// Local. Of a table that the run does not go on with: drops the rows of later steps. Does nothing if no table is
/// there.
void keep_rows_until(const std::filesystem::path& path, std::int64_t step);

/// Local. Header and row of a table of numbers, for each step its time and the columns. Numbers have the fewest digits
/// that read back to the same bits.
std::string table_header(const std::vector<std::string>& columns);
std::string table_row(std::int64_t step, double time, const std::vector<double>& numbers);

/// Local. A text as a field of such a file: in quotes if it has a comma or a quote.
std::string csv_text(const std::string& text);

}  // namespace sunder::io
