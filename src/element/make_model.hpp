#pragma once
/// Makes a model of a mesh, and brings it up to date where the mesh has changed.

#include "element/model.hpp"

namespace sunder::element {

/// Local. Makes all fields from the mesh, with bodies at rest in their material position. The caller must then call
/// throw_on_all(comm, model.problem). Throws Error, on every rank alike, if a material is described by no law or by
/// several.
Model make_model(mesh::TetMesh mesh, std::vector<material::Material> materials, const StepOptions& options,
                 std::vector<material::Interface> interfaces = {});

/// Local. Gradients of the shape functions of an element with these material corners; columns sum to zero. [1/m]
Mat34 shape_gradients(const std::array<Vec3, 4>& X);

/// Local. Fills the lane of element e anew from the mesh: shape, primary rank, viscosity. An empty slot gets an empty
/// lane. If the material volume is not positive, that is noted in model.problem, not thrown: other ranks may wait for
/// what this rank sends.
void refresh_element(Model& model, LocalIndex e);

/// Local. What the mass of an element is multiplied by because of its stable step (Scaling), or because it is dust.
double mass_factor(const Model& model, LocalIndex e);

/// Local. Computes mass, toughness and height of node n from the held elements around it, in canonical order. Valid if
/// n is owned, as then all elements around it are held.
void refresh_node(Model& model, LocalIndex n);

}  // namespace sunder::element
