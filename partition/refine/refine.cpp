#include "partition/refine/refine.hpp"

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/hash.hpp"
#include "partition/halo/halo.hpp"
#include "partition/refine/bey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::partition {
namespace {

using mesh::TetMesh;

template <class T>
auto& at(T& values, std::int64_t i)
{
  return values[static_cast<std::size_t>(i)];
}

/// Edges of the elements to be divided, sorted: those of node a that lead to nodes of greater id are
/// [first[a], first[a + 1]).
struct Edges {
  std::vector<LocalIndex> first, other;

  LocalIndex find(LocalIndex a, LocalIndex b) const
  {
    if (b < a) std::swap(a, b);
    const auto from = other.begin() + at(first, a), to = other.begin() + at(first, a + 1);
    return static_cast<LocalIndex>(std::lower_bound(from, to, b) - other.begin());
  }
  std::span<const LocalIndex> up(LocalIndex a) const
  {
    return std::span(other).subspan(static_cast<std::size_t>(at(first, a)),
                                    static_cast<std::size_t>(at(first, a + 1) - at(first, a)));
  }
};

Edges edges_of(const Part& part)
{
  Edges edges{{0}, {}};
  edges.first.reserve(static_cast<std::size_t>(part.mesh.num_nodes()) + 1);
  std::vector<LocalIndex> up;
  for (LocalIndex a = 0; a < part.mesh.num_nodes(); ++a) {
    up.clear();
    for (const LocalIndex e : part.mesh.star(a))
      if (at(part.levels, e) > 0)
        for (const LocalIndex b : part.mesh.tet(e))
          if (b > a) up.push_back(b);
    std::sort(up.begin(), up.end());
    edges.other.insert(edges.other.end(), up.begin(), std::unique(up.begin(), up.end()));
    edges.first.push_back(static_cast<LocalIndex>(edges.other.size()));
  }
  return edges;
}

/// Collective. The number of each edge, from 1, among the edges from its end with the smaller id to nodes with greater
/// ids. Only the owner of that end holds all of them; it sends the numbers to the other holders.
std::vector<std::uint32_t> places_of(const Comm& comm, const TetMesh& mesh, const Edges& edges)
{
  const Halo halo(comm, mesh);
  std::vector<Bytes> out(halo.peers().size());
  std::vector<NodeId> up;
  for (std::size_t k = 0; k < out.size(); ++k)
    for (const LocalIndex a : halo.neighbours()[k].mirrors) {
      up.clear();
      for (const LocalIndex b : edges.up(a)) up.push_back(mesh.node(b).id);
      put(out[k], up);
    }
  const auto in = exchange(comm, halo.peers(), out);

  std::vector<std::uint32_t> places(edges.other.size());
  for (LocalIndex a = 0; a < mesh.num_nodes(); ++a)
    for (LocalIndex k = at(edges.first, a); k < at(edges.first, a + 1); ++k)
      at(places, k) = static_cast<std::uint32_t>(k - at(edges.first, a) + 1);
  for (std::size_t p = 0; p < in.size(); ++p) {
    ByteReader message(in[p]);
    for (const LocalIndex a : halo.neighbours()[p].ghosts) {
      up = message.get_vector<NodeId>();
      for (LocalIndex k = at(edges.first, a); k < at(edges.first, a + 1); ++k) {
        const auto place = std::lower_bound(up.begin(), up.end(), mesh.node(at(edges.other, k)).id);
        SUNDER_ASSERT(place != up.end() && *place == mesh.node(at(edges.other, k)).id);
        at(places, k) = static_cast<std::uint32_t>(place - up.begin() + 1);
      }
    }
  }
  return places;
}

/// The nodes of the finer mesh, those this rank may not need included, in the order of their ids: each node of the
/// coarser mesh, then the middles of the edges that lead up from it.
struct FineNodes {
  const Edges& edges;
  std::vector<Rank> owner;
  std::vector<std::uint8_t> used;

