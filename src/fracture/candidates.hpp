#pragma once
/// Step 1 of a crack, screen: which nodes fail. docs/fracture.md.

#include "element/model.hpp"

#include <map>
#include <span>
#include <vector>

namespace sunder::fracture {

/// Local. Owned nodes that may fail, judged by the forces add_internal_forces() has just left in model.f:
/// largest eigenvalue of the separation tensor <= sum |f+_a| + |f|/2, the first summed in the fourth lane. O(nodes).
///
/// Why: m(a) has |a| as its only non-zero eigenvalue; -m(sum f+) and -sum m(f-) never add; and
/// |sum f-| <= |f| + |sum f+|, so v+ <= (sum |f+| + |sum f-|) / 2 <= sum |f+| + |f| / 2. An element whose toughness
/// has directions puts f*+ and f*- of sigma* (T 4.8) into the tensor, but f+ + f- into f: it sums
/// (|f+| + |f-| + |f*+| + |f*-|) / 2 instead of |f+|, which bounds both.
void screen(const element::Model& model, std::vector<LocalIndex>& nodes);

/// Tensile and compressive corner forces of elements in the current state, T 4.4, 4.5, from sigma* where toughness has
/// directions (T 4.8: sigma* = (R^T S R) sigma (R^T S R)); each made when first asked for.
/// Local. To be dropped when the state changes.
class SplitForces {
public:
  explicit SplitForces(const element::Model& model);

  struct OfElement {
    Mat34 tensile, compressive;  ///< (3, 4) [N]
  };
  const OfElement& of(LocalIndex e);

private:
  const element::Model& model_;
  std::vector<LocalIndex> position_;  // (slots) in made_, -1: not made
  std::vector<OfElement> made_;
};

/// Local. Separation tensor of an owned node, T 4.6, elements in their canonical order. [N]
Mat3 separation_tensor(const mesh::TetMesh& mesh, SplitForces& forces, LocalIndex n);

/// A node whose separation exceeds its toughness, v+ > tau.
struct Candidate {
  element::Principal separation;  ///< v+ [N] and the unit normal of the fracture plane, in the world
  double toughness = 0;           ///< tau across that plane [N]
  double ratio = 0;               ///< v+ / tau
};

/// Nodes of this rank that fail now, and what cracks have changed around them in this step before any motion could.
/// Lives for one step; ordered by local index only to look things up.
class Candidates {
public:
  /// Local. Evaluates owned nodes, pushed and relieved in the order they were; keeps those that fail and are not set
  /// aside. Each element around them is split into tension and compression once.
  void evaluate(const element::Model& model, std::span<const LocalIndex> nodes);
  /// Local. T 4.7, at a crack tip: `separation` [N] more across the crack's plane. Adds up.
  void push(LocalIndex n, const Vec3& normal, double separation);
  /// Local. Beside a crack: `share` of the separation across the crack's plane is gone. docs/fracture.md.
  void relieve(LocalIndex n, const Vec3& normal, double share);
  /// Local. A failing node acts: what it was pushed or relieved of is forgotten, so that after re-meshing it is judged
  /// by forces alone, as the node its other side becomes is. Else one and the same push would part it again and again.
  Candidate act(LocalIndex n);
  /// Local. n cannot be parted on its plane: leave it for this step.
  void set_aside(LocalIndex n);

  const std::map<LocalIndex, Candidate>& failing() const noexcept { return failing_; }

private:
  /// What the crack of one event did to a node's separation across its plane.
  struct Change {
    Vec3 normal;
    double pushed = 0;    // [N]
    double relieved = 0;  // share
  };

  std::map<LocalIndex, Candidate> failing_;
  std::map<LocalIndex, std::vector<Change>> changes_;
  std::map<LocalIndex, bool> set_aside_;
};

}  // namespace sunder::fracture
