#include "rigid/impulses.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sunder::rigid {
namespace {

/// One contact, with what does not change from sweep to sweep.
struct Row {
  Vec3 arm_a, arm_b;
  Vec3 tangent_1, tangent_2;
  double normal_mass = 0, mass_1 = 0, mass_2 = 0;  ///< Impulse over change of velocity [kg].
};

double effective_mass(const Movable& a, const Movable& b, const Row& row, const Vec3& direction)
{
  const Vec3 turn_a = row.arm_a.cross(direction), turn_b = row.arm_b.cross(direction);
  const double inverse =
      a.inverse_mass + b.inverse_mass + turn_a.dot(a.inverse_inertia * turn_a) + turn_b.dot(b.inverse_inertia * turn_b);
  return inverse > 0 ? 1 / inverse : 0;
}

Row row_of(const Movable& a, const Movable& b, const ContactPoint& contact)
{
  Row row;
  row.arm_a = contact.at - a.center, row.arm_b = contact.at - b.center;
  int least = 0;
  contact.normal.cwiseAbs().minCoeff(&least);
  row.tangent_1 = contact.normal.cross(Vec3::Unit(least)).normalized();
  row.tangent_2 = contact.normal.cross(row.tangent_1);
  row.normal_mass = effective_mass(a, b, row, contact.normal);
  row.mass_1 = effective_mass(a, b, row, row.tangent_1), row.mass_2 = effective_mass(a, b, row, row.tangent_2);
  return row;
}

std::vector<Row> rows_of(std::span<const Movable> bodies, std::span<const ContactPoint> contacts)
{
  std::vector<Row> rows;
  rows.reserve(contacts.size());
  for (const ContactPoint& c : contacts)
    rows.push_back(row_of(bodies[static_cast<std::size_t>(c.a)], bodies[static_cast<std::size_t>(c.b)], c));
  return rows;
}

void apply(Movable& body, const Vec3& arm, const Vec3& impulse)
{
  body.velocity += body.inverse_mass * impulse;
  body.spin += body.inverse_inertia * arm.cross(impulse);
}

Vec3 relative_velocity(const Movable& a, const Movable& b, const Row& row)
{
  return a.velocity + a.spin.cross(row.arm_a) - b.velocity - b.spin.cross(row.arm_b);
}

/// Calls relax(k) for each contact, up and down the list by turns, until it changes no velocity by more than tolerance.
template <class Relax>
int sweep(std::size_t count, const ImpulseOptions& options, double tolerance, Relax&& relax)
{
  int sweeps = 0;
  for (double change = count == 0 ? 0 : 2 * tolerance; change > tolerance && sweeps < options.max_sweeps; ++sweeps) {
    change = 0;
    for (std::size_t i = 0; i < count; ++i) change = std::max(change, relax(sweeps % 2 == 0 ? i : count - 1 - i));
  }
  return sweeps;
}

}  // namespace

double kinetic_energy(std::span<const Movable> bodies)
{
  double energy = 0;
  for (const Movable& body : bodies)
    if (body.inverse_mass > 0)
      energy += (body.velocity.squaredNorm() / body.inverse_mass +
                 body.spin.dot(body.inverse_inertia.inverse() * body.spin)) /
                2;
  return energy;
}

int solve_impulses(std::span<Movable> bodies, std::span<ContactPoint> contacts, const ImpulseOptions& options)
{
  const std::vector<Row> rows = rows_of(bodies, contacts);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ContactPoint& c = contacts[k];
    c.impulse -= std::min(0.0, c.impulse.dot(c.normal)) * c.normal;
    apply(bodies[static_cast<std::size_t>(c.a)], rows[k].arm_a, c.impulse);
    apply(bodies[static_cast<std::size_t>(c.b)], rows[k].arm_b, -c.impulse);
  }
  return sweep(rows.size(), options, options.tolerance, [&](std::size_t k) {
    ContactPoint& c = contacts[k];
    const Row& row = rows[k];
    Movable &a = bodies[static_cast<std::size_t>(c.a)], &b = bodies[static_cast<std::size_t>(c.b)];
    const auto give = [&](const Vec3& impulse) {
      c.impulse += impulse;
      apply(a, row.arm_a, impulse), apply(b, row.arm_b, -impulse);
    };
    // Friction first, with the pressure there is: what it changes of the normal velocity is then taken back.
    const double pressure = c.impulse.dot(c.normal);
    const Vec3 sliding = relative_velocity(a, b, row), before = c.impulse - pressure * c.normal;
    Vec3 along = before - row.mass_1 * sliding.dot(row.tangent_1) * row.tangent_1 -
                 row.mass_2 * sliding.dot(row.tangent_2) * row.tangent_2;
    if (const double most = c.friction * pressure, size = along.norm(); size > most)
      along *= size > 0 ? most / size : 0;
    give(along - before);

    const double wanted = c.approach > options.resting_speed ? c.restitution * c.approach : 0;
    const double lacking = row.normal_mass * (wanted - relative_velocity(a, b, row).dot(c.normal));
    const double normal = std::max(0.0, pressure + lacking) - pressure;
    give(normal * c.normal);
    const double softest = std::max(row.normal_mass, 1e-300);
    return std::max(std::abs(normal), (along - before).norm()) / softest;
  });
}

void find_pushes(std::span<const Movable> bodies, std::span<const ContactPoint> contacts, double slop, double share,
                 double dt, const ImpulseOptions& options, std::span<Movable> push)
{
  std::copy(bodies.begin(), bodies.end(), push.begin());
  for (Movable& body : push) body.velocity.setZero(), body.spin.setZero();
  const std::vector<Row> rows = rows_of(bodies, contacts);
  std::vector<double> given(rows.size(), 0);
  constexpr double exactness = 0.01;  // of the slop: it need not be exact, for the next step pushes again
  sweep(rows.size(), options, exactness * slop / dt, [&](std::size_t k) {
    const ContactPoint& c = contacts[k];
    const Row& row = rows[k];
    Movable &a = push[static_cast<std::size_t>(c.a)], &b = push[static_cast<std::size_t>(c.b)];
    const double wanted = share * std::max(0.0, c.depth - slop) / dt;
    const double lacking = row.normal_mass * (wanted - relative_velocity(a, b, row).dot(c.normal));
    const double more = std::max(0.0, given[k] + lacking) - given[k];
    given[k] += more;
    apply(a, row.arm_a, more * c.normal), apply(b, row.arm_b, -more * c.normal);
    return more / std::max(row.normal_mass, 1e-300);
  });
}

}  // namespace sunder::rigid
