#pragma once
/// Disks for tests.

#include "support/cube_mesh.hpp"

#include <array>
#include <cmath>

namespace sunder::test {

/// A disk of n rings of elements about the origin, its axis along y, its faces at y = +-thickness/2. Ring k has 6 k
/// nodes. About the upright (z) some nodes of each ring are turned a little so that the rim has edges at the angles
/// +-arc from it, above and below. jitter: inner nodes moved by up to that share of an element's size.
inline mesh::MeshData disk_mesh(int n, double radius, double thickness, double arc, double jitter,
                                std::uint64_t seed = 1)
{
  mesh::MeshData mesh;
  const int layers = static_cast<int>(std::lround(thickness * n / radius));
  const int on_layer = 1 + 3 * n * (n + 1);
  const auto index = [](int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); };
  // The angle of the rim's node nearest to the end of the arc becomes the arc's; those between are spread evenly.
  const double spacing = M_PI / (3 * n), first = spacing * std::max(1.0, std::round(arc / spacing));
  const auto turned = [&](double angle) {  // from the upright, in (-pi/2, pi/2]
    const double a = std::abs(angle);
    const double to = a < first ? a * arc / first : arc + (a - first) * (M_PI / 2 - arc) / (M_PI / 2 - first);
    return std::copysign(to, angle);
  };
  for (int k = 0; k <= layers; ++k)
    for (int ring = 0; ring <= n; ++ring)
      for (int i = 0; i < std::max(1, 6 * ring); ++i) {
        const double even = ring == 0 ? 0 : 2 * M_PI * i / (6 * ring);
        const double upright = M_PI * std::round(even / M_PI), angle = upright + turned(even - upright);
        Vec3 x(std::sin(angle) * ring / n * radius, thickness * (static_cast<double>(k) / layers - 0.5),
               std::cos(angle) * ring / n * radius);
        if (ring < n && k > 0 && k < layers) x += jitter * radius / n * random_vector(seed, mesh.nodes.size());
        mesh.nodes.push_back(x);
      }
  const auto prism = [&](std::array<int, 3> corners, int k) {
    std::sort(corners.begin(), corners.end());  // so that neighbours cut their common side alike
    const auto at = [&](std::size_t c, int up) { return GlobalIndex{corners[c]} + GlobalIndex{on_layer} * (k + up); };
    for (std::size_t c = 0; c < 3; ++c) {
      std::array<GlobalIndex, 4> tet{};
      for (std::size_t j = 0, up = 0; j < 4; ++j) {
        tet[j] = at(j - up, static_cast<int>(up));
        if (j == c) up = 1;
      }
      const auto p = [&](std::size_t j) { return mesh.nodes[static_cast<std::size_t>(tet[j])]; };
      if ((p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0)) < 0) std::swap(tet[2], tet[3]);
      mesh.tets.push_back(tet);
    }
  };
  for (int k = 0; k < layers; ++k)
    for (int ring = 1; ring <= n; ++ring)
      for (int sector = 0; sector < 6; ++sector)
        for (int i = 0; i < ring; ++i) {
          const int outer = index(ring, sector * ring + i), next = index(ring, sector * ring + i + 1);
          const int inner = index(ring - 1, sector * (ring - 1) + i);
          prism({outer, next, inner}, k);
          if (i < ring - 1) prism({next, inner, index(ring - 1, sector * (ring - 1) + i + 1)}, k);
        }
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) mesh.node_labels.push_back(k + 1);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.element_labels.push_back(e + 1);
  return mesh;
}

}  // namespace sunder::test
