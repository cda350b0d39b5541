#pragma once
/// The one reduction of a step: what ranks tell each other in it.

#include "contact/law/resultants.hpp"
#include "core/comm.hpp"
#include "simulation/stepping/step_control.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sunder::simulation {

/// Counts, added up over ranks, and after them the digits of the resultants on free obstacles. Each step fills it anew.
class StepReduction {
public:
  enum Flag : std::size_t {
    failing,        ///< Nodes that fail.
    not_a_number,   ///< Ranks with a velocity that is not a number.
    inverted,       ///< Ranks with an element that is turned inside out.
    strayed_pairs,  ///< Ranks with a few nodes that have left what the pair list allows for,
    expired_pairs,  ///< and with a pair list that has to be made anew.
    checkpoint,     ///< Ranks that ask for a checkpoint,
    stop,           ///< or for a checkpoint and an end.
    loosened,       ///< Ranks where a fragment may have come apart as links broke.
    dropped_links,  ///< Ranks where links have come to nothing.
    num_flags
  };

  StepReduction() { clear(); }

  /// Local, all of these. After finish() the counts are those of all ranks.
  void clear() { values_.assign(num_flags + num_ratios, 0); }
  void set(Flag flag, std::int64_t count) { values_[flag] = count; }
  std::int64_t operator[](Flag flag) const { return values_[flag]; }
  bool any(Flag flag) const { return values_[flag] > 0; }

  /// Local. The interval between overlap updates would have to be this many times shorter for this rank:
  /// StepControl::step_ratio().
  void set_step_ratio(double ratio);
  /// Local. How often that interval has to be halved, for the greatest ratio of all ranks.
  int halvings() const;

  /// Begins and ends the reduction. Collective on comm.
  void start(const Comm& comm, const contact::Resultants& resultants);
  void finish(contact::Resultants& resultants);

private:
  /// The k-th counts the ranks whose step would have to be halved more than k times.
  static constexpr std::size_t num_ratios = StepControl::most_halvings + 1;

  std::vector<std::int64_t> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace sunder::simulation
