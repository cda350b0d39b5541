#include "simulation/equilibrium/floating.hpp"

#include "core/counted.hpp"
#include "solvers/exact_dots.hpp"
#include "solvers/prerounded_sums.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace sunder::simulation {
namespace {

/// Collective. Over all ranks; they are numbered from 0.
std::size_t count_fragments(const solvers::NodeLayout& layout)
{
  std::int64_t last = -1;
  for (LocalIndex i = 0; i < layout.num_owned; ++i)
    last = std::max(last, layout.component[static_cast<std::size_t>(i)]);
  return static_cast<std::size_t>(layout.comm.max(last) + 1);
}

/// Sums for each fragment, with the same bits on any number of ranks.
class SumsByFragment {
public:
  SumsByFragment(const solvers::NodeLayout& layout, std::size_t each)
    : layout_(layout), each_(each), count_(count_fragments(layout)), sums_(count_ * each), values_(count_ * each)
  {
  }

  /// Collective. add(node i of the layout, place for `each` summands) for owned nodes; |summand| <= bound.
  template <class Add>
  void over_nodes(double bound, std::int64_t summands_per_node, Add&& add)
  {
    sums_.start(std::max(bound, 1e-300), summands_per_node * layout_.comm.sum(std::int64_t{layout_.num_owned}));
    for (LocalIndex i = 0; i < layout_.num_owned; ++i) {
      const auto first = static_cast<std::size_t>(layout_.component[static_cast<std::size_t>(i)]) * each_;
      add(static_cast<std::size_t>(i), [&](std::size_t k, double x) { sums_.add(first + k, std::span(&x, 1)); });
    }
    sums_.over(layout_.comm, values_);
  }
  std::span<const double> of(std::size_t fragment) const { return std::span(values_).subspan(fragment * each_, each_); }

  std::size_t count() const noexcept { return count_; }

private:
  const solvers::NodeLayout& layout_;
  std::size_t each_, count_;
  solvers::PreroundedSums sums_;
  std::vector<double> values_;
};

Vec3 position(std::span<const double> x, std::size_t i)
{
  return Vec3::Map(&x[3 * i]);
}

/// Row of the six unit motions at a place: how far each goes along an axis.
RigidMotion motions_along(int axis, const Vec3& from_middle)
{
  RigidMotion row;
  row << Vec3::Unit(axis), from_middle.cross(Vec3::Unit(axis));
  return row;
}

/// Motions that no fixed unknown takes part in: eigenvectors of the sum of squares over these whose value is nothing.
std::vector<RigidMotion> free_motions(std::span<const double> upper)
{
  Eigen::Matrix<double, 6, 6> squares;
  std::size_t k = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) squares(i, j) = squares(j, i) = upper[k++];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> eigen(squares);
  std::vector<RigidMotion> motions;
  for (int i = 0; i < 6; ++i)
    if (eigen.eigenvalues()[i] <= 1e-10 * std::max(1.0, eigen.eigenvalues()[5]))
      motions.push_back(eigen.eigenvectors().col(i));
  return motions;
}

/// Collective. Of all ranks that name an id, the one with the smallest names it to all; true on that rank alone.
bool names_smallest(const Comm& comm, const std::optional<NodeId>& id)
{
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  const std::int64_t low = id ? descending(id->low) : none;
  const bool among = comm.max(low) == low && id;
  const std::int64_t high = among ? descending(id->high) : none;
  return comm.max(high) == high && among;
}

/// How far motion m moves unknown k of the fragment.
double moved(const FloatingFragment& fragment, const RigidMotion& m, std::span<const double> x, std::size_t k)
{
  return motions_along(static_cast<int>(k % 3), (position(x, k / 3) - fragment.middle) / fragment.radius).dot(m);
}

/// Collective. The unknown that the motion moves furthest; of equals that of the node with the smallest id. Nothing on
/// ranks that do not own it.
std::optional<std::size_t> moved_furthest(const solvers::NodeLayout& layout, const FloatingFragment& fragment,
                                          const RigidMotion& m, std::span<const double> x)
{
  double furthest = -1;
  std::optional<std::size_t> found;  // owned nodes ascend by id, so the first of equals is the one
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (layout.component[k / 3] != fragment.fragment) continue;
    if (const double u = std::abs(moved(fragment, m, x, k)); u > furthest) furthest = u, found = k;
  }
  if (layout.comm.max(furthest) != furthest) found.reset();
  const auto id = found ? std::optional(layout.ids[*found / 3]) : std::nullopt;
  return names_smallest(layout.comm, id) ? found : std::nullopt;
}

}  // namespace

std::vector<std::size_t> statically_determinate_supports(const solvers::NodeLayout& layout,
                                                         const std::vector<FloatingFragment>& floating,
                                                         std::span<const double> x)
{
  std::vector<std::size_t> supports;
  for (const FloatingFragment& fragment : floating) {
    std::vector<RigidMotion> motions = fragment.motions;
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const auto support = moved_furthest(layout, fragment, motions[i], x);
      if (support) supports.push_back(*support);
      // What the others move there is taken off them by this motion: then none of them moves it.
      for (std::size_t j = i + 1; j < motions.size(); ++j) {
        const double share =
            support ? moved(fragment, motions[j], x, *support) / moved(fragment, motions[i], x, *support) : 0;
        motions[j] -= layout.comm.sum(share) * motions[i];  // of one rank
        motions[j].normalize();
      }
    }
  }
  return supports;
}

