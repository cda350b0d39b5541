#pragma once
/// The table of the laws of elasticity. The step, the energy, failure and output use every law that is named here.

#include "material/neo_hookean.hpp"
#include "material/saint_venant_kirchhoff.hpp"

namespace sunder::material {

template <ElasticLaw... L>
struct LawList {
};

using Laws = LawList<SaintVenantKirchhoff, GeneralSaintVenantKirchhoff, NeoHookean>;

/// Local. How many laws of the list describe m. It must be one: 0 means that the law is missing in the table.
template <class... L>
int num_laws_of(const Material& m, LawList<L...> /*of*/)
{
  return (int{L::describes(m)} + ...);
}

/// Local. Calls f with an object of the law that describes m, and returns its result, which has one type for all laws.
template <class F, class First, class... Rest>
auto with_law(const Material& m, F&& f, LawList<First, Rest...> /*of*/)
{
  if constexpr (sizeof...(Rest) > 0)
    if (!First::describes(m)) return with_law(m, f, LawList<Rest...>{});
  return f(First{});
}

}  // namespace sunder::material
