#pragma once
/// What an impact does to one body: static analysis near the contact, and fracture planes where it tells of too much
/// tension (Mueller et al. 2.3-2.7). docs/hybrid.md.

#include "core/comm.hpp"
#include "fracture/options.hpp"
#include "material/material.hpp"
#include "partition/migration/migration_records.hpp"
#include "simulation/hybrid/fracture_planes.hpp"
#include "simulation/measurements.hpp"

#include <array>
#include <string>
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
  double r_coll = 0;         ///< Elements farther from all forces are anchored [m].
  double r_frac = 0;         ///< A fracture plane ends so far from where it begins [m].
  int max_planes = 8;
  double absorb = 0;  ///< Displacement from which on a plastic body keeps its deformed shape [m].
  bool cut_elements = true;
  double least_cut_edge = 0;           ///< Edges shorter than this over the mesh size are not cut.
  fracture::FractureOptions snapping;  ///< How near to an end an edge may be cut, and how low elements may become.
};

struct MovedNode {
  NodeId node = 0;
  std::array<double, 3> X{};  ///< Where it is in the material from now on [m].
};

/// Lists are this rank's part: of what it owns. All else is the same on every rank of the analysis.
struct ImpactResult {
  bool analysed = false;           ///< Was there something to hold the body by?
  std::vector<PlaneCut> planes;    ///< That part something on some rank.
  std::vector<MovedNode> moved;    ///< Of a plastic body that keeps its new shape: all nodes, after the planes.
  int solves = 0, iterations = 0;  ///< Of linear systems, and of conjugate gradients in all.
  double greatest_stress = 0;      ///< Principal, where it exceeds the strength most, at first [Pa].
  std::string problem;             ///< In plain words, if no equilibrium was found.
  ImpactSeconds seconds;           ///< Of this rank.
};

/// Collective on comm. The result depends on the body and the other arguments alone, not on how many ranks have it.
/// @param body    of one fragment, canonical: nodes and elements that this rank holds, owners as ranks of comm
/// @param forces  the same on every rank
ImpactResult analyse_impact(const Comm& comm, partition::MigrationRecords body,
                            std::vector<material::Material> materials, const std::vector<ImpactForce>& forces,
                            const ImpactOptions& options);

}  // namespace sunder::simulation
