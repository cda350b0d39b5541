#pragma once
/// Which nodes fail, by their separation tensors. docs/fracture.md.

#include "element/model.hpp"
#include "element/separation_screen.hpp"
#include "element/stress.hpp"
#include "fracture/exclusion.hpp"

#include <map>
#include <set>
#include <span>
#include <vector>

namespace sunder::fracture {

/// Tensile and compressive corner forces of elements in the current state, T 4.4, 4.5. Where toughness has directions
/// they come from sigma* = (R^T S R) sigma (R^T S R), T 4.8. An element's forces are computed at the first request.
/// Local.
class SplitForces {
public:
  explicit SplitForces(const element::Model& model);

  struct OfElement {
    Mat34 tensile, compressive;  ///< (3, 4) [N]
  };
  const OfElement& of(LocalIndex e);
  const element::Model& model() const noexcept { return model_; }
  /// The state or the mesh has changed: all are made anew. Costs what was made.
  void forget();

private:
  const element::Model& model_;
  std::vector<LocalIndex> position_;  // (slots) in made_, -1: not made
  std::vector<OfElement> made_;
  std::vector<LocalIndex> made_of_;  // (made_) slots
};

/// What evaluating nodes works with. Its arrays are kept from call to call.
struct Evaluation {
  explicit Evaluation(const element::Model& model) : forces(model) {}

  SplitForces forces;
  element::SeparationScreen screen;
  Exclusion exclusion;  ///< Empty but within crack().
};

/// Local. Separation tensor of an owned node, elements in their canonical order. [N]
Mat3 separation_tensor(const mesh::TetMesh& mesh, SplitForces& forces, LocalIndex n,
                       element::SeparationCriterion criterion);

/// A node whose separation exceeds its toughness, v+ > tau.
struct FailingNode {
  element::Principal separation;  ///< v+ [N] and the unit normal of the fracture plane, in the world
  double toughness = 0;           ///< tau across that plane [N]
  double ratio = 0;               ///< v+ / tau
  int interface = -1;             ///< Of the model, the one that fails; -1: the materials do.
};

/// The owned nodes that fail now, with the changes that cracks of this step made to their separation: residuals passed
/// on, and relief. Lives for one step. The order of its maps decides nothing: choose() orders by (v+/tau, id).
class FailingNodes {
public:
  explicit FailingNodes(element::SeparationCriterion criterion) : criterion_(criterion) {}

  /// Local. Decides which of the given owned nodes fail, v+ > tau, and keeps those; the others are kept no
  /// longer, nor is a node that is set aside. Changes are added to the separation tensor in the order they were made.
  /// Only nodes that pass the screen get a tensor, and so only their elements split forces.
  void evaluate(Evaluation& with, std::span<const LocalIndex> nodes);
  void evaluate(const element::Model& model, std::span<const LocalIndex> nodes);
  /// Local. T 4.7, for a node at a crack tip: adds `separation` [N] across the crack's plane, to what was added before.
  void push(LocalIndex n, const Vec3& normal, double separation);
  /// Local. For a node beside a crack: takes away the given fraction of its separation across the crack's plane.
  /// docs/fracture.md.
  void relieve(LocalIndex n, const Vec3& normal, double fraction);
  /// Local. Removes n, a node that acts in this round, and returns it. Pushes and reliefs of n so far are
  /// forgotten: otherwise the same push would split n again in each later round.
  FailingNode act(LocalIndex n);
  /// Local. n cannot be split along its plane: it is not kept again in this step.
  void set_aside(LocalIndex n);

  const std::map<LocalIndex, FailingNode>& nodes() const noexcept { return failing_; }

private:
  std::vector<LocalIndex> screened(Evaluation& with, std::span<const LocalIndex> nodes) const;
  bool changed(LocalIndex n) const { return changes_.contains(n); }

  /// What one event changed in a node's separation across the plane of that event.
  struct Change {
    Vec3 normal;
    double pushed = 0;    // [N]
    double relieved = 0;  // fraction
  };

  element::SeparationCriterion criterion_;
  std::map<LocalIndex, FailingNode> failing_;
  std::map<LocalIndex, std::vector<Change>> changes_;
  std::set<LocalIndex> set_aside_;
};

}  // namespace sunder::fracture
