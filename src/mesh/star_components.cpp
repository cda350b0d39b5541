#include "mesh/star_components.hpp"

#include <algorithm>
#include <numeric>

namespace sunder::mesh {
namespace {

struct FaceAtNode {
  LocalIndex a, b;         // the two other corners, a < b
  std::uint32_t position;  // of the element in the star
};

std::vector<FaceAtNode> sorted_faces(const TetMesh& mesh, LocalIndex n)
{
  std::vector<FaceAtNode> faces;
  const auto star = mesh.star(n);
  faces.reserve(3 * star.size());
  for (std::uint32_t k = 0; k < star.size(); ++k) {
    std::array<LocalIndex, 3> o{};
    int count = 0;
    for (const LocalIndex q : mesh.tet(star[k]))
      if (q != n) o[static_cast<std::size_t>(count++)] = q;
    for (int i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(o[static_cast<std::size_t>(i)], o[static_cast<std::size_t>((i + 1) % 3)]);
      faces.push_back({a, b, k});
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
  const auto star = mesh.star(n);
  std::vector<std::uint32_t> root(star.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&root](std::uint32_t k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  const auto faces = sorted_faces(mesh, n);
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].a == faces[i - 1].a && faces[i].b == faces[i - 1].b)
      root[find(faces[i].position)] = find(faces[i - 1].position);

  std::vector<std::vector<LocalIndex>> groups;
  std::vector<std::uint32_t> group_of(star.size(), ~0u);
  for (std::uint32_t k = 0; k < star.size(); ++k) {
    const std::uint32_t r = find(k);
    if (group_of[r] == ~0u) group_of[r] = static_cast<std::uint32_t>(groups.size()), groups.emplace_back();
    groups[group_of[r]].push_back(star[k]);
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

std::vector<std::array<LocalIndex, 2>> free_faces_around(const TetMesh& mesh, LocalIndex n)
{
  std::vector<std::array<LocalIndex, 2>> free;
  const auto faces = sorted_faces(mesh, n);
  const auto same = [&faces](std::size_t i, std::size_t j) {
    return faces[i].a == faces[j].a && faces[i].b == faces[j].b;
  };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool shared = (i > 0 && same(i, i - 1)) || (i + 1 < faces.size() && same(i, i + 1));
    if (!shared) free.push_back({faces[i].a, faces[i].b});
  }
  return free;
}

}  // namespace sunder::mesh
