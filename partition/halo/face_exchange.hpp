#pragma once
/// What is known of a face, to the rank that holds an element beside it but owns none of its nodes. docs/ownership.md.

#include "core/bytes.hpp"
#include "partition/halo/halo.hpp"
#include "partition/halo/holders.hpp"

namespace sunder::partition {

/// Whoever owns a node of a face holds both elements beside it, and can say what the face is. A rank that owns only the
/// corner opposite holds one of them, and must be told: by the lowest rank that owns a node of the face. Both are
/// neighbours, for they hold that element together.
///
/// Every owner adds what it knows, the same values; one message a neighbour takes them all. Value: plain.
template <class Value>
class FaceExchange {
public:
  /// Local. Looks at both for as long as it lives.
  FaceExchange(const mesh::TetMesh& mesh, const Halo& halo) : mesh_(mesh), halo_(halo), out_(halo.peers().size()) {}

  /// Local. Of the face of element e opposite corner `opposite`; this rank owns some node of it.
  void add(LocalIndex e, std::size_t opposite, const Value& value)
  {
    const Tet& tet = mesh_.tet(e);
    const Rank to = mesh_.node(tet[opposite]).owner;
    std::array<Rank, 3> owners{};
    for (std::size_t k = 0; k < 3; ++k) owners[k] = mesh_.node(tet[mesh::face_corners[opposite][k]]).owner;
    const Holders knowing(owners);
    if (knowing.contains(to) || *knowing.begin() != mesh_.me()) return;
    put(out_[halo_.position_of(to)],
        Entry{mesh_.node(tet[opposite]).id, mesh_.element_id(e), static_cast<std::uint8_t>(opposite), value});
  }

  /// Collective on neighbours. arrived(e, opposite, value) for each face of which this rank owns the corner opposite
  /// alone and that somebody added.
  template <class Arrived>
  void finish(Arrived&& arrived)
  {
    for (const Bytes& message : exchange(halo_.comm(), halo_.peers(), out_))
      for (ByteReader in(message); !in.done();) {
        const auto entry = in.get<Entry>();
        arrived(*mesh_.find_around(*mesh_.find(entry.apex), entry.element), std::size_t{entry.opposite}, entry.value);
      }
  }

private:
  struct Entry {
    NodeId apex;
    ElementId element;
    std::uint8_t opposite;
    Value value;
  };

  const mesh::TetMesh& mesh_;
  const Halo& halo_;
  std::vector<Bytes> out_;  // (neighbours)
};

}  // namespace sunder::partition
