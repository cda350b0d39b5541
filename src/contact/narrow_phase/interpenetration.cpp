#include "contact/narrow_phase/interpenetration.hpp"

#include "geometry/tet_overlap.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

constexpr double round_off = 1e-9;  // of an element's volume

geometry::Box moved(geometry::Box box, const Vec3& shift)
{
  box.low += shift, box.high += shift;
  return box;
}

/// How far a has to move along a unit vector until it does not overlap b [m].
double distance_out(const Solid& a, const Solid& b, const Vec3& along, double first_guess)
{
  double inside = 0, outside = first_guess;
  while (a.meets(b, outside * along)) inside = outside, outside *= 2;
  for (int k = 0; k < 40; ++k) {
    const double middle = (inside + outside) / 2;
    (a.meets(b, middle * along) ? inside : outside) = middle;
  }
  return outside;
}

/// Along the area of the overlap. A body inside the other has none: then away from the middle of the other's box.
Vec3 direction_out(const Solid& a, const Solid& b, const Interpenetration& shared)
{
  if (shared.area.norm() > 1e-6 * std::cbrt(shared.volume * shared.volume)) return shared.area.normalized();
  const Vec3 apart = (a.box().low + a.box().high) - (b.box().low + b.box().high);
  return apart.norm() > 0 ? Vec3(apart.normalized()) : Vec3::UnitX();
}

}  // namespace

double Interpenetration::depth() const
{
  const double edge = std::cbrt(volume);
  return volume < edge * area.norm() ? volume / area.norm() : edge;
}

Solid::Solid(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets)
{
  std::vector<geometry::Box> boxes;
  elements_.reserve(tets.size()), boxes.reserve(tets.size());
  for (const auto& tet : tets) {
    Mat34& corners = elements_.emplace_back();
    for (std::size_t a = 0; a < 4; ++a) corners.col(static_cast<int>(a)) = nodes[static_cast<std::size_t>(tet[a])];
    boxes.push_back(box_around(corners));
    box_.include(boxes.back());
  }
  tree_.build(boxes);
}

/// Calls found(overlap, corners of this body's element) for each two elements that overlap, until it returns false.
template <class Found>
void Solid::each_overlap(const Solid& other, const Vec3& shift, Found&& found) const
{
  if (!moved(box_, shift).meets(other.box_)) return;
  std::vector<int> near;
  tree_.query(moved(other.box_, -shift), [&near](int k) { near.push_back(k); });
  std::sort(near.begin(), near.end());
  for (const int k : near) {
    const Mat34 a = elements_[static_cast<std::size_t>(k)].colwise() + shift;
    const geometry::Barycentric in_a = geometry::barycentric(a);
    bool go_on = true;
    other.tree_.query(box_around(a), [&](int j) {
      if (!go_on) return;
      const Mat34& b = other.elements_[static_cast<std::size_t>(j)];
      const geometry::Barycentric in_b = geometry::barycentric(b);
      const geometry::TetOverlap overlap = geometry::overlap_tets(a, in_a, b, in_b);
      const double least = round_off * std::min(std::abs(in_a.volume), std::abs(in_b.volume));
      if (overlap.volume > least) go_on = found(overlap, a);
    });
    if (!go_on) return;
  }
}

Interpenetration Solid::with(const Solid& other, const Vec3& shift) const
{
  Interpenetration shared;
  each_overlap(other, shift, [&shared](const geometry::TetOverlap& overlap, const Mat34& a) {
    shared.volume += overlap.volume;
    shared.area += overlap.area;
    shared.centre += overlap.volume * (a * overlap.weights_a);
    return true;
  });
  if (shared.volume > 0) shared.centre /= shared.volume;
  return shared;
}

bool Solid::meets(const Solid& other, const Vec3& shift) const
{
  bool found = false;
  each_overlap(other, shift, [&found](const geometry::TetOverlap&, const Mat34&) { return !(found = true); });
  return found;
}

Vec3 minimum_translation(const Solid& a, const Solid& b)
{
  constexpr int most = 8;
  // A translation is shortened a little, so that the bodies still share a sliver. The sliver's area vector is normal to
  // the surfaces that meet there. The thinner the sliver, the more exact is that direction.
  constexpr double coarse = 1e-3, fine = 1e-6;  // of the translation
  Interpenetration shared = a.with(b);
  if (!(shared.volume > 0)) return Vec3::Zero();
  Vec3 best = Vec3::Zero();
  for (int k = 0; k < most; ++k) {
    const Vec3 along = direction_out(a, b, shared);
    const Vec3 way = distance_out(a, b, along, shared.depth()) * along;
    if (k > 0 && !(way.norm() < best.norm() * (1 - 1e-9))) break;
    best = way;
    shared = a.with(b, (1 - (k == 0 ? coarse : fine)) * best);
    if (!(shared.volume > 0)) break;
  }
  return best;
}

Interpenetration interpenetration(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets,
                                  const rigid::Body& obstacle, const rigid::Motion& motion)
{
  Interpenetration shared;
  for (const auto& tet : tets) {
    Mat34 p;
    for (std::size_t a = 0; a < 4; ++a) p.col(static_cast<int>(a)) = nodes[static_cast<std::size_t>(tet[a])];
    if (gap_to(obstacle, motion, box_around(p)) > 0) continue;
    const geometry::Overlap overlap = overlap_with(obstacle, motion, p);
    shared.volume += overlap.volume;
    shared.area += overlap.area;
    shared.centre += overlap.volume * overlap.centre;
  }
  if (shared.volume > 0) shared.centre /= shared.volume;
  return shared;
}

}  // namespace sunder::contact
