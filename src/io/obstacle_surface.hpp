#pragma once
/// Obstacles as a file that shows them: a closed triangulated surface in VTK's XML format (.vtp).

#include "io/frame.hpp"

#include <filesystem>
#include <span>

namespace sunder::io {

/// Local. Cell data `Obstacle` (position in shapes); field data, one tuple a shape, for exact use: `Center` (3),
/// `Radius` (0: a box), `Size` (3: edges of the box, or of the cube around the sphere), `Orientation` (4: quaternion w
/// x y z that takes the box's own axes to the world's). Throws Error if the file cannot be written.
void write_obstacle_surface(const std::filesystem::path& path, std::span<const ObstacleShape> shapes);

}  // namespace sunder::io
