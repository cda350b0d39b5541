#pragma once
/// The table of the laws of elasticity: what is named here, the step, the energy, failure and output know.

#include "material/neo_hookean.hpp"
#include "material/saint_venant_kirchhoff.hpp"

namespace sunder::material {

template <ElasticLaw... L>
struct LawList {
};

using Laws = LawList<SaintVenantKirchhoff, GeneralSaintVenantKirchhoff, NeoHookean>;

/// Local. How many of them describe m: one, or its law is missing here.
template <class... L>
int num_laws_of(const Material& m, LawList<L...> /*of*/)
{
  return (int{L::describes(m)} + ...);
}

/// Local. Calls f with an object of that of the laws which describes m, and returns what it returns, one type for all.
template <class F, class First, class... Rest>
auto with_law(const Material& m, F&& f, LawList<First, Rest...> /*of*/)
{
  if constexpr (sizeof...(Rest) > 0)
    if (!First::describes(m)) return with_law(m, f, LawList<Rest...>{});
  return f(First{});
}

}  // namespace sunder::material
