#include "element/internal_forces.hpp"

#include "core/error.hpp"
#include "element/lane_laws.hpp"
#include "element/lane_plasticity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::element {
namespace {

using namespace lanewise;

// ---- plasticity ----

/// Brings the plastic strain up to date with the total strain eps (T 3.7, 3.8) and takes it off eps; returns 4/vol
/// times the plastic work. A lane that does not flow keeps its bits, whether or not another one does.
template <class Laws>
[[gnu::always_inline]] inline Lanes flow(PlasticBlock& block, const Matrix& F, Symmetric& eps, const Laws& laws)
{
  const Symmetric old = load(block);
  const PlasticReturn flow = plastic_return(eps, old, laws.k1, laws.k2);
  eps = plus(eps, all(-1), flow.strain);
  if (!flow.any) return all(0);
  store(block, flow.strain);
  return laws.plastic_work(F, eps, plus(flow.strain, all(-1), old));
}

// ---- the element ----

[[gnu::always_inline]] inline Lanes positive(Lanes x)
{
  return x > 0 ? x : all(0);
}

/// vol/2 times upper bounds of |F| and of the largest eigenvalue of sigma, 0 where that is negative: with the deviator
/// s and J2 = s:s / 2, no eigenvalue exceeds tr/3 + 2 sqrt(J2/3); and |F|^2 <= 1 + |eps|. The factors above 1 cover
/// round-off, also where tr/3 cancels the root. Where toughness has directions, compression counts too:
/// see fracture/screen.hpp.
template <class Laws>
[[gnu::always_inline]] inline Lanes tension(Lanes half_volume, const Symmetric& eps, const Symmetric& sigma,
                                            const Laws& laws)
{
  constexpr double up = 1 + 1e-9;
  const Symmetric s = deviator(sigma);
  const Lanes radius = up * root(dot(s, s) * (2.0 / 3)), largest = trace(sigma) * (1.0 / 3) + radius;
  const Lanes stretch = root(1 + root(dot(eps, eps)));
  Lanes pull = positive(largest);
  if constexpr (Laws::by_lane)
    if (laws.any_pushes_count) {
      const Lanes push = positive(radius - trace(sigma) * (1.0 / 3));
      pull = laws.pushes_count ? (pull + push) * laws.bound_factor : pull;
    }
  return pull * stretch * (half_volume * up);
}

/// Volume of the lanes this rank counts, 0 in the others.
[[gnu::always_inline]] inline Lanes counted_volume(const ElementBlock& block)
{
  LaneMask bit{};
  for (int l = 0; l < lanes; ++l) bit[l] = 1 << l;
  return (bit & block.primary) != 0 ? load(block.volume) : all(0);
}

/// Running sums and minima, a lane at a time.
struct LaneSums {
  Lanes viscous_power = all(0), plastic_work = all(0), min_stretch = all(std::numeric_limits<double>::infinity());
  Lanes stiffening = all(1);  // of the squared frequency
  LaneMask min_block = LaneMask{} - 1;

  [[gnu::always_inline]] void see_stretch(Lanes stretch, Lanes volume, long long block)
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    stretch = stretch == stretch ? stretch : all(-infinity);  // not a number: positions have run away
    stretch = volume > 0 ? stretch : all(infinity);
    const LaneMask smaller = stretch < min_stretch;
    min_stretch = smaller ? stretch : min_stretch;
    min_block = smaller ? LaneMask{} + block : min_block;
  }

  [[gnu::always_inline]] void see_stiffening(Lanes s, Lanes volume)
  {
    const LaneMask greater = (s > stiffening) & (volume > 0);
    stiffening = greater ? s : stiffening;
  }

  InternalForceSums total() const
  {
    InternalForceSums s;
    s.viscous_power = sum(viscous_power);
    s.plastic_work = sum(plastic_work);
    for (int l = 0; l < lanes; ++l) {
      s.stiffening = std::max(s.stiffening, std::sqrt(stiffening[l]));
      if (min_block[l] < 0) continue;
      const auto e = static_cast<LocalIndex>(min_block[l] * lanes + l);
      const bool first = s.min_stretch_element < 0;
      if (first || min_stretch[l] < s.min_stretch || (min_stretch[l] == s.min_stretch && e < s.min_stretch_element))
        s.min_stretch = min_stretch[l], s.min_stretch_element = e;
    }
    return s;
  }
};

