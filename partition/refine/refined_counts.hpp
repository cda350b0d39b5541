#pragma once
/// How many nodes and elements a mesh has once it is refined, without refining it. docs/refinement.md. Local, pure.

#include "core/types.hpp"

#include <array>
#include <span>
#include <vector>

namespace sunder::partition {

struct MeshCounts {
  GlobalIndex nodes = 0, edges = 0, faces = 0, elements = 0;

  MeshCounts& operator+=(const MeshCounts& other)
  {
    nodes += other.nodes, edges += other.edges, faces += other.faces, elements += other.elements;
    return *this;
  }
};

/// Edges and faces of these elements, each once: pairs and triples of nodes, ascending.
struct MeshEntities {
  std::vector<std::array<GlobalIndex, 2>> edges;
  std::vector<std::array<GlobalIndex, 3>> faces;
};
MeshEntities entities_of(std::span<const std::array<GlobalIndex, 4>> elements);

/// Exact, as long as the results are below 2^63. Each level makes a node of every edge; two edges of an edge, three in
/// a face and one in an element; four faces of a face and eight in an element; eight elements of an element.
MeshCounts refined(MeshCounts coarse, int levels);

}  // namespace sunder::partition
