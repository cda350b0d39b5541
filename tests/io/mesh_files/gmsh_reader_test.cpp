#include "io/mesh_files/gmsh_reader.hpp"
#include "io/mesh_files/gmsh_writer.hpp"

#include "core/error.hpp"
#include "io/mesh_files/changed_text.hpp"
#include "io/scratch_folder.hpp"
#include "support/cube_mesh.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace {

using namespace sunder;

/// Two tetrahedra that share a face, in groups of each dimension.
const std::string text_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 7 "tip"
2 5 "base"
3 4 "brick"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
9 1 1 1
$EndNodes
$Elements
4
1 15 2 7 1 9
2 2 2 5 1 1 2 3
3 4 2 4 1 1 2 3 4
4 4 2 4 1 2 3 4 9
$EndElements
)";

const std::string text_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 7 "tip"
2 5 "base"
3 4 "brick"
$EndPhysicalNames
$Entities
1 0 1 1
1 1 1 1 1 7
1 0 0 0 1 1 0 1 5 0
1 0 0 0 1 1 1 1 4 1 1
$EndEntities
$Nodes
1 5 1 9
3 1 0 5
1
2
3
4
9
0 0 0
1 0 0
0 1 0
0 0 1
1 1 1
$EndNodes
$Elements
3 4 1 4
0 1 15 1
1 9
2 1 2 1
2 1 2 3
3 1 4 2
3 1 2 3 4
4 2 3 4 9
$EndElements
)";

template <class T>
void append(std::string& out, T value)
{
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string binary_4()
{
  std::string s = "$MeshFormat\n4.1 1 8\n";
  append(s, std::int32_t{1});
  s += "\n$EndMeshFormat\n$PhysicalNames\n3\n0 7 \"tip\"\n2 5 \"base\"\n3 4 \"brick\"\n$EndPhysicalNames\n$Entities\n";
  for (const std::uint64_t n : {1u, 0u, 1u, 1u}) append(s, n);
  append(s, std::int32_t{1});
  for (int i = 0; i < 3; ++i) append(s, 1.0);
  append(s, std::uint64_t{1}), append(s, std::int32_t{7});
  for (const std::int32_t tag : {5, 4}) {
    append(s, std::int32_t{1});
    for (int i = 0; i < 6; ++i) append(s, 0.0);
    append(s, std::uint64_t{1}), append(s, tag), append(s, std::uint64_t{0});
  }
  s += "\n$EndEntities\n$Nodes\n";
  for (const std::uint64_t n : {1u, 5u, 1u, 9u}) append(s, n);
  for (const std::int32_t n : {3, 1, 0}) append(s, n);
  append(s, std::uint64_t{5});
  for (const std::uint64_t n : {1u, 2u, 3u, 4u, 9u}) append(s, n);
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.}) append(s, x);
  s += "\n$EndNodes\n$Elements\n";
  for (const std::uint64_t n : {3u, 4u, 1u, 4u}) append(s, n);
  const auto block = [&s](std::int32_t dimension, std::int32_t type, std::vector<std::vector<std::uint64_t>> elements) {
    append(s, dimension), append(s, std::int32_t{1}), append(s, type), append(s, std::uint64_t{elements.size()});
    for (const auto& e : elements)
      for (const std::uint64_t n : e) append(s, n);
  };
  block(0, 15, {{1, 9}}), block(2, 2, {{2, 1, 2, 3}}), block(3, 4, {{3, 1, 2, 3, 4}, {4, 2, 3, 4, 9}});
  return s + "\n$EndElements\n";
}

