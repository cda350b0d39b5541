#include "fracture/exclusion.hpp"

#include "core/sort_unique.hpp"

#include <algorithm>

namespace sunder::fracture {
namespace {

/// The longest zone of the materials around a node [m].
double zone_at(const element::Model& model, LocalIndex n)
{
  double zone = 0;
  for (const LocalIndex e : model.mesh.star(n))
    if (const material::Material& m = model.material_of(e); m.cohesion.energy > 0)
      zone = std::max(zone, material::process_zone(m));
  return zone;
}

}  // namespace

bool continues_crack(const mesh::TetMesh& mesh, LocalIndex n)
{
  std::vector<LocalIndex> around;
  for (const LocalIndex e : mesh.star(n)) around.insert(around.end(), mesh.tet(e).begin(), mesh.tet(e).end());
  sort_unique(around);
  for (std::size_t i = 0; i < around.size(); ++i)
    for (std::size_t k = i + 1; k < around.size(); ++k)
      if (mesh.node(around[i]).X == mesh.node(around[k]).X) return true;
  return false;
}

void Reach::clear()
{
  for (const LocalIndex n : members_) left_[static_cast<std::size_t>(n)] = 0;
  members_.clear();
}

void Reach::start(LocalIndex num_nodes)
{
  clear();
  left_.resize(static_cast<std::size_t>(num_nodes), 0);
}

bool Reach::raise(LocalIndex n, double left)
{
  double& known = left_[static_cast<std::size_t>(n)];
  if (!(left > known)) return false;
  if (known == 0) members_.push_back(n);
  known = left;
  return true;
}

/// The neighbours of the nodes in `raised`, which may repeat, hear what is left there, and so on. Each edge takes what
/// all nodes had before it, so the order of nodes decides nothing; what is found for owned nodes is right, for their
/// stars are whole, and ghosts get it.
void Reach::spread(const mesh::TetMesh& mesh, const partition::Halo& halo, const Reach* within)
{
  std::vector<LocalIndex> raised = members_;
  const auto tell_ghosts = [&] {
    const std::vector<LocalIndex> here = raised;
    halo.owners_to_ghosts(mesh, std::span(left_), here,
                          [&](LocalIndex ghost) { members_.push_back(ghost), raised.push_back(ghost); });
  };
  std::vector<double> heard;
  for (int edge = 0; edge < most_edges; ++edge) {
    tell_ghosts();
    heard.clear();
    for (const LocalIndex n : raised) heard.push_back(left_[static_cast<std::size_t>(n)]);
    raised_.start(mesh.num_nodes());
    for (std::size_t i = 0; i < raised.size(); ++i)
      for (const LocalIndex e : mesh.star(raised[i]))
        for (const LocalIndex q : mesh.tet(e)) {
          if (left_[static_cast<std::size_t>(q)] >= heard[i] || (within && !within->contains(q))) continue;
          if (raise(q, heard[i] - (mesh.node(q).X - mesh.node(raised[i]).X).norm())) raised_.insert(q);
        }
    raised.assign(raised_.nodes().begin(), raised_.nodes().end());
  }
  tell_ghosts();
}

void Exclusion::look(const element::Model& model, const partition::Halo& halo, double share,
                     std::span<const LocalIndex> nodes)
{
  if (!(share > 0)) return;
  constexpr double up = 1 + 1e-9;  // for round-off: a way has another sum from its other end
  double longest = 0;
  for (const material::Material& m : model.materials)
    if (m.cohesion.energy > 0) longest = std::max(longest, material::process_zone(m));
  near_.start(model.mesh.num_nodes());
  for (const LocalIndex n : nodes) near_.raise(n, up * share * longest);
  near_.spread(model.mesh, halo, nullptr);
  excluded_.start(model.mesh.num_nodes());
  for (const LocalIndex n : near_.members())
    if (model.mesh.owned(n) && model.p[static_cast<std::size_t>(n)].w > 0)
      excluded_.raise(n, share * zone_at(model, n));
  excluded_.spread(model.mesh, halo, &near_);
}

void Exclusion::clear()
{
  near_.clear(), excluded_.clear();
}

}  // namespace sunder::fracture
