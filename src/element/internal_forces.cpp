#include "element/internal_forces.hpp"

#include "core/error.hpp"
#include "element/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::element {
namespace {

using namespace lanewise;

// ---- constitution ----

struct Constants {
  Lanes lambda, two_mu, phi, two_psi, k1, k2;
};

/// The only place where blocks of one material and of several differ: the numbers fetched are the same.
[[gnu::always_inline]] inline Constants constants_of(const ElementBlock& block, const material::Material* materials)
{
  const material::Material& m = materials[block.material[0]];
  Constants c{all(m.lambda), all(2 * m.mu), all(m.phi), all(2 * m.psi), all(m.k1), all(m.k2)};
  if (!block.uniform) [[unlikely]]
    for (int l = 1; l < lanes; ++l) {
      const material::Material& other = materials[block.material[l]];
      c.lambda[l] = other.lambda, c.two_mu[l] = 2 * other.mu, c.k1[l] = other.k1;
      c.phi[l] = other.phi, c.two_psi[l] = 2 * other.psi, c.k2[l] = other.k2;
    }
  const Lanes viscosity = load(block.viscosity);
  c.phi *= viscosity, c.two_psi *= viscosity;
  return c;
}

/// What flow() did: the change of plastic strain, and 4/vol times the work of it if the material is isotropic: 2 mu
/// times the elastic deviator that is left times change.
struct Flow {
  Lanes isotropic_work;
  Symmetric change;
};

[[gnu::always_inline]] inline Flow no_flow()
{
  return {all(0), {all(0), all(0), all(0), all(0), all(0), all(0)}};
}

/// Brings the plastic strain up to date with the total strain eps (T 3.7, 3.8) and takes it off eps. A lane that does
/// not flow keeps its bits, whether or not another one does.
[[gnu::always_inline]] inline Flow flow(PlasticBlock& block, Symmetric& eps, const Constants& c)
{
  const Symmetric old = load(block), r = plus(deviator(eps), all(-1), old);
  const Lanes r_norm = root(dot(r, r));
  const LaneMask flows = r_norm > c.k1;
  if (!any(flows)) {
    eps = plus(eps, all(-1), old);
    return no_flow();
  }
  const Symmetric trial = plus(old, flows ? (r_norm - c.k1) / r_norm : all(0), r);
  const Lanes trial_norm = root(dot(trial, trial));
  const LaneMask too_far = flows & (trial_norm > c.k2);
  const Symmetric now = times(too_far ? c.k2 / trial_norm : all(1), trial);
  store(block, now);
  const Symmetric change = plus(now, all(-1), old);
  eps = plus(eps, all(-1), now);
  return {c.two_mu * (dot(r, change) - dot(change, change)), change};
}

// ---- materials with directions ----

/// C and D as they act on the components of Symmetric, and what directional toughness does to the bound of tension.
/// Kept from block to block while the material is the same.
struct DirectionalConstants {
  Lanes C[6][6], D[6][6];  // only the upper triangle is used
  Lanes bound_factor;      // (1 + s^2) / 2, s the greatest factor on stress; 1 where toughness has no directions
  LaneMask anisotropic;    // C and D of this lane are used
  LaneMask pushes_count;   // toughness of this lane has directions
  bool any_anisotropic = false, any_isotropic = false, any_pushes_count = false;
  const material::Material* material = nullptr;  // of all lanes; null: they differ

  void fetch_lane(int l, const material::Material& m)
  {
    constexpr int place[6] = {0, 1, 2, 5, 3, 4};  // of XX YY ZZ XY YZ XZ in Voigt's order
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) {
        C[i][j][l] = m.anisotropy ? m.anisotropy->C()(place[i], place[j]) : 0;
        D[i][j][l] = m.anisotropy ? m.anisotropy->D()(place[i], place[j]) : 0;
      }
    const double scale = m.toughness_scale.maxCoeff();
    bound_factor[l] = m.directional_toughness() ? 0.5 * (1 + scale * scale) : 1;
    anisotropic[l] = m.anisotropy ? -1 : 0;
    pushes_count[l] = m.directional_toughness() ? -1 : 0;
    (m.anisotropy ? any_anisotropic : any_isotropic) = true;
    any_pushes_count = any_pushes_count || m.directional_toughness();
  }

