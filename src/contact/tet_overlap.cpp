#include "contact/tet_overlap.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace sunder::contact {
namespace {

using Coordinates = Eigen::Vector4d;

/// A region thinner than this share of a tetrahedron's height is the round-off of two surfaces that touch.
constexpr double thinnest = 1e-13;

/// Corners of the face opposite corner a, anticlockwise seen from outside a tetrahedron of positive volume.
constexpr std::array<std::array<std::uint8_t, 3>, 4> face_corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

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

/// The subject tetrahedron, cut down by one half-space after another. A corner is known by its barycentric coordinates
/// in both tetrahedra, so that cutting is interpolation and never meets a position.
class Region {
public:
  /// coordinates: of the subject's corners in the clipper.
  explicit Region(const std::array<Coordinates, 4>& coordinates)
  {
    for (std::size_t a = 0; a < 4; ++a) {
      own_[a] = Coordinates::Unit(static_cast<int>(a)), other_[a] = coordinates[a];
      outside_[a] = outside(coordinates[a]);
      const auto& [u, v, w] = face_corners[a];
      Face& face = faces_[a];
      face.add({u, v}), face.add({v, w}), face.add({w, u});
    }
    corners_ = 4, num_faces_ = 4;
  }

  /// Keeps where the clipper's coordinate j is not negative. False if nothing is left.
  bool clip(int j)
  {
    const auto beyond = static_cast<std::uint8_t>(1u << j);
    std::uint8_t any = 0, all = beyond;
    for (int f = 0; f < num_faces_; ++f)
      for (int k = 0; k < face(f).count; ++k) {
        const std::uint8_t corner = outside_[face(f).edges[static_cast<std::size_t>(k)].from];
        any |= corner, all &= corner;
      }
    if (all) return false;
    if (!(any & beyond)) return true;
    cuts_ = 0;
    Face cap;
    cap.from_clipper = true;
    int kept = 0;
    for (int f = 0; f < num_faces_; ++f) {
      const Face clipped = clip_face(face(f), j, cap);
      if (clipped.count > 0) face(kept++) = clipped;
    }
    num_faces_ = kept;
    if (cap.count > 0) face(num_faces_++) = cap;
    return num_faces_ > 3;
  }

  std::span<const Face> faces() const { return {faces_.data(), static_cast<std::size_t>(num_faces_)}; }
  const Coordinates& own(std::uint8_t c) const { return own_[c]; }

private:
  static constexpr int most_corners = 64, most_faces = 8;

  Face& face(int f) { return faces_[static_cast<std::size_t>(f)]; }
  bool inside(int j, std::uint8_t c) const { return !(outside_[c] >> j & 1); }
  static std::uint8_t outside(const Coordinates& c)
  {
    return static_cast<std::uint8_t>((c[0] < 0) | (c[1] < 0) << 1 | (c[2] < 0) << 2 | (c[3] < 0) << 3);
  }

  /// The corner where edge (in, out) leaves; the same for both faces at the edge.
  std::uint8_t crossing(int j, std::uint8_t in, std::uint8_t out)
  {
    for (int k = 0; k < cuts_; ++k)
      if (const Cut& cut = made_[static_cast<std::size_t>(k)]; cut.in == in && cut.out == out) return cut.corner;
    SUNDER_ASSERT(corners_ < most_corners);
    const double t = other_[in][j] / (other_[in][j] - other_[out][j]);
    const auto corner = static_cast<std::uint8_t>(corners_++);
    own_[corner] = own_[in] + t * (own_[out] - own_[in]);
    other_[corner] = other_[in] + t * (other_[out] - other_[in]);
    other_[corner][j] = 0;
    outside_[corner] = outside(other_[corner]);
    made_[static_cast<std::size_t>(cuts_++)] = {in, out, corner};
    return corner;
  }

  /// The part of a face inside, closed along the cut; the cap gets the same edges the other way round. A convex face
  /// leaves and enters once. Where round-off makes it do so more often, any pairing leaves the surface closed.
  Face clip_face(const Face& whole, int j, Face& cap)
  {
    Face clipped;
    clipped.from_clipper = whole.from_clipper;
    std::array<std::uint8_t, Face::most> exits{}, entries{};
    std::size_t num_exits = 0, num_entries = 0;
    for (int k = 0; k < whole.count; ++k) {
      const auto [u, v] = whole.edges[static_cast<std::size_t>(k)];
      const bool u_in = inside(j, u), v_in = inside(j, v);
      if (u_in && v_in) {
        clipped.add({u, v});
      } else if (u_in) {
        const std::uint8_t c = crossing(j, u, v);
        clipped.add({u, c});
        exits[num_exits++] = c;
      } else if (v_in) {
        const std::uint8_t c = crossing(j, v, u);
        clipped.add({c, v});
        entries[num_entries++] = c;
      }
    }
    for (std::size_t k = 0; k < num_exits; ++k) {
      clipped.add({exits[k], entries[k]});
      cap.add({entries[k], exits[k]});
    }
    return clipped;
  }

