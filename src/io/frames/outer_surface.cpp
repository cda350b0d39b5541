#include "io/frames/outer_surface.hpp"

#include "mesh/tet_mesh.hpp"

#include <algorithm>

namespace sunder::io {
namespace {

struct CornerFace {
  std::array<LocalIndex, 3> ascending;
  std::size_t element;
  std::size_t opposite;  // corner of the element
};

std::vector<CornerFace> faces_of_writer(const Frame& bodies, Rank me)
{
  const auto owner = [&bodies](LocalIndex n) { return bodies.node_owner[static_cast<std::size_t>(n)]; };
  std::vector<CornerFace> faces;
  for (std::size_t e = 0; e < bodies.corners.size(); ++e)
    for (std::size_t a = 0; a < 4; ++a) {
      CornerFace face{{}, e, a};
      for (std::size_t k = 0; k < 3; ++k) face.ascending[k] = bodies.corners[e][mesh::face_corners[a][k]];
      const auto [x, y, z] = face.ascending;
      if (std::min({owner(x), owner(y), owner(z)}) != me) continue;
      std::sort(face.ascending.begin(), face.ascending.end());
      faces.push_back(face);
    }
  return faces;
}

}  // namespace

std::vector<OuterFace> outer_faces(const Frame& bodies, Rank me)
{
  std::vector<CornerFace> faces = faces_of_writer(bodies, me);
  std::sort(faces.begin(), faces.end(), [](const CornerFace& s, const CornerFace& t) {
    return std::tie(s.ascending, s.element) < std::tie(t.ascending, t.element);
  });
  std::vector<OuterFace> outer;
  for (std::size_t k = 0; k < faces.size();) {
    const bool shared = k + 1 < faces.size() && faces[k].ascending == faces[k + 1].ascending;
    if (!shared) outer.push_back({faces[k].element, faces[k].opposite});
    k += shared ? 2 : 1;
  }
  return outer;
}

Frame surface_of(const Frame& bodies, std::span<const OuterFace> faces)
{
  Frame surface;
  surface.time = bodies.time, surface.node_id = bodies.node_id, surface.node_owner = bodies.node_owner;
  surface.points = bodies.points, surface.node_fields = bodies.node_fields;
  std::vector<std::size_t> rows;
  for (const OuterFace& face : faces) {
    const auto& [a, b, c] = mesh::face_corners[face.opposite];
    const Tet& tet = bodies.corners[face.element];
    surface.corners.push_back({tet[a], tet[b], tet[c], no_corner});
    surface.element_id.push_back(bodies.element_id[face.element]);
    rows.push_back(face.element);
  }
  for (const Field& field : bodies.element_fields) {
    surface.element_fields.push_back(field.empty_like());
    surface.element_fields.back().append(field, rows);
  }
  return surface;
}

}  // namespace sunder::io
