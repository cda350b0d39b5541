#include "simulation/hybrid/impact_analysis.hpp"

#include "core/stopwatch.hpp"
#include "element/stress.hpp"
#include "fracture/plane_cut.hpp"
#include "fracture/split_stars.hpp"
#include "mesh/lineage.hpp"
#include "mesh/union_find.hpp"
#include "partition/halo/halo.hpp"
#include "simulation/hybrid/body_equations.hpp"
#include "simulation/hybrid/tensions.hpp"
#include "simulation/model_records.hpp"
#include "solvers/direct_solver.hpp"
#include "solvers/newton.hpp"
#include "solvers/reproducible_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

namespace sunder::simulation {
namespace {

constexpr std::int64_t most_nodes_of_direct_solves = 5000;  // where both solvers take as long for solid bodies

Vec3 centroid(const element::Model& model, LocalIndex e)
{
  const auto X = model.mesh.corners(e);
  return (X[0] + X[1] + X[2] + X[3]) / 4;
}

/// Where forces are when their element has been cut: in the child that has their place. A share of the end a and one of
/// the end b of the edge are those of a place on it, seen from the other two corners.
void follow_cuts(const mesh::TetMesh& before, std::span<const fracture::Bisection> cuts,
                 std::vector<ImpactForce>& forces, const std::unordered_map<ElementId, LocalIndex>& slots)
{
  for (ImpactForce& f : forces) {
    const auto slot = slots.find(f.element);
    if (slot == slots.end() || !before.alive(slot->second)) continue;
    std::array<NodeId, 4> corners = fracture::corners_of(before, slot->second).nodes;
    for (const fracture::Bisection& c : cuts) {
      const NodeId m = mesh::edge_node_id(c.a, c.b);
      const auto children = mesh::children_of(corners, c.a, c.b, m);
      if (!children) continue;
      const auto corner = [&corners](NodeId n) {
        return static_cast<std::size_t>(std::find(corners.begin(), corners.end(), n) - corners.begin());
      };
      double &a = f.shares[corner(c.a)], &b = f.shares[corner(c.b)];
      const double of_a = a, of_b = b;
      if (of_a * c.t >= of_b * (1 - c.t)) {
        a = of_a - of_b * (1 - c.t) / c.t, b = of_b / c.t;
        corners = children->first;
      } else {
        b = of_b - of_a * c.t / (1 - c.t), a = of_a / (1 - c.t);
        corners = children->second;
        f.element = mesh::second_child_id(f.element, m);
      }
    }
  }
}

class Analysis {
public:
  Analysis(const Comm& comm, element::Model model, std::vector<double> strengths, bool plastic,
           const std::vector<ImpactForce>& forces, const ImpactOptions& options)
    : comm_(comm),
      forces_(forces),
      options_(options),
      plastic_(plastic),
      strengths_(std::move(strengths)),
      model_(std::move(model)),
      halo_(comm, model_.mesh)
  {
    for (LocalIndex n = 0; n < model_.mesh.num_nodes(); ++n)
      model_.p[at(n)].set_xyz(model_.mesh.node(n).X), model_.v[at(n)] = {};
    anchored_.resize(at(model_.mesh.num_slots()));
    set_aside_.resize(anchored_.size());
    for (LocalIndex e = 0; e < model_.mesh.num_slots(); ++e) {
      anchored_[at(e)] = is_far(centroid(model_, e));
      slots_.emplace(model_.mesh.element_id(e), e);
    }
  }

  ImpactResult run()
  {
    result_.analysed = comm_.max(std::int64_t{std::find(anchored_.begin(), anchored_.end(), 1) != anchored_.end()}) > 0;
    if (!result_.analysed) return result_;
    do {
      if (!in_equilibrium()) return result_;
    } while (part_where_stressed());
    keep_shape();
    return result_;
  }

private:
  bool is_far(const Vec3& x) const
  {
    return std::all_of(forces_.begin(), forces_.end(),
                       [&](const ImpactForce& f) { return (x - f.at).norm() > options_.r_coll; });
  }

  /// Collective. (nodes) of anchored elements, and of pieces that no anchored element holds.
  std::vector<std::uint8_t> fixed_nodes() const
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::vector<std::uint8_t> fixed(at(mesh.num_nodes()), 0);
    mesh::UnionFind pieces(fixed.size());
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      for (const LocalIndex n : mesh.tet(e)) {
        pieces.unite(mesh.tet(e)[0], n);
        if (anchored_[at(e)] && mesh.alive(e)) fixed[at(n)] = 1;
      }
    // What this rank has of a piece is held by what others have of it: they tell of the nodes that both have.
    std::vector<std::uint8_t> held = fixed;
    for (bool spreads = true; spreads;) {
      halo_.owners_to_ghosts(std::span(held));
      std::int64_t more = 0;
      for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
        if (held[at(n)]) held[at(pieces.find(n))] = 1;
      for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
        if (!held[at(n)] && held[at(pieces.find(n))]) held[at(n)] = 1, more = 1;
      spreads = comm_.max(more) > 0;
    }
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) fixed[at(n)] |= held[at(n)] == 0;
    halo_.owners_to_ghosts(std::span(fixed));
    return fixed;
  }

