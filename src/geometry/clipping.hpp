#pragma once
/// A tetrahedron cut by half-spaces into a closed surface, and what that surface encloses: T 5.2.2. Pure kernel: no
/// state, no allocation.

#include "core/error.hpp"
#include "core/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace sunder::geometry::clipping {

/// Corners of the face opposite corner a, anticlockwise seen from outside a tetrahedron of positive volume.
inline constexpr std::array<std::array<std::uint8_t, 3>, 4> face_corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

struct Edge {
  std::uint8_t from, to;
};

/// A closed polygon as the set of its directed edges: clipping then needs no order among them.
struct Face {
  static constexpr int most = 24;
  std::array<Edge, most> edges;
  int count = 0;
  bool from_clipper = false;  ///< Else from the subject.

  void add(Edge e)
  {
    SUNDER_ASSERT(count < most);
    edges[static_cast<std::size_t>(count++)] = e;
  }
};

/// The subject tetrahedron, clipped by one after another of the clipper's half-spaces. A corner has its barycentric
/// coordinates in the subject, and for each half-space a linear coordinate that is not negative inside. So clipping
/// only interpolates coordinates; it never needs a position.
/// Scalar: double, or numbers with derivatives (dual.hpp).
template <int half_spaces, class Scalar = double>
class Region {
public:
  using Coordinates = Eigen::Matrix<Scalar, half_spaces, 1>;
  using Own = Eigen::Matrix<Scalar, 4, 1>;

  /// coordinates: for each half-space, of the subject's corners.
  explicit Region(const std::array<Coordinates, 4>& coordinates)
  {
    for (std::size_t a = 0; a < 4; ++a) {
      own_[a] = Own::Unit(static_cast<int>(a)), other_[a] = coordinates[a];
      outside_[a] = outside(coordinates[a]);
      const auto& [u, v, w] = face_corners[a];
      Face& face = faces_[a];
      face.add({u, v}), face.add({v, w}), face.add({w, u});
    }
    corners_ = 4, num_faces_ = 4;
  }

  /// Keeps what lies where coordinate j is not negative. Returns false if nothing is left.
  bool clip(int j)
  {
    const auto beyond = static_cast<std::uint8_t>(1u << j);
    cuts_ = 0;
    Face cap;
    cap.from_clipper = true;
    int kept = 0;
    for (int f = 0; f < num_faces_; ++f) {
      std::uint8_t any = 0, all = beyond;
      for (int k = 0; k < face(f).count; ++k) {
        const std::uint8_t corner = outside_[face(f).edges[static_cast<std::size_t>(k)].from];
        any |= corner, all &= corner;
      }
      if (all) continue;
      if (kept != f) face(kept) = face(f);
      if (any & beyond) clip_face(face(kept), j, cap);
      ++kept;
    }
    num_faces_ = kept;
    if (cap.count > 0) face(num_faces_++) = cap;
    return num_faces_ > 3;
  }

  std::span<const Face> faces() const { return {faces_.data(), static_cast<std::size_t>(num_faces_)}; }
  const Own& own(std::uint8_t c) const { return own_[c]; }

private:
  static_assert(half_spaces <= 6, "a face of the region then has at most half of Face::most edges");
  static constexpr int most_corners = 64, most_faces = 4 + half_spaces;

  Face& face(int f) { return faces_[static_cast<std::size_t>(f)]; }
  bool inside(int j, std::uint8_t c) const { return !(outside_[c] >> j & 1); }
  static std::uint8_t outside(const Coordinates& c)
  {
    unsigned bits = 0;
    for (int j = 0; j < half_spaces; ++j) bits |= static_cast<unsigned>(c[j] < 0) << j;
    return static_cast<std::uint8_t>(bits);
  }

