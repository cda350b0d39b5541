#include "contact/obstacle_contact.hpp"
#include "contact/law/obstacle_force.hpp"
#include "geometry/random_tets.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <functional>
#include <vector>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;
using namespace sunder::geometry::testing;

namespace {

/// A block of n^3 cubes of edge 1, five tetrahedra each, lower corner at the origin.
struct Block {
  std::vector<Tet> tets;
  std::vector<std::uint8_t> primary;
  std::vector<Row4> p, v;

  explicit Block(int n)
  {
    auto node = [n](int i, int j, int k) { return static_cast<LocalIndex>((i * (n + 1) + j) * (n + 1) + k); };
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        for (int k = 0; k <= n; ++k) p.emplace_back().set_xyz(Vec3(i, j, k));
    v.resize(p.size());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          auto corner = [&](int c) {  // mirrored in every other cube, so that
                                      // diagonals meet
            const int x = (c >> 2) ^ (i & 1), y = ((c >> 1) & 1) ^ (j & 1), z = (c & 1) ^ (k & 1);
            return node(i + x, j + y, k + z);
          };
          for (const auto& t : {std::array{0, 4, 2, 1}, {6, 2, 4, 7}, {5, 4, 1, 7}, {3, 1, 2, 7}, {1, 2, 4, 7}})
            tets.push_back({corner(t[0]), corner(t[1]), corner(t[2]), corner(t[3])});
        }
    primary.assign(tets.size(), 1);
  }
  double fastest() const
  {
    double speed = 0;
    for (const Row4& row : v) speed = std::max(speed, row.xyz().norm());
    return speed;
  }
};

std::vector<Obstacle> scene()
{
  const Response r{.stiffness = 1e4, .damping = 1e2, .friction_static = 0.4, .friction_dynamic = 0.3};
  Obstacle floor, ball, wall, plate;
  floor.name = "floor", floor.shape = rigid::Shape::half_space, floor.response = r, floor.position.z() = -0.05;
  ball.name = "ball", ball.radius = 1.3, ball.response = r, ball.position = Vec3(1.5, 1.4, 4.5);
  ball.motion = rigid::MotionKind::path, ball.velocity = Vec3(0, 0.3, -2);
  wall.name = "wall", wall.shape = rigid::Shape::half_space, wall.response = r;
  wall.position.x() = 3.4, wall.normal = Vec3(-1, 0.2, 0).normalized();
  plate.name = "plate", plate.shape = rigid::Shape::box, plate.size = Vec3(2.5, 1.5, 0.8), plate.response = r;
  plate.motion = rigid::MotionKind::path, plate.position = Vec3(-0.7, 1.5, 2), plate.velocity = Vec3(0.4, 0, 0);
  plate.rotation_axis = Vec3(1, 2, 0).normalized(), plate.rotation_angle = 0.5, plate.spin = Vec3(0.3, -1, 0.5);
  return {floor, ball, wall, plate};
}

struct Result {
  std::vector<Row4> f;
  Resultants on_obstacle;
  double power = 0;
};

Result run(ObstacleContact& contact, const Block& block, double dt, const std::vector<rigid::Motion>& motions)
{
  Result result{std::vector<Row4>(block.p.size()), Resultants(contact.obstacles())};
  result.power = contact.add_forces(block.tets, block.primary, block.p, block.v, block.fastest(), dt, motions, result.f,
                                    result.on_obstacle);
  return result;
}

bool same_reaction(const Result& a, const Result& b, std::size_t obstacle)
{
  const Resultant of_a = a.on_obstacle.on(obstacle), of_b = b.on_obstacle.on(obstacle);
  return of_a.force == of_b.force && of_a.torque == of_b.torque;
}

bool same_bits(const Result& a, const Result& b)
{
  bool same = std::memcmp(a.f.data(), b.f.data(), a.f.size() * sizeof(Row4)) == 0 &&
              std::memcmp(&a.power, &b.power, sizeof a.power) == 0;
  for (std::size_t k = 0; k < scene().size(); ++k) same = same && same_reaction(a, b, k);
  return same;
}

std::vector<rigid::Motion> motions_at(const ObstacleContact& contact, double t)
{
  std::vector<rigid::Motion> motions;
  for (const Obstacle& o : contact.obstacles()) motions.push_back(rigid::motion_at(o, t));
  return motions;
}

Vec3 total(const Result& result)
{
  Vec3 sum = Vec3::Zero();
  for (const Row4& f : result.f) sum += f.xyz();
  return sum;
}

}  // namespace

