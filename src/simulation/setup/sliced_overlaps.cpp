#include "simulation/setup/sliced_overlaps.hpp"

#include "contact/broad_phase/rank_rendezvous.hpp"
#include "contact/obstacle_contact.hpp"
#include "core/reduction.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"
#include "simulation/setup/body_overlaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sunder::simulation {
namespace {

using contact::Interpenetration;
using geometry::Box;
using partition::SlicedMesh;

/// An element by its corners' places.
struct PlacedElement {
  std::array<double, 12> corners{};
  std::int32_t body = 0;

  Vec3 corner(std::size_t a) const { return Vec3(corners.data() + 3 * a); }
  Box box() const
  {
    Box box;
    for (std::size_t a = 0; a < 4; ++a) box.include(corner(a));
    return box;
  }
};

/// Elements of one body, as what asks about bodies takes them.
struct Cloud {
  std::vector<Vec3> nodes;
  std::vector<std::array<GlobalIndex, 4>> tets;

  void add(const PlacedElement& element)
  {
    const auto first = static_cast<GlobalIndex>(nodes.size());
    for (std::size_t a = 0; a < 4; ++a) nodes.push_back(element.corner(a));
    tets.push_back({first, first + 1, first + 2, first + 3});
  }
};

/// Collective. visit(elements) for some of this rank's elements at a time.
template <class Visit>
void visit_elements(const Comm& comm, const SlicedMesh& mesh, Visit&& visit)
{
  std::vector<std::array<double, 3>> places;
  for (const auto& node : mesh.nodes) places.push_back(node.X);
  const std::size_t batches = partition::batches_of(comm, mesh.elements.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const std::size_t first = std::min(batch * partition::rows_at_once, mesh.elements.size());
    const auto some =
        std::span(mesh.elements).subspan(first, std::min(partition::rows_at_once, mesh.elements.size() - first));
    std::vector<GlobalIndex> nodes;
    for (const auto& e : some) nodes.insert(nodes.end(), e.nodes.begin(), e.nodes.end());
    sort_unique(nodes);
    const auto fetched = partition::fetch<std::array<double, 3>>(comm, mesh.node_blocks, places, nodes);
    std::vector<PlacedElement> elements;
    elements.reserve(some.size());
    for (const auto& e : some) {
      PlacedElement& element = elements.emplace_back();
      element.body = static_cast<std::int32_t>(partition::body_of(e.position));
      for (std::size_t a = 0; a < 4; ++a) {
        const auto& x = fetched[partition::place_of(nodes, e.nodes[a])];
        std::copy(x.begin(), x.end(), element.corners.begin() + static_cast<std::ptrdiff_t>(3 * a));
      }
    }
    visit(elements);
  }
}

/// Collective. This rank's elements that reach into another body's box.
std::vector<PlacedElement> candidates(const Comm& comm, const SlicedMesh& mesh, const std::vector<Box>& boxes)
{
  std::vector<PlacedElement> found;
  visit_elements(comm, mesh, [&](const std::vector<PlacedElement>& elements) {
    for (const PlacedElement& element : elements) {
      const Box box = element.box();
      for (std::size_t b = 0; b < boxes.size(); ++b)
        if (b != static_cast<std::size_t>(element.body) && boxes[b].meets(box)) {
          found.push_back(element);
          break;
        }
    }
  });
  return found;
}

/// Collective. Those of other ranks that may overlap some of this rank's.
std::vector<PlacedElement> met(const Comm& comm, const std::vector<PlacedElement>& mine)
{
  Box around;
  for (const PlacedElement& element : mine) around.include(element.box());
  const std::vector<Box> region(mine.empty() ? 0 : 1, around);
  std::vector<Message> out;
  for (const contact::RankBoxes& peer : contact::rank_rendezvous(comm, region)) {
    std::vector<PlacedElement> theirs;
    for (const PlacedElement& element : mine)
      if (std::any_of(peer.boxes.begin(), peer.boxes.end(), [&](const Box& b) { return b.meets(element.box()); }))
        theirs.push_back(element);
    out.push_back({peer.rank, partition::bytes_of(std::span<const PlacedElement>(theirs))});
  }
  std::vector<PlacedElement> all;
  for (const Message& message : sparse_exchange(comm, out)) {
    const auto come = partition::values_of<PlacedElement>(message.bytes);
    all.insert(all.end(), come.begin(), come.end());
  }
  return all;
}

/// Collective. The sum over all ranks.
Interpenetration added(const Comm& comm, Interpenetration shared)
{
  shared.centre *= shared.volume;
  shared.volume = comm.sum(shared.volume);
  for (int i = 0; i < 3; ++i) shared.area[i] = comm.sum(shared.area[i]), shared.centre[i] = comm.sum(shared.centre[i]);
  if (shared.volume > 0) shared.centre /= shared.volume;
  return shared;
}

contact::Solid solid_of(const std::vector<PlacedElement>& elements, std::size_t body)
{
  Cloud cloud;
  for (const PlacedElement& element : elements)
    if (static_cast<std::size_t>(element.body) == body) cloud.add(element);
  return {cloud.nodes, cloud.tets};
}

std::string name_of(const config::Scene& scene, std::size_t body)
{
  return "bodies." + scene.bodies[body].name;
}

}  // namespace

