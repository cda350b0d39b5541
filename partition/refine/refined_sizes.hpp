#pragma once
/// Mesh sizes of the nodes that refinement makes, without refining. docs/refinement.md.

#include "mesh/mesh_data.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::partition {

/// An element that is divided often becomes a part of a lattice: J. Bey's division is Freudenthal's of a cube, seen
/// through an affine map. So all nodes inside an edge of the coarse mesh have like surroundings, and so have all inside
/// a face and all inside an element. What this returns is to be divided by 2^level; the same holds for the nodes of the
/// coarse mesh.
class RefinedSizes {
public:
  /// Local. refined: (elements) is it divided at all?
  RefinedSizes(const mesh::MeshData& mesh, const std::vector<bool>& refined);

  double in_edge(GlobalIndex a, GlobalIndex b) const;                 ///< Local. Of an element that is divided. [m]
  double in_face(GlobalIndex a, GlobalIndex b, GlobalIndex c) const;  ///< Local. Likewise.
  /// Local. X: corners in the order of best_order(). [m]
  static double in_element(const std::array<Vec3, 4>& X);

private:
  /// Sums over the elements around an edge or a face.
  template <std::size_t corners>
  struct Around {
    std::array<GlobalIndex, corners> nodes{};  ///< ascending
    double sum = 0, count = 0;
  };
  std::vector<Around<2>> edges_;  // ascending
  std::vector<Around<3>> faces_;
};

}  // namespace sunder::partition
