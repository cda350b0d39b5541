#pragma once
/// What fracture planes do to the mesh of a body: edges that are cut, faces that are parted. docs/hybrid.md.

#include "fracture/apply.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// A face along which a body is parted. Trivially copyable, as ranks send it.
struct PartedFace {
  ElementId a = 0, b = 0;  ///< The elements on both sides, a < b.
  std::array<NodeId, 3> nodes{};
};

/// One plane: what it cuts, then what it parts, with ids as they are by then. Planes are carried out one after the
/// other, so that whoever does it makes nodes and elements with the same ids.
struct PlaneCut {
  std::vector<fracture::Bisection> bisections;  ///< Ascending.
  std::vector<PartedFace> parted;               ///< Ascending.
};

/// Pairs of elements that do not hold together any more at the face between them, whether or not it has opened.
/// Local, all of it.
class PartedPairs {
public:
  bool add(ElementId a, ElementId b);  ///< Returns false if it was there.
  bool contains(ElementId a, ElementId b) const;

  /// Elements have been cut. The part of a face that a child has is parted if the face was. So all children of the one
  /// element are parted from all of the other: those that share no face now never will.
  /// @param lineage  parents before children
  void follow(std::span<const fracture::Lineage> lineage);

private:
  std::unordered_map<ElementId, std::vector<ElementId>> others_;  // both ways
};

}  // namespace sunder::simulation
