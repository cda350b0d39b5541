#include "simulation/diagnostics/crack_surface.hpp"

#include "fracture/apply.hpp"
#include "io/frames/piece.hpp"
#include "simulation/diagnostics/cracks.hpp"
#include "support/by_hand.hpp"
#include "torn_box.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace {

using namespace sunder;

/// A block of 0.4 m with a crack through half of it, in the plane z = 0.2 from x = 0 to x = 0.2, made at 0.5 s.
simulation::State notched_block(const material::Material& material)
{
  const Comm alone(MPI_COMM_SELF);
  auto problem =
      test::distributed(alone, test::box_mesh(4, 4, 4, 0.1), {material}, test::by_method(partition::Method::hilbert));
  const mesh::TetMesh& mesh = problem.model.mesh;
  fracture::MeshDelta delta;
  delta.time = 0.5;
  for (LocalIndex n = 0, count = mesh.num_nodes(); n < count; ++n) {
    const Vec3 X = mesh.node(n).X;
    if (std::abs(X.z() - 0.2) < 1e-9 && X.x() < 0.15)
      fracture::apply_split(problem.model, test::split_below(mesh, n), delta);
  }
  fracture::refresh(problem.model, delta);
  return test::state_of(alone, std::move(problem));
}

const std::vector<double>& numbers(const io::Frame& frame, const std::string& name)
{
  const auto at = std::find_if(frame.element_fields.begin(), frame.element_fields.end(),
                               [&name](const io::Field& field) { return field.name == name; });
  return std::get<std::vector<double>>(at->values);
}

const std::vector<std::int32_t>& integers(const io::Frame& frame, const std::string& name)
{
  const auto at = std::find_if(frame.element_fields.begin(), frame.element_fields.end(),
                               [&name](const io::Field& field) { return field.name == name; });
  return std::get<std::vector<std::int32_t>>(at->values);
}

/// What does not depend on how the mesh is distributed.
struct Measured {
  std::int64_t faces = 0, front = 0, up = 0;
  double area = 0, front_length = 0;
  Vec3 sum = Vec3::Zero();
};

Measured measure(const simulation::State& state)
{
  const io::Frame frame = simulation::crack_surface(state, true);
  Measured m;
  const auto &area = numbers(frame, "Area"), &normal = numbers(frame, "Normal");
  for (std::size_t e = 0; e < frame.corners.size(); ++e) {
    REQUIRE(io::writer_of(frame, e) == state.comm.rank());
    if (integers(frame, "CrackFront")[e] != 0) {
      const auto& [a, b, none, neither] = frame.corners[e];
      REQUIRE(none == io::no_corner);
      ++m.front;
      m.front_length += (frame.points[static_cast<std::size_t>(a)] - frame.points[static_cast<std::size_t>(b)]).norm();
      continue;
    }
    ++m.faces;
    m.area += area[e];
    m.up += integers(frame, "Side")[e] > 0;
    m.sum += area[e] * Vec3(normal.data() + 3 * e);
  }
  Reduction all;
  all.sum(m.faces, m.front, m.up, m.area, m.front_length, m.sum);
  all.over(state.comm);
  return m;
}

}  // namespace

TEST_CASE("a notch has two sides, their area, and a front where they meet", "[diagnostics][cracks]")
{
  material::Material glass = test::chalk();
  glass.toughness_form = material::ToughnessForm::G_c, glass.toughness = 3;
  const simulation::State state = notched_block(glass);

  const Measured m = measure(state);
  CHECK(m.area == Approx(2 * 0.2 * 0.4));
  CHECK(m.sum.norm() < 1e-12);
  CHECK(m.faces == 2 * 2 * 2 * 4);
  CHECK(m.up == m.faces / 2);
  CHECK(m.front == 4);
  CHECK(m.front_length == Approx(0.4));
  const io::Frame frame = simulation::crack_surface(state, true);
  for (const double birth : numbers(frame, "BirthTime")) CHECK(birth == 0.5);

  const simulation::CrackTotals totals = simulation::local_crack_totals(state.model);
  CHECK(totals.faces == m.faces);
  CHECK(totals.area == Approx(m.area));
  CHECK(totals.area_of_known == totals.area);
  CHECK(totals.critical_energy == Approx(3 * 0.2 * 0.4));
  CHECK(simulation::largest_crack(state) == Approx(0.2 * 0.4).epsilon(1e-6));
}

