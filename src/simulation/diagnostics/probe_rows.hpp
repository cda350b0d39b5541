#pragma once
/// What the material does at the probes of a scene, one row for each output step: probes.csv. docs/output.md.

#include "config/scene.hpp"
#include "core/reduction.hpp"
#include "simulation/state.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// What ranks know of the probes. Each number comes from one rank, so that the row has the same bits on any number of
/// them. Numbers are to stay at their address until the reduction is over.
class ProbeSums {
public:
  /// Local. This rank's. Forces must have been computed.
  ProbeSums(const config::Scene& scene, const State& state);

  void join(Reduction& all);        ///< Local. With the others of the reduction.
  std::vector<double> row() const;  ///< Local, after the reduction. As probe_columns().

private:
  struct Entry {
    double value = 0;
    bool adds = false;  // to the column of the entry before: of corners that several ranks own
  };
  std::vector<Entry> entries_;
};

/// Local. NAME.ux and so on, in the order of the scene.
std::vector<std::string> probe_columns(const config::Scene& scene);

}  // namespace sunder::simulation
