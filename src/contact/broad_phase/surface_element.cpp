#include "contact/broad_phase/surface_element.hpp"

#include <algorithm>

namespace sunder::contact {

bool SurfaceElementFacts::shares_node(const SurfaceElementFacts& other) const
{
  return std::find_first_of(nodes.begin(), nodes.end(), other.nodes.begin(), other.nodes.end()) != nodes.end();
}

void pack(Bytes& bytes, const SurfaceElement& c)
{
  put(bytes, c.is);
  for (const Mat34* corners : {&c.motion.start, &c.motion.end})
    for (int k = 0; k < 12; ++k) put(bytes, corners->data()[k]);
}

SurfaceElement unpack(ByteReader& in)
{
  SurfaceElement c{in.get<SurfaceElementFacts>(), {}};
  for (Mat34* corners : {&c.motion.start, &c.motion.end})
    for (int k = 0; k < 12; ++k) corners->data()[k] = in.get<double>();
  return c;
}

geometry::LinearMotion motion_of(const Mat34& p, const Mat34& v, const ListWindow& window)
{
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
