#include "io/run_files/output_folder.hpp"

#include "core/error.hpp"
#include "io/checkpoint/file_label.hpp"
#include "io/files/atomic_file.hpp"
#include "io/run_files/time_series.hpp"
#include "io/scratch_folder.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <tuple>

using namespace sunder;
using test::ScratchFolder;
using test::text_of;

TEST_CASE("an output folder is prepared with empty subfolders, and may be prepared twice",
          "[io][output_folder][parallel]")
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
  std::ofstream(folder / "a.txt.part") << "of another process";
  io::write_atomically(folder / "a.txt", "one\n");
  CHECK(text_of(folder / "a.txt.part") == "of another process");
  const std::filesystem::path aside = io::aside_of_this_process(folder / "a.txt");
  std::filesystem::create_directory(aside);  // stands where the new text would go
  CHECK_THROWS_AS(io::write_atomically(folder / "a.txt", "two\n"), Error);
  CHECK(text_of(folder / "a.txt") == "one\n");
}

TEST_CASE("what is no regular file is not replaced, and a link's target is", "[io][atomic_file]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  ::mkfifo((folder / "pipe").c_str(), 0600);
  std::filesystem::create_symlink("pipe", folder / "to_pipe");
  std::filesystem::create_symlink("text", folder / "to_text");
  std::filesystem::create_symlink("to_text", folder / "to_link");
  std::filesystem::create_symlink("round", folder / "round");
  CHECK_THROWS_WITH(io::write_atomically(folder / "pipe", "x"), Catch::Contains("found a pipe"));
  CHECK_THROWS_WITH(io::write_atomically(folder / "to_pipe", "x"), Catch::Contains("found a pipe, which it points to"));
  CHECK_THROWS_WITH(io::write_atomically(folder.path(), "x"), Catch::Contains("found a folder"));
  CHECK_THROWS_WITH(io::write_atomically(folder / "round", "x"), Catch::Contains("expected a regular file"));
  CHECK(std::filesystem::is_fifo(folder / "pipe"));
  for (const char* link : {"to_text", "to_link"}) {
    io::write_atomically(folder / link, link);
    CHECK(std::filesystem::is_symlink(folder / link));
    CHECK(text_of(folder / "text") == link);
  }
  CHECK_THROWS_WITH(io::check_can_replace(folder / "nowhere/file"), Catch::Contains("nowhere"));
  const std::filesystem::path locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (::geteuid() != 0)  // who may write anywhere
    CHECK_THROWS_WITH(io::check_can_replace(locked / "file"), Catch::Contains("cannot write into its folder"));
}

TEST_CASE("an identity reads back, and what is none is said", "[io][output_folder]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  CHECK_FALSE(io::read_identity(folder.path()));
  io::RunIdentity run = io::new_run("a \"name\"", "0.1.0");
  CHECK(run.run.size() == 32);
  CHECK(run.run != io::new_run("a", "0.1.0").run);
  run.parent = {"ab", 7};
  io::write_identity(folder.path(), run);
  const auto found = io::read_identity(folder.path());
  REQUIRE((found && found->parent));
  CHECK(std::tie(found->run, found->name, found->begun, found->version) ==
        std::tie(run.run, run.name, run.begun, run.version));
  CHECK(found->parent->step == 7);
  std::ofstream(folder / "run.json") << "{\"run\": 3}";
  CHECK_THROWS_WITH(io::read_identity(folder.path()), Catch::Contains("run.json: expected"));
}

TEST_CASE("frames of several series at one moment count once", "[io][output_folder]")
{
  CHECK(io::count_frames({"frames/wall_000000.pvtu", "frames/wall_000000_0.vtu", "frames/wall_000001.pvtu",
                          "frames/wall_cracks_000001.pvtu"}) == 2);
  CHECK(io::count_frames({"wall.pvd"}) == 0);
}

TEST_CASE("what is a run's in a folder is told from the user's own", "[io][output_folder]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::filesystem::create_directories(folder / "frames");
  std::filesystem::create_directories(folder / "checkpoints");
  const auto put = [&](const std::string& name, const std::string& text = "x") {
    std::ofstream(folder / name) << text;
  };
  for (const char* own : {"wall.png", "other.pvd", "frames/notes.txt", "frames/wall.vtu", "frames/wally_000001.vtu",
                          "checkpoints/step_1.h5.bak", "checkpoints/step_mine.h5.part", "notes.part"})
    put(own);
  CHECK_FALSE(io::contents_of(folder.path(), "wall").used());
  CHECK(io::contents_of(folder.path(), "wall").in_the_way.empty());
  put("scene.yaml"), put("wall.pvd");
  CHECK_FALSE(io::contents_of(folder.path(), "wall").used());
  CHECK(io::contents_of(folder.path(), "wall").in_the_way.size() == 2);

  const std::vector<std::string> left{"wall.pvd",
                                      "wall_obstacles.pvd",
                                      "scene.yaml",
                                      "history.csv",
                                      "frames/wall_000001.pvtu",
                                      "frames/wall_000001_12.vtu",
                                      "frames/wall_obstacles_000001.vtp",
                                      "checkpoints/step_000000000012.h5",
                                      "checkpoints/step_000000000011.h5.damaged",
                                      "run.json"};
  for (const std::string& name : left) put(name);
  put("wall.pvd", io::to_pvd({{0, "frames/wall_000001.pvtu"}}, "ab"));
  put("wall_obstacles.pvd", io::to_pvd({{0, "frames/wall_obstacles_000001.vtp"}}, "ab"));
  put("history.csv", "step,time,dt,nodes\n");
  io::write_identity(folder.path(), io::new_run("wall", "1"));
  for (const bool earlier_version : {false, true}) {
    if (earlier_version) std::filesystem::remove(folder / "run.json");
    const io::FolderContents found = io::contents_of(folder.path(), "bowl");
    CHECK(found.files.size() == left.size() - (earlier_version ? 1 : 0));
    CHECK(found.in_the_way.empty());
    CHECK(found.files.front() == folder / "checkpoints/step_000000000012.h5");
  }
  const io::FolderContents found = io::contents_of(folder.path(), "bowl");
  for (const char* name :
       {"wall.pvd.part", "history.csv.host-7.part", "run.lock.host-7.part", "checkpoints/step_000000000013.h5.part",
        "checkpoints/step_000000000013.h5.host-7.part", "checkpoints/step_000000000013.h5.host-7.part.data.0"})
    put(name);
  io::remove_unfinished(folder.path(), found);
  io::remove_files(found.files);
  std::set<std::string> stay;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) stay.insert(entry.path().filename().string());
  CHECK(stay == std::set<std::string>{"wall.png", "other.pvd", "notes.txt", "wall.vtu", "wally_000001.vtu",
                                      "step_1.h5.bak", "step_mine.h5.part", "notes.part"});
}

