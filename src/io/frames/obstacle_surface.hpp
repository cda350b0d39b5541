#pragma once
/// Obstacles as a file that shows them: a closed triangulated surface in VTK's XML format (.vtp).

#include "io/frames/frame.hpp"

#include <filesystem>
#include <span>

namespace sunder::io {

/// Local. Cell data `Obstacle` (position in shapes); field data, one tuple a shape, for exact use: `Shape` (0 a
/// sphere, 1 a box, 2 a cylinder, 3 a capsule, 4 a mesh), `Center` (3), `Radius` (0 of a box or a mesh), `Size` (3:
/// edges of the box around it, along its own axes), `Orientation` (4: quaternion w x y z that takes its own axes to the
/// world's). Throws Error if the file cannot be written.
void write_obstacle_surface(const std::filesystem::path& path, std::span<const ObstacleShape> shapes);

}  // namespace sunder::io
