#include "partition/distribute/deal_mesh.hpp"

#include "partition/across_ranks/transfer.hpp"
#include "partition/distribute/rows.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace sunder::partition {
namespace {

/// Collective. Rank 0's values in even blocks.
template <class T>
std::vector<T> deal(const Comm& comm, std::vector<T> values)
{
  if (comm.rank() != 0) return receive<T>(comm, 0);
  const BlockDistribution blocks{static_cast<GlobalIndex>(values.size()), comm.size()};
  const auto block = [&](Rank r) {
    return std::vector<T>(values.begin() + blocks.begin(r), values.begin() + blocks.begin(r + 1));
  };
  for (Rank r = 1; r < comm.size(); ++r) send(comm, block(r), r);
  return block(0);
}

void broadcast(const Comm& comm, std::vector<std::string>& names)
{
  std::string text;
  for (const auto& name : names) text += name + '\0';
  comm.broadcast(text);
  names.clear();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\0', begin);
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// The different lists of element sets, and the list of each element. Empty if there are no sets.
std::vector<std::int32_t> lists_of(const mesh::MeshData& data, std::vector<std::vector<std::int32_t>>& lists)
{
  if (data.element_sets.empty()) return {};
  std::vector<std::int32_t> list(data.tets.size(), 0);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> longer;  // (list, set) -> list
  for (std::size_t s = 0; s < data.element_sets.size(); ++s)
    for (const GlobalIndex e : data.element_sets[s].elements) {
      std::int32_t& of_element = list[static_cast<std::size_t>(e)];
      const auto set = static_cast<std::int32_t>(s);
      const auto [it, fresh] = longer.emplace(std::pair(of_element, set), static_cast<std::int32_t>(lists.size()));
      if (fresh) {
        std::vector<std::int32_t> more = lists[static_cast<std::size_t>(of_element)];
        more.push_back(set);
        lists.push_back(std::move(more));
      }
      of_element = it->second;
    }
  return list;
}

/// Collective. Lists one after the other, each with its length before it.
void broadcast(const Comm& comm, std::vector<std::vector<std::int32_t>>& lists)
{
  std::string bytes;
  const auto put = [&bytes](std::int32_t v) { bytes.append(reinterpret_cast<const char*>(&v), sizeof v); };
  for (const auto& list : lists) {
    put(static_cast<std::int32_t>(list.size()));
    for (const std::int32_t set : list) put(set);
  }
  comm.broadcast(bytes);
  std::vector<std::int32_t> flat(bytes.size() / sizeof(std::int32_t));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(flat.data()));
  lists.clear();
  for (std::size_t k = 0; k < flat.size(); k += 1 + static_cast<std::size_t>(flat[k])) {
    const auto first = flat.begin() + static_cast<std::ptrdiff_t>(k) + 1;
    lists.emplace_back(first, first + flat[k]);
  }
}

/// On rank 0: sets, whose members stay there.
void take_sets(const mesh::MeshData& data, mesh::MeshSlice& slice)
{
  for (const auto& set : data.element_sets) slice.element_sets.push_back(set.name);
  for (std::size_t s = 0; s < data.node_sets.size(); ++s) {
    slice.node_sets.push_back(data.node_sets[s].name);
    for (const GlobalIndex n : data.node_sets[s].nodes) slice.set_nodes.push_back({n, static_cast<std::int32_t>(s)});
  }
  for (std::size_t s = 0; s < data.face_sets.size(); ++s) {
    const std::string& name = data.face_sets[s].name;
    const auto nodes = std::find(slice.node_sets.begin(), slice.node_sets.end(), name) - slice.node_sets.begin();
    slice.face_sets.push_back({name, static_cast<std::int32_t>(nodes)});
    for (const auto& face : data.face_sets[s].faces) slice.set_faces.push_back({face, static_cast<std::int32_t>(s)});
  }
}

}  // namespace

mesh::MeshSlice deal_mesh(const Comm& comm, mesh::MeshData data)
{
  mesh::MeshSlice slice;
  std::vector<std::int32_t> lists;
  std::vector<std::string> face_sets;
  if (comm.rank() == 0) {
    take_sets(data, slice);
    lists = lists_of(data, slice.set_lists);
    for (const auto& set : slice.face_sets) face_sets.push_back(set.name);
  }
  broadcast(comm, slice.element_sets), broadcast(comm, slice.node_sets), broadcast(comm, face_sets);
  broadcast(comm, slice.set_lists);
  if (comm.rank() != 0)
    for (const auto& name : face_sets) {
      const auto nodes = std::find(slice.node_sets.begin(), slice.node_sets.end(), name) - slice.node_sets.begin();
      slice.face_sets.push_back({name, static_cast<std::int32_t>(nodes)});
    }
  slice.nodes = deal(comm, std::move(data.nodes)), slice.node_labels = deal(comm, std::move(data.node_labels));
  slice.tets = deal(comm, std::move(data.tets)), slice.element_labels = deal(comm, std::move(data.element_labels));
  slice.tet_sets = deal(comm, std::move(lists));
  slice.nodes_have_ids = comm.max(static_cast<std::int64_t>(data.nodes_have_ids)) > 0;
  slice.second_order = comm.max(static_cast<std::int64_t>(data.second_order)) > 0;
  const auto nodes = static_cast<std::int64_t>(slice.nodes.size()), tets = static_cast<std::int64_t>(slice.tets.size());
  slice.all_nodes = comm.sum(nodes), slice.first_node = comm.sum_before(nodes);
  slice.all_tets = comm.sum(tets), slice.first_tet = comm.sum_before(tets);
  return slice;
}

}  // namespace sunder::partition