std::vector<Box> boxes_of(const Comm& comm, std::size_t bodies, const SlicedMesh& mesh)
{
  std::vector<Box> boxes(bodies);
  for (const auto& node : mesh.nodes) boxes[partition::body_of(node.position)].include(Vec3(node.X.data()));
  Reduction all;
  for (Box& box : boxes) {
    box.low = -box.low;
    for (int i = 0; i < 3; ++i) all.max(box.low[i], box.high[i]);
  }
  all.over(comm);
  for (Box& box : boxes) box.low = -box.low;
  return boxes;
}

void refuse_overlaps(const Comm& comm, const config::Scene& scene, const SlicedMesh& mesh)
{
  const std::vector<Box> boxes = boxes_of(comm, scene.bodies.size(), mesh);
  bool may_overlap = false;
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) may_overlap = may_overlap || boxes[a].meets(boxes[b]);
  if (!may_overlap) return;
  const std::vector<PlacedElement> mine = candidates(comm, mesh, boxes);
  std::vector<PlacedElement> all = met(comm, mine);
  all.insert(all.end(), mine.begin(), mine.end());
  std::vector<std::string> found;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const contact::Solid of_b = solid_of(mine, b);
    for (std::size_t a = 0; a < b; ++a) {
      if (!boxes[a].meets(boxes[b])) continue;
      const Interpenetration shared = added(comm, of_b.with(solid_of(all, a)));
      if (shared.volume > 0) found.push_back(text_of_overlap(name_of(scene, a), name_of(scene, b), shared));
    }
  }
  if (!found.empty()) throw_on_all(comm, text_of_overlaps(config::message_key(scene, "bodies"), found));
}

void note_obstacle_overlaps(const Comm& comm, const config::Scene& scene, const SlicedMesh& mesh,
                            const std::vector<double>& sizes, std::vector<std::string>& notes)
{
  const std::size_t bodies = scene.bodies.size(), obstacles = scene.obstacles.size();
  if (obstacles == 0) return;
  std::vector<double> length(bodies, 0), count(bodies, 0);
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const std::size_t body = partition::body_of(mesh.nodes[n].position);
    length[body] += sizes[n], ++count[body];
  }
  std::vector<Interpenetration> shared(bodies * obstacles);
  visit_elements(comm, mesh, [&](const std::vector<PlacedElement>& elements) {
    std::vector<Cloud> clouds(bodies);
    for (const PlacedElement& element : elements) clouds[static_cast<std::size_t>(element.body)].add(element);
    for (std::size_t b = 0; b < bodies; ++b)
      for (std::size_t k = 0; k < obstacles; ++k) {
        const Interpenetration more = contact::interpenetration(clouds[b].nodes, clouds[b].tets, scene.obstacles[k],
                                                                rigid::motion_at(scene.obstacles[k], 0));
        Interpenetration& sum = shared[b * obstacles + k];
        sum.volume += more.volume, sum.area += more.area, sum.centre += more.volume * more.centre;
      }
  });
  for (std::size_t b = 0; b < bodies; ++b) {
    const double edge = comm.sum(length[b]) / comm.sum(count[b]);
    for (std::size_t k = 0; k < obstacles; ++k) {
      Interpenetration mine = shared[b * obstacles + k];
      if (mine.volume > 0) mine.centre /= mine.volume;
      const auto note = text_of_obstacle_overlap(name_of(scene, b), scene.obstacles[k], added(comm, mine), edge);
      if (note) notes.push_back(*note);
    }
  }
}

}  // namespace sunder::simulation
