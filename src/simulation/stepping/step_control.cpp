#include "simulation/stepping/step_control.hpp"

#include "core/sort_unique.hpp"
#include "element/stable_step.hpp"
#include "simulation/stepping/contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace sunder::simulation {
namespace {

enum class LimitKind : std::int64_t { elastic, viscous, contact, cohesive };
constexpr std::array limit_names{"elastic", "viscous", "contact", "cohesive"};

/// The tightest limit of elements of this rank.
struct ElementWithLimit {
  double step = std::numeric_limits<double>::infinity();
  LocalIndex element = -1;
  LimitKind kind = LimitKind::elastic;
};

double compliance(const element::Model& model, LocalIndex e)
{
  double size = 0;
  for (const LocalIndex n : model.mesh.tet(e)) size += model.mesh.node(n).size / 4;
  return size / model.material_of(e).p_wave_modulus();
}

double least_compliance(const element::Model& model)
{
  double least = std::numeric_limits<double>::infinity();
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) least = std::min(least, compliance(model, e));
  return least;
}

struct Limit {
  double step = 0;
  LimitKind kind = LimitKind::elastic;
};

/// Of an element whose mass is multiplied by a factor.
Limit limit_of(const element::Model& model, LocalIndex e, const ContactStiffness& contacts, double mass_factor)
{
  const element::ElementLimit limit = element::element_limit(model, e, mass_factor);
  const double mass = mass_factor * (model.material_of(e).density * model.blocks.volume(e));
  const double contact = contacts.step(compliance(model, e), mass, model.mesh.corners(e));
  const LimitKind kind = contact < limit.step ? LimitKind::contact
                         : limit.viscous      ? LimitKind::viscous
                                              : LimitKind::elastic;
  return {step_together(limit.step, contact), kind};
}

/// Of those of these elements that this rank counts.
ElementWithLimit tightest_of(const element::Model& model, std::span<const LocalIndex> elements,
                             const ContactStiffness& contacts)
{
  ElementWithLimit tightest;
  for (const LocalIndex e : elements) {
    if (!model.mesh.primary(e)) continue;
    const auto [step, kind] = limit_of(model, e, contacts, model.dust_factor(e));
    // Several elements may set the same limit: the one with the smallest id is named, whoever holds it.
    const bool first = step < tightest.step || (step == tightest.step && tightest.element >= 0 &&
                                                model.mesh.element_id(e) < model.mesh.element_id(tightest.element));
    if (first) tightest = {step, e, kind};
  }
  return tightest;
}

/// Least height of any element of the rank [m].
double least_height(const element::Model& model)
{
  double lowest = std::numeric_limits<double>::infinity();
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    const auto x = model.mesh.corners(e);
    double largest = 0;
    for (std::size_t a = 0; a < 4; ++a)
      largest = std::max(largest, (x[(a + 2) % 4] - x[(a + 1) % 4]).cross(x[(a + 3) % 4] - x[(a + 1) % 4]).norm() / 2);
    lowest = std::min(lowest, 3 * model.blocks.volume(e) / largest);
  }
  return lowest;
}

}  // namespace

double crossing_time(const State& state)
{
  double fastest = 0;
  for (const auto& m : state.model.materials) fastest = std::max(fastest, m.p_wave_modulus() / m.density);
  return state.mesh_size / std::sqrt(fastest);
}

StepControl::StepControl(const config::Scene& scene, const State& state)
  : scene_(scene), state_(state), local_steps_(scene.time.local_steps != "off")
{
  if (scene.collisions.enabled) stored_.least_compliance = state.comm.min(least_compliance(state.model));
  take_limit(state_.comm.min(least_step(all_slots())));
  stored_.unbroken = stored_.limit.seconds;
  if (local_steps_ && scene.time.macro_step > 0) {
    stored_.limit.seconds = std::numeric_limits<double>::infinity();
    take_limit(state_.comm.min(least_step(all_slots())));
  }
  check_fixed_step(config::message_key(scene_, "time.step"), ExitStatus::bad_input);
  stored_.largest_displacement = state.comm.min(least_height(state.model)) / 4;
  // Where the mesh is finest overlaps must not go unseen for many of its steps: springs held at what they were push out
  // of time, and bodies that meet there fly apart.
  stored_.overlap_interval = std::min(crossing_time(state) / 10, step_size());
}

