#include "simulation/fragments/find_fragments.hpp"

#include "simulation/union_find.hpp"
#include "support/all_gather.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace sunder;

namespace {

/// Collective. Every element of every rank as edges between its nodes, and the number each node got.
struct Whole {
  test::Edges edges;
  std::map<NodeId, std::int64_t> number;
};

Whole gathered(const Comm& comm, const mesh::TetMesh& mesh, const std::vector<std::int64_t>& of_node)
{
  std::vector<NodeId> ids, numbers;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.alive(e))
      for (std::size_t a = 1; a < 4; ++a)
        ids.insert(ids.end(), {mesh.node(mesh.tet(e)[0]).id, mesh.node(mesh.tet(e)[a]).id});
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    CHECK((of_node[static_cast<std::size_t>(n)] < 0) == mesh.star(n).empty());
    if (mesh.star(n).empty()) continue;
    numbers.push_back(mesh.node(n).id);
    numbers.push_back(static_cast<std::uint64_t>(of_node[static_cast<std::size_t>(n)]));
  }
  Whole whole;
  ids = test::all_gather(comm, ids), numbers = test::all_gather(comm, numbers);
  for (std::size_t k = 0; k < ids.size(); k += 2) whole.edges.emplace_back(ids[k], ids[k + 1]);
  for (std::size_t k = 0; k < numbers.size(); k += 2) {
    const auto value = static_cast<std::int64_t>(numbers[k + 1].low);
    CHECK(whole.number.try_emplace(numbers[k], value).first->second == value);  // the same on each holder
  }
  return whole;
}

/// Collective. Against a union-find over everything; returns the number of fragments.
std::int64_t checked_count(const Comm& comm, const test::TestProblem& problem)
{
  const auto fragments = simulation::find_fragments(problem.model, *problem.halo);
  const auto of_node = simulation::fragment_of_nodes(comm, fragments);
  const Whole whole = gathered(comm, problem.model.mesh, of_node);
  const auto least = test::least_by_union_find({}, whole.edges);
  std::set<NodeId> smallest_ids;
  for (const auto& [node, smallest] : least) smallest_ids.insert(smallest);
  CHECK(fragments.count == static_cast<std::int64_t>(smallest_ids.size()));
  REQUIRE(whole.number.size() == least.size());
  for (const auto& [node, smallest] : least)
    REQUIRE(whole.number.at(node) == std::distance(smallest_ids.begin(), smallest_ids.find(smallest)));
  return fragments.count;
}

/// Boxes along a diagonal, the last corner of each where the first of the next is. `joined` of them in turn have that
/// node in common, the next hangs on nothing.
mesh::MeshData boxes(int count, int cells, int joined)
{
  mesh::MeshData all;
  const auto box = test::box_mesh(cells, 1, 1, 0.1);
  for (int b = 0; b < count; ++b) {
    const bool hangs = b % joined != 0;
    const auto first = static_cast<GlobalIndex>(all.nodes.size()) - (hangs ? 1 : 0);
    for (std::size_t n = hangs ? 1 : 0; n < box.nodes.size(); ++n)
      all.nodes.push_back(box.nodes[n] + 0.1 * b * Vec3(cells, 1, 1));
    for (auto tet : box.tets) {
      for (GlobalIndex& q : tet) q += first;
      all.tets.push_back(tet);
    }
  }
  for (std::size_t n = 0; n < all.nodes.size(); ++n) all.node_labels.push_back(n + 1);
  for (std::size_t e = 0; e < all.tets.size(); ++e) all.element_labels.push_back(e + 1);
  return all;
}

test::Owners owners_by(int choice)
{
  if (choice == 0) return test::scattered(3);  // hardly an element that only one rank holds
  if (choice == 1) return test::by_method(partition::Method::hilbert);
  return [](const mesh::MeshData& mesh, Rank ranks) {  // every other rank owns nothing
    std::vector<Rank> owners;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
      owners.push_back(static_cast<Rank>(n * static_cast<std::size_t>((ranks + 1) / 2) / mesh.nodes.size()) * 2);
    return owners;
  };
}

}  // namespace

TEST_CASE("an unbroken body is one fragment, whoever holds what of it", "[fragments][parallel]")
{
  const Comm comm;
  const int choice = GENERATE(0, 1, 2);
  CAPTURE(choice);
  // A rod: a chain of parts over all ranks.
  const auto problem = test::distributed(comm, test::box_mesh(60, 1, 1, 0.1), {test::chalk()}, owners_by(choice));
  CHECK(checked_count(comm, problem) == 1);
}

TEST_CASE("fragments are those of a union-find, and their numbers are in the order of their smallest nodes",
          "[fragments][parallel]")
{
  const Comm comm;
  const int choice = GENERATE(0, 1, 2);
  CAPTURE(choice);
  const auto count = [&](int num, int cells, int joined) {
    return checked_count(comm, test::distributed(comm, boxes(num, cells, joined), {test::chalk()}, owners_by(choice)));
  };
  CHECK(count(3000, 1, 1) == 3000);  // dust
  CHECK(count(600, 1, 3) == 200);
  CHECK(count(60, 6, 20) == 3);
}
