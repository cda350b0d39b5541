#include "solvers/material_cells.hpp"
#include "core/sort_unique.hpp"
#include "solvers/elastic_block.hpp"
#include "solvers/elimination_order.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>

using namespace sunder;
using solvers::material_cells;
using test::ElasticBlock;

namespace {

constexpr std::size_t any_number = 1000000;

std::map<std::int64_t, int> cells_of_components(const solvers::MaterialCells& cells)
{
  std::map<std::int64_t, int> count;
  for (const std::int64_t component : cells.components) ++count[component];
  return count;
}

}  // namespace

TEST_CASE("cells are the same, whoever owns the nodes", "[solvers][cells][parallel]")
{
  const std::int64_t most_nodes = GENERATE(1, 7, 40, 1000);
  const std::size_t most_cells = GENERATE(any_number, 5u);
  const std::vector<ElasticBlock> blocks{{.cubes = {6, 4, 3}, .size = {3, 2, 1}},
                                         {.cubes = {4, 4, 4}, .corner = {0.5, 0.5, 0.5}}};
  const Comm self(MPI_COMM_SELF), comm;
  const auto alone = test::assemble(self, blocks, [](std::int64_t) { return 0; });
  const auto expected = material_cells(*alone.layout, most_nodes, most_cells);
  const auto shared = test::assemble(comm, blocks, test::scattered(comm, 8));
  const auto found = material_cells(*shared.layout, most_nodes, most_cells);
  CHECK(found.components == expected.components);
  CHECK(found.centres == expected.centres);
  CHECK(found.sizes == expected.sizes);
  for (std::size_t n = 0; n < shared.layout->ids.size(); ++n)
    CHECK(found.of_node[n] == expected.of_node[shared.layout->ids[n].low]);
}

TEST_CASE("a cell holds nodes of one component only, within its box, and not too many", "[solvers][cells]")
{
  const std::vector<ElasticBlock> blocks{{.cubes = {6, 4, 3}, .size = {3, 2, 1}}, {.cubes = {4, 4, 4}}};
  const auto system = test::assemble(Comm(MPI_COMM_SELF), blocks, [](std::int64_t) { return 0; });
  const auto found = material_cells(*system.layout, 12, any_number);
  std::vector<int> nodes(found.count());
  for (std::size_t n = 0; n < system.layout->ids.size(); ++n) {
    const auto cell = static_cast<std::size_t>(found.of_node[n]);
    ++nodes[cell];
    CHECK(found.components[cell] == system.layout->component[n]);
    CHECK((system.layout->X[n] - found.centres[cell]).cwiseAbs().maxCoeff() <= (0.5 + 1e-12) * found.sizes[cell]);
  }
  CHECK(*std::min_element(nodes.begin(), nodes.end()) >= 1);
  CHECK(*std::max_element(nodes.begin(), nodes.end()) <= 12);
  CHECK(found.count() < 265 / 3);
}

TEST_CASE("cells are small where the mesh is fine", "[solvers][cells]")
{
  const std::vector<ElasticBlock> blocks{{.cubes = {16, 8, 8}}};
  auto system = test::assemble(Comm(MPI_COMM_SELF), blocks, [](std::int64_t) { return 0; });
  for (Vec3& X : system.layout->X) X = X.array().pow(3);
  const auto found = material_cells(*system.layout, 20, any_number);
  double finest = 1, coarsest = 0;
  for (std::size_t n = 0; n < system.layout->ids.size(); ++n) {
    const double size = found.sizes[static_cast<std::size_t>(found.of_node[n])];
    if (system.layout->X[n].maxCoeff() < 1e-2) finest = std::min(finest, size);
    if (system.layout->X[n].minCoeff() > 0.5) coarsest = std::max(coarsest, size);
  }
  CHECK(finest < coarsest / 8);
}

TEST_CASE("of more components than cells are allowed, the largest get cells", "[solvers][cells][parallel]")
{
  std::vector<ElasticBlock> blocks(40);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    blocks[k].cubes = {1, 1, k % 10 == 3 ? 4 : 1}, blocks[k].corner.x() = 1e-3 * static_cast<double>(k);
  const Comm comm;
  const auto system = test::assemble(comm, blocks, test::scattered(comm, 9));
  const auto found = material_cells(*system.layout, 30, 4);
  CHECK(found.components == std::vector<std::int64_t>{13, 23, 33, 43});
  for (std::size_t n = 0; n < system.layout->ids.size(); ++n)
    CHECK((found.of_node[n] >= 0) == (system.layout->component[n] % 10 == 3));
}

TEST_CASE("a splinter is one cell, however the large body is divided", "[solvers][cells][parallel]")
{
  std::vector<ElasticBlock> blocks{{.cubes = {12, 6, 6}, .size = {12, 6, 6}}};
  for (std::size_t k = 0; k < 50; ++k)
    blocks.push_back({.cubes = {2, 2, 2}, .corner = {0.37 * static_cast<double>(k), 1.3, 1.1}, .size = {9, 9, 9}});
  const Comm comm;
  const auto found = material_cells(*test::assemble(comm, blocks, test::scattered(comm, 9)).layout, 27, any_number);
  auto cells = cells_of_components(found);
  CHECK(cells.size() == 51);
  CHECK(cells[10] > 20);
  CHECK(static_cast<int>(found.count()) == cells[10] + 50);
}

TEST_CASE("nodes at one place are one cell or few, none at all are none", "[solvers][cells][parallel]")
{
  const Comm comm;
  solvers::NodeLayout layout{comm, 0, 0, {}, {}, {}, {}, {}};
  CHECK(material_cells(layout, 1, any_number).count() == 0);
  layout.num_owned = 3;
  layout.ids.resize(3), layout.X.assign(3, Vec3(1, 2, 3)), layout.component.assign(3, 0);
  CHECK(material_cells(layout, 1, any_number).count() == 1);
  if (comm.rank() == 0) layout.X[0].x() = 2;  // two places
  CHECK(material_cells(layout, 1, any_number).count() == 2);
}

TEST_CASE("the order of elimination names each row once, and fills less than the order of rows",
          "[solvers][cells][cholesky]")
{
  const std::vector<ElasticBlock> blocks{{.cubes = {12, 12, 12}}, {.cubes = {5, 1, 1}}};
  const auto system = test::assemble(Comm(MPI_COMM_SELF), blocks, [](std::int64_t) { return 0; });
  const auto cells = material_cells(*system.layout, 8, any_number);
  std::vector<solvers::BlockPosition> pattern;
  for (std::size_t row = 0; row + 1 < system.A.row_begin.size(); ++row)
    for (auto k = system.A.row_begin[row]; k < system.A.row_begin[row + 1]; ++k) {
      const std::int32_t mine = cells.of_node[row];
      const std::int32_t other = cells.of_node[static_cast<std::size_t>(system.A.columns[static_cast<std::size_t>(k)])];
      if (other <= mine) pattern.push_back({mine, other});
    }
  sort_unique(pattern);
  const auto order = solvers::elimination_order(cells.count(), pattern);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> all(cells.count());
  std::iota(all.begin(), all.end(), 0);
  REQUIRE(sorted == all);
  CHECK(solvers::BlockCholesky<6>(order, pattern).bytes() < 0.8 * solvers::BlockCholesky<6>(all, pattern).bytes());
}
