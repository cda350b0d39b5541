#pragma once
/// A cube of small cubes, six tetrahedra each, distributed by the holder law for any choice of node owners.

#include "io/frames/frame.hpp"

#include <algorithm>
#include <functional>

namespace sunder::test {

/// What one rank holds of it, with fields that are functions of the global ids.
class DistributedBlock {
public:
  using OwnerOf = std::function<Rank(std::uint64_t)>;

  DistributedBlock(int cubes_a_side, Rank me, const OwnerOf& owner_of) : n_(cubes_a_side)
  {
    std::vector<LocalIndex> local(static_cast<std::size_t>(num_nodes()), -1);
    std::uint64_t id = 0;
    for (const auto& corners : all_tets()) {
      if (std::any_of(corners.begin(), corners.end(), [&](const NodeId& q) { return owner_of(q.low) == me; }))
        hold(corners, 1000 + id, owner_of, local);
      ++id;
    }
  }

  std::int64_t num_nodes() const { return std::int64_t{1} * (n_ + 1) * (n_ + 1) * (n_ + 1); }
  std::int64_t num_elements() const { return std::int64_t{6} * n_ * n_ * n_; }

  static Vec3 displacement(const NodeId& id) { return {0.001 * static_cast<double>(id.low), 0.5, -0.25}; }
  static Vec3 velocity(const NodeId& id) { return {1, static_cast<double>(id.low), 3}; }
  static std::array<double, 6> stress(const ElementId& id)
  {
    const auto s = static_cast<double>(id.low);
    return {s, s + 0.125, s + 0.25, s + 0.375, s + 0.5, s + 0.625};
  }
  static std::int64_t fragment(const ElementId& id) { return static_cast<std::int64_t>(id.low % 5); }
  static MaterialIndex material(const ElementId& id) { return static_cast<MaterialIndex>(id.low % 3); }

  const std::vector<Vec3>& rest() const { return X_; }

  io::Frame frame(double time) const
  {
    io::Frame f;
    f.time = time;
    f.node_id = node_id_, f.node_owner = node_owner_, f.element_id = element_id_, f.corners = tets_;
    std::vector<double> u, v, X, s, principal, plastic;
    for (std::size_t n = 0; n < node_id_.size(); ++n) {
      f.points.push_back(X_[n] + displacement(node_id_[n]));
      append(u, displacement(node_id_[n])), append(v, velocity(node_id_[n])), append(X, X_[n]);
    }
    f.node_fields = {{"Displacement", "m", 3, u}, {"Velocity", "m/s", 3, v}, {"MaterialPosition", "m", 3, X}};
    std::vector<std::int64_t> fragments;
    std::vector<std::int32_t> materials, ranks;
    for (std::size_t e = 0; e < element_id_.size(); ++e) {
      const auto tensor = stress(element_id_[e]);
      s.insert(s.end(), tensor.begin(), tensor.end());
      principal.push_back(tensor[5]), plastic.push_back(0.5 * tensor[0]);
      fragments.push_back(fragment(element_id_[e])), materials.push_back(material(element_id_[e]));
      ranks.push_back(io::writer_of(f, e));
    }
    f.element_fields = {{"Stress", "Pa", 6, s},
                        {"MaxPrincipalStress", "Pa", 1, principal},
                        {"PlasticStrain", "", 1, plastic},
                        {"Fragment", "", 1, fragments},
                        {"Material", "", 1, materials},
                        {"Rank", "", 1, ranks}};
    return f;
  }

private:
  static void append(std::vector<double>& column, const Vec3& v)
  {
    column.insert(column.end(), v.data(), v.data() + 3);
  }

  std::vector<std::array<NodeId, 4>> all_tets() const
  {
    // Kuhn's six: one for each order of walking along the three axes from one corner to the opposite one.
    constexpr int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int side = n_ + 1;
    const int stride[3] = {1, side, side * side};
    std::vector<std::array<NodeId, 4>> tets;
    for (int c = 0; c < n_ * n_ * n_; ++c) {
      const int first = c % n_ + side * (c / n_ % n_) + side * side * (c / n_ / n_);
      for (int k = 0; k < 6; ++k) {
        const int b = first + stride[order[k][0]], d = b + stride[order[k][1]], e = d + stride[order[k][2]];
        std::array<NodeId, 4> tet{static_cast<NodeId>(first), static_cast<NodeId>(b), static_cast<NodeId>(d),
                                  static_cast<NodeId>(e)};
        if (k >= 3) std::swap(tet[1], tet[2]);  // odd orders walk the other way round
        tets.push_back(tet);
      }
    }
    return tets;
  }

  LocalIndex add_node(const NodeId& id, Rank owner)
  {
    const auto side = static_cast<std::uint64_t>(n_ + 1);
    const Vec3 X = Vec3(static_cast<double>(id.low % side), static_cast<double>(id.low / side % side),
                        static_cast<double>(id.low / side / side)) /
                   n_;
    node_id_.push_back(id), node_owner_.push_back(owner), X_.push_back(X);
    return static_cast<LocalIndex>(X_.size() - 1);
  }

  void hold(const std::array<NodeId, 4>& corners, const ElementId& id, const OwnerOf& owner_of,
            std::vector<LocalIndex>& local)
  {
    Tet tet{};
    for (std::size_t k = 0; k < 4; ++k) {
      LocalIndex& n = local[corners[k].low];
      if (n < 0) n = add_node(corners[k], owner_of(corners[k].low));
      tet[k] = n;
    }
    tets_.push_back(tet), element_id_.push_back(id);
  }

  int n_;
  std::vector<NodeId> node_id_;
  std::vector<Rank> node_owner_;
  std::vector<Vec3> X_;
  std::vector<Tet> tets_;
  std::vector<ElementId> element_id_;
};

}  // namespace sunder::test
