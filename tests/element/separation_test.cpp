#include "element/principal_values.hpp"
#include "random_element.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace sunder;
using namespace sunder::element;
using element::testing::Random;

/// Forces of the elements around one node.
struct Star {
  std::vector<Vec3> tensile, compressive;

  Mat3 tensor(SeparationCriterion criterion, const Mat3& turn = Mat3::Identity()) const
  {
    Separation separation;
    for (std::size_t i = 0; i < tensile.size(); ++i) separation.add(turn * tensile[i], turn * compressive[i]);
    return separation.tensor(criterion);
  }
  double greatest(SeparationCriterion criterion) const { return largest_principal(tensor(criterion)).value; }
  Vec3 sum(const std::vector<Vec3>& forces) const
  {
    Vec3 total = Vec3::Zero();
    for (const Vec3& f : forces) total += f;
    return total;
  }
  double pull() const
  {
    double total = 0;
    for (const Vec3& f : tensile) total += f.norm();
    return total;
  }
};

/// Pulls and pushes of very different strength, now and then none of one kind.
Star random_star(Random& random)
{
  Star star;
  const double pull = random.below(4) == 0 ? 0 : std::pow(10, random.uniform(-3, 1)),
               push = random.below(4) == 0 ? 0 : 1;
  const Vec3 bias = random.below(2) * random.vector(1);  // a node that is loaded or accelerated
  for (int i = 0; i < 4 + random.below(20); ++i) {
    star.tensile.push_back(pull * (random.vector(1) + random.below(2) * bias));
    star.compressive.push_back(push * (random.vector(1) + bias));
  }
  return star;
}

}  // namespace

TEST_CASE("m(a) has eigenvalue |a| along a and nothing across", "[element][separation]")
{
  const Vec3 a(3, 4, 12);
  CHECK((m(a) * a - 13 * a).norm() < 1e-12);
  CHECK(m(a).trace() == Approx(13));
  CHECK(m(Vec3::Zero()) == Mat3::Zero());
}

TEST_CASE("the separation tensor sees what pulls a node apart, not what moves it", "[element][separation]")
{
  const SeparationCriterion criterion = GENERATE(SeparationCriterion::tensile, SeparationCriterion::sources);
  const Vec3 x = Vec3::UnitX(), none = Vec3::Zero();
  const Star apart{{5 * x, -5 * x}, {none, none}};  // two equal and opposite pulls: one load of 5 N tears
  CHECK(apart.tensor(criterion)(0, 0) == Approx(5));
  CHECK(apart.greatest(criterion) == Approx(5));
  CHECK((largest_principal(apart.tensor(criterion)).direction - x).norm() < 1e-14);

  const Star dragged{{5 * x, 2 * x}, {none, none}};  // both the same way: a translation
  CHECK(dragged.tensor(criterion).norm() < 1e-14);

  const Star pressed{{none, none}, {5 * x, -5 * x}};
  CHECK(pressed.tensor(criterion)(0, 0) == Approx(-5));
}

TEST_CASE("turning the world turns the separation tensor", "[element][separation]")
{
  const SeparationCriterion criterion = GENERATE(SeparationCriterion::tensile, SeparationCriterion::sources);
  Random random(43);
  for (int trial = 0; trial < 200; ++trial) {
    const Star star = random_star(random);
    const Mat3 R = random.rotation();
    CHECK((star.tensor(criterion, R) - R * star.tensor(criterion) * R.transpose()).norm() < 1e-12);
  }
}

TEST_CASE("no separation exceeds its bound", "[element][separation]")
{
  Random random(45);
  double closest = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Star star = random_star(random);
    const double pull = star.pull(), force = (star.sum(star.tensile) + star.sum(star.compressive)).norm();
    const double tensile = star.greatest(SeparationCriterion::tensile),
                 sources = star.greatest(SeparationCriterion::sources);
    if (!(tensile <= pull / 2 + 1e-12) || !(sources <= pull + force / 2 + 1e-12))
      FAIL_CHECK("trial " << trial << ": " << tensile << ", " << sources << " with pulls of " << pull
                          << " and a force of " << force);
    if (pull > 0) closest = std::max(closest, tensile / pull);
  }
  CHECK(closest > 0.2);  // of 0.5: the trials come near it
}

