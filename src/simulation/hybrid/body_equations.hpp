#pragma once
/// Statics of one body under forces on its nodes, as equations for Newton's method.

#include "element/model.hpp"
#include "partition/halo/halo.hpp"
#include "simulation/equilibrium/node_numbering.hpp"
#include "simulation/equilibrium/stiffness_matrix.hpp"
#include "solvers/newton.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

/// Balance of the forces in a body with those on it. u: displacements of owned nodes from the material. Trying a u puts
/// all nodes held where they are there. The same bits on any number of ranks.
class BodyEquations final : public solvers::Equations {
public:
  /// Collective on the halo's communicator. The model must outlive it.
  /// @param forces   (nodes) on owned ones [N]
  /// @param fixed    (nodes) not 0: it stays where it is; right of ghosts too
  /// @param seconds  what forces and stiffness take is added to it; must outlive it
  BodyEquations(element::Model& model, const partition::Halo& halo, std::vector<Vec3> forces,
                const std::vector<std::uint8_t>& fixed, double& seconds);

  std::vector<double> displacements() const;  ///< Local. The present ones, (3 num_owned).

  const solvers::NodeLayout& layout() const override { return numbering_.layout(); }
  bool residual(std::span<const double> u, std::span<double> r) override;
  double force_scale() override { return scale_; }
  double round_off() const override { return 1e-12 * scale_; }
  const solvers::BlockMatrix& tangent(Tangent kind) override;
  bool same_pattern() const override { return tangents_ > 1; }

private:
  void move_to(std::span<const double> u);

  element::Model& model_;
  NodeNumbering numbering_;
  StiffnessMatrix matrix_;
  std::vector<Vec3> forces_;
  std::vector<std::uint8_t> fixed_;  // (3 nodes of the layout)
  std::vector<double> all_, sizes_;  // (3 nodes of the layout) displacements; (num_owned) of forces [N]
  double& seconds_;
  double scale_ = 0;
  int tangents_ = 0;  // how many there have been
};

}  // namespace sunder::simulation
