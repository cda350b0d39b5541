#include "io/run_files/folder_lock.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/host_name.hpp"
#include "io/files/atomic_file.hpp"
#include "io/run_files/run_identity.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds patience{2};  // with one that was killed and is not gone yet

/// Who holds a folder.
struct Holder {
  std::string host, boot;  // boot: which time the machine was started
  long pid = 0;
  std::string process, since;  // process: when it began, in the machine's own count: pids come again
  std::string job;             // of the batch system; empty: of none
  long restarts = 0;           // times it queued the job again
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Holder, host, boot, pid, process, since, job, restarts)

std::string first_line(const fs::path& path)
{
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// When the process began; empty if it has ended.
std::string beginning_of(long pid)
{
  const std::string line = first_line(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_ends = line.rfind(')');
  if (name_ends == std::string::npos) return {};
  std::istringstream fields(line.substr(name_ends + 1));
  std::string state, field;
  fields >> state;
  if (state == "Z" || state == "X") return {};
  constexpr int start_time = 22, after_state = 4;
  for (int k = after_state; k <= start_time; ++k) fields >> field;
  return field;
}

std::string environment(const char* name)
{
  const char* value = std::getenv(name);
  return value ? value : "";
}

Holder this_process()
{
  Holder me;
  me.host = host_name(), me.boot = first_line("/proc/sys/kernel/random/boot_id");
  me.pid = ::getpid(), me.process = beginning_of(me.pid), me.since = utc_now();
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"})
    if (me.job.empty()) me.job = environment(name);
  me.restarts = std::strtol(environment("SLURM_RESTART_COUNT").c_str(), nullptr, 10);
  return me;
}

std::optional<Holder> holder_in(int fd)
{
  std::array<char, 4096> text{};
  const ::ssize_t size = ::pread(fd, text.data(), text.size(), 0);
  if (size <= 0) return {};
  try {
    return nlohmann::json::parse(text.data(), text.data() + size).get<Holder>();
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

enum class Locked { by_me, by_another, not_at_all };

/// Of the file's bytes, by the file system. Not at all: it has no such locks.
Locked try_lock(int fd)
{
  struct flock whole {};
  whole.l_type = (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY ? F_RDLCK : F_WRLCK, whole.l_whence = SEEK_SET;
  if (::fcntl(fd, F_OFD_SETLK, &whole) == 0) return Locked::by_me;
  return errno == EAGAIN || errno == EACCES ? Locked::by_another : Locked::not_at_all;
}

enum class Life { alive, dead, unknown };

Life life_of(const Holder& holder, const Holder& me)
{
  if (holder.host == me.host) {
    if (holder.boot != me.boot) return Life::dead;
    const std::string began = beginning_of(holder.pid);
    return !began.empty() && began == holder.process ? Life::alive : Life::dead;
  }
  // A batch system queues a job again once its last try is over.
  return !me.job.empty() && holder.job == me.job && holder.restarts < me.restarts ? Life::dead : Life::unknown;
}

std::string description(const Holder& holder)
{
  return fmt::format("process {} on {}, since {}{}", holder.pid, holder.host, holder.since,
                     holder.job.empty() ? "" : ", job " + holder.job);
}

bool same_file(int fd, const fs::path& path)
{
  struct stat a {
  }, b{};
  return ::fstat(fd, &a) == 0 && ::stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Closes what it holds.
struct Descriptor {
  int fd;
  explicit Descriptor(int f) : fd(f) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor()
  {
    if (fd >= 0) ::close(fd);
  }
};

int open_lock(const fs::path& path)
{
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  return fd >= 0 || errno == ENOENT ? fd : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // another user's
}

[[noreturn]] void refuse(const fs::path& path, const std::optional<Holder>& holder, Life life)
{
  const std::string folder = path.parent_path().string();
  if (!holder)
    throw Error(
        fmt::format("{}: expected the lock of a run, found something else; if no run is writing into {}, remove it",
                    path.string(), folder));
  if (life == Life::unknown)
    throw Error(
        fmt::format("{}: a run holds this folder: {}, which cannot be looked for from here. If it is over (the "
                    "batch system does not list its job), remove {}; else wait, or choose another folder (-o)",
                    folder, description(*holder), path.string()));
  throw Error(
      fmt::format("{}: a run is writing into this folder: {}. Wait until it ends, or choose another folder (-o)",
                  folder, description(*holder)));
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : path_(folder / "run.lock")
{
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!place()) {
    const Descriptor found(open_lock(path_));
    if (found.fd < 0 && errno == ENOENT) continue;  // it has just been let go
    const auto holder = found.fd < 0 ? std::nullopt : holder_in(found.fd);
    const Locked locked = found.fd < 0 ? Locked::not_at_all : try_lock(found.fd);
    const Life life = locked == Locked::by_another ? Life::alive
                      : holder                     ? life_of(*holder, this_process())
                                                   : Life::unknown;
    if (holder && life == Life::dead && take_over(found.fd)) return;
    if ((holder && life == Life::unknown) || std::chrono::steady_clock::now() > end) refuse(path_, holder, life);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// Open, written and locked; it must not be there. -1 if it is.
int FolderLock::file_of_mine(const fs::path& path) const
{
  const std::string text =
      nlohmann::json(this_process()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) return -1;
  if (fd >= 0) try_lock(fd);
  const bool full = fd >= 0 && fault_point(FaultKind::file, "run.lock: write");
  if (fd >= 0 && !full && ::write(fd, text.data(), text.size()) == static_cast<::ssize_t>(text.size())) return fd;
  const int reason = errno;
  if (fd >= 0) ::close(fd), ::unlink(path.c_str());
  throw Error(fmt::format("{}: expected a folder that can be written to, found: {}", path_.parent_path().string(),
                          std::strerror(reason)));
}

/// Linked to its name: whole, and only if there is none of that name.
bool FolderLock::place()
{
  const fs::path aside = aside_of_this_process(path_);
  ::unlink(aside.c_str());
  const int fd = file_of_mine(aside);
  if (fd < 0) return false;
  const bool linked = !fault_point(FaultKind::file, "run.lock: link") && ::link(aside.c_str(), path_.c_str()) == 0;
  const int reason = errno;
  struct stat found {};
  // Over a network an answer may be lost: what counts is the number of names.
  const bool placed = linked || (::fstat(fd, &found) == 0 && found.st_nlink == 2);
  ::unlink(aside.c_str());
  if (placed) {
    fd_ = fd;
    return true;
  }
  ::close(fd);
  if (reason == EPERM || reason == EOPNOTSUPP || reason == ENOSYS)
    fd_ = file_of_mine(path_);  // it knows no links
  else if (reason != EEXIST && reason != ENOENT)
    throw Error(fmt::format("{}: cannot make the lock of the run: {}", path_.string(), std::strerror(reason)));
  return fd_ >= 0;
}

/// stale: the file of a dead holder, open, and locked if the file system can: of several who try, one succeeds.
bool FolderLock::take_over(int stale)
{
  if (!same_file(stale, path_)) return false;
  const fs::path aside = aside_of_this_process(path_);
  ::unlink(aside.c_str());
  const int fd = file_of_mine(aside);
  if (fd < 0) return false;
  if (::rename(aside.c_str(), path_.c_str()) != 0) {
    ::close(fd);
    return false;
  }
  fd_ = fd;
  return true;
}

bool FolderLock::is_mine() const
{
  return fd_ >= 0 && same_file(fd_, path_);
}

FolderLock::~FolderLock()
{
  if (is_mine()) ::unlink(path_.c_str());
  if (fd_ >= 0) ::close(fd_);
}

void FolderLock::check() const
{
  if (is_mine() && !fault_point(FaultKind::check, "run.lock: is it there")) return;
  std::error_code none;
  throw Error(
      fmt::format("{}: expected the lock of this run, found {}: the folder was removed, moved or taken while the "
                  "run wrote into it",
                  path_.string(), fs::exists(path_, none) ? "another's" : "none"),
      ExitStatus::simulation_failed);
}

std::optional<std::string> lock_holder(const fs::path& folder)
{
  const fs::path path = folder / "run.lock";
  const Descriptor found(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (found.fd < 0) return {};
  const auto holder = holder_in(found.fd);
  if (!holder) return "something that is no lock of a run: " + path.string();
  const bool locked = try_lock(found.fd) == Locked::by_another;
  const Life life = locked ? Life::alive : life_of(*holder, this_process());
  return description(*holder) + (life == Life::alive  ? ", which runs"
                                 : life == Life::dead ? ", which has ended without letting go: the next run takes over"
                                                      : ", which cannot be looked for from here");
}

}  // namespace sunder::io