TEST_CASE("what cannot be read or listed in a folder is an error, and not nothing", "[io][output_folder]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::filesystem::create_directory(folder / "checkpoints");
  const auto fails = [&](const std::string& name, const auto& look) {
    std::filesystem::create_symlink("/proc/self/mem", folder / name);  // opens, and cannot be read
    CHECK_THROWS_WITH(look(), Catch::Contains((folder / name).string()) && Catch::Contains("cannot"));
    std::filesystem::remove(folder / name);
  };
  fails("run.json", [&] { io::read_identity(folder.path()); });
  fails("run.json", [&] { io::contents_of(folder.path(), "wall"); });
  fails("wall.pvd", [&] { io::run_of_series(folder.path(), "wall"); });
  fails("wall.pvd", [&] { io::keep_frames_until(folder.path(), "wall", "", 1.0); });
  fails("checkpoints/step_1.h5", [&] { io::label_of(folder / "checkpoints/step_1.h5"); });
  std::filesystem::remove(folder / "checkpoints");
  CHECK(io::checkpoints_in(folder.path()).empty());
  std::ofstream(folder / "checkpoints") << "no folder";
  CHECK_THROWS_WITH(io::checkpoints_in(folder.path()), Catch::Contains("checkpoints: cannot list this folder"));
  CHECK_THROWS_WITH(io::contents_of(folder.path(), "wall"), Catch::Contains("checkpoints: cannot list this folder"));
}

TEST_CASE("frames later than a time go, from the series and from the disk", "[io][output_folder]")
{
  const ScratchFolder folder(Comm(MPI_COMM_SELF));
  std::filesystem::create_directories(folder / "frames");
  std::vector<io::SeriesEntry> entries;
  for (int k = 0; k < 4; ++k) {
    entries.push_back({0.1 * k, fmt::format("frames/a_{:06}.pvtu", k)});
    for (const char* ending : {".pvtu", "_0.vtu", "_1.vtu"})
      std::ofstream(folder / fmt::format("frames/a_{:06}{}", k, ending)) << k;
  }
  std::ofstream(folder / "a.pvd") << io::to_pvd(entries, "ab");
  CHECK_THROWS_WITH(io::keep_frames_until(folder.path(), "a", "cd", 0.15),
                    Catch::Contains("expected frames of run cd"));
  CHECK(io::keep_frames_until(folder.path(), "a", "ab", 0.15).size() == 2);
  CHECK(io::run_of_pvd(text_of(folder / "a.pvd")) == "ab");
  const std::filesystem::directory_iterator files(folder / "frames");
  CHECK(std::distance(begin(files), end(files)) == 6);
  CHECK_FALSE(std::filesystem::exists(folder / "frames/a_000002_1.vtu"));
}

TEST_CASE("a PVD text reads back, whatever the names", "[io][time_series]")
{
  const std::vector<io::SeriesEntry> entries{{0, "frames/a_000000.pvtu"},
                                             {1.0 / 3, "frames/R&D <\"x\"> &amp;_000001.pvtu"}};
  CHECK(io::parse_pvd(io::to_pvd(entries), "a.pvd") == entries);
  CHECK(io::parse_pvd(io::to_pvd({}), "a.pvd").empty());
  CHECK(io::parse_pvd(io::to_pvd(entries, "ab12"), "a.pvd") == entries);
  CHECK(io::run_of_pvd(io::to_pvd(entries, "ab12")) == "ab12");
  CHECK_FALSE(io::run_of_pvd(io::to_pvd(entries)));
  CHECK_THROWS_WITH(io::parse_pvd("<Collection>\n <DataSet timestep=\"x\" file=\"f\"/>", "a.pvd"),
                    Catch::Contains("a.pvd:2: expected"));
}

TEST_CASE("frame numbers stand before the extension", "[io][time_series]")
{
  CHECK(io::frame_number("frames/wall_000123.pvtu") == 123);
  CHECK(io::frame_number("frames/wall_1234567.pvtu") == 1234567);
  CHECK(io::frame_number("frames/wall.pvtu") == -1);
  CHECK(io::frame_number("wall_7") == -1);
  CHECK(io::frame_number("frames/wall_000123_0.vtu") == 123);
  CHECK(io::frame_number("frames/wall_000123_17.vtu") == 123);
  CHECK(io::frame_number("frames/wall_7.vtu") == -1);
}
