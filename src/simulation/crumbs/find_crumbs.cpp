#include "simulation/crumbs/find_crumbs.hpp"

#include "core/reproducible_sum.hpp"

#include <algorithm>
#include <cstdint>

namespace sunder::simulation {
namespace {

/// Collective. Of all elements at rest, the same bits on any number of ranks [m^3].
double mean_volume(const State& state)
{
  const element::Model& model = state.model;
  ReproducibleSum sum;
  std::int64_t elements = 0;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e)
    if (model.mesh.primary(e)) sum.add(model.blocks.volume(e)), ++elements;
  state.comm.sum_in_place(sum.raw());
  return sum.value() / static_cast<double>(std::max<std::int64_t>(1, state.comm.sum(elements)));
}

/// Collective on neighbours. (nodes) 1: one element alone has it, of all ranks.
std::vector<std::uint8_t> of_one_element(const State& state)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  std::vector<std::uint8_t> alone(at(mesh.num_nodes()), 0);
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) alone[at(n)] = mesh.star(n).size() == 1;
  state.halo->owners_to_ghosts(std::span<std::uint8_t>(alone));
  return alone;
}

bool is_followed(const config::Scene& scene, const element::Model& model, LocalIndex e)
{
  const auto follows_element = [e](const element::MaterialPoint& point) { return point.slot == e; };
  const auto follows_node = [&](const config::Probe& probe) {
    const auto is_node = [&](LocalIndex n) {
      return model.mesh.node(n).id == NodeId(static_cast<std::uint64_t>(*probe.node));
    };
    return probe.node && std::any_of(model.mesh.tet(e).begin(), model.mesh.tet(e).end(), is_node);
  };
  const auto& probes = scene.output.probes;
  return std::any_of(model.points.begin(), model.points.end(), follows_element) ||
         std::any_of(probes.begin(), probes.end(), follows_node);
}

}  // namespace

std::vector<LocalIndex> find_single_elements(const config::Scene& scene, const State& state)
{
  const element::Model& model = state.model;
  const double largest = scene.lattice.crumbs.volume * mean_volume(state);
  const std::vector<std::uint8_t> alone = of_one_element(state);
  std::vector<LocalIndex> found;
  for (LocalIndex e = 0; e < model.mesh.num_slots(); ++e) {
    if (!model.mesh.alive(e) || !(model.blocks.volume(e) < largest)) continue;
    const Tet& tet = model.mesh.tet(e);
    if (std::all_of(tet.begin(), tet.end(), [&](LocalIndex n) { return alone[at(n)] != 0; })) found.push_back(e);
  }
  return found;
}

std::vector<LocalIndex> find_crumbs(const config::Scene& scene, const State& state)
{
  std::vector<LocalIndex> crumbs = find_single_elements(scene, state);
  std::erase_if(crumbs, [&](LocalIndex e) { return is_followed(scene, state.model, e); });
  return crumbs;
}

}  // namespace sunder::simulation
