#include "simulation/diagnostics/detailed_surface.hpp"

#include "core/hash.hpp"
#include "fracture/split_stars.hpp"
#include "io/frames/outer_surface.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/diagnostics/totals.hpp"
#include "torn_box.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace {

using namespace sunder;

constexpr io::SurfaceDetail detail{2, 0.15, 1};

/// A box of 0.5 x 0.4 x 0.4 m, in which every cell of a coarse pattern is a fragment. Each moves as a rigid body.
simulation::State shattered(const Comm& comm, const test::Owners& owners)
{
  auto problem = test::distributed(comm, test::box_mesh(5, 4, 4, 0.1, 0.25, 3), {test::chalk()}, owners);
  const mesh::TetMesh& mesh = problem.model.mesh;
  const auto cell = [&mesh](LocalIndex e) {
    const auto [a, b, c, d] = mesh.corners(e);
    const Vec3 x = (a + b + c + d) / 4 / 0.17;
    return combine(combine(combine(0, std::floor(x.x())), std::floor(x.y())), std::floor(x.z()));
  };
  std::vector<LocalIndex> nodes(static_cast<std::size_t>(mesh.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  fracture::part_faces(
      problem.model, *problem.halo, nodes, [&](LocalIndex e, LocalIndex f) { return cell(e) == cell(f); }, 0.5);
  simulation::State state = test::state_of(comm, std::move(problem));
  for (LocalIndex n = 0; n < state.model.mesh.num_nodes(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    const auto key = static_cast<std::uint64_t>(state.model.history[k].fragment);
    const Vec3 axis = test::random_vector(5, key);
    const Vec3 X = state.model.mesh.node(n).X;
    state.model.p[k].set_xyz(Eigen::AngleAxisd(axis.norm(), axis.normalized()) * X + 3 * test::random_vector(6, key));
  }
  return state;
}

const io::Field& field(const std::vector<io::Field>& fields, const std::string& name)
{
  return *std::find_if(fields.begin(), fields.end(), [&](const io::Field& f) { return f.name == name; });
}

/// A detailed surface, and places of its points.
struct Surface {
  io::Frame frame;
  std::vector<std::int32_t> cracks;
  std::vector<std::int64_t> fragments;

  Surface(const simulation::State& state, const io::SurfaceDetail& how, bool reference)
    : frame(simulation::detailed_surface(state, simulation::frame_of(state, {{"Speed"}}), how, reference)),
      cracks(std::get<std::vector<std::int32_t>>(field(frame.element_fields, "CrackFace").values)),
      fragments(std::get<std::vector<std::int64_t>>(field(frame.element_fields, "Fragment").values))
  {
  }
  Vec3 vector(const std::string& name, LocalIndex n) const
  {
    return Vec3(std::get<std::vector<double>>(field(frame.node_fields, name).values).data() + 3 * n);
  }
  Vec3 point(LocalIndex n) const { return frame.points[static_cast<std::size_t>(n)]; }
};

std::uint64_t hash_of(std::uint64_t key, const Vec3& x)
{
  for (const double c : x) key = combine(key, c);
  return key;
}

/// Sums of hashes over all ranks, modulo 2^64.
struct Fingerprint {
  std::int64_t triangles = 0, of_cracks = 0;
  std::uint64_t contents = 0;  // of all points, fields of nodes and elements
  std::uint64_t sides = 0;     // of crack faces in the material, those of the other side with a minus
  std::uint64_t edges = 0;     // of all edges, backwards with a minus
};

Fingerprint fingerprint(const Surface& s, const Comm& comm)
{
  Fingerprint f;
  for (std::size_t t = 0; t < s.frame.corners.size(); ++t) {
    ++f.triangles, f.of_cracks += s.cracks[t];
    std::array<LocalIndex, 3> corners{s.frame.corners[t][0], s.frame.corners[t][1], s.frame.corners[t][2]};
    std::uint64_t content = combine(s.frame.element_id[t].low, static_cast<std::uint64_t>(s.fragments[t]));
    std::array<std::pair<std::array<double, 3>, LocalIndex>, 3> in_material;
    for (std::size_t k = 0; k < 3; ++k) {
      const LocalIndex n = corners[k], next = corners[(k + 1) % 3];
      const NodeId a = s.frame.node_id[static_cast<std::size_t>(n)],
                   b = s.frame.node_id[static_cast<std::size_t>(next)];
      f.edges += a < b ? combine(a.high ^ a.low, b.high ^ b.low) : -combine(b.high ^ b.low, a.high ^ a.low);
      const Vec3 X = s.vector("MaterialPosition", n);
      in_material[k] = {{X.x(), X.y(), X.z()}, static_cast<LocalIndex>(k)};
      content += hash_of(hash_of(hash_of(a.high, X), s.point(n)), s.vector("Displacement", n));
    }
    f.contents += mix(content);
    std::sort(in_material.begin(), in_material.end());
    const LocalIndex first = in_material[0].second, second = in_material[1].second;
    std::uint64_t triangle = 0;
    for (const auto& [X, k] : in_material) triangle = hash_of(triangle, Vec3(X.data()));
    if (s.cracks[t] != 0) f.sides += (second - first + 3) % 3 == 1 ? triangle : -triangle;
  }
  Reduction all;
  all.sum(f.triangles, f.of_cracks, f.contents, f.sides, f.edges);
  all.over(comm);
  return f;
}

/// By fragment, over all ranks.
std::vector<double> volumes(const Surface& s, const simulation::State& state)
{
  std::vector<double> volume(static_cast<std::size_t>(state.comm.max(state.fragments)), 0);
  for (std::size_t t = 0; t < s.frame.corners.size(); ++t) {
    const auto& [a, b, c, end] = s.frame.corners[t];
    volume.at(static_cast<std::size_t>(s.fragments[t])) += s.point(a).dot(s.point(b).cross(s.point(c))) / 6;
  }
  for (double& v : volume) v = state.comm.sum(v);
  return volume;
}

}  // namespace

TEST_CASE("detail is the same on both sides, closed, and the same on any number of ranks",
          "[diagnostics][surface][parallel]")
{
  const auto expected_state = shattered(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
  const bool reference = GENERATE(false, true);
  const Fingerprint expected = fingerprint(Surface(expected_state, detail, reference), expected_state.comm);
  REQUIRE(expected_state.fragments > 20);
  for (const auto& owners : {test::by_method(partition::Method::metis), test::scattered(5)}) {
    const auto state = shattered(Comm(), owners);
    const std::uint64_t hash = simulation::state_hash(state.model, state.comm);
    const Surface surface(state, detail, reference);
    const Fingerprint found = fingerprint(surface, state.comm);
    CHECK(found.edges == 0);
    CHECK(found.sides == 0);
    CHECK(found.contents == expected.contents);
    CHECK(found.triangles == expected.triangles);
    CHECK(found.of_cracks == 16 * fingerprint(Surface(state, {}, reference), state.comm).of_cracks);
    CHECK(simulation::state_hash(state.model, state.comm) == hash);
  }
}

TEST_CASE("detail changes the volume of a fragment by little, and that of all not", "[diagnostics][surface][parallel]")
{
  const auto state = shattered(Comm(), test::scattered(5));
  const auto before = volumes(Surface(state, {}, false), state), after = volumes(Surface(state, detail, false), state);
  double all_before = 0, all_after = 0;
  double num_large = 0, mean_change = 0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    const bool large = before[k] > 10 * 0.1 * 0.1 * 0.1 / 6;  // than ten elements
    CHECK(after[k] == Approx(before[k]).epsilon(large ? 0.1 : 0.5));
    if (large) ++num_large, mean_change += std::abs(after[k] / before[k] - 1);
    all_before += before[k], all_after += after[k];
  }
  CHECK(num_large > 10);
  CHECK(mean_change / num_large < 0.04);
  CHECK(all_before == Approx(0.5 * 0.4 * 0.4).epsilon(1e-12));
  CHECK(all_after == Approx(all_before).epsilon(1e-12));
}

TEST_CASE("detail moves as the fragment does, and leaves the skin where it is", "[diagnostics][surface][parallel]")
{
  const auto state = shattered(Comm(), test::scattered(5));
  const Surface s(state, detail, false);
  double skin = 0, displaced = 0;
  for (std::size_t t = 0; t < s.frame.corners.size(); ++t) {
    const auto key = static_cast<std::uint64_t>(s.fragments[t]);
    const Vec3 axis = test::random_vector(5, key);
    std::array<Vec3, 3> X;
    for (std::size_t k = 0; k < 3; ++k) {
      const LocalIndex n = s.frame.corners[t][k];
      X[k] = s.vector("MaterialPosition", n);
      const Vec3 moved = Eigen::AngleAxisd(axis.norm(), axis.normalized()) * X[k] + 3 * test::random_vector(6, key);
      displaced = std::max(displaced, (s.point(n) - moved).norm());
      displaced = std::max(displaced, (s.point(n) - X[k] - s.vector("Displacement", n)).norm());
    }
    const Vec3 area = (X[1] - X[0]).cross(X[2] - X[0]) / 2;
    if (s.cracks[t] == 0)
      skin += area.norm(), displaced = std::max(displaced, area.norm() - area.cwiseAbs().maxCoeff());
  }
  CHECK(displaced < 1e-13);
  CHECK(state.comm.sum(skin) == Approx(2 * (0.5 * 0.4 * 2 + 0.4 * 0.4)).epsilon(1e-12));
}

TEST_CASE("detail of a body whose elements were cut is closed, and the same on any number of ranks",
          "[diagnostics][surface][parallel]")
{
  const auto expected_state = test::torn_box(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
  const Fingerprint expected = fingerprint(Surface(expected_state, detail, false), expected_state.comm);
  REQUIRE(expected.of_cracks > 16 * 50);
  CHECK(expected.edges == 0);
  for (const auto& owners : {test::by_method(partition::Method::metis), test::scattered(5)}) {
    const auto state = test::torn_box(Comm(), owners);
    const Fingerprint found = fingerprint(Surface(state, detail, false), state.comm);
    CHECK(found.contents == expected.contents);
    CHECK(found.edges == 0);
  }
}
