#pragma once
/// Which ranks' regions meet, without any rank knowing all the others.

#include "contact/box.hpp"
#include "core/comm.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// Boxes of another rank that meet some of this rank's.
struct MeetingRank {
  Rank rank = 0;
  std::vector<Box> boxes;
};

/// Collective. Ascending by rank; symmetric. The space around all boxes is divided into a few cells a rank; each cell
/// has a rank that is sent the boxes in it and tells their senders of each other (a rendezvous), so that memory and
/// messages of a rank depend on the boxes near its own, not on the number of ranks.
std::vector<MeetingRank> meeting_ranks(const Comm& comm, std::span<const Box> mine);

}  // namespace sunder::contact
