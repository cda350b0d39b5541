#include "partition/slices/sliced_check.hpp"

#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"

#include <algorithm>

namespace sunder::partition {
namespace {

std::size_t corner_of(const std::array<GlobalIndex, 4>& nodes, GlobalIndex node)
{
  return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
}

/// A component of a star that gets a new node: its place in the order of copies, and the node of the star.
struct CopyRequest {
  std::uint64_t body = 0, first_corner = 0;  // four times the first element's row, and the corner there
  GlobalIndex node = 0, component = 0;
  GlobalIndex number = 0;  // of the copy

  SortKey order() const { return {body, first_corner}; }
};

struct CornerChange {
  GlobalIndex element = 0, corner = 0, number = 0;
};

/// Collective. Numbers the copies, and returns the numbers to the ranks that asked.
std::vector<CopyRequest> numbered(const Comm& comm, const BlockDistribution& nodes, std::vector<CopyRequest> requests,
                                  GlobalIndex all)
{
  requests = sort_evenly(comm, std::move(requests));
  GlobalIndex number = nodes.rows + BlockDistribution{all, comm.size()}.begin(comm.rank());
  for (CopyRequest& request : requests) request.number = number++;
  std::vector<CopyRequest> told;
  tell_rows<CopyRequest>(
      comm, nodes, requests, [](const CopyRequest& r) { return r.node; },
      [&](const CopyRequest& r) { told.push_back(r); });
  return told;
}

/// Collective. Gives each face the present nodes of its element. Both elements of a face have the same nodes there, as
/// they belong to one component of the star of each.
void follow_elements(const Comm& comm, SlicedMesh& mesh, const SlicedStars& stars)
{
  std::vector<MarkedFace<GlobalIndex>> faces;
  tell_rows<MarkedFace<GlobalIndex>>(
      comm, mesh.node_blocks, mesh.faces, [](const auto& face) { return face.nodes[0]; },
      [&](const auto& face) { faces.push_back(face); });
  std::vector<StarElement> before(faces.size());
  std::vector<GlobalIndex> wanted;
  for (std::size_t k = 0; k < faces.size(); ++k) {
    before[k].id = -1;
    for (const std::uint32_t e : stars.around(static_cast<std::size_t>(faces[k].nodes[0] - stars.first_node()))) {
      const StarElement& element = stars.elements()[e];
      const auto has = [&](GlobalIndex n) { return corner_of(element.nodes, n) < 4; };
      if (std::all_of(faces[k].nodes.begin(), faces[k].nodes.end(), has)) before[k] = element;
    }
    if (before[k].id >= 0) wanted.push_back(before[k].id);
  }
  sort_unique(wanted);
  const auto now = fetch<SlicedElement>(comm, mesh.element_blocks, mesh.elements, wanted);
  for (std::size_t k = 0; k < faces.size(); ++k)
    if (before[k].id >= 0)
      for (GlobalIndex& n : faces[k].nodes)
        n = now[place_of(wanted, before[k].id)].nodes[corner_of(before[k].nodes, n)];
  mesh.faces = std::move(faces);
}

}  // namespace

void split_hinges(const Comm& comm, SlicedMesh& mesh, const SlicedStars& stars, const std::vector<HingedNode>& hinged,
                  std::span<const GlobalIndex> rows)
{
  std::vector<CopyRequest> requests;
  for (std::size_t k = 0; k < hinged.size(); ++k)
    for (std::size_t p = 1; p < hinged[k].components.size(); ++p) {
      const SlicedElement& first = hinged[k].first_of_component[p];
      const GlobalIndex node = stars.first_node() + static_cast<GlobalIndex>(hinged[k].node);
      const std::size_t body = body_of(first.position);
      const std::uint64_t row = first.position - place_in_input(body, 0);
      requests.push_back({body, 4 * row + corner_of(first.nodes, node), node, static_cast<GlobalIndex>(p), 0});
    }
  const GlobalIndex all = comm.sum(static_cast<std::int64_t>(requests.size()));
  if (all == 0) return;
  std::vector<SlicedNode> copies;
  std::vector<CornerChange> changes;
  for (const CopyRequest& r : numbered(comm, mesh.node_blocks, std::move(requests), all)) {
    const auto n = static_cast<std::size_t>(r.node - stars.first_node());
    const auto of = std::lower_bound(hinged.begin(), hinged.end(), n,
                                     [](const HingedNode& h, std::size_t node) { return h.node < node; });
    SlicedNode copy = mesh.nodes[n];
    copy.position = place_in_input(r.body, rows[r.body] + r.number - mesh.node_blocks.rows);
    copy.number = r.number;
    copies.push_back(copy);
    for (const GlobalIndex id : of->components[static_cast<std::size_t>(r.component)]) {
      const auto at = std::lower_bound(stars.elements().begin(), stars.elements().end(), id,
                                       [](const StarElement& e, GlobalIndex i) { return e.id < i; });
      changes.push_back({id, static_cast<GlobalIndex>(corner_of(at->nodes, r.node)), r.number});
    }
  }
  tell_rows<CornerChange>(
      comm, mesh.element_blocks, changes, [](const CornerChange& c) { return c.element; },
      [&](const CornerChange& c) {
        const auto e = static_cast<std::size_t>(c.element - mesh.element_blocks.begin(comm.rank()));
        mesh.elements[e].nodes[static_cast<std::size_t>(c.corner)] = c.number;
      });
  follow_elements(comm, mesh, stars);
  add_nodes(comm, mesh, copies, all);
}

}  // namespace sunder::partition
