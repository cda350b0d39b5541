#include "partition/decompose/decompose.hpp"
#include "partition/decompose/decompose_parallel.hpp"
#include "partition/decompose/nodal_graph.hpp"
#include "partition/decompose/weights.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace sunder;

struct Quality {
  double imbalance = 0;  ///< Heaviest part over the mean.
  std::int64_t cut = 0;  ///< Arcs between parts.
};

Quality quality(const mesh::MeshData& mesh, const std::vector<Rank>& owners, Rank parts)
{
  const auto n = static_cast<GlobalIndex>(mesh.nodes.size());
  const auto graph = partition::nodal_graph<GlobalIndex>(mesh.tets, 0, n);
  const auto weights = partition::node_weights(mesh.tets, 0, mesh.nodes.size(), {});
  std::vector<double> load(static_cast<std::size_t>(parts), 0);
  double total = 0;
  Quality result;
  for (std::size_t q = 0; q < weights.size(); ++q) {
    const double weight = weights[q];
    load[static_cast<std::size_t>(owners[q])] += weight, total += weight;
    for (auto k = graph.begin[q]; k < graph.begin[q + 1]; ++k)
      result.cut += owners[q] != owners[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(k)])];
  }
  result.imbalance = *std::max_element(load.begin(), load.end()) * parts / total;
  return result;
}

}  // namespace

TEST_CASE("the graph of a block of nodes is those rows of the whole graph", "[partition]")
{
  const mesh::MeshData box = test::box_mesh(4, 3, 2, 0.1);
  const auto n = static_cast<GlobalIndex>(box.nodes.size());
  const auto whole = partition::nodal_graph<int>(box.tets, 0, n);
  const auto block = partition::nodal_graph<int>(box.tets, 7, 23);
  REQUIRE(block.begin.size() == 17);
  for (std::size_t q = 0; q < 16; ++q) {
    const std::vector<int> wanted(whole.neighbour.begin() + whole.begin[q + 7],
                                  whole.neighbour.begin() + whole.begin[q + 8]);
    const std::vector<int> found(block.neighbour.begin() + block.begin[q],
                                 block.neighbour.begin() + block.begin[q + 1]);
    CHECK(found == wanted);
  }
}

TEST_CASE("a decomposition by all ranks together is as good as that of one", "[partition][parallel]")
{
  const Comm world;
  const mesh::MeshData box = world.rank() == 0 ? test::box_mesh(14, 12, 10, 0.1) : mesh::MeshData{};
  std::vector<Rank> blocks;
  if (world.rank() == 0) blocks = partition::decompose(box, world.size(), partition::Method::hilbert, 1);
  const std::vector<Rank> together = partition::decompose_in_parallel(world, box, blocks);
  REQUIRE(together.size() == box.nodes.size());  // on ranks but 0: of nothing
  if (world.rank() != 0) return;
  const auto alone = partition::decompose(box, world.size(), partition::Method::metis, 1);
  const Quality found = quality(box, together, world.size()), wanted = quality(box, alone, world.size());
  INFO("cut " << found.cut << ", by METIS " << wanted.cut);
  CHECK(found.imbalance < 1.04);  // it is asked for 1.03
  CHECK(static_cast<double>(found.cut) <= 1.25 * static_cast<double>(wanted.cut));
  CHECK((world.size() == 1 || found.cut > 0));
}

TEST_CASE("more ranks than nodes are refused with both numbers", "[partition]")
{
  CHECK_THROWS_WITH(partition::decompose(test::box_mesh(1, 1, 1, 1), 9, partition::Method::metis, 1),
                    "9 ranks for a mesh of 8 nodes: expected at most one rank a node");
}
