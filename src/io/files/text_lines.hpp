#pragma once
/// A text file in memory, read one line of words after the other. Local.

#include "core/error.hpp"
#include "core/types.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::io {

/// Knows where it is, so that every error says file and line. The bytes outlive it.
class TextLines {
public:
  /// comment: what begins one, to the end of the line; 0 if the format has none.
  TextLines(std::string path, std::string_view bytes, char comment)
    : path_(std::move(path)), bytes_(bytes), comment_(comment)
  {
  }

  /// To the next line that holds a word; false at the end of the file.
  bool next()
  {
    words_.clear();
    while (words_.empty() && at_ < bytes_.size()) split(raw_line());
    return !words_.empty();
  }
  /// The same where the file must go on.
  void next(const char* what)
  {
    if (!next()) fail(what, "the end of the file");
  }

  std::size_t num_words() const { return words_.size(); }
  std::string_view word(std::size_t k, const char* what) const
  {
    if (k >= words_.size()) fail(what, "the end of the line");
    return words_[k];
  }

  template <class T>
  T number(std::size_t k, const char* what) const
  {
    std::string_view w = word(k, what);
    if (w.size() > 1 && w[0] == '+' && w[1] != '-') w.remove_prefix(1);
    T value{};
    const auto [end, code] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (code != std::errc() || end != w.data() + w.size()) fail(what, fmt::format("'{}'", w.substr(0, 40)));
    return value;
  }

  /// Words k, k + 1 and k + 2 as a place.
  Vec3 point(std::size_t k) const
  {
    Vec3 x;
    for (double& xi : x) xi = number<double>(k++, "a coordinate");
    if (!x.allFinite()) fail("finite coordinates", fmt::format("{} {} {}", x.x(), x.y(), x.z()));
    return x;
  }

  /// A count of things that take at least `bytes_each` bytes: one the file has no room for is refused before it is
  /// believed.
  std::size_t count(std::size_t k, std::size_t bytes_each, const char* what) const
  {
    const auto n = number<std::int64_t>(k, what);
    const std::size_t room = bytes_.size() / bytes_each;
    if (n < 0 || static_cast<std::uint64_t>(n) > room)
      fail(fmt::format("{} the file has room for (at most {})", what, room), fmt::format("{}", n));
    return static_cast<std::size_t>(n);
  }

  /// Behind the last line read: where binary data begins.
  std::size_t position() const { return at_; }

  [[noreturn]] void fail(const std::string& expected, const std::string& got) const
  {
    throw Error(fmt::format("{}: line {}: expected {}, got {}", path_, line_, expected, got));
  }

private:
  std::string_view raw_line()
  {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    const std::string_view line = bytes_.substr(at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    ++line_;
    return line;
  }
  void split(std::string_view line)
  {
    if (comment_ != 0) line = line.substr(0, line.find(comment_));
    constexpr std::string_view space = " \t\r\v\f";
    for (std::size_t begin = line.find_first_not_of(space); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(space, begin), line.size());
      words_.push_back(line.substr(begin, end - begin));
      begin = line.find_first_not_of(space, end);
    }
  }

  std::string path_;
  std::string_view bytes_;
  char comment_ = 0;
  std::size_t at_ = 0, line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace sunder::io
