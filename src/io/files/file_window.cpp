#include "io/files/file_window.hpp"

#include "core/fault_point.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sunder::io {
namespace {

constexpr std::size_t least_window = 1 << 18;  // [bytes]

}  // namespace

FileWindow::FileWindow(std::string path, const char* kind) : path_(std::move(path))
{
  struct stat found {};
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool lacks_it = file_ < 0 || fault_point(FaultKind::file, "file window: open");
  if (lacks_it || ::fstat(file_, &found) != 0 || !S_ISREG(found.st_mode)) {
    if (file_ >= 0) ::close(file_);
    throw Unreadable(fmt::format("{}: expected {}, cannot open it", path_, kind));
  }
  size_ = static_cast<std::uint64_t>(found.st_size);
}

FileWindow::FileWindow(FileWindow&& other) noexcept
  : path_(std::move(other.path_)),
    window_(std::exchange(other.window_, {})),
    size_(other.size_),
    begin_(other.begin_),
    file_(std::exchange(other.file_, -1))
{
}

FileWindow::~FileWindow()
{
  if (file_ >= 0) ::close(file_);
}

void FileWindow::move_to(std::uint64_t at, std::size_t count)
{
  begin_ = at;
  window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(std::max(count, least_window), size_ - begin_)));
  for (std::size_t read = 0; read < window_.size();) {
    const bool failed = fault_point(FaultKind::file, "file window: read");
    const ssize_t n =
        failed ? -1 : ::pread(file_, window_.data() + read, window_.size() - read, static_cast<off_t>(begin_ + read));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw Unreadable(fmt::format("{}: cannot be read to its end", path_));
    read += static_cast<std::size_t>(n);
  }
}

}  // namespace sunder::io
