#include "io/frames/gather_pieces.hpp"

#include "core/fault_point.hpp"
#include "partition/across_ranks/transfer.hpp"

#include <algorithm>

namespace sunder::io {
namespace {

constexpr std::int64_t largest_file = 4'000'000'000, largest_unasked = 500'000'000;  // [bytes]

/// Calls visit(column) for each column of the piece.
template <class Visit>
void each_column(auto& piece, Visit&& visit)
{
  visit(piece.node_id), visit(piece.position), visit(piece.element_id), visit(piece.corners), visit(piece.ghost);
  for (auto* fields : {&piece.node_fields, &piece.element_fields})
    for (auto& field : *fields) std::visit(visit, field.values);
}

void send(const Comm& comm, const Piece& piece, Rank to)
{
  each_column(piece, [&](const auto& column) { partition::send(comm, column, to); });
}

/// A piece with the fields of `like`.
Piece receive(const Comm& comm, const Piece& like, Rank from)
{
  Piece piece = like.empty_like();
  each_column(piece, [&](auto& column) {
    column = partition::receive<typename std::decay_t<decltype(column)>::value_type>(comm, from);
  });
  return piece;
}

}  // namespace

FileGroups file_groups(const Comm& comm, std::int64_t bytes, std::int64_t asked)
{
  const std::int64_t ranks = comm.size(), most = asked > 0 ? largest_file : largest_unasked;
  const std::int64_t largest = comm.max(bytes),
                     ranks_a_file = std::max<std::int64_t>(1, most / std::max<std::int64_t>(1, largest));
  const std::int64_t needed = (ranks + ranks_a_file - 1) / ranks_a_file;
  return {ranks, std::min(ranks, std::max(asked, needed)), largest == 0};
}

Piece gather(const Comm& comm, Piece mine, const FileGroups& groups)
{
  allocation_point("frame: gather");
  const std::int64_t file = groups.file_of(comm.rank());
  const Rank writer = groups.begin(file), end = groups.begin(file + 1);
  if (comm.rank() != writer) {
    send(comm, mine, writer);
    return mine.empty_like();
  }
  if (end == writer + 1) return mine;
  const Piece like = mine.empty_like();
  PieceUnion all(std::move(mine));
  for (Rank member = writer + 1; member < end; ++member) all.add(receive(comm, like, member));
  return std::move(all).take();
}

}  // namespace sunder::io
