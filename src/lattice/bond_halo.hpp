#pragma once
/// Which ranks need copies of which bonds, and the exchange that brings them.

#include "core/bytes.hpp"
#include "core/comm.hpp"
#include "core/types.hpp"

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace sunder::lattice {

/// A bond by the two elements it joins, a < b: the same on every rank and any number of ranks.
struct BondKey {
  ElementId a, b;
  auto operator<=>(const BondKey&) const = default;
};

/// A bond that another rank owns.
struct GhostBond {
  Rank owner = 0;
  BondKey key;
  auto operator<=>(const GhostBond&) const = default;
};

/// Values of bonds are indexed by the rank's own bonds, ascending by key, then its ghosts, ascending by owner and key:
/// what a peer sends is one block.
class BondHalo {
public:
  /// Collective on comm: one sparse exchange, in which each owner learns who needs what. Both lists ascend; every ghost
  /// is a bond that its owner has.
  BondHalo(const Comm& comm, std::span<const BondKey> owned, std::span<const GhostBond> ghosts);

  const Comm& comm() const noexcept { return comm_; }
  std::span<const Rank> peers() const noexcept { return peers_; }

  /// Collective on the peers. Overwrites the value of each ghost with its owner's. values: (owned + ghosts)
  template <class T>
  void owners_to_ghosts(std::span<T> values) const
  {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<Bytes> out(peers_.size());
    for (std::size_t k = 0; k < peers_.size(); ++k) {
      out[k].resize(mirrors_[k].size() * sizeof(T));
      std::byte* to = out[k].data();
      for (const LocalIndex b : mirrors_[k]) {
        std::memcpy(to, &values[static_cast<std::size_t>(b)], sizeof(T));
        to += sizeof(T);
      }
    }
    const auto in = exchange(comm_, peers_, out);
    for (std::size_t k = 0; k < peers_.size(); ++k)
      if (!in[k].empty()) std::memcpy(&values[first_ghost_[k]], in[k].data(), in[k].size());
  }

private:
  Comm comm_;
  std::vector<Rank> peers_;                       // ascending; a lists b if and only if b lists a
  std::vector<std::vector<LocalIndex>> mirrors_;  // (peers) our bonds that it has copies of
  std::vector<std::size_t> first_ghost_;          // (peers)
};

}  // namespace sunder::lattice
