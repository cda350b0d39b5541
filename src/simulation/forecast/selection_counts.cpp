#include "simulation/forecast/selection_counts.hpp"

#include "core/error.hpp"
#include "partition/refine/bey.hpp"
#include "simulation/forecast/lattice.hpp"
#include "simulation/forecast/refined_side.hpp"
#include "simulation/setup/placement.hpp"
#include "simulation/setup/selection.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace sunder::simulation {
namespace {

constexpr std::int64_t most_rows = 20'000'000;  // of points or triangles, for a selection: about a second

using Edge = std::array<GlobalIndex, 2>;
using Face = std::array<GlobalIndex, 3>;

/// A face that one element of its body has.
struct OuterFace {
  Face face;
  GlobalIndex element = 0;
  auto operator<=>(const OuterFace&) const = default;
};

/// Marks that marked faces give to their edges and to themselves; corners ascend.
struct SurfaceMarks {
  std::map<Edge, std::uint64_t> edges;
  std::map<Face, std::uint64_t> faces;
};

SurfaceMarks surface_marks(const partition::WholeMesh& whole)
{
  SurfaceMarks marks;
  for (const auto& marked : whole.marked_faces) {
    Face f = marked.nodes;
    std::sort(f.begin(), f.end());
    marks.faces[f] |= marked.marks;
    for (const Edge& e : {Edge{f[0], f[1]}, Edge{f[0], f[2]}, Edge{f[1], f[2]}}) marks.edges[e] |= marked.marks;
  }
  return marks;
}

template <class Key>
std::uint64_t marks_of(const std::map<Key, std::uint64_t>& marks, const Key& key)
{
  const auto found = marks.find(key);
  return found == marks.end() ? 0 : found->second;
}

/// An element in the order of corners that its division has.
struct OrderedElement {
  std::array<GlobalIndex, 4> nodes;
  CornerHeights heights;
};

/// Counts one selection, bit k of the marks.
class Counter {
public:
  Counter(const SceneMesh& mesh, const SurfaceMarks& surface, const Selecting& selecting, std::size_t k)
    : whole_(mesh.whole),
      mesh_(mesh),
      surface_(surface),
      where_(*selecting.where),
      side_of_nodes_(selecting.where->side && !selecting.of_load),
      bit_(std::uint64_t{1} << k)
  {
  }

  GlobalIndex nodes_of(std::size_t body, const partition::MeshEntities& entities, GlobalIndex n)
  {
    const NodeHeights heights = heights_of_nodes(body, n);
    GlobalIndex sum = 0;
    for (GlobalIndex a = mesh_.first_node[body]; a < mesh_.first_node[body + 1]; ++a)
      sum += marked(a) && Place{where_, heights.of(std::span(&a, 1))}.has(at(a));
    if (n == 1) return sum;
    for (const Edge& e : entities.edges)
      if (passed_on(e) || (marks_of(surface_.edges, e) & bit_)) sum += points(e, n, heights.of(e));
    for (const Face& f : entities.faces)
      if (passed_on(f) || (marks_of(surface_.faces, f) & bit_)) sum += points(f, n, heights.of(f));
    for (GlobalIndex e = mesh_.first_element[body]; e < mesh_.first_element[body + 1]; ++e)
      if (const auto& tet = tet_of(e); passed_on(tet)) sum += points(tet, n, height_in(e, n));
    return sum;
  }

  /// outer: the body's faces that one element has.
  GlobalIndex faces_of(const std::vector<OuterFace>& outer, GlobalIndex n)
  {
    GlobalIndex sum = 0;
    for (const auto& [f, element] : outer)
      if (passed_on(f) || (marks_of(surface_.faces, f) & bit_))
        sum += inner_triangles(where_, {at(f[0]), at(f[1]), at(f[2])}, n, triangle_heights(f, element, n), budget_);
    return sum;
  }

