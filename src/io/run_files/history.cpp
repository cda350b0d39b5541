#include "io/run_files/history.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/whole_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace sunder::io {
namespace {

struct KeptRows {
  std::string text;
  std::optional<std::int64_t> last_step;
};

void expect_columns(const std::filesystem::path& path, std::string_view header, const std::string& text)
{
  if (const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
      !text.empty() && first != header)
    throw Error(
        fmt::format("{}:1: expected the columns that this scene asks for ({}), got others ({}); a run that goes "
                    "on in its folder keeps its columns",
                    path.string(), header, first));
}

std::string text_of(const std::filesystem::path& path)
{
  return read_if_there(path, "the history of the run that goes on").value_or("");
}

KeptRows rows_up_to(const std::string& text, std::int64_t resume_step)
{
  KeptRows kept;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line(text.data() + begin, end - begin);
    std::int64_t step = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), step).ec != std::errc()) continue;  // the header
    if (step > resume_step) break;
    kept.text.append(line).push_back('\n');
    kept.last_step = step;
  }
  return kept;
}

}  // namespace

History::History(const std::filesystem::path& path, std::string_view header, std::optional<std::int64_t> resume_step)
  : path_(path)
{
  KeptRows kept;
  if (resume_step) {
    const std::string text = text_of(path);
    expect_columns(path, header, text);
    kept = rows_up_to(text, *resume_step);
  }
  last_step_ = kept.last_step;
  write_atomically(path, fmt::format("{}\n{}", header, kept.text));
  file_.open(path, std::ios::app | std::ios::binary);
}

void History::append(std::int64_t step, std::string_view row)
{
  if (last_step_ && step <= *last_step_) return;
  file_ << row << '\n' << std::flush;
  if (!file_ || fault_point(FaultKind::file, "history.csv: append"))
    throw Error(fmt::format("{}: cannot append the line of step {}; is the disk full?", path_.string(), step),
                ExitStatus::simulation_failed);
  last_step_ = step;
}

void check_columns(const std::filesystem::path& path, std::string_view header)
{
  expect_columns(path, header, text_of(path));
}

void keep_rows_until(const std::filesystem::path& path, std::int64_t step)
{
  const std::string text = text_of(path);
  const std::string_view header = std::string_view(text).substr(0, text.find('\n'));
  if (header.starts_with("step,time"))
    write_atomically(path, fmt::format("{}\n{}", header, rows_up_to(text, step).text));
}

std::string table_header(const std::vector<std::string>& columns)
{
  std::string header = "step,time";
  for (const std::string& column : columns) header += ',' + csv_text(column);
  return header;
}

std::string table_row(std::int64_t step, double time, const std::vector<double>& numbers)
{
  std::string row = fmt::format("{},{}", step, time);
  for (const double x : numbers) row += fmt::format(",{}", x);
  return row;
}

std::string csv_text(const std::string& text)
{
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace sunder::io
