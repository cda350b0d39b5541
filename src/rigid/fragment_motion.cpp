#include "rigid/fragment_motion.hpp"

#include "core/combining_exchange.hpp"
#include "core/reproducible_sum.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <vector>

namespace sunder::rigid {
namespace {

/// Moments of mass and momentum of a fragment, about the origin of the fit.
struct Moments {
  std::int64_t key = 0;  // the fragment
  ReproducibleSum mass;
  ReproducibleSum3 first, momentum, angular;
  std::array<ReproducibleSum, 6> second;  // xx yy zz xy yz xz

  void add(const Contribution& c, const Vec3& origin)
  {
    const Vec3 r = c.at - origin;
    if (c.mass != 0) {
      const Vec3 mr = c.mass * r;
      mass.add(c.mass), first.add(mr);
      const std::array<double, 6> products{mr.x() * r.x(), mr.y() * r.y(), mr.z() * r.z(),
                                           mr.x() * r.y(), mr.y() * r.z(), mr.x() * r.z()};
      for (std::size_t k = 0; k < products.size(); ++k) second[k].add(products[k]);
    }
    momentum.add(c.momentum), angular.add(r.cross(c.momentum));
  }
  void combine(const Moments& other)
  {
    mass.add(other.mass);
    for (auto [mine, theirs] :
         {std::pair{&first, &other.first}, {&momentum, &other.momentum}, {&angular, &other.angular}})
      mine->x.add(theirs->x), mine->y.add(theirs->y), mine->z.add(theirs->z);
    for (std::size_t k = 0; k < second.size(); ++k) second[k].add(other.second[k]);
  }
};

/// A motion as it travels.
struct Answer {
  double mass = 0;
  std::array<double, 3> center{}, velocity{}, spin{}, angular_momentum{};
  std::array<double, 9> inertia{};
};
using MomentExchange = CombiningExchange<Moments, Answer>;

FragmentMotion motion_of(const Moments& m, const Vec3& origin)
{
  FragmentMotion motion;
  motion.mass = m.mass.value();
  if (!(motion.mass > 0)) return motion;
  const Vec3 c = m.first.value() / motion.mass, momentum = m.momentum.value();
  Mat3 spread;  // of mass about its centre
  const auto at = [&](std::size_t k, double x, double y) { return m.second[k].value() - motion.mass * x * y; };
  spread << at(0, c.x(), c.x()), at(3, c.x(), c.y()), at(5, c.x(), c.z()), at(3, c.x(), c.y()), at(1, c.y(), c.y()),
      at(4, c.y(), c.z()), at(5, c.x(), c.z()), at(4, c.y(), c.z()), at(2, c.z(), c.z());
  // A single point: what is left of its spread is round-off.
  const bool point = spread.trace() <= 1e-12 * (m.second[0].value() + m.second[1].value() + m.second[2].value());
  motion.center = origin + c, motion.velocity = momentum / motion.mass;
  if (point) return motion;
  motion.inertia = spread.trace() * Mat3::Identity() - spread;
  motion.spin = spin_of(motion.inertia, m.angular.value() - c.cross(momentum));
  motion.angular_momentum = motion.inertia * motion.spin;
  return motion;
}

Answer answer_of(const FragmentMotion& m)
{
  Answer answer{m.mass, plain(m.center), plain(m.velocity), plain(m.spin), plain(m.angular_momentum), {}};
  std::copy_n(m.inertia.data(), 9, answer.inertia.begin());
  return answer;
}

FragmentMotion motion_of(const Answer& a)
{
  const auto vector = [](const std::array<double, 3>& x) { return Vec3(x.data()); };
  return {a.mass,         vector(a.center),           vector(a.velocity),
          vector(a.spin), vector(a.angular_momentum), Mat3(a.inertia.data())};
}

}  // namespace

Vec3 spin_of(const Mat3& inertia, const Vec3& angular_momentum)
{
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
  const double least = 1e-10 * axes.eigenvalues()[2];
  Vec3 spin = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double moment = axes.eigenvalues()[k];
    if (moment > least) spin += axes.eigenvectors().col(k).dot(angular_momentum) / moment * axes.eigenvectors().col(k);
  }
  return spin;
}

std::map<std::int64_t, FragmentMotion> fit_fragments(const Comm& comm, std::span<const Contribution> contributions,
                                                     std::span<const std::int64_t> shared, const Vec3& origin)
{
  std::vector<Contribution> sorted(contributions.begin(), contributions.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Contribution& x, const Contribution& y) { return x.fragment < y.fragment; });
  std::map<std::int64_t, FragmentMotion> motions;
  std::vector<Moments> questions(shared.size());
  for (std::size_t k = 0; k < shared.size(); ++k) questions[k].key = shared[k];
  for (auto first = sorted.begin(); first != sorted.end();) {
    const std::int64_t fragment = first->fragment;
    const auto found = std::lower_bound(shared.begin(), shared.end(), fragment);
    const bool beyond = found != shared.end() && *found == fragment;
    Moments alone;
    Moments& moments = beyond ? questions[static_cast<std::size_t>(found - shared.begin())] : alone;
    for (; first != sorted.end() && first->fragment == fragment; ++first) moments.add(*first, origin);
    if (!beyond) motions.emplace(fragment, motion_of(moments, origin));
  }
  const MomentExchange exchange(comm, std::move(questions),
                                [&comm](std::int64_t fragment) { return static_cast<Rank>(fragment % comm.size()); });
  std::vector<Answer> answers;
  for (const Moments& moments : exchange.at_home()) answers.push_back(answer_of(motion_of(moments, origin)));
  for (const auto& [fragment, a] : exchange.answer(answers))
    if (std::binary_search(shared.begin(), shared.end(), fragment)) motions[fragment] = motion_of(a);
  return motions;
}

}  // namespace sunder::rigid
