#pragma once
/// The surfaces of rigid bodies as they are in the material, and which of them are near each other. docs/hybrid.md.

#include "contact/broad_phase/contact_surface.hpp"
#include "geometry/box_tree.hpp"
#include "simulation/hybrid/rigid_bodies.hpp"

#include <compare>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// What one rank counts of the surface of one body.
struct SurfacePiece {
  struct Element {
    ElementId id = 0;
    Mat34 X = Mat34::Zero();  ///< Its corners in the material [m].
    contact::FreeFaces free = 0;
  };
  std::int64_t body = 0;          ///< Fragment.
  std::vector<Element> elements;  ///< Ascending by slots of that rank.
  geometry::BoxTree tree;         ///< Over their boxes in the material: it holds wherever the body goes.
};

/// Every rank knows the box of each piece, so all find the same pairs of pieces whose boxes meet. A pair is tested by
/// one rank. If the other piece is not its own, it gets a copy, which is good until the body has another shape.
class BodySurfaces {
public:
  explicit BodySurfaces(const State& state)
    : state_(state) {}  ///< Local. state must outlive it. rebuild() must follow.

  void rebuild(const RigidBodies& bodies);  ///< Collective. The mesh is another one.
  /// Collective. Bodies have another shape or are new: those that are made from `before`, ascending fragments.
  void update(const RigidBodies& bodies, std::span<const std::int64_t> before, std::span<const std::int64_t> now);

  using Pair = std::pair<const SurfacePiece*, const SurfacePiece*>;
  /// Collective. Pieces of different bodies whose boxes meet, as far as this rank is to test them. They stay until
  /// the next call. Pairs of bodies that are both asleep are left out unless asked for.
  std::vector<Pair> near_pairs(const RigidBodies& bodies, bool asleep_too);

  /// Local. Those of this rank, ascending by body.
  const std::map<std::int64_t, SurfacePiece>& own() const noexcept { return own_; }

private:
  struct Key {
    std::int64_t body = 0;
    Rank rank = 0;
    auto operator<=>(const Key&) const = default;
  };
  struct Extent {
    std::int64_t elements = 0;
    geometry::Box box;  // in the material [m]
  };
  using Copy = std::pair<Key, Rank>;  // what, and who has it
  struct NearPieces;

  void make_pieces(const RigidBodies& bodies, std::span<const std::int64_t> of);
  std::vector<NearPieces> find_near(const RigidBodies& bodies, bool asleep_too) const;
  void copy_missing(std::span<const NearPieces> near);
  const SurfacePiece& piece(const Key& key) const;

  const State& state_;
  contact::ContactSurface surface_;
  std::map<std::int64_t, SurfacePiece> own_;
  std::map<Key, Extent> all_;              // the same on every rank
  std::set<Copy> copies_;                  // likewise
  std::map<Key, SurfacePiece> of_others_;  // those of copies_ that this rank has
};

}  // namespace sunder::simulation
