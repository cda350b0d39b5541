#include "contact/law/resultants.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>

namespace sunder::contact {
namespace {

/// Of a mutable or constant pair of sums, those of the components.
template <class Exact>
auto components(Exact& sum)
{
  return std::array{&sum.force.x, &sum.force.y, &sum.force.z, &sum.torque.x, &sum.torque.y, &sum.torque.z};
}

}  // namespace

Resultants::Resultants(std::span<const Obstacle> obstacles) : plain_(obstacles.size())
{
  for (const Obstacle& o : obstacles) {
    const bool free = o.motion == rigid::MotionKind::free;
    exact_at_.push_back(free ? static_cast<int>(exact_.size()) : -1);
    if (free) exact_.emplace_back();
  }
}

void Resultants::clear()
{
  std::fill(exact_.begin(), exact_.end(), Exact{});
  std::fill(plain_.begin(), plain_.end(), Resultant{});
}

void Resultants::add(std::size_t obstacle, const Vec3& force, const Vec3& torque)
{
  if (const int at = exact_at_[obstacle]; at >= 0) {
    Exact& sum = exact_[static_cast<std::size_t>(at)];
    sum.force.add(force), sum.torque.add(torque);
  } else {
    plain_[obstacle].force += force, plain_[obstacle].torque += torque;
  }
}

Resultant Resultants::on(std::size_t obstacle) const
{
  const int at = exact_at_[obstacle];
  if (at < 0) return plain_[obstacle];
  const Exact& sum = exact_[static_cast<std::size_t>(at)];
  return {sum.force.value(), sum.torque.value()};
}

void Resultants::append_digits(std::vector<std::int64_t>& values) const
{
  for (const Exact& sum : exact_)
    for (const ReproducibleSum* component : components(sum))
      values.insert(values.end(), component->raw().begin(), component->raw().end());
}

void Resultants::take_digits(std::span<const std::int64_t> total)
{
  SUNDER_ASSERT(total.size() == 6 * ReproducibleSum::digits * exact_.size());
  auto from = total.begin();
  for (Exact& sum : exact_)
    for (ReproducibleSum* component : components(sum)) {
      std::copy_n(from, ReproducibleSum::digits, component->raw().begin());
      from += ReproducibleSum::digits;
    }
}

}  // namespace sunder::contact
