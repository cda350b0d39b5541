#pragma once
/// The state of the bodies on one rank: mesh, elements laid out for the kernel, motion and mass of nodes.

#include "core/error.hpp"
#include "element/element_blocks.hpp"
#include "element/stable_step.hpp"
#include "element/stress.hpp"
#include "mesh/tet_mesh.hpp"

#include <optional>
#include <vector>

namespace sunder::element {

/// What keeps small elements from making the step too small. docs/deformation.md.
struct StepOptions {
  double viscosity_cap = 1;      ///< Greatest damping ratio of an element at its own highest frequency; 0: none.
  double mass_scaling_step = 0;  ///< [s]: elements with a smaller limit get mass until they reach it; 0: none.
};

/// Fields of nodes are indexed like the mesh's nodes. For ghosts p and v are the owner's; f, mass and toughness are
/// sums over held elements only, and so not valid.
struct Model {
  mesh::TetMesh mesh;
  ElementBlocks blocks;
  std::vector<material::Material> materials;
  std::vector<material::Interface> interfaces;  ///< Pairs of materials whose joint has a toughness of its own.
  StepOptions step_options;
  std::uint32_t rounds = 0;        ///< Rounds of cracking so far; the same on every rank.
  std::vector<Row4> p, v, f;       ///< [m], [m/s], [N]
  std::vector<double> mass;        ///< [kg]; 0 where no element is held
  std::vector<double> toughness;   ///< least_toughness() [N]: a lower bound of tau over all planes
  std::vector<double> height;      ///< Least height of the elements around the node, in the material [m]
  std::optional<Failure> problem;  ///< A bad element; it ends the run once all ranks know.

  const material::Material& material_of(LocalIndex e) const { return materials[mesh.material(e)]; }
  Mat34 positions(LocalIndex e) const;  ///< World, columns are corners.
  Mat34 velocities(LocalIndex e) const;
};

/// The stable step of one element, and what was done to lengthen it.
struct ElementLimit {
  double step = 0;       ///< [s] stable, after viscosity cap and mass scaling
  bool viscous = false;  ///< The viscous part shortens it by more than half.
  bool viscosity_capped = false;
  double added_mass = 0;  ///< [kg]
};

/// Local. Makes all fields from the mesh, with bodies at rest in their material position. The caller must then call
/// throw_on_all(comm, model.problem). Throws Error, on every rank alike, if a material is described by no law or by
/// several.
Model make_model(mesh::TetMesh mesh, std::vector<material::Material> materials, const StepOptions& options,
                 std::vector<material::Interface> interfaces = {});

/// Local. Fills the lane of element e anew from the mesh: shape, primary rank, viscosity. An empty slot gets an empty
/// lane. If the material volume is not positive, that is noted in model.problem, not thrown: other ranks may wait for
/// what this rank sends.
void refresh_element(Model& model, LocalIndex e);

/// Local. Computes mass, toughness and height of node n from the held elements around it, in canonical order. Valid if
/// n is owned, as then all elements around it are held.
void refresh_node(Model& model, LocalIndex n);

/// Local. e must not be an empty slot.
ElementLimit element_limit(const Model& model, LocalIndex e);

/// Local. The smallest stable step of the elements held, and its element; -1 if none is held.
struct StepLimit {
  double step = 0;
  LocalIndex element = -1;
};
StepLimit tightest_limit(const Model& model);

/// Local. Stress sigma = 2 S of element e in its current motion [Pa].
Mat3 element_stress(const Model& model, LocalIndex e);

}  // namespace sunder::element
