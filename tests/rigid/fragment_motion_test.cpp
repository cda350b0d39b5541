#include "rigid/fragment_motion.hpp"

#include "support/problem.hpp"

#include <catch2/catch.hpp>

using namespace sunder;

namespace {

/// Of this rank, of points in turn to ranks: a fragment that turns and flies, with momentum in two parts.
std::vector<rigid::Contribution> turning(const Comm& comm, std::int64_t fragment, int points, bool on_line)
{
  const Vec3 velocity(1, -2, 3), spin(0.5, 4, -1), axis(1, 2, 2);
  std::vector<rigid::Contribution> all;
  for (int k = 0; k < points; ++k) {
    if (k % comm.size() != comm.rank()) continue;
    const Vec3 r = test::random_vector(4, static_cast<std::uint64_t>(k)), x = on_line ? Vec3(r.x() * axis) : r;
    const double mass = 1 + 0.3 * k;
    const Vec3 momentum = mass * (velocity + spin.cross(x));
    all.push_back({fragment, mass, x, 0.25 * momentum});
    all.push_back({fragment, 0, x, 0.75 * momentum});
  }
  return all;
}

}  // namespace

TEST_CASE("a fragment that moves as a rigid body is fitted exactly", "[lattice][parallel]")
{
  const Comm comm;
  const std::vector<std::int64_t> shared{5, 9};
  auto all = turning(comm, 5, 12, false);
  const auto more = turning(comm, 9, 3, true);
  all.insert(all.end(), more.begin(), more.end());
  const Vec3 origin = GENERATE(Vec3(0, 0, 0), Vec3(3, -2, 5));
  const auto motions = rigid::fit_fragments(comm, all, shared, origin);
  const Vec3 velocity(1, -2, 3), spin(0.5, 4, -1), axis = Vec3(1, 2, 2).normalized();
  const auto& body = motions.at(5);
  CHECK((body.spin - spin).norm() < 1e-11);
  CHECK((body.velocity_at(Vec3(0.3, 0.2, 0.1)) - velocity - spin.cross(Vec3(0.3, 0.2, 0.1))).norm() < 1e-11);
  const auto& rod = motions.at(9);  // what turns it about itself cannot be seen
  CHECK((rod.spin - (spin - spin.dot(axis) * axis)).norm() < 1e-11);
}

TEST_CASE("momentum and angular momentum are kept whatever the elements' velocities", "[lattice][parallel]")
{
  const Comm comm;
  std::vector<rigid::Contribution> all;
  Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero(), fitted = Vec3::Zero();
  double mass = 0;
  std::vector<std::pair<double, Vec3>> masses;
  for (int k = 0; k < 9; ++k) {
    const Vec3 x = test::random_vector(6, static_cast<std::uint64_t>(k));
    const Vec3 p = test::random_vector(7, static_cast<std::uint64_t>(k));
    masses.emplace_back(1 + k, x);
    momentum += p, angular += x.cross(p), mass += 1 + k;
    if (k % comm.size() == comm.rank()) all.push_back({1, 1.0 + k, x, p});
  }
  const auto motion = rigid::fit_fragments(comm, all, std::vector<std::int64_t>{1}, Vec3::Zero()).at(1);
  Vec3 turned = Vec3::Zero();
  for (const auto& [m, x] : masses) fitted += m * motion.velocity_at(x), turned += x.cross(m * motion.velocity_at(x));
  CHECK((fitted - momentum).norm() < 1e-12 * mass);
  CHECK((turned - angular).norm() < 1e-12 * mass);
  CHECK(motion.mass == Approx(mass));
}

TEST_CASE("a single element moves on without spin; a fragment of one rank is the same as a shared one",
          "[lattice][parallel]")
{
  const Comm comm;
  std::vector<rigid::Contribution> all;
  const std::int64_t own = 100 + comm.rank();
  const Vec3 x(1, 2, 3), p(0.3, 0.1, -0.2);
  all.push_back({own, 2, x, p});
  for (int k = 0; k < 4; ++k)
    all.push_back({1000 + comm.rank(), 1.0, test::random_vector(2, static_cast<std::uint64_t>(k)),
                   test::random_vector(3, static_cast<std::uint64_t>(k))});
  const Vec3 origin(0.1, 0.2, 0.3);
  const auto apart = rigid::fit_fragments(comm, all, {}, origin);
  const std::vector<std::int64_t> shared{own, 1000 + comm.rank()};
  const auto together = rigid::fit_fragments(comm, all, shared, origin);
  CHECK(apart.at(own).spin == Vec3::Zero());
  CHECK((apart.at(own).velocity - p / 2).norm() < 1e-15);
  for (const std::int64_t fragment : shared) {
    CHECK(apart.at(fragment).velocity == together.at(fragment).velocity);
    CHECK(apart.at(fragment).spin == together.at(fragment).spin);
    CHECK(apart.at(fragment).center == together.at(fragment).center);
  }
}
