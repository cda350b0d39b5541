#include "contact/overlapping_pairs.hpp"

#include "contact/law/pair_force.hpp"
#include "geometry/corners.hpp"
#include "geometry/random_tets.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry::testing;

namespace {

constexpr Response law{
    .stiffness = 1e6, .damping = 1e3, .friction_static = 0.4, .friction_dynamic = 0.3, .slip_speed = 0.1};

Row4 row(const Vec3& x)
{
  return {x.x(), x.y(), x.z(), 0};
}

/// Pairs of elements that overlap, each with nodes of its own.
struct Crowd {
  std::vector<Row4> p, v;
  std::vector<OverlappingPairs::Pair> pairs;

  explicit Crowd(std::size_t count)
  {
    Random random(11);
    while (pairs.size() < count) {
      const Mat34 a = upright(random.tet(1)), b = upright(random.tet(0.8).colwise() + random.vector(0.5));
      const ElementOverlap overlap = overlap_of_elements(Side(a), Side(b));
      if (overlap.volume == 0) continue;
      const double initial = pairs.size() % 3 == 0 ? 0.4 * overlap.volume : 0;
      const int first = static_cast<int>(p.size());
      pairs.push_back({overlap,
                       (1 + 0.1 * static_cast<double>(pairs.size())) * law.stiffness,
                       initial,
                       {first, first + 1, first + 2, first + 3},
                       {first + 4, first + 5, first + 6, first + 7},
                       pairs.size() % 2 == 0});
      for (const Mat34& corners : {a, b})
        for (int c = 0; c < 4; ++c)
          p.push_back(row(corners.col(c) + 0.01 * random.vector(1))), v.push_back(row(random.vector(1)));
    }
  }
};

}  // namespace

TEST_CASE("a block of pairs has the forces and the power of each pair", "[contact]")
{
  for (const std::size_t count : {1u, 8u, 29u}) {
    const Crowd crowd(count);
    std::vector<LocalIndex> held(crowd.p.size());
    std::iota(held.begin(), held.end(), 0);
    held[2] = -1;  // another rank's: it gets no force here
    std::vector<Row4> p = crowd.p, v = crowd.v, f(crowd.p.size());
    OverlappingPairs block(law);
    for (const auto& pair : crowd.pairs) block.add(pair, held);
    const OverlappingPairs::Nodes nodes{held, p, v};
    const double power = block.add_forces(crowd.p, crowd.v, nodes, f);

    double expected_power = 0, largest = 0;
    for (const auto& pair : crowd.pairs) {
      const auto corners = [](const auto& tet, const auto& rows) { return geometry::corners_of(tet, rows); };
      const Mat34 v_a = corners(pair.a, v), v_b = corners(pair.b, v);
      const Vec3 force = pair_force(pair.overlap, law, pair.stiffness, pair.initial_overlap, corners(pair.a, p), v_a,
                                    corners(pair.b, p), v_b);
      largest = std::max(largest, force.norm());
      if (pair.counted) expected_power += force.dot(v_a * pair.overlap.weights_a - v_b * pair.overlap.weights_b);
      for (int c = 0; c < 4; ++c) {
        const auto a = static_cast<std::size_t>(pair.a[static_cast<std::size_t>(c)]),
                   b = static_cast<std::size_t>(pair.b[static_cast<std::size_t>(c)]);
        const Vec3 on_a = held[a] < 0 ? Vec3::Zero() : Vec3(pair.overlap.weights_a[c] * force);
        CHECK((f[a].xyz() - on_a).norm() <= 1e-12 * force.norm());
        CHECK((f[b].xyz() + pair.overlap.weights_b[c] * force).norm() <= 1e-12 * force.norm());
      }
    }
    CHECK(largest > 0);
    CHECK(power == Approx(expected_power).epsilon(1e-12));
    CHECK(block.power(crowd.v, nodes) == Approx(expected_power).epsilon(1e-12));
  }
}

TEST_CASE("pairs of each level have their forces and their nodes", "[contact][local_steps]")
{
  Crowd crowd(29);
  std::vector<LocalIndex> held(crowd.p.size());
  std::iota(held.begin(), held.end(), 0);
  held[2] = -1;
  std::vector<Row4> p = crowd.p, v = crowd.v, f(crowd.p.size());
  const OverlappingPairs::Nodes nodes{held, p, v};
  OverlappingPairs all(law);
  for (std::size_t k = 0; k < crowd.pairs.size(); ++k) {
    crowd.pairs[k].level = static_cast<std::uint8_t>(k < 3 ? 0 : k < 20 ? 2 : 5);
    all.add(crowd.pairs[k], held);
  }
  all.add_forces(crowd.p, crowd.v, nodes, f);
  for (int level = 0; level < OverlappingPairs::most_levels; ++level) {
    std::vector<Row4> of_level(crowd.p.size());
    all.add_trial_forces(level, crowd.p, crowd.v, nodes, of_level);
    std::vector<int> visits(crowd.p.size());
    all.for_each_node(level, held, [&](LocalIndex n) { ++visits[static_cast<std::size_t>(n)]; });
    for (std::size_t n = 0; n < f.size(); ++n) {
      const bool has = crowd.pairs[n / 8].level == level;  // eight nodes a pair
      CHECK(visits[n] == (has && held[n] >= 0));
      CHECK(of_level[n].xyz() == (has ? f[n].xyz() : Vec3(0, 0, 0)));
    }
  }
}
