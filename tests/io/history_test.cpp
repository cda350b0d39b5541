#include "io/history.hpp"

#include "scratch_folder.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using test::ScratchFolder;
using test::text_of;

namespace {

const std::string header =
    "step,time,dt,nodes,elements,fragments,events,kinetic,elastic,viscous,plastic,contact,external,remeshing,"
    "energy_error\n";

io::HistoryRow row(std::int64_t step)
{
  io::HistoryRow r;
  r.step = step, r.time = 0.1 * static_cast<double>(step), r.dt = 1e-7;
  r.nodes = 8, r.elements = 6, r.fragments = 1, r.events = 2;
  r.energy = {.kinetic = 1.0 / 3,
              .elastic = 2,
              .viscous = 0,
              .plastic = 4,
              .contact = -5,
              .external = 6,
              .remeshing = 1e300,
              .relative_error = 7e-3};
  return r;
}

const std::string tail = ",1e-07,8,6,1,2,0.3333333333333333,2,0,4,-5,6,1e+300,0.007\n";

}  // namespace

TEST_CASE("history.csv has the contracted header and exact numbers, line by line", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  io::History history(folder / "history.csv");
  CHECK(text_of(folder / "history.csv") == header);
  history.append(row(1));
  CHECK(text_of(folder / "history.csv") == header + "1,0.1" + tail);  // there before the file is closed
  history.append(row(3));
  CHECK(text_of(folder / "history.csv") == header + "1,0.1" + tail + "3,0.30000000000000004" + tail);
}

TEST_CASE("a run that goes on keeps the rows up to its checkpoint and no half line", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  const auto path = folder / "history.csv";
  {
    io::History history(path);
    for (const int step : {1, 2, 4}) history.append(row(step));
  }
  std::ofstream(path, std::ios::app) << "5,0.5,1e-";
  io::History history(path, 2);
  CHECK(text_of(path) == header + "1,0.1" + tail + "2,0.2" + tail);
  history.append(row(2));  // is there already
  history.append(row(4));
  CHECK(text_of(path) == header + "1,0.1" + tail + "2,0.2" + tail + "4,0.4" + tail);
}

TEST_CASE("a history that cannot be read is not written anew", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::filesystem::create_symlink("/proc/self/mem", folder / "history.csv");  // opens, and cannot be read
  CHECK_THROWS_WITH(io::History(folder / "history.csv", 7), Catch::Contains("history.csv: cannot be read to its end"));
  CHECK(std::filesystem::is_symlink(folder / "history.csv"));
}

TEST_CASE("going on without a history begins one", "[io][history]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  io::History history(folder / "history.csv", 7);
  CHECK(text_of(folder / "history.csv") == header);
}