TEST_CASE("without tension nothing separates, whatever presses on the node", "[element][separation]")
{
  Random random(46);
  double crushed = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Star star = random_star(random);
    for (Vec3& f : star.tensile) f = Vec3::Zero();
    CHECK(star.greatest(SeparationCriterion::tensile) <= 1e-14);
    crushed = std::max(crushed, star.greatest(SeparationCriterion::sources));
  }
  CHECK(crushed > 1);  // T 4.6 takes the load, or the inertia, that balances a push for tension
}

TEST_CASE("at a node without load, in equilibrium, the criterion is T 4.6", "[element][separation]")
{
  Random random(47);
  for (int trial = 0; trial < 500; ++trial) {
    Star star = random_star(random);
    star.compressive.front() -= star.sum(star.tensile) + star.sum(star.compressive);
    CHECK((star.tensor(SeparationCriterion::tensile) - star.tensor(SeparationCriterion::sources)).norm() < 1e-12);
  }
}

TEST_CASE("compression takes part only as far as it balances tension", "[element][separation]")
{
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), none = Vec3::Zero();
  const auto tensor = [&](const Vec3& push) { return Star{{3 * x}, {push}}.tensor(SeparationCriterion::tensile); };
  CHECK(tensor(none).norm() < 1e-14);  // all of the pull moves the node
  CHECK((tensor(-3 * x) - Star{{3 * x}, {-3 * x}}.tensor(SeparationCriterion::sources)).norm() < 1e-14);  // none of it
  CHECK(tensor(-2 * x)(0, 0) == Approx(0.5 * (3 - 2 - 1)));                   // a third of it
  CHECK(tensor(-7 * x)(0, 0) == Approx(0.5 * (3 - 7)));                       // the rest of the push is a load's
  CHECK(tensor(2 * x)(0, 0) == Approx(0.5 * -2));                             // it helps to move the node
  CHECK((tensor(4 * y) - Mat3(Vec3(0, -2, 0).asDiagonal())).norm() < 1e-14);  // it acts across
}

TEST_CASE("the separation tensor is continuous where pulls come to balance", "[element][separation]")
{
  Random random(48);
  for (int trial = 0; trial < 200; ++trial) {
    Star star = random_star(random);
    star.tensile.front() -= star.sum(star.tensile);
    const Mat3 balanced = star.tensor(SeparationCriterion::tensile);
    const Vec3 left = 1e-9 * random.vector(1);
    star.tensile.front() += left;
    CHECK((star.tensor(SeparationCriterion::tensile) - balanced).norm() < 2 * left.norm() + 1e-13);
  }
}

TEST_CASE("principal values in closed form are those of the iteration", "[element][fracture]")
{
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = random.uniform(-1, 1), b = trial % 3 == 0 ? a : random.uniform(-1, 1),
                 c = trial % 7 == 0 ? b + 1e-9 * random.uniform(-1, 1) : random.uniform(-1, 1);
    const Mat3 R =
        Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1))
            .normalized()
            .toRotationMatrix();
    const double scale = std::pow(10, random.uniform(-9, 9));
    const Mat3 T = scale * R * Vec3(a, b, c).asDiagonal() * R.transpose();
    const auto found = lanewise::principal_values(material::symmetric(0.5 * (T + T.transpose())));
    std::array<double, 3> wanted{scale * a, scale * b, scale * c};
    std::sort(wanted.begin(), wanted.end());
    CHECK(std::abs(found.greatest - wanted[2]) < 2e-7 * scale);
    CHECK(std::abs(found.middle - wanted[1]) < 2e-7 * scale);
    CHECK(std::abs(found.least - wanted[0]) < 2e-7 * scale);
  }
  const auto none = lanewise::principal_values(material::Symmetric<double>{});
  CHECK((none.greatest == 0 && none.middle == 0 && none.least == 0));
}
