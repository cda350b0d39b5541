#pragma once
/// Do whole bodies overlap at the start of a run, how deep, and how to separate them. Local.

#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "geometry/box_tree.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::contact {

/// What two bodies share. Two elements count as touching, not overlapping, if they share no more than 1e-9 of the
/// smaller one's volume: that is round-off.
struct Interpenetration {
  double volume = 0;           ///< [m^3]; 0: they are apart or touch.
  Vec3 area = Vec3::Zero();    ///< Moving the first body by dx changes volume by -area . dx [m^2].
  Vec3 centre = Vec3::Zero();  ///< Of the volume [m].
  double depth() const;        ///< Mean depth: volume over |area|, at most the edge of a cube of that volume [m].
};

/// The elements of a body, with a tree over their boxes.
class Solid {
public:
  Solid(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets);

  const geometry::Box& box() const noexcept { return box_; }

  /// What this body, moved by `shift` [m], shares with the other.
  Interpenetration with(const Solid& other, const Vec3& shift = Vec3::Zero()) const;
  /// Is with(other, shift).volume > 0? Stops at the first two elements that overlap.
  bool meets(const Solid& other, const Vec3& shift = Vec3::Zero()) const;

private:
  template <class Found>
  void each_overlap(const Solid& other, const Vec3& shift, Found&& found) const;

  std::vector<Mat34> elements_;  // corners
  geometry::BoxTree tree_;
  geometry::Box box_;
};

/// The shortest translation [m] found that takes a out of b; zero if they do not overlap. The first try goes along
/// Interpenetration::area until the bodies are apart. Each further try goes along the area of the overlap shortly
/// before the end of the last try, as long as translations get shorter. The result is the minimum if both bodies are
/// convex.
Vec3 minimum_translation(const Solid& a, const Solid& b);

/// What a body and an obstacle share.
Interpenetration interpenetration(std::span<const Vec3> nodes, std::span<const std::array<GlobalIndex, 4>> tets,
                                  const rigid::Body& obstacle, const rigid::Motion& motion);

}  // namespace sunder::contact