  void fetch(const ElementBlock& block, const material::Material* materials)
  {
    const material::Material* const of_all = block.uniform ? materials + block.material[0] : nullptr;
    if (of_all && of_all == material) return;
    any_anisotropic = any_isotropic = any_pushes_count = false;
    for (int l = 0; l < lanes; ++l) fetch_lane(l, materials[block.material[l]]);
    material = of_all;
  }
};

/// C : t.
[[gnu::always_inline]] inline Symmetric contracted(const Lanes (&C)[6][6], const Symmetric& t)
{
  const Lanes xy = t.xy + t.xy, yz = t.yz + t.yz, xz = t.xz + t.xz;
  const auto row = [&](Lanes xx_, Lanes yy_, Lanes zz_, Lanes xy_, Lanes yz_, Lanes xz_) {
    return (xx_ * t.xx + yy_ * t.yy + zz_ * t.zz) + (xy_ * xy + yz_ * yz + xz_ * xz);
  };
  return {row(C[0][0], C[0][1], C[0][2], C[0][3], C[0][4], C[0][5]),
          row(C[0][1], C[1][1], C[1][2], C[1][3], C[1][4], C[1][5]),
          row(C[0][2], C[1][2], C[2][2], C[2][3], C[2][4], C[2][5]),
          row(C[0][3], C[1][3], C[2][3], C[3][3], C[3][4], C[3][5]),
          row(C[0][4], C[1][4], C[2][4], C[3][4], C[4][4], C[4][5]),
          row(C[0][5], C[1][5], C[2][5], C[3][5], C[4][5], C[5][5])};
}

// ---- stress ----

struct Stress {
  Symmetric sigma;
  Lanes viscous_power;  // 4/vol times it
  Lanes plastic_work;   // likewise
};

[[gnu::always_inline]] inline Stress isotropic_stress(const Constants& c, const Symmetric& elastic, const Symmetric& nu,
                                                      const Flow& plastic)
{
  const Lanes nu_trace = trace(nu);
  return {plus(isotropic_plus(c.lambda * trace(elastic) + c.phi * nu_trace, c.two_mu, elastic), c.two_psi, nu),
          c.phi * nu_trace * nu_trace + c.two_psi * dot(nu, nu), plastic.isotropic_work};
}

template <bool plastic>
[[gnu::always_inline]] inline Stress general_stress(const DirectionalConstants& c, Lanes viscosity,
                                                    const Symmetric& elastic, const Symmetric& nu, const Flow& flowed)
{
  const Symmetric viscous = times(viscosity, contracted(c.D, nu));
  Stress s{plus(contracted(c.C, elastic), all(1), viscous), dot(viscous, nu), all(0)};
  if (plastic) s.plastic_work = dot(flowed.change, contracted(c.C, elastic));
  return s;
}

/// Each lane by its own material's law; a law that no lane has is not computed.
template <bool plastic>
[[gnu::always_inline]] inline Stress stress_by_lane(const Constants& c, const DirectionalConstants& d, Lanes viscosity,
                                                    const Symmetric& elastic, const Symmetric& nu, const Flow& flowed)
{
  Stress s{};
  if (d.any_isotropic) s = isotropic_stress(c, elastic, nu, flowed);
  if (d.any_anisotropic) {
    const Stress g = general_stress<plastic>(d, viscosity, elastic, nu, flowed);
    s = {chosen(d.anisotropic, g.sigma, s.sigma), d.anisotropic ? g.viscous_power : s.viscous_power,
         d.anisotropic ? g.plastic_work : s.plastic_work};
  }
  return s;
}

// ---- the element ----

[[gnu::always_inline]] inline Lanes positive(Lanes x)
{
  return x > 0 ? x : all(0);
}