  struct Cut {
    std::uint8_t in, out, corner;
  };
  std::array<Coordinates, most_corners> own_, other_;
  std::array<std::uint8_t, most_corners> outside_;  // bit j: beyond the clipper's face j
  std::array<Face, most_faces> faces_;
  std::array<Cut, most_corners> made_;
  int corners_ = 0, num_faces_ = 0, cuts_ = 0;
};

/// Adds up the region from its faces: volume and first moment by tetrahedra from one corner, areas by their bases, all
/// in the space of the subject's own coordinates 1 to 3.
struct Measure {
  double six_volumes = 0;
  Coordinates moment = Coordinates::Zero();
  Vec3 twice_area = Vec3::Zero();

  explicit Measure(const Region& region)
  {
    const std::uint8_t q = region.faces().front().edges[0].from;
    for (const Face& face : region.faces()) {
      const std::uint8_t apex = face.edges[0].from;
      const Coordinates &first = region.own(apex), to_apex = first - region.own(q), two = first + region.own(q);
      Vec3 twice = Vec3::Zero();
      for (int k = 1; k < face.count; ++k) {
        const auto [u, v] = face.edges[static_cast<std::size_t>(k)];
        if (v == apex) continue;
        const Vec3 base = (region.own(u) - first).tail<3>().cross((region.own(v) - first).tail<3>());
        const double part = to_apex.tail<3>().dot(base);
        twice += base;
        six_volumes += part;
        moment += part / 4 * (two + region.own(u) + region.own(v));
      }
      if (face.from_clipper) twice_area += twice;  // those from the subject add up to minus the same
    }
  }
};

Coordinates weights(const Coordinates& moment)
{
  const Coordinates positive = moment.cwiseMax(0);
  return positive / positive.sum();
}

/// coordinates: of the subject's corners in the clipper.
TetOverlap clip(const Mat34& subject, const Barycentric& in_subject, const Barycentric& in_clipper,
                const std::array<Coordinates, 4>& coordinates)
{
  TetOverlap result;
  Coordinates least = coordinates[0];
  for (std::size_t a = 1; a < 4; ++a) least = least.cwiseMin(coordinates[a]);
  Region region(coordinates);
  for (int j = 0; j < 4; ++j)
    if (least[j] < 0 && !region.clip(j)) return result;
  const Measure measure(region);
  if (!(measure.six_volumes > 0)) return result;
  result.volume = measure.six_volumes * std::abs(in_subject.volume);
  result.weights_a = weights(measure.moment);
  result.weights_b = weights(in_clipper.at(subject * result.weights_a));
  // Area vectors go with the cofactors of the edges: the volume times the gradients.
  result.area = 3 * std::abs(in_subject.volume) * (in_subject.gradient.rightCols<3>() * measure.twice_area);
  return result;
}

/// Coordinates in `of` of the corners p. False if a face of `of` has all of p beyond it.
bool meets(const Barycentric& of, const Mat34& p, std::array<Coordinates, 4>& coordinates)
{
  Coordinates furthest_in = Coordinates::Constant(-1);
  for (std::size_t a = 0; a < 4; ++a) {
    coordinates[a] = of.at(p.col(static_cast<int>(a)));
    furthest_in = furthest_in.cwiseMax(coordinates[a]);
  }
  return (furthest_in.array() > thinnest).all();
}

}  // namespace

Eigen::Vector4d Barycentric::at(const Vec3& x) const
{
  Eigen::Vector4d n = gradient.transpose() * (x - origin);
  n[0] += 1;
  return n;
}

Barycentric barycentric(const Mat34& p)
{
  Barycentric b;
  b.origin = p.col(0);
  const Vec3 x = p.col(1) - b.origin, y = p.col(2) - b.origin, z = p.col(3) - b.origin;
  const Vec3 yz = y.cross(z);
  const double determinant = yz.dot(x);
  const double edge = std::max({x.squaredNorm(), y.squaredNorm(), z.squaredNorm()});
  if (!(std::abs(determinant) > 1e-14 * edge * std::sqrt(edge))) return b;  // also if not a number
  b.volume = determinant / 6;
  b.gradient.col(1) = yz / determinant;
  b.gradient.col(2) = z.cross(x) / determinant;
  b.gradient.col(3) = x.cross(y) / determinant;
  b.gradient.col(0) = -(b.gradient.col(1) + b.gradient.col(2) + b.gradient.col(3));
  return b;
}

TetOverlap overlap_tets(const Mat34& a, const Barycentric& in_a, const Mat34& b, const Barycentric& in_b)
{
  std::array<Coordinates, 4> a_in_b, b_in_a;
  if (in_a.volume == 0 || in_b.volume == 0 || !meets(in_b, a, a_in_b) || !meets(in_a, b, b_in_a)) return {};
  if (std::abs(in_a.volume) <= std::abs(in_b.volume)) return clip(a, in_a, in_b, a_in_b);
  TetOverlap result = clip(b, in_b, in_a, b_in_a);
  std::swap(result.weights_a, result.weights_b);
  result.area *= -1;
  return result;
}

TetOverlap overlap_tets(const Mat34& a, const Mat34& b)
{
  return overlap_tets(a, barycentric(a), b, barycentric(b));
}

}  // namespace sunder::contact
