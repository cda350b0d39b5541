#include "simulation/crumbs/settle_crumbs.hpp"

#include "core/log.hpp"
#include "core/reduction.hpp"
#include "simulation/crumbs/find_crumbs.hpp"
#include "simulation/rebuild_bodies.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace sunder::simulation {
namespace {

using lattice::CrumbOptions;

struct Lost {
  double kinetic = 0, potential = 0;  // m g . p [J]
};

/// Adds what one has to the totals, and takes from it what it is not to keep.
Lost settle(element::Model& model, LocalIndex e, const CrumbOptions& options, const Vec3& gravity, CrumbTotals& totals)
{
  const bool counts = model.mesh.primary(e);
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
  double mass = 0, kinetic = 0;
  const double of_node = model.material_of(e).density * model.blocks.volume(e) / 4;
  for (const LocalIndex n : model.mesh.tet(e)) {
    const Vec3 v = model.v[at(n)].xyz();
    mass += of_node, momentum += of_node * v, kinetic += of_node * v.squaredNorm() / 2;
    moment += of_node * model.p[at(n)].xyz();
  }
  if (counts) ++totals.elements, totals.mass += mass, totals.momentum += momentum, totals.kinetic += kinetic;
  if (options.become == CrumbOptions::Become::nothing) return counts ? Lost{kinetic, gravity.dot(moment)} : Lost{};
  const Vec3 of_centre = momentum / mass;
  for (const LocalIndex n : model.mesh.tet(e)) model.v[at(n)].set_xyz(of_centre);
  return counts ? Lost{kinetic - mass * of_centre.squaredNorm() / 2, 0} : Lost{};
}

void tell(const CrumbTotals& totals, const CrumbOptions& options, bool removed)
{
  const std::string limit =
      std::isinf(options.volume) ? "" : fmt::format(" with less than {:.4g} times the mean volume", options.volume);
  const Vec3& p = totals.momentum;
  log_info(
      fmt::format("lattice.crumbs: {} fragments of one element{} {}: {:.4g} kg with a momentum of [{:.4g}, {:.4g}, "
                  "{:.4g}] kg m/s and {:.4g} J of motion",
                  totals.elements, limit, removed ? "are left out from now on" : "fly as particles", totals.mass, p.x(),
                  p.y(), p.z(), totals.kinetic));
}

}  // namespace

void settle_crumbs(const config::Scene& scene, State& state)
{
  const CrumbOptions& options = scene.lattice.crumbs;
  CrumbTotals& totals = state.crumbs;
  totals = {.settled = true};
  if (options.become == CrumbOptions::Become::bodies) return;
  const std::vector<LocalIndex> crumbs = find_crumbs(scene, state);
  for (const LocalIndex e : crumbs) {
    const Lost lost = settle(state.model, e, options, scene.gravity, totals);
    state.ledger.work.numerical += lost.kinetic;
    state.ledger.work.external += lost.potential;  // it has not fallen any more
  }
  Reduction all;
  all.sum(totals.elements, totals.mass, totals.momentum, totals.kinetic);
  all.over(state.comm);
  const bool removed = options.become == CrumbOptions::Become::nothing;
  if (removed && totals.elements > 0) {
    remove_elements(crumbs, state);
    state.fragments -= totals.elements;
  }
  tell(totals, options, removed);
}

}  // namespace sunder::simulation
