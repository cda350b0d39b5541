#pragma once
/// Binary Gmsh files as they come: nodes in blocks and with tags in no order, elements in groups.

#include "core/hash.hpp"
#include "mesh/mesh_data.hpp"
#include "support/cube_mesh.hpp"

#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>

namespace sunder::test {

class GmshFile {
public:
  /// shuffled: node tags drawn at random, with gaps. single: 2.2 with a header before every element, as Gmsh writes.
  /// mids: makes elements second-order.
  GmshFile(const mesh::MeshData& mesh, bool four, bool shuffled, bool single = false, MidNodes mids = {})
    : mesh_(mesh), mids_(std::move(mids)), four_(four), single_(single)
  {
    tags_.resize(mesh.nodes.size());
    std::iota(tags_.begin(), tags_.end(), std::uint64_t{1});
    if (!shuffled) return;
    for (std::size_t n = tags_.size(); n > 1; --n) std::swap(tags_[n - 1], tags_[mix(n) % n]);
    for (auto& tag : tags_) tag = 3 * tag + 5;
  }

  /// Element sets are groups 1, 2, ... of volumes, an element in its first; face sets and node sets the same of
  /// surfaces and points.
  std::string bytes()
  {
    out_ = four_ ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n2.2 1 8\n";
    put(std::int32_t{1});
    out_ += "\n$EndMeshFormat\n$PhysicalNames\n";
    const std::size_t names = mesh_.element_sets.size() + mesh_.face_sets.size() + mesh_.node_sets.size();
    out_ += std::to_string(names) + "\n";
    name(3, mesh_.element_sets), name(2, mesh_.face_sets), name(0, mesh_.node_sets);
    out_ += "$EndPhysicalNames\n";
    if (four_) entities();
    out_ += "$Nodes\n";
    four_ ? nodes_4() : nodes_2();
    out_ += "\n$EndNodes\n$Elements\n";
    elements();
    return out_ + "\n$EndElements\n";
  }

private:
  template <class T>
  void put(T value)
  {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_tag(std::uint64_t tag)
  {
    if (four_)
      put(tag);
    else
      put(static_cast<std::int32_t>(tag));
  }
  template <class Set>
  void name(int dimension, const std::vector<Set>& sets)
  {
    for (std::size_t s = 0; s < sets.size(); ++s)
      out_ += std::to_string(dimension) + " " + std::to_string(s + 1) + " \"" + sets[s].name + "\"\n";
  }
  /// One entity a group.
  void entities()
  {
    out_ += "$Entities\n";
    for (const std::size_t n :
         {mesh_.node_sets.size(), std::size_t{0}, mesh_.face_sets.size(), mesh_.element_sets.size()})
      put(static_cast<std::uint64_t>(n));
    for (const auto& [dimension, count] : {std::pair(0, mesh_.node_sets.size()), std::pair(2, mesh_.face_sets.size()),
                                           std::pair(3, mesh_.element_sets.size())})
      for (std::size_t s = 0; s < count; ++s) {
        put(static_cast<std::int32_t>(s + 1));
        for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) put(0.0);
        put(std::uint64_t{1}), put(static_cast<std::int32_t>(s + 1));
        if (dimension > 0) put(std::uint64_t{0});
      }
    out_ += "\n$EndEntities\n";
  }
  void point(const Vec3& x)
  {
    for (const double xi : x) put(xi);
  }
  void nodes_2()
  {
    out_ += std::to_string(mesh_.nodes.size()) + "\n";
    for (std::size_t n = 0; n < mesh_.nodes.size(); ++n) put_tag(tags_[n]), point(mesh_.nodes[n]);
  }
  void nodes_4()
  {
    constexpr std::size_t block = 37;
    const std::size_t n = mesh_.nodes.size(), blocks = (n + block - 1) / block;
    for (const std::size_t v : {blocks, n, std::size_t{1}, n}) put(static_cast<std::uint64_t>(v));
    for (std::size_t first = 0; first < n; first += block) {
      const std::size_t last = std::min(n, first + block);
      put(std::int32_t{3}), put(std::int32_t{1}), put(std::int32_t{0}), put(static_cast<std::uint64_t>(last - first));
      for (std::size_t k = first; k < last; ++k) put(tags_[k]);
      for (std::size_t k = first; k < last; ++k) point(mesh_.nodes[k]);
    }
  }

  struct Block {
    std::int32_t dimension = 3, group = 0, type = 4;
    std::vector<std::vector<GlobalIndex>> elements;
  };
  /// Neighbours in the order of elements that are in one group.
  std::vector<Block> blocks() const
  {
    std::vector<std::int32_t> group(mesh_.tets.size(), 0);
    for (std::size_t s = mesh_.element_sets.size(); s-- > 0;)
      for (const GlobalIndex e : mesh_.element_sets[s].elements)
        group[static_cast<std::size_t>(e)] = static_cast<std::int32_t>(s + 1);
    std::vector<Block> all;
    for (std::size_t s = 0; s < mesh_.node_sets.size(); ++s) {
      Block& points = all.emplace_back(Block{0, static_cast<std::int32_t>(s + 1), 15, {}});
      for (const GlobalIndex n : mesh_.node_sets[s].nodes) points.elements.push_back({n});
    }
    for (std::size_t s = 0; s < mesh_.face_sets.size(); ++s) {
      Block& faces = all.emplace_back(Block{2, static_cast<std::int32_t>(s + 1), 2, {}});
      for (const auto& f : mesh_.face_sets[s].faces) faces.elements.push_back({f[0], f[1], f[2]});
    }
    for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
      if (e == 0 || group[e] != group[e - 1]) all.push_back({3, group[e], mids_.empty() ? 4 : 11, {}});
      auto& nodes = all.back().elements.emplace_back(mesh_.tets[e].begin(), mesh_.tets[e].end());
      if (!mids_.empty()) nodes.insert(nodes.end(), mids_[e].begin(), mids_[e].end());
    }
    return all;
  }
  void elements()
  {
    const auto all = blocks();
    std::uint64_t count = 0, label = 0;
    for (const Block& b : all) count += b.elements.size();
    if (four_)
      for (const std::uint64_t v : {std::uint64_t{all.size()}, count, std::uint64_t{1}, count}) put(v);
    else
      out_ += std::to_string(count) + "\n";
    for (const Block& b : all) {
      if (four_) put(b.dimension), put(b.group), put(b.type), put(static_cast<std::uint64_t>(b.elements.size()));
      if (!four_ && !single_) put(b.type), put(static_cast<std::int32_t>(b.elements.size())), put(std::int32_t{2});
      for (const auto& e : b.elements) {
        if (!four_ && single_) put(b.type), put(std::int32_t{1}), put(std::int32_t{2});
        put_tag(++label);
        if (!four_) put(b.group), put(b.group);
        for (const GlobalIndex n : e) put_tag(tags_[static_cast<std::size_t>(n)]);
      }
    }
  }

  const mesh::MeshData& mesh_;
  MidNodes mids_;
  bool four_, single_;
  std::vector<std::uint64_t> tags_;
  std::string out_;
};

}  // namespace sunder::test
