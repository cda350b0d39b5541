#pragma once
/// A new folder under the system's temporary one, the same on every rank, gone at the end of the scope.

#include "core/comm.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sunder::test {

class ScratchFolder {
public:
  explicit ScratchFolder(const Comm& comm = Comm(MPI_COMM_WORLD)) : comm_(comm)
  {
    std::string name = (std::filesystem::temp_directory_path() / "sunder_test_XXXXXX").string();
    if (comm.rank() == 0 && mkdtemp(name.data()) == nullptr) name.clear();
    comm.broadcast(name);
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder()
  {
    comm_.barrier();
    std::error_code ignored;
    if (comm_.rank() == 0) std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

private:
  Comm comm_;
  std::filesystem::path path_;
};

inline std::string text_of(const std::filesystem::path& path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sunder::test
