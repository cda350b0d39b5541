#include "simulation/hybrid/body_equations.hpp"

#include "core/stopwatch.hpp"
#include "element/internal_forces.hpp"
#include "solvers/exact_dots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::simulation {
namespace {

std::vector<std::uint8_t> in_layout(const NodeNumbering& numbering, const std::vector<std::uint8_t>& of_nodes)
{
  std::vector<std::uint8_t> flags;
  for (LocalIndex i = 0; i < numbering.layout().size(); ++i) flags.push_back(of_nodes[at(numbering.node(i))]);
  return flags;
}

}  // namespace

BodyEquations::BodyEquations(element::Model& model, const partition::Halo& halo, std::vector<Vec3> forces,
                             const std::vector<std::uint8_t>& fixed, double& seconds)
  : model_(model),
    numbering_(model, halo),
    matrix_(model.mesh, numbering_, {}, in_layout(numbering_, fixed)),
    forces_(std::move(forces)),
    all_(3 * at(layout().size())),
    sizes_(at(layout().num_owned)),
    seconds_(seconds)
{
  for (LocalIndex i = 0; i < layout().size(); ++i) fixed_.insert(fixed_.end(), 3, fixed[at(numbering_.node(i))]);
}

std::vector<double> BodyEquations::displacements() const
{
  std::vector<double> u(3 * at(layout().num_owned));
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    const LocalIndex n = numbering_.node(i);
    Vec3::Map(&u[3 * at(i)]) = model_.p[at(n)].xyz() - model_.mesh.node(n).X;
  }
  return u;
}

void BodyEquations::move_to(std::span<const double> u)
{
  std::copy(u.begin(), u.end(), all_.begin());
  layout().owners_to_ghosts(all_);
  for (LocalIndex i = 0; i < layout().size(); ++i) {
    const LocalIndex n = numbering_.node(i);
    model_.p[at(n)].set_xyz(model_.mesh.node(n).X + Vec3::Map(&all_[3 * at(i)]));
  }
}

bool BodyEquations::residual(std::span<const double> u, std::span<double> r)
{
  const ProcessorStopwatch watch(seconds_);
  move_to(u);
  std::fill(model_.f.begin(), model_.f.end(), Row4{});
  const auto sums = element::add_internal_forces(model_.blocks, model_.materials, model_.p, model_.v, model_.f,
                                                 element::Bounds::left_out);
  if (!(layout().comm.min(sums.min_stretch) > 0)) return false;
  for (LocalIndex i = 0; i < layout().num_owned; ++i) {
    const LocalIndex n = numbering_.node(i);
    const Vec3 internal = model_.f[at(n)].xyz(), rest = internal + forces_[at(n)];
    sizes_[at(i)] = std::max(internal.norm(), forces_[at(n)].norm());
    for (std::size_t k = 0; k < 3; ++k)
      r[3 * at(i) + k] = fixed_[3 * at(i) + k] ? 0 : rest[static_cast<Eigen::Index>(k)];
  }
  scale_ = std::sqrt(solvers::exact_dots(layout().comm, {{sizes_, sizes_}})[0]);
  return true;
}

const solvers::BlockMatrix& BodyEquations::tangent(Tangent kind)
{
  using element::TangentKind;
  const ProcessorStopwatch watch(seconds_);
  matrix_.clear();
  matrix_.add_elements(model_, {},
                       {kind == Tangent::symmetric ? TangentKind::symmetric : TangentKind::positive_definite});
  matrix_.fix(fixed_);
  ++tangents_;
  return matrix_.matrix();
}

}  // namespace sunder::simulation
