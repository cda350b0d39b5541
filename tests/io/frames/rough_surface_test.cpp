#include "io/frames/rough_surface.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace {

using namespace sunder;
using io::EdgeDivision;

constexpr EdgeDivision none = EdgeDivision::none, straight = EdgeDivision::straight, rough = EdgeDivision::rough;

using Triangle = std::array<std::array<double, 3>, 3>;

std::array<double, 3> plain(const Vec3& x)
{
  return {x.x(), x.y(), x.z()};
}

Vec3 at_place(const std::vector<Vec3>& places, LocalIndex n)
{
  return places[static_cast<std::size_t>(n)];
}

/// Corners in the material, the least first, so that equal triangles with one orientation are equal.
std::vector<Triangle> triangles_of(const io::RoughSurface& surface)
{
  std::vector<Triangle> all;
  for (const Tet& corners : surface.frame.corners) {
    Triangle t;
    for (std::size_t k = 0; k < 3; ++k) t[k] = plain(at_place(surface.material, corners[k]));
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    all.push_back(t);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// A tetrahedron, of which some faces are rough. Edges of others are straight where they meet a rough one.
io::RoughSurface tetrahedron(std::set<std::size_t> rough_faces, std::uint64_t first_id = 0)
{
  io::RoughSurface s;
  s.material = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.1, 0}, {0.3, 0.2, 0.9}};
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()));
  io::Field distance{"Distance", "m", 1, std::vector<double>()};
  for (std::size_t n = 0; n < 4; ++n) {
    s.world.push_back(turn * s.material[n] + Vec3(3, 4, 5)), s.gradient.push_back(turn.toRotationMatrix());
    s.frame.node_id.push_back(first_id + n), s.frame.node_owner.push_back(static_cast<Rank>(n + 1));
    std::get<std::vector<double>>(distance.values).push_back(Vec3(1, 2, 3).dot(s.material[n]));
  }
  s.frame.node_fields = {distance};
  const std::array<std::array<LocalIndex, 3>, 4> faces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
  std::map<std::set<LocalIndex>, std::pair<int, int>> faces_of_edge;  // rough, others
  for (std::size_t f = 0; f < 4; ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      auto& [crack, skin] = faces_of_edge[{faces[f][k], faces[f][(k + 1) % 3]}];
      ++(rough_faces.contains(f) ? crack : skin);
    }
  std::vector<std::int32_t> number;
  for (std::size_t f = 0; f < 4; ++f) {
    s.frame.corners.push_back({faces[f][0], faces[f][1], faces[f][2], io::no_corner});
    s.frame.element_id.push_back(70 + f), number.push_back(static_cast<std::int32_t>(f));
    s.rough.push_back(rough_faces.contains(f));
    auto& edges = s.edges.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [crack, skin] = faces_of_edge.at({faces[f][k], faces[f][(k + 1) % 3]});
      edges[k] = crack == 0 ? none : skin > 0 ? straight : rough;
    }
  }
  s.frame.element_fields = {{"Face", "", 1, std::move(number)}};
  return s;
}

double volume_of(const io::RoughSurface& s, const std::vector<Vec3>& places)
{
  double volume = 0;
  for (const auto& [a, b, c, end] : s.frame.corners)
    volume += at_place(places, a).dot(at_place(places, b).cross(at_place(places, c))) / 6;
  return volume;
}

}  // namespace

TEST_CASE("a subdivided surface is closed: every edge has two triangles, one on either side", "[io][rough_surface]")
{
  const std::set<std::size_t> rough_faces = GENERATE(std::set<std::size_t>{0}, std::set<std::size_t>{1, 2},
                                                     std::set<std::size_t>{0, 1, 3}, std::set<std::size_t>{0, 1, 2, 3});
  const std::int64_t levels = GENERATE(1, 2, 3);
  io::RoughSurface s = tetrahedron(rough_faces);
  const double before = volume_of(s, s.material);
  io::subdivide(s, {levels, 0.15, 1});
  std::map<std::pair<LocalIndex, LocalIndex>, int> edges;
  std::set<LocalIndex> used;
  std::map<std::int32_t, std::size_t> parts;
  for (std::size_t t = 0; t < s.frame.corners.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k)
      ++edges[{s.frame.corners[t][k], s.frame.corners[t][(k + 1) % 3]}], used.insert(s.frame.corners[t][k]);
    ++parts[std::get<std::vector<std::int32_t>>(s.frame.element_fields[0].values)[t]];
  }
  for (const auto& [edge, count] : edges) {
    REQUIRE(count == 1);
    REQUIRE((edges.count({edge.second, edge.first}) == 1));
  }
  CHECK(used.size() + s.frame.corners.size() == edges.size() / 2 + 2);  // Euler, of a sphere
  CHECK(s.frame.node_id.size() == used.size());
  CHECK((std::set<NodeId>(s.frame.node_id.begin(), s.frame.node_id.end()).size() == used.size()));
  for (const std::size_t f : rough_faces)
    CHECK(parts[static_cast<std::int32_t>(f)] == (std::size_t{1} << (2 * static_cast<std::size_t>(levels))));
  CHECK(volume_of(s, s.material) == Approx(before).epsilon(0.15));
  const bool displaced = levels > 1 || rough_faces.size() > 1;  // the edges of a face among skin are straight
  CHECK((std::abs(volume_of(s, s.material) - before) > 1e-4 * before) == displaced);
  CHECK(volume_of(s, s.world) == Approx(volume_of(s, s.material)).epsilon(1e-12));
}

