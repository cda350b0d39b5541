#pragma once
/// What an impact does to one body: static analysis near the contact, and fracture planes where it tells of too much
/// tension (Mueller et al. 2.3-2.7). docs/hybrid.md.

#include "material/material.hpp"
#include "partition/migration/migration_records.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sunder::simulation {

/// A force on a body, in the axes of its material.
struct ImpactForce {
  ElementId element = 0;           ///< That takes it, each corner its share.
  std::array<double, 4> shares{};  ///< Sum 1.
  Vec3 at = Vec3::Zero();          ///< [m]
  Vec3 force = Vec3::Zero();       ///< [N]
};

struct ImpactOptions {
  double r_coll = 0;  ///< Elements farther from all forces are anchored [m].
  double r_frac = 0;  ///< A fracture plane ends so far from where it begins [m].
  int max_planes = 8;
  double absorb = 0;  ///< Displacement from which on a plastic body keeps its deformed shape [m].
};

/// A face along which a body is parted. Trivially copyable, as ranks send it.
struct PartedFace {
  ElementId a = 0, b = 0;  ///< The elements on both sides, a < b.
  std::array<NodeId, 3> nodes{};
};
/// Local. Both elements as PartedFace names them.
inline std::pair<ElementId, ElementId> ids_of(const mesh::TetMesh& mesh, LocalIndex e, LocalIndex f)
{
  return std::minmax<ElementId>({mesh.element_id(e), mesh.element_id(f)});
}

struct MovedNode {
  NodeId node = 0;
  std::array<double, 3> X{};  ///< Where it is in the material from now on [m].
};

struct ImpactResult {
  bool analysed = false;  ///< Was there something to hold the body by?
  std::vector<PartedFace> parted;
  std::vector<MovedNode> moved;    ///< Of a plastic body that keeps its new shape: all nodes.
  int planes = 0;                  ///< That part something.
  int solves = 0, iterations = 0;  ///< Of linear systems, and of conjugate gradients in all.
  double greatest_stress = 0;      ///< Principal, at first [Pa].
  std::string problem;             ///< In plain words, if no equilibrium was found.
};

/// Local. The whole body is here; nothing is asked of other ranks. The result depends on the arguments alone.
/// @param body  nodes and elements of one fragment, canonical
ImpactResult analyse_impact(partition::MigrationRecords body, std::vector<material::Material> materials,
                            const std::vector<ImpactForce>& forces, const ImpactOptions& options);

}  // namespace sunder::simulation
