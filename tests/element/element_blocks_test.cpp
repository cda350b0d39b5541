#include "random_element.hpp"

#include <catch2/catch.hpp>

#include <Eigen/LU>

using namespace sunder;
using namespace sunder::element;
using namespace sunder::element::testing;

TEST_CASE("gradients are those of the shape functions", "[element][blocks]")
{
  Random random(31);
  ElementBlocks blocks;
  blocks.resize(20);
  for (LocalIndex e = 0; e < 20; ++e) {
    const Mat34 X = random_tet(random);
    CHECK(blocks.set(e, {0, 1, 2, 3}, as_array(X), 0, 1, true) == Approx(volume(X)));
    CHECK(blocks.volume(e) == Approx(volume(X)));
    const Mat34 g = blocks.gradients(e);
    CHECK(g.rowwise().sum().norm() <= 1e-14 * g.norm());
    for (int a = 0; a < 4; ++a)  // N_a grows by one from any other corner to a, and by nothing between the others
      for (int b = 0; b < 4; ++b)
        CHECK(g.col(a).dot(X.col(b) - X.col((a + 1) % 4)) == Approx(a == b ? 1 : 0).margin(1e-12));
  }
}

TEST_CASE("an element without volume is refused and leaves its lane alone", "[element][blocks]")
{
  ElementBlocks blocks;
  blocks.resize(3);
  const Mat34 X = regular_tet(0.1);
  Mat34 mirrored = X, flat = X;
  mirrored.col(0).swap(mirrored.col(1));
  flat.col(3) = (X.col(0) + X.col(1)) / 2;
  REQUIRE(blocks.set(1, {4, 5, 6, 7}, as_array(X), 0, 0.5, true) > 0);
  CHECK(blocks.set(1, {0, 1, 2, 3}, as_array(mirrored), 3, 1, true) == Approx(-volume(X)));
  CHECK(!(blocks.set(1, {0, 1, 2, 3}, as_array(flat), 3, 1, true) > 0));
  CHECK(blocks.volume(1) == Approx(volume(X)));
  CHECK(blocks.viscosity(1) == 0.5);
  CHECK(blocks.blocks()[0].node[2][1] == 6);
  CHECK(blocks.blocks()[0].material[1] == 0);
}

TEST_CASE("a lane that is filled, renamed, emptied and filled again has what it was last given", "[element][blocks]")
{
  ElementBlocks blocks(true);
  constexpr LocalIndex count = lanes + 2;
  blocks.resize(count);
  const auto X = as_array(regular_tet(0.1));
  for (LocalIndex e = 0; e < count; ++e) blocks.set(e, {e, e + 1, e + 2, e + 3}, X, 5, 1, e % 2 == 0);
  CHECK(blocks.blocks().size() == 2);
  CHECK(blocks.blocks()[0].primary == (0b01010101 & ((1 << lanes) - 1)));
  CHECK(blocks.blocks()[1].primary == 0b00000001);
  CHECK(blocks.blocks()[0].uniform == 1);
  CHECK(blocks.blocks()[1].uniform == 1);  // padding does not spoil it

  blocks.replace_node(3, 5, 99);
  CHECK(blocks.blocks()[0].node[2][3] == 99);
  blocks.set(3, {3, 4, 5, 6}, X, 2, 1, false);
  CHECK(blocks.blocks()[0].uniform == 0);
  blocks.clear(3);
  CHECK(blocks.blocks()[0].uniform == 1);
  CHECK(blocks.volume(3) == 0);

  const std::array<double, 6> strain{1, 2, 3, 4, 5, 6};
  blocks.set_plastic_strain(count - 1, strain);
  blocks.resize(100);
  CHECK(blocks.plastic_strain(count - 1) == strain);
  CHECK(blocks.plastic_strain(99) == std::array<double, 6>{});
  blocks.clear(count - 1);
  CHECK(blocks.plastic_strain(count - 1) == std::array<double, 6>{});
  CHECK(ElementBlocks().plastic_strain(0) == std::array<double, 6>{});
}
