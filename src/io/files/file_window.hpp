#pragma once
/// A file of any size, looked at through a window: no more of it is in memory than what is being read. Local.

#include "core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace sunder::io {

/// The file system does not give the bytes; what they would say is another question.
class Unreadable : public Error {
public:
  using Error::Error;
};

class FileWindow {
public:
  /// Throws Unreadable "PATH: expected KIND, cannot open it".
  FileWindow(std::string path, const char* kind);
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;
  FileWindow(FileWindow&& other) noexcept;
  FileWindow& operator=(FileWindow&&) = delete;
  ~FileWindow();

  const std::string& path() const noexcept { return path_; }
  std::uint64_t size() const noexcept { return size_; }

  /// Bytes [at, at + count), fewer at the end of the file. They stay until the next call. Throws Unreadable
  /// if the file cannot be read.
  std::string_view view(std::uint64_t at, std::size_t count)
  {
    count = at < size_ ? static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - at)) : 0;
    if (count == 0) return {};
    if (at < begin_ || at + count > begin_ + window_.size()) move_to(at, count);
    return std::string_view(window_).substr(static_cast<std::size_t>(at - begin_), count);
  }

private:
  void move_to(std::uint64_t at, std::size_t count);

  std::string path_, window_;
  std::uint64_t size_ = 0, begin_ = 0;
  int file_ = -1;
};

}  // namespace sunder::io
