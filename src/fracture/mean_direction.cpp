#include "fracture/mean_direction.hpp"

#include "core/bytes.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>
#include <map>

namespace sunder::fracture {
namespace {

/// Asks the owner of a neighbour for the elements around it.
struct Question {
  NodeId node, neighbour;
  std::array<double, 3> X;  // of the node
  double radius;
};

struct Answer {
  NodeId node;
  ElementId element;
  std::array<double, 6> stress;  // xx yy zz xy yz xz, times volume and weight
};

using StressByElement = std::map<ElementId, std::array<double, 6>>;

std::vector<LocalIndex> neighbours_of(const mesh::TetMesh& mesh, LocalIndex n)
{
  std::vector<LocalIndex> nodes;
  for (const LocalIndex e : mesh.star(n)) nodes.insert(nodes.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  sort_unique(nodes);
  return nodes;
}

/// Adds the elements around a node that are near enough to X.
void add_elements(const element::Model& model, LocalIndex n, const Vec3& X, double radius, StressByElement& to)
{
  for (const LocalIndex e : model.mesh.star(n)) {
    const auto corners = model.mesh.corners(e);
    const double distance = ((corners[0] + corners[1] + corners[2] + corners[3]) / 4 - X).norm();
    if (distance >= radius || to.contains(model.mesh.element_id(e))) continue;
    const Mat3 F = element::deformation(model.blocks.gradients(e), model.positions(e), Mat34::Zero()).F;
    const Mat3 s =
        model.blocks.volume(e) * (1 - distance / radius) * element::cauchy_stress(F, element::element_stress(model, e));
    to[model.mesh.element_id(e)] = {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(0, 2)};
  }
}

Vec3 direction_of(const StressByElement& elements)
{
  std::array<double, 6> s{};
  for (const auto& [id, stress] : elements)
    for (std::size_t k = 0; k < 6; ++k) s[k] += stress[k];
  Mat3 sum;
  sum << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  const element::Principal principal = element::largest_principal(sum);
  return principal.value > 0 ? principal.direction : Vec3(Vec3::Zero());
}

}  // namespace

std::vector<Vec3> mean_directions(const element::Model& model, const partition::Halo& halo,
                                  std::span<const LocalIndex> nodes)
{
  constexpr double sizes = 2;  // radius over the mesh size before fracture
  const mesh::TetMesh& mesh = model.mesh;
  std::map<NodeId, StressByElement> around;
  std::vector<Bytes> questions(halo.peers().size());
  for (const LocalIndex n : nodes) {
    const mesh::Node& node = mesh.node(n);
    for (const LocalIndex q : neighbours_of(mesh, n))
      if (mesh.owned(q))
        add_elements(model, q, node.X, sizes * node.size, around[node.id]);
      else
        put(questions[halo.position_of(mesh.node(q).owner)],
            Question{node.id, mesh.node(q).id, {node.X.x(), node.X.y(), node.X.z()}, sizes * node.size});
  }
  std::vector<Bytes> answers(halo.peers().size());
  const std::vector<Bytes> asked = exchange(halo.comm(), halo.peers(), questions);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    std::map<NodeId, StressByElement> mine;
    for (ByteReader in(asked[k]); !in.done();) {
      const auto question = in.get<Question>();
      add_elements(model, *mesh.find(question.neighbour), Vec3(question.X.data()), question.radius,
                   mine[question.node]);
    }
    for (const auto& [node, elements] : mine)
      for (const auto& [element, stress] : elements) put(answers[k], Answer{node, element, stress});
  }
  for (const Bytes& message : exchange(halo.comm(), halo.peers(), answers))
    for (ByteReader in(message); !in.done();) {
      const auto answer = in.get<Answer>();
      around[answer.node].try_emplace(answer.element, answer.stress);
    }
  std::vector<Vec3> directions;
  for (const LocalIndex n : nodes) directions.push_back(direction_of(around[mesh.node(n).id]));
  return directions;
}

}  // namespace sunder::fracture
