#include "simulation/loading/loads.hpp"

#include "simulation/loading/blast.hpp"
#include "simulation/loading/over_time.hpp"

#include <algorithm>
#include <bit>

namespace sunder::simulation {
namespace {

/// The matrix of a x.
Mat3 cross_matrix(const Vec3& a)
{
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace

Loads::Loads(std::vector<config::Load> loads, const mesh::TetMesh& mesh)
  : loads_(std::move(loads)), tractions_(loads_.size(), Vec3::Zero()), pressures_(loads_.size(), 0)
{
  find_loaded_faces(mesh);
}

void Loads::find_loaded_faces(const mesh::TetMesh& mesh)
{
  faces_.clear();
  if (loads_.empty()) return;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) find_faces_of(mesh, e);
}

void Loads::find_faces_of(const mesh::TetMesh& mesh, LocalIndex e)
{
  const mesh::FaceMarks marks = mesh.face_marks(e);
  if (marks == mesh::FaceMarks{}) return;
  const std::uint64_t all_loads = ~std::uint64_t{0} >> (64 - loads_.size());
  const Tet& tet = mesh.tet(e);
  for (std::size_t a = 0; a < 4; ++a) {
    const std::uint64_t of_loads = marks[a] & all_loads;
    if (of_loads == 0) continue;
    Face face{.element = e, .marks = of_loads};
    for (std::size_t c = 0; c < 3; ++c) {
      face.nodes[c] = tet[mesh::face_corners[a][c]];
      face.owned[c] = mesh.owned(face.nodes[c]);
    }
    if (face.owned == std::array{false, false, false}) continue;
    const auto X = [&](std::size_t c) { return mesh.node(face.nodes[c]).X; };
    face.third = (X(1) - X(0)).cross(X(2) - X(0)).norm() / 6;
    faces_.push_back(face);
  }
}

void Loads::update_loaded_faces(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed)
{
  if (loads_.empty()) return;
  std::erase_if(
      faces_, [changed](const Face& face) { return std::binary_search(changed.begin(), changed.end(), face.element); });
  const auto kept = std::ssize(faces_);
  for (const LocalIndex e : changed) find_faces_of(mesh, e);
  std::inplace_merge(faces_.begin(), faces_.begin() + kept, faces_.end(),
                     [](const Face& x, const Face& y) { return x.element < y.element; });
}

void Loads::add_forces(std::span<const Row4> p, double t, std::span<Row4> f)
{
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    if (!loads_[k].traction.empty()) tractions_[k] = at_time(loads_[k].traction, t);
    if (!loads_[k].pressure.empty()) pressures_[k] = at_time(loads_[k].pressure, t);
  }
  for (Face& face : faces_) {
    const auto corner = [&](std::size_t c) { return p[static_cast<std::size_t>(face.nodes[c])].xyz(); };
    const Vec3 a = corner(0), b = corner(1), c = corner(2);
    Vec3 traction = Vec3::Zero();
    double pressure = 0;
    for (std::size_t k = 0; k < loads_.size(); ++k) {
      if (!(face.marks >> k & 1u)) continue;
      traction += tractions_[k], pressure += pressures_[k];
      if (loads_[k].blast) pressure += blast_pressure(*loads_[k].blast, (a + b + c) / 3, t);
    }
    face.force = face.third * traction - pressure / 6 * (b - a).cross(c - a);
    for (const LocalIndex n : face.nodes) {
      Row4& row = f[static_cast<std::size_t>(n)];
      row.x += face.force.x(), row.y += face.force.y(), row.z += face.force.z();
    }
  }
}

/// Of one load on each corner [N]; add_forces() has set its traction and pressure.
Vec3 Loads::force_of(std::size_t load, const Face& face, std::span<const Row4> p, double t) const
{
  const auto corner = [&](std::size_t c) { return p[static_cast<std::size_t>(face.nodes[c])].xyz(); };
  const Vec3 a = corner(0), b = corner(1), c = corner(2);
  const double pressure =
      pressures_[load] + (loads_[load].blast ? blast_pressure(*loads_[load].blast, (a + b + c) / 3, t) : 0);
  return face.third * tractions_[load] - pressure / 6 * (b - a).cross(c - a);
}

/// Minus the change of the force on any corner with the position of each; add_forces() has set the pressures. Moving
/// one corner by dx changes twice the face's area vector by the opposite edge times dx.
std::array<Mat3, 3> Loads::tangent_of(const Face& face, std::span<const Row4> p, double t) const
{
  const auto corner = [&](std::size_t c) { return p[static_cast<std::size_t>(face.nodes[c % 3])].xyz(); };
  const Vec3 centre = (corner(0) + corner(1) + corner(2)) / 3;
  double pressure = 0;
  Vec3 gradient = Vec3::Zero();
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    if (!(face.marks >> k & 1u)) continue;
    pressure += pressures_[k];
    if (!loads_[k].blast) continue;
    pressure += blast_pressure(*loads_[k].blast, centre, t);
    gradient += blast_gradient(*loads_[k].blast, centre, t);
  }
  const Vec3 twice_area = (corner(1) - corner(0)).cross(corner(2) - corner(0));
  std::array<Mat3, 3> tangent;
  for (std::size_t c = 0; c < 3; ++c)
    tangent[c] = pressure / 6 * cross_matrix(corner(c + 2) - corner(c + 1)) + twice_area / 18 * gradient.transpose();
  return tangent;
}

void Loads::add_tangent(std::span<const Row4> p, double t, TangentKind kind,
                        const std::function<void(LocalIndex row, LocalIndex column, const Mat3& block)>& add) const
{
  if (kind == TangentKind::positive_definite) return;
  for (const Face& face : faces_) {
    const std::array<Mat3, 3> tangent = tangent_of(face, p, t);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3 && face.owned[a]; ++b) {
        if (kind == TangentKind::exact)
          add(face.nodes[a], face.nodes[b], tangent[b]);
        else
          add(face.nodes[a], face.nodes[b], 0.5 * (tangent[b] + tangent[a].transpose()));
      }
  }
}

void Loads::add_impulses(std::span<const Row4> p, double t, double dt, std::span<Impulse> impulses) const
{
  for (const Face& face : faces_) {
    const bool alone = std::has_single_bit(face.marks);
    for (std::size_t k = 0; k < loads_.size(); ++k) {
      if (!(face.marks >> k & 1u)) continue;
      const Vec3 impulse = dt * (alone ? face.force : force_of(k, face, p, t));
      for (std::size_t c = 0; c < 3; ++c)
        if (face.owned[c]) impulses[k].add(impulse, p[static_cast<std::size_t>(face.nodes[c])].xyz());
    }
  }
}

double Loads::power(std::span<const Row4> v) const
{
  double sum = 0;
  for (const Face& face : faces_)
    for (std::size_t c = 0; c < 3; ++c)
      if (face.owned[c]) sum += face.force.dot(v[static_cast<std::size_t>(face.nodes[c])].xyz());
  return sum;
}

}  // namespace sunder::simulation