  /// (nodes) right of owned ones.
  std::vector<Vec3> forces_on_nodes(double share) const
  {
    std::vector<Vec3> forces(at(model_.mesh.num_nodes()), Vec3::Zero());
    for (const ImpactForce& f : forces_) {
      const auto slot = slots_.find(f.element);
      if (slot == slots_.end() || !model_.mesh.alive(slot->second)) continue;
      for (std::size_t c = 0; c < 4; ++c) forces[at(model_.mesh.tet(slot->second)[c])] += share * f.shares[c] * f.force;
    }
    return forces;
  }

  bool in_equilibrium()
  {
    ImpactSeconds& seconds = result_.seconds;
    const double before = seconds.assembly;
    bool found = false;
    {
      const ProcessorStopwatch watch(seconds.solve);
      found = find_equilibrium();
    }
    seconds.solve -= seconds.assembly - before;
    return found;
  }

  /// Takes the forces at once where Newton's method gets there, else in parts. What part of them a soft body bears
  /// before it turns inside out is all that it gets.
  bool find_equilibrium()
  {
    const std::vector<std::uint8_t> fixed = fixed_nodes();
    std::int64_t free = 0;
    for (LocalIndex n = 0; n < model_.mesh.num_nodes(); ++n)
      free += model_.mesh.owned(n) && !model_.mesh.star(n).empty() && !fixed[at(n)];
    const bool direct = comm_.sum(free) <= most_nodes_of_direct_solves;
    constexpr double least_part = 1.0 / 16;
    double done = 0, part = 1;
    while (done < 1) {
      const std::vector<Row4> before = model_.p;
      BodyEquations equations(model_, halo_, forces_on_nodes(done + part), fixed, result_.seconds.assembly);
      std::vector<double> u = equations.displacements();
      solvers::DirectSolver direct_solver;
      solvers::ReproducibleSolver iterative_solver;
      solvers::NewtonOptions newton;
      newton.tolerance = 1e-3;  // of the forces: the mesh knows stresses no better
      newton.max_iterations = 10;
      if (direct) newton.keeps_tangent_below = 0.3;
      const solvers::NewtonResult found = direct ? solvers::newton(equations, direct_solver, newton, u)
                                                 : solvers::newton(equations, iterative_solver, newton, u);
      result_.iterations += found.linear_iterations;
      result_.solves += static_cast<int>(found.residuals.size()) - 1;
      if (found.converged) {  // and the model is where the last residual was taken
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

  Mat3 cauchy_stress(LocalIndex e) const
  {
    const element::Deformation d =
        element::deformation(model_.blocks.gradients(e), model_.positions(e), model_.velocities(e));
    return element::cauchy_stress(d.F, element::stress(d, {}, model_.material_of(e), 0));
  }

  /// Collective. Parts the body along the plane across the greatest tension of those beyond their strength. Returns
  /// false if there is none that could be parted.
  bool part_where_stressed()
  {
    const ProcessorStopwatch watch(result_.seconds.fracture);
    Tensions tensions = find_tensions();
    auto mine = tensions.next();
    if (result_.greatest_stress == 0) result_.greatest_stress = comm_.max(mine ? std::max(0.0, mine->stress) : 0);
    while (std::ssize(result_.planes) < options_.max_planes) {
      const auto first = first_of_all(comm_, mine);
      if (!first || first->excess <= 1) return false;
      if (mine && mine->element == first->element) mine = tensions.next();
      if (const auto n = model_.mesh.find(first->corner))
        if (const auto e = model_.mesh.find_around(*n, first->element)) set_aside_[at(*e)] = 1;
      if (part_along({Vec3(first->centroid.data()), Vec3(first->direction.data()), options_.r_frac})) return true;
    }
    return false;
  }

  /// Local. Of the elements that this rank counts and that have not been in vain so far. Anchored ones do not deform.
  Tensions find_tensions() const
  {
    std::vector<Tensions::Candidate> candidates;
    for (LocalIndex e = 0; e < model_.mesh.num_slots(); ++e)
      if (model_.mesh.primary(e) && !anchored_[at(e)] && !set_aside_[at(e)])
        candidates.push_back({element::eigenvalue_bound(cauchy_stress(e)) / strength(e), e, {}});
    return {std::move(candidates), [this](LocalIndex e) { return tension_of(e); }};
  }

  double strength(LocalIndex e) const { return strengths_[model_.mesh.material(e)]; }

  Tension tension_of(LocalIndex e) const
  {
    const auto [stress, direction] = element::largest_principal(cauchy_stress(e));
    return {stress / strength(e),       stress,
            model_.mesh.element_id(e),  model_.mesh.node(model_.mesh.tet(e)[0]).id,
            plain(centroid(model_, e)), plain(direction)};
  }

  /// Collective. Elements that the plane reaches get a side of it; what it passes through is cut first. Returns false
  /// if no two that touch are on different sides and hold together.
  bool part_along(const fracture::BallPlane& plane)
  {
    std::vector<std::uint8_t> reached(at(model_.mesh.num_slots()));
    for (LocalIndex e = 0; e < model_.mesh.num_slots(); ++e)
      reached[at(e)] = model_.mesh.alive(e) && plane.reaches(model_.mesh, e);
    fracture::PlaneCrossings crossings;
    if (options_.cut_elements)
      crossings = fracture::find_crossings(model_, halo_, plane, options_.snapping, options_.least_cut_edge);
    PlaneCut told;
    const bool cuts = comm_.max(std::ssize(crossings.bisections)) > 0;
    if (cuts) cut(crossings.bisections, reached, told);
    const std::vector<LocalIndex> nodes = part(sides(plane, reached, crossings.sides), told);
    if (!cuts && comm_.max(std::ssize(nodes)) == 0) return false;
    result_.planes.push_back(std::move(told));
    const auto result = fracture::part_faces(
        model_, halo_, nodes,
        [this](LocalIndex e, LocalIndex f) {
          return !parted_.contains(model_.mesh.element_id(e), model_.mesh.element_id(f));
        },
        0);
    for (const fracture::NodeCopy& split : result.splits) {
      const auto from = original_.find(split.node);
      original_[split.copy] = from != original_.end() ? from->second : split.node;
    }
    return true;
  }

  /// Collective. What is kept of elements goes on to their children.
  void cut(std::span<const fracture::Bisection> bisections, std::vector<std::uint8_t>& reached, PlaneCut& told)
  {
    const mesh::TetMesh& mesh = model_.mesh;
    for (const fracture::Bisection& c : bisections)
      if (mesh.owned(*mesh.find(c.a))) told.bisections.push_back(c);
    follow_cuts(mesh, bisections, forces_, slots_);
    const LocalIndex before = mesh.num_slots();
    mesh::CreationKey key;
    const fracture::MeshDelta delta = fracture::cut_edges(model_, halo_, bisections, key);
    parted_.follow(delta.lineage);
    std::unordered_map<ElementId, LocalIndex> ancestors;  // slots before the cuts
    for (const auto& [made, parent] : delta.lineage) {
      const auto known = ancestors.find(parent);
      ancestors[made] = known != ancestors.end() ? known->second : slots_.at(parent);
    }
    for (auto* flags : {&anchored_, &set_aside_, &reached}) flags->resize(at(mesh.num_slots()));
    for (LocalIndex e = before; e < mesh.num_slots(); ++e) {
      if (!mesh.alive(e)) continue;
      slots_.emplace(mesh.element_id(e), e);
      for (auto* flags : {&anchored_, &set_aside_, &reached})
        (*flags)[at(e)] = (*flags)[at(ancestors.at(mesh.element_id(e)))];
    }
  }

  /// (slots) 1, -1: of elements reached, the side of the plane; 0 of others. What is cut goes by its corners off the
  /// plane, all else by its centroid.
  std::vector<std::int8_t> sides(const fracture::BallPlane& plane, const std::vector<std::uint8_t>& reached,
                                 const std::vector<std::int8_t>& of_nodes) const
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::vector<std::int8_t> sides(reached.size(), 0);
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
      if (!reached[at(e)] || !mesh.alive(e)) continue;
      bool above = false, below = false;
      for (const LocalIndex n : mesh.tet(e)) {
        const int side = at(n) < of_nodes.size() ? of_nodes[at(n)] : 0;
        above |= side > 0, below |= side < 0;
      }
      sides[at(e)] = above != below ? (above ? 1 : -1) : plane.centroid_distance(mesh, e) >= 0 ? 1 : -1;
    }
    return sides;
  }

  /// Local. Returns the nodes of faces between the sides that held together so far. Of each face the lowest rank that
  /// owns a node of it tells.
  std::vector<LocalIndex> part(const std::vector<std::int8_t>& sides, PlaneCut& told)
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::vector<std::uint8_t> below(at(mesh.num_nodes()));  // has the node elements there?
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      if (sides[at(e)] < 0)
        for (const LocalIndex n : mesh.tet(e)) below[at(n)] = 1;
    std::vector<LocalIndex> nodes;
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      for (std::size_t face = 0; sides[at(e)] == 1 && face < 4; ++face) {
        const auto is_below = [&](std::size_t corner) { return below[at(mesh.tet(e)[corner])]; };
        if (!std::all_of(mesh::face_corners[face].begin(), mesh::face_corners[face].end(), is_below)) continue;
        const LocalIndex f = beyond(e, face);
        if (f < 0 || sides[at(f)] != -1 || !parted_.add(mesh.element_id(e), mesh.element_id(f))) continue;
        const auto [a, b] = std::minmax<ElementId>({mesh.element_id(e), mesh.element_id(f)});
        PartedFace parted{a, b, {}};
        Rank lowest = std::numeric_limits<Rank>::max();
        for (std::size_t c = 0; c < 3; ++c) {
          const mesh::Node& node = mesh.node(mesh.tet(e)[mesh::face_corners[face][c]]);
          parted.nodes[c] = node.id, lowest = std::min(lowest, node.owner);
          nodes.push_back(mesh.tet(e)[mesh::face_corners[face][c]]);
        }
        if (lowest == comm_.rank()) told.parted.push_back(parted);
      }
    return nodes;
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

  /// Collective. A plastic body takes up the shape it has been given, if that is far enough from its own (Mueller et
  /// al. 2.4). What has just been parted keeps its nodes in one place: the same for a node and its copies, which are
  /// one rank's.
  void keep_shape()
  {
    const mesh::TetMesh& mesh = model_.mesh;
    if (!plastic_) return;
    double farthest = 0;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
      if (counts(n)) farthest = std::max(farthest, (model_.p[at(n)].xyz() - mesh.node(n).X).norm());
    if (!(comm_.max(farthest) > options_.absorb)) return;
    for (const auto& [copy, from] : original_) model_.p[at(copy)] = model_.p[at(from)];
    halo_.owners_to_ghosts(std::span<Row4>(model_.p));
    std::int64_t inverted = 0;
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      if (mesh.alive(e) && !(element::deformation(model_.blocks.gradients(e), model_.positions(e), model_.velocities(e))
                                 .F.determinant() > 0))
        inverted = 1;
    if (comm_.max(inverted) > 0) return;
    for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
      if (mesh.owned(n) && !mesh.star(n).empty())
        result_.moved.push_back({mesh.node(n).id, plain(model_.p[at(n)].xyz())});
  }

  bool counts(LocalIndex n) const
  {
    return model_.mesh.owned(n) && !model_.mesh.star(n).empty() && !original_.contains(n);
  }

  Comm comm_;
  std::vector<ImpactForce> forces_;
  ImpactOptions options_;
  bool plastic_;
  std::vector<double> strengths_;  // (materials) [Pa]
  element::Model model_;
  partition::Halo halo_;
  std::vector<std::uint8_t> anchored_, set_aside_;   // (slots)
  std::unordered_map<ElementId, LocalIndex> slots_;  // of elements held, and of some that are no more
  PartedPairs parted_;
  std::map<LocalIndex, LocalIndex> original_;  // of copies, the node at the start
  ImpactResult result_;
};

/// As it is analysed: what it does over time is left to flight, and it is parted here, not at nodes that fail.
void simplify(material::Material& m)
{
  constexpr double infinite = std::numeric_limits<double>::infinity();
  // What yields may be pressed to a fraction of its size, where St. Venant-Kirchhoff's law turns elements inside out.
  if (m.plastic() && !m.anisotropy) m.law = material::Law::neo_hookean;
  m.k1 = m.k2 = infinite;
  m.phi = m.psi = 0;
  m.toughness = infinite;
}

}  // namespace

ImpactResult analyse_impact(const Comm& comm, partition::MigrationRecords body,
                            std::vector<material::Material> materials, const std::vector<ImpactForce>& forces,
                            const ImpactOptions& options)
{
  const std::int64_t yields = std::any_of(body.elements.rows.begin(), body.elements.rows.end(),
                                          [&](const auto& row) { return materials[row.material].plastic(); });
  const bool plastic = comm.max(yields) > 0;
  double seconds = 0;
  std::optional<Analysis> analysis;
  {
    const ProcessorStopwatch watch(seconds);
    std::vector<double> strengths;
    for (const material::Material& m : materials) strengths.push_back(m.toughness);
    for (material::Material& m : materials) simplify(m);
    analysis.emplace(comm, model_from(comm.rank(), body, std::move(materials), {}, {}), std::move(strengths), plastic,
                     forces, options);
  }
  ImpactResult result = analysis->run();
  result.seconds.gather += seconds;
  return result;
}

}  // namespace sunder::simulation
