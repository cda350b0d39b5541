#include "simulation/forecast/selection_counts.hpp"

#include "core/error.hpp"
#include "simulation/forecast/lattice.hpp"
#include "simulation/setup/selection.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

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

/// Counts one selection, bit k of the marks.
class Counter {
public:
  Counter(const SceneMesh& mesh, const SurfaceMarks& surface, const Selecting& selecting, std::size_t k)
    : whole_(mesh.whole),
      mesh_(mesh),
      surface_(surface),
      where_(*selecting.where),
      of_load_(selecting.of_load),
      bit_(std::uint64_t{1} << k)
  {
  }

  GlobalIndex nodes_of(std::size_t body, const partition::MeshEntities& entities, GlobalIndex n)
  {
    GlobalIndex sum = 0;
    if (where_.side && !of_load_) find_other_side(body);
    if (where_.side && n > 1) budget_.exhausted = true;
    for (GlobalIndex a = mesh_.first_node[body]; a < mesh_.first_node[body + 1]; ++a)
      sum += marked(a) && inside(where_, at(a));
    if (n == 1 || budget_.exhausted) return sum;
    for (const Edge& e : entities.edges)
      if (passed_on(e) || (marks_of(surface_.edges, e) & bit_)) sum += points(e, n);
    for (const Face& f : entities.faces)
      if (passed_on(f) || (marks_of(surface_.faces, f) & bit_)) sum += points(f, n);
    for (GlobalIndex e = mesh_.first_element[body]; e < mesh_.first_element[body + 1]; ++e)
      if (const auto& tet = whole_.data.tets[static_cast<std::size_t>(e)]; passed_on(tet)) sum += points(tet, n);
    return sum;
  }

  /// outer: the body's faces that one element has.
  GlobalIndex faces_of(const std::vector<OuterFace>& outer, GlobalIndex n)
  {
    GlobalIndex sum = 0;
    for (const auto& [f, element] : outer)
      if ((passed_on(f) || (marks_of(surface_.faces, f) & bit_)) && (!where_.side || on_side(element)))
        sum += inner_triangles(where_, {at(f[0]), at(f[1]), at(f[2])}, n, budget_);
    return sum;
  }

  bool exhausted() const { return budget_.exhausted; }

private:
  const Vec3& at(GlobalIndex n) const { return whole_.data.nodes[static_cast<std::size_t>(n)]; }
  bool marked(GlobalIndex n) const
  {
    return (whole_.node_marks[static_cast<std::size_t>(n)] & bit_) && !other_side_.contains(n);
  }
  bool on_side(GlobalIndex element) const
  {
    const auto& tet = whole_.data.tets[static_cast<std::size_t>(element)];
    return is_on_side(*where_.side, {at(tet[0]), at(tet[1]), at(tet[2]), at(tet[3])});
  }
  /// Finds the nodes of elements that are not on the selection's side.
  void find_other_side(std::size_t body)
  {
    for (GlobalIndex e = mesh_.first_element[body]; e < mesh_.first_element[body + 1]; ++e)
      if (const auto& tet = whole_.data.tets[static_cast<std::size_t>(e)]; !on_side(e))
        other_side_.insert(tet.begin(), tet.end());
  }
  /// Nodes between marked ones are marked, unless the mark is a face set's.
  template <std::size_t N>
  bool passed_on(const std::array<GlobalIndex, N>& corners) const
  {
    return !(whole_.surface_marks & bit_) &&
           std::all_of(corners.begin(), corners.end(), [this](GlobalIndex n) { return marked(n); });
  }
  template <std::size_t N>
  GlobalIndex points(const std::array<GlobalIndex, N>& corners, GlobalIndex n)
  {
    std::array<Vec3, N> x;
    for (std::size_t a = 0; a < N; ++a) x[a] = at(corners[a]);
    return inner_points(where_, x, n, budget_);
  }

  const partition::WholeMesh& whole_;
  const SceneMesh& mesh_;
  const SurfaceMarks& surface_;
  const config::Selection& where_;
  bool of_load_;
  std::uint64_t bit_;
  std::unordered_set<GlobalIndex> other_side_;
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
      if (nodes == 0) throw Error(no_node_in(count.path));
      if (count.of_load) count.faces = faces;
      if (count.of_load && faces == 0) throw Error(no_face_in(count.path));
    }
  }
  return counts;
}

}  // namespace sunder::simulation
