#include "contact/candidate.hpp"

#include <algorithm>

namespace sunder::contact {

bool Identity::shares_node(const Identity& other) const
{
  return std::find_first_of(nodes.begin(), nodes.end(), other.nodes.begin(), other.nodes.end()) != nodes.end();
}

void pack(Bytes& bytes, const Candidate& c)
{
  put(bytes, c.is);
  for (const Mat34* corners : {&c.course.start, &c.course.end})
    for (int k = 0; k < 12; ++k) put(bytes, corners->data()[k]);
}

Candidate unpack(ByteReader& in)
{
  Candidate c{in.get<Identity>(), {}};
  for (Mat34* corners : {&c.course.start, &c.course.end})
    for (int k = 0; k < 12; ++k) corners->data()[k] = in.get<double>();
  return c;
}

Course course_of(const Mat34& p, const Mat34& v, const Window& window)
{
  return {p, p + window.time * v};
}

Box swept(const Course& course, double slack)
{
  Box box;
  for (int a = 0; a < 4; ++a) box.include(Vec3(course.start.col(a))), box.include(Vec3(course.end.col(a)));
  box.grow(slack);
  return box;
}

}  // namespace sunder::contact
