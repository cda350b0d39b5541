#pragma once
/// What tests measure of elements and cut of meshes by themselves.

#include "fracture/apply.hpp"
#include "mesh/lineage.hpp"

#include <algorithm>

namespace sunder::test {

/// Smallest height in the material [m].
inline double height_of(const mesh::TetMesh& mesh, LocalIndex e)
{
  const auto X = mesh.corners(e);
  double largest = 0;  // of the faces, twice its area
  for (const auto& [a, b, c] : mesh::face_corners) largest = std::max(largest, (X[b] - X[a]).cross(X[c] - X[a]).norm());
  return (X[1] - X[0]).cross(X[2] - X[0]).dot(X[3] - X[0]) / largest;
}

/// The split of node n along the plane z = const through it: the elements below get the copy. n is the node of
/// a mesh that one rank holds whole; the split is good for any rank's part of it.
inline fracture::NodeSplit split_below(const mesh::TetMesh& whole, LocalIndex n)
{
  fracture::NodeSplit split{whole.node(n).id, 0, {}};
  for (const LocalIndex e : whole.star(n)) {
    double z = 0;
    for (const Vec3& corner : whole.corners(e)) z += corner.z() / 4;
    if (z < whole.node(n).X.z()) split.elements.push_back(whole.element_id(e));
  }
  std::sort(split.elements.begin(), split.elements.end());
  split.copy = mesh::copy_node_id(split.node, split.elements.front());
  return split;
}

}  // namespace sunder::test
