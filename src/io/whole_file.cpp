#include "io/whole_file.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace sunder::io {

std::string read_whole(const std::string& path, const char* kind)
{
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("{}: expected {}, cannot open it", path, kind));
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();  // an empty file is no failure to read
  if (in.bad() || !text) throw Error(fmt::format("{}: cannot be read to its end", path));
  return std::move(text).str();
}

}  // namespace sunder::io
