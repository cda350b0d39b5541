#pragma once
/// What an element of a lattice of rigid bonds remembers while the impact lasts. docs/lattice.md.

#include <array>
#include <cstddef>
#include <cstdint>

namespace sunder::mesh {

/// Of two bonded elements the one with the smaller id remembers the bond. Entry k is that of the bond on the face
/// opposite corner k. Plain data.
struct LatticeMemory {
  std::array<double, 4> strengths{};    ///< In tension, as they are now [N].
  std::array<double, 4> forces{};       ///< Of the last solve [N]; 0 of broken bonds.
  std::array<double, 4> impulses{};     ///< Sum of force x time [N s].
  std::array<double, 3> received{};     ///< What impacts and broken bonds have given the element [kg m/s].
  std::uint8_t bonded = 0, broken = 0;  ///< Bit k: face k had a bond at the start; it has broken since.
  bool has_bond(std::size_t face) const noexcept { return (bonded >> face & 1u) != 0; }    ///< Local.
  bool has_broken(std::size_t face) const noexcept { return (broken >> face & 1u) != 0; }  ///< Local.
  bool operator==(const LatticeMemory&) const = default;
};

}  // namespace sunder::mesh
