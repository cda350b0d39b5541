#include "contact/collisions.hpp"

#include "contact/corners.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder::contact {
namespace {

constexpr int collision_tag = 73;

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
                              std::span<const LocalIndex> changed, Origins origins)
{
  surface_.update(mesh, halo, changed);
  mesh_changed_ = true;
  origins_ = std::move(origins);
}

void Collisions::refresh(const mesh::TetMesh& mesh, std::span<const Row4> p, std::span<const Row4> v, double size,
                         double dt)
{
  const Window window = next_window(mesh, v, size, dt);
  const std::vector<Box> boxes = swept_boxes(mesh, surface_, p, v, window);
  if (mesh_changed_)
    tree_.build(boxes);
  else
    tree_.refit(boxes);
  const Near before = std::exchange(near_, find_near(comm_, mesh, surface_, tree_, p, v, window, moduli_, origins_));
  p_.resize(near_.nodes.size()), v_.resize(near_.nodes.size());
  exchange_.set(near_.neighbours);
  start_exchange(p, v);
  finish_exchange(0);
  gather(p, v);
  since_update_ = 0;
  active_.select(near_, p_, v_, dt);
  if (mesh_changed_) forgive(before);
  origins_.clear(), mesh_changed_ = false, elapsed_ = 0;
  ++refreshes_;
}

Window Collisions::next_window(const mesh::TetMesh& mesh, std::span<const Row4> v, double size, double dt)
{
  constexpr double reach = 0.25;            // of an edge: how far a window takes the fastest node
  constexpr double aim = 200, most = 2000;  // steps a window should last if nothing breaks
  double fastest = 0;
  for (const LocalIndex e : surface_.elements())
    for (const LocalIndex n : mesh.tet(e)) fastest = std::max(fastest, v[static_cast<std::size_t>(n)].xyz().norm());
  fastest = comm_.max(fastest);
  if (!mesh_changed_) slack_share_ = std::clamp(slack_share_ * (elapsed_ < aim / 2 * dt ? 1.5 : 0.8), 0.02, 0.15);
  return {std::clamp(reach * size / std::max(fastest, 1e-300), dt, most * dt), slack_share_ * size};
}

void Collisions::forgive(const Near& before)
{
  const auto find_before = [&before](ElementId a, ElementId b) -> const NearPair* {
    const auto ids = [&before](const NearPair& pair) {
      return std::pair{before.elements[static_cast<std::size_t>(pair.a)].id,
                       before.elements[static_cast<std::size_t>(pair.b)].id};
    };
    const auto wanted = std::minmax(a, b);
    const auto at = std::lower_bound(before.pairs.begin(), before.pairs.end(), std::pair{wanted.first, wanted.second},
                                     [&](const NearPair& pair, const auto& w) { return ids(pair) < w; });
    return at != before.pairs.end() && ids(*at) == std::pair{wanted.first, wanted.second} ? &*at : nullptr;
  };
  set_sides();
  for (const int k : active_.pairs()) {
    NearPair& pair = near_.pairs[static_cast<std::size_t>(k)];
    const NearElement &a = near_.elements[static_cast<std::size_t>(pair.a)],
                      &b = near_.elements[static_cast<std::size_t>(pair.b)];
    const NearPair* const old = find_before(a.origin, b.origin);
    if (old && old->forgiven == 0) continue;
    pair.overlap =
        pair_contact(response_, 0, sides_[static_cast<std::size_t>(pair.a)], sides_[static_cast<std::size_t>(pair.b)])
            .overlap;
    const double share = !old ? 1 : old->overlap > 0 ? std::min(1.0, old->forgiven / old->overlap) : 0;
    pair.forgiven = share * pair.overlap;
  }
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
  elapsed_ += dt, since_update_ += dt;
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

void Collisions::set_sides()
{
  sides_.resize(near_.elements.size());
  sides_set_.assign(near_.elements.size(), 0);
  for (const int k : active_.pairs())
    for (const int e : {near_.pairs[static_cast<std::size_t>(k)].a, near_.pairs[static_cast<std::size_t>(k)].b}) {
      if (std::exchange(sides_set_[static_cast<std::size_t>(e)], std::uint8_t{1})) continue;
      const NearElement& element = near_.elements[static_cast<std::size_t>(e)];
      sides_[static_cast<std::size_t>(e)] = {corners_of(element.nodes, p_), corners_of(element.nodes, v_),
                                             element.free};
    }
}

double Collisions::add_forces(std::span<const Row4> p, std::span<const Row4> v, double dt, std::span<Row4> f)
{
  applied_.clear();
  gather(p, v);
  active_.update(near_, p_, v_, std::exchange(since_update_, 0.0), dt);
  set_sides();
  for (const int k : active_.pairs()) {
    NearPair& pair = near_.pairs[static_cast<std::size_t>(k)];
    const NearElement &a = near_.elements[static_cast<std::size_t>(pair.a)],
                      &b = near_.elements[static_cast<std::size_t>(pair.b)];
    const PairContact contact = pair_contact(response_, stiffness(a, b), sides_[static_cast<std::size_t>(pair.a)],
                                             sides_[static_cast<std::size_t>(pair.b)], pair.forgiven);
    pair.overlap = contact.overlap;
    if (!(pair.overlap > pair.forgiven)) {
      pair.forgiven = pair.overlap;
      continue;
    }
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
    const auto velocities = [&](int e) { return corners_of(near_.elements[static_cast<std::size_t>(e)].nodes, v_); };
    sum +=
        applied.on_a.cwiseProduct(velocities(applied.a)).sum() + applied.on_b.cwiseProduct(velocities(applied.b)).sum();
  }
  return sum;
}

}  // namespace sunder::contact
