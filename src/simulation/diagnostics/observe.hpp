#pragma once
/// What is read off the state: fragments, hash, momentum, energies, fields for a frame. Nothing here changes it.

#include "core/reduction.hpp"
#include "element/model.hpp"
#include "io/frame.hpp"
#include "partition/halo.hpp"
#include "simulation/diagnostics/fragments.hpp"

namespace sunder::simulation {

/// Collective. Hash of the bits of every node (id, X, p, v) and element (id, corners, material, plastic strain), the
/// same on any number of ranks: each entity's hash carries its id, and they are added modulo 2^64, which no order
/// changes.
std::uint64_t state_hash(const element::Model& model, const Comm& comm);

/// Of nodes, each counted by its owner, and of elements.
struct Totals {
  GlobalIndex nodes = 0, elements = 0;
  double mass = 0;
  Vec3 momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();

  /// Local. A share becomes the sum of all ranks' with the others of the reduction.
  void join(Reduction& all) { all.sum(nodes, elements, mass, momentum, angular_momentum); }
};
Totals totals_share(const element::Model& model);              ///< Local. This rank's.
Totals totals(const element::Model& model, const Comm& comm);  ///< Collective, one reduction. All ranks'.

/// Collective, one reduction. Of the elements and nodes ranks hold now.
io::Shares shares(const mesh::TetMesh& mesh, const partition::Halo& halo);

/// Fields of the elements this rank writes, and the views a writer needs. Lives as long as the model is unchanged.
struct FrameFields {
  std::vector<NodeId> node_id;
  std::vector<Rank> node_owner;
  std::vector<Vec3> X;
  std::vector<LocalIndex> written;
  std::vector<std::array<double, 6>> stress;
  std::vector<double> max_principal_stress, plastic_strain;
  std::vector<std::int64_t> fragment;
};
/// Local. fragment_of_node: as fragment_of_nodes() numbers them.
FrameFields frame_fields(const element::Model& model, std::span<const std::int64_t> fragment_of_node);
io::Frame frame_of(const element::Model& model, const FrameFields& fields, std::int64_t step, double time);  ///< Local.

}  // namespace sunder::simulation
