#include "io/mesh_files/mesh_slice_reader.hpp"

#include "core/sort_unique.hpp"
#include "io/mesh_files/gmsh_header.hpp"
#include "io/mesh_files/gmsh_slice.hpp"
#include "io/mesh_files/vtu_layout.hpp"
#include "io/mesh_files/vtu_slice.hpp"

#include <algorithm>
#include <filesystem>

namespace sunder::io {
namespace {

bool is_gmsh(const std::string& path)
{
  return std::filesystem::path(path).extension() == ".msh";
}

bool is_vtu(const std::string& path)
{
  const auto ending = std::filesystem::path(path).extension();
  return ending == ".vtu" || ending == ".pvtu";
}

/// Rows that stand for others; nothing names them.
void leave_out_repeated(mesh::MeshSlice& slice)
{
  if (slice.repeated.empty()) return;
  std::vector<GlobalIndex> place;
  std::size_t kept = 0;
  for (std::size_t n = 0; n < slice.nodes.size(); ++n) {
    place.push_back(static_cast<GlobalIndex>(kept));
    if (slice.repeated[n]) continue;
    slice.nodes[kept] = slice.nodes[n], slice.node_labels[kept++] = slice.node_labels[n];
  }
  slice.nodes.resize(kept), slice.node_labels.resize(kept), slice.repeated.clear();
  const auto move = [&](GlobalIndex& row) { row = place[static_cast<std::size_t>(row)]; };
  for (auto& tet : slice.tets) std::for_each(tet.begin(), tet.end(), move);
  for (auto& face : slice.set_faces) std::for_each(face.nodes.begin(), face.nodes.end(), move);
  for (auto& member : slice.set_nodes) move(member.node);
}

}  // namespace

bool has_slices(const std::string& path)
{
  return is_gmsh(path) ? is_binary_gmsh(path) : is_vtu(path) && vtu_layout(path).has_value();
}

mesh::MeshSlice read_mesh_slice(const Comm& comm, const std::string& path)
{
  return is_gmsh(path) ? read_gmsh_slice(comm, path) : read_vtu_slice(comm, path);
}

mesh::MeshData whole_mesh(mesh::MeshSlice slice)
{
  leave_out_repeated(slice);
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
  data.nodes_have_ids = slice.nodes_have_ids, data.second_order = slice.second_order;
  return data;
}

}  // namespace sunder::io
