#include "io/run_files/time_series.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace sunder::io {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> escapes{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};

std::string escaped(std::string_view text)
{
  std::string result;
  for (const char c : text) {
    std::string_view written(&c, 1);
    for (const auto& [plain, escape] : escapes)
      if (c == plain) written = escape;
    result += written;
  }
  return result;
}

std::string unescaped(std::string_view text)
{
  std::string result;
  while (!text.empty()) {
    char c = text.front();
    std::size_t length = 1;
    for (const auto& [plain, escape] : escapes)
      if (text.starts_with(escape)) c = plain, length = escape.size();
    result += c;
    text.remove_prefix(length);
  }
  return result;
}

std::optional<std::string_view> attribute(std::string_view line, std::string_view key)
{
  const std::string opening = fmt::format(" {}=\"", key);
  const std::size_t begin = line.find(opening);
  if (begin == std::string_view::npos) return {};
  const std::size_t first = begin + opening.size(), last = line.find('"', first);
  if (last == std::string_view::npos) return {};
  return line.substr(first, last - first);
}

template <class Number>
std::optional<Number> number(std::optional<std::string_view> text)
{
  Number value{};
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc()) return {};
  return value;
}

}  // namespace

std::string to_pvd(const std::vector<SeriesEntry>& entries, const std::string& run)
{
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
  text += run.empty() ? "  <Collection>\n" : fmt::format("  <Collection run=\"{}\">\n", run);
  for (const SeriesEntry& e : entries)
    text += fmt::format("    <DataSet timestep=\"{}\" file=\"{}\"/>\n", e.time, escaped(e.file));
  return text + "  </Collection>\n</VTKFile>\n";
}

std::optional<std::string> run_of_pvd(std::string_view text)
{
  const std::size_t begin = text.find("<Collection ");
  if (begin == std::string_view::npos) return {};
  const auto run = attribute(text.substr(begin, text.find('>', begin) - begin), "run");
  if (!run) return {};
  return unescaped(*run);
}

std::vector<SeriesEntry> parse_pvd(std::string_view text, const std::string& name)
{
  std::vector<SeriesEntry> entries;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    if (line.find("<DataSet ") == std::string_view::npos) continue;
    const auto time = number<double>(attribute(line, "timestep"));
    const auto file = attribute(line, "file");
    if (!time || !file)
      throw Error(fmt::format("{}:{}: expected a DataSet with timestep and file, found '{}'", name, line_number, line));
    entries.push_back({*time, unescaped(*file)});
  }
  return entries;
}

std::int64_t frame_number(const std::string& file)
{
  const std::size_t end = file.rfind('.');
  if (end == std::string::npos) return -1;
  std::string_view name = std::string_view(file).substr(0, end);
  const auto digits = [&name] {
    std::size_t begin = name.size();
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
    return name.substr(begin);
  };
  if (file.ends_with(".vtu")) {  // a piece, whose number comes last
    name.remove_suffix(digits().size());
    if (!name.ends_with('_')) return -1;
    name.remove_suffix(1);
  }
  return number<std::int64_t>(digits()).value_or(-1);
}

}  // namespace sunder::io
