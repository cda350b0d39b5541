#include "io/mesh_slice_reader.hpp"

#include "io/gmsh_header.hpp"
#include "io/gmsh_slice.hpp"

#include <algorithm>
#include <filesystem>

namespace sunder::io {
namespace {

void sort_unique(std::vector<GlobalIndex>& values)
{
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

bool has_slices(const std::string& path)
{
  return std::filesystem::path(path).extension() == ".msh" && is_binary_gmsh(path);
}

mesh::MeshSlice read_mesh_slice(const Comm& comm, const std::string& path)
{
  return read_gmsh_slice(comm, path);
}

mesh::MeshData whole_mesh(mesh::MeshSlice slice)
{
  mesh::MeshData data;
  for (auto& name : slice.element_sets) data.element_sets.push_back({std::move(name), {}});
  for (auto& name : slice.node_sets) data.node_sets.push_back({std::move(name), {}});
  for (auto& set : slice.face_sets) data.face_sets.push_back({std::move(set.name), {}});
  for (std::size_t e = 0; e < slice.tet_sets.size(); ++e)
    for (const std::int32_t set : slice.set_lists[static_cast<std::size_t>(slice.tet_sets[e])])
      data.element_sets[static_cast<std::size_t>(set)].elements.push_back(static_cast<GlobalIndex>(e));
  for (const auto& [node, set] : slice.set_nodes) data.node_sets[static_cast<std::size_t>(set)].nodes.push_back(node);
  for (const auto& [nodes, set] : slice.set_faces) {
    data.face_sets[static_cast<std::size_t>(set)].faces.push_back(nodes);
    auto& members = data.node_sets[static_cast<std::size_t>(slice.face_sets[static_cast<std::size_t>(set)].node_set)];
    members.nodes.insert(members.nodes.end(), nodes.begin(), nodes.end());
  }
  for (auto& set : data.element_sets) sort_unique(set.elements);
  for (auto& set : data.node_sets) sort_unique(set.nodes);
  data.nodes = std::move(slice.nodes), data.node_labels = std::move(slice.node_labels);
  data.tets = std::move(slice.tets), data.element_labels = std::move(slice.element_labels);
  data.nodes_have_ids = slice.nodes_have_ids;
  return data;
}

}  // namespace sunder::io
