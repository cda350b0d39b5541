#pragma once
/// What acts on the bodies from outside, one row for each boundary condition, load and obstacle: reactions.csv.
/// docs/output.md.

#include "config/scene.hpp"
#include "core/reduction.hpp"
#include "simulation/state.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// On the bodies; the mean from the last row to this one.
struct ReactionRow {
  Vec3 force = Vec3::Zero();         ///< [N]
  Vec3 moment = Vec3::Zero();        ///< About the origin of the world [N m].
  Vec3 displacement = Vec3::Zero();  ///< Now [m]: mean of the nodes held, or of the loaded area; of the obstacle.
};

/// The sums over ranks that rows are made of. They are to stay at their address until the reduction is over.
class ReactionSums {
public:
  explicit ReactionSums(const State& state);  ///< Local. This rank's.

  void join(Reduction& all);  ///< Local. With the others of the reduction.
  /// Local. Of boundary conditions, loads and obstacles, each in the order of the scene.
  std::vector<ReactionRow> rows(const State& state) const;

private:
  struct Mean {
    Vec3 displacement = Vec3::Zero();  // times weight
    double weight = 0;
  };
  Reactions reactions_;
  std::vector<Mean> boundary_, loads_;
};

/// Local. Of rows: boundary.NAME, loads.NAME, obstacles.NAME.
std::vector<std::string> reaction_names(const config::Scene& scene);

/// Local. Columns of reactions.csv after step and time, and the numbers of rows.
std::vector<std::string> reaction_columns(const std::vector<std::string>& names);
std::vector<double> reaction_numbers(const std::vector<ReactionRow>& rows);

}  // namespace sunder::simulation
