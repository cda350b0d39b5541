#pragma once
/// Plastic flow of a block of elements, T 3.7 and 3.8. Only the files that may include lanes.hpp may include this one.

#include "element/lanes.hpp"

namespace sunder::element::lanewise {

/// Where plastic strain goes in a step. With r = dev(eps) - old: trial = old + r (|r| - k1)/|r| if |r| > k1, and the
/// strain is trial, scaled to the length k2 if it is longer.
struct PlasticReturn {
  Symmetric strain;         // a lane that does not flow keeps its bits, whether or not another one does
  bool any = false;         // lane flows; the rest is undefined if none does
  LaneMask flows, too_far;  // |r| > k1; and |trial| > k2
  Symmetric r, trial;
  Lanes r_norm, trial_norm;
};

[[gnu::always_inline]] inline PlasticReturn plastic_return(const Symmetric& eps, const Symmetric& old, Lanes k1,
                                                           Lanes k2)
{
  PlasticReturn flow;
  flow.r = plus(deviator(eps), all(-1), old);
  flow.r_norm = root(dot(flow.r, flow.r));
  flow.flows = flow.r_norm > k1;
  flow.any = any(flow.flows);
  flow.strain = old;
  if (!flow.any) return flow;
  flow.trial = plus(old, flow.flows ? (flow.r_norm - k1) / flow.r_norm : all(0), flow.r);
  flow.trial_norm = root(dot(flow.trial, flow.trial));
  flow.too_far = flow.flows & (flow.trial_norm > k2);
  flow.strain = times(flow.too_far ? k2 / flow.trial_norm : all(1), flow.trial);
  return flow;
}

/// The change of the strain that it returns, to first order, for a change of eps.
[[gnu::always_inline]] inline Symmetric change_of(const PlasticReturn& flow, const Symmetric& change, Lanes k1,
                                                  Lanes k2)
{
  if (!flow.any) return times(all(0), change);
  const Symmetric dr = deviator(change);
  const Lanes share = k1 / flow.r_norm, along = share * dot(flow.r, dr) / (flow.r_norm * flow.r_norm);
  const Symmetric trial = chosen(flow.flows, plus(times(1 - share, dr), along, flow.r), Symmetric{});
  const Lanes scale = k2 / flow.trial_norm, radial = dot(flow.trial, trial) / (flow.trial_norm * flow.trial_norm);
  return chosen(flow.too_far, times(scale, plus(trial, -radial, flow.trial)), trial);
}

}  // namespace sunder::element::lanewise
