#pragma once
/// What find_near() knows of an element that may touch others, and sends of it to the ranks that have those. Local.

#include "contact/box.hpp"
#include "contact/nearby.hpp"
#include "contact/separation.hpp"
#include "core/bytes.hpp"

#include <array>
#include <utility>

namespace sunder::contact {

/// What is known of an element, but for its course. Plain, so that it travels as it is.
struct Identity {
  ElementId id = 0, origin = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  double softness = 0;
  bool counted = false;
  bool fresh = false;  // not known to an earlier list, or changed since
  FaceSet free = 0;

  bool shares_node(const Identity& other) const;
};

/// An element of this rank, or of another that it may touch.
struct Candidate {
  Identity is;
  Course course;
};

/// Two that may be a pair.
struct Found {
  std::pair<ElementId, ElementId> ids;  ///< Ascending.
  int first, second;                    ///< Of the candidates, in the order of ids.
  int earlier = -1;                     ///< Of an earlier list's pairs, if it is taken over from there.
};

void pack(Bytes& bytes, const Candidate& c);
Candidate unpack(ByteReader& in);

Course course_of(const Mat34& p, const Mat34& v, const Window& window);
Box swept(const Course& course, double slack);  ///< Grown by slack.

}  // namespace sunder::contact
