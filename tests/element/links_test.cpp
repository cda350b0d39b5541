#include "element/links.hpp"

#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <utility>

using namespace sunder;

namespace {

mesh::TetMesh box()
{
  return test::distributed(Comm(MPI_COMM_SELF), test::box_mesh(2, 2, 2, 0.1), {test::chalk()},
                           test::by_method(partition::Method::hilbert))
      .model.mesh;
}

std::vector<std::size_t> full_search(const element::Links& links, LocalIndex n)
{
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (links[k].plus == n || links[k].minus == n) found.push_back(k);
  return found;
}

void check_index(const element::Links& links, LocalIndex num_nodes)
{
  for (LocalIndex n = 0; n < num_nodes; ++n) CHECK(links.of(n) == full_search(links, n));
}

/// So that each link can be told from the others.
element::ModelLink numbered(LocalIndex plus, LocalIndex minus, int number)
{
  return {plus, minus, Vec3::UnitZ(), element::CohesiveLink({.area = static_cast<double>(number), .cohesion = {}})};
}

/// (number, plus, minus) of all, in order of number.
std::vector<std::array<int, 3>> contents(const element::Links& links)
{
  std::vector<std::array<int, 3>> all;
  for (const element::ModelLink& link : links)
    all.push_back({static_cast<int>(link.link.law().area), link.plus, link.minus});
  std::sort(all.begin(), all.end());
  return all;
}

bool in_order(const element::Links& links, const mesh::TetMesh& mesh)
{
  return std::is_sorted(links.begin(), links.end(), [&mesh](const auto& a, const auto& b) {
    return std::pair(mesh.node(a.plus).id, mesh.node(a.minus).id) <
           std::pair(mesh.node(b.plus).id, mesh.node(b.minus).id);
  });
}

}  // namespace

TEST_CASE("each node's links are those that a full search finds, whatever became of them", "[element][cohesion]")
{
  const mesh::TetMesh mesh = box();
  const LocalIndex nodes = mesh.num_nodes();
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    const auto draw = [&random](auto below) {
      return static_cast<decltype(below)>(random() % static_cast<unsigned>(below));
    };
    element::Links links;
    int number = 0;
    for (int round = 0; round < 50; ++round) {
      for (int k = draw(6); k > 0; --k) {
        const LocalIndex plus = draw(nodes - 1);
        links.add(numbered(plus, plus + 1 + draw(nodes - 1 - plus), ++number));
      }
      for (int moves = links.empty() ? 0 : draw(4); moves > 0; --moves) {
        const std::size_t k = draw(links.size());
        const LocalIndex n = draw(2) == 0 ? links[k].plus : links[k].minus, other = draw(nodes);
        if (other != links[k].plus && other != links[k].minus) links.give_to(other, n, k);
      }
      check_index(links, nodes);
      const auto before = contents(links);
      links.sort(mesh);
      CHECK(contents(links) == before);
      CHECK(in_order(links, mesh));
      check_index(links, nodes);
      const int gone = draw(7);
      links.erase_if([gone](const auto& link) { return static_cast<int>(link.link.law().area) % 7 == gone; });
      for (const auto& link : contents(links)) CHECK(link[0] % 7 != gone);
      check_index(links, nodes);
    }
    CHECK(links.size() >= 5);
  }
}
