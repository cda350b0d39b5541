#include "simulation/hybrid/manifolds.hpp"

#include <algorithm>

namespace sunder::simulation {
namespace {

constexpr double same_direction = 0.9;  // cosine of the angle between two normals of one manifold

Vec3 vector(const std::array<double, 3>& a)
{
  return Vec3(a.data());
}

/// Positions of the members, each farthest by its own measure.
void choose(std::span<const BodyContact> contacts, Manifold& m)
{
  constexpr std::size_t most = 4;
  if (m.contacts.size() <= most) {
    m.chosen = m.contacts;
    return;
  }
  const auto place = [&](std::size_t i) { return vector(contacts[i].at); };
  const auto farthest = [&](auto&& measure) {
    std::size_t best = m.contacts.front();
    double most_so_far = 0;
    for (const std::size_t i : m.contacts)
      if (const double x = measure(place(i)); x > most_so_far) most_so_far = x, best = i;
    if (most_so_far > 0) m.chosen.push_back(best);
    return most_so_far > 0;
  };
  const std::size_t deepest = m.contacts.front();
  m.chosen.push_back(deepest);
  const Vec3 first = place(deepest), normal = vector(contacts[deepest].normal);
  if (farthest([&](const Vec3& x) { return (x - first).squaredNorm(); })) {
    const Vec3 across = normal.cross(place(m.chosen.back()) - first);
    farthest([&](const Vec3& x) { return across.dot(x - first); });
    farthest([&](const Vec3& x) { return -across.dot(x - first); });
  }
  std::sort(m.chosen.begin(), m.chosen.end());
}

}  // namespace

std::vector<Manifold> manifolds(std::span<const BodyContact> contacts)
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
    for (const std::size_t i : by_depth) {
      const auto m = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(own), all.end(), [&](const Manifold& x) {
        return vector(contacts[x.contacts.front()].normal).dot(vector(contacts[i].normal)) > same_direction;
      });
      (m != all.end() ? *m : all.emplace_back()).contacts.push_back(i);
    }
    for (std::size_t k = own; k < all.size(); ++k) choose(contacts, all[k]);
    first = end;
  }
  return all;
}

}  // namespace sunder::simulation
