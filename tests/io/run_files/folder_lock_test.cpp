#include "io/run_files/folder_lock.hpp"

#include "core/error.hpp"
#include "io/scratch_folder.hpp"

#include <catch2/catch.hpp>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sunder;
using test::ScratchFolder;

namespace {

/// Takes the lock in a process of its own, which ends without letting go.
void leave_a_lock(const std::filesystem::path& folder)
{
  const pid_t child = ::fork();
  if (child == 0) {
    const io::FolderLock lock(folder);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

void replace(const std::filesystem::path& path, const std::string& what, const std::string& by)
{
  std::string text = test::text_of(path);
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  std::filesystem::remove(path);
  std::ofstream(path) << text.replace(at, what.size(), by);
}

/// As a run on another machine would have left it.
void move_elsewhere(const std::filesystem::path& folder)
{
  replace(folder / "run.lock", "\"host\":\"", "\"host\":\"not-");
}

}  // namespace

TEST_CASE("a folder has one lock at a time, which goes with its scope", "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  {
    const io::FolderLock lock(folder.path());
    CHECK_NOTHROW(lock.check());
    CHECK_THROWS_WITH(io::FolderLock(folder.path()),
                      Catch::Contains("a run is writing into this folder: process " + std::to_string(::getpid())));
    CHECK(io::lock_holder(folder.path()).value().find("which runs") != std::string::npos);
    CHECK_NOTHROW(lock.check());
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK_FALSE(io::lock_holder(folder.path()));
  CHECK_NOTHROW(io::FolderLock(folder.path()));
}

TEST_CASE("the lock of a dead process of this machine is taken over", "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  leave_a_lock(folder.path());
  CHECK(io::lock_holder(folder.path()).value().find("has ended") != std::string::npos);
  {
    const io::FolderLock lock(folder.path());
    CHECK_NOTHROW(lock.check());
    CHECK(io::lock_holder(folder.path()).value().find("which runs") != std::string::npos);
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("of several runs that take over a dead one's lock, one succeeds", "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  leave_a_lock(folder.path());
  constexpr int takers = 8;
  for (int k = 0; k < takers; ++k)
    if (::fork() == 0) {
      try {
        const io::FolderLock lock(folder.path());
        ::sleep(4);  // longer than the others have patience
        lock.check();
        ::_exit(1);
      } catch (const Error&) {
        ::_exit(0);
      }
    }
  int holders = 0;
  for (int k = 0; k < takers; ++k) {
    int status = 0;
    ::wait(&status);
    REQUIRE(WIFEXITED(status));
    holders += WEXITSTATUS(status);
  }
  CHECK(holders == 1);
}

TEST_CASE("a lock from another machine is an error that says how to go on, unless its job was queued again",
          "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  ::setenv("SLURM_JOB_ID", "77", 1), ::unsetenv("SLURM_RESTART_COUNT");
  leave_a_lock(folder.path());
  move_elsewhere(folder.path());
  const auto refused = [&] {
    CHECK_THROWS_WITH(io::FolderLock(folder.path()), Catch::Contains("not-") && Catch::Contains("job 77") &&
                                                         Catch::Contains("remove " + (folder / "run.lock").string()));
  };
  refused();
  ::setenv("SLURM_JOB_ID", "78", 1), ::setenv("SLURM_RESTART_COUNT", "1", 1);
  refused();
  ::setenv("SLURM_JOB_ID", "77", 1);
  CHECK_NOTHROW(io::FolderLock(folder.path()));
  ::unsetenv("SLURM_JOB_ID"), ::unsetenv("SLURM_RESTART_COUNT");
}

TEST_CASE("a machine that was started anew runs nothing of before", "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  leave_a_lock(folder.path());
  replace(folder / "run.lock", "\"boot\":\"", "\"boot\":\"before-");
  CHECK_NOTHROW(io::FolderLock(folder.path()));
}

TEST_CASE("what is no lock is not taken for one", "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::ofstream(folder / "run.lock") << "mine";
  CHECK_THROWS_WITH(io::FolderLock(folder.path()), Catch::Contains("expected the lock of a run"));
  CHECK(test::text_of(folder / "run.lock") == "mine");
}

TEST_CASE("a lock whose folder is gone, or taken, is noticed", "[io][folder_lock]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  const auto inner = folder / "inner";
  std::filesystem::create_directory(inner);
  const io::FolderLock lock(inner);
  std::filesystem::remove_all(inner);
  CHECK_THROWS_WITH(lock.check(), Catch::Contains("found none"));
  std::filesystem::create_directory(inner);
  CHECK_THROWS_WITH(lock.check(), Catch::Contains("found none"));
  const io::FolderLock other(inner);
  CHECK_THROWS_WITH(lock.check(), Catch::Contains("found another's"));
  CHECK_NOTHROW(other.check());
}
