#pragma once
/// Bodies that overlap, each other or obstacles, before the first step. Runs on one rank.

#include "contact/law/obstacle.hpp"
#include "contact/narrow_phase/interpenetration.hpp"
#include "mesh/mesh_data.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sunder::simulation {

struct BodyInPlace {
  std::string name;
  mesh::MeshData* mesh = nullptr;  ///< In the world.
};

/// Local. Throws Error that names the bodies that overlap and how deep. key: as messages about the bodies begin.
void refuse_overlaps(const std::string& key, const std::vector<BodyInPlace>& bodies);

/// Local. Moves each body that overlaps earlier ones out of them, the shortest way found, and notes in `notes` by how
/// much; earlier ones stay. Throws Error if it finds no place.
void push_apart(const std::vector<BodyInPlace>& bodies, std::vector<std::string>& notes);

/// Local. Notes which bodies reach into obstacles, and how deep: by more than what they may rest on them with.
void note_obstacle_overlaps(const std::vector<BodyInPlace>& bodies, const std::vector<contact::Obstacle>& obstacles,
                            std::vector<std::string>& notes);

/// Local. What the error says of a pair of bodies that overlap, and of all pairs. key: as for refuse_overlaps().
std::string text_of_overlap(const std::string& a, const std::string& b, const contact::Interpenetration& shared);
std::string text_of_overlaps(const std::string& key, const std::vector<std::string>& found);
/// Local. The same for a body and an obstacle; nothing if the body is no deeper in the obstacle than what rests on it.
/// edge: mean of its mesh [m].
std::optional<std::string> text_of_obstacle_overlap(const std::string& body, const contact::Obstacle& obstacle,
                                                    const contact::Interpenetration& shared, double edge);

}  // namespace sunder::simulation
