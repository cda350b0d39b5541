#include "contact/collisions.hpp"

#include "contact/pair_contact.hpp"

#include <algorithm>
#include <cmath>

namespace sunder::contact {
namespace {

constexpr int collision_tag = 73;

Mat34 columns(const std::array<int, 4>& nodes, const std::vector<Row4>& rows)
{
  Mat34 m;
  for (std::size_t a = 0; a < 4; ++a) m.col(static_cast<int>(a)) = rows[static_cast<std::size_t>(nodes[a])].xyz();
  return m;
}

/// Corners of faces, opposite each corner.
Vec3 face_normal(const Mat34& p, int face)
{
  const Vec3 base = p.col((face + 1) % 4);
  const Vec3 n = (Vec3(p.col((face + 2) % 4)) - base).cross(Vec3(p.col((face + 3) % 4)) - base);
  return n.dot(Vec3(p.col(face)) - base) > 0 ? Vec3(-n) : n;
}

/// Is all of `other` on the far side of a face of p?
bool separates(const Mat34& p, int face, const Mat34& other)
{
  const Vec3 n = face_normal(p, face), base = p.col((face + 1) % 4);
  return (n.transpose() * other).minCoeff() >= n.dot(base);
}

/// Separated by a face? The one that did it last is asked first: it mostly still does.
bool separated(const Mat34& a, const Mat34& b, std::uint8_t& separator)
{
  for (int k = 0; k < 8; ++k) {
    const int face = (separator + k) % 8;
    if (face < 4 ? separates(a, face, b) : separates(b, face - 4, a)) {
      separator = static_cast<std::uint8_t>(face);
      return true;
    }
  }
  return false;
}

void add(std::span<Row4> f, LocalIndex n, const Vec3& force)
{
  if (n < 0) return;  // another rank's: it has this pair too
  Row4& row = f[static_cast<std::size_t>(n)];
  row.x += force.x(), row.y += force.y(), row.z += force.z();
}

}  // namespace

Collisions::Collisions(const Comm& comm, const Response& response, std::vector<double> moduli)
  : comm_(comm), response_(response), moduli_(std::move(moduli)), exchange_(comm, collision_tag)
{
}

void Collisions::mesh_changed(const mesh::TetMesh& mesh, const partition::Halo& halo,
                              std::span<const LocalIndex> changed)
{
  surface_.update(mesh, halo, changed);
  rebuild_tree_ = true;
}

void Collisions::refresh(const mesh::TetMesh& mesh, std::span<const Row4> p, std::span<const Row4> v, double size,
                         double dt)
{
  constexpr double slack = 0.05, reach = 0.5;  // of an edge
  constexpr double least_steps = 20, most_steps = 2000;
  double fastest = 0;
  for (const LocalIndex e : surface_.elements())
    for (const LocalIndex n : mesh.tet(e)) fastest = std::max(fastest, v[static_cast<std::size_t>(n)].xyz().norm());
  fastest = comm_.max(fastest);
  const double last = refreshes_ > 0 ? 4 * elapsed_ : most_steps * dt;  // no longer than windows turn out to last
  const Window window{
      std::clamp(std::min(last, reach * size / std::max(fastest, 1e-300)), least_steps * dt, most_steps * dt),
      slack * size};
  const std::vector<Box> boxes = swept_boxes(mesh, surface_, p, v, window);
  if (std::exchange(rebuild_tree_, false))
    tree_.build(boxes);
  else
    tree_.refit(boxes);
  near_ = find_near(comm_, mesh, surface_, tree_, p, v, window, moduli_);
  p_.resize(near_.nodes.size()), v_.resize(near_.nodes.size());
  exchange_.set(near_.neighbours);
  start_exchange(p, v);
  finish_exchange(0);
  elapsed_ = 0;
  ++refreshes_;
}

bool Collisions::stale(std::span<const Row4> p, std::span<const Row4> v, double dt) const
{
  if (elapsed_ + dt > near_.window.time) return true;
  const double most = near_.window.slack * near_.window.slack / 16;  // half the slack now and half of that for the step
  return std::any_of(near_.watched.begin(), near_.watched.end(), [&](const WatchedNode& w) {
    const Vec3 off = p[static_cast<std::size_t>(w.node)].xyz() - w.p - elapsed_ * w.v;
    const Vec3 turn = dt * (v[static_cast<std::size_t>(w.node)].xyz() - w.v);
    return !(off.squaredNorm() < most && turn.squaredNorm() < most);
  });
}

void Collisions::start_exchange(std::span<const Row4> p, std::span<const Row4> v)
{
  exchange_.start(near_.neighbours, p, v);
}

void Collisions::finish_exchange(double dt)
{
  exchange_.finish(near_.neighbours, p_, v_);
  elapsed_ += dt;
}

void Collisions::gather(std::span<const Row4> p, std::span<const Row4> v)
{
  for (std::size_t k = 0; k < near_.nodes.size(); ++k)
    if (const LocalIndex n = near_.nodes[k]; n >= 0)
      p_[k] = p[static_cast<std::size_t>(n)], v_[k] = v[static_cast<std::size_t>(n)];
}

double Collisions::stiffness(const NearElement& a, const NearElement& b) const
{
  return response_.stiffness > 0 ? response_.stiffness : 1 / (a.softness + b.softness);
}

double Collisions::add_forces(std::span<const Row4> p, std::span<const Row4> v, std::span<Row4> f)
{
  applied_.clear();
  gather(p, v);
  for (NearPair& pair : near_.pairs) {
    const NearElement &a = near_.elements[static_cast<std::size_t>(pair.a)],
                      &b = near_.elements[static_cast<std::size_t>(pair.b)];
    const Side side_a{columns(a.nodes, p_), columns(a.nodes, v_), a.free};
    const Side side_b{columns(b.nodes, p_), columns(b.nodes, v_), b.free};
    if (separated(side_a.p, side_b.p, pair.separator)) continue;
    const PairContact contact = pair_contact(response_, stiffness(a, b), side_a, side_b);
    if (contact.overlap == 0) continue;
    for (std::size_t c = 0; c < 4; ++c) {
      add(f, near_.nodes[static_cast<std::size_t>(a.nodes[c])], contact.on_a.col(static_cast<int>(c)));
      add(f, near_.nodes[static_cast<std::size_t>(b.nodes[c])], contact.on_b.col(static_cast<int>(c)));
    }
    if (a.counted) applied_.push_back({pair.a, pair.b, contact.on_a, contact.on_b});
  }
  return applied_power();
}

double Collisions::power(std::span<const Row4> v)
{
  for (std::size_t k = 0; k < near_.nodes.size(); ++k)
    if (const LocalIndex n = near_.nodes[k]; n >= 0) v_[k] = v[static_cast<std::size_t>(n)];
  return applied_power();
}

double Collisions::applied_power() const
{
  double sum = 0;
  for (const Applied& applied : applied_) {
    const auto velocities = [&](int e) { return columns(near_.elements[static_cast<std::size_t>(e)].nodes, v_); };
    sum +=
        applied.on_a.cwiseProduct(velocities(applied.a)).sum() + applied.on_b.cwiseProduct(velocities(applied.b)).sum();
  }
  return sum;
}

}  // namespace sunder::contact
