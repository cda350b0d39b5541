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
  std::span<const NodeMotion> motions;  ///< (nodes)
  std::span<const double> moduli;       ///< lambda + 2 mu of each material [Pa]
  const Origins& origins;
  double size = 0;     ///< A typical edge, the same on every rank [m].
  double elapsed = 0;  ///< Of the window [s].
};

/// Trivially copyable.
struct SurfaceElementFacts {
  ElementId id = 0, origin = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  std::array<std::array<double, 3>, 4> X{};  ///< Material positions of the nodes [m].
  double compliance = 0;
  LocalIndex slot = 0;  ///< On its primary rank.
  FreeFaces free = 0;
};

/// Local. From p, with v (nodes), all with the least skin, for the whole window.
std::vector<NodeMotion> motions_of(std::span<const Row4> p, std::span<const Row4> v, const ListWindow& window);

/// Linear motion of an element's corners. Times count from the beginning of the window.
struct SweptElement {
  Mat34 start, v;    ///< As of NodeMotion.
  double skin = 0;   ///< The greatest of its nodes' [m].
  double until = 0;  ///< The least of its nodes' [s].
  Mat34 at(double time) const { return start + time * v; }
};
geometry::Box box_around(const SweptElement& element, double from);  ///< Till the end of its motion, with its skin.

/// An element of another rank that may touch one held here.
struct SurfaceElement {
  SurfaceElementFacts is;
  SweptElement swept;
};

void pack(Bytes& bytes, const SurfaceElement& element);
SurfaceElement unpack(ByteReader& in);

SurfaceElementFacts facts(const SweptBodies& bodies, LocalIndex slot);
double compliance(const SweptBodies& bodies, LocalIndex slot);  ///< [m/Pa]
ElementId origin(const Origins& origins, ElementId id);         ///< Its own id if it is not new.
SweptElement swept(const SweptBodies& bodies, LocalIndex slot);

}  // namespace sunder::contact
