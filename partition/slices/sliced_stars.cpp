#include "partition/slices/sliced_stars.hpp"

#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"

#include <algorithm>

namespace sunder::partition {

SlicedStars::SlicedStars(const Comm& comm, const SlicedMesh& mesh)
  : first_node_(mesh.node_blocks.begin(comm.rank())), begin_(mesh.nodes.size() + 1, 0)
{
  const GlobalIndex first = mesh.element_blocks.begin(comm.rank());
  elements_.reserve(mesh.elements.size() + mesh.elements.size() / 8);
  const std::size_t batches = batches_of(comm, mesh.elements.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    std::map<Rank, Bytes> to;
    const std::size_t end = std::min((batch + 1) * rows_at_once, mesh.elements.size());
    for (std::size_t e = batch * rows_at_once; e < end; ++e) {
      const StarElement element{first + static_cast<GlobalIndex>(e), mesh.elements[e].nodes};
      std::array<Rank, 4> holders{};
      for (std::size_t a = 0; a < 4; ++a) holders[a] = mesh.node_blocks.rank_of(element.nodes[a]);
      std::sort(holders.begin(), holders.end());
      for (std::size_t a = 0; a < 4; ++a)
        if (a == 0 || holders[a] != holders[a - 1]) put(to[holders[a]], element);
    }
    for (const Message& message : sparse_exchange(comm, std::move(to))) {
      const auto come = values_of<StarElement>(message.bytes);
      elements_.insert(elements_.end(), come.begin(), come.end());
    }
  }
  std::sort(elements_.begin(), elements_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  for (const StarElement& e : elements_)
    for (const GlobalIndex n : e.nodes)
      if (has(n)) ++begin_[static_cast<std::size_t>(n - first_node_) + 1];
  for (std::size_t n = 0; n + 1 < begin_.size(); ++n) begin_[n + 1] += begin_[n];
  around_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (const GlobalIndex n : elements_[e].nodes)
      if (has(n)) around_[next[static_cast<std::size_t>(n - first_node_)]++] = static_cast<std::uint32_t>(e);
}

std::vector<double> node_sizes(const Comm& comm, const SlicedMesh& mesh, const SlicedStars& stars)
{
  std::vector<GlobalIndex> elsewhere;
  for (const StarElement& e : stars.elements())
    std::copy_if(e.nodes.begin(), e.nodes.end(), std::back_inserter(elsewhere),
                 [&](GlobalIndex n) { return !stars.has(n); });
  sort_unique(elsewhere);
  std::vector<std::array<double, 3>> places;
  for (const SlicedNode& node : mesh.nodes) places.push_back(node.X);
  const auto fetched = fetch<std::array<double, 3>>(comm, mesh.node_blocks, places, elsewhere);
  const auto place = [&](GlobalIndex n) {
    return Vec3(stars.has(n) ? places[static_cast<std::size_t>(n - stars.first_node())].data()
                             : fetched[place_of(elsewhere, n)].data());
  };
  std::vector<double> length(stars.num_nodes(), 0), count(stars.num_nodes(), 0);
  for (const StarElement& e : stars.elements()) {
    std::array<Vec3, 4> X;
    for (std::size_t a = 0; a < 4; ++a) X[a] = place(e.nodes[a]);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        const double l = (X[a] - X[b]).norm();
        for (const std::size_t end : {a, b})
          if (stars.has(e.nodes[end])) {
            const auto n = static_cast<std::size_t>(e.nodes[end] - stars.first_node());
            length[n] += l, ++count[n];
          }
      }
  }
  for (std::size_t n = 0; n < length.size(); ++n) length[n] /= std::max(count[n], 1.0);
  return length;
}

}  // namespace sunder::partition
