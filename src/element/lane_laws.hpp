#pragma once
/// Stress and energy of a block of elements, by one law for all lanes or by the law of each lane. Only the files that
/// may include lanes.hpp may include this one.

#include "element/lanes.hpp"
#include "material/laws.hpp"

#include <algorithm>
#include <tuple>

namespace sunder::element::lanewise {

struct LaneStress {
  material::Stress<Lanes> total;
  Lanes stiffening;  // bound of the squared frequency over that at rest; 1 if the law does not stiffen
};

/// All lanes have the law L.
template <class L>
struct OneLaw {
  static constexpr bool stiffens = L::stiffens, by_lane = false;
  std::array<Lanes, L::num_constants> elasticity;
  std::array<Lanes, L::Viscosity::num_constants> viscosity;
  Lanes k1, k2;

  [[gnu::always_inline]] void fetch(const ElementBlock& block, const material::Material* materials)
  {
    const material::Material& m = materials[block.material[0]];
    const auto elastic = L::constants(m);
    const auto viscous = L::Viscosity::constants(m);
    for (std::size_t i = 0; i < elastic.size(); ++i) elasticity[i] = all(elastic[i]);
    for (std::size_t i = 0; i < viscous.size(); ++i) viscosity[i] = all(viscous[i]);
    k1 = all(m.k1), k2 = all(m.k2);
    if (!block.uniform) [[unlikely]]
      for (int l = 1; l < lanes; ++l) fetch_lane(l, materials[block.material[l]]);
  }

  [[gnu::always_inline]] void fetch_lane(int l, const material::Material& m)
  {
    const auto elastic = L::constants(m);
    const auto viscous = L::Viscosity::constants(m);
    for (std::size_t i = 0; i < elastic.size(); ++i) elasticity[i][l] = elastic[i];
    for (std::size_t i = 0; i < viscous.size(); ++i) viscosity[i][l] = viscous[i];
    k1[l] = m.k1, k2[l] = m.k2;
  }

  [[gnu::always_inline]] bool may_stiffen() const { return L::stiffens; }

  /// eps: F^T F - I. elastic: eps less the plastic strain. factor: on viscosity.
  [[gnu::always_inline]] LaneStress stress(const Matrix& F, const Symmetric& eps, const Symmetric& elastic,
                                           const Symmetric& nu, Lanes factor) const
  {
    const material::ElasticStress<Lanes> e = L::stress(elasticity, F, elastic);
    return {L::Viscosity::add(viscosity, factor, e, nu), stiffening(e.stiffening, eps)};
  }

  /// Of sigma, for changes of `elastic` and of nu.
  [[gnu::always_inline]] Symmetric stress_change(const Symmetric& elastic, const Symmetric& change,
                                                 const Symmetric& rate_change, Lanes factor) const
  {
    return plus(L::stress_change(elasticity, elastic, change), all(1),
                L::Viscosity::stress_change(viscosity, factor, rate_change));
  }

  /// 4/vol times the work against a change of plastic strain; 0 for a law without plasticity.
  [[gnu::always_inline]] Lanes plastic_work(const Matrix& F, const Symmetric& elastic, const Symmetric& change) const
  {
    if constexpr (requires { L::plastic_work(elasticity, F, elastic, change); })
      return L::plastic_work(elasticity, F, elastic, change);
    return all(0);
  }

  [[gnu::always_inline]] Lanes energy(const Matrix& F, const Symmetric& elastic) const
  {
    return L::energy(elasticity, F, elastic);
  }

private:
  /// The viscous rate grows by the largest squared stretch, which is at most 1 + |eps|. The frequency grows by the root
  /// of the elastic stiffening. A step divided by the greater of the two is short enough for both. Returned squared.
  [[gnu::always_inline]] Lanes stiffening(Lanes elastic, const Symmetric& eps) const
  {
    if constexpr (!L::stiffens) return all(1);
    const Lanes stretch = 1 + root(dot(eps, eps)), rate = stretch * stretch;
    return (rate > elastic) & any_viscosity() ? rate : elastic;
  }

  [[gnu::always_inline]] LaneMask any_viscosity() const
  {
    LaneMask any = viscosity[0] > 0;
    for (const Lanes& c : viscosity) any |= c > 0;
    return any;
  }
};

template <class L>
struct LawOfSomeLanes : OneLaw<L> {
  LaneMask mine;  // lanes whose material has this law
  bool used = false;