TEST_CASE("a kept list of pairs changes no bit of any force", "[contact][pair_list]")
{
  Block block(3);
  ObstacleContact kept(scene()), always_new(scene());
  Random random(41);
  for (Row4& v : block.v) v.set_xyz(random.vector(0.5) + Vec3(0.8, 0, -0.3));
  const double dt = 2e-3;
  int touching = 0;
  for (int step = 0; step < 600; ++step) {
    const auto motions = motions_at(kept, step * dt);
    always_new.drop_list();
    const Result a = run(kept, block, dt, motions), b = run(always_new, block, dt, motions);
    REQUIRE(same_bits(a, b));
    touching += total(a).norm() > 0;
    for (std::size_t n = 0; n < block.p.size(); ++n) {
      Vec3 v = block.v[n].xyz() + dt / 50 * a.f[n].xyz() - dt * Vec3(0, 0, 3 * std::sin(0.05 * step));
      if (step == 300) v *= 4;  // speeds the list was not made for
      block.v[n].set_xyz(v);
      block.p[n].set_xyz(block.p[n].xyz() + dt * v);
    }
  }
  CHECK(touching > 300);
}

TEST_CASE("forces depend on the present alone, not on earlier calls", "[contact][pair_list]")
{
  Block block(3), elsewhere(3);
  for (Row4& p : elsewhere.p) p.z += 0.4, p.x += 0.3;
  ObstacleContact fresh(scene()), used(scene());
  const auto motions = motions_at(fresh, 0.4);
  run(used, elsewhere, 1e-3, motions_at(used, 0));
  used.drop_list();
  const Result a = run(fresh, block, 1e-3, motions);
  CHECK(total(a).norm() > 0);
  for (int k = 0; k < 3; ++k) CHECK(same_bits(run(used, block, 1e-3, motions), a));
}

TEST_CASE("obstacles get what elements give", "[contact][momentum]")
{
  Block block(3);
  Random random(42);
  for (Row4& v : block.v) v.set_xyz(random.vector(1));
  for (Row4& p : block.p) p.x += 0.5, p.z -= 0.2;  // into the wall and the floor
  ObstacleContact contact(scene());
  const auto motions = motions_at(contact, 0.4);
  const Result all = run(contact, block, 1e-3, motions);
  Vec3 resultants = Vec3::Zero(), turns = Vec3::Zero(), moments = Vec3::Zero();
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const auto [force, torque] = all.on_obstacle.on(k);
    CHECK(force.norm() > 0);
    resultants += force;
    turns += motions[k].position.cross(force) + torque;
  }
  CHECK((total(all) + resultants).norm() < 1e-12 * resultants.norm());
  for (std::size_t n = 0; n < block.p.size(); ++n) moments += block.p[n].xyz().cross(all.f[n].xyz());
  CHECK((moments + turns).norm() < 1e-12 * moments.norm());

  double power = 0;
  for (std::size_t n = 0; n < block.p.size(); ++n) power += all.f[n].xyz().dot(block.v[n].xyz());
  CHECK(all.power == Approx(power).epsilon(1e-12));

  // Two ranks that hold the same elements and count each once report together what one does: to the last bit on free
  // obstacles, for which they add up digits.
  auto obstacles = scene();
  obstacles[1].motion = obstacles[3].motion = rigid::MotionKind::free;
  ObstacleContact some_free(obstacles);
  const Result whole = run(some_free, block, 1e-3, motions);
  Block one = block, two = block;
  for (std::size_t e = 0; e < block.tets.size(); ++e) one.primary[e] = e % 3 == 0, two.primary[e] = e % 3 != 0;
  Result a = run(some_free, one, 1e-3, motions), b = run(some_free, two, 1e-3, motions);
  for (const std::size_t k : {0u, 2u}) {
    const Vec3 force = a.on_obstacle.on(k).force + b.on_obstacle.on(k).force;
    CHECK((force - whole.on_obstacle.on(k).force).norm() < 1e-12 * force.norm());
  }
  std::vector<std::int64_t> digits, of_b;
  a.on_obstacle.append_digits(digits), b.on_obstacle.append_digits(of_b);
  CHECK(digits.size() == 2 * 6 * ReproducibleSum::digits);
  std::transform(digits.begin(), digits.end(), of_b.begin(), digits.begin(), std::plus());
  a.on_obstacle.take_digits(digits);
  for (const std::size_t k : {1u, 3u}) CHECK(same_reaction(a, whole, k));
  CHECK(a.power + b.power == Approx(power).epsilon(1e-12));
  CHECK(std::memcmp(a.f.data(), all.f.data(), a.f.size() * sizeof(Row4)) == 0);
}

TEST_CASE("forces are those of the elements one by one", "[contact][pair_list]")
{
  Block block(2);
  ObstacleContact contact(scene());
  const auto motions = motions_at(contact, 0.8);
  const Result result = run(contact, block, 1e-3, motions);
  std::vector<Vec3> expected(block.p.size(), Vec3::Zero());
  for (const Tet& tet : block.tets)
    for (std::size_t k = 0; k < motions.size(); ++k) {
      Mat34 p;
      for (std::size_t a = 0; a < 4; ++a) p.col(static_cast<int>(a)) = block.p[static_cast<std::size_t>(tet[a])].xyz();
      const Mat34 forces = element_contact(contact.obstacles()[k], motions[k], p, Mat34::Zero()).forces;
      for (std::size_t a = 0; a < 4; ++a) expected[static_cast<std::size_t>(tet[a])] += forces.col(static_cast<int>(a));
    }
  for (std::size_t n = 0; n < expected.size(); ++n) CHECK(result.f[n].xyz() == expected[n]);
}