TEST_CASE("faces that are not rough stay where they are", "[io][rough_surface]")
{
  io::RoughSurface s = tetrahedron({0, 1});
  const std::vector<Vec3> X = s.material;
  io::subdivide(s, {3, 0.15, 1});
  const auto& face = std::get<std::vector<std::int32_t>>(s.frame.element_fields[0].values);
  double area = 0, off = 0;
  for (std::size_t t = 0; t < s.frame.corners.size(); ++t) {
    const auto& [a, b, c, end] = s.frame.corners[t];
    REQUIRE(s.frame.element_id[t] == ElementId(70 + static_cast<std::uint64_t>(face[t])));
    if (face[t] == 3) {  // in the plane z = 0
      REQUIRE(at_place(s.material, a).z() == 0);
      area += (at_place(s.material, b) - at_place(s.material, a))
                  .cross(at_place(s.material, c) - at_place(s.material, a))
                  .norm();
    }
    if (face[t] == 0)
      off =
          std::max(off, std::abs((at_place(s.material, a) - X[1]).dot((X[2] - X[1]).cross(X[3] - X[1]).normalized())));
  }
  CHECK(area == Approx((X[1] - X[0]).cross(X[2] - X[0]).norm()).epsilon(1e-14));
  CHECK(off > 0.02);
}

TEST_CASE("both sides of a crack get the same shape, bit for bit", "[io][rough_surface]")
{
  const auto side = [](std::array<LocalIndex, 3> corners, std::uint64_t first_id) {
    io::RoughSurface s = tetrahedron({0}, first_id);
    if (first_id > 0) std::reverse(s.frame.node_id.begin(), s.frame.node_id.end());
    s.frame.corners = {{corners[0], corners[1], corners[2], io::no_corner}};
    s.frame.element_id.resize(1), s.rough = {1}, s.edges = {{rough, rough, rough}};
    std::get<std::vector<std::int32_t>>(s.frame.element_fields[0].values).resize(1);
    return s;
  };
  io::RoughSurface one = side({1, 2, 3}, 0), other = side({2, 1, 3}, 1000), another_seed = side({1, 2, 3}, 0);
  const io::SurfaceDetail detail{4, 0.2, 7};
  io::subdivide(one, detail), io::subdivide(other, detail), io::subdivide(another_seed, {4, 0.2, 8});
  for (Tet& corners : other.frame.corners) std::swap(corners[0], corners[1]);
  CHECK(one.frame.corners.size() == 256);
  CHECK(triangles_of(one) == triangles_of(other));
  CHECK(triangles_of(one) != triangles_of(another_seed));
}

TEST_CASE("new points move with the material, and have the mean of fields", "[io][rough_surface]")
{
  io::RoughSurface s = tetrahedron({0, 1, 2, 3});
  const Mat3 turn = s.gradient[0];
  const double roughness = GENERATE(0.0, 0.25);
  io::subdivide(s, {3, roughness, 3});
  const auto& distance = std::get<std::vector<double>>(s.frame.node_fields[0].values);
  double displaced = 0;
  for (std::size_t n = 0; n < s.material.size(); ++n) {
    REQUIRE((s.world[n] - turn * s.material[n] - Vec3(3, 4, 5)).norm() < 1e-14);
    displaced = std::max(displaced, std::abs(distance[n] - Vec3(1, 2, 3).dot(s.material[n])));
  }
  CHECK((roughness > 0 ? displaced > 0.1 : displaced < 1e-14));
}

TEST_CASE("the rank that writes a triangle writes its parts", "[io][rough_surface]")
{
  io::RoughSurface s = tetrahedron({0, 2});
  std::vector<Rank> writers;
  for (std::size_t t = 0; t < 4; ++t) writers.push_back(io::writer_of(s.frame, t));
  io::subdivide(s, {3, 0.15, 1});
  const auto& face = std::get<std::vector<std::int32_t>>(s.frame.element_fields[0].values);
  for (std::size_t t = 0; t < s.frame.corners.size(); ++t)
    REQUIRE(io::writer_of(s.frame, t) == writers[static_cast<std::size_t>(face[t])]);
}
