#include "lattice/bond_halo.hpp"

#include <algorithm>
#include <map>

namespace sunder::lattice {

BondHalo::BondHalo(const Comm& comm, std::span<const BondKey> owned, std::span<const GhostBond> ghosts) : comm_(comm)
{
  std::map<Rank, Bytes> questions;
  std::map<Rank, std::size_t> first;
  for (std::size_t g = 0; g < ghosts.size(); ++g) {
    first.try_emplace(ghosts[g].owner, owned.size() + g);
    put(questions[ghosts[g].owner], ghosts[g].key);
  }
  std::map<Rank, std::vector<LocalIndex>> mirrors;
  for (const auto& [rank, begin] : first) mirrors[rank];  // one that needs nothing of ours still sends to us
  for (const Message& message : sparse_exchange(comm, questions)) {
    std::vector<LocalIndex>& wanted = mirrors[message.peer];
    for (ByteReader in(message.bytes); !in.done();) {
      const auto key = in.get<BondKey>();
      const auto at = std::lower_bound(owned.begin(), owned.end(), key);
      SUNDER_ASSERT(at != owned.end() && *at == key);
      wanted.push_back(static_cast<LocalIndex>(at - owned.begin()));
    }
  }
  for (auto& [rank, wanted] : mirrors) {
    peers_.push_back(rank), mirrors_.push_back(std::move(wanted));
    const auto found = first.find(rank);
    first_ghost_.push_back(found == first.end() ? 0 : found->second);
  }
}

}  // namespace sunder::lattice
