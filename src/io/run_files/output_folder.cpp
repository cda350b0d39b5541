#include "io/run_files/output_folder.hpp"

#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/whole_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <functional>
#include <string_view>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array fixed_names{"scene.yaml",       "history.csv", "reactions.csv", "probes.csv", "sections.csv",
                                 "crack_fronts.csv", "cracks.csv",  "summary.json",  "log.txt"};

constexpr const char* list_of_frames = "a list of frames";  // NAME.pvd

/// A folder that is not there is empty. Throws Error for one that cannot be listed: a run would begin at zero for it.
void visit(const fs::path& folder, const std::function<void(const fs::path&, const std::string& name)>& each)
{
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    each(entry->path(), entry->path().filename().string());
  if (fault_point(FaultKind::file, "output folder: list")) error.assign(errno, std::generic_category());
  if (error && error != std::errc::no_such_file_or_directory)
    throw Error(fmt::format("{}: cannot list this folder: {}", folder.string(), error.message()));
}

std::string_view digits_of(std::string_view text)
{
  const std::size_t end = text.find_first_not_of("0123456789");
  return text.substr(0, end);
}

std::optional<std::int64_t> number(std::string_view digits)
{
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

/// Of step_000000000123.h5 and the given ending; nothing if it is no such name.
std::optional<std::int64_t> checkpoint_step(std::string_view name, std::string_view ending)
{
  constexpr std::string_view begin = "step_";
  if (!name.starts_with(begin) || !name.ends_with(ending) || name.size() <= begin.size() + ending.size()) return {};
  return number(name.substr(begin.size(), name.size() - begin.size() - ending.size()));
}

/// step_000000000123.h5.HOST-PID-DRAWN.part, and what MPI has put beside it: its name and more.
bool is_unfinished_checkpoint(const std::string& name)
{
  const std::size_t end = name.find(".h5.");
  return end != std::string::npos && checkpoint_step(name.substr(0, end), "") &&
         name.find(".part", end) != std::string::npos;
}

std::vector<CheckpointFile> checkpoint_files(const fs::path& folder, std::string_view ending)
{
  std::vector<CheckpointFile> found;
  visit(folder / "checkpoints", [&](const fs::path& path, const std::string& name) {
    if (const auto step = checkpoint_step(name, ending)) found.push_back({path, *step});
  });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.step > b.step; });
  return found;
}

/// Of NAME_000123.pvtu, NAME_000123_7.vtu, NAME_000123.vtp; nothing if the file is not of this series.
std::optional<std::int64_t> frame_of(const std::string& file, const std::string& series)
{
  std::string_view rest = file;
  if (!rest.starts_with(series + '_')) return {};
  rest.remove_prefix(series.size() + 1);
  const std::string_view frame = digits_of(rest);
  constexpr std::size_t fewest_digits = 6;
  if (frame.size() < fewest_digits) return {};
  rest.remove_prefix(frame.size());
  if (rest.starts_with('_')) {
    const std::string_view piece = digits_of(rest.substr(1));
    if (piece.empty()) return {};
    rest.remove_prefix(1 + piece.size());
  }
  for (const char* kind : {".pvtu", ".vtu", ".pvtp", ".vtp"})
    if (rest == kind) return number(frame);
  return {};
}

/// The series of a frame: this one, or one beside it such as NAME_obstacles. Nothing if the file is of neither.
std::optional<std::string> series_of(const std::string& file, const std::string& name)
{
  if (frame_of(file, name)) return name;
  if (!file.starts_with(name + '_')) return {};
  const std::size_t end = file.find_first_not_of("abcdefghijklmnopqrstuvwxyz", name.size() + 1);
  const std::string beside = file.substr(0, end);
  return frame_of(file, beside) ? std::optional(beside) : std::nullopt;
}

