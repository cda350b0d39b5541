#pragma once
/// What a rank's step costs, for the weights of a repartition. Plain data.

#include <algorithm>

namespace sunder::simulation {

/// Processor time that a rank has spent, waiting excluded [s].
struct ProcessorTime {
  double on_elements = 0;  ///< Forces, screening, obstacles, motion: each element costs about the same.
  double on_failing = 0;   ///< Nodes that may fail: each costs about the same.
  double on_links = 0;     ///< Between the sides of cracks: each costs about the same.
};

/// Work of one kind that has been done: how much, and what processor time it took [s].
struct Effort {
  double amount = 0, seconds = 0;

  double rate() const { return seconds / std::max(1.0, amount); }
  /// Time without work to show for it says nothing about a rate.
  void add(const Effort& more)
  {
    if (more.amount > 0) amount += more.amount, seconds += more.seconds;
  }
};

/// Work of each kind.
struct WorkDone {
  Effort elements;  ///< Elements times steps.
  Effort failing;   ///< Evaluations of nodes that may fail.
  Effort links;     ///< Links between the sides of cracks, times steps.
  Effort listed;    ///< Pairs in contact's list, times steps.
  Effort touching;  ///< Updates of overlapping pairs.
  Effort searched;  ///< Elements whose pairs were looked for, as the list was mended.

  void add(const WorkDone& more)
  {
    elements.add(more.elements), failing.add(more.failing), links.add(more.links);
    listed.add(more.listed), touching.add(more.touching), searched.add(more.searched);
  }
};

}  // namespace sunder::simulation