  LocalIndex of_node(LocalIndex a) const { return a + at(edges.first, a); }
  LocalIndex of_edge(LocalIndex a, LocalIndex b) const { return edges.find(a, b) + std::min(a, b) + 1; }
  std::size_t size() const { return edges.other.size() + edges.first.size() - 1; }
};

/// The share of each rank in a node: its barycentric coordinates in an element of the input, summed over the corners
/// that the rank owns. Exact, as they are multiples of a power of two.
struct Shares {
  std::array<Rank, 4> rank{-1, -1, -1, -1};
  std::array<float, 4> share{};

  float of(Rank r) const
  {
    const auto it = std::find(rank.begin(), rank.end(), r);
    return it == rank.end() ? 0 : share[static_cast<std::size_t>(it - rank.begin())];
  }
  void add(Rank r, float more)
  {
    std::size_t k = 0;
    while (rank[k] != r && rank[k] >= 0) ++k;
    rank[k] = r, share[k] += more;
  }
};

Shares middle(const Shares& a, const Shares& b)
{
  Shares m;
  for (const Shares& end : {a, b})
    for (std::size_t k = 0; k < 4; ++k)
      if (end.rank[k] >= 0) m.add(end.rank[k], end.share[k] / 2);
  return m;
}

/// The middle of an edge belongs to the owner of one of its ends, as that rank holds all elements around the edge: to
/// the owner with the greater share. So each part of the input grows evenly, and its border stays smooth. The ends' ids
/// decide a tie.
Rank owner_of_middle(const mesh::Node& a, const mesh::Node& b, const Shares& shares)
{
  const float of_a = shares.of(a.owner), of_b = shares.of(b.owner);
  if (of_a != of_b) return of_a > of_b ? a.owner : b.owner;
  return combine(combine(0, a.id.low), b.id.low) & 1 ? a.owner : b.owner;
}

FineNodes fine_nodes(const TetMesh& mesh, const Edges& edges, const std::vector<Shares>& shares)
{
  FineNodes fine{edges, {}, {}};
  fine.owner.reserve(fine.size());
  for (LocalIndex a = 0; a < mesh.num_nodes(); ++a) {
    fine.owner.push_back(mesh.node(a).owner);
    for (const LocalIndex b : edges.up(a))
      fine.owner.push_back(owner_of_middle(mesh.node(a), mesh.node(b), middle(at(shares, a), at(shares, b))));
  }
  fine.used.resize(fine.size(), 0);
  return fine;
}

/// With its corners in the order that the first division wants.
Tet turned(const TetMesh& mesh, LocalIndex e)
{
  const Tet& t = mesh.tet(e);
  const auto order = best_order(mesh.corners(e));
  return {t[order[0]], t[order[1]], t[order[2]], t[order[3]]};
}

/// The elements of the finer mesh of which this rank owns a node, with corners in FineNodes.
std::vector<mesh::Element> fine_elements(const Part& coarse, FineNodes& fine, bool first,
                                         std::vector<std::uint8_t>& levels)
{
  const TetMesh& mesh = coarse.mesh;
  std::vector<mesh::Element> elements;
  elements.reserve(8 * static_cast<std::size_t>(mesh.num_slots()));
  const auto keep = [&](ElementId id, const Tet& nodes, MaterialIndex material, std::uint8_t level) {
    if (std::none_of(nodes.begin(), nodes.end(), [&](LocalIndex n) { return at(fine.owner, n) == mesh.me(); })) return;
    for (const LocalIndex n : nodes) at(fine.used, n) = 1;
    elements.push_back({id, nodes, material});
    levels.push_back(level);
  };
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    const std::uint64_t id = 8 * mesh.element_id(e).low;
    const std::uint8_t level = at(coarse.levels, e);
    const Tet t = first && level > 0 ? turned(mesh, e) : mesh.tet(e);
    std::array<LocalIndex, 10> n{fine.of_node(t[0]), fine.of_node(t[1]), fine.of_node(t[2]), fine.of_node(t[3])};
    if (level == 0) {
      keep(id, {n[0], n[1], n[2], n[3]}, mesh.material(e), 0);
      continue;
    }
    std::size_t k = 4;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) n[k++] = fine.of_edge(t[a], t[b]);
    for (std::uint8_t c = 0; c < 8; ++c) {
      const auto& child = bey_children[c];
      keep(id + c, {n[child[0]], n[child[1]], n[child[2]], n[child[3]]}, mesh.material(e),
           static_cast<std::uint8_t>(level - 1));
    }
  }
  return elements;
}

