#include "simulation/diagnostics/crack_surface.hpp"

#include "element/cohesion.hpp"
#include "io/frames/piece.hpp"
#include "simulation/diagnostics/visit_crack_faces.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace sunder::simulation {
namespace {

/// Outward, as long as the area [m^2].
Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c)
{
  return (b - a).cross(c - a) / 2;
}

Vec3 area_at_rest(const mesh::TetMesh& mesh, const CrackFace& face)
{
  const auto& [a, b, c] = face.nodes;
  return area_vector(mesh.node(a).X, mesh.node(b).X, mesh.node(c).X);
}

bool has_critical_energy(const material::Material& m)
{
  using Form = material::ToughnessForm;
  if (m.cohesion.energy > 0) return true;
  return m.breakable() && !m.anisotropy && (m.toughness_form == Form::K_Ic || m.toughness_form == Form::G_c);
}

/// +1 or -1, the other way on the other side of the crack, and the same all over a flat one: the side of a direction
/// that few cracks are parallel to.
int side_of(const Vec3& normal)
{
  return normal.dot(Vec3(0.2673, 0.5345, 0.8018)) < 0 ? -1 : 1;
}

/// An edge of a crack face, with what is needed to tell whether the other side of the crack shares it.
struct Edge {
  LocalIndex a, b;  // a < b
  LocalIndex element;
  Vec3 normal;  // unit, at rest
  Vec3 inward;  // unit, in the plane of the face, from the edge into the face
  double birth;
};

std::array<Edge, 3> edges_of(const mesh::TetMesh& mesh, const CrackFace& face)
{
  std::array<Edge, 3> edges{};
  const Vec3 normal = area_at_rest(mesh, face).normalized();
  for (std::size_t k = 0; k < 3; ++k) {
    const LocalIndex a = face.nodes[k], b = face.nodes[(k + 1) % 3];
    const Vec3 along = (mesh.node(b).X - mesh.node(a).X).normalized();
    edges[k] = {std::min(a, b), std::max(a, b), face.element, normal, normal.cross(along), face.birth};
  }
  return edges;
}

/// The two sides of a crack lie on each other at rest, even if cut differently.
bool opposite(const Edge& s, const Edge& t)
{
  constexpr double flat = 1 - 1e-6;
  return s.normal.dot(t.normal) < -flat && s.inward.dot(t.inward) > flat;
}

/// Edges that both sides of a crack share, those of which this rank is the lowest owner of an end. It holds all
/// elements around these.
std::vector<Edge> crack_front(const mesh::TetMesh& mesh)
{
  std::vector<Edge> edges;
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    for (const Edge& edge : edges_of(mesh, face))
      if (std::min(mesh.node(edge.a).owner, mesh.node(edge.b).owner) == mesh.me()) edges.push_back(edge);
  });
  const auto same = [](const Edge& s, const Edge& t) { return s.a == t.a && s.b == t.b; };
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& s, const Edge& t) { return std::tie(s.a, s.b) < std::tie(t.a, t.b); });
  std::vector<Edge> front;
  for (auto first = edges.begin(); first != edges.end();) {
    const auto last = std::find_if_not(first, edges.end(), [&](const Edge& t) { return same(*first, t); });
    const auto shared = std::find_if(first, last, [&](const Edge& s) {
      return std::any_of(first, last, [&](const Edge& t) { return opposite(s, t); });
    });
    if (shared != last) front.push_back(*shared);
    first = last;
  }
  return front;
}

/// The greatest share of its strength that a link at a corner still has; 0: nothing holds the two sides together here.
double link_strength(const element::Model& model, const CrackFace& face)
{
  double most = 0;
  for (const LocalIndex n : face.nodes) most = std::max(most, model.p[at(n)].w);
  return most;
}

/// Cell data, a row each.
struct Rows {
  std::vector<double> birth, normal, area, link_strength;
  std::vector<std::int32_t> side, front, material;
  std::vector<std::int64_t> fragment;

  void add(const State& state, LocalIndex element, double born, const Vec3& n, double a, int of_side, bool of_front,
           double linked)
  {
    const mesh::TetMesh& mesh = state.model.mesh;
    birth.push_back(born), normal.insert(normal.end(), n.data(), n.data() + 3), area.push_back(a);
    link_strength.push_back(linked);
    side.push_back(of_side), front.push_back(of_front), material.push_back(mesh.material(element));
    fragment.push_back(state.model.history[at(mesh.tet(element)[0])].fragment);
  }
  std::vector<io::Field> take() &&
  {
    return {{"BirthTime", "s", 1, std::move(birth)},  {"Normal", "", 3, std::move(normal)},
            {"Area", "m^2", 1, std::move(area)},      {"Side", "", 1, std::move(side)},
            {"CrackFront", "", 1, std::move(front)},  {"Fragment", "", 1, std::move(fragment)},
            {"Material", "", 1, std::move(material)}, {"LinkStrength", "", 1, std::move(link_strength)}};
  }
};

}  // namespace

CrackTotals local_crack_totals(const element::Model& model)
{
  CrackTotals totals;
  visit_crack_faces(model.mesh, [&](const CrackFace& face) {
    if (!model.mesh.primary(face.element)) return;
    const double area = area_at_rest(model.mesh, face).norm();
    ++totals.faces, totals.area += area;
    const material::Material& m = model.material_of(face.element);
    if (has_critical_energy(m))
      totals.area_of_known += area, totals.critical_energy += area / 2 * material::critical_energy(m);
  });
  return totals;
}

io::Frame crack_surface(const State& state, bool reference_geometry)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  io::Frame frame;
  frame.time = state.time;
  add_nodes(state, {.reference_geometry = reference_geometry}, frame);
  Rows rows;
  visit_crack_faces(mesh, [&](const CrackFace& face) {
    const auto& [a, b, c] = face.nodes;
    if (std::min({mesh.node(a).owner, mesh.node(b).owner, mesh.node(c).owner}) != mesh.me()) return;
    const Vec3 at_rest = area_at_rest(mesh, face);
    const Vec3 now = area_vector(frame.points[at(a)], frame.points[at(b)], frame.points[at(c)]);
    frame.element_id.push_back(mesh.element_id(face.element));
    frame.corners.push_back({a, b, c, io::no_corner});
    rows.add(state, face.element, face.birth, now.normalized(), at_rest.norm(), side_of(at_rest), false,
             link_strength(state.model, face));
  });
  const bool cohesive = element::cohesive(state.model);
  for (const Edge& edge : crack_front(mesh)) {
    frame.element_id.push_back(mesh.element_id(edge.element));
    frame.corners.push_back({edge.a, edge.b, io::no_corner, io::no_corner});
    rows.add(state, edge.element, edge.birth, Vec3::Zero(), 0, 0, true, cohesive ? 1 : 0);
  }
  frame.element_fields = std::move(rows).take();
  return frame;
}

std::int64_t crack_frame_bytes(GlobalIndex faces)
{
  io::Frame frame;
  add_nodes(State(), {}, frame);
  frame.element_fields = Rows().take();
  return io::file_bytes(io::piece_of(frame, {}, false), faces, faces);
}

}  // namespace sunder::simulation
