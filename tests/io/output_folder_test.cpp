#include "io/output_folder.hpp"

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/time_series.hpp"
#include "scratch_folder.hpp"

#include <catch2/catch.hpp>

using namespace sunder;
using test::ScratchFolder;
using test::text_of;

TEST_CASE("prepare_output_folder makes the folders and leaves no probe", "[io][output_folder][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  io::prepare_output_folder(comm, folder / "a/b");
  CHECK(std::filesystem::is_directory(folder / "a/b/frames"));
  comm.barrier();
  CHECK(std::filesystem::is_empty(folder / "a/b/frames"));
  comm.barrier();
  CHECK_NOTHROW(io::prepare_output_folder(comm, folder / "a/b"));  // again, for a run that goes on
}

TEST_CASE("an output folder that cannot be is one error on all ranks, naming it", "[io][output_folder][parallel]")
{
  const Comm comm;
  const ScratchFolder folder(comm);
  if (comm.rank() == 0) std::ofstream(folder / "file") << "in the way";
  comm.barrier();
  CHECK_THROWS_WITH(io::prepare_output_folder(comm, folder / "file/out"),
                    Catch::Contains((folder / "file/out").string()) && Catch::Contains("Not a directory"));
  CHECK_THROWS_AS(io::prepare_output_folder(comm, "/proc/self/out"), Error);
}

TEST_CASE("write_atomically replaces whole texts, and a failure keeps the old one", "[io][atomic_file]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  io::write_atomically(folder / "a.txt", "one\n");
  io::write_atomically(folder / "a.txt", std::string(100000, 'x'));
  CHECK(text_of(folder / "a.txt") == std::string(100000, 'x'));
  std::filesystem::create_directory(folder / "a.txt.part");  // stands where the new text would go
  CHECK_THROWS_AS(io::write_atomically(folder / "a.txt", "two\n"), Error);
  CHECK(text_of(folder / "a.txt") == std::string(100000, 'x'));
}

TEST_CASE("a PVD text reads back, whatever the names", "[io][time_series]")
{
  const std::vector<io::SeriesEntry> entries{{0, 0, "frames/a_000000.pvtu"},
                                             {1.0 / 3, 0, "frames/R&D <\"x\"> &amp;_000001.pvtu"},
                                             {1.0 / 3, 1, "frames/a_obstacles_000001.vtp"}};
  CHECK(io::parse_pvd(io::to_pvd(entries), "a.pvd") == entries);
  CHECK(io::parse_pvd(io::to_pvd({}), "a.pvd").empty());
  CHECK_THROWS_WITH(io::parse_pvd("<Collection>\n <DataSet timestep=\"x\" part=\"0\" file=\"f\"/>", "a.pvd"),
                    Catch::Contains("a.pvd:2: expected"));
}

TEST_CASE("frame numbers stand before the extension", "[io][time_series]")
{
  CHECK(io::frame_number("frames/wall_000123.pvtu") == 123);
  CHECK(io::frame_number("frames/wall_1234567.pvtu") == 1234567);
  CHECK(io::frame_number("frames/wall.pvtu") == -1);
  CHECK(io::frame_number("wall_7") == -1);
}
