#include "simulation/equilibrium/obstacle_forces.hpp"

#include "contact/law/penalty.hpp"
#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "core/stopwatch.hpp"
#include "geometry/corners.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sunder::simulation {

ObstacleForces::ObstacleForces(const config::Scene& scene, State& state, bool inertia)
  : scene_(scene),
    state_(state),
    inertia_(inertia),
    contact_(state.obstacles, scene.collisions.criterion),
    resultants_(state.obstacles),
    end_(state.obstacles.size()),
    before_(state.obstacles.size()),
    work_of_start_(state.obstacles.size())
{
}

void ObstacleForces::rebuild()
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  primary_.resize(static_cast<std::size_t>(mesh.num_slots()));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) primary_[static_cast<std::size_t>(e)] = mesh.primary(e);
  on_nodes_.assign(static_cast<std::size_t>(mesh.num_nodes()), Row4{});
}

std::vector<rigid::Motion> ObstacleForces::motions(At at) const
{
  std::vector<rigid::Motion> motions = at == At::start ? state_.obstacle_motions : end_;
  if (!inertia_)
    for (rigid::Motion& motion : motions) motion.velocity = motion.spin = Vec3::Zero();
  return motions;
}

std::span<const Row4> ObstacleForces::find(At at)
{
  if (state_.obstacles.empty()) return on_nodes_;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  const element::Model& model = state_.model;
  std::fill(on_nodes_.begin(), on_nodes_.end(), Row4{});
  resultants_.clear(), summed_ = false;
  contact_.drop_list();  // what is tried may be anywhere
  contact_.add_forces(model.mesh.tets(), primary_, model.p, model.v, 0, 0, motions(at), on_nodes_, resultants_);
  return on_nodes_;
}

void ObstacleForces::sum_over_ranks()
{
  std::vector<std::int64_t> digits;
  resultants_.append_digits(digits);
  if (std::exchange(summed_, true) || digits.empty()) return;
  state_.comm.sum_in_place(digits);
  resultants_.take_digits(digits);
}

void ObstacleForces::begin(double t_end, double dt)
{
  dt_ = dt;
  sum_over_ranks();
  for (std::size_t k = 0; k < end_.size(); ++k) {
    const contact::Obstacle& obstacle = state_.obstacles[k];
    before_[k] = resultants_.on(k);
    end_[k] = free(k) ? state_.obstacle_motions[k] : rigid::motion_at(obstacle, t_end);
    if (!free(k)) continue;
    work_of_start_[k] =
        rigid::kick_free(obstacle, before_[k].force, before_[k].torque, scene_.gravity, dt / 2, end_[k]);
    rigid::drift_free(obstacle, dt, end_[k]);
  }
}

void ObstacleForces::add_tangent(
    const TangentOptions& options,
    const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add) const
{
  if (state_.obstacles.empty()) return;
  const element::Model& model = state_.model;
  contact_.add_tangent(model.mesh.tets(), model.p, model.v, motions(At::end), options, add);
}

void ObstacleForces::accept()
{
  sum_over_ranks();
  for (std::size_t k = 0; k < end_.size(); ++k) free(k) ? finish_free(k) : finish_given(k);
  state_.obstacle_motions = end_;
}

/// Every rank moves it alike; rank 0 alone counts.
void ObstacleForces::finish_free(std::size_t k)
{
  const contact::Obstacle& obstacle = state_.obstacles[k];
  const contact::Resultant before = before_[k], after = resultants_.on(k);
  const Vec3 here = end_[k].position, there = state_.obstacle_motions[k].position;
  const double work =
      work_of_start_[k] + rigid::kick_free(obstacle, after.force, after.torque, scene_.gravity, dt_ / 2, end_[k]);
  if (state_.comm.rank() != 0) return;
  state_.ledger.work.contact -= work;
  Impulse& on_bodies = state_.reactions.obstacles[k];
  on_bodies.linear -= dt_ / 2 * (before.force + after.force);
  on_bodies.angular -= dt_ / 2 * (before.torque + there.cross(before.force) + after.torque + here.cross(after.force));
}

/// Each rank counts what its own elements did.
void ObstacleForces::finish_given(std::size_t k)
{
  const contact::Resultant before = before_[k], after = resultants_.on(k);
  const rigid::Motion &then = state_.obstacle_motions[k], &now = end_[k];
  const double work = (before.force + after.force).dot(now.position - then.position) / 2 +
                      dt_ / 2 * (before.torque.dot(then.spin) + after.torque.dot(now.spin));
  state_.ledger.work.contact -= work;
  state_.ledger.work.external -= work;
  Impulse& on_bodies = state_.reactions.obstacles[k];
  const auto impulse = [](const contact::Resultant& r, const Vec3& at) -> Vec3 { return r.torque + at.cross(r.force); };
  // Without inertia a row of output has the forces at its end.
  const double share = inertia_ ? 0.5 : 1;
  on_bodies.linear -= dt_ * ((1 - share) * before.force + share * after.force);
  on_bodies.angular -= dt_ * ((1 - share) * impulse(before, then.position) + share * impulse(after, now.position));
}

double ObstacleForces::time_error()
{
  sum_over_ranks();
  double error = 0;
  for (std::size_t k = 0; k < end_.size(); ++k)
    if (free(k))
      error = std::max(error,
                       dt_ * dt_ / 6 * (resultants_.on(k).force - before_[k].force).norm() / state_.obstacles[k].mass);
  return error;
}

double ObstacleForces::longest_step() const
{
  const element::Model& model = state_.model;
  double speed = 0, longest = std::numeric_limits<double>::infinity();
  for (const Row4& v : model.v) speed = std::max(speed, v.xyz().norm());
  for (std::size_t k = 0; inertia_ && k < end_.size(); ++k) {
    const contact::Obstacle& obstacle = state_.obstacles[k];
    const rigid::Motion& motion = state_.obstacle_motions[k];
    double gap = std::numeric_limits<double>::infinity();
    for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
      if (model.mesh.alive(e))
        gap = std::min(gap, contact::gap_to(obstacle, motion,
                                            contact::box_around(geometry::corners_of(model.mesh.tet(e), model.p))));
    const double free_way = state_.mesh_size / 4, closing = speed + rigid::greatest_speed(obstacle, motion);
    if (closing > 0) longest = std::min(longest, std::max(gap, free_way) / closing);
    if (free(k) && gap < free_way) longest = std::min(longest, contact::obstacle_step(obstacle) / 2);
  }
  return -state_.comm.max(-longest);
}

}  // namespace sunder::simulation
