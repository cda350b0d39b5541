#include "io/files/whole_file.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace sunder::io {

std::string read_whole(const std::string& path, const char* kind)
{
  std::ifstream in(path, std::ios::binary);
  if (!in || fault_point(FaultKind::file, "whole file: open"))
    throw Error(fmt::format("{}: expected {}, cannot open it", path, kind));
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();  // an empty file is no failure to read
  if (in.bad() || !text || fault_point(FaultKind::file, "whole file: read"))
    throw Error(fmt::format("{}: cannot be read to its end", path));
  return std::move(text).str();
}

std::optional<std::string> read_if_there(const std::filesystem::path& path, const char* kind)
{
  std::error_code error;
  const bool there = std::filesystem::status(path, error).type() != std::filesystem::file_type::not_found;
  if (fault_point(FaultKind::file, "whole file: look for it"))
    error.assign(errno, std::generic_category());
  else if (!there)
    return {};
  if (error) throw Error(fmt::format("{}: expected {}, cannot look for it: {}", path.string(), kind, error.message()));
  return read_whole(path.string(), kind);
}

}  // namespace sunder::io