  /// The corner where edge (in, out) leaves the half-space; the same one for both faces at the edge.
  std::uint8_t crossing(int j, std::uint8_t in, std::uint8_t out)
  {
    for (int k = 0; k < cuts_; ++k)
      if (const Crossing& made = made_[static_cast<std::size_t>(k)]; made.in == in && made.out == out)
        return made.corner;
    SUNDER_ASSERT(corners_ < most_corners);
    const Scalar t = other_[in][j] / (other_[in][j] - other_[out][j]);
    const auto corner = static_cast<std::uint8_t>(corners_++);
    own_[corner] = own_[in] + t * (own_[out] - own_[in]);
    other_[corner] = other_[in] + t * (other_[out] - other_[in]);
    other_[corner][j] = Scalar(0);
    outside_[corner] = outside(other_[corner]);
    made_[static_cast<std::size_t>(cuts_++)] = {in, out, corner};
    return corner;
  }

  /// Keeps what is inside of a face, closed along the plane. The cap gets the closing edges in the opposite
  /// direction. A convex face leaves and enters once. Round-off may make it do so more often; the surface is then
  /// closed whichever of the ends are joined.
  void clip_face(Face& face, int j, Face& cap)
  {
    std::array<std::uint8_t, Face::most> exits{}, entries{};
    std::size_t num_exits = 0, num_entries = 0;
    const int whole = std::exchange(face.count, 0);  // an edge leaves one at most: it may be written where it was read
    for (int k = 0; k < whole; ++k) {
      const auto [u, v] = face.edges[static_cast<std::size_t>(k)];
      const bool u_in = inside(j, u), v_in = inside(j, v);
      if (u_in && v_in) {
        face.add({u, v});
      } else if (u_in) {
        const std::uint8_t c = crossing(j, u, v);
        face.add({u, c});
        exits[num_exits++] = c;
      } else if (v_in) {
        const std::uint8_t c = crossing(j, v, u);
        face.add({c, v});
        entries[num_entries++] = c;
      }
    }
    for (std::size_t k = 0; k < num_exits; ++k) {
      face.add({exits[k], entries[k]});
      cap.add({entries[k], exits[k]});
    }
  }

  struct Crossing {
    std::uint8_t in, out, corner;
  };
  std::array<Own, most_corners> own_;
  std::array<Coordinates, most_corners> other_;
  std::array<std::uint8_t, most_corners> outside_;  // bit j: outside half-space j
  std::array<Face, most_faces> faces_;
  std::array<Crossing, most_corners> made_;
  int corners_ = 0, num_faces_ = 0, cuts_ = 0;
};

/// Volume, first moment and area vectors of the region, as sums over its faces. Each triangle of a face makes a
/// tetrahedron with one fixed corner. All in the space of the subject's barycentric coordinates 1 to 3.
template <class Scalar>
struct MeasureOf {
  using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
  using Vector4 = Eigen::Matrix<Scalar, 4, 1>;

  Scalar six_volumes{0.0};
  Vector4 moment = Vector4::Zero();
  Vector3 twice_area = Vector3::Zero();

  template <int half_spaces>
  explicit MeasureOf(const Region<half_spaces, Scalar>& region)
  {
    const std::uint8_t q = region.faces().front().edges[0].from;
    for (const Face& face : region.faces()) {
      const std::uint8_t apex = face.edges[0].from;
      const Vector4 &first = region.own(apex), to_apex = first - region.own(q), two = first + region.own(q);
      Vector3 twice = Vector3::Zero();
      for (int k = 1; k < face.count; ++k) {
        const auto [u, v] = face.edges[static_cast<std::size_t>(k)];
        if (v == apex) continue;
        const Vector4 to_u = region.own(u) - first, to_v = region.own(v) - first;
        const Vector3 base = to_u.template tail<3>().cross(to_v.template tail<3>());
        const Scalar six_volume = to_apex.template tail<3>().dot(base);
        twice += base;
        six_volumes += six_volume;
        moment += six_volume / 4 * (two + region.own(u) + region.own(v));
      }
      if (face.from_clipper) twice_area += twice;  // those from the subject add up to minus the same
    }
  }
};
using Measure = MeasureOf<double>;

/// Barycentric coordinates of the region's centre of volume. Never negative, sum 1, whatever round-off does.
inline Eigen::Vector4d barycentric_weights(const Eigen::Vector4d& moment)
{
  const Eigen::Vector4d positive = moment.cwiseMax(0);
  return positive / positive.sum();
}

}  // namespace sunder::geometry::clipping
