#pragma once
/// An element of the surface as PairSearch sends it to other ranks, and what it is made of. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "core/bytes.hpp"
#include "geometry/box.hpp"
#include "geometry/separating_axis.hpp"

#include <array>
#include <span>
#include <unordered_map>

namespace sunder::contact {

/// Key: an element that fracture has made since the last change of the pair list. Value: its ancestor in that list.
using Origins = std::unordered_map<ElementId, ElementId>;

/// A rank's part of the bodies, in linear motion.
struct SweptBodies {
  const mesh::TetMesh& mesh;
  const ContactSurface& surface;
  std::span<const Row4> p, v;      ///< (nodes) when the window began [m], [m/s]
  std::span<const double> moduli;  ///< lambda + 2 mu of each material [Pa]
  const Origins& origins;
  double size = 0;  ///< A typical edge, the same on every rank [m].
};

/// Trivially copyable but for its motion.
struct SurfaceElementFacts {
  ElementId id = 0, origin = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  double compliance = 0;
  LocalIndex slot = 0;  ///< On its primary rank.
  FreeFaces free = 0;
};

/// An element of another rank that may touch one held here.
struct SurfaceElement {
  SurfaceElementFacts is;
  geometry::LinearMotion motion;
};

void pack(Bytes& bytes, const SurfaceElement& element);
SurfaceElement unpack(ByteReader& in);

SurfaceElementFacts facts(const SweptBodies& bodies, LocalIndex slot);
double compliance(const SweptBodies& bodies, LocalIndex slot);  ///< [m/Pa]
ElementId origin(const Origins& origins, ElementId id);         ///< Its own id if it is not new.
geometry::LinearMotion motion(const SweptBodies& bodies, LocalIndex slot, const ListWindow& window);
geometry::Box swept(const geometry::LinearMotion& motion, double skin);  ///< Grown by the skin.

}  // namespace sunder::contact
