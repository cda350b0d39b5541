#include "fracture/released_energy.hpp"

#include "element/internal_forces.hpp"
#include "fracture/apply.hpp"
#include "support/by_hand.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <Eigen/Dense>

namespace {

using namespace sunder;

double elastic_energy(const element::Model& model)
{
  return element::elastic_energy(model.blocks, model.materials, model.p);
}

/// Moves the node, all others fixed, to where the energy is least: Newton's method with differences of forces.
void relax(element::Model& model, LocalIndex n)
{
  const auto at = static_cast<std::size_t>(n);
  const auto force_at = [&](const Vec3& position) -> Vec3 {
    const Row4 before = model.p[at];
    model.p[at].set_xyz(position);
    std::vector<Row4> f(model.p.size(), Row4{});
    element::add_internal_forces(model.blocks, model.materials, model.p, model.v, f);
    model.p[at] = before;
    return f[at].xyz();
  };
  const Vec3 here = model.p[at].xyz();
  constexpr double step = 1e-7;
  Mat3 stiffness;
  for (int k = 0; k < 3; ++k)
    stiffness.col(k) = -(force_at(here + step * Vec3::Unit(k)) - force_at(here - step * Vec3::Unit(k))) / (2 * step);
  model.p[at].set_xyz(here + stiffness.partialPivLu().solve(force_at(here)));
}

}  // namespace

TEST_CASE("released energy is what both sides of a split node lose when they relax alone", "[fracture][energy]")
{
  const Mat3 strain = Vec3(-2e-5, 1e-5, 1e-4).asDiagonal();
  for (const double angle : {0.0, 1.0}) {
    CAPTURE(angle);
    element::Model model = test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(4, 4, 4, 0.1), {test::chalk()},
                                             test::by_method(partition::Method::hilbert))
                               .model;
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    LocalIndex centre = -1;
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      const Vec3 X = model.mesh.node(n).X;
      model.p[static_cast<std::size_t>(n)].set_xyz(R * (X + strain * X));
      if ((X - Vec3::Constant(0.2)).norm() < 1e-9) centre = n;
    }
    fracture::MeshDelta delta;
    const fracture::NodeSplit split = test::split_below(model.mesh, centre);
    fracture::apply_split(model, split, delta);
    fracture::refresh(model, delta);
    const LocalIndex copy = *model.mesh.find(split.copy);

    const double released = fracture::released_energy(model, centre, copy), before = elastic_energy(model);
    relax(model, centre), relax(model, copy);
    CHECK(released > 0);
    CHECK(before - elastic_energy(model) == Approx(released).epsilon(1e-3));
  }
}
