#include "element/least_area.hpp"

#include "element/lanes.hpp"
#include "element/model.hpp"
#include "element/principal_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace sunder::element {
namespace {

using namespace lanewise;

/// Cells that cover the normals of all planes: three faces of a cube, each cut into cells of equal angles.
constexpr int cells_along = 6, num_cells = 3 * cells_along * cells_along;
constexpr int num_groups = (num_cells + lanes - 1) / lanes;

/// As many cells as there are lanes. No normal of a cell is further from its middle than an angle alpha.
struct alignas(sizeof(Lanes)) Cells {
  double x[lanes], y[lanes], z[lanes];
  double cosine[lanes], sine[lanes];  // of alpha
  double chord[lanes];                // 2 sin(alpha / 2)
};

Vec3 on_cube(int face, double u, double v)
{
  Vec3 n;
  n[face] = 1, n[(face + 1) % 3] = std::tan(u), n[(face + 2) % 3] = std::tan(v);
  return n.normalized();
}

/// The sides of a cell are arcs of great circles, so none of it is further from its middle than a corner.
std::array<Cells, num_groups> all_cells()
{
  constexpr double up = 1 + 1e-9;  // for round-off
  constexpr double angle = std::numbers::pi / 2 / cells_along;
  std::array<Cells, num_groups> cells;
  for (int i = 0; i < num_groups * lanes; ++i) {
    const int c = std::min(i, num_cells - 1), face = c % 3;
    const double u = angle * (c / 3 / cells_along) - std::numbers::pi / 4,
                 v = angle * (c / 3 % cells_along) - std::numbers::pi / 4;
    const Vec3 middle = on_cube(face, u + angle / 2, v + angle / 2);
    double chord = 0;
    for (const double of_u : {u, u + angle})
      for (const double of_v : {v, v + angle})
        chord = std::max(chord, up * (on_cube(face, of_u, of_v) - middle).norm());
    Cells& group = cells[static_cast<std::size_t>(i / lanes)];
    const int l = i % lanes;
    group.x[l] = middle[0], group.y[l] = middle[1], group.z[l] = middle[2];
    group.chord[l] = chord;
    group.cosine[l] = 1 - chord * chord / 2;
    group.sine[l] = chord * std::sqrt(1 - chord * chord / 4);
  }
  return cells;
}

[[gnu::always_inline]] inline Lanes along(const Vector& n, const Vec3& a)
{
  return n.x * a[0] + n.y * a[1] + n.z * a[2];
}

/// A(n) >= n . v for any n, with v the sum of the vectors, each with the sign that it has at the middle. n is
/// cos(alpha) of the middle and sin(alpha) across it, so n . v is at least cos(alpha) A(middle) - sin(alpha) |v
/// across|.
[[gnu::always_inline]] inline Lanes least_in(const Cells& cells, const Vector& middle, std::span<const Vec3> joined)
{
  Vector v{};
  for (const Vec3& a : joined) {
    const LaneMask against = along(middle, a) < 0;
    v.x += against ? all(-a[0]) : all(a[0]);
    v.y += against ? all(-a[1]) : all(a[1]);
    v.z += against ? all(-a[2]) : all(a[2]);
  }
  const Lanes area = middle.x * v.x + middle.y * v.y + middle.z * v.z;
  const Vector across{v.x - area * middle.x, v.y - area * middle.y, v.z - area * middle.z};
  return load(cells.cosine) * area -
         load(cells.sine) * root(across.x * across.x + across.y * across.y + across.z * across.z);
}

[[gnu::always_inline]] inline Lanes most_in(const Cells& cells, const Vector& middle, std::span<const Vec3> unjoined)
{
  Lanes most{};
  for (const Vec3& a : unjoined) {
    const Lanes n_a = along(middle, a);
    most += (n_a < 0 ? -n_a : n_a) + load(cells.chord) * a.norm();
  }
  return most;
}

}  // namespace

material::Symmetric<double> form_of_area(std::span<const Vec3> joined)
{
  Mat3 form = Mat3::Zero();
  for (const Vec3& a : joined) form += a * a.transpose() / a.norm();
  return material::symmetric(form);
}

double least_area(std::span<const Vec3> joined, std::span<const Vec3> unjoined)
{
  static const std::array<Cells, num_groups> all_groups = all_cells();
  Lanes least = all(std::numeric_limits<double>::infinity());
  for (const Cells& cells : all_groups) {
    const Vector middle{load(cells.x), load(cells.y), load(cells.z)};
    const Lanes area = least_in(cells, middle, joined), half = StrengthBound::least_joined * area;
    const Lanes rest = unjoined.empty() ? area : area - most_in(cells, middle, unjoined);
    const Lanes borne = rest > half ? rest : half;
    least = borne < least ? borne : least;
  }
  double of_cells = least[0];
  for (int l = 1; l < lanes; ++l) of_cells = std::min(of_cells, least[l]);
  // Where an area is much smaller than those of other planes, cells are too coarse.
  const material::Symmetric<double> form = form_of_area(joined);
  const double of_form = principal_values(form).least - 1e-6 * material::trace(form);
  constexpr double down = 1 - 1e-9;  // for round-off
  return down * std::max({0.0, of_cells, (unjoined.empty() ? 1 : StrengthBound::least_joined) * of_form});
}

}  // namespace sunder::element