/// Marks that faces pass on to the middles of their edges; empty without marked faces.
std::vector<std::uint64_t> marks_of_edges(const Part& coarse, const Edges& edges)
{
  std::vector<std::uint64_t> marks(coarse.marked_faces.empty() ? 0 : edges.other.size(), 0);
  for (const auto& face : coarse.marked_faces) {
    if (at(coarse.levels, coarse.mesh.star(face.nodes[0]).front()) == 0) continue;
    for (std::size_t a = 0; a < 3; ++a) at(marks, edges.find(face.nodes[a], face.nodes[(a + 1) % 3])) |= face.marks;
  }
  return marks;
}

/// Nodes of the finer mesh with what belongs to them.
struct Nodes {
  std::vector<mesh::Node> nodes;
  std::vector<Vec3> velocities;
  std::vector<Shares> shares;
};

Nodes make_nodes(const Part& coarse, const FineNodes& fine, const std::vector<std::uint32_t>& places,
                 std::uint64_t stride, const std::vector<Shares>& shares)
{
  const TetMesh& mesh = coarse.mesh;
  const Edges& edges = fine.edges;
  const auto marks = marks_of_edges(coarse, edges);
  Nodes made;
  const auto count = static_cast<std::size_t>(std::count(fine.used.begin(), fine.used.end(), 1));
  made.nodes.reserve(count), made.velocities.reserve(count), made.shares.reserve(count);
  for (LocalIndex a = 0; a < mesh.num_nodes(); ++a) {
    const mesh::Node& na = mesh.node(a);
    const Vec3& va = at(coarse.velocities, a);
    if (at(fine.used, fine.of_node(a))) {
      made.nodes.push_back({na.id.low * stride, na.owner, na.X, na.size, na.marks});
      made.velocities.push_back(va);
      made.shares.push_back(at(shares, a));
    }
    for (LocalIndex k = at(edges.first, a); k < at(edges.first, a + 1); ++k) {
      if (!at(fine.used, a + 1 + k)) continue;
      const LocalIndex b = at(edges.other, k);
      const mesh::Node& nb = mesh.node(b);
      const std::uint64_t on_face = marks.empty() ? 0 : at(marks, k);
      made.nodes.push_back({na.id.low * stride + at(places, k), at(fine.owner, a + 1 + k), na.X + 0.5 * (nb.X - na.X),
                            na.size, (na.marks & nb.marks & ~coarse.surface_marks) | on_face});
      made.velocities.push_back(va + 0.5 * (at(coarse.velocities, b) - va));
      made.shares.push_back(middle(at(shares, a), at(shares, b)));
    }
  }
  return made;
}

/// Marked faces, four for each that is divided, where this rank owns a node; nodes in FineNodes.
std::vector<MarkedFace<LocalIndex>> fine_faces(const Part& coarse, const FineNodes& fine)
{
  std::vector<MarkedFace<LocalIndex>> faces;
  const auto keep = [&](LocalIndex a, LocalIndex b, LocalIndex c, std::uint64_t marks) {
    for (const LocalIndex n : {a, b, c})
      if (at(fine.owner, n) == coarse.mesh.me()) return faces.push_back({{a, b, c}, marks});
  };
  for (const auto& face : coarse.marked_faces) {
    const auto [a, b, c] = face.nodes;
    if (at(coarse.levels, coarse.mesh.star(a).front()) == 0) {
      keep(fine.of_node(a), fine.of_node(b), fine.of_node(c), face.marks);
      continue;
    }
    const LocalIndex ab = fine.of_edge(a, b), bc = fine.of_edge(b, c), ca = fine.of_edge(c, a);
    keep(fine.of_node(a), ab, ca, face.marks), keep(ab, fine.of_node(b), bc, face.marks);
    keep(ca, bc, fine.of_node(c), face.marks), keep(ab, bc, ca, face.marks);
  }
  return faces;
}

