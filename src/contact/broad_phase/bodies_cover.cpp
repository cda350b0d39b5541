#include "contact/broad_phase/bodies_cover.hpp"

#include "geometry/box_tree.hpp"

namespace sunder::contact {
namespace {

geometry::Box joined(geometry::Box a, const geometry::Box& b)
{
  a.include(b);
  return a;
}

/// Elements that stand side by side in the array lie side by side in space, as far as no crack has parted them: boxes
/// of up to 64 of them, no longer than ten edges.
std::vector<geometry::Box> boxes_of_groups(const SweptBodies& bodies)
{
  constexpr int most = 64;
  const double longest = 10 * bodies.size;
  std::vector<geometry::Box> groups;
  int count = most;
  for (LocalIndex slot = 0; slot < bodies.mesh.num_slots(); ++slot) {
    if (!bodies.mesh.alive(slot)) continue;
    geometry::Box box = box_around(swept(bodies, slot), bodies.elapsed);
    box.grow(bodies.size / 2);
    if (count < most)
      if (const geometry::Box both = joined(groups.back(), box); (both.high - both.low).maxCoeff() <= longest) {
        groups.back() = both, ++count;
        continue;
      }
    groups.push_back(box), count = 1;
  }
  return groups;
}

}  // namespace

std::vector<geometry::Box> bodies_cover(const SweptBodies& bodies)
{
  constexpr int usual = 32;
  geometry::BoxTree tree;
  tree.build(boxes_of_groups(bodies));
  return tree.cover(usual);
}

}  // namespace sunder::contact
