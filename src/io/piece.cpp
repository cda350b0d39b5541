#include "io/piece.hpp"

#include "core/error.hpp"
#include "io/repeated_points.hpp"

namespace sunder::io {
namespace {

std::size_t at(LocalIndex i)
{
  return static_cast<std::size_t>(i);
}

void add_nodes(const Frame& frame, PiecePoints points, Piece& piece)
{
  for (const LocalIndex n : points.nodes) {
    const Vec3 X = frame.X[at(n)], x = frame.p[at(n)].xyz();
    piece.node_id.push_back(frame.node_id[at(n)]);
    piece.position.push_back(frame.reference_geometry ? X : x);
    piece.displacement.push_back(x - X);
    piece.velocity.push_back(frame.v[at(n)].xyz());
    piece.material_position.push_back(X);
  }
  piece.repeated = std::move(points.repeated);
}

void add_elements(const Frame& frame, const std::vector<LocalIndex>& nodes, Rank me, Piece& piece)
{
  std::vector<std::int64_t> row(frame.node_id.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) row[at(nodes[i])] = static_cast<std::int64_t>(i);
  for (const LocalIndex e : frame.written) {
    const Tet& tet = frame.tets[at(e)];
    piece.element_id.push_back(frame.element_id[at(e)]);
    piece.corners.push_back({row[at(tet[0])], row[at(tet[1])], row[at(tet[2])], row[at(tet[3])]});
    piece.material.push_back(frame.material[at(e)]);
  }
  piece.stress.assign(frame.stress.begin(), frame.stress.end());
  piece.max_principal_stress.assign(frame.max_principal_stress.begin(), frame.max_principal_stress.end());
  piece.plastic_strain.assign(frame.plastic_strain.begin(), frame.plastic_strain.end());
  piece.fragment.assign(frame.fragment.begin(), frame.fragment.end());
  piece.rank.assign(frame.written.size(), me);
}

}  // namespace

Piece make_piece(const Comm& comm, const Frame& frame)
{
  SUNDER_ASSERT(frame.stress.size() == frame.written.size() && frame.fragment.size() == frame.written.size());
  PiecePoints points = piece_points(comm, frame);
  Piece piece;
  add_elements(frame, points.nodes, comm.rank(), piece);
  add_nodes(frame, std::move(points), piece);
  return piece;
}

}  // namespace sunder::io
