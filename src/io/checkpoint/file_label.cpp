#include "io/checkpoint/file_label.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/hash.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <string_view>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

constexpr int file_format = 8;  // that this program writes and reads

/// Whether the text goes on with this, which is then taken off.
bool skip(std::string_view& text, std::string_view what)
{
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

}  // namespace

const char* name_of(FileKind kind)
{
  return kind == FileKind::checkpoint ? "checkpoint" : "mesh";
}

std::string seal(FileKind kind, std::uint64_t bytes, std::uint64_t sum, const std::string& run)
{
  std::uint64_t hash = sum;
  for (const char c : run) hash = combine(hash, static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  std::string text = fmt::format("sunder {}, format {}\nbytes {}\nhash {:016x}\n{}", name_of(kind), file_format, bytes,
                                 hash, run.empty() ? "" : "run " + run + '\n');
  text.resize(user_block, '\n');
  return text;
}

std::string user_block_of(const fs::path& path)
{
  std::string text(user_block, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), user_block);
  if (std::error_code none;
      file.bad() || (!file.is_open() && fs::exists(path, none)) || fault_point(FaultKind::file, "sealed file: label"))
    throw Error(fmt::format("{}: expected a file of bodies, cannot read its first bytes", path.string()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<Label> label_of(const fs::path& path)
{
  const std::string block = user_block_of(path);
  std::string_view text = block;
  Label label;
  if (!skip(text, "sunder ")) return {};
  if (skip(text, "mesh"))
    label.kind = FileKind::mesh;
  else if (!skip(text, "checkpoint"))
    return {};
  if (!skip(text, ", format ")) return {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), label.format);
  if (error != std::errc() || end == text.data() + text.size() || *end != '\n') return {};
  if (const std::size_t at = text.find("\nrun "); at != std::string_view::npos)
    label.run = text.substr(at + 5, text.find('\n', at + 1) - at - 5);
  return label;
}

bool readable(const Label& label)
{
  return label.format == file_format;
}

std::string of_another_format(const fs::path& path, const Label& label)
{
  return fmt::format("{}: a {} of format {}, this program reads format {}: take the version of sunder that wrote it",
                     path.string(), name_of(label.kind), label.format, file_format);
}

}  // namespace sunder::io
