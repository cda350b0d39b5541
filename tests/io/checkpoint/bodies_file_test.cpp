#include "io/checkpoint/bodies_file.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "io/scratch_folder.hpp"
#include "support/cube_mesh.hpp"

#include <catch2/catch.hpp>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

using namespace sunder;

namespace {

constexpr GlobalIndex num_nodes = 40, num_elements = 90, num_pairs = 11, num_faces = 9, num_links = 8;

/// Node k of the whole; whatever rank holds it.
partition::NodeRecord node(GlobalIndex k)
{
  const auto id = static_cast<std::uint64_t>(k) * 3;
  const auto number = [&](std::uint64_t what) { return test::random_number(id, what); };
  return {id,
          static_cast<Rank>(k % 2),
          {number(1), number(2), number(3)},
          {number(4), number(5), number(6)},
          {number(7), number(8), number(9)},
          number(10),
          mix(id)};
}

/// Some have been cut, one is marked, all but some have yielded.
void append_element(GlobalIndex k, partition::ElementTable& to)
{
  partition::ElementRecord e;
  e.id = static_cast<std::uint64_t>(k) + 7, e.material = static_cast<MaterialIndex>(k % 3);
  if (k > 60)
    e.id = made_id(e.id, 1), e.creation_key = to.creation_keys.add({static_cast<std::uint32_t>(k / 5), e.id, 2});
  if (k == 17) e.faces = to.faces.add({{1, 2, 3, 4}, {}});
  if (k == 23) e.faces = to.faces.add({{}, {{0, 0.5, 0, 0}, 0b0010}});
  if (k > 80) e.level = 3;
  if (k == 7) e.plastic_strain = to.plastic_strains.add({0, 0, 0, -0.0, 0, 0});
  if (k % 4 != 3)
    e.plastic_strain = to.plastic_strains.add({0.5, test::random_number(e.id.low, 1), 0, 1e-300, -0.0, 3});
  to.rows.push_back(e);
}

/// Rows [n r / ranks, n (r + 1) / ranks) of each table.
io::StoredBodies slice_of(const Comm& comm)
{
  io::StoredBodies c;
  c.state = "{\"made\": \"up\"}";
  c.run = "0123456789abcdef0123456789abcdef";
  const auto mine = [&](GlobalIndex n, auto&& add) {
    const partition::BlockDistribution distribution{n, comm.size()};
    for (GlobalIndex k = distribution.begin(comm.rank()); k < distribution.begin(comm.rank() + 1); ++k) add(k);
  };
  mine(num_nodes, [&](GlobalIndex k) { c.bodies.nodes.push_back(node(k)); });
  mine(num_elements, [&](GlobalIndex k) {
    append_element(k, c.bodies.elements);
    c.bodies.corners.push_back({k % num_nodes, (k + 1) % num_nodes, (k + 2) % num_nodes, (k + 5) % num_nodes});
  });
  mine(num_pairs, [&](GlobalIndex k) {
    c.bodies.pairs.push_back({0, static_cast<std::uint64_t>(k) + 1, 1e-9 * static_cast<double>(k), 1e-12});
    c.bodies.pair_elements.push_back(7 * k);
  });
  mine(num_links, [&](GlobalIndex k) {
    const auto id = static_cast<std::uint64_t>(k);
    partition::LinkRecord link{mix(id), mix(id + 1), {1, 0, -0.0}, {}};
    for (double& x : link.values) x = test::random_number(id, static_cast<std::uint64_t>(&x - link.values.data()));
    c.bodies.links.push_back(link), c.bodies.link_nodes.push_back({k, k + 1, k % 2});
  });
  mine(num_faces, [&](GlobalIndex k) {
    c.bodies.faces.push_back({{k, k + 1, 39 - k}, mix(static_cast<std::uint64_t>(k))});
  });
  return c;
}

void require_same(const io::StoredBodies& a, const io::StoredBodies& b)
{
  REQUIRE(a.state == b.state);
  const auto nodes = [](const std::vector<partition::NodeRecord>& rows) {
    std::vector<std::uint64_t> hashes;
    for (const auto& r : rows) {
      std::uint64_t h = combine(combine(0, r.id.low), r.id.high);
      for (const auto& v : {r.X, r.p, r.v})
        for (const double x : v) h = combine(h, x);
      hashes.push_back(combine(combine(combine(h, r.size), r.marks), static_cast<std::uint64_t>(r.owner)));
    }
    return hashes;
  };
  const auto elements = [](const partition::ElementTable& table) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t e = 0; e < table.size(); ++e) {
      const auto& r = table.rows[e];
      std::uint64_t h = combine(combine(0, r.id.low), r.id.high);
      for (const double x : table.plastic_strain(e)) h = combine(h, x);
      const mesh::ElementFaces& faces = table.faces_of(e);
      for (const std::uint64_t m : faces.marks) h = combine(h, m);
      for (const double birth : faces.cracks.birth) h = combine(h, birth);
      h = combine(h, std::uint64_t{faces.cracks.made});
      const mesh::CreationKey& creation_key = table.creation_key(e);
      for (const std::uint64_t word :
           {creation_key.event.low, creation_key.event.high, std::uint64_t{creation_key.round},
            std::uint64_t{creation_key.bisection}, std::uint64_t{r.material}, std::uint64_t{r.level}})
        h = combine(h, word);
      hashes.push_back(h);
    }
    return hashes;
  };
  REQUIRE(nodes(a.bodies.nodes) == nodes(b.bodies.nodes));
  REQUIRE(elements(a.bodies.elements) == elements(b.bodies.elements));
  REQUIRE(a.bodies.corners == b.bodies.corners);
  REQUIRE(a.bodies.pair_elements == b.bodies.pair_elements);
  REQUIRE(a.bodies.pairs.size() == b.bodies.pairs.size());
  for (std::size_t k = 0; k < a.bodies.pairs.size(); ++k) {
    REQUIRE(a.bodies.pairs[k].other == b.bodies.pairs[k].other);
    REQUIRE(a.bodies.pairs[k].overlap == b.bodies.pairs[k].overlap);
    REQUIRE(a.bodies.pairs[k].initial_overlap == b.bodies.pairs[k].initial_overlap);
  }
  REQUIRE(a.bodies.link_nodes == b.bodies.link_nodes);
  REQUIRE(a.bodies.links.size() == b.bodies.links.size());
  for (std::size_t k = 0; k < a.bodies.links.size(); ++k) {
    REQUIRE(a.bodies.links[k].plus == b.bodies.links[k].plus);
    REQUIRE(a.bodies.links[k].minus == b.bodies.links[k].minus);
    REQUIRE(a.bodies.links[k].normal == b.bodies.links[k].normal);
    REQUIRE(a.bodies.links[k].values == b.bodies.links[k].values);
  }
  REQUIRE(a.bodies.faces.size() == b.bodies.faces.size());
  for (std::size_t k = 0; k < a.bodies.faces.size(); ++k) {
    REQUIRE(a.bodies.faces[k].nodes == b.bodies.faces[k].nodes);
    REQUIRE(a.bodies.faces[k].marks == b.bodies.faces[k].marks);
  }
}

}  // namespace

