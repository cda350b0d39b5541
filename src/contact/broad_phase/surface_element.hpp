#pragma once
/// An element of the surface as find_pairs() uses it and sends it to other ranks. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "core/bytes.hpp"
#include "geometry/box.hpp"
#include "geometry/separating_axis.hpp"

#include <array>
#include <utility>

namespace sunder::contact {

/// All but its motion. Trivially copyable, so it is sent as bytes.
struct SurfaceElementFacts {
  ElementId id = 0, origin = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  double compliance = 0;
  bool primary = false;
  bool fresh = false;  // not in an earlier list, or changed since
  FreeFaces free = 0;

  bool shares_node(const SurfaceElementFacts& other) const;
};

/// An element held here, or one of another rank that may touch one held here.
struct SurfaceElement {
  SurfaceElementFacts is;
  geometry::LinearMotion motion;
};

/// Two elements that may touch.
struct Found {
  std::pair<ElementId, ElementId> ids;  ///< Ascending.
  int first, second;                    ///< Positions in the candidates, in the order of ids.
  int earlier = -1;                     ///< Position in the earlier list's pairs if taken over from there.
};

void pack(Bytes& bytes, const SurfaceElement& c);
SurfaceElement unpack(ByteReader& in);

geometry::LinearMotion motion_of(const Mat34& p, const Mat34& v, const ListWindow& window);
geometry::Box swept(const geometry::LinearMotion& motion, double skin);  ///< Grown by the skin.

}  // namespace sunder::contact
