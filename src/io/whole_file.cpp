#include "io/whole_file.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"

#include <fmt/format.h>

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

}  // namespace sunder::io
