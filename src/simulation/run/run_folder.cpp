#include "simulation/run/run_folder.hpp"

#include "config/differences.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/checkpoint/bodies_file.hpp"
#include "io/checkpoint/file_label.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/whole_file.hpp"
#include "simulation/run/restart.hpp"
#include "simulation/run/run_options.hpp"

#include <fmt/format.h>

namespace sunder::simulation {
namespace {

namespace fs = std::filesystem;

constexpr char path_end = '\0';  // which no path has

std::vector<fs::path> paths_from(const std::string& ended)
{
  std::vector<fs::path> paths;
  for (std::size_t begin = 0, end; (end = ended.find(path_end, begin)) != std::string::npos; begin = end + 1)
    paths.emplace_back(ended.substr(begin, end - begin));
  return paths;
}

/// The run of a checkpoint that was found to be whole.
std::string run_of(const fs::path& checkpoint)
{
  if (const auto label = io::label_of(checkpoint)) return label->run;
  throw Error(fmt::format("{}: expected the checkpoint that was read before, found none that can be read again",
                          checkpoint.string()));
}

}  // namespace

RunFolder::RunFolder(const Comm& comm, const config::Scene& scene, const RunOptions& options)
  : comm_(comm),
    path_(scene.output.directory),
    name_(scene.name),
    version_(options.version),
    completed_scene_(options.completed_scene)
{
  on_rank_0(comm, [&] {
    made_.emplace(path_);
    lock_.emplace(path_);
    contents_ = io::contents_of(path_, name_);
    if (options.restart == "latest" && options.overwrite)
      throw Error("--restart latest goes on with the run in the folder, --overwrite begins anew: expected one of them");
  });
  if (options.restart.empty())
    on_rank_0(comm, [&] { begin_anew(options.overwrite); });
  else if (options.restart == "latest")
    go_on_from_latest();
  else
    go_on_from(options.restart, options.overwrite);
  run_ = identity_.run;
  comm.broadcast(run_);
}

void RunFolder::begin_anew(bool overwrite)
{
  refuse_what_is_in_the_way();
  if (!overwrite) refuse_used();
  identity_ = io::new_run(name_, version_);
}

void RunFolder::refuse_what_is_in_the_way() const
{
  if (contents_.in_the_way.empty()) return;
  throw Error(
      fmt::format("{}: expected no file of this name, which a run writes, or that of a run; found one that no run "
                  "has left: choose another folder (-o), or move it away",
                  contents_.in_the_way.front().string()));
}

void RunFolder::refuse_used() const
{
  if (!contents_.used()) return;
  throw Error(fmt::format(
      "{}: expected a folder that no run has written into, found {}. To {}: --restart latest. To begin anew "
      "in its place, and lose it: --overwrite. Or choose another folder (-o)",
      path_.string(), description(contents_),
      io::checkpoints_in(path_).empty() ? "do that run, which left no checkpoint, again from its beginning"
                                        : "go on with that run"));
}

/// Checkpoints this program cannot read, these or frames of another run than the folder's, and frames of unknown times.
void RunFolder::refuse_others() const
{
  const std::string frames = io::run_of_series(path_, name_).value_or("");
  std::string run = contents_.identity ? contents_.identity->run : frames;
  if (!frames.empty() && frames != run)
    throw Error(
        fmt::format("{}/{}.pvd: expected frames of run {}, whose folder this is, found those of run {}: move them "
                    "away",
                    path_.string(), name_, run, frames));
  io::expect_lists(path_, name_);
  for (const io::CheckpointFile& file : io::checkpoints_in(path_)) {
    const auto label = io::label_of(file.path);
    if (!label) continue;  // damaged, which is found later
    if (!io::readable(*label)) throw Error(io::of_another_format(file.path, *label));
    if (label->run.empty()) continue;
    if (run.empty()) run = label->run;
    if (label->run != run)
      throw Error(
          fmt::format("{}: expected a checkpoint of run {}, whose folder this is, found one of run {}: move it away, "
                      "or give its run a folder of its own (--restart FILE -o FOLDER)",
                      file.path.string(), run, label->run));
  }
}

void RunFolder::go_on_from_latest()
{
  std::string names;
  on_rank_0(comm_, [&] {
    refuse_others();
    for (const io::CheckpointFile& file : io::checkpoints_in(path_)) names += file.path.string() + path_end;
  });
  comm_.broadcast(names);  // other ranks may see a shared folder later
  for (const fs::path& path : paths_from(names)) {
    const auto problem = io::damage(comm_, path, io::FileKind::checkpoint);
    if (!problem) {
      checkpoint_ = path;
      break;
    }
    log_warning(*problem + "; renamed, and passed over");
    std::error_code ignored;
    if (comm_.rank() == 0) fs::rename(path, path.string() + ".damaged", ignored);
  }
  on_rank_0(comm_, [&] {
    if (!checkpoint_) return begin_again();
    adopt(run_of(*checkpoint_));
  });
}

/// Killed before its first checkpoint, or never begun.
void RunFolder::begin_again()
{
  auto damaged = io::damaged_checkpoints_in(path_);
  for (const io::CheckpointFile& file : io::checkpoints_in(path_))
    damaged.push_back(file.path);  // could not be renamed
  if (!damaged.empty())
    throw Error(fmt::format(
        "{}: expected a whole checkpoint, found {} that {} damaged and none that is whole, such as {}. Put a "
        "whole one there (step_*.h5), or begin anew with --overwrite and without --restart",
        (path_ / "checkpoints").string(), damaged.size(), damaged.size() == 1 ? "is" : "are",
        damaged.front().filename().string()));
  refuse_what_is_in_the_way();
  const auto before =
      contents_.used() ? io::read_if_there(path_ / "scene.yaml", "a completed scene") : std::optional<std::string>();
  if (before)
    if (const auto different = config::first_difference(*before, completed_scene_, free_to_change()))
      throw Error(
          fmt::format("{}: expected the folder of this scene's run, found {}, of another scene: {}, and no "
                      "checkpoint. To begin anew in its place, and lose it: --overwrite without --restart. Or choose "
                      "another folder (-o)",
                      path_.string(), description(contents_), *different));
  identity_ = contents_.identity ? *contents_.identity : io::new_run(name_, version_);
  std::error_code unreadable;  // then nobody knows
  if (fs::exists(path_ / "summary.json", unreadable))
    log_warning(
        fmt::format("{}: the run there had ended, and left no checkpoint: it is done again from its beginning. With "
                    "checkpoint.interval or checkpoint.steps there is one to go on from",
                    path_.string()));
  else
    log_info(fmt::format("no checkpoint in {} yet: the run begins at its beginning", path_.string()));
}

void RunFolder::go_on_from(const fs::path& file, bool overwrite)
{
  on_rank_0(comm_, [&file] {
    if (std::error_code unknown; !file.has_parent_path() && !fs::exists(file, unknown))
      throw Error(
          fmt::format("--restart: expected latest, or the file of a checkpoint, found no file {}", file.string()));
  });
  throw_on_all(comm_, io::damage(comm_, file, io::FileKind::checkpoint));
  checkpoint_ = file;
  on_rank_0(comm_, [&] {
    const std::string run = run_of(file);
    if (is_own(file, run)) {
      if (overwrite)
        throw Error(
            fmt::format("{}: a checkpoint of the run in {}: --restart goes on with that run, --overwrite begins "
                        "anew: expected one of them",
                        file.string(), path_.string()));
      refuse_others();
      return adopt(run);
    }
    begin_anew(overwrite);
    identity_.parent = {run, 0};
  });
}

/// Is the checkpoint of the run whose folder this is?
bool RunFolder::is_own(const fs::path& file, const std::string& run) const
{
  std::error_code none;
  const bool inside =
      fs::equivalent(file.parent_path().empty() ? "." : file.parent_path(), path_ / "checkpoints", none);
  if (!contents_.identity || run.empty()) return inside;
  if (inside && run != contents_.identity->run) refuse_others();
  return run == contents_.identity->run;
}

/// The folder is that of the run of a checkpoint; an earlier version gave neither an identity.
void RunFolder::adopt(const std::string& run)
{
  keeps_ = true;
  if (contents_.identity) {
    identity_ = *contents_.identity;
    return;
  }
  identity_ = io::new_run(name_, version_);
  const auto frames = io::run_of_series(path_, name_);
  if (!run.empty() || frames) identity_.run = run.empty() ? *frames : run;
  log_warning(fmt::format("{} has no run.json: everything a run left there is taken for that of one run, {}",
                          path_.string(), identity_.run));
}

void RunFolder::begin(const RunState* from)
{
  on_rank_0(
      comm_,
      [&] {
        check_on_rank_0();
        io::remove_unfinished(path_, contents_);
        if (keeps_)
          drop_later(*from);
        else
          io::remove_files(contents_.files);
        if (from && identity_.parent) identity_.parent->step = from->steps;
        io::write_identity(path_, identity_);
        io::write_atomically(path_ / "scene.yaml", completed_scene_);
        log_to_file((path_ / "log.txt").string(), keeps_);
      },
      ExitStatus::simulation_failed);
  io::prepare_output_folder(comm_, path_);
}

void RunFolder::withdraw() const
{
  if (!lock_ || keeps_) return;
  std::error_code ignored;  // the error that ends the run is the one to be told of
  try {
    for (const fs::path& file : io::contents_of(path_, name_).files) fs::remove(file, ignored);
  } catch (const Error&) {
  }
  for (const char* folder : {"frames", "checkpoints"}) fs::remove(path_ / folder, ignored);
}

void RunFolder::drop_later(const RunState& from) const
{
  std::vector<fs::path> later;
  for (const io::CheckpointFile& file : io::checkpoints_in(path_))
    if (file.step > from.steps) later.push_back(file.path);
  later.push_back(path_ / "summary.json");
  io::remove_files(later);
  for (const std::string& series : contents_.series)
    if (const auto run = io::run_of_series(path_, series); !run || *run == identity_.run)
      io::keep_frames_until(path_, series, identity_.run, from.time);
}

void RunFolder::check() const
{
  on_rank_0(
      comm_, [this] { check_on_rank_0(); }, ExitStatus::simulation_failed);
}

}  // namespace sunder::simulation
