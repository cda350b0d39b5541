#pragma once
/// What a frame shows of the bodies.

#include "element/model.hpp"
#include "io/frame.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder::simulation {

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
