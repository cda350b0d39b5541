#include "contact/obstacle_contact.hpp"

#include "contact/law/obstacle_tangent.hpp"
#include "core/error.hpp"
#include "geometry/box.hpp"
#include "geometry/corners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::contact {
namespace {

bool empty_slot(const Tet& tet)
{
  return tet[0] == tet[1] && tet[1] == tet[2] && tet[2] == tet[3];
}

/// Median of the box diagonals of a few dozen elements, taken at even distances in the list [m]. Zero if there are
/// none.
double typical_size(std::span<const Tet> tets, std::span<const Row4> p)
{
  constexpr std::size_t most = 33;
  std::array<double, most> sizes{};
  std::size_t count = 0;
  const std::size_t stride = std::max<std::size_t>(1, tets.size() / (most - 1));
  for (std::size_t e = 0; e < tets.size() && count < most; e += stride) {
    if (empty_slot(tets[e])) continue;
    const geometry::Box box = box_around(geometry::corners_of(tets[e], p));
    const double size = (box.high - box.low).norm();
    if (std::isfinite(size)) sizes[count++] = size;
  }
  if (count == 0) return 0;
  std::sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count));
  return sizes[count / 2];
}

}  // namespace

ObstacleContact::ObstacleContact(std::vector<Obstacle> obstacles, ContactCriterion criterion)
  : obstacles_(std::move(obstacles)), criterion_(criterion)
{
  if (obstacles_.size() > std::numeric_limits<std::uint16_t>::max())
    throw AgreedError("obstacles: expected at most 65535, got " + std::to_string(obstacles_.size()));
  last_motions_.resize(obstacles_.size());
}

void ObstacleContact::drop_list() noexcept
{
  margin_left_ = -1;
}

double ObstacleContact::obstacle_motion(std::span<const rigid::Motion> motions) const
{
  double furthest = 0;
  for (std::size_t k = 0; k < motions.size(); ++k)
    furthest = std::max(furthest, (motions[k].position - last_motions_[k].position).norm() +
                                      rigid::turning_arm(obstacles_[k]) *
                                          rigid::angle_between(obstacles_[k], motions[k], last_motions_[k]));
  return furthest;
}

void ObstacleContact::list_pairs(std::span<const Tet> tets, std::span<const Row4> p,
                                 std::span<const rigid::Motion> motions)
{
  listed_.clear();
  for (std::size_t e = 0; e < tets.size(); ++e) list_element(static_cast<LocalIndex>(e), tets[e], p, motions);
}

void ObstacleContact::list_element(LocalIndex e, const Tet& tet, std::span<const Row4> p,
                                   std::span<const rigid::Motion> motions)
{
  if (empty_slot(tet)) return;
  const geometry::Box box = box_around(geometry::corners_of(tet, p));
  for (std::size_t k = 0; k < obstacles_.size(); ++k)
    if (!(gap_to(obstacles_[k], motions[k], box) > margin_)) listed_.emplace_back(e, static_cast<std::uint16_t>(k));
}

void ObstacleContact::update_list(std::span<const LocalIndex> changed, std::span<const Tet> tets,
                                  std::span<const Row4> p, std::span<const rigid::Motion> motions)
{
  if (margin_left_ < 0 || obstacles_.empty()) return;
  std::erase_if(listed_,
                [changed](const auto& pair) { return std::binary_search(changed.begin(), changed.end(), pair.first); });
  const auto kept = std::ssize(listed_);
  for (const LocalIndex e : changed) list_element(e, tets[static_cast<std::size_t>(e)], p, motions);
  std::inplace_merge(listed_.begin(), listed_.begin() + kept, listed_.end());
}

