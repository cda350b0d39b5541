#pragma once
/// The state of the bodies on one rank: mesh, elements laid out for the kernel, motion and mass of the nodes.

#include "core/error.hpp"
#include "element/element_blocks.hpp"
#include "element/stable_step.hpp"
#include "element/stress.hpp"
#include "mesh/tet_mesh.hpp"

#include <optional>
#include <vector>

namespace sunder::element {

/// How small elements are kept from setting too small a step. docs/deformation.md.
struct StepOptions {
  double viscosity_cap = 1;      ///< Greatest damping ratio of an element at its own highest frequency; 0: none.
  double mass_scaling_step = 0;  ///< [s] elements with a smaller limit are given mass until they reach it; 0: none.
};

/// Fields are indexed like the mesh's nodes. Ghosts: p and v are their owner's; f, mass and toughness are partial.
struct Model {
  mesh::TetMesh mesh;
  ElementBlocks blocks;
  std::vector<material::Material> materials;
  std::vector<material::Interface> interfaces;  ///< Of pairs of materials that are joined better or worse than both.
  StepOptions step_options;
  std::uint32_t rounds = 0;        ///< Of cracking, so far; the same on every rank.
  std::vector<Row4> p, v, f;       ///< [m], [m/s], [N]
  std::vector<double> mass;        ///< [kg]; 0 where no element is held
  std::vector<double> toughness;   ///< least_toughness() [N]: tau if it is a force, else no more than any plane's
  std::vector<double> height;      ///< Smallest height of the elements around the node, in the material [m]
  std::optional<Failure> problem;  ///< What an element has become that ends the run, once all ranks know.

  const material::Material& material_of(LocalIndex e) const { return materials[mesh.material(e)]; }
  Mat34 positions(LocalIndex e) const;  ///< World, columns are corners.
  Mat34 velocities(LocalIndex e) const;
};

/// What one element allows and costs.
struct ElementLimit {
  double step = 0;       ///< [s] stable, after viscosity cap and mass scaling
  bool viscous = false;  ///< The viscous part shortens it by more than half.
  bool viscosity_capped = false;
  double added_mass = 0;  ///< [kg]
};

/// Local. All fields from the mesh, bodies at rest in the material position. To be followed by
/// throw_on_all(comm, model.problem). Throws Error, as on every rank, if not just one law describes each material.
Model make_model(mesh::TetMesh mesh, std::vector<material::Material> materials, const StepOptions& options,
                 std::vector<material::Interface> interfaces = {});

/// Local. Brings the lane of element e up to date with the mesh (shape, holder, viscosity); an empty slot gets an empty
/// lane. A material volume that is not positive is noted in model.problem: others may wait for what this rank sends.
void refresh_element(Model& model, LocalIndex e);

/// Local. Mass, toughness and height of node n from the elements around it, in canonical order: whole if n is owned.
void refresh_node(Model& model, LocalIndex n);

/// Local. Of an element in use.
ElementLimit element_limit(const Model& model, LocalIndex e);

/// Local. The tightest limit of the elements held, and its element (-1 if none is held).
struct StepLimit {
  double step = 0;
  LocalIndex element = -1;
};
StepLimit tightest_limit(const Model& model);

/// Local. Stress sigma = 2 S of element e in its current motion [Pa].
Mat3 element_stress(const Model& model, LocalIndex e);

}  // namespace sunder::element
