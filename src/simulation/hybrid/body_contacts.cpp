#include "simulation/hybrid/body_contacts.hpp"

#include "contact/narrow_phase/element_overlap.hpp"
#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "core/bytes.hpp"
#include "geometry/separating_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace sunder::simulation {
namespace {

std::array<double, 4> weights(const Eigen::Vector4d& w)
{
  return {w[0], w[1], w[2], w[3]};
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

/// Collective.
std::vector<BodyContact> of_all_ranks(const Comm& comm, std::vector<BodyContact> mine)
{
  if (comm.size() == 1) return mine;
  const Bytes gathered = gather_on_all(comm, std::as_bytes(std::span(mine)));
  mine.resize(gathered.size() / sizeof(BodyContact));
  if (!gathered.empty()) std::memcpy(mine.data(), gathered.data(), gathered.size());
  return mine;
}

/// By fragments, then by elements. Contacts are large, so each is moved once.
std::vector<BodyContact> sorted(const std::vector<BodyContact>& contacts)
{
  const auto key = [](const BodyContact& c) { return std::tie(c.a, c.b, c.element_a, c.element_b); };
  std::vector<const BodyContact*> order;
  order.reserve(contacts.size());
  for (const BodyContact& c : contacts) order.push_back(&c);
  std::sort(order.begin(), order.end(),
            [&key](const BodyContact* x, const BodyContact* y) { return key(*x) < key(*y); });
  std::vector<BodyContact> in_order;
  in_order.reserve(contacts.size());
  for (const BodyContact* c : order) in_order.push_back(*c);
  return in_order;
}

}  // namespace

BodyContacts::BodyContacts(const config::Scene& scene, const State& state, const RigidBodies& bodies)
  : scene_(scene), state_(state), bodies_(bodies), surfaces_(state)
{
}

void BodyContacts::rebuild()
{
  surfaces_.rebuild(bodies_);
  new_ = true;
}

void BodyContacts::update(std::span<const std::int64_t> before, std::span<const std::int64_t> now)
{
  surfaces_.update(bodies_, before, now);
}

std::vector<BodyContact> BodyContacts::find(std::span<const BodyContact> earlier)
{
  std::vector<BodyContact> mine = with_obstacles();
  if (scene_.collisions.enabled)
    for (const auto& [a, b] : surfaces_.near_pairs(bodies_, new_)) add_between(*a, *b, mine);
  std::vector<BodyContact> all = of_all_ranks(state_.comm, std::move(mine));
  const auto asleep = [this](std::int64_t fragment) { return bodies_.all()[bodies_.find(fragment)].asleep; };
  if (!new_)
    for (const BodyContact& contact : earlier)
      if (!contact.with_obstacle() && asleep(contact.a) && asleep(contact.b)) all.push_back(contact);
  new_ = false;
  return sorted(all);
}

/// Local. Of the elements that this rank counts.
std::vector<BodyContact> BodyContacts::with_obstacles() const
{
  std::vector<BodyContact> found;
  for (const auto& [fragment, piece] : surfaces_.own()) {
    const Placement placement = bodies_.all()[bodies_.find(fragment)].placement();
    for (std::size_t k = 0; k < state_.obstacles.size(); ++k) {
      const contact::Obstacle& obstacle = state_.obstacles[k];
      const rigid::Motion& motion = state_.obstacle_motions[k];
      const auto near = [&](const geometry::Box& box) {
        return !(contact::gap_to(obstacle, motion, turned(placement, box)) > 0);
      };
      piece.tree.search(near, [&, body = fragment, &of = piece](int i) {
        const SurfacePiece::Element& element = of.elements[static_cast<std::size_t>(i)];
        const geometry::Overlap overlap = contact::overlap_with(obstacle, motion, placement(element.X));
        if (!(overlap.volume > 0)) return;
        const Vec3 normal = contact::contact_normal(overlap, obstacle, motion);
        if (normal.isZero(0)) return;
        // The centre of a flat layer is half as deep as the layer.
        found.push_back({.element_a = element.id,
                         .element_b = {k, 0},
                         .a = body,
                         .b = -1 - static_cast<std::int64_t>(k),
                         .at = plain(overlap.centre),
                         .normal = plain(Vec3(normal.normalized())),
                         .depth = 2 * std::max(0.0, contact::depth_in(obstacle, motion, overlap.centre).metres),
                         .weights_a = weights(overlap.weights)});
      });
    }
  }
  return found;
}

/// Local. The element with the smaller id is the first one of each contact.
void BodyContacts::add_between(const SurfacePiece& a, const SurfacePiece& b, std::vector<BodyContact>& found) const
{
  const Placement place_a = bodies_.all()[bodies_.find(a.body)].placement(),
                  place_b = bodies_.all()[bodies_.find(b.body)].placement();
  // From the material of b to that of a: trees are compared there.
  const Mat3 back = place_a.turn.transpose();
  const Placement across{back * place_b.turn, place_b.material_center,
                         place_a.material_center + back * (place_b.center - place_a.center)};
  const double least_gap = 1e-8 * state_.mesh_size;  // far wider than round-off, so there is no overlap either
  const auto meet = [&](const geometry::Box& box_a, const geometry::Box& box_b) {
    return box_a.meets(turned(across, box_b));
  };
  a.tree.query_pairs(b.tree, meet, [&](int i, int j) {
    const SurfacePiece::Element &e = a.elements[static_cast<std::size_t>(i)],
                                &f = b.elements[static_cast<std::size_t>(j)];
    const Mat34 p_e = place_a(e.X), p_f = place_b(f.X);
    if (geometry::are_apart(p_e, p_f, least_gap)) return;
    const bool in_order = e.id < f.id;
    const contact::Side side_e(p_e, e.free), side_f(p_f, f.free);
    const contact::Side &first = in_order ? side_e : side_f, &second = in_order ? side_f : side_e;
    const contact::ElementOverlap overlap = overlap_of_elements(first, second);
    const double area = overlap.area.norm();
    if (!(area > 0)) return;
    const Vec3 own = overlap.area / area, of_second = nearest_face(second.p, second.free, own),
               of_first = nearest_face(first.p, first.free, -own);
    found.push_back({.element_a = in_order ? e.id : f.id,
                     .element_b = in_order ? f.id : e.id,
                     .a = in_order ? a.body : b.body,
                     .b = in_order ? b.body : a.body,
                     .at = plain(Vec3(first.p * overlap.weights_a)),
                     .normal = plain(own),
                     .face = plain(Vec3(of_second.dot(own) >= -of_first.dot(own) ? of_second : Vec3(-of_first))),
                     .depth = std::min(overlap.volume / area, std::cbrt(overlap.volume)),
                     .area = area,
                     .volume = overlap.volume,
                     .weights_a = weights(overlap.weights_a),
                     .weights_b = weights(overlap.weights_b)});
  });
}

}  // namespace sunder::simulation