std::string contents(const std::filesystem::path& path)
{
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class MeshFile {
public:
  mesh::MeshData read(const std::string& bytes)
  {
    std::filesystem::remove(path());  // some file systems flush a file that is truncated to be rewritten
    std::ofstream(path(), std::ios::binary) << bytes;
    return io::read_gmsh(path().string());
  }
  std::string error(const std::string& bytes)
  {
    try {
      read(bytes);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  std::filesystem::path path() const { return folder_.path() / "a.msh"; }

private:
  test::ScratchFolder folder_;
};

std::string binary_2(const MeshFile& file, const mesh::MeshData& mesh)
{
  io::write_gmsh(mesh, file.path().string());
  return contents(file.path());
}

/// The mesh as Gmsh lays it out: tetrahedra of volume 1 in group 4, numbered from 1.
std::string gmsh_file(const mesh::MeshData& mesh, bool four, bool binary)
{
  std::string s = fmt::format("$MeshFormat\n{} {} 8\n", four ? 4.1 : 2.2, binary ? 1 : 0);
  const auto put = [&s, binary](auto value) {
    if (binary)
      append(s, value);
    else
      s += fmt::format("{} ", value);
  };
  const auto put_tag = [&](std::uint64_t tag) {  // 4.1 has 64 bits for it
    if (four) return put(tag);
    put(static_cast<std::int32_t>(tag));
  };
  const auto put_point = [&](const Vec3& x) {
    for (const double xi : x) put(xi);
    if (!binary) s += "\n";
  };
  const auto put_counts = [&](std::uint64_t n) {  // 4.1: one block of all
    if (!four) return void(s += fmt::format("{}\n", n));
    for (const std::uint64_t count : {std::uint64_t{1}, n, std::uint64_t{1}, n}) put(count);
  };
  const std::uint64_t nodes = mesh.nodes.size(), tets = mesh.tets.size();
  if (binary) append(s, std::int32_t{1});
  s += "\n$EndMeshFormat\n";
  if (four) {
    s += "$Entities\n";
    for (const std::uint64_t n : {0u, 0u, 0u, 1u}) put(n);
    put(std::int32_t{1});
    for (int i = 0; i < 6; ++i) put(0.0);
    put(std::uint64_t{1}), put(std::int32_t{4}), put(std::uint64_t{0});
    s += "\n$EndEntities\n";
  }
  s += "$Nodes\n";
  put_counts(nodes);
  if (four) {
    for (const std::int32_t n : {3, 1, 0}) put(n);
    put(nodes);
    for (std::uint64_t n = 1; n <= nodes; ++n) put(n);
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    if (!four) put(static_cast<std::int32_t>(n + 1));
    put_point(mesh.nodes[n]);
  }
  s += "\n$EndNodes\n$Elements\n";
  put_counts(tets);
  if (four) {
    for (const std::int32_t n : {3, 1, 4}) put(n);
    put(tets);
  } else if (binary) {
    for (const std::int32_t n : {4, static_cast<int>(tets), 2}) put(n);
  }
  for (std::size_t e = 0; e < tets; ++e) {
    put_tag(e + 1);
    if (!four && !binary) s += "4 2 ";
    if (!four) put(std::int32_t{4}), put(std::int32_t{1});
    for (const GlobalIndex n : mesh.tets[e]) put_tag(static_cast<std::uint64_t>(n) + 1);
    if (!binary) s += "\n";
  }
  return s + "\n$EndElements\n";
}

void require_the_two(const mesh::MeshData& m)
{
  REQUIRE(m.nodes.size() == 5);
  REQUIRE(m.tets.size() == 2);
  REQUIRE(m.tets[1] == std::array<GlobalIndex, 4>{1, 2, 3, 4});
  REQUIRE(m.nodes[4] == Vec3(1, 1, 1));
  REQUIRE(m.element_sets.size() == 1);
  REQUIRE(m.element_sets[0].name == "brick");
  REQUIRE(m.element_sets[0].elements == std::vector<GlobalIndex>{0, 1});
  REQUIRE(m.face_sets.size() == 1);
  REQUIRE(m.face_sets[0].name == "base");
  REQUIRE(m.face_sets[0].faces[0] == std::array<GlobalIndex, 3>{0, 1, 2});
  std::vector<std::string> names;
  for (const auto& set : m.node_sets) names.push_back(set.name);
  std::sort(names.begin(), names.end());
  REQUIRE(names == std::vector<std::string>{"base", "tip"});
}

}  // namespace

TEST_CASE("both versions of the format, text and binary, give the same mesh", "[io][gmsh]")
{
  MeshFile file;
  const mesh::MeshData two = file.read(text_2);
  require_the_two(two);
  CHECK(two.node_labels[4] == 9);
  require_the_two(file.read(text_4));
  require_the_two(file.read(binary_4()));
  require_the_two(file.read(binary_2(file, two)));
}

TEST_CASE("a mesh comes back from a binary file of version 2 bit for bit", "[io][gmsh]")
{
  MeshFile file;
  const mesh::MeshData box = test::box_mesh(4, 3, 2, 0.1, 0.2);
  const mesh::MeshData back = file.read(binary_2(file, box));
  REQUIRE(back.tets == box.tets);
  for (std::size_t n = 0; n < box.nodes.size(); ++n) REQUIRE(back.nodes[n] == box.nodes[n]);
}

TEST_CASE("a hundred thousand elements come back from every kind of file", "[io][gmsh]")
{
  MeshFile file;
  const mesh::MeshData box = test::box_mesh(26, 26, 25, 0.1, 0.2);
  REQUIRE(box.tets.size() > 100000);
  for (const double version : {2.2, 4.1})
    for (const bool binary : {false, true}) {
      CAPTURE(version, binary);
      const mesh::MeshData back = file.read(gmsh_file(box, version > 4, binary));
      CHECK((back.tets == box.tets && back.element_labels == box.element_labels));
      CHECK((back.nodes == box.nodes && back.node_labels == box.node_labels));
      REQUIRE(back.element_sets.size() == 1);
      CHECK(back.element_sets[0].elements.size() == box.tets.size());
    }
}

TEST_CASE("what is wrong with a mesh file is said with its place", "[io][gmsh]")
{
  MeshFile file;
  const auto says = [&file](const std::string& bytes, const std::string& part) {
    const std::string message = file.error(bytes);
    CAPTURE(message, part);
    CHECK(message.find(part) != std::string::npos);
  };
  says("", "expected $MeshFormat, got an empty file");
  says("garbage", "expected a section mark such as $Nodes, got 'garbage'");
  says(test::replaced(text_2, "2.2 0 8", "3.0 0 8"), "$MeshFormat, line 2: expected version 2.2 or 4.1, got 3");
  says(test::replaced(text_2, "9 1 1 1", "9 nan 1 1"), "expected finite coordinates of node 9, got nan 1 1");
  says(test::replaced(text_2, "9 1 1 1", "9 x 1 1"), "$Nodes, line 16: expected a coordinate, got 'x'");
  says(test::replaced(text_2, "2 3 4 9", "2 3 4 8"), "expected nodes of element 4 among those of $Nodes, got node 8");
  says(test::replaced(text_2, "9 1 1 1", "4 1 1 1"), "expected each node once, got node 4 twice");
  says(test::replaced(text_2, "4 4 2 4", "4 5 2 4"), "got element type 5");
  says(test::replaced(text_2, "$Nodes\n5", "$Nodes\n5000000000"), "a number of nodes the file has room for");
  says(text_2.substr(0, text_2.size() - 16), "the end of the file");
  says(binary_4().substr(0, 500), "byte");
  CHECK_THROWS_WITH(io::read_gmsh("/no/such.msh"), Catch::Contains("expected a mesh file, cannot open it"));
}

TEST_CASE("no mutation of a mesh file is worse than an error", "[io][gmsh][fuzz]")
{
  MeshFile file;
  const std::vector<std::string> originals{text_2, text_4, binary_4(), binary_2(file, file.read(text_2))};
  int read = 0, refused = 0;
  for (std::uint64_t k = 0; k < 10000; ++k) {
    const std::string bytes = test::mutated(originals[k % 4], k);
    try {
      const mesh::MeshData m = file.read(bytes);
      for (const auto& tet : m.tets)
        for (const GlobalIndex n : tet) REQUIRE((n >= 0 && n < static_cast<GlobalIndex>(m.nodes.size())));
      for (const Vec3& x : m.nodes) REQUIRE(x.allFinite());
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 1000);
}

TEST_CASE("second-order elements of a text file are read by their corners", "[io][gmsh]")
{
  const test::ScratchFolder folder;
  const auto read = [&](std::string text, const std::string& tets, const std::string& triangles) {
    const auto put = [&text](const std::string& old_part, const std::string& new_part) {
      const std::size_t at = text.find(old_part);
      REQUIRE(at != std::string::npos);
      text.replace(at, old_part.size(), new_part);
    };
    if (!tets.empty()) {
      put("\n5\n1 0 0 0\n",
          "\n11\n10 0.5 0 0\n11 0.5 0.5 0\n12 0 0.5 0\n13 0 0 0.5\n14 0 0.5 0.5\n15 0.5 0 0.5\n1 0 0 0\n");
      put("3 4 2 4 1 1 2 3 4\n", tets), put("2 2 2 5 1 1 2 3\n", triangles);
    }
    const std::string file = (folder / "a.msh").string();
    std::ofstream(file) << text;
    return io::read_gmsh(file);
  };
  const mesh::MeshData linear = read(text_2, "", "");
  const mesh::MeshData second = read(text_2, "3 11 2 4 1 1 2 3 4 10 11 12 13 14 15\n", "2 9 2 5 1 1 2 3 10 11 12\n");
  CHECK_FALSE(linear.second_order);
  CHECK(second.second_order);
  REQUIRE(second.tets.size() == 2);
  for (std::size_t a = 0; a < 4; ++a)
    CHECK(second.nodes[static_cast<std::size_t>(second.tets[0][a])] ==
          linear.nodes[static_cast<std::size_t>(linear.tets[0][a])]);
  REQUIRE(second.face_sets.size() == 1);
  CHECK(second.face_sets[0].faces.size() == 1);
  for (const auto& set : second.node_sets)
    if (set.name == "base") CHECK(set.nodes.size() == 3);
}
