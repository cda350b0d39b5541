#include "io/output_folder.hpp"

#include "core/fault_point.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> make_folders(const fs::path& frames)
{
  std::error_code error;
  fs::create_directories(frames, error);
  if (fault_point(FaultKind::file, "output folder: make")) error.assign(errno, std::generic_category());
  if (!error) return {};
  return fmt::format("{}: cannot make this output folder: {}", frames.string(), error.message());
}

std::optional<std::string> try_to_write(const fs::path& frames, Rank rank)
{
  const fs::path probe = frames / fmt::format(".probe_{}", rank);
  errno = 0;
  std::ofstream file(probe);
  if (fault_point(FaultKind::file, "output folder: probe")) file.setstate(std::ios::badbit);
  file << "sunder\n";
  file.close();
  const int reason = errno;
  std::error_code ignored;
  fs::remove(probe, ignored);
  if (file) return {};
  return fmt::format("{}: expected an output folder that rank {} can write to, found: {}", frames.string(), rank,
                     std::strerror(reason));
}

}  // namespace

void prepare_output_folder(const Comm& comm, const fs::path& folder)
{
  const fs::path frames = folder / "frames";
  std::optional<std::string> problem;
  if (comm.rank() == 0) problem = make_folders(frames);
  throw_on_all(comm, problem);
  throw_on_all(comm, try_to_write(frames, comm.rank()));
}

}  // namespace sunder::io
