#include "contact/broad_phase/surface_element.hpp"

#include "geometry/corners.hpp"

namespace sunder::contact {

void pack(Bytes& bytes, const SurfaceElement& element)
{
  put(bytes, element.is);
  for (const Mat34* corners : {&element.motion.start, &element.motion.end})
    for (int k = 0; k < 12; ++k) put(bytes, corners->data()[k]);
}

SurfaceElement unpack(ByteReader& in)
{
  SurfaceElement element{in.get<SurfaceElementFacts>(), {}};
  for (Mat34* corners : {&element.motion.start, &element.motion.end})
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
    is.nodes[a] = node.id, is.owners[a] = node.owner;
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

geometry::LinearMotion motion(const SweptBodies& bodies, LocalIndex slot, const ListWindow& window)
{
  const Tet& tet = bodies.mesh.tet(slot);
  const Mat34 p = geometry::corners_of(tet, bodies.p), v = geometry::corners_of(tet, bodies.v);
  return {p, p + window.time * v};
}

geometry::Box swept(const geometry::LinearMotion& motion, double skin)
{
  geometry::Box box;
  for (int a = 0; a < 4; ++a) box.include(Vec3(motion.start.col(a))), box.include(Vec3(motion.end.col(a)));
  box.grow(skin);
  return box;
}

}  // namespace sunder::contact