TEST_CASE("a crack is as long as from where it began to its farthest point", "[diagnostics][cracks]")
{
  simulation::State state = notched_block(test::chalk());
  state.time = 1;
  const auto cracks = simulation::largest_cracks(state, 3, 0.25);
  REQUIRE(cracks.size() == 1);
  const simulation::Crack& crack = cracks[0];
  CHECK(crack.born == 0.5);
  CHECK(crack.area == Approx(0.2 * 0.4).epsilon(1e-6));
  CHECK(crack.linked_area == 0);
  CHECK((crack.origin - Vec3(0, 0, 0.2)).norm() < 1e-12);
  CHECK((crack.tip - Vec3(0.2, 0.4, 0.2)).norm() < 1e-12);
  CHECK(crack.length == Approx(std::hypot(0.2, 0.4)));
  CHECK(crack.speed == Approx(crack.length / 0.75));
  CHECK(simulation::largest_cracks(state, 3, 0.75).at(0).speed == 0);  // nothing since then
  CHECK(simulation::largest_cracks(state, 0, 0).empty());
}

TEST_CASE("two cracks apart are two, and the larger one counts", "[diagnostics][cracks]")
{
  // Each splits one node on a side of the block: a notch of the faces around it.
  const Comm alone(MPI_COMM_SELF);
  auto problem = test::distributed(alone, test::box_mesh(6, 4, 4, 0.1), {test::chalk()},
                                   test::by_method(partition::Method::hilbert));
  const mesh::TetMesh& mesh = problem.model.mesh;
  fracture::MeshDelta delta;
  for (LocalIndex n = 0, count = mesh.num_nodes(); n < count; ++n) {
    const Vec3 X = mesh.node(n).X;
    const bool small = (X - Vec3(0, 0.2, 0.2)).norm() < 1e-9, large = std::abs(X.z() - 0.2) < 1e-9 && X.x() > 0.55;
    if (small || large) fracture::apply_split(problem.model, test::split_below(mesh, n), delta);
  }
  fracture::refresh(problem.model, delta);
  const auto state = test::state_of(alone, std::move(problem));
  const simulation::CrackTotals totals = simulation::local_crack_totals(state.model);
  CHECK(simulation::largest_crack(state) == Approx(0.1 * 0.4).epsilon(1e-6));
  CHECK(totals.area / 2 > 0.1 * 0.4 + 0.005);
  const auto cracks = simulation::largest_cracks(state, 16, 0);
  REQUIRE(cracks.size() == 2);
  CHECK(cracks[0].area > cracks[1].area);
  CHECK(cracks[0].area + cracks[1].area == Approx(totals.area / 2).epsilon(1e-6));
  CHECK(simulation::largest_cracks(state, 1, 0).at(0).area == cracks[0].area);
}

TEST_CASE("a toughness that is no energy leaves what the surface takes unknown", "[diagnostics][cracks]")
{
  const simulation::CrackTotals totals = simulation::local_crack_totals(notched_block(test::chalk()).model);
  CHECK(totals.area > 0);
  CHECK(totals.area_of_known == 0);
  CHECK(totals.critical_energy == 0);
}

TEST_CASE("crack surfaces do not depend on the number of ranks", "[diagnostics][cracks][parallel]")
{
  const auto serial = test::torn_box(Comm(MPI_COMM_SELF), test::by_method(partition::Method::hilbert));
  const Measured expected = measure(serial);
  const double largest = simulation::largest_crack(serial);
  const auto expected_cracks = simulation::largest_cracks(serial, 16, 0.1);
  REQUIRE(!expected_cracks.empty());
  CHECK(expected_cracks[0].area == largest);
  CHECK(largest > expected.area / 8);
  CHECK(largest < expected.area / 2);
  REQUIRE(expected.faces > 50);
  REQUIRE(expected.front > 0);
  CHECK(expected.sum.norm() < 1e-12);
  for (const auto& owners : {test::by_method(partition::Method::metis), test::scattered(5)}) {
    const auto parallel = test::torn_box(Comm(), owners);
    const Measured m = measure(parallel);
    CHECK(m.faces == expected.faces);
    CHECK(simulation::largest_crack(parallel) == largest);
    const auto cracks = simulation::largest_cracks(parallel, 16, 0.1);
    REQUIRE(cracks.size() == (parallel.comm.rank() == 0 ? expected_cracks.size() : 0));
    for (std::size_t k = 0; k < cracks.size(); ++k)
      CHECK(simulation::crack_numbers(cracks[k]) == simulation::crack_numbers(expected_cracks[k]));
    CHECK(m.front == expected.front);
    CHECK(m.up == expected.up);
    CHECK(m.area == Approx(expected.area).epsilon(1e-12));
    CHECK(m.front_length == Approx(expected.front_length).epsilon(1e-12));
    simulation::CrackTotals totals = simulation::local_crack_totals(parallel.model);
    Reduction all;
    totals.join(all);
    all.over(parallel.comm);
    CHECK(totals.faces == expected.faces);
    CHECK(totals.area == Approx(expected.area).epsilon(1e-12));
  }
}
