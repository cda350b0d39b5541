#pragma once
/// Cracks one by one: which crack faces belong together, how large each crack is, and where its tip is. cracks.csv.
/// docs/output.md.

#include "simulation/state.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace sunder::simulation {

/// Crack faces that share a point of the undeformed material, on whichever side they are, are of one crack. Places and
/// areas are those of the undeformed material.
struct Crack {
  Vec3 origin = Vec3::Zero();  ///< A corner of its first face, the least by x, then y, then z [m].
  double born = 0;             ///< When that face was made [s].
  double area = 0;             ///< Of one side [m^2].
  double linked_area = 0;      ///< Where links still hold its sides together [m^2].
  double length = 0;           ///< From the origin to the tip [m].
  Vec3 tip = Vec3::Zero();     ///< Its point that is farthest from the origin [m].
  double speed = 0;  ///< Of the tip: growth of the length over time, in the mean since the time asked for [m/s].
  double rayleigh_speed = 0;  ///< Of the material where it began [m/s]; NaN if elasticity there has directions.
};

inline constexpr std::size_t most_cracks = 16;  ///< That largest_cracks() can find.

/// Collective. The `count` largest, largest first, the same bits on any number of ranks. On rank 0 alone; empty on the
/// others. since: from when on speeds are means [s]. Costs what the crack faces do, and connected_components().
std::vector<Crack> largest_cracks(const State& state, std::size_t count, double since);

/// Collective. Area of one side of the largest crack [m^2], the same on every rank and on any number of them.
double largest_crack(const State& state);

/// Local. Columns of cracks.csv, and the numbers of a line.
std::vector<std::string> crack_columns();
std::vector<double> crack_numbers(const Crack& crack);

}  // namespace sunder::simulation
