#pragma once
/// The surface that fracture has made: how much of it there is, and as a frame. docs/output.md.

#include "core/reduction.hpp"
#include "io/frames/frame.hpp"
#include "simulation/diagnostics/frame_fields.hpp"
#include "simulation/state.hpp"

#include <cstdint>

namespace sunder::simulation {

/// Of crack faces at rest. Each crack has two faces at every place, one a side.
struct CrackTotals {
  std::int64_t faces = 0;
  double area = 0;  ///< Of both sides [m^2].
  /// Of the faces whose material has a known G_c: area of both sides [m^2], and half of it times G_c [J], which is what
  /// making them takes.
  double area_of_known = 0, critical_energy = 0;

  /// Local. A rank's contribution becomes the sum over ranks, with the others of the reduction.
  void join(Reduction& all) { all.sum(faces, area, area_of_known, critical_energy); }
};
CrackTotals local_crack_totals(const element::Model& model);  ///< Local. Of the elements this rank counts.

/// Local. Crack faces as triangles, and the crack front as lines: edges at which the two sides of a crack meet. Cell
/// data `BirthTime`, `Normal`, `Area`, `Side`, `CrackFront`, `Fragment`, `Material` and `LinkStrength`; point data `Displacement` and
/// `MaterialPosition`. Costs what the crack faces do, but for the nodes held.
io::Frame crack_surface(const State& state, bool reference_geometry);

/// Local. Bytes of such a frame with so many faces, before compression; about as many nodes belong to them.
std::int64_t crack_frame_bytes(GlobalIndex faces);

}  // namespace sunder::simulation
