#include "lattice/impact.hpp"

#include "lattice/bonds.hpp"
#include "lattice/crack_growth.hpp"
#include "solvers/exact_dots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace sunder::lattice {
namespace {

/// Collective. (slots) 1 for the element held whose centroid is nearest, 0 for others.
std::vector<double> nearest_element(const Comm& comm, const mesh::TetMesh& mesh, const Vec3& place)
{
  std::vector<double> distances(static_cast<std::size_t>(mesh.num_slots()), std::numeric_limits<double>::infinity());
  double least = std::numeric_limits<double>::infinity();
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.alive(e))
      least = std::min(least, distances[static_cast<std::size_t>(e)] = (centroid(mesh, e) - place).norm());
  least = comm.min(least);
  // Ids of the input count from 0: their low words are whole numbers of 63 bits.
  std::int64_t id = std::numeric_limits<std::int64_t>::max();
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (distances[static_cast<std::size_t>(e)] == least)
      id = std::min(id, static_cast<std::int64_t>(mesh.element_id(e).low));
  id = -comm.max(-id);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    double& entry = distances[static_cast<std::size_t>(e)];
    entry = entry == least && static_cast<std::int64_t>(mesh.element_id(e).low) == id ? 1 : 0;
  }
  return distances;
}

/// Collective. An impact that is not at a body would push it all the same, wherever the impact is.
void refuse_if_far(const Comm& comm, const mesh::TetMesh& mesh, std::span<const double> nearest, const Impact& impact)
{
  constexpr double nowhere = std::numeric_limits<double>::infinity();
  double distance = nowhere, edge = 0;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (nearest[static_cast<std::size_t>(e)] == 0) continue;
    distance = (centroid(mesh, e) - impact.at).norm();
    const std::array<Vec3, 4> X = mesh.corners(e);
    for (const Vec3& a : X)
      for (const Vec3& b : X) edge = std::max(edge, (a - b).norm());
  }
  distance = comm.min(distance), edge = comm.max(edge);
  if (distance > 2 * edge)
    throw AgreedError(
        fmt::format(
            "{}: expected the centroid of an element within {:.6g} m, twice the longest edge of the nearest one, "
            "of ({:.6g}, {:.6g}, {:.6g}) m, found it {:.6g} m away",
            impact.key, 2 * edge, impact.at.x(), impact.at.y(), impact.at.z(), distance),
        ExitStatus::bad_input);
}

/// (slots) 1 for elements held whose centroid is in the ball, and near its middle plane.
std::vector<double> elements_within(const mesh::TetMesh& mesh, const Impact& impact, const Vec3& force)
{
  const Vec3 along = force.normalized();
  std::vector<double> inside(static_cast<std::size_t>(mesh.num_slots()), 0);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const Vec3 r = centroid(mesh, e) - impact.at;
    if (r.norm() <= impact.radius && std::abs(r.dot(along)) <= impact.depth) inside[static_cast<std::size_t>(e)] = 1;
  }
  return inside;
}

}  // namespace

double share_of_forces(const Options& options, double time, double dt)
{
  return curve_value(options.schedule, (time + dt / 2) / options.duration);
}

Vec3 force_of(const Impact& impact, const Options& options)
{
  if (impact.momentum == Vec3::Zero()) return impact.force;
  const double dt = options.duration / static_cast<double>(options.steps);
  double seconds = 0;  // for which the whole force would have to act
  for (std::int64_t k = 0; k < options.steps; ++k)
    seconds += dt * share_of_forces(options, static_cast<double>(k) * dt, dt);
  return impact.momentum / seconds;
}

std::vector<Vec3> impact_forces(const Comm& comm, const mesh::TetMesh& mesh, std::span<const double> masses,
                                const Options& options)
{
  std::vector<Vec3> forces(static_cast<std::size_t>(mesh.num_slots()), Vec3::Zero());
  std::vector<double> counted_masses(forces.size(), 0);
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.primary(e)) counted_masses[static_cast<std::size_t>(e)] = masses[static_cast<std::size_t>(e)];
  for (const Impact& impact : options.impacts) {
    const Vec3 force = force_of(impact, options);
    const std::vector<double> takes =
        impact.radius > 0 ? elements_within(mesh, impact, force) : nearest_element(comm, mesh, impact.at);
    if (!(impact.radius > 0)) refuse_if_far(comm, mesh, takes, impact);
    const auto [mass] = solvers::exact_dots(comm, {{takes, counted_masses}});
    if (!(mass > 0))
      throw AgreedError(fmt::format("{}: expected the centroid of an element within {:.6g} m of ({:.6g}, {:.6g}, "
                                    "{:.6g}) m{}, found none",
                                    impact.key, impact.radius, impact.at.x(), impact.at.y(), impact.at.z(),
                                    impact.depth < impact.radius
                                        ? fmt::format(" and {:.6g} m of the plane across the force", impact.depth)
                                        : ""),
                        ExitStatus::bad_input);
    for (std::size_t e = 0; e < forces.size(); ++e)
      if (takes[e] != 0) forces[e] += masses[e] / mass * force;
  }
  return forces;
}

}  // namespace sunder::lattice
