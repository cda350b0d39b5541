#include "fracture/invariants.hpp"

#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <string>

namespace {

using namespace sunder;
using Elements = std::vector<mesh::Element>;

test::TestProblem sound_box(const Comm& comm)
{
  return test::distributed(comm, test::box_mesh(4, 3, 3, 0.1, 0.2, 1), {test::chalk()},
                           test::by_method(partition::Method::hilbert));
}

std::vector<mesh::Node> nodes_of(const mesh::TetMesh& mesh)
{
  std::vector<mesh::Node> nodes;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) nodes.push_back(mesh.node(n));
  return nodes;
}

Elements elements_of(const mesh::TetMesh& mesh)
{
  Elements elements;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    elements.push_back({mesh.element_id(e), mesh.tet(e), mesh.material(e)});
  return elements;
}

mesh::TetMesh with_elements(const mesh::TetMesh& mesh, const Elements& elements)
{
  return {mesh.me(), nodes_of(mesh), elements};
}

/// Collective. A box whose elements are other ones on the ranks where `change` makes them so; all else follows from
/// them.
test::TestProblem changed_box(const Comm& comm, const std::function<void(const mesh::TetMesh&, Elements&)>& change)
{
  const auto sound = sound_box(comm);
  Elements elements = elements_of(sound.model.mesh);
  change(sound.model.mesh, elements);
  test::TestProblem problem;
  problem.model = element::make_model(with_elements(sound.model.mesh, elements), {test::chalk(), test::chalk()}, {});
  problem.halo = std::make_unique<partition::Halo>(comm, problem.model.mesh);
  return problem;
}

/// Collective. What all ranks together find; empty: nothing.
std::string violation(const Comm& comm, const test::TestProblem& problem)
{
  return first_of(comm, fracture::find_violation(problem.model, *problem.halo)).value_or("");
}

/// Slots of elements that this rank does not hold alone, ascending.
std::vector<std::size_t> border_slots(const mesh::TetMesh& mesh)
{
  std::vector<std::size_t> slots;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.on_border(e)) slots.push_back(static_cast<std::size_t>(e));
  return slots;
}

/// Two elements that both of two ranks hold, as slots of the first one.
std::pair<std::size_t, std::size_t> two_shared(const mesh::TetMesh& mesh)
{
  const auto border = border_slots(mesh);
  const auto other = [&mesh](std::size_t slot) {
    for (const LocalIndex n : mesh.tet(static_cast<LocalIndex>(slot)))
      if (!mesh.owned(n)) return mesh.node(n).owner;
    return mesh.me();
  };
  const auto second = std::find_if(border.begin() + 1, border.end(),
                                   [&](std::size_t slot) { return other(slot) == other(border.front()); });
  REQUIRE(second != border.end());
  return {border.front(), *second};
}

bool is_last(const Comm& comm)
{
  return comm.rank() == comm.size() - 1;
}

}  // namespace

TEST_CASE("of a sound mesh no violation is found", "[fracture][parallel]")
{
  const Comm comm;
  CHECK(violation(comm, sound_box(comm)).empty());
}

TEST_CASE("an element that a holder lacks, or has otherwise, is found", "[fracture][parallel]")
{
  const Comm comm;
  if (comm.size() == 1) return;
  SECTION("lacks")
  {
    const auto problem = changed_box(comm, [&](const mesh::TetMesh& mesh, Elements& elements) {
      if (is_last(comm)) elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(border_slots(mesh).front()));
    });
    CHECK_THAT(violation(comm, problem), Catch::Contains("but not the same on rank"));
  }
  SECTION("of another material")
  {
    const auto problem = changed_box(comm, [&](const mesh::TetMesh& mesh, Elements& elements) {
      if (is_last(comm)) elements[border_slots(mesh).front()].material = 1;
    });
    CHECK_THAT(violation(comm, problem), Catch::Contains("but not the same on rank"));
  }
  SECTION("in another order")
  {
    const auto problem = changed_box(comm, [&](const mesh::TetMesh& mesh, Elements& elements) {
      if (!is_last(comm)) return;
      const auto [a, b] = two_shared(mesh);
      std::swap(elements[a], elements[b]);
    });
    CHECK_THAT(violation(comm, problem), Catch::Contains("in another order"));
  }
}

TEST_CASE("exchange lists that are not of the elements held are found", "[fracture][parallel]")
{
  const Comm comm;
  if (comm.size() == 1) return;
  auto problem = sound_box(comm);
  const mesh::TetMesh& mesh = problem.model.mesh;
  if (is_last(comm)) {  // as if the lists had not been brought up to date after elements came
    Elements fewer = elements_of(mesh);
    const LocalIndex ghost = problem.halo->neighbours().front().ghosts.front();
    std::erase_if(fewer,
                  [ghost](const mesh::Element& e) { return std::count(e.nodes.begin(), e.nodes.end(), ghost) > 0; });
    problem.halo = std::make_unique<partition::Halo>(comm, with_elements(mesh, fewer));
  }
  const std::string last = std::to_string(comm.size() - 1);
  CHECK_THAT(violation(comm, problem), Catch::StartsWith("rank " + last + ": its exchange lists with rank "));
}

TEST_CASE("a ghost that is not where its owner's node is, is found", "[fracture][parallel]")
{
  const Comm comm;
  if (comm.size() == 1) return;
  auto problem = sound_box(comm);
  if (is_last(comm))
    problem.model.v[static_cast<std::size_t>(problem.halo->neighbours().front().ghosts.back())].y = 1e-300;
  CHECK_THAT(violation(comm, problem), Catch::StartsWith("ghost "));
}

TEST_CASE("an element whose lane has another element's data is found", "[fracture]")
{
  const Comm alone(MPI_COMM_SELF);
  auto problem = sound_box(alone);
  Elements elements = elements_of(problem.model.mesh);
  std::swap(elements[6], elements[60]);
  problem.model.mesh = with_elements(problem.model.mesh, elements);
  CHECK_THAT(violation(alone, problem), Catch::Contains("its lane is out of date"));
}

TEST_CASE("ids that come twice and crowded faces are found", "[fracture]")
{
  const Comm alone(MPI_COMM_SELF);
  const auto changed = [&](const std::function<void(const mesh::TetMesh&, Elements&)>& change) {
    return violation(alone, changed_box(alone, change));
  };
  CHECK(changed([](const mesh::TetMesh&, Elements& elements) { elements[4].id = elements[5].id; }) ==
        "element 5: two have this id");
  CHECK_THAT(changed([](const mesh::TetMesh&, Elements& elements) {
               elements.push_back(elements.back());
               elements.back().id = elements.back().id.low + 1;
             }),
             Catch::Contains(": more than two elements"));
}

TEST_CASE("a star in two components is found, and a node without elements", "[fracture]")
{
  const Comm alone(MPI_COMM_SELF);
  mesh::MeshData hinged;  // two tetrahedra that meet in their first corner
  hinged.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}, {0, -1, 0}};
  hinged.tets = {{0, 1, 2, 3}, {0, 4, 5, 6}};
  const auto owners = test::by_method(partition::Method::hilbert);
  CHECK_THAT(violation(alone, test::distributed(alone, hinged, {test::chalk()}, owners)),
             Catch::Contains("its star has 2 components"));
  const auto emptied = changed_box(alone, [](const mesh::TetMesh&, Elements& elements) {
    std::erase_if(elements, [](const mesh::Element& e) { return std::count(e.nodes.begin(), e.nodes.end(), 0) > 0; });
  });
  CHECK_THAT(violation(alone, emptied), Catch::Contains("its star has 0 components"));
}