std::vector<FloatingFragment> find_floating(const solvers::NodeLayout& layout, std::span<const double> x,
                                            std::span<const std::uint8_t> fixed)
{
  double farthest = 0;
  for (const double coordinate : x) farthest = std::max(farthest, std::abs(coordinate));
  farthest = layout.comm.max(farthest);
  SumsByFragment first(layout, 4), second(layout, 1), squares(layout, 21);
  first.over_nodes(std::max(farthest, 1.0), 1, [&](std::size_t i, auto&& add) {
    for (std::size_t axis = 0; axis < 3; ++axis) add(axis, x[3 * i + axis]);
    add(3, 1);
  });
  std::vector<FloatingFragment> all(first.count());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].fragment = static_cast<std::int64_t>(k);
    if (first.of(k)[3] > 0) all[k].middle = Vec3::Map(first.of(k).data()) / first.of(k)[3];
  }
  const auto of = [&](std::size_t i) -> FloatingFragment& {
    return all[static_cast<std::size_t>(layout.component[i])];
  };
  second.over_nodes(12 * farthest * farthest, 1,
                    [&](std::size_t i, auto&& add) { add(0, (position(x, i) - of(i).middle).squaredNorm()); });
  for (std::size_t k = 0; k < all.size(); ++k)
    if (first.of(k)[3] > 0) all[k].radius = std::sqrt(second.of(k)[0] / first.of(k)[3]);
  const double bound = static_cast<double>(layout.comm.sum(std::int64_t{layout.num_owned}));  // of (r / radius)^2
  squares.over_nodes(3 * bound, 3, [&](std::size_t i, auto&& add) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!fixed[3 * i + static_cast<std::size_t>(axis)]) continue;
      const RigidMotion row = motions_along(axis, (position(x, i) - of(i).middle) / of(i).radius);
      std::size_t k = 0;
      for (int a = 0; a < 6; ++a)
        for (int b = a; b < 6; ++b) add(k++, row[a] * row[b]);
    }
  });
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].radius > 0) all[k].motions = free_motions(squares.of(k));
  std::erase_if(all, [](const FloatingFragment& f) { return f.motions.empty(); });
  return all;
}

std::string FloatingFragment::text() const
{
  static constexpr std::array names{"move along x", "move along y", "move along z",
                                    "turn about x", "turn about y", "turn about z"};
  std::vector<std::string> said;
  for (int k = 0; k < 6; ++k) {
    double share = 0;
    for (const RigidMotion& motion : motions) share += motion[k] * motion[k];
    if (share > 0.99) said.emplace_back(names[static_cast<std::size_t>(k)]);
  }
  if (said.size() < motions.size())
    said.push_back("go by " + counted(std::ssize(motions) - std::ssize(said), "other rigid motion"));
  return fmt::format("fragment {} around ({:.4g}, {:.4g}, {:.4g}) m may {}", fragment, middle.x(), middle.y(),
                     middle.z(), fmt::join(said, ", "));
}

InertiaRelief::InertiaRelief(const solvers::NodeLayout& layout, const std::vector<FloatingFragment>& floating,
                             std::span<const double> x, std::span<const double> mass)
  : comm_(layout.comm)
{
  for (const FloatingFragment& fragment : floating) {
    std::vector<LocalIndex> nodes;
    for (LocalIndex i = 0; i < layout.num_owned; ++i)
      if (layout.component[static_cast<std::size_t>(i)] == fragment.fragment) nodes.push_back(i);
    const std::size_t first = motions_.size();
    for (const RigidMotion& rigid : fragment.motions) {
      Motion motion{nodes, {}, {}};
      for (const LocalIndex n : nodes) {
        const auto i = static_cast<std::size_t>(n);
        const Vec3 turned = rigid.tail<3>().cross(Vec3((position(x, i) - fragment.middle) / fragment.radius));
        for (int axis = 0; axis < 3; ++axis) {
          motion.u.push_back(rigid[axis] + turned[axis]);
          motion.inertia.push_back(mass[i] * motion.u.back());
        }
      }
      const auto subtract = [&motion](double share, const Motion& of) {
        for (std::size_t k = 0; k < motion.u.size(); ++k)
          motion.u[k] -= share * of.u[k], motion.inertia[k] -= share * of.inertia[k];
      };
      for (std::size_t j = first; j < motions_.size(); ++j)
        subtract(solvers::exact_dots(comm_, {{motion.u, motions_[j].inertia}})[0], motions_[j]);
      const double size = std::sqrt(solvers::exact_dots(comm_, {{motion.u, motion.inertia}})[0]);
      for (double& u : motion.u) u /= size;
      for (double& u : motion.inertia) u /= size;
      motions_.push_back(std::move(motion));
    }
  }
}

void InertiaRelief::apply(std::span<double> forces) const
{
  for (const Motion& motion : motions_) {
    std::vector<double> on_nodes;
    for (const LocalIndex n : motion.nodes)
      for (std::size_t axis = 0; axis < 3; ++axis) on_nodes.push_back(forces[3 * static_cast<std::size_t>(n) + axis]);
    const double share = solvers::exact_dots(comm_, {{motion.u, on_nodes}})[0];
    for (std::size_t k = 0; k < motion.nodes.size(); ++k)
      for (std::size_t axis = 0; axis < 3; ++axis)
        forces[3 * static_cast<std::size_t>(motion.nodes[k]) + axis] -= share * motion.inertia[3 * k + axis];
  }
}

}  // namespace sunder::simulation
