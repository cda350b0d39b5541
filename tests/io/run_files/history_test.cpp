#include "io/run_files/history.hpp"

#include "io/scratch_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace sunder;
using test::ScratchFolder;
using test::text_of;

namespace {

const std::string header = "step,time\n";

/// A history with that header, and its row of a step.
io::History history_at(const std::filesystem::path& path, std::optional<std::int64_t> resume_step = {})
{
  return io::History(path, "step,time", resume_step);
}

std::string row(std::int64_t step)
{
  return fmt::format("{},{}", step, 0.1 * static_cast<double>(step));
}

}  // namespace

TEST_CASE("history.csv has its header and rows, each there at once", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  io::History history = history_at(folder / "history.csv");
  CHECK(text_of(folder / "history.csv") == header);
  history.append(1, row(1));
  CHECK(text_of(folder / "history.csv") == header + "1,0.1\n");  // there before the file is closed
  history.append(3, row(3));
  CHECK(text_of(folder / "history.csv") == header + "1,0.1\n" + "3,0.30000000000000004\n");
}

TEST_CASE("a run that goes on keeps the rows up to its checkpoint and no half line", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  const auto path = folder / "history.csv";
  {
    io::History history = history_at(path);
    for (const int step : {1, 2, 4}) history.append(step, row(step));
  }
  std::ofstream(path, std::ios::app) << "5,0.5,1e-";
  io::History history = history_at(path, 2);
  CHECK(text_of(path) == header + "1,0.1\n" + "2,0.2\n");
  history.append(2, row(2));  // is there already
  history.append(4, row(4));
  CHECK(text_of(path) == header + "1,0.1\n" + "2,0.2\n" + "4,0.4\n");
}

TEST_CASE("a history that cannot be read is not written anew", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::filesystem::create_symlink("/proc/self/mem", folder / "history.csv");  // opens, and cannot be read
  CHECK_THROWS_WITH(history_at(folder / "history.csv", 7), Catch::Contains("history.csv: cannot be read to its end"));
  CHECK(std::filesystem::is_symlink(folder / "history.csv"));
}

TEST_CASE("going on without a history begins one", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  io::History history = history_at(folder / "history.csv", 7);
  CHECK(text_of(folder / "history.csv") == header);
}