TEST_CASE("a checkpoint written by all ranks is read by any number", "[io][checkpoint][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  const test::ScratchFolder folder;
  const auto path = folder.path() / "step.h5";
  io::write_bodies(world, path, io::FileKind::checkpoint, slice_of(world));
  CHECK_FALSE(std::filesystem::exists(path.string() + ".part"));
  CHECK_FALSE(io::damage(world, path, io::FileKind::checkpoint));
  CHECK_FALSE(io::damage(alone, path, io::FileKind::checkpoint));
  require_same(io::read_bodies(world, path), slice_of(world));
  const io::StoredBodies whole = io::read_bodies(alone, path);
  require_same(whole, slice_of(alone));
  CHECK(whole.bodies.all_nodes == num_nodes);
  CHECK(whole.bodies.all_elements == num_elements);
  const auto label = io::label_of(path);
  REQUIRE(label);
  CHECK(label->kind == io::FileKind::checkpoint);
  CHECK(label->run == slice_of(alone).run);
  CHECK(io::damage(world, path, io::FileKind::mesh)
            ->ends_with(": expected a mesh of sunder partition, got a checkpoint"));
}

TEST_CASE("every damaged byte of a checkpoint is noticed", "[io][checkpoint]")
{
  const Comm alone(MPI_COMM_SELF);
  const test::ScratchFolder folder(alone);
  const auto path = folder.path() / "step.h5";
  io::write_bodies(alone, path, io::FileKind::checkpoint, slice_of(alone));
  const std::string whole = test::text_of(path);
  const auto found = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    return io::damage(alone, path, io::FileKind::checkpoint).has_value();
  };
  CHECK_FALSE(found(whole));
  constexpr std::size_t flips = 1500;  // spread over all regions: seal, superblock, headers, columns
  for (std::size_t k = 0; k < flips; ++k) {
    std::string damaged = whole;
    const std::size_t at = k * whole.size() / flips;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << k % 8));
    CAPTURE(at);
    REQUIRE(found(damaged));
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{511}, std::size_t{512}, whole.size() / 2, whole.size() - 1})
    CHECK(found(whole.substr(0, size)));
  CHECK(found(whole + '\0'));
  CHECK(found("not a checkpoint"));
  CHECK(io::damage(alone, folder.path() / "nothing.h5", io::FileKind::checkpoint)->find("no such file") !=
        std::string::npos);
}

