#include "io/files/atomic_file.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/host_name.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path)
{
  throw Error(fmt::format("{}: cannot {} the file: {}", path.string(), what, std::strerror(errno)),
              ExitStatus::simulation_failed);
}

class Descriptor {
public:
  Descriptor(const fs::path& path, int flags) : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666))
  {
    if (fd_ < 0 || fault_point(FaultKind::file, "small file: open")) fail("open", path);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor()
  {
    if (fd_ >= 0) ::close(fd_);
  }

  void write(std::string_view text)
  {
    while (!text.empty()) {
      const ::ssize_t n =
          fault_point(FaultKind::file, "small file: write") ? -1 : ::write(fd_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("write", path_);
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  void flush()
  {
    // Some file systems cannot flush (EINVAL): there the rename alone has to do.
    const bool flushed = !fault_point(FaultKind::file, "small file: flush") && ::fsync(fd_) == 0;
    if (!flushed && errno != EINVAL) fail("flush", path_);
  }

  void close()
  {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0 || fault_point(FaultKind::file, "small file: close")) fail("close", path_);
  }

private:
  fs::path path_;
  int fd_;
};

const char* kind_of(fs::file_type type)
{
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::block:
    case fs::file_type::character:
      return "a device";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "something else";
  }
}

}  // namespace

fs::path file_to_replace(const fs::path& path)
{
  constexpr int most_links = 40;  // as the system follows
  std::error_code none;
  fs::path file = path;
  for (int k = 0; k < most_links && fs::is_symlink(file, none); ++k)
    file = file.parent_path() / fs::read_symlink(file, none);
  const fs::file_type type = fs::symlink_status(file, none).type();
  if (type == fs::file_type::regular || type == fs::file_type::not_found) return file;
  const std::string target = file == path ? "" : fmt::format(", which it points to ({})", file.string());
  throw Error(
      fmt::format("{}: expected a regular file to replace, or none, found {}{}", path.string(), kind_of(type), target));
}

void check_can_replace(const fs::path& path)
{
  const fs::path file = file_to_replace(path);
  std::error_code none;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, none))
    throw Error(
        fmt::format("{}: expected a folder to write this file into, found none: {}", path.string(), folder.string()));
  if (::access(folder.c_str(), W_OK) != 0)
    throw Error(fmt::format("{}: cannot write into its folder: {}", path.string(), std::strerror(errno)));
}

fs::path aside_of_this_process(const fs::path& path)
{
  // Containers on one machine number their processes alike, and numbers come again.
  static const unsigned drawn = std::random_device()();
  return fmt::format("{}.{}-{}-{:08x}.part", path.string(), host_name(), ::getpid(), drawn);
}

void write_atomically(const fs::path& given, std::string_view text)
{
  const fs::path path = file_to_replace(given);
  std::error_code none;
  const bool is_new = !fs::exists(path, none);
  const fs::path aside = aside_of_this_process(path);  // others may be writing the same file
  try {
    Descriptor file(aside, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text);
    file.flush();
    file.close();
    if (fault_point(FaultKind::file, "small file: rename") || ::rename(aside.c_str(), path.c_str()) != 0)
      fail("rename", path);
  } catch (const Error&) {
    ::unlink(aside.c_str());
    throw;
  }
  if (!is_new) return;  // the name stands for the old text or the new one
  // The new name is an entry of the folder: without this it may be lost although the bytes are safe.
  Descriptor folder(path.has_parent_path() ? path.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
  folder.flush();
}

}  // namespace sunder::io
