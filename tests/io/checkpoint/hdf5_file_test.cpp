#include "io/checkpoint/hdf5_file.hpp"
#include "io/scratch_folder.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

using Row = std::array<double, 3>;

Row table_row(std::int64_t k)
{
  const auto x = static_cast<double>(k);
  return {x, -x, x / 2};
}

/// Rows of this rank as they come back; empty if they differ from what was written.
bool come_back(const Comm& comm, const std::filesystem::path& path, std::int64_t count)
{
  const std::int64_t first = comm.sum_before(count), all = comm.sum(count);
  std::vector<Row> rows;
  rows.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) rows.push_back(table_row(first + k));
  io::Hdf5File out(comm, path, io::Hdf5File::Mode::create, 0);
  out.write<Row>("rows", rows, first, all);
  out.close();
  out.throw_if_failed();
  io::Hdf5File in(comm, path, io::Hdf5File::Mode::read, 0);
  const bool same = in.rows("rows") == all && in.read<Row>("rows", first, count) == rows;
  in.throw_if_failed();
  return same;
}

}  // namespace

TEST_CASE("columns longer than what is transferred at once come back whole", "[io]")
{
  // Of 24 bytes: a table_row more than two chunks of 64 MB have room for, though they have as many bytes.
  const test::ScratchFolder scratch;
  const Comm alone(MPI_COMM_SELF);
  constexpr std::int64_t at_once = (std::int64_t{64} << 20) / 24;
  if (Comm().size() == 1) CHECK(come_back(alone, scratch.path() / "long.h5", 2 * at_once + 1));
}

TEST_CASE("ranks with many rows and with none transfer together", "[io][parallel]")
{
  const Comm comm;
  const test::ScratchFolder scratch;
  CHECK(come_back(comm, scratch.path() / "uneven.h5", comm.rank() % 2 == 0 ? 1000 * (comm.rank() + 1) : 0));
}

TEST_CASE("a column that is missing fails on every rank", "[io][parallel]")
{
  const Comm comm;
  const test::ScratchFolder scratch;
  const std::filesystem::path path = scratch.path() / "empty.h5";
  come_back(comm, path, 1);
  io::Hdf5File in(comm, path, io::Hdf5File::Mode::read, 0);
  CHECK(in.rows("others") == -1);
  in.read<Row>("others", 0, 0);
  CHECK_THROWS_WITH(in.throw_if_failed(), Catch::Contains("cannot find others in this file"));
}