  bool exhausted() const { return budget_.exhausted; }

private:
  const Vec3& at(GlobalIndex n) const { return whole_.data.nodes[static_cast<std::size_t>(n)]; }
  const std::array<GlobalIndex, 4>& tet_of(GlobalIndex e) const
  {
    return whole_.data.tets[static_cast<std::size_t>(e)];
  }
  bool marked(GlobalIndex n) const { return whole_.node_marks[static_cast<std::size_t>(n)] & bit_; }
  /// Nodes between marked ones are marked, unless the mark is a face set's.
  template <std::size_t N>
  bool passed_on(const std::array<GlobalIndex, N>& corners) const
  {
    return !(whole_.surface_marks & bit_) &&
           std::all_of(corners.begin(), corners.end(), [this](GlobalIndex n) { return marked(n); });
  }
  template <std::size_t N>
  GlobalIndex points(const std::array<GlobalIndex, N>& corners, GlobalIndex n, double height)
  {
    std::array<Vec3, N> x;
    for (std::size_t a = 0; a < N; ++a) x[a] = at(corners[a]);
    return inner_points({where_, height}, x, n, budget_);
  }
  std::array<Vec3, 4> corners_of(GlobalIndex e) const
  {
    const auto& tet = tet_of(e);
    return {at(tet[0]), at(tet[1]), at(tet[2]), at(tet[3])};
  }
  OrderedElement ordered(GlobalIndex e) const
  {
    const auto corners = corners_of(e);
    const CornerHeights heights = heights_of(*where_.side, corners);
    const auto order = partition::best_order(corners);
    OrderedElement element;
    for (std::size_t a = 0; a < 4; ++a) element.nodes[a] = tet_of(e)[order[a]], element.heights[a] = heights[order[a]];
    return element;
  }
  double height_in(GlobalIndex e, GlobalIndex n) const
  {
    return side_of_nodes_ ? height_of_nodes(ordered(e).heights, n, 15) : -std::numeric_limits<double>::infinity();
  }
  TriangleHeights triangle_heights(const Face& f, GlobalIndex e, GlobalIndex n) const
  {
    if (!where_.side) return {};
    const OrderedElement element = ordered(e);
    std::array<std::size_t, 3> corners{};
    for (std::size_t a = 0; a < 3; ++a)
      corners[a] =
          static_cast<std::size_t>(std::find(element.nodes.begin(), element.nodes.end(), f[a]) - element.nodes.begin());
    return height_of_triangles(element.heights, n, corners);
  }
  /// Of the plane of the selection's side. What all elements of the body ask for, but those without a node in the place
  /// and those that are on the side whole.
  NodeHeights heights_of_nodes(std::size_t body, GlobalIndex n) const
  {
    NodeHeights heights;
    if (!side_of_nodes_) return heights;
    for (GlobalIndex e = mesh_.first_element[body]; e < mesh_.first_element[body + 1]; ++e) {
      if (misses({where_}, corners_of(e))) continue;
      const OrderedElement element = ordered(e);
      if (std::all_of(element.heights.begin(), element.heights.end(), [](double h) { return h > 0; })) continue;
      for (unsigned in = 1; in < 15; ++in) add_height(element, in, n, heights);
    }
    heights.sort();
    return heights;
  }
  /// in: bits of one to three corners of the element.
  static void add_height(const OrderedElement& element, unsigned in, GlobalIndex n, NodeHeights& heights)
  {
    std::array<GlobalIndex, 3> nodes{};
    std::size_t count = 0;
    for (std::size_t a = 0; a < 4; ++a)
      if (in >> a & 1u) nodes[count++] = element.nodes[a];
    if (n > 1 || count == 1)  // else nothing is in there
      heights.add(std::span(nodes).first(count), height_of_nodes(element.heights, n, in));
  }

