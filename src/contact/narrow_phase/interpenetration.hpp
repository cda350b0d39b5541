#pragma once
/// Whole bodies in each other, before a run. Local.

#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "geometry/box_tree.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::contact {

/// What two bodies share. Elements that share no more than 1e-9 of the smaller one's volume only touch: round-off.
struct Interpenetration {
  double volume = 0;           ///< [m^3]; 0: they are apart or touch.
  Vec3 area = Vec3::Zero();    ///< Moving the first body by dx changes volume by -area . dx [m^2].
  Vec3 centre = Vec3::Zero();  ///< Of the volume [m].
  double depth() const;        ///< Mean, along area: volume over area, at most the edge of a cube of that volume [m].
};

/// A body's elements, to be asked about.
class Solid {
public:
  Solid(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets);

  const geometry::Box& box() const noexcept { return box_; }

  /// Of this body, moved by `shift` [m], and another.
  Interpenetration with(const Solid& other, const Vec3& shift = Vec3::Zero()) const;
  /// with(other, shift).volume > 0, but stops at the first elements found.
  bool meets(const Solid& other, const Vec3& shift = Vec3::Zero()) const;

private:
  template <class Found>
  void each_overlap(const Solid& other, const Vec3& shift, Found&& found) const;

  std::vector<Mat34> elements_;  // corners
  geometry::BoxTree tree_;
  geometry::Box box_;
};

/// The shortest way [m] found for a out of b; zero if they do not overlap. Straight along Interpenetration::area as far
/// as it takes, then again along the area where that way ends, as long as ways get shorter: the shortest if both are
/// convex.
Vec3 minimum_translation(const Solid& a, const Solid& b);

/// Local. What a body and an obstacle share.
Interpenetration interpenetration(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets,
                                  const Obstacle& obstacle, const rigid::State& state);

}  // namespace sunder::contact