/// vol/2 times upper bounds of |F| and of the largest eigenvalue of sigma, 0 where that is negative: with the deviator
/// s and J2 = s:s / 2, no eigenvalue exceeds tr/3 + 2 sqrt(J2/3); and |F|^2 <= 1 + |eps|. The factors above 1 cover
/// round-off, also where tr/3 cancels the root. Where toughness has directions (not null), compression counts too:
/// see screen() in fracture/candidates.hpp.
[[gnu::always_inline]] inline Lanes tension(Lanes half_volume, const Symmetric& eps, const Symmetric& sigma,
                                            const DirectionalConstants* toughness)
{
  constexpr double up = 1 + 1e-9;
  const Symmetric s = deviator(sigma);
  const Lanes radius = up * root(dot(s, s) * (2.0 / 3)), largest = trace(sigma) * (1.0 / 3) + radius;
  const Lanes stretch = root(1 + root(dot(eps, eps)));
  Lanes pull = positive(largest);
  if (toughness && toughness->any_pushes_count) {
    const Lanes push = positive(radius - trace(sigma) * (1.0 / 3));
    pull = toughness->pushes_count ? (pull + push) * toughness->bound_factor : pull;
  }
  return pull * stretch * (half_volume * up);
}

[[gnu::always_inline]] inline Vector gradient_row(const ElementBlock& block, int i)
{
  return {load(block.B[3 * i]), load(block.B[3 * i + 1]), load(block.B[3 * i + 2])};
}

/// Volume of the lanes this rank counts, 0 in the others.
[[gnu::always_inline]] inline Lanes counted_volume(const ElementBlock& block)
{
  const long long c = block.counted;
  const LaneMask bits = LaneMask{c, c, c, c, c, c, c, c} & LaneMask{1, 2, 4, 8, 16, 32, 64, 128};
  return bits != 0 ? load(block.volume) : all(0);
}

/// Running sums and minima, a lane at a time.
struct LaneSums {
  Lanes viscous_power = all(0), plastic_work = all(0), min_stretch = all(std::numeric_limits<double>::infinity());
  LaneMask min_block = {-1, -1, -1, -1, -1, -1, -1, -1};

  [[gnu::always_inline]] void see_stretch(Lanes stretch, Lanes volume, long long block)
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    stretch = stretch == stretch ? stretch : all(-infinity);  // not a number: positions have run away
    stretch = volume > 0 ? stretch : all(infinity);
    const LaneMask smaller = stretch < min_stretch;
    min_stretch = smaller ? stretch : min_stretch;
    min_block = smaller ? LaneMask{block, block, block, block, block, block, block, block} : min_block;
  }

  InternalForceSums total() const
  {
    InternalForceSums s;
    s.viscous_power = sum(viscous_power);
    s.plastic_work = sum(plastic_work);
    for (int l = 0; l < lanes; ++l) {
      if (min_block[l] < 0) continue;
      const auto e = static_cast<LocalIndex>(min_block[l] * lanes + l);
      const bool first = s.min_stretch_element < 0;
      if (first || min_stretch[l] < s.min_stretch || (min_stretch[l] == s.min_stretch && e < s.min_stretch_element))
        s.min_stretch = min_stretch[l], s.min_stretch_element = e;
    }
    return s;
  }
};

