#pragma once
/// What a scene file may choose about fracture. Ranges, units and documentation: config/.

#include "element/stress.hpp"

namespace sunder::fracture {

struct FractureOptions {
  bool enabled = true;
  element::Criterion criterion = element::Criterion::tensile;
  bool remesh = true;         ///< false: cracks are confined to element faces.
  double snap_distance = 0;   ///< eps_d [m]: a crossing nearer to a node goes to the node.
  double snap_angle = 0.078;  ///< eps_theta [rad]: between the plane and the line to the node.
  double snap_relative =
      0.1;  ///< As a share of the material mesh size before fracture; the larger of both distances holds.
  double least_height = 0.1;      ///< As a share of the material mesh size: no cut leaves an element lower than this.
  double back_crack_angle = 0.3;  ///< theta_min [rad] between new and existing surface; 0 switches avoidance off.
  double residual = -1;           ///< alpha for all materials; negative: each material's own.
  bool relief = true;             ///< alpha also relieves the nodes beside the crack; false: the sources.
  /// [s] between looks for failing nodes; 0: every step; negative: a tenth of the time a wave takes through an element
  /// of the unbroken mesh.
  double check_interval = -1;
  int max_rounds = 64;  ///< Rounds of failure in one step before the rest waits for the next step.
};

}  // namespace sunder::fracture
