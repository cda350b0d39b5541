#include "core/comm.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

using namespace sunder;

namespace {

std::string text_thrown(const std::function<void()>& action)
{
  try {
    action();
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("the problem of the smallest key is told, whichever rank has it", "[core][parallel]")
{
  const Comm comm;
  // Of elements 100, 101, ... the last rank holds the first; the lowest rank with a problem is another's.
  const auto key = static_cast<std::uint64_t>(100 + comm.size() - 1 - comm.rank());
  CHECK(text_thrown([&] { throw_on_all(comm, Failure(fmt::format("element {}", key), key)); }) == "element 100");
}

TEST_CASE("keys of nodes made by cracks are ordered too", "[core][parallel]")
{
  const Comm comm;
  const std::uint64_t made = (1ull << 62) + (1ull << 61);
  const bool first = comm.rank() == 0;
  const Failure mine = first ? Failure("made", made) : Failure("given", static_cast<std::uint64_t>(comm.rank()));
  CHECK(text_thrown([&] { throw_on_all(comm, mine); }) == (comm.size() == 1 ? "made" : "given"));
}

TEST_CASE("a problem of no node yields to one that has a key, and goes by rank among its like", "[core][parallel]")
{
  const Comm comm;
  const Rank last = comm.size() - 1;
  CHECK(text_thrown([&] { throw_on_all(comm, Failure(fmt::format("of rank {}", comm.rank()))); }) == "of rank 0");
  const std::optional<Failure> mine =
      comm.rank() == last ? Failure("node 7", 7) : Failure(fmt::format("of rank {}", comm.rank()));
  CHECK(text_thrown([&] { throw_on_all(comm, mine); }) == "node 7");
}

TEST_CASE("one rank's problem is every rank's error, with its status", "[core][parallel]")
{
  const Comm comm;
  std::optional<Failure> mine;
  if (comm.rank() == comm.size() - 1) mine = std::string("the disk is full");
  try {
    throw_on_all(comm, mine, ExitStatus::simulation_failed);
    FAIL("expected an error");
  } catch (const AgreedError& error) {
    CHECK(error.what() == std::string("the disk is full"));
    CHECK(error.status() == ExitStatus::simulation_failed);
  }
  CHECK_NOTHROW(throw_on_all(comm, std::nullopt));
}

TEST_CASE("what one rank or every rank does by itself is agreed on", "[core][parallel]")
{
  const Comm comm;
  const auto fail = [] { throw Error("no such file"); };
  CHECK(text_thrown([&] { on_rank_0(comm, fail); }) == "no such file");
  const auto fail_on_last = [&] {
    if (comm.rank() == comm.size() - 1) fail();
  };
  CHECK(text_thrown([&] { on_every_rank(comm, fail_on_last); }) == "no such file");
  CHECK(text_thrown([&] { on_every_rank(comm, [] {}); }) == "nothing");
}

TEST_CASE("what a rank agrees on with itself alone, the job has not agreed on", "[core][parallel]")
{
  const Comm comm, alone(MPI_COMM_SELF);
  try {
    throw_on_all(alone, Failure("mine"));
    FAIL("expected an error");
  } catch (const Error& error) {
    CHECK((dynamic_cast<const AgreedError*>(&error) != nullptr) == (comm.size() == 1));
  }
}