double StepControl::least_step(std::span<const LocalIndex> elements)
{
  const ContactStiffness contacts(scene_.collisions, state_.obstacles, stored_.least_compliance);
  const auto [step, element, kind] = tightest_of(state_.model, elements, contacts);
  tightest_ = {step, element >= 0 ? state_.model.mesh.element_id(element).low : 0, static_cast<std::int64_t>(kind)};
  if (const auto links = limit_of_links(elements); links.step < step)
    tightest_ = {links.step, links.element.low, static_cast<std::int64_t>(LimitKind::cohesive)};
  return tightest_.step = relaxed(tightest_.step);
}

/// What the limit of an element or link means for a step of the coarsest level.
double StepControl::relaxed(double limit) const noexcept
{
  if (!local_steps_ || stored_.unbroken == 0) return limit;  // 0: that is what is being found out
  return std::min(coarsest_limit(), longest_macro_step(limit) / share_of_limit());
}

/// Of elements that are not stepped more often than others.
double StepControl::coarsest_limit() const noexcept
{
  const double share = scene_.time.safety * scene_.time.step_factor;
  return scene_.time.macro_step > 0 ? scene_.time.macro_step / share : stored_.unbroken;
}

double StepControl::coarsest_step() const noexcept
{
  return scene_.time.step > 0 ? scene_.time.step : share_of_limit() * coarsest_limit();
}

/// That a step may take.
double StepControl::share_of_limit() const noexcept
{
  return scene_.time.step > 0 ? 1 : scene_.time.safety * scene_.time.step_factor;
}

double StepControl::stiffest(int level) noexcept
{
  return 2.9 * std::pow(0.9, level);
}

double StepControl::longest_macro_step(double limit) noexcept
{
  return std::ldexp(limit, deepest_level) * std::sqrt(stiffest(deepest_level)) / 2;
}

std::uint8_t StepControl::level_of(double limit) const noexcept
{
  if (!local_steps_ || limit >= coarsest_limit()) return 0;
  std::uint8_t level = 1;
  // (frequency x step)^2 is 4 at the stable limit.
  while (level < deepest_level && std::ldexp(limit, level) * std::sqrt(stiffest(level)) < 2 * coarsest_step()) ++level;
  return level;
}

void StepControl::levels(std::span<const LocalIndex> elements, std::span<std::uint8_t> result) const
{
  const ContactStiffness contacts(scene_.collisions, state_.obstacles, stored_.least_compliance);
  const element::Model& model = state_.model;
  for (std::size_t i = 0; i < elements.size(); ++i)
    result[i] = model.mesh.alive(elements[i])
                    ? level_of(limit_of(model, elements[i], contacts, model.dust_factor(elements[i])).step)
                    : std::uint8_t{0};
}

/// Of those at the corners of these elements.
element::LinkLimit StepControl::limit_of_links(std::span<const LocalIndex> elements) const
{
  const element::Model& model = state_.model;
  if (model.links.empty()) return {};
  std::vector<LocalIndex> nodes;
  for (const LocalIndex e : elements) nodes.insert(nodes.end(), model.mesh.tet(e).begin(), model.mesh.tet(e).end());
  sort_unique(nodes);
  return element::limit_of_links(model, nodes);
}

void StepControl::tighten_limit(double least, std::int64_t step)
{
  take_limit(least);
  if (scene_.time.step > 0)
    check_fixed_step(fmt::format("{}: after fracture in step {}", config::message_key(scene_, "time.step"), step),
                     ExitStatus::simulation_failed);
}

void StepControl::renew_limit(std::int64_t step)
{
  stored_.limit.seconds = std::numeric_limits<double>::infinity();
  tighten_limit(state_.comm.min(least_step(all_slots())), step);
}

