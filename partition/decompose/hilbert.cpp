#include "partition/decompose/hilbert.hpp"

#include <algorithm>
#include <numeric>

namespace sunder::partition {
namespace {

constexpr int bits = 20;

template <class T>
void permute(std::vector<T>& values, const std::vector<GlobalIndex>& old_of_new)
{
  if (values.empty()) return;
  std::vector<T> permuted;
  permuted.reserve(values.size());
  for (const GlobalIndex old : old_of_new) permuted.push_back(values[static_cast<std::size_t>(old)]);
  values = std::move(permuted);
}

std::vector<GlobalIndex> sorted_by_key(const std::vector<std::uint64_t>& keys)
{
  std::vector<GlobalIndex> order(keys.size());
  std::iota(order.begin(), order.end(), GlobalIndex{0});
  std::sort(order.begin(), order.end(), [&keys](GlobalIndex a, GlobalIndex b) {
    const auto ka = keys[static_cast<std::size_t>(a)], kb = keys[static_cast<std::size_t>(b)];
    return ka != kb ? ka < kb : a < b;
  });
  return order;
}

std::vector<GlobalIndex> inverse(const std::vector<GlobalIndex>& old_of_new)
{
  std::vector<GlobalIndex> new_of_old(old_of_new.size());
  for (std::size_t i = 0; i < old_of_new.size(); ++i)
    new_of_old[static_cast<std::size_t>(old_of_new[i])] = static_cast<GlobalIndex>(i);
  return new_of_old;
}

}  // namespace

std::uint64_t hilbert_key(const Vec3& point, const Vec3& lowest, const Vec3& highest)
{
  const double extent = std::max((highest - lowest).maxCoeff(), 1e-300);
  std::array<std::uint32_t, 3> x{};
  for (int i = 0; i < 3; ++i)
    x[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(std::clamp((point[i] - lowest[i]) / extent, 0.0, 1.0) *
                                                                static_cast<double>((1u << bits) - 1));

  // Axes to transposed Hilbert index.
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    const std::uint32_t p = q - 1;
    for (auto& xi : x)
      if (xi & q) {
        x[0] ^= p;
      } else {
        const std::uint32_t t = (x[0] ^ xi) & p;
        x[0] ^= t, xi ^= t;
      }
  }
  x[1] ^= x[0], x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    if (x[2] & q) t ^= q - 1;
  for (auto& xi : x) xi ^= t;

  std::uint64_t key = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (const auto xi : x) key = key << 1 | (xi >> bit & 1u);
  return key;
}

void order_along_hilbert(WholeMesh& whole)
{
  mesh::MeshData& mesh = whole.data;
  Vec3 lowest = Vec3::Constant(1e300), highest = Vec3::Constant(-1e300);
  for (const Vec3& x : mesh.nodes) lowest = lowest.cwiseMin(x), highest = highest.cwiseMax(x);

  std::vector<std::uint64_t> keys;
  keys.reserve(mesh.tets.size());
  for (const Vec3& x : mesh.nodes) keys.push_back(hilbert_key(x, lowest, highest));
  const auto old_nodes = sorted_by_key(keys);
  keys.clear();
  for (const auto& tet : mesh.tets) {
    Vec3 centre = Vec3::Zero();
    for (const GlobalIndex n : tet) centre += mesh.nodes[static_cast<std::size_t>(n)];
    keys.push_back(hilbert_key(0.25 * centre, lowest, highest));
  }
  const auto old_tets = sorted_by_key(keys);

  permute(mesh.nodes, old_nodes), permute(mesh.node_labels, old_nodes);
  permute(whole.node_marks, old_nodes), permute(whole.node_velocities, old_nodes);
  permute(mesh.tets, old_tets), permute(mesh.element_labels, old_tets);
  permute(whole.element_materials, old_tets), permute(whole.element_levels, old_tets);

  const auto new_nodes = inverse(old_nodes), new_tets = inverse(old_tets);
  const auto renumber = [](GlobalIndex& i, const std::vector<GlobalIndex>& new_of_old) {
    i = new_of_old[static_cast<std::size_t>(i)];
  };
  for (auto& tet : mesh.tets)
    for (auto& n : tet) renumber(n, new_nodes);
  for (auto& set : mesh.node_sets) {
    for (auto& n : set.nodes) renumber(n, new_nodes);
    std::sort(set.nodes.begin(), set.nodes.end());
  }
  for (auto& set : mesh.element_sets) {
    for (auto& e : set.elements) renumber(e, new_tets);
    std::sort(set.elements.begin(), set.elements.end());
  }
  for (auto& set : mesh.face_sets)
    for (auto& face : set.faces)
      for (auto& n : face) renumber(n, new_nodes);
  for (auto& face : whole.marked_faces)
    for (auto& n : face.nodes) renumber(n, new_nodes);
}

}  // namespace sunder::partition
