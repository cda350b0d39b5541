#pragma once
/// What a scene file may choose about fracture. Ranges, units and documentation: config/. Plain
/// data.

#include "element/stress.hpp"

namespace sunder::fracture {

struct FractureOptions {
  bool enabled = true;
  element::SeparationCriterion criterion = element::SeparationCriterion::tensile;
  bool remesh = true;         ///< false: cracks run along element faces only.
  double snap_distance = 0;   ///< eps_d [m]: a plane that passes a node nearer than this goes through it.
  double snap_angle = 0.078;  ///< eps_theta [rad]: between the plane and the line to the node.
  /// eps_d as a share of the material mesh size before fracture. The larger of both distances counts.
  double snap_relative = 0.1;
  double least_height = 0.1;      ///< Of the elements that a cut leaves, as a share of that mesh size.
  double back_crack_angle = 0.3;  ///< theta_min [rad]: least angle between new and existing surface; 0: no avoidance.
  double residual = -1;           ///< alpha of all materials; negative: each material's own.
  bool relief = true;             ///< Does alpha also relieve the nodes beside the crack? false: as in the sources.
  /// [s] between checks for failing nodes; 0: every step; negative: a tenth of the time a wave takes through an element
  /// of the unbroken mesh.
  double check_interval = -1;
  /// [m]: fragments of less volume than a cube with this edge get mass until they allow the step of the unbroken mesh;
  /// 0: off.
  double dust = 0;
  /// Of the zone E G_c/sigma_c^2: within that distance of a crack that links still hold a node that continues no crack
  /// bears twice its toughness. 0: only next to a link.
  double exclusion = 0;
  int max_rounds = 64;  ///< Rounds in one step. Nodes that still fail then wait for the next check.
};

}  // namespace sunder::fracture
