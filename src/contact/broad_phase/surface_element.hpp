#pragma once
/// An element of the surface as find_pairs() sees it, and as it travels to other ranks. Local.

#include "contact/broad_phase/pair_list.hpp"
#include "core/bytes.hpp"
#include "geometry/box.hpp"
#include "geometry/separating_axis.hpp"

#include <array>
#include <utility>

namespace sunder::contact {

/// All but its motion. Plain, so that it travels as it is.
struct SurfaceElementFacts {
  ElementId id = 0, origin = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  double compliance = 0;
  bool primary = false;
  bool fresh = false;  // not known to an earlier list, or changed since
  FaceSet free = 0;

  bool shares_node(const SurfaceElementFacts& other) const;
};

/// An element of this rank, or of another that it may touch.
struct SurfaceElement {
  SurfaceElementFacts is;
  geometry::LinearMotion motion;
};

/// Two that may be a pair.
struct Found {
  std::pair<ElementId, ElementId> ids;  ///< Ascending.
  int first, second;                    ///< Of the elements searched, in the order of ids.
  int earlier = -1;                     ///< Of an earlier list's pairs, if it is taken over from there.
};

void pack(Bytes& bytes, const SurfaceElement& c);
SurfaceElement unpack(ByteReader& in);

geometry::LinearMotion motion_of(const Mat34& p, const Mat34& v, const Window& window);
geometry::Box swept(const geometry::LinearMotion& motion, double skin);  ///< Grown by the skin.

}  // namespace sunder::contact
