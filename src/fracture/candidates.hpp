#pragma once
/// Step 1 of a crack, screen: which nodes fail. docs/fracture.md.

#include "element/model.hpp"
#include "element/stress.hpp"

#include <map>
#include <span>
#include <vector>

namespace sunder::fracture {

/// Local. Owned nodes that may fail, judged by the forces add_internal_forces() has just left in model.f, whose fourth
/// lane sums a bound b of |f+_a|. O(nodes). Of the largest eigenvalue v+ of the separation tensor:
///
///   tensile: v+ <= sum b / 2. Why: m(a) has |a| as its only non-zero eigenvalue; -sum m(f-) never adds, nor does
///            m(c) - m(f+_sum) = -u d d^T, as u >= 0; so v+ <= sum |f+| / 2. Without tension no node is looked at.
///   sources: v+ <= sum b + |f|/2. Why: -m(f+_sum) and -sum m(f-) never add, and |f-_sum| <= |f| + |f+_sum|, so
///            v+ <= (sum |f+| + |f-_sum|) / 2 <= sum |f+| + |f| / 2.
///
/// An element whose toughness has directions puts f*+ and f*- of sigma* (T 4.8) into the tensor, but f+ + f- into f: it
/// sums (|f+| + |f-| + |f*+| + |f*-|) / 2 instead of |f+|, which is enough for the second. For the first it is no less
/// than |f*+| / 2, so in a scene with such a material v+ <= sum b is what holds.
void screen(const element::Model& model, element::Criterion criterion, std::vector<LocalIndex>& nodes);

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

/// Local. Separation tensor of an owned node, elements in their canonical order. [N]
Mat3 separation_tensor(const mesh::TetMesh& mesh, SplitForces& forces, LocalIndex n, element::Criterion criterion);

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
  explicit Candidates(element::Criterion criterion) : criterion_(criterion) {}

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

  element::Criterion criterion_;
  std::map<LocalIndex, Candidate> failing_;
  std::map<LocalIndex, std::vector<Change>> changes_;
  std::map<LocalIndex, bool> set_aside_;
};

}  // namespace sunder::fracture
