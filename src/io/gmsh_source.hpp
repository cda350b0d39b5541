#pragma once
/// A Gmsh file in memory, read one token or one binary value after the other. Local.

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

namespace sunder::io {

/// Knows where it is, so that every error says file, section, and line (text) or byte (binary).
class GmshSource {
public:
  GmshSource(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {}

  bool binary = false, swap_bytes = false;
  std::string section;

  bool at_end()
  {
    skip_space();
    return at_ == bytes_.size();
  }

  /// The next word, text or binary file alike (section marks are always text).
  std::string_view word()
  {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && !is_space(bytes_[at_])) ++at_;
    if (begin == at_) fail("more data", "the end of the file");
    return std::string_view(bytes_).substr(begin, at_ - begin);
  }

  /// The rest of the line, without its end.
  std::string_view line()
  {
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
    const std::size_t end = at_;
    if (at_ < bytes_.size()) ++at_;
    return std::string_view(bytes_).substr(begin, end - begin);
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
    if (bytes_.size() - at_ < sizeof(T)) fail("more data", "the end of the file");
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data() + at_, sizeof(T));
    if (swap_bytes) std::reverse(raw.begin(), raw.end());
    at_ += sizeof(T);
    return std::bit_cast<T>(raw);
  }

  /// A number stored as Stored in a binary file.
  template <class T, class Stored = T>
  T number(const char* what)
  {
    return binary ? static_cast<T>(binary_number<Stored>()) : text_number<T>(what);
  }

  /// A count of things that take at least `bytes_each` bytes: one the file has no room for is refused before it is
  /// believed.
  std::size_t count(std::int64_t n, std::size_t bytes_each, const char* what) const
  {
    const std::size_t room = (bytes_.size() - at_) / bytes_each;
    if (n < 0 || static_cast<std::uint64_t>(n) > room)
      fail(fmt::format("a number of {} the file has room for (at most {})", what, room), fmt::format("{}", n));
    return static_cast<std::size_t>(n);
  }

  /// A binary section begins right after the line end of what came before.
  void skip_line_end()
  {
    if (at_ < bytes_.size() && bytes_[at_] == '\r') ++at_;
    if (at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
  }

  void expect(std::string_view mark)
  {
    const std::string_view w = word();
    if (w != mark) fail(fmt::format("{}", mark), fmt::format("'{}'", w.substr(0, 40)));
  }

  /// Forward to just behind a mark, for sections that say nothing here.
  void skip_past(std::string_view mark)
  {
    const std::size_t found = bytes_.find(mark, at_);
    if (found == std::string::npos) fail(fmt::format("{}", mark), "the end of the file");
    at_ = found + mark.size();
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& got) const
  {
    const auto lines = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    const std::string where = binary ? fmt::format("byte {}", at_) : fmt::format("line {}", lines);
    throw Error(fmt::format("{}: {}{}: expected {}, got {}", path_, section.empty() ? "" : "$" + section + ", ", where,
                            expected, got));
  }

private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void skip_space()
  {
    while (at_ < bytes_.size() && is_space(bytes_[at_])) ++at_;
  }

  std::string path_, bytes_;
  std::size_t at_ = 0;
};

}  // namespace sunder::io
