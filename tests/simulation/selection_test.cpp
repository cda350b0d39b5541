#include "simulation/setup/selection.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace sunder;

namespace {

bool inside(const config::Selection::Box& box, const Vec3& x)
{
  config::Selection where;
  where.box = box;
  return simulation::inside(where, x);
}

}  // namespace

TEST_CASE("a box without an end in some directions takes no more in the others", "[selection]")
{
  const Vec3 everywhere = Vec3::Constant(1e9);
  const config::Selection::Box left{-everywhere, {0.01, 1e9, 1e9}};
  CHECK(inside(left, {0, 0.5, -3}));
  CHECK(inside(left, {0.01 + 1e-12, 0.5, 0}));
  CHECK_FALSE(inside(left, {0.0101, 0.5, 0}));
  CHECK_FALSE(inside(left, {2, 0.5, 0}));

  config::Selection where;
  where.sphere = {{-1e6, 0, 0}, 1e6};
  CHECK(simulation::inside(where, {1e-11, 0, 0}));
  CHECK_FALSE(simulation::inside(where, {1e-5, 0, 0}));
  where = {};
  where.cylinder = {{-1e6, 0, 0}, {0, 0, 1}, 1e6};
  CHECK(simulation::inside(where, {1e-11, 0, 0}));
  CHECK_FALSE(simulation::inside(where, {1e-5, 0, 0}));
}

TEST_CASE("a box that ends on a face takes the face, however small or far away the body is", "[selection]")
{
  for (const double size : {1e-9, 1e-6, 1e-3, 1.0, 1e4}) {
    CAPTURE(size);
    const config::Selection::Box box{Vec3::Zero(), {size, size, 0.1 * size}};
    CHECK(inside(box, {-1e-12 * size, 0, 0.1 * size * (1 + 1e-11)}));
    CHECK_FALSE(inside(box, {0, 0, 0.1 * size * (1 + 1e-6)}));
  }
  const double far = 1e4, thin = 1e-5;
  const config::Selection::Box sheet{{far, far, far}, {far + thin, far + thin, far + thin}};
  CHECK(inside(sheet, {std::nextafter(far, 0), far, far}));
  CHECK_FALSE(inside(sheet, {far - 1e-3 * thin, far, far}));
}