std::vector<LocalIndex> StepControl::all_slots() const
{
  std::vector<LocalIndex> all(static_cast<std::size_t>(state_.model.mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

double StepControl::mass_factor_for_unbroken_step(LocalIndex e) const
{
  constexpr double most = 1 << 20;  // a free obstacle's own step may be the shorter one, and no mass lengthens that
  const ContactStiffness contacts(scene_.collisions, state_.obstacles, stored_.least_compliance);
  double factor = 1;
  while (factor < most && limit_of(state_.model, e, contacts, factor).step < stored_.unbroken) factor *= 2;
  return factor;
}

double StepControl::limit_without_dust() const
{
  const ContactStiffness contacts(scene_.collisions, state_.obstacles, stored_.least_compliance);
  double least = std::numeric_limits<double>::infinity();
  for (LocalIndex e = 0; e < state_.model.mesh.num_slots(); ++e)
    if (state_.model.mesh.primary(e)) least = std::min(least, limit_of(state_.model, e, contacts, 1).step);
  return state_.comm.min(least);
}

double StepControl::nominal_step() const noexcept
{
  return scene_.time.step > 0 ? scene_.time.step : scene_.time.safety * scene_.time.step_factor * stored_.limit.seconds;
}

double StepControl::nominal_interval() const noexcept
{
  return std::max(nominal_step(), stored_.overlap_interval);
}

double StepControl::step_size() const noexcept
{
  return stored_.halvings == 0 ? nominal_step()
                               : std::min(nominal_step(), std::ldexp(nominal_interval(), -stored_.halvings));
}

double StepControl::overlap_interval() const noexcept
{
  return std::ldexp(stored_.overlap_interval, -stored_.halvings);
}

double StepControl::ratio_of_displacement(double speed) const noexcept
{
  return speed * nominal_interval() / stored_.largest_displacement;
}

double StepControl::ratio_of_stiffening(double stiffening) const noexcept
{
  // Up to the limit at rest time.safety covers it. time.step_factor may ask for more than that, which goes at rest.
  const double longest = std::max(stored_.limit.seconds, nominal_step());
  if (!(stiffening * nominal_step() > longest)) return 0;
  return std::min(stiffening * nominal_interval() / longest, std::ldexp(1.0, most_halvings));
}

double StepControl::step_ratio(const Demand& demand) const noexcept
{
  return std::max(ratio_of_displacement(demand.speed), ratio_of_stiffening(demand.stiffening));
}

void StepControl::set_halvings(int halvings, const Demand& demand)
{
  const double step = std::ldexp(nominal_interval(), -std::min(halvings, most_halvings));
  const bool fixed = scene_.time.step > step;
  if (halvings > most_halvings || fixed) {
    const std::string when = fmt::format("step {}, t = {:.6g} s", state_.steps, state_.time);
    const ExitStatus status = state_.steps == 0 ? ExitStatus::bad_input : ExitStatus::simulation_failed;
    const double speed = state_.comm.max(demand.speed), stiffening = state_.comm.max(demand.stiffening);
    if (ratio_of_stiffening(stiffening) > ratio_of_displacement(speed))
      throw AgreedError(
          fmt::format("{}: expected steps of at most {:.4g} s, the stable limit ({}) at rest over {:.4g}, "
                      "as an element's deformation has stiffened it, got {:.4g} s from time.step",
                      when, stored_.limit.seconds / stiffening, stored_.limit.kind, stiffening, scene_.time.step),
          status);
    throw AgreedError(
        fmt::format("{}: expected steps of at most {:.4g} s, in which what is fastest, at {:.4g} m/s, moves "
                    "{:.4g} m, a quarter of the lowest element's height, got {:.4g} s{}: bodies may pass "
                    "through each other unnoticed",
                    when, stored_.largest_displacement / speed, speed, stored_.largest_displacement,
                    fixed ? scene_.time.step : step,
                    fixed ? " from time.step" : ", the automatic one halved as often as it may be"),
        status);
  }
  stored_.halvings = halvings;
  shortened_.deformation = std::max(shortened_.deformation, ratio_of_stiffening(demand.stiffening));
  shortened_.motion = std::max(shortened_.motion, ratio_of_displacement(demand.speed));
}

void StepControl::count_step() noexcept
{
  const double times = nominal_step() / step_size();
  if (times > 1) ++shortened_.count, shortened_.most = std::max(shortened_.most, times);
}

void StepControl::check_fixed_step(const std::string& when, ExitStatus status) const
{
  if (scene_.time.step <= stored_.limit.seconds) return;
  throw AgreedError(
      fmt::format(
          "{}: expected at most {:.4g} s, the stable limit ({}) of element {}, got {:.4g} s; auto follows the limit",
          when, stored_.limit.seconds, stored_.limit.kind, stored_.limit.element, scene_.time.step),
      status);
}

void StepControl::take_limit(double least)
{
  if (!(least < stored_.limit.seconds)) return;
  const bool mine = tightest_.step == least;
  const std::int64_t id = descending(mine ? tightest_.id : ~std::uint64_t{0});
  const std::int64_t named = state_.comm.max(id);
  const auto kind = state_.comm.max(mine && id == named ? tightest_.kind : 0);
  stored_.limit = {least, limit_names[static_cast<std::size_t>(kind)], from_descending(named)};
}

}  // namespace sunder::simulation