void ObstacleContact::keep_or_list_pairs(std::span<const Tet> tets, std::span<const Row4> p, double max_speed,
                                         double dt, std::span<const rigid::Motion> motions)
{
  if (margin_left_ >= 0) margin_left_ -= last_dt_ * std::max(last_speed_, max_speed) + obstacle_motion(motions);
  // A hundredth is kept for round-off of the gaps and of this sum.
  if (!(margin_left_ > 0.01 * margin_)) {
    constexpr double steps_to_last = 100;
    double fastest_obstacle = 0;
    for (std::size_t k = 0; k < motions.size(); ++k)
      fastest_obstacle = std::max(fastest_obstacle, rigid::greatest_speed(obstacles_[k], motions[k]));
    const double size = typical_size(tets, p);
    margin_ = std::clamp(steps_to_last * dt * (max_speed + fastest_obstacle), 0.1 * size, 2 * size);
    list_pairs(tets, p, motions);
    margin_left_ = margin_;
  }
  last_speed_ = max_speed, last_dt_ = dt;
  last_motions_.assign(motions.begin(), motions.end());
}

double ObstacleContact::add_forces(std::span<const Tet> tets, std::span<const std::uint8_t> primary,
                                   std::span<const Row4> p, std::span<const Row4> v, double max_speed, double dt,
                                   std::span<const rigid::Motion> motions, std::span<Row4> f, Resultants& resultants)
{
  applied_.clear(), touching_.clear();
  if (obstacles_.empty()) return 0;
  SUNDER_ASSERT(motions.size() == obstacles_.size());
  SUNDER_ASSERT(primary.size() == tets.size());
  keep_or_list_pairs(tets, p, max_speed, dt, motions);
  const auto kernel = criterion_ == ContactCriterion::nodes ? element_contact_by_nodes : element_contact;
  for (const auto& [e, k] : listed_) {
    const auto slot = static_cast<std::size_t>(e);
    const Mat34 positions = geometry::corners_of(tets[slot], p), velocities = geometry::corners_of(tets[slot], v);
    const ElementContact contact = kernel(obstacles_[k], motions[k], positions, velocities);
    if (contact.overlap == 0) continue;
    touching_.emplace_back(e, k);
    for (std::size_t a = 0; a < 4; ++a) {
      Row4& row = f[static_cast<std::size_t>(tets[slot][a])];
      const auto force = contact.forces.col(static_cast<int>(a));
      row.x += force.x(), row.y += force.y(), row.z += force.z();
    }
    if (primary[slot] == 0) continue;
    resultants.add(k, -contact.forces.rowwise().sum(), contact.torque);
    for (std::size_t a = 0; a < 4; ++a) applied_.emplace_back(tets[slot][a], contact.forces.col(static_cast<int>(a)));
  }
  return power(v);
}

ElementContact ObstacleContact::contact(LocalIndex e, std::uint16_t obstacle, std::span<const Tet> tets,
                                        std::span<const Row4> p, std::span<const Row4> v,
                                        std::span<const rigid::Motion> motions) const
{
  const Tet& tet = tets[static_cast<std::size_t>(e)];
  const auto kernel = criterion_ == ContactCriterion::nodes ? element_contact_by_nodes : element_contact;
  return kernel(obstacles_[obstacle], motions[obstacle], geometry::corners_of(tet, p), geometry::corners_of(tet, v));
}

double ObstacleContact::power(std::span<const Row4> v) const
{
  double sum = 0;
  for (const auto& [n, force] : applied_) sum += force.dot(v[static_cast<std::size_t>(n)].xyz());
  return sum;
}

void ObstacleContact::add_tangent(
    std::span<const Tet> tets, std::span<const Row4> p, std::span<const Row4> v, std::span<const rigid::Motion> motions,
    const TangentOptions& options,
    const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add) const
{
  SUNDER_ASSERT(motions.size() == obstacles_.size());
  const auto kernel =
      criterion_ == ContactCriterion::nodes ? element_contact_tangent_by_nodes : element_contact_tangent;
  for (const auto& [e, k] : listed_) {
    const Tet& tet = tets[static_cast<std::size_t>(e)];
    const CornerMatrix K =
        kernel(obstacles_[k], motions[k], geometry::corners_of(tet, p), geometry::corners_of(tet, v), options);
    if ((K.array() == 0).all()) continue;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        add(tet[a], tet[b], K.block<3, 3>(3 * static_cast<Eigen::Index>(a), 3 * static_cast<Eigen::Index>(b)));
  }
}

}  // namespace sunder::contact
