#pragma once
/// The state of the bodies on one rank: mesh, elements laid out for the kernel, motion and mass of nodes.

#include "core/error.hpp"
#include "element/element_blocks.hpp"
#include "element/links.hpp"
#include "element/material_point.hpp"
#include "element/stable_step.hpp"
#include "element/stress.hpp"
#include "material/tensor.hpp"
#include "mesh/lattice_memory.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace sunder::element {

/// What a node remembers of fracture. A copy of a node has the same memory, a node put on an edge that of its ends.
struct NodeHistory {
  /// Number of the fragment that the node is in (simulation/fragments/fragment_history.hpp).
  std::int64_t fragment = 0;
  std::int64_t parent_fragment = -1;  ///< That this one came off; -1: one of the unbroken bodies.
  /// When the node was first parted [s]; NaN: never. Of a ghost the owner's is right: another rank does not hear of a
  /// split that moves none of its elements.
  double failure_time = std::numeric_limits<double>::quiet_NaN();
  /// What the mass of the elements around it is multiplied by, at least 1, if the fragment is dust; 0: it is not
  /// (simulation/stepping/dust.hpp). All nodes of a fragment have the same.
  double dust_factor = 0;
};

/// What tau across any plane of a node is at least, by its area across that plane: stress times the greater of
/// `least_joined` A(n) and of A(n) - sum_k |n_k| unjoined_k, n in the material. A(n) is at least n . areas n.
struct StrengthBound {
  static constexpr double least_joined = 0.5;

  double stress = 0;             ///< [Pa]; 0: unknown
  Vec3 unjoined = Vec3::Zero();  ///< Of faces that were free before fracture and join nothing; else 0 [m^2]
  /// sum vol/2 g g^T/|g| over the elements around the node, g the gradients of its shape function; 0: unknown [m^2]
  material::Symmetric<double> areas{};
  /// Of a node on an interface with a G_c, which shear parts as well, whatever presses: it holds there as long as
  /// sum |f+| + |f-| is no more; 0: there is none [N]
  double sliding = 0;
};

/// Fields of nodes are indexed like the mesh's nodes. For ghosts p and v are the owner's; f, mass and toughness are
/// sums over held elements only, and so not valid.
struct Model {
  mesh::TetMesh mesh;
  ElementBlocks blocks;
  std::vector<material::Material> materials;
  std::vector<material::Interface> interfaces;  ///< Pairs of materials whose joint has a toughness of its own.
  StepOptions step_options;
  std::uint32_t rounds = 0;       ///< Rounds of cracking so far; the same on every rank.
  std::vector<Row4> p, v, f;      ///< [m], [m/s], [N]
  std::vector<Row4> a;            ///< [m/s^2] What implicit time integration remembers; empty if nothing is.
  std::vector<double> mass;       ///< [kg]; 0 where no element is held
  std::vector<double> toughness;  ///< least_toughness() [N]: a lower bound of tau over all planes but strength.sliding
  std::vector<StrengthBound> strength;
  std::vector<double> height;  ///< Least height of the elements around the node, in the material [m]
  std::vector<NodeHistory> history;
  std::vector<mesh::LatticeMemory> lattice;  ///< (slots) Of a lattice while its impact lasts; empty if there is none.
  Links links;                               ///< Of owned nodes.
  std::vector<MaterialPoint> points;         ///< That are followed: one for each probe of the scene with a place.
  std::optional<Failure> problem;            ///< A bad element; it ends the run once all ranks know.

  const material::Material& material_of(LocalIndex e) const { return materials[mesh.material(e)]; }
  /// What the mass of an element is multiplied by because its fragment is dust; 1 of others.
  double dust_factor(LocalIndex e) const
  {
    return std::max(1.0, history[static_cast<std::size_t>(mesh.tet(e)[0])].dust_factor);
  }
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

/// Local. Of an element with these gradients of its shape functions and this material volume, with at least
/// mass_factor times its mass.
ElementLimit element_limit(const StepOptions& options, const Mat34& gradients, const material::Material& m,
                           double volume, double mass_factor = 1);
/// Local. e must not be an empty slot. The first uses the mass that the element has now, dust included; the second
/// mass_factor times its own.
ElementLimit element_limit(const Model& model, LocalIndex e);
ElementLimit element_limit(const Model& model, LocalIndex e, double mass_factor);

/// Local. The smallest stable step of the elements held, and its element; -1 if none is held.
struct TightestLimit {
  double step = 0;
  LocalIndex element = -1;
};
TightestLimit tightest_limit(const Model& model);

/// Local. Stress sigma = 2 S of element e in its current motion [Pa].
Mat3 element_stress(const Model& model, LocalIndex e);

}  // namespace sunder::element