/// Is NAME.pvd the series of a run, or someone's own?
bool is_series(const fs::path& pvd)
{
  if (std::error_code none; !fs::is_regular_file(pvd, none)) return false;
  const std::string text = read_whole(pvd.string(), list_of_frames), prefix = "frames/" + pvd.stem().string() + '_';
  if (run_of_pvd(text)) return true;
  try {
    const auto entries = parse_pvd(text, pvd.string());
    const auto in_frames = [&](const SeriesEntry& e) { return e.file.starts_with(prefix); };
    return !entries.empty() && std::all_of(entries.begin(), entries.end(), in_frames);
  } catch (const Error&) {
    return false;
  }
}

bool is_history(const fs::path& path)
{
  std::ifstream file(path, std::ios::binary);
  std::string line;
  return std::getline(file, line) && line.starts_with("step,time,dt,");
}

void make_folder(const fs::path& folder)
{
  std::error_code error;
  fs::create_directories(folder, error);
  if (fault_point(FaultKind::file, "output folder: make")) error.assign(errno, std::generic_category());
  if (error) throw Error(fmt::format("{}: cannot make this output folder: {}", folder.string(), error.message()));
}

void add_frames(const fs::path& folder, FolderContents& found)
{
  visit(folder / "frames", [&](const fs::path& path, const std::string& name) {
    const auto mine = [&](const std::string& series) { return series_of(name, series).has_value(); };
    if (std::any_of(found.series.begin(), found.series.end(), mine)) found.files.push_back(path);
  });
}

}  // namespace

void prepare_output_folder(const Comm& comm, const fs::path& folder)
{
  on_rank_0(
      comm, [&] { make_folder(folder / "frames"); }, ExitStatus::simulation_failed);
}

MadeFolder::MadeFolder(const fs::path& folder)
{
  std::error_code unknown;
  for (fs::path path = folder; !path.empty() && !fs::exists(path, unknown); path = path.parent_path())
    made_.push_back(path);
  make_folder(folder);
}

MadeFolder::~MadeFolder()
{
  std::error_code not_empty;
  for (const fs::path& path : made_) fs::remove(path, not_empty);
}

std::vector<CheckpointFile> checkpoints_in(const fs::path& folder)
{
  return checkpoint_files(folder, ".h5");
}

std::vector<fs::path> damaged_checkpoints_in(const fs::path& folder)
{
  std::vector<fs::path> found;
  for (const CheckpointFile& file : checkpoint_files(folder, ".h5.damaged")) found.push_back(file.path);
  return found;
}

fs::path checkpoint_path(const fs::path& folder, std::int64_t step)
{
  return folder / "checkpoints" / fmt::format("step_{:012}.h5", step);
}

FolderContents contents_of(const fs::path& folder, const std::string& name)
{
  FolderContents found;
  found.identity = read_identity(folder);
  // Checkpoints first: once these are gone nothing can go on from them, whatever becomes of the rest.
  for (const CheckpointFile& file : checkpoints_in(folder)) found.files.push_back(file.path);
  for (const fs::path& path : damaged_checkpoints_in(folder)) found.files.push_back(path);
  std::vector<fs::path> fixed;
  for (const char* file : fixed_names)
    if (std::error_code none; fs::exists(fs::symlink_status(folder / file, none))) fixed.push_back(folder / file);
  visit(folder, [&](const fs::path& path, const std::string& file) {
    if (path.extension() != ".pvd") return;
    if (is_series(path))
      found.series.insert(path.stem().string()), found.files.push_back(path);
    else if (file == name + ".pvd")
      found.in_the_way.push_back(path);
  });
  if (found.identity) found.series.insert(found.identity->name);
  add_frames(folder, found);
  if (found.identity || found.used() || is_history(folder / "history.csv"))
    found.files.insert(found.files.end(), fixed.begin(), fixed.end());
  else
    found.in_the_way.insert(found.in_the_way.end(), fixed.begin(), fixed.end());
  if (found.identity) found.files.push_back(folder / "run.json");  // last: until then the rest is known to be a run's
  return found;
}

std::size_t count_frames(const std::vector<fs::path>& files)
{
  std::set<std::string> numbers;
  for (const fs::path& path : files)
    if (const std::string stem = path.stem().string(); path.extension() == ".pvtu")
      numbers.insert(stem.substr(stem.rfind('_') + 1));
  return numbers.size();
}

