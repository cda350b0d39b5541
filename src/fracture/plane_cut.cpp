#include "fracture/plane_cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

namespace sunder::fracture {
namespace {

Vec3 centroid(const mesh::TetMesh& mesh, LocalIndex e)
{
  const auto X = mesh.corners(e);
  return (X[0] + X[1] + X[2] + X[3]) / 4;
}

std::int8_t side_at(double distance)
{
  return static_cast<std::int8_t>((distance > 0) - (distance < 0));
}

/// An edge between nodes on different sides of the plane.
struct Crossing {
  LocalIndex a = -1, b = -1;  // ascending by id
  double t = 0;               // from a to b

  double shorter() const { return std::min(t, 1 - t); }
  LocalIndex nearer() const { return t <= 0.5 ? a : b; }
};

class Search {
public:
  Search(const element::Model& model, const partition::Halo& halo, const BallPlane& plane,
         const FractureOptions& options, double least_edge)
    : mesh_(model.mesh), halo_(halo), plane_(plane), options_(options), least_edge_(least_edge)
  {
    sides_.resize(at(mesh_.num_nodes()), 0);
  }

  PlaneCrossings run()
  {
    classify();
    snap_near_ends();
    avoid_slivers();
    PlaneCrossings found;
    for (const LocalIndex e : crossed_)
      for (const Crossing& c : crossings(e)) found.bisections.push_back(bisection(c));
    const auto ends = [](const Bisection& c) { return std::tie(c.a, c.b); };
    std::sort(found.bisections.begin(), found.bisections.end(),
              [&ends](const Bisection& x, const Bisection& y) { return ends(x) < ends(y); });
    const auto last = std::unique(found.bisections.begin(), found.bisections.end(),
                                  [&ends](const Bisection& x, const Bisection& y) { return ends(x) == ends(y); });
    found.bisections.erase(last, found.bisections.end());
    found.sides = std::move(sides_);
    return found;
  }

private:
  void tell_ghosts() { halo_.owners_to_ghosts(std::span(sides_)); }

  /// The owner of a node has all elements around it.
  void classify()
  {
    for (LocalIndex e = 0; e < mesh_.num_slots(); ++e) {
      if (!mesh_.alive(e) || !plane_.reaches(mesh_, e)) continue;
      for (const LocalIndex n : mesh_.tet(e))
        if (mesh_.owned(n)) sides_[at(n)] = side_at(plane_.distance(mesh_.node(n).X));
    }
    tell_ghosts();
    for (LocalIndex e = 0; e < mesh_.num_slots(); ++e)
      if (mesh_.alive(e) && crosses(e)) crossed_.push_back(e);
  }

  bool crosses(LocalIndex e) const
  {
    const auto [least, most] = std::minmax_element(mesh_.tet(e).begin(), mesh_.tet(e).end(),
                                                   [this](auto a, auto b) { return sides_[at(a)] < sides_[at(b)]; });
    return sides_[at(*least)] < 0 && sides_[at(*most)] > 0;
  }

  std::vector<Crossing> crossings(LocalIndex e) const
  {
    std::vector<Crossing> found;
    if (!crosses(e)) return found;
    const Tet& tet = mesh_.tet(e);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) {
        if (sides_[at(tet[i])] * sides_[at(tet[j])] >= 0) continue;
        LocalIndex a = tet[i], b = tet[j];
        if (mesh_.node(b).id < mesh_.node(a).id) std::swap(a, b);
        const double at_a = plane_.distance(mesh_.node(a).X), at_b = plane_.distance(mesh_.node(b).X);
        found.push_back({a, b, at_a / (at_a - at_b)});
      }
    return found;
  }

  Bisection bisection(const Crossing& c) const { return {mesh_.node(c.a).id, mesh_.node(c.b).id, c.t}; }

  /// Collective. These nodes count as on the plane from now on, those owned here. Are there any on any rank?
  bool snap(const std::vector<LocalIndex>& nodes)
  {
    std::int64_t snapped = 0;
    for (const LocalIndex n : nodes)
      if (mesh_.owned(n)) sides_[at(n)] = 0, ++snapped;
    tell_ghosts();
    return halo_.comm().max(snapped) > 0;
  }

  void snap_near_ends()
  {
    std::vector<LocalIndex> nodes;
    for (const LocalIndex e : crossed_)
      for (const Crossing& c : crossings(e)) {
        const mesh::Node &a = mesh_.node(c.a), &b = mesh_.node(c.b);
        const double length = (b.X - a.X).norm(), size = (a.size + b.size) / 2;
        if (length < least_edge_ * size ||
            c.shorter() * length < std::max(options_.snap_distance, options_.snap_relative * size))
          nodes.push_back(c.nearer());
      }
    snap(nodes);
  }

  /// All holders of an element find the same end, so its owner does.
  void avoid_slivers()
  {
    std::vector<LocalIndex> nodes;
    do {
      nodes.clear();
      for (const LocalIndex e : crossed_)
        if (const auto worst = sliver(e)) nodes.push_back(worst->nearer());
    } while (snap(nodes));
  }

  /// If the cuts leave an element that is too low, the one of them that is nearest to an end.
  std::optional<Crossing> sliver(LocalIndex e) const
  {
    std::vector<Crossing> of_element = crossings(e);
    if (of_element.empty()) return {};
    std::sort(of_element.begin(), of_element.end(), [this](const Crossing& x, const Crossing& y) {
      return std::tie(mesh_.node(x.a).id, mesh_.node(x.b).id) < std::tie(mesh_.node(y.a).id, mesh_.node(y.b).id);
    });
    Positions X;
    double size = 0;
    for (const LocalIndex n : mesh_.tet(e)) X[mesh_.node(n).id] = mesh_.node(n).X, size += mesh_.node(n).size / 4;
    std::vector<Bisection> cuts;
    for (const Crossing& c : of_element) cuts.push_back(bisection(c));
    add_made_nodes(cuts, X);
    const double least = options_.least_height * size;
    const auto children = children_after(corners_of(mesh_, e), cuts);
    if (std::none_of(children.begin(), children.end(), [&](const auto& child) { return height(child, X) < least; }))
      return {};
    return *std::min_element(of_element.begin(), of_element.end(),
                             [](const Crossing& x, const Crossing& y) { return x.shorter() < y.shorter(); });
  }

  const mesh::TetMesh& mesh_;
  const partition::Halo& halo_;
  const BallPlane& plane_;
  const FractureOptions& options_;
  double least_edge_;
  std::vector<std::int8_t> sides_;   // (nodes)
  std::vector<LocalIndex> crossed_;  // elements held that the plane passes through, before snapping
};

}  // namespace

bool BallPlane::reaches(const mesh::TetMesh& mesh, LocalIndex e) const
{
  return (centroid(mesh, e) - origin).norm() <= radius;
}

double BallPlane::centroid_distance(const mesh::TetMesh& mesh, LocalIndex e) const
{
  return (centroid(mesh, e) - origin).dot(normal);
}

PlaneCrossings find_crossings(const element::Model& model, const partition::Halo& halo, const BallPlane& plane,
                              const FractureOptions& options, double least_edge)
{
  return Search(model, halo, plane, options, least_edge).run();
}

MeshDelta cut_edges(element::Model& model, partition::Halo& halo, std::span<const Bisection> bisections,
                    mesh::CreationKey& first)
{
  MeshDelta delta;
  for (const Bisection& bisection : bisections) {
    apply_bisection(model, bisection, first, delta);
    ++first.bisection;
  }
  refresh(model, delta);
  update_halo(model, halo, delta);
  return delta;
}

}  // namespace sunder::fracture
