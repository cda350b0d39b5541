#include "simulation/hybrid/impact_analysis.hpp"

#include "element/internal_forces.hpp"
#include "element/stress.hpp"
#include "fracture/split_stars.hpp"
#include "mesh/union_find.hpp"
#include "simulation/equilibrium/node_numbering.hpp"
#include "simulation/equilibrium/stiffness_matrix.hpp"
#include "simulation/model_records.hpp"
#include "solvers/newton.hpp"
#include "solvers/reproducible_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

namespace sunder::simulation {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

Vec3 centroid(const element::Model& model, LocalIndex e)
{
  const auto X = model.mesh.corners(e);
  return (X[0] + X[1] + X[2] + X[3]) / 4;
}

/// Balance of the forces in a body with those on it. u: displacements from the material.
class BodyEquations final : public solvers::Equations {
public:
  /// fixed: (nodes of the mesh) these stay where they are.
  BodyEquations(element::Model& model, const partition::Halo& halo, std::vector<Vec3> forces,
                const std::vector<std::uint8_t>& fixed)
    : model_(model), numbering_(model, halo), matrix_(model.mesh, numbering_), forces_(std::move(forces))
  {
    for (LocalIndex i = 0; i < numbering_.num_owned(); ++i)
      fixed_.insert(fixed_.end(), 3, fixed[at(numbering_.node(i))]);
  }

  std::vector<double> displacements() const
  {
    std::vector<double> u(fixed_.size());
    for (LocalIndex i = 0; i < numbering_.num_owned(); ++i) {
      const LocalIndex n = numbering_.node(i);
      Vec3::Map(&u[3 * at(i)]) = model_.p[at(n)].xyz() - model_.mesh.node(n).X;
    }
    return u;
  }

  const solvers::NodeLayout& layout() const override { return numbering_.layout(); }

  bool residual(std::span<const double> u, std::span<double> r) override
  {
    for (LocalIndex i = 0; i < numbering_.num_owned(); ++i) {
      const LocalIndex n = numbering_.node(i);
      model_.p[at(n)].set_xyz(model_.mesh.node(n).X + Vec3::Map(&u[3 * at(i)]));
    }
    std::fill(model_.f.begin(), model_.f.end(), Row4{});
    const auto sums = element::add_internal_forces(model_.blocks, model_.materials, model_.p, model_.v, model_.f);
    if (!(sums.min_stretch > 0)) return false;
    double squares = 0;
    for (LocalIndex i = 0; i < numbering_.num_owned(); ++i) {
      const LocalIndex n = numbering_.node(i);
      const Vec3 internal = model_.f[at(n)].xyz(), rest = internal + forces_[at(n)];
      squares += std::max(internal.squaredNorm(), forces_[at(n)].squaredNorm());
      for (std::size_t k = 0; k < 3; ++k)
        r[3 * at(i) + k] = fixed_[3 * at(i) + k] ? 0 : rest[static_cast<Eigen::Index>(k)];
    }
    scale_ = std::sqrt(squares);
    return true;
  }
  double force_scale() override { return scale_; }
  double round_off() const override { return 1e-12 * scale_; }
  const solvers::BlockMatrix& tangent(Tangent kind) override
  {
    using element::TangentKind;
    matrix_.clear();
    matrix_.add_elements(model_, {},
                         {kind == Tangent::symmetric ? TangentKind::symmetric : TangentKind::positive_definite});
    matrix_.fix(fixed_);
    return matrix_.matrix();
  }
  bool same_pattern() const override { return false; }

private:
  element::Model& model_;
  NodeNumbering numbering_;
  StiffnessMatrix matrix_;
  std::vector<Vec3> forces_;  // (nodes) [N]
  std::vector<std::uint8_t> fixed_;
  double scale_ = 0;
};

class Analysis {
public:
  Analysis(partition::MigrationRecords body, std::vector<material::Material> materials, bool plastic,
           const std::vector<ImpactForce>& forces, const ImpactOptions& options)
    : given_(forces),
      options_(options),
      plastic_(plastic),
      model_(model_from(0, body, std::move(materials), {}, {})),
      halo_(Comm(MPI_COMM_SELF), model_.mesh)
  {
    for (LocalIndex n = 0; n < model_.mesh.num_nodes(); ++n)
      model_.p[at(n)].set_xyz(model_.mesh.node(n).X), model_.v[at(n)] = {};
    anchored_.resize(at(model_.mesh.num_slots()));
    set_aside_.resize(anchored_.size());
    for (LocalIndex e = 0; e < model_.mesh.num_slots(); ++e) anchored_[at(e)] = is_far(centroid(model_, e));
  }