/// One block: gather, strain, stress, forces, scatter. plastic, directional: does any material of the scene flow, or
/// have directions? The strains, or constants, are null if not.
template <bool plastic, bool directional>
[[gnu::always_inline]] inline void add_block(const ElementBlock& block, PlasticBlock* strains,
                                             const material::Material* materials, DirectionalConstants* directions,
                                             const Row4* p, const Row4* v, Row4* f, long long index, LaneSums& sums)
{
  const Lanes volume = load(block.volume), counted = counted_volume(block);
  const Constants c = constants_of(block, materials);
  const Matrix F = gradient(p, block);
  sums.see_stretch(determinant(F), volume, index);
  const Symmetric eps = strain(F), nu = strain_rate(F, gradient(v, block));

  Symmetric elastic = eps;
  Flow flowed = no_flow();
  if (plastic) flowed = flow(*strains, elastic, c);
  Stress stress;
  if constexpr (directional) {
    directions->fetch(block, materials);
    stress = stress_by_lane<plastic>(c, *directions, load(block.viscosity), elastic, nu, flowed);
  } else {
    stress = isotropic_stress(c, elastic, nu, flowed);
  }
  const Symmetric& sigma = stress.sigma;
  if (plastic) sums.plastic_work += 0.25 * counted * stress.plastic_work;
  sums.viscous_power += 0.25 * counted * stress.viscous_power;

  const Lanes half_volume = 0.5 * volume;
  const Matrix P = product(F, times(-half_volume, sigma));
  const Vector g1 = gradient_row(block, 0), g2 = gradient_row(block, 1), g3 = gradient_row(block, 2);
  const Vector f1 = product(P, g1), f2 = product(P, g2), f3 = product(P, g3);
  const Lanes bound = tension(half_volume, eps, sigma, directional ? directions : nullptr);
  const RowPairs rows[4] = {rows_of(balance(f1, f2, f3), bound * length(balance(g1, g2, g3))),
                            rows_of(f1, bound * length(g1)), rows_of(f2, bound * length(g2)),
                            rows_of(f3, bound * length(g3))};
  scatter(f, block, rows);
}

/// How far ahead memory is asked for, in blocks: best of bench/element_bench at 1e6 elements, flat around it.
constexpr std::size_t blocks_ahead = 16, nodes_ahead = 4;

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

bool any_directional(std::span<const material::Material> materials)
{
  return std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m.has_directions(); });
}

template <bool plastic, bool directional>
InternalForceSums add_blocks(ElementBlocks& elements, const material::Material* materials, const Row4* p, const Row4* v,
                             Row4* f)
{
  const std::span<const ElementBlock> blocks = elements.blocks();
  PlasticBlock* const strains = elements.plastic_blocks().data();
  LaneSums sums;
  DirectionalConstants directions;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::size_t last = blocks.size() - 1, far = std::min(b + blocks_ahead, last);
    prefetch_block(&blocks[far]);
    if (plastic) prefetch_block(strains + far);
    prefetch_nodes(blocks[std::min(b + nodes_ahead, last)], p, v, f);
    add_block<plastic, directional>(blocks[b], plastic ? strains + b : nullptr, materials,
                                    directional ? &directions : nullptr, p, v, f, static_cast<long long>(b), sums);
  }
  return sums.total();
}

}  // namespace

InternalForceSums add_internal_forces(ElementBlocks& blocks, std::span<const material::Material> materials,
                                      std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  SUNDER_ASSERT(p.size() == v.size() && p.size() == f.size());
  const bool directional = any_directional(materials);
  const auto add = blocks.plastic() ? (directional ? add_blocks<true, true> : add_blocks<true, false>)
                                    : (directional ? add_blocks<false, true> : add_blocks<false, false>);
  return add(blocks, materials.data(), p.data(), v.data(), f.data());
}

double elastic_energy(const ElementBlocks& elements, std::span<const material::Material> materials,
                      std::span<const Row4> p)
{
  const std::span<const ElementBlock> blocks = elements.blocks();
  const std::span<const PlasticBlock> plastic = elements.plastic_blocks();
  const bool directional = any_directional(materials);
  DirectionalConstants d;
  Lanes energy = all(0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Constants c = constants_of(blocks[b], materials.data());
    Symmetric eps = strain(gradient(p.data(), blocks[b]));
    if (elements.plastic()) eps = plus(eps, all(-1), load(plastic[b]));
    const Lanes tr = trace(eps);
    Lanes density = c.lambda * tr * tr + c.two_mu * dot(eps, eps);
    if (directional) {
      d.fetch(blocks[b], materials.data());
      density = d.anisotropic ? dot(contracted(d.C, eps), eps) : density;
    }
    energy += 0.125 * counted_volume(blocks[b]) * density;
  }
  return sum(energy);
}

}  // namespace sunder::element
