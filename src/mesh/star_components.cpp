#include "mesh/star_components.hpp"

#include "mesh/union_find.hpp"

#include <algorithm>

namespace sunder::mesh {
namespace {

struct FaceAtNode {
  LocalIndex a, b;      // the two other corners, a < b
  LocalIndex position;  // of the element in the star
};

std::vector<FaceAtNode> sorted_faces(const TetMesh& mesh, LocalIndex n)
{
  std::vector<FaceAtNode> faces;
  const auto star = mesh.star(n);
  faces.reserve(3 * star.size());
  for (std::size_t k = 0; k < star.size(); ++k) {
    std::array<LocalIndex, 3> o{};
    int count = 0;
    for (const LocalIndex q : mesh.tet(star[k]))
      if (q != n) o[static_cast<std::size_t>(count++)] = q;
    for (int i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(o[static_cast<std::size_t>(i)], o[static_cast<std::size_t>((i + 1) % 3)]);
      faces.push_back({a, b, static_cast<LocalIndex>(k)});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const FaceAtNode& x, const FaceAtNode& y) {
    return std::tie(x.a, x.b, x.position) < std::tie(y.a, y.b, y.position);
  });
  return faces;
}

}  // namespace

std::vector<std::vector<LocalIndex>> star_components(const TetMesh& mesh, LocalIndex n)
{
  return star_components(mesh, n, [](LocalIndex, LocalIndex) { return true; });
}

std::vector<std::vector<LocalIndex>> star_components(const TetMesh& mesh, LocalIndex n,
                                                     const std::function<bool(LocalIndex, LocalIndex)>& joined)
{
  const auto star = mesh.star(n);
  UnionFind sets(star.size());
  const auto faces = sorted_faces(mesh, n);
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].a == faces[i - 1].a && faces[i].b == faces[i - 1].b &&
        joined(star[static_cast<std::size_t>(faces[i - 1].position)],
               star[static_cast<std::size_t>(faces[i].position)]))
      sets.unite(faces[i].position, faces[i - 1].position);

  std::vector<std::vector<LocalIndex>> groups;
  std::vector<std::size_t> group_of(star.size());
  for (std::size_t k = 0; k < star.size(); ++k) {
    const auto root = static_cast<std::size_t>(sets.find(static_cast<LocalIndex>(k)));  // the first of its set
    if (root == k) group_of[k] = groups.size(), groups.emplace_back();
    groups[group_of[root]].push_back(star[k]);
  }
  const auto smallest_id = [&mesh](const std::vector<LocalIndex>& g) {
    ElementId id = no_element;
    for (const LocalIndex e : g) id = std::min(id, mesh.element_id(e));
    return id;
  };
  std::sort(groups.begin(), groups.end(),
            [&](const auto& x, const auto& y) { return smallest_id(x) < smallest_id(y); });
  return groups;
}

std::vector<FreeFace> free_faces_around(const TetMesh& mesh, LocalIndex n)
{
  std::vector<FreeFace> free;
  const auto faces = sorted_faces(mesh, n);
  const auto same = [&faces](std::size_t i, std::size_t j) {
    return faces[i].a == faces[j].a && faces[i].b == faces[j].b;
  };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool shared = (i > 0 && same(i, i - 1)) || (i + 1 < faces.size() && same(i, i + 1));
    if (shared) continue;
    const LocalIndex e = mesh.star(n)[static_cast<std::size_t>(faces[i].position)];
    const Tet& tet = mesh.tet(e);
    const auto opposite = std::find_if_not(tet.begin(), tet.end(),
                                           [&](LocalIndex c) { return c == n || c == faces[i].a || c == faces[i].b; });
    free.push_back({e, static_cast<std::size_t>(opposite - tet.begin())});
  }
  // Local indices of corners depend on the ranks.
  std::sort(free.begin(), free.end(), [](const FreeFace& x, const FreeFace& y) {
    return std::tie(x.element, x.face) < std::tie(y.element, y.face);
  });
  return free;
}

}  // namespace sunder::mesh
