#pragma once
/// A Gmsh file, read one token or one binary value after the other. Local.

#include "core/error.hpp"
#include "io/files/file_window.hpp"
#include "io/files/number_at.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace sunder::io {

/// Knows where it is, so that every error says file, section, and line (text) or byte (binary).
class GmshSource {
public:
  explicit GmshSource(const std::string& path) : file_(path, "a mesh file") {}

  bool binary = false, swap_bytes = false;
  std::string section;

  bool at_end()
  {
    skip_space();
    return at_ == file_.size();
  }
  std::uint64_t position() const { return at_; }
  const std::string& path() const { return file_.path(); }

  /// The next word, text or binary file alike (section marks are always text).
  std::string_view word()
  {
    skip_space();
    const std::string_view found = until([](char c) { return is_space(c); });
    if (found.empty()) fail("more data", "the end of the file");
    return found;
  }

  /// The rest of the line, without its end. Both stay until the next reading.
  std::string_view line()
  {
    const std::string_view found = until([](char c) { return c == '\n'; });
    if (at_ < file_.size()) ++at_;
    return found;
  }

  template <class T>
  T text_number(const char* what)
  {
    const std::string_view w = word();
    T value{};
    const auto [end, code] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (code != std::errc() || end != w.data() + w.size()) fail(what, fmt::format("'{}'", w.substr(0, 40)));
    return value;
  }

  template <class T>
  T binary_number()
  {
    const std::string_view raw = file_.view(at_, sizeof(T));
    if (raw.size() < sizeof(T)) fail("more data", "the end of the file");
    at_ += sizeof(T);
    return number_at<T>(raw.data(), swap_bytes);
  }

  /// A number stored as Stored in a binary file.
  template <class T, class Stored = T>
  T number(const char* what)
  {
    return binary ? static_cast<T>(binary_number<Stored>()) : text_number<T>(what);
  }

  /// A count of things that take at least `bytes_each` bytes: one the file has no room for is refused before it is
  /// believed.
  std::size_t count(std::int64_t n, std::size_t bytes_each, const char* what)
  {
    const std::uint64_t room = (file_.size() - at_) / bytes_each;
    if (n < 0 || static_cast<std::uint64_t>(n) > room)
      fail(fmt::format("a number of {} the file has room for (at most {})", what, room), fmt::format("{}", n));
    return static_cast<std::size_t>(n);
  }

  /// A binary section begins right after the line end of what came before.
  void skip_line_end()
  {
    for (const char c : {'\r', '\n'})
      if (file_.view(at_, 1) == std::string_view(&c, 1)) ++at_;
  }

  void expect(std::string_view mark)
  {
    const std::string_view w = word();
    if (w != mark) fail(fmt::format("{}", mark), fmt::format("'{}'", w.substr(0, 40)));
  }

  /// Forward to just behind a mark, for sections that say nothing here.
  void skip_past(std::string_view mark)
  {
    const std::size_t length = step + mark.size();
    for (std::uint64_t from = at_; from < file_.size(); from += step) {
      const std::string_view bytes = file_.view(from, length);
      if (const std::size_t found = bytes.find(mark); found != std::string_view::npos)
        return void(at_ = from + found + mark.size());
    }
    fail(fmt::format("{}", mark), "the end of the file");
  }

  /// Over things that take so many bytes each; count() has said that there is room for them.
  void skip(std::uint64_t things, std::uint64_t bytes_each) { at_ += things * bytes_each; }

  [[noreturn]] void fail(const std::string& expected, const std::string& got)
  {
    const std::string where = binary ? fmt::format("byte {}", at_) : fmt::format("line {}", 1 + lines_before(at_));
    throw Error(fmt::format("{}: {}{}: expected {}, got {}", path(), section.empty() ? "" : "$" + section + ", ", where,
                            expected, got));
  }

private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void skip_space()
  {
    while (at_ < file_.size() && is_space(file_.view(at_, 1)[0])) ++at_;
  }
  /// From here to the first such character, or the end of the file; as much of it as a text may have at once.
  template <class Is>
  std::string_view until(Is&& is)
  {
    for (std::size_t length = 64;; length *= 2) {
      const std::string_view bytes = file_.view(at_, length);
      const auto end = std::find_if(bytes.begin(), bytes.end(), is);
      if (end == bytes.end() && bytes.size() == length && length < longest) continue;
      const auto found = bytes.substr(0, static_cast<std::size_t>(end - bytes.begin()));
      at_ += found.size();
      return found;
    }
  }
  std::int64_t lines_before(std::uint64_t end)
  {
    std::int64_t lines = 0;
    for (std::uint64_t from = 0; from < end; from += step) {
      const auto bytes = file_.view(from, static_cast<std::size_t>(std::min<std::uint64_t>(step, end - from)));
      lines += std::count(bytes.begin(), bytes.end(), '\n');
    }
    return lines;
  }

  static constexpr std::size_t step = 1 << 16, longest = 1 << 20;
  FileWindow file_;
  std::uint64_t at_ = 0;
};

}  // namespace sunder::io
