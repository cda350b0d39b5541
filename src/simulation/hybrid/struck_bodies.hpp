#pragma once
/// Bodies that are hit hard: which they are, what the impacts do to them, and what that makes of the state.
/// docs/hybrid.md.

#include "config/scene.hpp"
#include "rigid/impulses.hpp"
#include "simulation/hybrid/body_contacts.hpp"
#include "simulation/hybrid/impact_analysis.hpp"
#include "simulation/hybrid/manifolds.hpp"
#include "simulation/hybrid/rigid_bodies.hpp"
#include "simulation/state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace sunder::simulation {

struct StruckBody {
  std::size_t body = 0;             ///< In RigidBodies::all().
  std::vector<ImpactForce> forces;  ///< Of its impacts.
};

/// Local. Bodies on which the impulses of this step are, over the time that a contact lasts, a force beyond the
/// threshold. Contacts that press without having approached do not count.
/// @param points  of the places of manifolds, in their order, with the impulses of the step
std::vector<StruckBody> struck_bodies(const config::Scene& scene, const State& state, const RigidBodies& bodies,
                                      std::span<const BodyContact> contacts, std::span<const Manifold> manifolds,
                                      std::span<const rigid::ContactPoint> points);

/// What impacts did to all bodies, the same on every rank.
struct ImpactOutcome {
  std::vector<PlaneCut> planes;  ///< The first of each body, in the order of bodies, then the second, and so on.
  std::vector<MovedNode> moved;  ///< After the planes.
  std::vector<std::size_t> cut;  ///< Bodies that have other elements now, ascending.
};

/// Collective. Bodies of hybrid.collective_from elements or more are analysed one after the other, each by all ranks
/// with what they hold. The rest is analysed side by side: each is brought to one rank; heavy bodies are dealt out
/// first. Which way a body goes changes no bit of the outcome.
/// @param warned  whether it was told before that no equilibrium was found
ImpactOutcome analyse_impacts(const config::Scene& scene, State& state, const RigidBodies& bodies,
                              std::span<const StruckBody> struck, bool& warned);

/// What planes have done to the mesh.
struct CarriedOut {
  std::vector<fracture::NodeCopy> splits;  ///< Of nodes held, in order.
  std::int64_t elements_more = 0;          ///< Than before, of those that this rank counts.
};

/// Collective. Cuts and parts the mesh along the planes.
CarriedOut carry_out(State& state, std::span<const PlaneCut> planes);

/// Collective. Gives nodes new places in the material. Returns the fragments that have another shape now, ascending.
std::vector<std::int64_t> move_material(State& state, std::span<const MovedNode> moved);

/// Collective. Throws Error, on every rank, where hybrid.r_coll is so small that it has no element, or so large that
/// nothing of a body is left to anchor.
void refuse_radii(const config::Scene& scene, const State& state, const RigidBodies& bodies);

}  // namespace sunder::simulation
