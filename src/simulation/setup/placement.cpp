#include "simulation/setup/placement.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sunder::simulation {

Placement::Placement(const config::Body& body)
  : rotation_(Eigen::AngleAxisd(body.rotation_angle, body.rotation_axis.normalized()).toRotationMatrix()),
    scale_(body.mesh.scale),
    position_(body.position)
{
}

bool spins(const config::Body& body)
{
  return !body.spin.isZero(0);
}

Vec3 initial_velocity(const config::Body& body, const Vec3& x, const Vec3& centre)
{
  Vec3 velocity = spins(body) ? Vec3(body.velocity + body.spin.cross(x - centre)) : body.velocity;
  if (!body.velocity_gradient.isZero(0)) velocity += body.velocity_gradient * (x - body.velocity_center);
  return velocity;
}

std::array<double, 4> mass_and_moment(const std::array<Vec3, 4>& x, double density)
{
  const double mass = density * (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6;
  const Vec3 moment = mass / 4 * (x[0] + x[1] + x[2] + x[3]);
  return {mass, moment.x(), moment.y(), moment.z()};
}

namespace {

void note_speeds(const std::vector<material::Material>& materials, std::vector<std::string>& notes)
{
  constexpr double slow = 10, fast = 2e4;  // [m/s]: slower than rubber foam, faster than diamond
  for (const material::Material& m : materials) {
    const double speed = std::sqrt(m.p_wave_modulus() / m.density);
    if (!(speed > 0) || (speed >= slow && speed <= fast)) continue;  // 0: rigid, nobody asks for its stiffness
    notes.push_back(
        fmt::format("materials.{}: expected a stiffness and a density with a speed of sound of {:.0f} to {:.0f} m/s, "
                    "got {:.3g} m/s "
                    "of {:.3g} Pa and {:.3g} kg/m^3; units are Pa, kg and m (steel: E: 2.1e11, density: 7850)",
                    m.name, slow, fast, speed, m.p_wave_modulus(), m.density));
  }
}

/// What is stress where a strain is asked for, or has another unit than the stiffness.
void note_units_of_strength(const std::vector<material::Material>& materials, std::vector<std::string>& notes)
{
  constexpr double weak = 1e-7,
                   strong = 10;  // a ten thousandth of mortar's strength over stiffness, ten times rubber's
  for (const material::Material& m : materials) {
    if (m.plastic() && m.k1 >= 1)
      notes.push_back(
          fmt::format("materials.{}.k1: expected a norm of strain, below 1, got {:.3g}; of a yield stress in Pa it is "
                      "sqrt(2/3) times that over mu",
                      m.name, m.k1));
    const double share = m.toughness / m.p_wave_modulus();
    if (m.toughness_form == material::ToughnessForm::stress && m.breakable() && m.p_wave_modulus() > 0 &&
        (share < weak || share > strong))
      notes.push_back(
          fmt::format("materials.{}.toughness.stress: expected {:g} to {:g} of the stiffness of {:.3g} Pa, got {:.3g} "
                      "Pa; units are Pa (400 MPa: 4.0e8)",
                      m.name, weak, strong, m.p_wave_modulus(), m.toughness));
  }
}

/// Below ice and far above rubber, or with a surface that takes less than the bonds across it, or more than steel's.
void note_units_of_crack_resistance(const std::vector<material::Material>& materials, std::vector<std::string>& notes)
{
  constexpr double least_share = 1e-8, most_share = 1;      // of the stiffness [m^0.5]
  constexpr double least_energy = 0.01, most_energy = 1e7;  // [J/m^2]
  for (const material::Material& m : materials) {
    const double share = m.toughness / m.p_wave_modulus();
    if (m.breakable() && m.toughness_form == material::ToughnessForm::K_Ic && m.p_wave_modulus() > 0 &&
        (share < least_share || share > most_share))
      notes.push_back(fmt::format(
          "materials.{}.toughness.K_Ic: expected {:g} to {:g} m^0.5 times the stiffness of {:.3g} Pa, got {:.3g} Pa "
          "m^0.5; units are Pa m^0.5 (1 MPa m^0.5: 1.0e6)",
          m.name, least_share, most_share, m.p_wave_modulus(), m.toughness));
    const bool fails_by_energy = m.breakable() && m.toughness_form == material::ToughnessForm::G_c;
    const double energy = fails_by_energy ? m.toughness : m.cohesion.energy;
    if (energy > 0 && (energy < least_energy || energy > most_energy))
      notes.push_back(
          fmt::format("materials.{}.toughness.G_c: expected {:g} to {:g} J/m^2, got {:.3g} J/m^2; units are "
                      "J/m^2 (1 N/mm and 1 kJ/m^2: 1000)",
                      m.name, least_energy, most_energy, energy));
  }
}

/// Angles that are more than a turn are mostly degrees. items: bodies or obstacles.
void note_degrees(const char* list, const auto& items, std::vector<std::string>& notes)
{
  constexpr double turn = 2 * std::numbers::pi;
  const auto too_far = [](const auto& item) { return std::abs(item.rotation_angle) > turn * (1 + 1e-6); };
  const auto first = std::ranges::find_if(items, too_far);
  if (first == items.end()) return;
  const double angle = first->rotation_angle;
  const auto more = std::ranges::count_if(items, too_far) - 1;
  notes.push_back(fmt::format(
      "{}.{}.rotation.angle{}: expected at most a turn, {:.4g} rad, got {:.4g} rad; {:.4g} "
      "degrees are {:.6g} rad",
      list, first->name, more > 0 ? fmt::format(" and {} more", more) : "", turn, angle, angle, angle / 360 * turn));
}

void note_sizes(const std::vector<config::Body>& bodies, const std::vector<geometry::Box>& boxes,
                std::vector<std::string>& notes)
{
  constexpr double long_one = 50, small_one = 1e-5;  // [m]
  std::vector<std::size_t> unlikely;
  const auto extent = [&](std::size_t b) { return (boxes[b].high - boxes[b].low).maxCoeff(); };
  for (std::size_t b = 0; b < boxes.size(); ++b)
    if (extent(b) <= small_one || extent(b) >= long_one) unlikely.push_back(b);
  if (unlikely.empty()) return;
  const std::size_t first = unlikely.front(), more = unlikely.size() - 1;
  notes.push_back(fmt::format(
      "bodies.{}{}: expected a body of {:.0e} to {:.0f} m, got one of {:.4g} m; lengths are in "
      "metres: mesh.scale multiplies those of the mesh",
      bodies[first].name, more > 0 ? fmt::format(" and {} more", more) : "", small_one, long_one, extent(first)));
}

}  // namespace

void note_units(const config::Scene& scene, const std::vector<geometry::Box>& boxes, std::vector<std::string>& notes)
{
  note_sizes(scene.bodies, boxes, notes);
  // Equilibria may be without dimensions: nothing moves in them.
  if (scene.solver.method != config::Method::static_equilibrium) {
    note_speeds(scene.materials, notes);
    note_units_of_crack_resistance(scene.materials, notes);
  }
  note_units_of_strength(scene.materials, notes);
  note_degrees("bodies", scene.bodies, notes);
  note_degrees("obstacles", scene.obstacles, notes);
}

}  // namespace sunder::simulation