  /// Lanes with another law get the constants of a material without stiffness.
  void take_lane(int l, const material::Material& m)
  {
    const bool is = L::describes(m);
    mine[l] = is ? -1 : 0;
    used = used || is;
    if (is) return this->fetch_lane(l, m);
    for (Lanes& c : this->elasticity) c[l] = 0;
    for (Lanes& c : this->viscosity) c[l] = 0;
  }
};

/// Each lane has the law of its own material. A law that no lane has is not computed. The constants are kept from block
/// to block while the material is the same. It also has what directional toughness needs for the bound of tension.
template <class... L>
struct LawByLane {
  static constexpr bool stiffens = (L::stiffens || ...), by_lane = true;
  std::tuple<LawOfSomeLanes<L>...> laws;
  Lanes k1, k2;
  Lanes bound_factor;     // (1 + s^2) / 2, s the greatest factor on stress; 1 where toughness has no directions
  LaneMask pushes_count;  // toughness of this lane has directions
  bool any_pushes_count = false;
  const material::Material* material = nullptr;  // of all lanes; null: they differ

  void fetch(const ElementBlock& block, const material::Material* materials)
  {
    const material::Material* const of_all = block.uniform ? materials + block.material[0] : nullptr;
    if (of_all && of_all == material) return;
    ((std::get<LawOfSomeLanes<L>>(laws).used = false), ...);
    any_pushes_count = false;
    for (int l = 0; l < lanes; ++l) {
      const material::Material& m = materials[block.material[l]];
      (std::get<LawOfSomeLanes<L>>(laws).take_lane(l, m), ...);
      k1[l] = m.k1, k2[l] = m.k2;
      const double scale = m.toughness_scale.maxCoeff();
      bound_factor[l] = m.directional_toughness() ? 0.5 * (1 + scale * scale) : 1;
      pushes_count[l] = m.directional_toughness() ? -1 : 0;
      any_pushes_count = any_pushes_count || m.directional_toughness();
    }
    material = of_all;
  }

  [[gnu::always_inline]] LaneStress stress(const Matrix& F, const Symmetric& eps, const Symmetric& elastic,
                                           const Symmetric& nu, Lanes factor) const
  {
    LaneStress s{};
    s.stiffening = all(1);
    (add_stress(std::get<LawOfSomeLanes<L>>(laws), F, eps, elastic, nu, factor, s), ...);
    return s;
  }

  [[gnu::always_inline]] Symmetric stress_change(const Symmetric& elastic, const Symmetric& change,
                                                 const Symmetric& rate_change, Lanes factor) const
  {
    Symmetric s{};
    const auto take = [&](const auto& law) {
      if (law.used) s = chosen(law.mine, law.stress_change(elastic, change, rate_change, factor), s);
    };
    (take(std::get<LawOfSomeLanes<L>>(laws)), ...);
    return s;
  }

  [[gnu::always_inline]] bool may_stiffen() const
  {
    return ((L::stiffens && std::get<LawOfSomeLanes<L>>(laws).used) || ...);
  }

  [[gnu::always_inline]] Lanes plastic_work(const Matrix& F, const Symmetric& elastic, const Symmetric& change) const
  {
    return of_each([&](const auto& law) { return law.plastic_work(F, elastic, change); });
  }

  [[gnu::always_inline]] Lanes energy(const Matrix& F, const Symmetric& elastic) const
  {
    return of_each([&](const auto& law) { return law.energy(F, elastic); });
  }

private:
  template <class Number>
  [[gnu::always_inline]] Lanes of_each(Number&& number) const
  {
    Lanes x = all(0);
    const auto take = [&](const auto& law) {
      if (law.used) x = law.mine ? number(law) : x;
    };
    (take(std::get<LawOfSomeLanes<L>>(laws)), ...);
    return x;
  }

  template <class Some>
  [[gnu::always_inline]] static void add_stress(const Some& law, const Matrix& F, const Symmetric& eps,
                                                const Symmetric& elastic, const Symmetric& nu, Lanes factor,
                                                LaneStress& s)
  {
    if (!law.used) return;
    const LaneStress own = law.stress(F, eps, elastic, nu, factor);
    s.total.sigma = chosen(law.mine, own.total.sigma, s.total.sigma);
    s.total.viscous_power = law.mine ? own.total.viscous_power : s.total.viscous_power;
    if constexpr (Some::stiffens) s.stiffening = law.mine ? own.stiffening : s.stiffening;
  }
};

/// Calls f.template operator()<Law>() with the class that computes stress in a scene of these materials: OneLaw if all
/// of them share one isotropic law and no toughness has directions, else LawByLane.
template <class F, class... L>
auto with_laws_of(std::span<const material::Material> materials, F&& f, material::LawList<L...> /*of*/)
{
  decltype(f.template operator()<LawByLane<L...>>()) result;
  const bool directional =
      std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m.directional_toughness(); });
  const auto tried = [&]<class One>(One /*law*/) {
    if constexpr (One::isotropic) {
      if (directional || !std::all_of(materials.begin(), materials.end(), One::describes)) return false;
      result = f.template operator()<OneLaw<One>>();
      return true;
    }
    return false;
  };
  if (!(tried(L{}) || ...)) result = f.template operator()<LawByLane<L...>>();
  return result;
}

}  // namespace sunder::element::lanewise