  ImpactResult run()
  {
    result_.analysed = std::find(anchored_.begin(), anchored_.end(), 1) != anchored_.end();
    if (!result_.analysed) return result_;
    do {
      if (!find_equilibrium()) return result_;
    } while (part_where_stressed());
    keep_shape();
    return result_;
  }

private:
  bool is_far(const Vec3& x) const
  {
    return std::all_of(given_.begin(), given_.end(),
                       [&](const ImpactForce& f) { return (x - f.at).norm() > options_.r_coll; });
  }

  /// (nodes) of anchored elements, and of pieces that no anchored element holds.
  std::vector<std::uint8_t> fixed_nodes() const
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::vector<std::uint8_t> fixed(at(mesh.num_nodes()), 0), held(fixed);
    mesh::UnionFind pieces(mesh.num_nodes());
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      for (const LocalIndex n : mesh.tet(e)) pieces.unite(mesh.tet(e)[0], n);
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      if (anchored_[at(e)])
        for (const LocalIndex n : mesh.tet(e)) fixed[at(n)] = 1, held[at(pieces.find(n))] = 1;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) fixed[at(n)] |= held[at(pieces.find(n))] == 0;
    return fixed;
  }

  std::vector<Vec3> forces_on_nodes(double share) const
  {
    std::vector<Vec3> forces(at(model_.mesh.num_nodes()), Vec3::Zero());
    std::map<ElementId, LocalIndex> slots;
    for (LocalIndex e = 0; e < model_.mesh.num_slots(); ++e) slots[model_.mesh.element_id(e)] = e;
    for (const ImpactForce& f : given_)
      for (std::size_t c = 0; c < 4; ++c)
        forces[at(model_.mesh.tet(slots.at(f.element))[c])] += share * f.shares[c] * f.force;
    return forces;
  }

  /// Takes the forces at once where Newton's method gets there, else in parts. What part of them a soft body bears
  /// before it turns inside out is all that it gets.
  bool find_equilibrium()
  {
    const std::vector<std::uint8_t> fixed = fixed_nodes();
    constexpr double least_part = 1.0 / 16;
    double done = 0, part = 1;
    while (done < 1) {
      const std::vector<Row4> before = model_.p;
      BodyEquations equations(model_, halo_, forces_on_nodes(done + part), fixed);
      std::vector<double> u = equations.displacements();
      solvers::ReproducibleSolver solver;
      solvers::NewtonOptions newton;
      newton.tolerance = 1e-4;  // of the forces: stresses need not be known better
      newton.max_iterations = 10;
      const solvers::NewtonResult found = solvers::newton(equations, solver, newton, u);
      result_.iterations += found.linear_iterations;
      result_.solves += static_cast<int>(found.residuals.size()) - 1;
      if (found.converged) {
        std::vector<double> r(u.size());
        equations.residual(u, r);
        done += part;
        continue;
      }
      model_.p = before;
      part /= 2;
      if (part >= least_part) continue;
      result_.problem = found.reason;
      return done > 0;
    }
    return true;
  }

  double principal_stress(LocalIndex e, Vec3& direction) const
  {
    const element::Deformation d =
        element::deformation(model_.blocks.gradients(e), model_.positions(e), model_.velocities(e));
    const Mat3 sigma = element::stress(d, {}, model_.material_of(e), 0);
    const element::Principal principal = element::largest_principal(element::cauchy_stress(d.F, sigma));
    direction = principal.direction;
    return principal.value;
  }

  /// Parts the body along the plane across the greatest tension of those beyond their strength. Returns false if there
  /// is none that could be parted.
  bool part_where_stressed()
  {
    struct Tension {
      double excess;
      ElementId id;
      LocalIndex element;
      Vec3 direction;
    };
    std::vector<Tension> tensions;
    double greatest = 0;
    for (LocalIndex e = 0; e < model_.mesh.num_slots(); ++e) {
      Vec3 direction;
      const double stress = principal_stress(e, direction), strength = model_.material_of(e).toughness;
      greatest = std::max(greatest, stress);
      if (stress > strength && !set_aside_[at(e)])
        tensions.push_back({stress / strength, model_.mesh.element_id(e), e, direction});
    }
    if (result_.greatest_stress == 0) result_.greatest_stress = greatest;
    std::sort(tensions.begin(), tensions.end(), [](const Tension& a, const Tension& b) {
      return a.excess != b.excess ? a.excess > b.excess : a.id < b.id;
    });
    for (const Tension& tension : tensions) {
      if (result_.planes == options_.max_planes) return false;
      set_aside_[at(tension.element)] = 1;
      if (part_along(centroid(model_, tension.element), tension.direction)) return true;
    }
    return false;
  }

  /// Elements within r_frac of x get a side of the plane by their centroids. Returns false if no two that touch are on
  /// different sides.
  bool part_along(const Vec3& x, const Vec3& normal)
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::vector<int> side(at(mesh.num_slots()), 0);
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
      const Vec3 arm = centroid(model_, e) - x;
      if (arm.norm() <= options_.r_frac) side[at(e)] = arm.dot(normal) >= 0 ? 1 : -1;
    }
    std::vector<LocalIndex> nodes;
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      for (std::size_t face = 0; side[at(e)] == 1 && face < 4; ++face) {
        const LocalIndex f = beyond(e, face);
        if (f < 0 || side[at(f)] != -1) continue;
        const std::pair<ElementId, ElementId> ids = ids_of(mesh, e, f);
        if (!parted_.insert(ids).second) continue;
        PartedFace& parted = result_.parted.emplace_back(PartedFace{ids.first, ids.second, {}});
        for (std::size_t c = 0; c < 3; ++c) {
          const LocalIndex n = mesh.tet(e)[mesh::face_corners[face][c]];
          parted.nodes[c] = original_.contains(n) ? original_.at(n) : mesh.node(n).id;
          nodes.push_back(n);
        }
      }
    if (nodes.empty()) return false;
    const auto result = fracture::part_faces(
        model_, halo_, nodes, [&](LocalIndex e, LocalIndex f) { return !parted_.contains(ids_of(mesh, e, f)); }, 0);
    for (const fracture::NodeCopy& split : result.splits) {
      const auto from = original_.find(split.node);
      original_[split.copy] = from != original_.end() ? from->second : mesh.node(split.node).id;
    }
    ++result_.planes;
    return true;
  }

  /// The element on the other side of a face; -1: none.
  LocalIndex beyond(LocalIndex e, std::size_t face) const
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::array<LocalIndex, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) corners[c] = mesh.tet(e)[mesh::face_corners[face][c]];
    for (const LocalIndex f : mesh.star(corners[0])) {
      const Tet& tet = mesh.tet(f);
      const auto has = [&tet](LocalIndex n) { return std::find(tet.begin(), tet.end(), n) != tet.end(); };
      if (f != e && has(corners[1]) && has(corners[2])) return f;
    }
    return -1;
  }

  /// A plastic body takes up the shape it has been given, if that is far enough from its own (Mueller et al. 2.4). What
  /// has just been parted keeps its nodes in one place: the same displacement for a node and its copies.
  void keep_shape()
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::map<NodeId, Vec3> places;
    double farthest = 0;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
      if (original_.contains(n)) continue;
      places[mesh.node(n).id] = model_.p[at(n)].xyz();
      farthest = std::max(farthest, (model_.p[at(n)].xyz() - mesh.node(n).X).norm());
    }
    if (!plastic_ || !(farthest > options_.absorb)) return;
    for (const auto& [copy, id] : original_) model_.p[at(copy)].set_xyz(places.at(id));
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      if (!(element::deformation(model_.blocks.gradients(e), model_.positions(e), model_.velocities(e))
                .F.determinant() > 0))
        return;
    for (const auto& [id, x] : places) result_.moved.push_back({id, {x.x(), x.y(), x.z()}});
  }

  const std::vector<ImpactForce>& given_;
  ImpactOptions options_;
  bool plastic_;
  element::Model model_;
  partition::Halo halo_;
  std::vector<std::uint8_t> anchored_, set_aside_;  // (slots)
  std::set<std::pair<ElementId, ElementId>> parted_;
  std::map<LocalIndex, NodeId> original_;  // of copies, the node at the start
  ImpactResult result_;
};

}  // namespace

ImpactResult analyse_impact(partition::MigrationRecords body, std::vector<material::Material> materials,
                            const std::vector<ImpactForce>& forces, const ImpactOptions& options)
{
  const bool plastic = std::any_of(body.elements.rows.begin(), body.elements.rows.end(),
                                   [&](const auto& row) { return materials[row.material].plastic(); });
  for (material::Material& m : materials) {
    // What yields may be pressed to a fraction of its size, where St. Venant-Kirchhoff's law turns elements inside out.
    if (m.plastic() && !m.anisotropy) m.law = material::Law::neo_hookean;
    m.k1 = m.k2 = std::numeric_limits<double>::infinity();
  }
  return Analysis(std::move(body), std::move(materials), plastic, forces, options).run();
}

}  // namespace sunder::simulation
