#pragma once
/// Which element of a body under an impact exceeds its strength most.

#include "core/comm.hpp"
#include "core/types.hpp"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace sunder::simulation {

/// The greatest principal stress of an element. Trivially copyable, as ranks send it.
struct Tension {
  double excess = 0;  ///< Stress over strength.
  double stress = 0;  ///< [Pa]
  ElementId element = 0;
  NodeId corner = 0;
  std::array<double, 3> centroid{}, direction{};

  bool operator<(const Tension& other) const;  ///< Does it go first?
};

/// Tensions of a rank's elements, the greatest first. Few are worked out: those that may be first by a bound.
class Tensions {
public:
  struct Candidate {
    double excess = 0;  ///< At least that of its tension, as long as that is not known.
    LocalIndex e = -1;
    std::optional<Tension> tension;

    /// In a heap the one with the greatest excess is on top, and of equals one whose tension is not known yet.
    bool operator<(const Candidate& other) const;
  };

  Tensions(std::vector<Candidate> candidates, std::function<Tension(LocalIndex)> tension_of);

  std::optional<Tension> next();  ///< Local. Each once; then nothing.

private:
  std::vector<Candidate> heap_;
  std::function<Tension(LocalIndex)> tension_of_;
};

/// Collective. The first of those that ranks give; nothing if no rank has one.
std::optional<Tension> first_of_all(const Comm& comm, const std::optional<Tension>& mine);

}  // namespace sunder::simulation
