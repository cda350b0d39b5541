#pragma once
/// Elements laid out for the vector kernel: blocks of `lanes` elements, one lane each, in the order of the local
/// element array. The last block is padded. A removed element leaves an empty lane: volume 0, all corners node 0. An
/// empty lane adds +0 to node 0, which changes no bit.

#include "core/memory.hpp"
#include "core/types.hpp"
#include "material/material.hpp"

#include <span>
#include <vector>

namespace sunder::element {

/// As many doubles as a vector register of the machine holds. GCC takes wider vectors apart number by number where they
/// are shuffled. An element has the same bits in any lane, so in blocks of any width; sums of energies differ by
/// round-off.
#ifdef __AVX512F__
inline constexpr int lanes = 8;
#else
inline constexpr int lanes = 4;
#endif

struct alignas(64) ElementBlock {
  double B[9][lanes];       ///< Inverse of the material edge matrix, row-major: row i = gradient of N_{i+1}. [1/m]
  double volume[lanes];     ///< Material volume [m^3]; 0 in an empty lane.
  double viscosity[lanes];  ///< Factor on phi and psi in (0, 1]: the viscosity cap.
  LocalIndex node[4][lanes];
  MaterialIndex material[lanes];
  std::uint8_t primary;  ///< Bit l: this rank counts lane l in sums over elements.
  std::uint8_t uniform;  ///< 1 if all lanes share material[0].
};

struct alignas(64) PlasticBlock {
  double strain[6][lanes];  ///< eps^p: XX YY ZZ XY YZ XZ (tensor components).
};

class ElementBlocks {
public:
  /// Local. plastic: store plastic strain; needed if any material of the scene is plastic.
  explicit ElementBlocks(bool plastic = false) : plastic_(plastic) {}

  LocalIndex size() const noexcept { return size_; }
  bool plastic() const noexcept { return plastic_; }

  /// Local. Grows to n elements; new lanes are empty.
  void resize(LocalIndex n);

  /// Local. Fills the lane of element e. Returns its material volume [m^3]. If that is not positive, the lane is left
  /// as it was.
  /// @param X          material positions of the corners [m]
  /// @param viscosity  factor on phi and psi, (0, 1]
  /// @param primary    does this rank count the element in sums?
  double set(LocalIndex e, const Tet& nodes, const std::array<Vec3, 4>& X, MaterialIndex material, double viscosity,
             bool primary);

  /// Local. Replaces corner `from` of element e by node `to`, which must have the same material position.
  void replace_node(LocalIndex e, LocalIndex from, LocalIndex to);

  /// Local. Empties the lane of e.
  void clear(LocalIndex e);

  /// Local. Frees everything but plastic strain. Until set() has filled the lanes again, only plastic_strain() may be
  /// called.
  void release_shapes() { release(blocks_); }

  double volume(LocalIndex e) const;
  double viscosity(LocalIndex e) const;
  Mat34 gradients(LocalIndex e) const;                       ///< Column a = grad N_a [1/m].
  Vec3 gradient(LocalIndex e, int corner) const;             ///< A column of these, from less memory.
  std::array<double, 6> plastic_strain(LocalIndex e) const;  ///< Zero if !plastic().
  void set_plastic_strain(LocalIndex e, const std::array<double, 6>& strain);

  std::span<const ElementBlock> blocks() const noexcept { return blocks_; }
  std::span<PlasticBlock> plastic_blocks() noexcept { return plastic_blocks_; }
  std::span<const PlasticBlock> plastic_blocks() const noexcept { return plastic_blocks_; }

private:
  bool plastic_;
  LocalIndex size_ = 0;
  std::vector<ElementBlock> blocks_;
  std::vector<PlasticBlock> plastic_blocks_;
};

}  // namespace sunder::element
