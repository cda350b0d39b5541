#include "io/mesh_files/gmsh_writer.hpp"

#include "core/counted.hpp"
#include "core/log.hpp"
#include "io/files/atomic_file.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace sunder::io {
namespace {

template <class T>
void append(std::string& out, T value)
{
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Elements of one type, to be written after one header.
struct Run {
  int type = 0;
  std::vector<std::int32_t> group;
  std::vector<GlobalIndex> nodes;  // corners, one element after the other
};

void append_run(std::string& out, const Run& run, std::int32_t& label)
{
  if (run.group.empty()) return;
  const std::size_t corners = run.nodes.size() / run.group.size();
  append(out, std::int32_t{run.type}), append(out, static_cast<std::int32_t>(run.group.size())),
      append(out, std::int32_t{2});
  for (std::size_t k = 0; k < run.group.size(); ++k) {
    append(out, ++label), append(out, run.group[k]), append(out, run.group[k]);
    for (std::size_t a = 0; a < corners; ++a) append(out, static_cast<std::int32_t>(run.nodes[k * corners + a] + 1));
  }
}

/// Returns how many of the elements are in a group already.
std::int64_t put_in_group(std::vector<std::int32_t>& group_of, std::int32_t group,
                          const std::vector<GlobalIndex>& elements)
{
  std::int64_t taken = 0;
  for (const GlobalIndex e : elements)
    if (std::int32_t& now = group_of[static_cast<std::size_t>(e)]; now == 0)
      now = group;
    else
      ++taken;
  return taken;
}

}  // namespace

void write_gmsh(const mesh::MeshData& mesh, const std::string& path)
{
  std::string names;
  std::int32_t groups = 0;
  const auto new_group = [&](int dimension, const std::string& name) {
    names += fmt::format("{} {} \"{}\"\n", dimension, ++groups, name);
    return groups;
  };
  Run tets{4, std::vector<std::int32_t>(mesh.tets.size(), 0), {}}, triangles{2, {}, {}}, points{15, {}, {}};
  for (const auto& tet : mesh.tets) tets.nodes.insert(tets.nodes.end(), tet.begin(), tet.end());
  std::int64_t further = 0;
  for (const auto& set : mesh.element_sets) further += put_in_group(tets.group, new_group(3, set.name), set.elements);
  if (further > 0)
    log_warning(
        fmt::format("{}: expected each element in one set, as a .msh file has it, found {} of elements in "
                    "further ones; the first set of each is written",
                    path, counted(further, "membership")));
  std::set<std::string> face_names;
  for (const auto& set : mesh.face_sets) {
    const std::int32_t group = new_group(2, set.name);
    face_names.insert(set.name);
    for (const auto& face : set.faces) {
      triangles.group.push_back(group);
      triangles.nodes.insert(triangles.nodes.end(), face.begin(), face.end());
    }
  }
  for (const auto& set : mesh.node_sets) {
    if (face_names.contains(set.name)) continue;  // comes back with its faces
    const std::int32_t group = new_group(0, set.name);
    for (const GlobalIndex n : set.nodes) points.group.push_back(group), points.nodes.push_back(n);
  }

  std::string out = "$MeshFormat\n2.2 1 8\n";
  append(out, std::int32_t{1});
  out += "\n$EndMeshFormat\n";
  if (groups > 0) out += fmt::format("$PhysicalNames\n{}\n{}$EndPhysicalNames\n", groups, names);
  out += fmt::format("$Nodes\n{}\n", mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    append(out, static_cast<std::int32_t>(n + 1));
    for (const double x : mesh.nodes[n]) append(out, x);
  }
  out += fmt::format("\n$EndNodes\n$Elements\n{}\n", tets.group.size() + triangles.group.size() + points.group.size());
  std::int32_t label = 0;
  for (const Run* run : {&tets, &triangles, &points}) append_run(out, *run, label);
  out += "\n$EndElements\n";
  write_atomically(path, out);
}

}  // namespace sunder::io
