#include "io/history.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "io/atomic_file.hpp"
#include "io/whole_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace sunder::io {
namespace {

struct KeptRows {
  std::string text;
  std::optional<std::int64_t> last_step;
};

KeptRows rows_up_to(const std::filesystem::path& path, std::int64_t resume_step)
{
  KeptRows kept;
  const std::string text = read_if_there(path, "the history of the run that goes on").value_or("");
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

std::string history_header()
{
  return "step,time,dt,nodes,elements,fragments,events,"
         "kinetic,elastic,viscous,plastic,contact,external,remeshing,energy_error";
}

std::string history_line(const HistoryRow& row)
{
  const Energy& e = row.energy;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", row.step, row.time, row.dt, row.nodes,
                     row.elements, row.fragments, row.events, e.kinetic, e.elastic, e.viscous, e.plastic, e.contact,
                     e.external, e.remeshing, e.relative_error);
}

History::History(const std::filesystem::path& path, std::optional<std::int64_t> resume_step) : path_(path)
{
  const KeptRows kept = resume_step ? rows_up_to(path, *resume_step) : KeptRows{};
  last_step_ = kept.last_step;
  write_atomically(path, history_header() + '\n' + kept.text);
  file_.open(path, std::ios::app | std::ios::binary);
}

void History::append(const HistoryRow& row)
{
  if (last_step_ && row.step <= *last_step_) return;
  file_ << history_line(row) + '\n' << std::flush;
  if (!file_ || fault_point(FaultKind::file, "history.csv: append"))
    throw Error(fmt::format("{}: cannot append the line of step {}; is the disk full?", path_.string(), row.step),
                ExitStatus::simulation_failed);
  last_step_ = row.step;
}

}  // namespace sunder::io
