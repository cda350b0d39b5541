#pragma once
/// Obstacles as a file that shows them: a closed triangulated surface in VTK's XML format (.vtp).

#include "io/frame.hpp"

#include <filesystem>
#include <span>

namespace sunder::io {

/// Local. Cell data `Obstacle` (position in spheres); field data `Center` (3) and `Radius`, one tuple a sphere, for
/// exact use. Throws Error if the file cannot be written.
void write_obstacle_surface(const std::filesystem::path& path, std::span<const Sphere> spheres);

}  // namespace sunder::io
