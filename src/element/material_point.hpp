#pragma once
/// Points of the material that are followed through cuts. docs/output.md.

#include "mesh/tet_mesh.hpp"

#include <array>
#include <span>

namespace sunder::element {

/// A point of the material and the element it is in. A rank knows the element as long as it holds it; of a rank that
/// does not, `element` may be one that has been cut since (simulation/probes.hpp makes ranks agree).
struct MaterialPoint {
  Vec3 X = Vec3::Zero();  ///< Material position [m].
  ElementId element = mesh::no_element;
  LocalIndex slot = -1;  ///< Of the element; -1: this rank does not hold it.
};

/// Local. Barycentric coordinates of X in a tetrahedron with these corners, of positive volume. They add up to 1.
std::array<double, 4> barycentric(const std::array<Vec3, 4>& corners, const Vec3& X);

/// Local. The edge ab of held elements has been bisected by `node`: points in such an element go to the child they are
/// in, of two that share a point to the one at a. Every rank that held the element finds the same child, whichever of
/// the two it still holds.
void follow_bisection(std::span<MaterialPoint> points, const mesh::TetMesh& mesh, const mesh::BisectedElement& bisected,
                      LocalIndex a, LocalIndex node);

/// Local. Slots of the points' elements, looked for anew: after elements have moved between ranks.
void find_slots(std::span<MaterialPoint> points, const mesh::TetMesh& mesh);

}  // namespace sunder::element
