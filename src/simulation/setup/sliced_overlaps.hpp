#pragma once
/// Bodies that overlap, each other or obstacles, before the first step, where no rank has a whole body: the counterpart
/// of body_overlaps.hpp.

#include "config/scene.hpp"
#include "geometry/box.hpp"
#include "partition/slices/sliced_mesh.hpp"

#include <string>
#include <vector>

namespace sunder::simulation {

/// Collective. Around the nodes of each of so many bodies.
std::vector<geometry::Box> boxes_of(const Comm& comm, std::size_t bodies, const partition::SlicedMesh& mesh);

/// Collective. As refuse_overlaps(): elements that may overlap another body's meet on the ranks whose regions do.
/// Throws Error on every rank.
void refuse_overlaps(const Comm& comm, const config::Scene& scene, const partition::SlicedMesh& mesh);

/// Collective. As note_obstacle_overlaps(). sizes: of the nodes of this rank's block.
void note_obstacle_overlaps(const Comm& comm, const config::Scene& scene, const partition::SlicedMesh& mesh,
                            const std::vector<double>& sizes, std::vector<std::string>& notes);

}  // namespace sunder::simulation
