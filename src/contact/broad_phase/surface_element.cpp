#include "contact/broad_phase/surface_element.hpp"

#include <algorithm>
#include <limits>

namespace sunder::contact {

std::vector<NodeMotion> motions_of(std::span<const Row4> p, std::span<const Row4> v, const ListWindow& window)
{
  std::vector<NodeMotion> motions(p.size());
  for (std::size_t n = 0; n < motions.size(); ++n) {
    motions[n] = {p[n], v[n]};
    motions[n].start.w = window.least_skin, motions[n].v.w = window.time;
  }
  return motions;
}

void pack(Bytes& bytes, const SurfaceElement& element)
{
  put(bytes, element.is);
  put(bytes, element.swept.skin), put(bytes, element.swept.until);
  for (const Mat34* corners : {&element.swept.start, &element.swept.v})
    for (int k = 0; k < 12; ++k) put(bytes, corners->data()[k]);
}

SurfaceElement unpack(ByteReader& in)
{
  SurfaceElement element;
  element.is = in.get<SurfaceElementFacts>();
  element.swept.skin = in.get<double>(), element.swept.until = in.get<double>();
  for (Mat34* corners : {&element.swept.start, &element.swept.v})
    for (int k = 0; k < 12; ++k) corners->data()[k] = in.get<double>();
  return element;
}

SurfaceElementFacts facts(const SweptBodies& bodies, LocalIndex slot)
{
  const mesh::TetMesh& mesh = bodies.mesh;
  SurfaceElementFacts is;
  is.id = mesh.element_id(slot), is.origin = origin(bodies.origins, is.id);
  is.slot = slot, is.free = bodies.surface.free_faces(slot);
  is.compliance = compliance(bodies, slot);
  for (std::size_t a = 0; a < 4; ++a) {
    const mesh::Node& node = mesh.node(mesh.tet(slot)[a]);
    is.nodes[a] = node.id, is.owners[a] = node.owner, is.X[a] = {node.X.x(), node.X.y(), node.X.z()};
  }
  return is;
}

double compliance(const SweptBodies& bodies, LocalIndex slot)
{
  double size = 0;
  for (const LocalIndex n : bodies.mesh.tet(slot)) size += bodies.mesh.node(n).size / 4;
  return size / bodies.moduli[bodies.mesh.material(slot)];
}

ElementId origin(const Origins& origins, ElementId id)
{
  const auto made = origins.find(id);
  return made == origins.end() ? id : made->second;
}

SweptElement swept(const SweptBodies& bodies, LocalIndex slot)
{
  SweptElement element;
  element.until = std::numeric_limits<double>::infinity();
  const Tet& tet = bodies.mesh.tet(slot);
  for (std::size_t a = 0; a < 4; ++a) {
    const NodeMotion& of_node = bodies.motions[static_cast<std::size_t>(tet[a])];
    element.start.col(static_cast<int>(a)) = of_node.start.xyz(), element.v.col(static_cast<int>(a)) = of_node.v.xyz();
    element.skin = std::max(element.skin, of_node.start.w), element.until = std::min(element.until, of_node.v.w);
  }
  return element;
}

geometry::Box box_around(const SweptElement& element, double from)
{
  const Mat34 first = element.at(from), last = element.at(std::max(from, element.until));
  geometry::Box box;
  for (int a = 0; a < 4; ++a) box.include(Vec3(first.col(a))), box.include(Vec3(last.col(a)));
  box.grow(element.skin);
  return box;
}

}  // namespace sunder::contact
