#pragma once
/// Small meshes for tests.

#include "core/hash.hpp"
#include "mesh/mesh_data.hpp"

#include <algorithm>
#include <map>

namespace sunder::test {

/// A number in [-1, 1) that depends on the seed and the key alone.
inline double random_number(std::uint64_t seed, std::uint64_t key)
{
  return static_cast<double>(combine(combine(0, seed), key) >> 11) * 0x1p-52 - 1.0;
}

inline Vec3 random_vector(std::uint64_t seed, std::uint64_t key)
{
  return {random_number(seed, 3 * key), random_number(seed, 3 * key + 1), random_number(seed, 3 * key + 2)};
}

/// A box of nx x ny x nz cells of edge h, six tetrahedra a cell (Kuhn). jitter: inner nodes moved by up to that share
/// of h.
inline mesh::MeshData box_mesh(int nx, int ny, int nz, double h, double jitter = 0, std::uint64_t seed = 1)
{
  mesh::MeshData mesh;
  const auto index = [&](int i, int j, int k) { return GlobalIndex{i} + (nx + 1) * (GlobalIndex{j} + (ny + 1) * k); };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        Vec3 x(i, j, k);
        const bool inner = i > 0 && j > 0 && k > 0 && i < nx && j < ny && k < nz;
        if (inner) x += jitter * random_vector(seed, static_cast<std::uint64_t>(index(i, j, k)));
        mesh.nodes.push_back(h * x);
      }
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        std::array<int, 3> axes{0, 1, 2};
        do {  // a path along the axes from one corner of the cell to the opposite one
          std::array<int, 3> at{i, j, k};
          std::array<GlobalIndex, 4> tet{index(i, j, k)};
          for (std::size_t s = 0; s < 3; ++s) {
            ++at[static_cast<std::size_t>(axes[s])];
            tet[s + 1] = index(at[0], at[1], at[2]);
          }
          const auto& x = mesh.nodes;
          const auto p = [&](std::size_t a) { return x[static_cast<std::size_t>(tet[a])]; };
          if ((p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0)) < 0) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) mesh.node_labels.push_back(n + 1);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) mesh.element_labels.push_back(e + 1);
  return mesh;
}

/// Of each element the nodes on its edges, which second-order elements have.
using MidNodes = std::vector<std::array<GlobalIndex, 6>>;

/// Adds a node in the middle of each edge, in the order of Gmsh's and VTK's first three.
inline MidNodes add_mid_nodes(mesh::MeshData& mesh)
{
  constexpr std::array<std::array<std::size_t, 2>, 6> edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
  std::map<std::pair<GlobalIndex, GlobalIndex>, GlobalIndex> made;
  MidNodes all;
  for (const auto& tet : mesh.tets) {
    auto& mids = all.emplace_back();
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [low, high] = std::minmax(tet[edges[e][0]], tet[edges[e][1]]);
      const auto [it, fresh] = made.emplace(std::pair(low, high), static_cast<GlobalIndex>(mesh.nodes.size()));
      mids[e] = it->second;
      if (!fresh) continue;
      const Vec3 sum = mesh.nodes[static_cast<std::size_t>(low)] + mesh.nodes[static_cast<std::size_t>(high)];
      mesh.nodes.push_back(sum / 2), mesh.node_labels.push_back(mesh.nodes.size());
    }
  }
  return all;
}

/// Opens a crack in the plane z = height where x < length: elements above it get nodes of their own there.
inline void cut_slit(mesh::MeshData& mesh, double height, double length)
{
  std::vector<GlobalIndex> copy(mesh.nodes.size(), -1);
  for (std::size_t n = 0; n < copy.size(); ++n) {
    const Vec3 x = mesh.nodes[n];
    if (std::abs(x.z() - height) > 1e-9 || x.x() > length - 1e-9) continue;
    copy[n] = static_cast<GlobalIndex>(mesh.nodes.size());
    mesh.nodes.push_back(x), mesh.node_labels.push_back(mesh.nodes.size());
  }
  for (auto& tet : mesh.tets) {
    double z = 0;
    for (const GlobalIndex n : tet) z += mesh.nodes[static_cast<std::size_t>(n)].z() / 4;
    for (GlobalIndex& n : tet)
      if (z > height && n < static_cast<GlobalIndex>(copy.size()) && copy[static_cast<std::size_t>(n)] >= 0)
        n = copy[static_cast<std::size_t>(n)];
  }
  for (auto& set : mesh.face_sets)
    for (auto& face : set.faces) {
      const auto above = [&](GlobalIndex n) { return mesh.nodes[static_cast<std::size_t>(n)].z() > height + 1e-9; };
      if (std::none_of(face.begin(), face.end(), above)) continue;
      for (GlobalIndex& n : face)
        if (copy[static_cast<std::size_t>(n)] >= 0) n = copy[static_cast<std::size_t>(n)];
    }
}

}  // namespace sunder::test
