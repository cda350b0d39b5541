#include "simulation/forecast/refined_side.hpp"

#include <algorithm>
#include <limits>

namespace sunder::simulation {
namespace {

/// Of the four barycentric coordinates in the coarse element, in units of 1 / n; their sum is zero.
using Steps = std::array<int, 4>;
using Cell = std::array<Steps, 4>;

/// The 24 elements of the lattice around one of its points: their corners as seen from there.
std::array<Cell, 24> star()
{
  std::array<Cell, 24> cells{};
  std::array<std::size_t, 3> order{0, 1, 2};
  std::size_t i = 0;
  do {
    Cell corners{};
    for (std::size_t c = 1; c < 4; ++c) {  // the step x(k+1) - x(k)
      corners[c] = corners[c - 1];
      --corners[c][order[c - 1]], ++corners[c][order[c - 1] + 1];
    }
    for (const Steps& origin : corners) {
      Cell& cell = cells[i++] = corners;
      for (Steps& steps : cell)
        for (std::size_t k = 0; k < 4; ++k) steps[k] -= origin[k];
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return cells;
}

const std::array<Cell, 24> cells_of_star = star();

/// Is the cell inside the element, if it is around a point that is inside what these corners span?
bool is_inside(const Cell& cell, unsigned in_corners)
{
  for (const Steps& steps : cell)
    for (std::size_t k = 0; k < 4; ++k)
      if (!(in_corners >> k & 1u) && steps[k] < 0) return false;
  return true;
}

double height(const CornerHeights& heights, const Steps& steps)
{
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += steps[k] * heights[k];
  return sum;
}

double centroid_height(const CornerHeights& heights, const Cell& cell)
{
  double sum = 0;
  for (const Steps& steps : cell) sum += height(heights, steps);
  return sum / 4;
}

/// The height of the centroid of the cell around a point of a face that has corners there, too.
double centroid_height_with(const CornerHeights& heights, unsigned face, const Steps& second, const Steps& third)
{
  const auto found = std::find_if(cells_of_star.begin(), cells_of_star.end(), [&](const Cell& cell) {
    return is_inside(cell, face) && std::find(cell.begin(), cell.end(), second) != cell.end() &&
           std::find(cell.begin(), cell.end(), third) != cell.end();
  });
  return centroid_height(heights, *found);
}

Steps towards(std::size_t from, std::size_t to)
{
  Steps steps{};
  --steps[from], ++steps[to];
  return steps;
}

}  // namespace

CornerHeights heights_of(const config::Selection::Side& side, const std::array<Vec3, 4>& corners)
{
  CornerHeights heights{};
  for (std::size_t k = 0; k < 4; ++k) heights[k] = side.normal.dot(corners[k] - side.point);
  return heights;
}

double height_of_nodes(const CornerHeights& heights, GlobalIndex n, unsigned in_corners)
{
  double lowest = std::numeric_limits<double>::infinity();
  for (const Cell& cell : cells_of_star)
    if (is_inside(cell, in_corners)) lowest = std::min(lowest, centroid_height(heights, cell));
  return -lowest / static_cast<double>(n);
}

TriangleHeights height_of_triangles(const CornerHeights& heights, GlobalIndex n,
                                    const std::array<std::size_t, 3>& corners)
{
  const unsigned face = 1u << corners[0] | 1u << corners[1] | 1u << corners[2];
  const Steps u = towards(corners[0], corners[1]), w = towards(corners[0], corners[2]);
  const double upright = centroid_height_with(heights, face, u, w);
  // As seen from u, the others are at w - u and w.
  const double inverted = height(heights, u) + centroid_height_with(heights, face, towards(corners[1], corners[2]), w);
  return {-upright / static_cast<double>(n), -inverted / static_cast<double>(n)};
}

NodeHeights::Key NodeHeights::key_of(std::span<const GlobalIndex> nodes)
{
  Key key{-1, -1, -1};
  std::copy(nodes.begin(), nodes.end(), key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

void NodeHeights::sort()
{
  std::sort(all_.begin(), all_.end());
}

double NodeHeights::of(std::span<const GlobalIndex> nodes) const
{
  const Key wanted = key_of(nodes);
  const auto end = std::upper_bound(all_.begin(), all_.end(), wanted,
                                    [](const Key& key, const auto& entry) { return key < entry.first; });
  const bool found = end != all_.begin() && std::prev(end)->first == wanted;
  return found ? std::prev(end)->second : -std::numeric_limits<double>::infinity();
}

}  // namespace sunder::simulation