TEST_CASE("a file of another format is named so, and not damaged", "[io][checkpoint]")
{
  const Comm alone(MPI_COMM_SELF);
  const test::ScratchFolder folder(alone);
  const auto path = folder.path() / "step.h5";
  io::write_bodies(alone, path, io::FileKind::checkpoint, slice_of(alone));
  std::string text = test::text_of(path);
  const auto number = text.find("format ") + 7;
  const std::string ours(1, std::exchange(text[number], '0'));
  std::ofstream(path, std::ios::binary) << text;
  REQUIRE(io::label_of(path));
  CHECK_FALSE(io::readable(*io::label_of(path)));
  CHECK(io::damage(alone, path, io::FileKind::checkpoint)->find("of format 0, this program reads format " + ours) !=
        std::string::npos);
}

TEST_CASE("bodies are written over a regular file or the target of a link, and over nothing else",
          "[io][checkpoint][parallel]")
{
  const Comm world;
  const test::ScratchFolder folder;
  const auto pipe = folder.path() / "pipe", link = folder.path() / "link", target = folder.path() / "target";
  if (world.rank() == 0) ::mkfifo(pipe.c_str(), 0600), std::filesystem::create_symlink("target", link);
  world.barrier();
  CHECK_THROWS_WITH(io::write_bodies(world, pipe, io::FileKind::mesh, slice_of(world)),
                    Catch::Contains("found a pipe"));
  CHECK_THROWS_WITH(io::write_bodies(world, "/dev/null", io::FileKind::mesh, slice_of(world)),
                    Catch::Contains("found a device"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
  io::write_bodies(world, link, io::FileKind::mesh, slice_of(world));
  CHECK(std::filesystem::is_symlink(link));
  CHECK_FALSE(io::damage(world, target, io::FileKind::mesh));
}

TEST_CASE("a full disk is said to be full and takes nothing with it", "[io][checkpoint][parallel]")
{
  const Comm world;
  const test::ScratchFolder folder;
  const auto disk = folder.path() / "disk";
  int mounted = 0;
  if (world.rank() == 0) {
    std::filesystem::create_directory(disk);
    mounted = ::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=300k") == 0;
  }
  if (world.max(std::int64_t{mounted}) == 0) {
    WARN("no rights to mount a small disk: not tried");
    return;
  }
  const auto first = disk / "first.h5", second = disk / "second.h5";
  io::write_bodies(world, first, io::FileKind::checkpoint, slice_of(world));
  std::string message;
  try {
    io::write_bodies(world, second, io::FileKind::checkpoint, slice_of(world));
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(message.find("the disk is full") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(second));
  CHECK_FALSE(io::damage(world, first, io::FileKind::checkpoint));
  world.barrier();
  if (world.rank() == 0) ::umount(disk.c_str());
}