/// Collective. Factor between ids of nodes of one level and the next.
std::uint64_t stride_of(const Comm& comm, const Part& coarse, const Edges& edges)
{
  const TetMesh& mesh = coarse.mesh;
  std::int64_t most = 0, last = 0;
  for (LocalIndex a = 0; a < mesh.num_nodes(); ++a) {
    if (mesh.owned(a)) most = std::max(most, static_cast<std::int64_t>(edges.up(a).size()));
    last = std::max(last, static_cast<std::int64_t>(mesh.node(a).id.low));
  }
  const auto stride = static_cast<std::uint64_t>(comm.max(most)) + 1;
  const auto nodes = static_cast<std::uint64_t>(comm.max(last)) + 1;
  const auto element = mesh.num_slots() > 0 ? mesh.element_id(mesh.num_slots() - 1).low : 0;
  const auto elements = static_cast<std::uint64_t>(comm.max(static_cast<std::int64_t>(element))) + 1;
  if (nodes > made_bit / stride || elements > made_bit / 8)
    throw AgreedError("mesh.refine: ids of nodes or elements would need more than 62 bits: refine less often");
  return stride;
}

Part divide(const Comm& comm, const Part& coarse, std::vector<Shares>& shares, bool first)
{
  allocation_point("set-up: refine");
  const Edges edges = edges_of(coarse);
  const std::uint64_t stride = stride_of(comm, coarse, edges);
  const auto places = places_of(comm, coarse.mesh, edges);
  FineNodes fine = fine_nodes(coarse.mesh, edges, shares);
  Part part;
  auto elements = fine_elements(coarse, fine, first, part.levels);
  Nodes made = make_nodes(coarse, fine, places, stride, shares);
  shares = std::move(made.shares);
  part.velocities = std::move(made.velocities);
  part.marked_faces = fine_faces(coarse, fine);
  part.surface_marks = coarse.surface_marks;

  std::vector<LocalIndex> local;  // of the nodes that are used
  local.reserve(fine.size());
  LocalIndex next = 0;
  for (const std::uint8_t used : fine.used) local.push_back(used ? next++ : -1);
  for (mesh::Element& e : elements)
    for (LocalIndex& n : e.nodes) n = at(local, n);
  for (auto& face : part.marked_faces)
    for (LocalIndex& n : face.nodes) n = at(local, n);
  part.mesh = TetMesh(coarse.mesh.me(), std::move(made.nodes), std::move(elements));
  return part;
}

/// Collective. Mesh sizes as node_sizes() finds them in the refined mesh: the strength of a node is stated for its own
/// star (element/toughness.hpp). Owners hold whole stars.
void measure_sizes(const Comm& comm, TetMesh& mesh)
{
  std::vector<double> sizes = node_sizes(mesh);
  Halo(comm, mesh).owners_to_ghosts(std::span(sizes));
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) mesh.set_size(n, at(sizes, n));
}

/// Collective. Parts of a rank's elements, those it will not keep included, must have local indices.
void check_size(const Comm& comm, const Part& part)
{
  double size = 0;
  for (const std::uint8_t level : part.levels) size += std::exp2(3 * level);
  size = comm.max(size);
  if (size >= std::numeric_limits<LocalIndex>::max())
    throw AgreedError(
        fmt::format("mesh.refine: expected fewer than 2^31 elements on each rank, got {:.3g}: use more ranks or "
                    "refine less often",
                    size));
}

}  // namespace

Part refine(const Comm& comm, Part part)
{
  check_size(comm, part);
  std::int64_t levels = part.levels.empty() ? 0 : *std::max_element(part.levels.begin(), part.levels.end());
  levels = comm.max(levels);
  std::vector<Shares> shares(static_cast<std::size_t>(part.mesh.num_nodes()));
  for (LocalIndex n = 0; n < part.mesh.num_nodes(); ++n) at(shares, n).add(part.mesh.node(n).owner, 1);
  for (std::int64_t l = 0; l < levels; ++l) part = divide(comm, part, shares, l == 0);
  if (levels > 0) measure_sizes(comm, part.mesh);
  return part;
}

}  // namespace sunder::partition
