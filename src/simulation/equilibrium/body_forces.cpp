#include "simulation/equilibrium/body_forces.hpp"

#include "core/stopwatch.hpp"
#include "element/cohesion.hpp"

#include <algorithm>
#include <limits>

namespace sunder::simulation {

BodyForces::BodyForces(const config::Scene& scene, State& state, bool enabled)
  : scene_(scene), state_(state), enabled_(enabled && scene.collisions.enabled)
{
}

BodyForces::Collisions::Bodies BodyForces::bodies() const
{
  const element::Model& model = state_.model;
  return {model.mesh, model.p, model.v, state_.mesh_size};
}

void BodyForces::reset(std::span<const partition::PairRecord> memory)
{
  release();
  on_nodes_.assign(static_cast<std::size_t>(state_.model.mesh.num_nodes()), Row4{});
  if (!enabled_) return;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  std::vector<double> moduli;
  for (const auto& m : state_.model.materials) moduli.push_back(m.p_wave_modulus());
  collisions_.emplace(state_.comm, scene_.collisions.response, std::move(moduli), scene_.collisions.criterion,
                      element::cohesive(state_.model) ? contact::Links::in_w : contact::Links::none);
  collisions_->reset(bodies(), *state_.halo, memory);
}

void BodyForces::cut(contact::Origins origins)
{
  on_nodes_.assign(static_cast<std::size_t>(state_.model.mesh.num_nodes()), Row4{});
  pairs_.clear(), with_room_.clear();
  if (!collisions_) return;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  collisions_->cut(bodies(), *state_.halo, std::move(origins));
}

void BodyForces::release()
{
  collisions_.reset();
  pairs_.clear(), with_room_.clear();
}

std::span<const Row4> BodyForces::find()
{
  if (!collisions_) return on_nodes_;
  const PhaseStopwatch watch(state_.measured.wall.contact);
  std::fill(on_nodes_.begin(), on_nodes_.end(), Row4{});
  collisions_->find_overlaps(bodies());
  collisions_->add_forces(on_nodes_);
  return on_nodes_;
}

void BodyForces::accept()
{
  if (collisions_) collisions_->remember();
}

std::vector<partition::PairRecord> BodyForces::memory() const
{
  return collisions_ ? collisions_->memory() : std::vector<partition::PairRecord>();
}

double BodyForces::safe_share(std::span<const Row4> p, std::span<const Row4> moves) const
{
  if (!collisions_) return std::numeric_limits<double>::infinity();
  const PhaseStopwatch watch(state_.measured.wall.contact);
  return collisions_->safe_share({state_.model.mesh, p, moves, state_.mesh_size}, moves);
}

void BodyForces::forget_pairs()
{
  pairs_.clear();
}

bool BodyForces::needs_room()
{
  if (!collisions_) return false;
  for (std::size_t k = 0; k < collisions_->num_overlapping(); ++k)
    pairs_.try_emplace(collisions_->ids(k), collisions_->corners(k));
  const bool same = std::equal(pairs_.begin(), pairs_.end(), with_room_.begin(), with_room_.end(),
                               [](const auto& pair, const Collisions::Ids& ids) { return pair.first == ids; });
  return state_.comm.max(std::int64_t{!same}) != 0;
}

std::vector<CoupledNodes> BodyForces::make_room(NodeNumbering& numbering)
{
  std::vector<NodeNumbering::Guest> guests;
  for (const auto& [ids, corners] : pairs_)
    for (const Collisions::Corner& corner : corners)
      if (corner.node < 0) guests.push_back({corner.owner, corner.id});
  numbering.set_guests(state_.model, std::move(guests));
  std::vector<CoupledNodes> coupled;
  with_room_.clear();
  for (const auto& [ids, corners] : pairs_) {
    with_room_.push_back(ids);
    CoupledNodes& nodes = coupled.emplace_back();
    std::transform(corners.begin(), corners.end(), nodes.begin(), [&](const Collisions::Corner& corner) {
      return corner.node >= 0 ? numbering.index(corner.node) : numbering.guest(corner.id);
    });
  }
  return coupled;
}

void BodyForces::add_tangent(const TangentOptions& options, StiffnessMatrix& matrix) const
{
  if (!collisions_) return;
  for (std::size_t k = 0; k < collisions_->num_overlapping(); ++k) {
    const auto at = std::lower_bound(with_room_.begin(), with_room_.end(), collisions_->ids(k));
    matrix.add_coupled(static_cast<std::size_t>(at - with_room_.begin()), collisions_->tangent(k, options));
  }
}

}  // namespace sunder::simulation
