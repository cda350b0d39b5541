#pragma once
/// One node, the eight elements around it, and what a plan says about them.

#include "fracture/plan.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

namespace sunder::test::star {

/// A node at the origin and the six ends of a cross around it: an octahedron of eight elements. Its arms differ, so
/// that a rule holds for one node and not for its neighbour.
struct Arms {
  double right = 0.1, left = 0.2, across = 0.15, up = 0.12, down = 0.18;
};

inline const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();

struct Star {
  element::Model model;
  std::array<Vec3, 6> ends;  // right, left, back, front, up, down

  /// octants: those there are. Bit 0 of one: it is to the left; bit 1: to the front; bit 2: below.
  explicit Star(const Arms& arms = {}, const std::vector<int>& octants = {0, 1, 2, 3, 4, 5, 6, 7})
    : ends{arms.right * x, -arms.left * x, arms.across * y, -arms.across * y, arms.up * z, -arms.down * z}
  {
    mesh::MeshData data;
    data.nodes.push_back(Vec3::Zero());
    data.nodes.insert(data.nodes.end(), ends.begin(), ends.end());
    for (const int octant : octants) {
      std::array<GlobalIndex, 4> tet{0, 1 + (octant & 1), 3 + (octant >> 1 & 1), 5 + (octant >> 2 & 1)};
      const auto at = [&](std::size_t a) { return data.nodes[static_cast<std::size_t>(tet[a])]; };
      if (at(1).cross(at(2)).dot(at(3)) < 0) std::swap(tet[2], tet[3]);
      data.tets.push_back(tet);
    }
    for (std::size_t n = 0; n < data.nodes.size(); ++n) data.node_labels.push_back(n + 1);
    for (std::size_t e = 0; e < data.tets.size(); ++e) data.element_labels.push_back(e + 1);
    model = test::distributed(Comm(MPI_COMM_SELF), std::move(data), {test::chalk()},
                              test::by_method(partition::Method::hilbert))
                .model;
    for (double& height : model.height) height = 1;  // nothing low beyond the star, unless a test says so
  }

  LocalIndex at(const Vec3& X) const
  {
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n)
      if ((model.mesh.node(n).X - X).norm() < 1e-12) return n;
    FAIL("no node at " << X.transpose());
    return -1;
  }
  NodeId id(const Vec3& X) const { return model.mesh.node(at(X)).id; }
  LocalIndex middle() const { return at(Vec3::Zero()); }
  double size() const { return model.mesh.node(middle()).size; }
  std::optional<fracture::Plan> plan(const Vec3& normal, const fracture::FractureOptions& options) const
  {
    return fracture::plan(model, middle(), normal, options);
  }
};

enum End { right, left, back, front, up, down };

/// Every rule off: cut wherever the plane cuts.
inline fracture::FractureOptions plain()
{
  fracture::FractureOptions options;
  options.snap_distance = options.snap_angle = options.snap_relative = 0;
  options.least_height = options.back_crack_angle = 0;
  return options;
}

/// About y, away from z.
inline Vec3 tilted(double angle)
{
  return {std::sin(angle), 0, std::cos(angle)};
}

/// The edges cut, by their ends.
using Cuts = std::set<std::set<int>>;

inline Cuts cuts_of(const Star& star, const std::optional<fracture::Plan>& plan)
{
  REQUIRE(plan);
  const auto end_of = [&star](NodeId id) {
    const Vec3& X = star.model.mesh.node(*star.model.mesh.find(id)).X;
    for (int k = 0; k < 6; ++k)
      if ((star.ends[static_cast<std::size_t>(k)] - X).norm() < 1e-12) return k;
    return -1;
  };
  Cuts cuts;
  for (const fracture::Bisection& c : plan->bisections) cuts.insert({end_of(c.a), end_of(c.b)});
  CHECK(cuts.size() == plan->bisections.size());
  return cuts;
}

/// Share of the edge from one end at which the plan cuts it.
inline double share_from(const Star& star, const fracture::Plan& plan, int from, int to)
{
  const NodeId a = star.id(star.ends[static_cast<std::size_t>(from)]),
               b = star.id(star.ends[static_cast<std::size_t>(to)]);
  for (const fracture::Bisection& c : plan.bisections) {
    if (c.a == a && c.b == b) return c.t;
    if (c.a == b && c.b == a) return 1 - c.t;
  }
  FAIL("edge not cut");
  return 0;
}

/// What a plane a little away from z cuts if no rule keeps it from that.
inline const Cuts both{{up, left}, {right, down}};

}  // namespace sunder::test::star