std::string description(const FolderContents& contents)
{
  const std::size_t frames = count_frames(contents.files);
  std::size_t checkpoints = 0;
  bool ended = false;
  for (const fs::path& path : contents.files) {
    checkpoints += path.parent_path().filename() == "checkpoints";
    ended = ended || path.filename() == "summary.json";
  }
  const std::string run = contents.identity ? fmt::format("run {} of {}, {}", contents.identity->run,
                                                          contents.identity->name, contents.identity->begun)
                                            : "a run of an earlier version";
  return fmt::format("{}: {}, {}, {}", run, counted(frames, "frame"), counted(checkpoints, "checkpoint"),
                     ended ? "ended" : "not ended");
}

void remove_files(const std::vector<fs::path>& files)
{
  for (const fs::path& path : files) {
    std::error_code error;
    if (fault_point(FaultKind::file, "output folder: remove a file"))
      error.assign(errno, std::generic_category());
    else
      fs::remove(path, error);
    if (error)
      throw Error(fmt::format("{}: cannot remove this file: {}", path.string(), error.message()),
                  ExitStatus::simulation_failed);
  }
}

void remove_unfinished(const fs::path& folder, const FolderContents& contents)
{
  std::set<std::string> names(fixed_names.begin(), fixed_names.end());
  names.insert("run.json"), names.insert("run.lock");
  for (const std::string& series : contents.series) names.insert(series + ".pvd");
  std::vector<fs::path> unfinished;
  visit(folder, [&](const fs::path& path, const std::string& name) {
    const auto is_aside = [&name](const std::string& file) { return name.starts_with(file + '.'); };
    if (path.extension() == ".part" && std::any_of(names.begin(), names.end(), is_aside)) unfinished.push_back(path);
  });
  visit(folder / "checkpoints", [&](const fs::path& path, const std::string& name) {
    if (is_unfinished_checkpoint(name)) unfinished.push_back(path);
  });
  remove_files(unfinished);
}

std::optional<std::string> run_of_series(const fs::path& folder, const std::string& name)
{
  const auto text = read_if_there(folder / (name + ".pvd"), list_of_frames);
  return text ? run_of_pvd(*text) : std::nullopt;
}

void expect_lists(const fs::path& folder, const std::string& name)
{
  std::set<std::string> found;
  visit(folder / "frames", [&](const fs::path&, const std::string& file) {
    if (const auto series = series_of(file, name); series && frame_of(file, *series) > 0) found.insert(*series);
  });
  for (const std::string& series : found) {
    std::error_code unknown;
    if (fs::exists(folder / (series + ".pvd"), unknown) || unknown) continue;
    throw Error(
        fmt::format("{}: expected {}.pvd beside it, which tells the times of these frames, found none: put it back, or "
                    "move the frames away",
                    (folder / "frames").string(), series));
  }
}

std::vector<SeriesEntry> keep_frames_until(const fs::path& folder, const std::string& name, const std::string& run,
                                           double time)
{
  const fs::path pvd = folder / (name + ".pvd");
  std::vector<SeriesEntry> entries;
  if (const auto text = read_if_there(pvd, list_of_frames)) {
    if (const auto other = run_of_pvd(*text); other && !run.empty() && *other != run)
      throw Error(fmt::format("{}: expected frames of run {}, found those of run {}", pvd.string(), run, *other));
    entries = parse_pvd(*text, pvd.string());
    std::erase_if(entries, [&](const SeriesEntry& e) { return e.time > time; });
    // Before any file goes that it lists: it opens at any moment.
    write_atomically(pvd, to_pvd(entries, run));
  }
  std::int64_t last = -1;
  for (const SeriesEntry& e : entries) last = std::max(last, frame_number(e.file));
  std::vector<fs::path> later;
  visit(folder / "frames", [&](const fs::path& path, const std::string& file) {
    if (const auto frame = frame_of(file, name); frame && *frame > last) later.push_back(path);
  });
  remove_files(later);
  return entries;
}

}  // namespace sunder::io
