#include "io/surfaces/surface_reader.hpp"

#include "core/error.hpp"
#include "io/mesh_files/changed_text.hpp"
#include "io/scratch_folder.hpp"
#include "io/surfaces/mesher.hpp"
#include "io/surfaces/surface_check.hpp"
#include "io/surfaces/surfaces.hpp"
#include "mesh/mesh_check.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cstring>

namespace {

using namespace sunder;
using io::TriangleSurface;

template <class T>
void append(std::string& out, T value, bool big = false)
{
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof value);
  if (big) std::reverse(raw.begin(), raw.end());
  out.append(raw.data(), raw.size());
}

std::string stl_text(const TriangleSurface& s)
{
  std::string out = "solid shape\n";
  for (const auto& t : s.triangles) {
    out += "facet normal 0 0 0\n outer loop\n";
    for (const auto n : t) out += fmt::format("  vertex {} {} {}\n", s.points[n].x(), s.points[n].y(), s.points[n].z());
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid shape\n";
}

std::string stl_binary(const TriangleSurface& s)
{
  std::string out(80, ' ');
  append(out, static_cast<std::uint32_t>(s.triangles.size()));
  for (const auto& t : s.triangles) {
    out += std::string(12, '\0');
    for (const auto n : t)
      for (const double x : s.points[n]) append(out, static_cast<float>(x));
    append(out, std::uint16_t{0});
  }
  return out;
}

std::string obj(const TriangleSurface& s)
{
  std::string out = "# a shape\nmtllib a.mtl\no shape\n";
  for (const Vec3& x : s.points) out += fmt::format("v {} {} {}\n", x.x(), x.y(), x.z());
  out += "vn 0 0 1\nvt 0 0\ns off\n";
  for (const auto& [a, b, c] : s.triangles)
    out += fmt::format("f {}/1/1 {}//1 -{}\n", a + 1, b + 1, s.points.size() - c);
  return out;
}

std::string ply(const TriangleSurface& s, const char* encoding)
{
  const std::string kind = encoding;
  const bool text = kind == "ascii", big = kind == "binary_big_endian";
  std::string out = fmt::format(
      "ply\nformat {} 1.0\ncomment a shape\nelement vertex {}\nproperty uchar red\nproperty double x\nproperty float "
      "y\n"
      "property double z\nelement face {}\nproperty list uchar int vertex_indices\nproperty short flag\nelement extra "
      "1\n"
      "property list ushort double values\nend_header\n",
      kind, s.points.size(), s.triangles.size());
  const auto put = [&](auto value) { text ? void(out += fmt::format("{} ", value)) : append(out, value, big); };
  const auto end = [&] { out += text ? "\n" : ""; };
  for (const Vec3& x : s.points) put(std::uint8_t{255}), put(x.x()), put(static_cast<float>(x.y())), put(x.z()), end();
  for (const auto& t : s.triangles) {
    put(std::uint8_t{3});
    for (const auto n : t) put(static_cast<std::int32_t>(n));
    put(std::int16_t{-7}), end();
  }
  put(std::uint16_t{2}), put(0.5), put(1.5), end();
  return out;
}

class Folder {
public:
  std::string put(const std::string& name, const std::string& bytes)
  {
    std::filesystem::remove(folder_ / name);  // some file systems flush a file that is truncated to be rewritten
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  TriangleSurface read(const std::string& name, const std::string& bytes) { return io::read_surface(put(name, bytes)); }
  std::string error(const std::string& name, const std::string& bytes)
  {
    try {
      read(name, bytes);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

private:
  test::ScratchFolder folder_;
};

std::string replaced(std::string s, const std::string& what, const std::string& with)
{
  const std::size_t at = s.find(what);
  REQUIRE(at != std::string::npos);
  return s.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("every format gives the same surface", "[io][surface]")
{
  Folder folder;
  const TriangleSurface cube = test::cube({0.25, -0.5, 2});
  const std::vector<std::pair<std::string, std::string>> indexed{{"a.obj", obj(cube)},
                                                                 {"a.ply", ply(cube, "ascii")},
                                                                 {"b.ply", ply(cube, "binary_little_endian")},
                                                                 {"c.ply", ply(cube, "binary_big_endian")}};
  for (const auto& [name, bytes] : indexed) {
    CAPTURE(name);
    const TriangleSurface s = folder.read(name, bytes);
    CHECK(s.points == cube.points);
    CHECK(s.triangles == cube.triangles);
    CHECK(s.labels == cube.labels);
  }
  for (const auto& bytes : {stl_text(cube), stl_binary(cube)}) {
    TriangleSurface s = folder.read("a.stl", bytes);
    CHECK(s.points.size() == 36);
    io::weld(s, 0);
    REQUIRE(s.points.size() == 8);
    CHECK(io::check_surface(s).empty());
    CHECK(test::volume(s) == Approx(1));
  }
}

TEST_CASE("the digits of a file are kept, as far as its numbers have them", "[io][surface]")
{
  Folder folder;
  const TriangleSurface far = test::cube({1000.123456789, -0.1, 1.0 / 3}, 1e-3);
  CHECK(folder.read("a.obj", obj(far)).points == far.points);
  const TriangleSurface text = folder.read("a.stl", stl_text(far)), binary = folder.read("b.stl", stl_binary(far));
  const TriangleSurface numbers =
      folder.read("a.ply", ply(far, "binary_big_endian"));  // x and z are doubles, y is a float
  for (std::size_t t = 0; t < far.triangles.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      const Vec3& x = far.points[far.triangles[t][a]];
      CHECK(text.points[text.triangles[t][a]] == x);
      CHECK(binary.points[binary.triangles[t][a]] == x.cast<float>().cast<double>());
      CHECK(numbers.points[numbers.triangles[t][a]] == Vec3(x.x(), static_cast<float>(x.y()), x.z()));
    }
}

TEST_CASE("polygons of a file become triangles with the polygon's number", "[io][surface]")
{
  Folder folder;
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n";
  for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"})
    text += fmt::format("f {}\n", face);
  const TriangleSurface s = folder.read("a.obj", text);
  CHECK(s.triangles.size() == 12);
  CHECK(s.labels == std::vector<std::uint64_t>{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6});
  CHECK(io::check_surface(s).empty());
  CHECK(test::volume(s) == Approx(1));
}

TEST_CASE("points nearer than a distance are welded, whatever cell they are in", "[io][surface]")
{
  TriangleSurface s;
  for (std::uint32_t k = 0; k < 1000; ++k) {
    const double x = 0.001 * k;
    s.points.emplace_back(x, -x, x), s.points.emplace_back(x + 4e-5, -x - 4e-5, x - 4e-5);
    s.points.emplace_back(x + 3e-4, -x, x);
    s.triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
  }
  io::weld(s, 1e-4);
  CHECK(s.points.size() == 2000);
  for (const auto& t : s.triangles) REQUIRE((t[0] == t[1] && t[0] != t[2]));
}

TEST_CASE("what is wrong with a surface file is said with its place", "[io][surface]")
{
  Folder folder;
  const TriangleSurface cube = test::cube();
  const auto says = [&folder](const std::string& name, const std::string& bytes, const std::string& part) {
    const std::string message = folder.error(name, bytes);
    CAPTURE(message, part);
    CHECK(message.find(part) != std::string::npos);
  };
  says("a.stl", "rubbish", "a.stl: line 1: expected solid (text), or the size a binary file's header asks for");
  says("a.stl", replaced(stl_text(cube), "vertex", "vortex"), "a.stl: line 4: expected vertex, got 'vortex'");
  says("a.stl", stl_text(cube).substr(0, 100), "a.stl: line ");
  says("a.stl", stl_binary(cube).substr(0, 300), "a.stl: line 1: expected solid");
  TriangleSurface nan = cube;
  nan.points[7].z() = std::nan("");
  says("a.stl", stl_binary(nan), "expected finite coordinates of triangle 3, got 1 1 nan");
  says("a.obj", obj(nan), "a.obj: line 11: expected finite coordinates, got 1 1 nan");
  says("a.obj", "v 0 0\n", "a.obj: line 1: expected a coordinate, got the end of the line");
  says("a.obj", "v 0 0 0\nf 1 1 2\n", "a.obj: line 2: expected a point from 1 to 1 or -1 to -1, got 2");
  says("a.obj", "v 0 0 0\nf 1 1 0\n", "got 0");
  says("a.obj", "v 0 0 0\nf 1 1\n", "a.obj: line 2: expected a face of 3 to 1000 corners, got 2");
  says("a.obj", "curv 1 2\n", "a.obj: line 1: expected a statement of polygonal OBJ such as v or f, got 'curv'");
  const std::string text = ply(cube, "ascii"), binary = ply(cube, "binary_big_endian");
  says("a.ply", "plx\n", "a.ply: line 1: expected ply, got 'plx'");
  says("a.ply", replaced(text, "ascii", "utf8"), "line 2: expected ascii, binary_little_endian or binary_big_endian");
  says("a.ply", replaced(text, "vertex 8", "vertex 88888888"),
       "line 4: expected a number of elements the file has room");
  says("a.ply", replaced(text, "3 0 2 3", "3 0 2 8"), "a.ply: line 23: expected a vertex from 0 to 7, got 8");
  says("a.ply", replaced(text, "3 0 2 3", "9999 0 2 3"), "expected a length of list vertex_indices the file has room");
  says("a.ply", ply(nan, "ascii"), "expected finite coordinates of vertex 7, got 1 1 nan");
  says("a.ply", binary.substr(0, binary.size() - 60), "a.ply: byte ");
  CHECK_THROWS_WITH(io::read_surface("/no/such.obj"), Catch::Contains("expected a surface, cannot open it"));
}

TEST_CASE("a surface is filled with tetrahedra, whichever file it comes in", "[io][surface]")
{
  Folder folder;
  const TriangleSurface sphere = test::sphere(24, 12);
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"a.obj", obj(sphere)},
                                    {"a.ply", ply(sphere, "binary_little_endian")},
                                    {"a.stl", stl_binary(sphere)}}) {
    CAPTURE(name);
    mesh::MeshData m = io::mesh_geometry(folder.put(name, bytes), 0.25, 0.3);
    CHECK(mesh::check_mesh(m, mesh::Hinges::report).errors.empty());
    double volume = 0;
    for (const auto& tet : m.tets) {
      std::array<Vec3, 4> x;
      for (std::size_t a = 0; a < 4; ++a) x[a] = m.nodes[static_cast<std::size_t>(tet[a])];
      volume += (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
    }
    CHECK(volume == Approx(test::volume(sphere)).epsilon(0.05));
  }
  TriangleSurface inward = sphere;
  io::flip(inward);
  const std::string file = folder.put("b.obj", obj(inward));
  CHECK_THROWS_WITH(io::mesh_geometry(file, 0.5, 0.3), Catch::Contains("b.obj: the surface is inside out"));
  CHECK_FALSE(io::mesh_geometry(file, 0.5, 0.3, io::Facing::flipped).tets.empty());
  CHECK_THROWS_WITH(
      io::mesh_geometry(file, 1e-3, 0.3, io::Facing::flipped),
      Catch::Contains("b.obj: expected a size that makes 1e+08 elements at most, got 0.001: some 2.4e+10"));
}

TEST_CASE("a wall that is too thin for the size asked for is an error that says so", "[io][surface]")
{
  Folder folder;
  const TriangleSurface outside = test::sphere(24, 12);
  TriangleSurface wall = outside;
  const auto first = static_cast<std::uint32_t>(wall.points.size());
  for (const Vec3& x : outside.points) wall.points.push_back(0.98 * x);
  for (const auto& [a, b, c] : outside.triangles) wall.triangles.push_back({first + a, first + c, first + b});
  wall.labels.insert(wall.labels.end(), outside.labels.begin(), outside.labels.end());
  CHECK_THROWS_WITH(
      io::mesh_geometry(folder.put("wall.obj", obj(wall)), 0.4, 0.3),
      Catch::Contains("wall.obj: netgen made no mesh of size 0.4 (") && Catch::Contains("; try another size"));
}

TEST_CASE("no mutation of a surface file is worse than an error", "[io][surface][fuzz]")
{
  Folder folder;
  const TriangleSurface cube = test::cube();
  const std::vector<std::pair<std::string, std::string>> originals{
      {"a.obj", obj(cube)},      {"b.ply", ply(cube, "ascii")}, {"c.ply", ply(cube, "binary_little_endian")},
      {"d.stl", stl_text(cube)}, {"e.stl", stl_binary(cube)},   {"f.ply", ply(cube, "binary_big_endian")}};
  int read = 0, sound = 0, refused = 0;
  for (std::uint64_t k = 0; k < 10000; ++k) {
    const auto& [name, bytes] = originals[k % originals.size()];
    try {
      TriangleSurface s = folder.read(name, test::mutated(bytes, k));
      REQUIRE(s.labels.size() == s.triangles.size());
      for (const auto& t : s.triangles)
        for (const auto n : t) REQUIRE(n < s.points.size());
      for (const Vec3& x : s.points) REQUIRE(x.allFinite());
      io::weld(s, 1e-6);
      sound += io::check_surface(s).empty() ? 1 : 0;
      ++read;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(read > 500);
  CHECK(sound > 100);
  CHECK(refused > 1000);
}
