#include "simulation/hybrid/manifolds.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

constexpr double same_direction = 0.9;  // cosine of the angle between two normals of one manifold
constexpr double face_to_face = 0.99;   // likewise, of a face and the sum of areas
constexpr double least_area = 0.2;      // of the sum of sizes: areas that cancel more than that give no direction

TouchPlace place_of(std::span<const BodyContact> contacts, std::size_t i)
{
  return {vector(contacts[i].at), vector(contacts[i].normal), contacts[i].depth, i, {i}};
}

/// Several contacts as one; where their areas cancel it is the deepest alone.
TouchPlace merged(std::span<const BodyContact> contacts, const std::vector<std::size_t>& members)
{
  TouchPlace place = place_of(contacts, members.front());
  place.contacts = members;
  if (members.size() == 1) return place;
  Vec3 area = Vec3::Zero(), moment = Vec3::Zero();
  double volume = 0, sizes = 0;
  for (const std::size_t i : members) {
    const BodyContact& c = contacts[i];
    area += c.area * vector(c.normal), sizes += c.area;
    volume += c.volume, moment += c.volume * vector(c.at);
  }
  const double size = area.norm();
  if (!(size > least_area * sizes)) return place;
  place.at = moment / volume, place.normal = area / size;
  place.depth = std::min(volume / size, std::cbrt(volume));
  return place;
}

/// Where a face of one body lies on the other, its normal is exact. The sum of areas is off by what faces inside both
/// bodies add that happen to lie in one plane.
void turn_to_face(std::span<const BodyContact> contacts, TouchPlace& place)
{
  const Vec3 given = place.normal;
  double nearest = face_to_face;
  for (const std::size_t i : place.contacts)
    if (const Vec3 face = vector(contacts[i].face); face.dot(given) > nearest)
      nearest = face.dot(given), place.normal = face;
}

/// Of the contacts of two bodies, deepest first.
std::vector<TouchPlace> places_of(std::span<const BodyContact> contacts, const std::vector<std::size_t>& by_depth,
                                  double reach)
{
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : by_depth) {
    const bool alone = contacts[i].with_obstacle();  // whose surface is one, not that of elements
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& g) {
      return !alone && (vector(contacts[g.front()].at) - vector(contacts[i].at)).norm() < reach;
    });
    (group != groups.end() ? *group : groups.emplace_back()).push_back(i);
  }
  std::vector<TouchPlace> places;
  for (const auto& group : groups) turn_to_face(contacts, places.emplace_back(merged(contacts, group)));
  return places;
}

/// Leaves at most four places.
void choose(Manifold& m)
{
  constexpr std::size_t most = 4;
  if (m.places.size() <= most) return;
  std::vector<std::size_t> chosen{0};
  const auto farthest = [&](auto&& measure) {
    std::size_t best = 0;
    double so_far = 0;
    for (std::size_t i = 0; i < m.places.size(); ++i)
      if (const double x = measure(m.places[i].at); x > so_far) so_far = x, best = i;
    if (so_far > 0) chosen.push_back(best);
    return so_far > 0;
  };
  const Vec3 first = m.places.front().at, normal = m.places.front().normal;
  if (farthest([&](const Vec3& x) { return (x - first).squaredNorm(); })) {
    const Vec3 across = normal.cross(m.places[chosen.back()].at - first);
    farthest([&](const Vec3& x) { return across.dot(x - first); });
    farthest([&](const Vec3& x) { return -across.dot(x - first); });
  }
  std::vector<TouchPlace> kept;
  for (const std::size_t i : chosen) kept.push_back(m.places[i]);
  m.places = std::move(kept);
}

}  // namespace

std::vector<Manifold> manifolds(std::span<const BodyContact> contacts, double reach)
{
  std::vector<Manifold> all;
  for (std::size_t first = 0; first < contacts.size();) {
    std::size_t end = first;
    std::vector<std::size_t> by_depth;
    while (end < contacts.size() && contacts[end].a == contacts[first].a && contacts[end].b == contacts[first].b)
      by_depth.push_back(end++);
    std::stable_sort(by_depth.begin(), by_depth.end(),
                     [&](std::size_t i, std::size_t j) { return contacts[i].depth > contacts[j].depth; });
    const std::size_t own = all.size();
    for (TouchPlace& place : places_of(contacts, by_depth, reach)) {
      const auto found =
          std::find_if(all.begin() + static_cast<std::ptrdiff_t>(own), all.end(),
                       [&](const Manifold& x) { return x.places.front().normal.dot(place.normal) > same_direction; });
      Manifold& m = found != all.end() ? *found : all.emplace_back();
      m.contacts.insert(m.contacts.end(), place.contacts.begin(), place.contacts.end());
      m.places.push_back(std::move(place));
    }
    for (std::size_t k = own; k < all.size(); ++k) choose(all[k]);
    first = end;
  }
  return all;
}

}  // namespace sunder::simulation
