#pragma once
/// Which ranks need copies of which nodes, and the exchange of the step. docs/ownership.md.

#include "core/bytes.hpp"
#include "core/comm.hpp"
#include "mesh/tet_mesh.hpp"
#include "partition/halo/kinematics_exchange.hpp"
#include "partition/halo/shared_nodes.hpp"

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace sunder::partition {

/// The send and receive lists of this rank. They are a pure function of the held elements and the owners of their
/// nodes: owner r sends node q to each rank that owns a node of an element around q. Both ends derive the same list, in
/// the same order, without a message.
///
/// Always true: my ghosts from b are, entry by entry, b's mirrors for me; a lists b if and only if b lists a.
class Halo {
public:
  /// Local. with_scalar: owners_to_ghosts(p, v) sends p.w too.
  Halo(const Comm& comm, const mesh::TetMesh& mesh, bool with_scalar = false);

  const Comm& comm() const noexcept { return comm_; }
  std::span<const Neighbour> neighbours() const noexcept { return shared_.neighbours(); }
  std::span<const Rank> peers() const noexcept { return shared_.peers(); }  ///< Ranks of neighbours(), ascending.
  /// Among peers(), of which it is one.
  std::size_t position_of(Rank peer) const { return shared_.position_of(peer); }
  std::int64_t bytes_per_exchange() const noexcept { return motion_.bytes(); }  ///< Sent by this rank for p and v.

  /// Local. Follows changes of elements. changed: the nodes that were or are their corners, each once. Costs what it is
  /// given, and where a list changes its length.
  void update(const mesh::TetMesh& mesh, std::span<const LocalIndex> changed);

  /// Collective on neighbours. Overwrites p.xyz and v.xyz (nodes) of every ghost with its owner's, by persistent
  /// requests.
  void owners_to_ghosts(std::span<Row4> p, std::span<Row4> v);

  /// Collective on neighbours. The same for any trivially copyable values (nodes).
  template <class T>
  void owners_to_ghosts(std::span<T> values) const;

  /// Collective on neighbours. The same for some nodes only: those of `nodes` that this rank owns, and what the other
  /// ranks name. Costs what there is to send.
  /// @param arrived  called with each ghost that has got its owner's value
  template <class T, class Arrived>
  void owners_to_ghosts(const mesh::TetMesh& mesh, std::span<T> values, std::span<const LocalIndex> nodes,
                        Arrived&& arrived) const;
  template <class T>
  void owners_to_ghosts(const mesh::TetMesh& mesh, std::span<T> values, std::span<const LocalIndex> nodes) const
  {
    owners_to_ghosts(mesh, values, nodes, [](LocalIndex) {});
  }

private:
  Comm comm_;
  SharedNodes shared_;
  KinematicsExchange motion_;
};

template <class T>
void Halo::owners_to_ghosts(std::span<T> values) const
{
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::vector<std::byte>> out(neighbours().size());
  for (std::size_t k = 0; k < neighbours().size(); ++k) {
    out[k].resize(neighbours()[k].mirrors.size() * sizeof(T));
    std::byte* to = out[k].data();
    for (const LocalIndex n : neighbours()[k].mirrors) {
      std::memcpy(to, &values[static_cast<std::size_t>(n)], sizeof(T));
      to += sizeof(T);
    }
  }
  const auto in = exchange(comm_, peers(), out);
  for (std::size_t k = 0; k < neighbours().size(); ++k) {
    const std::byte* from = in[k].data();
    for (const LocalIndex n : neighbours()[k].ghosts) {
      std::memcpy(&values[static_cast<std::size_t>(n)], from, sizeof(T));
      from += sizeof(T);
    }
  }
}

template <class T, class Arrived>
void Halo::owners_to_ghosts(const mesh::TetMesh& mesh, std::span<T> values, std::span<const LocalIndex> nodes,
                            Arrived&& arrived) const
{
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<Bytes> out(neighbours().size());
  for (const LocalIndex n : nodes) {
    if (!mesh.owned(n) || !shared_.has(n)) continue;
    for (const Rank r : ranks_with_ghost(mesh, n)) {
      Bytes& message = out[position_of(r)];
      put(message, mesh.node(n).id), put(message, values[static_cast<std::size_t>(n)]);
    }
  }
  for (const Bytes& message : exchange(comm_, peers(), out))
    for (ByteReader in(message); !in.done();) {
      const LocalIndex n = *mesh.find(in.get<NodeId>());
      values[static_cast<std::size_t>(n)] = in.get<T>();
      arrived(n);
    }
}

}  // namespace sunder::partition
