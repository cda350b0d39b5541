#include "element/element_blocks.hpp"

#include "core/error.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>

namespace sunder::element {
namespace {

std::size_t block_of(LocalIndex e)
{
  return static_cast<std::size_t>(e / lanes);
}
int lane_of(LocalIndex e)
{
  return e % lanes;
}

/// Node 0 is valid wherever there is any element.
void empty_lane(ElementBlock& block, int lane)
{
  for (auto& row : block.B) row[lane] = 0;
  for (auto& corner : block.node) corner[lane] = 0;
  block.volume[lane] = 0;
  block.viscosity[lane] = 1;
  block.primary = static_cast<std::uint8_t>(block.primary & ~(1u << lane));
}

/// Empty lanes take the material of the others, so that a padded or thinned block stays uniform.
void agree_on_material(ElementBlock& block)
{
  int used = 0;
  while (used < lanes - 1 && !(block.volume[used] > 0)) ++used;
  for (int l = 0; l < lanes; ++l)
    if (!(block.volume[l] > 0)) block.material[l] = block.material[used];
  block.uniform =
      std::all_of(block.material, block.material + lanes, [&block](MaterialIndex m) { return m == block.material[0]; });
}

ElementBlock empty_block()
{
  ElementBlock block{};
  for (int l = 0; l < lanes; ++l) empty_lane(block, l);
  block.uniform = 1;
  return block;
}

}  // namespace

void ElementBlocks::resize(LocalIndex n)
{
  SUNDER_ASSERT(n >= size_);
  const auto num_blocks = block_of(n + lanes - 1);
  if (num_blocks > blocks_.capacity()) {  // room to grow: pages nobody touches cost nothing, a copy of all blocks does
    blocks_.reserve(2 * num_blocks);
    if (plastic_) plastic_blocks_.reserve(2 * num_blocks);
  }
  blocks_.resize(num_blocks, empty_block());
  if (plastic_) plastic_blocks_.resize(num_blocks, PlasticBlock{});
  size_ = n;
}

double ElementBlocks::set(LocalIndex e, const Tet& nodes, const std::array<Vec3, 4>& X, MaterialIndex material,
                          double viscosity, bool primary)
{
  SUNDER_ASSERT(e >= 0 && e < size_);
  Mat3 edges;
  edges << X[1] - X[0], X[2] - X[0], X[3] - X[0];
  const double volume = edges.col(0).cross(edges.col(1)).dot(edges.col(2)) / 6;
  if (!(volume > 0)) return volume;

  ElementBlock& block = blocks_[block_of(e)];
  const int l = lane_of(e);
  const Mat3 B = edges.inverse();
  for (int i = 0; i < 9; ++i) block.B[i][l] = B(i / 3, i % 3);
  for (std::size_t a = 0; a < 4; ++a) block.node[a][l] = nodes[a];
  block.volume[l] = volume;
  block.viscosity[l] = viscosity;
  block.material[l] = material;
  const unsigned others = block.primary & ~(1u << l);
  block.primary = static_cast<std::uint8_t>(others | (primary ? 1u << l : 0u));
  agree_on_material(block);
  return volume;
}

void ElementBlocks::replace_node(LocalIndex e, LocalIndex from, LocalIndex to)
{
  ElementBlock& block = blocks_[block_of(e)];
  for (auto& corner : block.node)
    if (corner[lane_of(e)] == from) {
      corner[lane_of(e)] = to;
      return;
    }
  SUNDER_ASSERT(!"the element has the corner to be replaced");
}

void ElementBlocks::clear(LocalIndex e)
{
  ElementBlock& block = blocks_[block_of(e)];
  empty_lane(block, lane_of(e));
  agree_on_material(block);
  set_plastic_strain(e, {});
}

double ElementBlocks::volume(LocalIndex e) const
{
  return blocks_[block_of(e)].volume[lane_of(e)];
}

double ElementBlocks::viscosity(LocalIndex e) const
{
  return blocks_[block_of(e)].viscosity[lane_of(e)];
}

Mat34 ElementBlocks::gradients(LocalIndex e) const
{
  const ElementBlock& block = blocks_[block_of(e)];
  Mat34 g;
  for (int i = 0; i < 9; ++i) g(i % 3, i / 3 + 1) = block.B[i][lane_of(e)];
  g.col(0) = -(g.col(1) + g.col(2) + g.col(3));
  return g;
}

Vec3 ElementBlocks::gradient(LocalIndex e, int corner) const
{
  if (corner == 0) return gradients(e).col(0);
  const auto& B = blocks_[block_of(e)].B;
  const std::size_t row = 3 * static_cast<std::size_t>(corner - 1), lane = lane_of(e);
  return {B[row][lane], B[row + 1][lane], B[row + 2][lane]};
}

std::array<double, 6> ElementBlocks::plastic_strain(LocalIndex e) const
{
  std::array<double, 6> strain{};
  if (plastic_)
    for (std::size_t i = 0; i < 6; ++i) strain[i] = plastic_blocks_[block_of(e)].strain[i][lane_of(e)];
  return strain;
}

void ElementBlocks::set_plastic_strain(LocalIndex e, const std::array<double, 6>& strain)
{
  if (!plastic_) return;
  for (std::size_t i = 0; i < 6; ++i) plastic_blocks_[block_of(e)].strain[i][lane_of(e)] = strain[i];
}

}  // namespace sunder::element
