#include "partition/halo/halo.hpp"

#include "core/tags.hpp"

#include <numeric>

namespace sunder::partition {

Halo::Halo(const Comm& comm, const mesh::TetMesh& mesh, bool with_scalar)
  : comm_(comm), motion_(comm, tags::halo, with_scalar)
{
  std::vector<LocalIndex> nodes(static_cast<std::size_t>(mesh.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  update(mesh, nodes);
}

void Halo::update(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed)
{
  if (shared_.update(mesh, changed, changed)) motion_.set(shared_.neighbours());
}

void Halo::owners_to_ghosts(std::span<Row4> p, std::span<Row4> v)
{
  motion_.start(shared_.neighbours(), p, v);
  motion_.finish(shared_.neighbours(), p, v);
}

}  // namespace sunder::partition
