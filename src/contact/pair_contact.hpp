#pragma once
/// The forces two overlapping elements put on each other, T 5.3. Pure.

#include "contact/response.hpp"
#include "contact/tet_overlap.hpp"

namespace sunder::contact {

/// One of the two, columns are corners.
struct Side {
  Side() = default;
  Side(const Mat34& positions, const Mat34& velocities, FaceSet free_faces)
    : p(positions), v(velocities), coordinates(barycentric(positions)), free(free_faces)
  {
  }

  Mat34 p, v;  ///< [m], [m/s]
  Barycentric coordinates;
  FaceSet free = 0;  ///< Faces that belong to no other element.
};

struct PairContact {
  Mat34 on_a = Mat34::Zero(), on_b = Mat34::Zero();  ///< Forces on the corners [N]; they add up to zero.
  double overlap = 0;                                ///< [m^3]
};

/// Local. stiffness [N/m^3] stands in place of r's. An element turned inside out presses on nothing: it has lost its
/// outside. `forgiven` [m^3] of the overlap does not count. The force acts at the overlap's centre, so that neither
/// momentum nor angular momentum changes, along the mean normal of the free surfaces in it: inner faces, which T 5.4
/// counts as well, would turn it aside by as much as bodies sink in. Where hardly any free surface is left in the
/// overlap, T 5.4's direction takes over, and where that vanishes too (an element swallowed whole), the force fades
/// out: no way out is better than another.
PairContact pair_contact(const Response& r, double stiffness, const Side& a, const Side& b, double forgiven = 0);

}  // namespace sunder::contact