TEST_CASE("empty slots are skipped and no obstacles means no forces", "[contact][pair_list]")
{
  Block block(2);
  ObstacleContact contact(scene());
  const auto motions = motions_at(contact, 0.8);
  const Result before = run(contact, block, 1e-3, motions);
  block.tets.insert(block.tets.begin(), Tet{0, 0, 0, 0});
  block.tets.push_back({3, 3, 3, 3});
  block.primary.assign(block.tets.size(), 1);
  contact.drop_list();
  CHECK(same_bits(run(contact, block, 1e-3, motions), before));

  ObstacleContact nothing({});
  const Result none = run(nothing, block, 1e-3, {});
  CHECK(none.power == 0);
  CHECK(total(none).norm() == 0);
}

TEST_CASE("an obstacle on a circle keeps its distance, and its velocity is the slope of its path", "[contact]")
{
  Obstacle obstacle;
  obstacle.motion = rigid::MotionKind::path, obstacle.radius = 0.1, obstacle.position = Vec3(3, -1, 0.5);
  obstacle.circle = rigid::Circle{.center = Vec3(1, 2, 3), .axis = Vec3(1, 2, -2) / 3, .rate = -7};
  const auto& [center, axis, rate] = *obstacle.circle;
  const auto at = [&](double t) { return rigid::motion_at(obstacle, t); };
  CHECK((at(0).position - obstacle.position).norm() < 1e-15);
  for (const double t : {0.0, 0.1, 2.0}) {
    CHECK((at(t).position - center).norm() == Approx((obstacle.position - center).norm()));
    CHECK((at(t).position - center).dot(axis) == Approx((obstacle.position - center).dot(axis)));
    const auto error = [&](double h) {
      return ((at(t + h).position - at(t - h).position) / (2 * h) - at(t).velocity).norm();
    };
    CHECK(error(2e-3) / error(1e-3) == Approx(4).epsilon(0.01));
  }
  // Right-handed: a quarter turn about z takes x to y.
  obstacle.position = Vec3(1, 0, 0), obstacle.circle = rigid::Circle{.rate = 1};
  CHECK((at(std::acos(0.0)).position - Vec3(0, 1, 0)).norm() < 1e-15);
}

TEST_CASE("the tangent of all contacts is minus the slope of their forces", "[contact][derivative]")
{
  Block block(3);
  Random random(43);
  for (Row4& v : block.v) v.set_xyz(random.vector(1));
  for (Row4& p : block.p) p.set_xyz(p.xyz() + Vec3(0.5, 0, -0.2) + random.vector(0.1));  // into the wall and the floor
  std::vector<Vec3> direction(block.p.size());
  for (Vec3& d : direction) d = random.vector(1);
  const double rate = 2;
  auto obstacles = scene();
  for (Obstacle& o : obstacles) o.response.slip_speed = 0.8;
  for (const ContactCriterion criterion : {ContactCriterion::overlap, ContactCriterion::nodes}) {
    ObstacleContact contact(obstacles, criterion);
    const auto motions = motions_at(contact, 0.4);
    run(contact, block, 1e-3, motions);
    std::vector<Vec3> product(block.p.size(), Vec3::Zero());
    contact.add_tangent(block.tets, block.p, block.v, motions, {TangentKind::exact, rate},
                        [&](LocalIndex row, LocalIndex column, const Mat3& K) {
                          product[static_cast<std::size_t>(row)] += K * direction[static_cast<std::size_t>(column)];
                        });
    const auto error = [&](double h) {
      const auto moved = [&](double s) {
        Block there = block;
        for (std::size_t n = 0; n < block.p.size(); ++n) {
          there.p[n].set_xyz(block.p[n].xyz() + s * direction[n]);
          there.v[n].set_xyz(block.v[n].xyz() + s * rate * direction[n]);
        }
        contact.drop_list();
        return run(contact, there, 1e-3, motions).f;
      };
      const std::vector<Row4> ahead = moved(h), behind = moved(-h);
      double difference = 0, scale = 0;
      for (std::size_t n = 0; n < product.size(); ++n) {
        difference += ((ahead[n].xyz() - behind[n].xyz()) / (2 * h) + product[n]).squaredNorm();
        scale += product[n].squaredNorm();
      }
      return std::sqrt(difference / scale);
    };
    const double coarse = error(4e-4), fine = error(2e-4);
    CAPTURE(static_cast<int>(criterion), coarse, fine);
    CHECK(coarse / fine == Approx(4).epsilon(0.1));
    CHECK(fine < 1e-4);
  }
}
