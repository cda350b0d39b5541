#include "io/surfaces/mesher.hpp"

#include "core/error.hpp"
#include "io/mesh_files/gmsh_writer.hpp"
#include "io/scratch_folder.hpp"
#include "mesh/mesh_check.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>

namespace {

using namespace sunder;

const std::string brick_geo = R"(algebraic3d
solid brick = orthobrick (0, 0, 0; 1, 0.5, 0.25);
tlo brick;
)";
constexpr double brick_volume = 0.125;

/// Outward triangles of the same brick, by corner numbers: bit 0 for x, bit 1 for y, bit 2 for z.
using Triangle = std::array<int, 3>;
const std::vector<Triangle> brick_surface{{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

Vec3 brick_corner(int n)
{
  return {n & 1 ? 1.0 : 0.0, n & 2 ? 0.5 : 0.0, n & 4 ? 0.25 : 0.0};
}

std::string text_stl(const std::vector<Triangle>& triangles)
{
  std::string s = "solid brick\n";
  for (const Triangle& t : triangles) {
    s += "facet normal 0 0 0\nouter loop\n";
    for (const int n : t)
      s += fmt::format("vertex {} {} {}\n", brick_corner(n).x(), brick_corner(n).y(), brick_corner(n).z());
    s += "endloop\nendfacet\n";
  }
  return s + "endsolid brick\n";
}

std::string binary_stl(const std::vector<Triangle>& triangles)
{
  std::string s(80, ' ');
  const auto append = [&s](const auto& value) { s.append(reinterpret_cast<const char*>(&value), sizeof value); };
  append(static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& t : triangles) {
    for (int i = 0; i < 3; ++i) append(0.0f);
    for (const int n : t)
      for (int i = 0; i < 3; ++i) append(static_cast<float>(brick_corner(n)[i]));
    append(std::uint16_t{0});
  }
  return s;
}

std::vector<Triangle> inside_out(std::vector<Triangle> triangles)
{
  for (Triangle& t : triangles) std::swap(t[1], t[2]);
  return triangles;
}

class Geometries {
public:
  std::string file(const std::string& name, const std::string& bytes) const
  {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  mesh::MeshData mesh(const std::string& name, const std::string& bytes, double size) const
  {
    mesh::MeshData data = io::mesh_geometry(file(name, bytes), size, 0.3);
    REQUIRE(mesh::check_mesh(data, mesh::Hinges::report).errors.empty());
    return data;
  }
  std::string error(const std::string& name, const std::string& bytes) const
  {
    try {
      io::mesh_geometry(file(name, bytes), 0.3, 0.3);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  std::string bytes_of(const mesh::MeshData& data) const
  {
    io::write_gmsh(data, path("written.msh"));
    return test::text_of(path("written.msh"));
  }

private:
  test::ScratchFolder folder_;
};

double volume(const mesh::MeshData& mesh)
{
  double sum = 0;
  for (const auto& tet : mesh.tets) {
    const auto x = [&](std::size_t a) { return mesh.nodes[static_cast<std::size_t>(tet[a])]; };
    sum += (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6;
  }
  return sum;
}

struct Edges {
  double mean = 0, longest = 0;
};

/// Over all elements' edges.
Edges edges(const mesh::MeshData& mesh)
{
  Edges edges;
  for (const auto& tet : mesh.tets)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const auto x = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(tet[k])]; };
        const double length = (x(a) - x(b)).norm();
        edges.mean += length / (6 * static_cast<double>(mesh.tets.size()));
        edges.longest = std::max(edges.longest, length);
      }
  return edges;
}

}  // namespace

TEST_CASE("a geometry gives the same mesh each time, byte by byte", "[io][mesher]")
{
  const Geometries g;
  CHECK(g.bytes_of(g.mesh("a.geo", brick_geo, 0.2)) == g.bytes_of(g.mesh("b.geo", brick_geo, 0.2)));
  const std::string stl = g.bytes_of(g.mesh("a.stl", text_stl(brick_surface), 0.2));
  CHECK(stl == g.bytes_of(g.mesh("b.stl", text_stl(brick_surface), 0.2)));
  CHECK(stl == g.bytes_of(g.mesh("binary.stl", binary_stl(brick_surface), 0.2)));
}

TEST_CASE("meshes fill the geometry with elements of the size asked for", "[io][mesher]")
{
  const Geometries g;
  for (const bool solid : {true, false}) {
    CAPTURE(solid);
    const auto mesh = [&](double size) {
      return solid ? g.mesh("a.geo", brick_geo, size) : g.mesh("a.stl", text_stl(brick_surface), size);
    };
    const mesh::MeshData coarse = mesh(0.2), fine = mesh(0.1);
    for (const mesh::MeshData& m : {coarse, fine}) CHECK(volume(m) == Approx(brick_volume).epsilon(1e-9));
    for (const auto& [m, size] : {std::pair{&coarse, 0.2}, std::pair{&fine, 0.1}}) {
      const Edges e = edges(*m);
      CAPTURE(size, e.mean, e.longest);
      CHECK(e.mean > 0.5 * size);
      CHECK(e.mean < 1.5 * size);
      CHECK(e.longest < 2.25 * size);
    }
    CHECK(fine.tets.size() > 4 * coarse.tets.size());
  }
}

TEST_CASE("a thin sheet in metres is meshed, alone and beside a thick one", "[io][mesher]")
{
  const Geometries g;
  for (const double thickness : {1e-3, 1e-4})
    for (const bool beside : {false, true}) {
      CAPTURE(thickness, beside);
      const std::string geo = fmt::format(
          "algebraic3d\nsolid a = orthobrick (0, 0, 0; 0.04, 0.08, {});\n"
          "solid b = orthobrick (0, 0, 0.01; 0.04, 0.08, 0.02);\ntlo a;\n{}",
          thickness, beside ? "tlo b;\n" : "");
      CHECK(volume(g.mesh("a.geo", geo, 0.01)) == Approx(0.04 * 0.08 * (thickness + 0.01 * beside)).epsilon(1e-9));
    }
}

TEST_CASE("a size that makes too many elements of a solid is refused before netgen tries", "[io][mesher]")
{
  const Geometries g;
  CHECK_THROWS_WITH(g.mesh("a.geo", brick_geo, 1e-5),
                    Catch::Contains("a.geo: expected a size that makes 1e+08 elements"));
}

TEST_CASE("what is wrong with a geometry is said with its name", "[io][mesher]")
{
  const Geometries g;
  const auto says = [&g](const std::string& name, const std::string& bytes, const std::string& part) {
    const std::string message = g.error(name, bytes);
    CAPTURE(message, part);
    CHECK(message.starts_with(g.path(name) + ": "));
    CHECK(message.find(part) != std::string::npos);
  };
  CHECK_THROWS_WITH(io::mesh_geometry("/no/such.geo", 0.3, 0.3),
                    Catch::Equals("/no/such.geo: expected a geometry file, found none"));
  says("a.txt", brick_geo, "expected a geometry that ends in .geo, .stl, .obj or .ply, got '.txt'");

  says("nothing.geo", "", "expected netgen's CSG with a top-level object (a line 'tlo NAME;'), found none");
  says("no_end.geo", "algebraic3d\ntlo brick\n", "expected ';' at the end of 'tlo brick'");
  says("word.geo", "algebraic3d\nsolid a = orthobrik (0, 0, 0; 1, 1, 1);\ntlo a;\n", "orthobrik");
  says("unknown.geo", "algebraic3d\nsolid a = orthobrick (0, 0, 0; 1, 1, 1);\ntlo b;\n", "b not defined");
  says("empty.geo", "algebraic3d\nsolid a = orthobrick (0, 0, 0; 1, 1, 1) and orthobrick (3, 3, 3; 4, 4, 4);\ntlo a;\n",
       "expected a solid with volume");

  std::vector<Triangle> open = brick_surface, one_turned = brick_surface;
  open.erase(open.begin() + 3);
  std::swap(one_turned[0][1], one_turned[0][2]);
  says("open.stl", text_stl(open), "the surface has a hole");
  says("one_turned.stl", text_stl(one_turned), "face different ways");
  says("inside_out.stl", text_stl(inside_out(brick_surface)), "the surface is inside out");
  says("nothing.stl", "", "expected a surface of triangles, got none");
  says("words.stl", "solid\nnone at all\n", "line 2: expected facet or endsolid");
  says("cut_short.stl", text_stl(brick_surface).substr(0, 400), "line ");
}
