#include "simulation/hybrid/body_contacts.hpp"

#include "core/bytes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace sunder::simulation {
namespace {

/// Fragment of an element that is another rank's: that rank tells.
constexpr std::int64_t told_by_another = std::numeric_limits<std::int64_t>::max();

auto pair_of(const BodyContact& c)
{
  return std::tie(c.element_a, c.element_b);
}

/// Each pair of elements was seen by the primary rank of a, which knows all but fragment b, and by that of b.
std::vector<BodyContact> joined(std::vector<BodyContact> halves)
{
  std::vector<BodyContact> contacts;
  std::sort(halves.begin(), halves.end(), [](const BodyContact& x, const BodyContact& y) {
    return std::tie(x.element_a, x.element_b, x.a, x.b) < std::tie(y.element_a, y.element_b, y.a, y.b);
  });
  for (std::size_t k = 0; k < halves.size(); ++k) {
    BodyContact& contact = halves[k];
    if (contact.with_obstacle()) {
      contacts.push_back(contact);
    } else if (k + 1 < halves.size() && contact.b == told_by_another && pair_of(contact) == pair_of(halves[k + 1])) {
      contact.b = halves[++k].b;
      if (contact.a != contact.b) contacts.push_back(contact);
    }
  }
  std::sort(contacts.begin(), contacts.end(), [](const BodyContact& x, const BodyContact& y) {
    return std::tie(x.a, x.b, x.element_a, x.element_b) < std::tie(y.a, y.b, y.element_a, y.element_b);
  });
  return contacts;
}

template <std::size_t n, class Vector>
std::array<double, n> plain(const Vector& v)
{
  std::array<double, n> numbers{};
  for (std::size_t k = 0; k < n; ++k) numbers[k] = v[static_cast<Eigen::Index>(k)];
  return numbers;
}

Vec3 vector(const std::array<double, 3>& a)
{
  return Vec3(a.data());
}

/// Of an element's free faces, the outward unit normal that has the least angle with a direction; zero if none is free.
Vec3 nearest_face(const Mat34& p, contact::FreeFaces free, const Vec3& direction)
{
  Vec3 nearest = Vec3::Zero();
  for (std::size_t face = 0; face < 4; ++face) {
    if ((free >> face & 1u) == 0) continue;
    const auto corner = [&](std::size_t k) {
      return Vec3(p.col(static_cast<Eigen::Index>(mesh::face_corners[face][k])));
    };
    const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    if (nearest.isZero(0) || normal.dot(direction) > nearest.dot(direction)) nearest = normal;
  }
  return nearest;
}

}  // namespace

BodyContacts::BodyContacts(const config::Scene& scene, State& state)
  : scene_(scene), state_(state), obstacles_(state.obstacles)
{
}

void BodyContacts::rebuild()
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  primary_.resize(static_cast<std::size_t>(mesh.num_slots()));
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) primary_[static_cast<std::size_t>(e)] = mesh.primary(e);
  obstacles_.drop_list();
  if (!scene_.collisions.enabled) return;
  collisions_.emplace(state_.comm, scene_.collisions.response, std::vector<double>(state_.model.materials.size(), 1.0));
  std::vector<LocalIndex> all(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(all.begin(), all.end(), 0);
  collisions_->update_surface(mesh, *state_.halo, all);
  std::vector<std::int64_t> fragments;
  for (const element::NodeHistory& history : state_.model.history) fragments.push_back(history.fragment);
  collisions_->set_bodies(std::move(fragments));
  refresh(0);
}

void BodyContacts::refresh(double interval)
{
  constexpr double shortest = 1e-6;  // [s]
  collisions_->refresh(state_.model.mesh, *state_.halo, state_.model.p, state_.model.v, state_.mesh_size,
                       std::max(interval, shortest));
}

std::vector<BodyContact> BodyContacts::find(double elapsed, double speed, double interval)
{
  if (collisions_) {
    collisions_->start_exchange(state_.model.p, state_.model.v);
    collisions_->finish_exchange(elapsed);
    if (state_.comm.max(std::int64_t{collisions_->stale(state_.model.p, 0)}) != 0) refresh(interval);
    collisions_->find_overlaps(state_.model.p, state_.model.v, interval);
  }
  const std::vector<BodyContact> mine = found_here(speed, interval);
  Bytes out;
  for (const BodyContact& contact : mine) put(out, contact);
  std::vector<BodyContact> all;
  const Bytes gathered = gather_on_all(state_.comm, out);
  for (ByteReader in(gathered); !in.done();) all.push_back(in.get<BodyContact>());
  return joined(std::move(all));
}

std::vector<BodyContact> BodyContacts::found_here(double speed, double interval)
{
  const element::Model& model = state_.model;
  const auto fragment = [&model](LocalIndex e) {
    return model.history[static_cast<std::size_t>(model.mesh.tet(e)[0])].fragment;
  };
  std::vector<BodyContact> found;
  for (const auto& touching :
       obstacles_.find_overlaps(model.mesh.tets(), primary_, model.p, speed, interval, state_.obstacle_motions))
    found.push_back({.element_a = model.mesh.element_id(touching.element),
                     .element_b = {touching.obstacle, 0},
                     .a = fragment(touching.element),
                     .b = -1 - static_cast<std::int64_t>(touching.obstacle),
                     .at = plain<3>(touching.center),
                     .normal = plain<3>(touching.normal),
                     .depth = touching.depth,
                     .weights_a = plain<4>(touching.weights)});
  if (!collisions_) return found;
  collisions_->for_each_overlap([&](const contact::Collisions::Touching& t) {
    const double area = t.overlap.area.norm();
    if (!(area > 0)) return;
    BodyContact contact{.element_a = t.a.id, .element_b = t.b.id};
    if (t.b.primary) {
      BodyContact half = contact;
      half.a = told_by_another, half.b = fragment(t.b.slot);
      found.push_back(half);
    }
    if (!t.a.primary) return;
    contact.a = fragment(t.a.slot), contact.b = told_by_another;
    contact.at = plain<3>(t.center), contact.normal = plain<3>(Vec3(t.overlap.area / area));
    const Vec3 own = vector(contact.normal), of_b = nearest_face(t.p_b, t.b.free, own),
               of_a = nearest_face(t.p_a, t.a.free, -own);
    contact.face = plain<3>(Vec3(of_b.dot(own) >= -of_a.dot(own) ? of_b : Vec3(-of_a)));
    contact.area = area, contact.volume = t.overlap.volume;
    contact.depth = std::min(t.overlap.volume / area, std::cbrt(t.overlap.volume));
    contact.weights_a = plain<4>(t.overlap.weights_a), contact.weights_b = plain<4>(t.overlap.weights_b);
    found.push_back(contact);
  });
  return found;
}

}  // namespace sunder::simulation