/// One block: gather, strain, stress, forces, scatter. plastic: does any material of the scene flow? The strains are
/// null if not.
template <bool plastic, class Laws>
[[gnu::always_inline]] inline void add_block(const ElementBlock& block, PlasticBlock* strains,
                                             const material::Material* materials, Laws& laws, const Row4* p,
                                             const Row4* v, Row4* f, long long index, LaneSums& sums)
{
  const Lanes volume = load(block.volume), primary = counted_volume(block);
  laws.fetch(block, materials);
  const Matrix F = gradient(p, block);
  sums.see_stretch(determinant(F), volume, index);
  const Symmetric eps = strain(F), nu = strain_rate(F, gradient(v, block));

  Symmetric elastic = eps;
  if (plastic) sums.plastic_work += 0.25 * primary * flow(*strains, F, elastic, laws);
  const LaneStress stress = laws.stress(F, eps, elastic, nu, load(block.viscosity));
  const Symmetric& sigma = stress.total.sigma;
  sums.viscous_power += 0.25 * primary * stress.total.viscous_power;
  if constexpr (Laws::stiffens)
    if (laws.may_stiffen()) sums.see_stiffening(stress.stiffening, volume);

  const Lanes half_volume = 0.5 * volume;
  const Matrix P = product(F, times(-half_volume, sigma));
  const Vector g1 = gradient_row(block, 0), g2 = gradient_row(block, 1), g3 = gradient_row(block, 2);
  const Vector f1 = product(P, g1), f2 = product(P, g2), f3 = product(P, g3);
  const Lanes bound = tension(half_volume, eps, sigma, laws);
  const NodeRows rows[4] = {rows_of(balance(f1, f2, f3), bound * length(balance(g1, g2, g3))),
                            rows_of(f1, bound * length(g1)), rows_of(f2, bound * length(g2)),
                            rows_of(f3, bound * length(g3))};
  scatter(f, block, rows);
}

/// How far ahead memory is asked for, in blocks: best of bench/element_bench at 1e6 elements, flat around it.
constexpr std::size_t blocks_ahead = 128 / lanes, nodes_ahead = 32 / lanes;

/// Asks for memory that later blocks need: hardware does not see through the node indices, and loses track of
/// several streams where a block of arithmetic lies between their loads.
[[gnu::always_inline]] inline void prefetch_nodes(const ElementBlock& block, const Row4* p, const Row4* v,
                                                  const Row4* f)
{
  for (const auto& corner : block.node)
    for (const LocalIndex n : corner) {
      __builtin_prefetch(p + n);
      __builtin_prefetch(v + n);
      __builtin_prefetch(f + n, 1);
    }
}

template <class Block>
[[gnu::always_inline]] inline void prefetch_block(const Block* block)
{
  const char* const bytes = reinterpret_cast<const char*>(block);
  for (std::size_t i = 0; i < sizeof(Block); i += 64) __builtin_prefetch(bytes + i);
}

template <bool plastic, class Laws>
InternalForceSums add_blocks(ElementBlocks& elements, const material::Material* materials, const Row4* p, const Row4* v,
                             Row4* f)
{
  const std::span<const ElementBlock> blocks = elements.blocks();
  PlasticBlock* const strains = elements.plastic_blocks().data();
  LaneSums sums;
  Laws laws;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t last = blocks.size() - 1, far = std::min(b + blocks_ahead, last);
    prefetch_block(&blocks[far]);
    if (plastic) prefetch_block(strains + far);
    prefetch_nodes(blocks[std::min(b + nodes_ahead, last)], p, v, f);
    add_block<plastic>(blocks[b], plastic ? strains + b : nullptr, materials, laws, p, v, f, static_cast<long long>(b),
                       sums);
  }
  return sums.total();
}

template <class Laws>
double energy_of_blocks(const ElementBlocks& elements, const material::Material* materials, const Row4* p)
{
  const std::span<const ElementBlock> blocks = elements.blocks();
  const std::span<const PlasticBlock> plastic = elements.plastic_blocks();
  Laws laws;
  Lanes energy = all(0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    laws.fetch(blocks[b], materials);
    const Matrix F = gradient(p, blocks[b]);
    Symmetric elastic = strain(F);
    if (elements.plastic()) elastic = plus(elastic, all(-1), load(plastic[b]));
    energy += counted_volume(blocks[b]) * laws.energy(F, elastic);
  }
  return sum(energy);
}

}  // namespace

InternalForceSums add_internal_forces(ElementBlocks& blocks, std::span<const material::Material> materials,
                                      std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  SUNDER_ASSERT(p.size() == v.size() && p.size() == f.size());
  const auto add = [&]<class Laws>() {
    const auto loop = blocks.plastic() ? add_blocks<true, Laws> : add_blocks<false, Laws>;
    return loop(blocks, materials.data(), p.data(), v.data(), f.data());
  };
  return with_laws_of(materials, add, material::Laws{});
}

double elastic_energy(const ElementBlocks& blocks, std::span<const material::Material> materials,
                      std::span<const Row4> p)
{
  const auto energy = [&]<class Laws>() { return energy_of_blocks<Laws>(blocks, materials.data(), p.data()); };
  return with_laws_of(materials, energy, material::Laws{});
}

}  // namespace sunder::element
