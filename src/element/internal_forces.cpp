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

[[gnu::always_inline]] inline Lanes squared(const Vector& a)
{
  return a.x * a.x + a.y * a.y + a.z * a.z;
}

/// Of |f+_a|, the tensile force on a corner, squared: two upper bounds, of which the lesser counts.
struct TensionBound {
  Lanes by_gradient;  // times |grad N_a|^2
  Lanes by_force;     // times |f_a|^2

  [[gnu::always_inline]] Lanes at(const Vector& gradient, const Vector& force) const
  {
    const Lanes whole = by_gradient * squared(gradient), of_force = by_force * squared(force);
    return root(of_force < whole ? of_force : whole);
  }
};

/// f+ = -vol/2 F sigma+ grad N, where sigma+ is the part of sigma with positive eigenvalues. |F|^2 <= 1 + |eps|, and:
///   by gradient: |sigma+ grad N| <= max(0, lambda_max) |grad N|. With the deviator s and J2 = s:s / 2, no eigenvalue
///                exceeds tr/3 + 2 sqrt(J2/3). Exact where grad N is the direction of the greatest pull.
///   by force:    |sigma+ grad N| <= |sigma grad N| <= |F^-1| |f| 2/vol, as the two parts of sigma are orthogonal, and
///                |F^-1|^2 <= 1 / (1 - |eps|). Exact where all pull has one direction, but for what it stretches.
/// The factors above 1 cover round-off, also where tr/3 cancels the root. Where toughness has directions, compression
/// counts too, and only the first bound holds: see fracture/screen.hpp.
template <class Laws>
[[gnu::always_inline]] inline TensionBound tension(Lanes half_volume, const Symmetric& eps, const Symmetric& sigma,
                                                   const Laws& laws)
{
  constexpr double up = 1 + 1e-9, infinity = std::numeric_limits<double>::infinity();
  const Symmetric s = deviator(sigma);
  const Lanes radius = up * root(dot(s, s) * (2.0 / 3)), largest = trace(sigma) * (1.0 / 3) + radius;
  const Lanes size = root(dot(eps, eps)), stretch = up * (1 + size), least_stretch = 1 - size;
  Lanes pull = positive(largest);
  LaneMask holds_by_force = least_stretch > 0;
  if constexpr (Laws::by_lane)
    if (laws.any_pushes_count) {
      const Lanes push = positive(radius - trace(sigma) * (1.0 / 3));
      pull = laws.pushes_count ? (pull + push) * laws.bound_factor : pull;
      holds_by_force &= ~laws.pushes_count;
    }
  const Lanes whole = half_volume * pull;
  return {whole * whole * stretch, holds_by_force ? stretch / least_stretch : all(infinity)};
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
template <bool plastic, Bounds bounds, class Laws>
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
  constexpr bool summed = bounds == Bounds::summed;
  const TensionBound bound = summed ? tension(half_volume, eps, sigma, laws) : TensionBound{};
  const auto corner = [&](const Vector& f, const Vector& g) __attribute__((always_inline))
  {
    return rows_of(f, summed ? bound.at(g, f) : all(0));
  };
  const NodeRows rows[4] = {corner(balance(f1, f2, f3), balance(g1, g2, g3)), corner(f1, g1), corner(f2, g2),
                            corner(f3, g3)};
  scatter(f, block, rows);
}

/// How far ahead memory is asked for, in blocks: best of bench/element_bench at 1e6 elements, flat around it.
constexpr std::size_t blocks_ahead = 128 / lanes, nodes_ahead = 32 / lanes;

template <bool plastic, Bounds bounds, class Laws>
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
    add_block<plastic, bounds>(blocks[b], plastic ? strains + b : nullptr, materials, laws, p, v, f,
                               static_cast<long long>(b), sums);
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
                                      std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f,
                                      Bounds bounds)
{
  SUNDER_ASSERT(p.size() == v.size() && p.size() == f.size());
  const auto add = [&]<class Laws>() {
    constexpr auto summed = Bounds::summed, left_out = Bounds::left_out;
    const auto plastic = bounds == summed ? add_blocks<true, summed, Laws> : add_blocks<true, left_out, Laws>;
    const auto elastic = bounds == summed ? add_blocks<false, summed, Laws> : add_blocks<false, left_out, Laws>;
    return (blocks.plastic() ? plastic : elastic)(blocks, materials.data(), p.data(), v.data(), f.data());
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
