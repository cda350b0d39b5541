#pragma once
/// Which reader takes a file, by the ending of its name. Local.

#include <filesystem>
#include <span>
#include <string>

namespace sunder::io {

/// Files with this ending, the dot included, hold Contents.
template <class Contents>
struct FileFormat {
  const char* ending;
  Contents (*read)(const std::string& path);
};

/// Null if none of the formats has the ending of the path.
template <class Contents>
const FileFormat<Contents>* find_format(std::span<const FileFormat<Contents>> formats, const std::string& path)
{
  const std::string ending = std::filesystem::path(path).extension().string();
  for (const FileFormat<Contents>& format : formats)
    if (ending == format.ending) return &format;
  return nullptr;
}

}  // namespace sunder::io
