#pragma once
/// The step without contact, fracture or output: what tests of elastodynamics need.

#include "element/internal_forces.hpp"
#include "solvers/explicit_step.hpp"
#include "support/problem.hpp"

namespace sunder::test {

struct WorkSums {
  double viscous_work = 0, plastic_work = 0;
};

/// Collective. Leaves model.f as the forces of the state it returns with.
class BareStepper {
public:
  /// constrain: called after the nodes have moved, before forces are taken.
  explicit BareStepper(TestProblem& problem, std::function<void(element::Model&)> constrain = {})
    : problem_(problem), constrain_(std::move(constrain))
  {
    forces();
  }

  void step(double dt)
  {
    element::Model& m = problem_.model;
    sums.viscous_work += power_ * dt;
    std::vector<std::uint8_t> owned(m.p.size());
    for (LocalIndex n = 0; n < m.mesh.num_nodes(); ++n) owned[static_cast<std::size_t>(n)] = m.mesh.owned(n);
    solvers::explicit_step(solvers::ExplicitScheme::symplectic, dt, Vec3::Zero(), owned, m.mass, m.f, m.p, m.v);
    problem_.halo->owners_to_ghosts(std::span<Row4>(m.p), std::span<Row4>(m.v));
    if (constrain_) constrain_(m);
    forces();
    dt_ = dt;
  }

  /// Kinetic energy at the time of the positions, and elastic energy, over all ranks.
  double kinetic() const
  {
    const element::Model& m = problem_.model;
    double twice = 0;
    for (LocalIndex n = 0; n < m.mesh.num_nodes(); ++n) {
      if (!m.mesh.owned(n)) continue;
      const auto i = static_cast<std::size_t>(n);
      twice += m.mass[i] * (m.v[i].xyz() + 0.5 * dt_ / m.mass[i] * m.f[i].xyz()).squaredNorm();
    }
    return problem_.halo->comm().sum(twice / 2);
  }
  double elastic() const
  {
    const element::Model& m = problem_.model;
    return problem_.halo->comm().sum(element::elastic_energy(m.blocks, m.materials, m.p));
  }

  WorkSums sums;

private:
  void forces()
  {
    element::Model& m = problem_.model;
    std::fill(m.f.begin(), m.f.end(), Row4{});
    const auto s = element::add_internal_forces(m.blocks, m.materials, m.p, m.v, m.f);
    power_ = s.viscous_power;
    sums.plastic_work += s.plastic_work;
  }

  TestProblem& problem_;
  std::function<void(element::Model&)> constrain_;
  double power_ = 0, dt_ = 0;
};

}  // namespace sunder::test
