#pragma once
/// Balls for tests, whole or cut by planes of symmetry.

#include "mesh/mesh_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace sunder::test {

/// Which of the eight octants of a ball: by the signs of x, y and z.
using Octants = std::vector<std::array<int, 3>>;

inline Octants whole_ball()
{
  Octants all;
  for (const int x : {1, -1})
    for (const int y : {1, -1})
      for (const int z : {1, -1}) all.push_back({x, y, z});
  return all;
}

/// x, y >= 0: with the planes x = 0 and y = 0 as mirrors, a ball.
inline Octants quarter_ball()
{
  return {{1, 1, 1}, {1, 1, -1}};
}

/// A ball of radius 1 about the origin, n elements along a radius; n^3 an octant. An octahedron's octants, divided as
/// a lattice (Kuhn), blown up along rays: no element has two faces on the sphere. pole: size of elements at (0, 0, -1)
/// over that in the middle of the ball.
inline mesh::MeshData ball_mesh(int n, const Octants& octants, double pole = 1)
{
  mesh::MeshData mesh;
  std::map<std::array<int, 3>, GlobalIndex> index;
  const auto place = [&](const std::array<int, 3>& at) {
    Vec3 q = Vec3(at[0], at[1], at[2]) / n;
    if (at[2] < 0) {  // towards the pole, as far from it as before times what the size there asks for
      const double from_pole = 1 + q.z(), closer = pole + (1 - pole) * from_pole;
      q = Vec3(closer * q.x(), closer * q.y(), closer * from_pole - 1);
    }
    return q.norm() > 0 ? Vec3(q * (q.lpNorm<1>() / q.norm())) : q;
  };
  const auto node = [&](const std::array<int, 3>& lattice, const std::array<int, 3>& signs) {
    // Corners of the lattice's simplex are the centre, and the octant's ends on x, y and z.
    const std::array<int, 3> at{signs[0] * (lattice[0] - lattice[1]), signs[1] * (lattice[1] - lattice[2]),
                                signs[2] * lattice[2]};
    const auto [found, is_new] = index.try_emplace(at, static_cast<GlobalIndex>(mesh.nodes.size()));
    if (is_new) mesh.nodes.push_back(place(at));
    return found->second;
  };
  for (const auto& signs : octants)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k <= j; ++k) {
          std::array<std::size_t, 3> axes{0, 1, 2};
          do {
            std::array<std::array<int, 3>, 4> path{{{i, j, k}}};
            bool inside = true;
            for (std::size_t s = 0; s < 3; ++s) {
              path[s + 1] = path[s];
              const auto& [x, y, z] = (++path[s + 1][axes[s]], path[s + 1]);
              inside = inside && n >= x && x >= y && y >= z;
            }
            if (!inside) continue;
            std::array<GlobalIndex, 4> tet{};
            for (std::size_t c = 0; c < 4; ++c) tet[c] = node(path[c], signs);
            const auto p = [&](std::size_t c) { return mesh.nodes[static_cast<std::size_t>(tet[c])]; };
            if ((p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0)) < 0) std::swap(tet[2], tet[3]);
            mesh.tets.push_back(tet);
          } while (std::next_permutation(axes.begin(), axes.end()));
        }
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) mesh.node_labels.push_back(k + 1);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.element_labels.push_back(e + 1);
  return mesh;
}

}  // namespace sunder::test
