#include "io/frames/ghost_layer.hpp"

#include "core/bytes.hpp"
#include "core/sort_unique.hpp"
#include "mesh/tet_mesh.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sunder::io {
namespace {

using Face = std::array<LocalIndex, 3>;  // ascending

Rank owner_of(const Frame& frame, LocalIndex n)
{
  return frame.node_owner[static_cast<std::size_t>(n)];
}

Face face_of(const Tet& tet, std::size_t opposite)
{
  Face face{};
  for (std::size_t k = 0; k < 3; ++k) face[k] = tet[mesh::face_corners[opposite][k]];
  std::sort(face.begin(), face.end());
  return face;
}

bool holds(const Frame& frame, Rank rank, const Tet& tet)
{
  return std::any_of(tet.begin(), tet.end(), [&](LocalIndex n) { return owner_of(frame, n) == rank; });
}

/// The other ranks that own a corner of an element held here, ascending: they hold it too, and list this one.
std::vector<Rank> peers_of(const Frame& frame, Rank me)
{
  std::vector<Rank> ranks;
  for (const Tet& tet : frame.corners)
    for (const LocalIndex n : tet)
      if (owner_of(frame, n) != me) ranks.push_back(owner_of(frame, n));
  sort_unique(ranks);
  return ranks;
}

/// Faces of elements that other ranks write, with the writer, which lacks a neighbour across the face if there is one:
/// it owns none of the face's nodes. Those of which this rank is the lowest owner of a node.
std::multimap<Face, Rank> open_faces(const Frame& frame, Rank me)
{
  std::multimap<Face, Rank> writers;
  for (std::size_t e = 0; e < frame.corners.size(); ++e) {
    const Rank writer = writer_of(frame, e);
    if (writer == me) continue;
    for (std::size_t a = 0; a < 4; ++a) {
      const Face face = face_of(frame.corners[e], a);
      if (std::min({owner_of(frame, face[0]), owner_of(frame, face[1]), owner_of(frame, face[2])}) == me)
        writers.emplace(face, writer);
    }
  }
  return writers;
}

/// The elements that each writer lacks.
std::map<Rank, std::set<std::size_t>> lacked(const Frame& frame, Rank me)
{
  std::map<Rank, std::set<std::size_t>> of_writer;
  const std::multimap<Face, Rank> writers = open_faces(frame, me);
  if (writers.empty()) return of_writer;
  for (std::size_t e = 0; e < frame.corners.size(); ++e)
    for (std::size_t a = 0; a < 4; ++a) {
      const auto [first, last] = writers.equal_range(face_of(frame.corners[e], a));
      for (auto at = first; at != last; ++at)
        if (!holds(frame, at->second, frame.corners[e])) of_writer[at->second].insert(e);
    }
  return of_writer;
}

Bytes packed(const Piece& piece)
{
  Bytes out;
  put(out, piece.node_id), put(out, piece.element_id), put(out, piece.corners);
  for (const Vec3& x : piece.position) put(out, std::array<double, 3>{x.x(), x.y(), x.z()});
  for (const auto* fields : {&piece.node_fields, &piece.element_fields})
    for (const Field& field : *fields) std::visit([&out](const auto& column) { put(out, column); }, field.values);
  return out;
}

/// A piece of ghosts with the fields of `like`.
Piece unpacked(const Bytes& message, const Piece& like)
{
  Piece piece = like.empty_like();
  ByteReader in(message);
  piece.node_id = in.get_vector<NodeId>(), piece.element_id = in.get_vector<ElementId>();
  piece.corners = in.get_vector<std::array<std::int64_t, 4>>();
  for (std::size_t i = 0; i < piece.node_id.size(); ++i)
    piece.position.emplace_back(in.get<std::array<double, 3>>().data());
  for (auto* fields : {&piece.node_fields, &piece.element_fields})
    for (Field& field : *fields)
      std::visit([&in](auto& column) { column = in.get_vector<typename std::decay_t<decltype(column)>::value_type>(); },
                 field.values);
  piece.ghost.assign(piece.element_id.size(), 1);
  return piece;
}

}  // namespace

Piece ghost_layer(const Comm& comm, const Frame& frame)
{
  const Rank me = comm.rank();
  std::vector<std::size_t> others;
  for (std::size_t e = 0; e < frame.corners.size(); ++e)
    if (writer_of(frame, e) != me) others.push_back(e);
  PieceUnion layer(piece_of(frame, others, true));

  const std::vector<Rank> peers = peers_of(frame, me);
  std::vector<Bytes> out(peers.size());
  for (const auto& [writer, elements] : lacked(frame, me)) {
    const std::vector<std::size_t> list(elements.begin(), elements.end());
    const auto peer = std::lower_bound(peers.begin(), peers.end(), writer);
    out[static_cast<std::size_t>(peer - peers.begin())] = packed(piece_of(frame, list, true));
  }
  const Piece like = piece_of(frame, {}, true);
  for (const Bytes& message : exchange(comm, peers, out))
    if (!message.empty()) layer.add(unpacked(message, like));
  return std::move(layer).take();
}

}  // namespace sunder::io
