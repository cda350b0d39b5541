#pragma once
/// A screen between the bound that the force loop sums and the separation tensor itself: the tensor of many nodes at
/// once, by the vector kernel, with a margin for what its round-off differs. docs/fracture.md.

#include "element/model.hpp"

#include <limits>
#include <span>
#include <vector>

namespace sunder::element {

/// Eight numbers of a node, in single precision.
struct alignas(32) Row8 {
  float x[8];
};

/// A node that may fail.
struct Suspect {
  LocalIndex node = -1;
  double most = std::numeric_limits<double>::infinity();  ///< Its v+/tau is no greater.
};

/// Local, all of it. Its arrays are kept between calls, so that a call costs what the nodes' elements cost.
class SeparationScreen {
public:
  /// Those of the given owned nodes, in their order, that may have v+ > tau: all that do, and few others. They must
  /// have elements. Where a toughness has directions that is all of them.
  std::vector<Suspect> may_fail(const Model& model, SeparationCriterion criterion, std::span<const LocalIndex> nodes);

private:
  void find_blocks(const Model& model, std::span<const LocalIndex> nodes);

  std::vector<LocalIndex> place_;        // (nodes) of its sums, from 1; 0: of none
  std::vector<std::uint8_t> wanted_;     // (blocks) has it an element around a node
  std::vector<LocalIndex> wanted_list_;  // blocks, in the order they were found
  std::vector<Row8> sums_;               // (nodes given, rows of each)
};

}  // namespace sunder::element