  const partition::WholeMesh& whole_;
  const SceneMesh& mesh_;
  const SurfaceMarks& surface_;
  const config::Selection& where_;
  bool side_of_nodes_;  ///< A load asks for the side of faces.
  std::uint64_t bit_;
  RowBudget budget_{most_rows};
};

std::vector<OuterFace> outer_faces(const SceneMesh& mesh, std::size_t body)
{
  std::vector<OuterFace> all, outer;
  for (GlobalIndex e = mesh.first_element[body]; e < mesh.first_element[body + 1]; ++e) {
    const auto& t = mesh.whole.data.tets[static_cast<std::size_t>(e)];
    for (Face f : {Face{t[0], t[1], t[2]}, Face{t[0], t[1], t[3]}, Face{t[0], t[2], t[3]}, Face{t[1], t[2], t[3]}}) {
      std::sort(f.begin(), f.end());
      all.push_back({f, e});
    }
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i == 0 || all[i].face != all[i - 1].face) && (i + 1 == all.size() || all[i].face != all[i + 1].face))
      outer.push_back(all[i]);
  return outer;
}

}  // namespace

OuterSurface outer_surface(const SceneMesh& mesh, std::size_t body)
{
  const std::vector<OuterFace> faces = outer_faces(mesh, body);
  const GlobalIndex first = mesh.first_node[body];
  std::vector<bool> outside(static_cast<std::size_t>(mesh.first_node[body + 1] - first));
  for (const OuterFace& outer : faces)
    for (const GlobalIndex n : outer.face) outside[static_cast<std::size_t>(n - first)] = true;
  double all = 0, thin = 0;  // volume
  for (GlobalIndex e = mesh.first_element[body]; e < mesh.first_element[body + 1]; ++e) {
    const auto& tet = mesh.whole.data.tets[static_cast<std::size_t>(e)];
    std::array<Vec3, 4> x;
    for (std::size_t a = 0; a < 4; ++a) x[a] = mesh.whole.data.nodes[static_cast<std::size_t>(tet[a])];
    const double volume = mass_and_moment(x, 1)[0];
    all += volume;
    if (std::ranges::all_of(tet, [&](GlobalIndex n) { return outside[static_cast<std::size_t>(n - first)]; }))
      thin += volume;
  }
  return {std::ssize(faces), thin / all};
}

std::vector<partition::MeshEntities> entities_of_bodies(const config::Scene& scene, const SceneMesh& mesh)
{
  std::vector<partition::MeshEntities> bodies;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (scene.bodies[b].mesh.refine == 0) {
      bodies.emplace_back();
      continue;
    }
    const auto first = static_cast<std::size_t>(mesh.first_element[b]);
    const auto end = static_cast<std::size_t>(mesh.first_element[b + 1]);
    bodies.push_back(partition::entities_of(std::span(mesh.whole.data.tets).subspan(first, end - first)));
  }
  return bodies;
}

std::vector<SelectionForecast> count_selections(const config::Scene& scene, const SceneMesh& mesh,
                                                const std::vector<partition::MeshEntities>& bodies)
{
  const SurfaceMarks surface = surface_marks(mesh.whole);
  std::vector<std::vector<OuterFace>> outer(bodies.size());
  if (!scene.loads.empty())
    for (std::size_t b = 0; b < bodies.size(); ++b) outer[b] = outer_faces(mesh, b);
  std::vector<SelectionForecast> counts;
  const std::vector<Selecting> all = selections(scene);
  for (std::size_t k = 0; k < all.size(); ++k) {
    SelectionForecast& count = counts.emplace_back();
    count.path = all[k].path, count.of_load = k >= scene.boundary.size();
    Counter counter(mesh, surface, all[k], k);
    GlobalIndex nodes = 0, faces = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const GlobalIndex n = GlobalIndex{1} << scene.bodies[b].mesh.refine;
      nodes += counter.nodes_of(b, bodies[b], n);
      if (count.of_load) faces += counter.faces_of(outer[b], n);
    }
    if (!counter.exhausted()) {
      count.nodes = nodes;
      if (nodes == 0) throw Error(no_node_in(*all[k].where));
      if (count.of_load) count.faces = faces;
      if (count.of_load && faces == 0) throw Error(no_face_in(*all[k].where));
    }
  }
  return counts;
}

}  // namespace sunder::simulation
