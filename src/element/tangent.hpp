#pragma once
/// How the internal forces of elements change with the motion of their corners: what Newton's method needs.

#include "core/tangent_options.hpp"
#include "element/element_blocks.hpp"

#include <cstdint>
#include <functional>

namespace sunder::element {

/// exact: not symmetric with viscosity in motion, nor where plastic strain reaches k2. positive_definite: the stress in
/// the geometric part is raised until none of it is compressive; semidefinite for laws whose stress_change() is.
using sunder::TangentKind;
using sunder::TangentOptions;

/// Of a block of elements: K[a][b][3 i + j][lane] = -(df_ai/dp_bj + rate df_ai/dv_bj), a and b corners [N/m].
struct alignas(64) TangentBlock {
  double K[4][4][9][lanes];
};

/// Local. Calls visit(b, K) for each of the blocks, in their order. f is the internal force that add_internal_forces()
/// computes from the same p and v. Where plastic strain flows, the change of the flow with the motion is part of it
/// (the algorithmic tangent). An element's result has the same bits in any lane, in any block. Empty lanes are 0.
/// @param old     plastic strain at the start of the step; empty if blocks have none
/// @param p, v    (nodes) [m], [m/s]
/// @param wanted  (blocks) 0: this one is left out; empty: none is
void for_each_tangent(const ElementBlocks& blocks, std::span<const PlasticBlock> old,
                      std::span<const material::Material> materials, std::span<const Row4> p, std::span<const Row4> v,
                      const TangentOptions& options, const std::function<void(std::size_t, const TangentBlock&)>& visit,
                      std::span<const std::uint8_t> wanted = {});

}  // namespace sunder::element
