#include "io/gather_pieces.hpp"

#include "core/fault_point.hpp"
#include "partition/transfer.hpp"

#include <algorithm>
#include <unordered_map>

namespace sunder::io {
namespace {

constexpr std::int64_t files_unasked = 64, largest_file = 4'000'000'000;  // [bytes]

void send(const Comm& comm, const Piece& piece, Rank to)
{
  const auto each = [&](auto... column) { (partition::send(comm, piece.*column, to), ...); };
  std::apply(each, node_columns);
  std::apply(each, element_columns);
}

template <class T>
void receive_column(const Comm& comm, std::vector<T>& column, Rank from)
{
  column = partition::receive<T>(comm, from);
}

Piece receive(const Comm& comm, Rank from)
{
  Piece piece;
  const auto each = [&](auto... column) { (receive_column(comm, piece.*column, from), ...); };
  std::apply(each, node_columns);
  std::apply(each, element_columns);
  return piece;
}

/// Pieces put together; a node of several of them is in it once.
class Union {
public:
  explicit Union(Piece first) : piece_(std::move(first))
  {
    for (std::size_t i = 0; i < piece_.node_id.size(); ++i)
      row_of_.emplace(piece_.node_id[i], static_cast<std::int64_t>(i));
  }

  void add(const Piece& part)
  {
    const std::vector<std::int64_t> row = add_nodes(part);
    const std::size_t first = piece_.corners.size();
    std::apply([&](auto... column) { (append(piece_.*column, part.*column), ...); }, element_columns);
    for (std::size_t e = first; e < piece_.corners.size(); ++e)
      for (std::int64_t& corner : piece_.corners[e]) corner = row[static_cast<std::size_t>(corner)];
  }

  Piece take() && { return std::move(piece_); }

private:
  /// Where each node of the part is in the union.
  std::vector<std::int64_t> add_nodes(const Piece& part)
  {
    std::vector<std::int64_t> row;
    row.reserve(part.node_id.size());
    for (std::size_t i = 0; i < part.node_id.size(); ++i) {
      const auto next = static_cast<std::int64_t>(piece_.node_id.size());
      const auto [known, is_new] = row_of_.try_emplace(part.node_id[i], next);
      row.push_back(known->second);
      if (is_new)
        std::apply([&](auto... column) { ((piece_.*column).push_back((part.*column)[i]), ...); }, node_columns);
      else
        piece_.repeated[static_cast<std::size_t>(known->second)] &= part.repeated[i];
    }
    return row;
  }

  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& part)
  {
    all.insert(all.end(), part.begin(), part.end());
  }

  Piece piece_;
  std::unordered_map<NodeId, std::int64_t> row_of_;
};

}  // namespace

FileGroups file_groups(const Comm& comm, std::int64_t bytes, std::int64_t asked)
{
  const std::int64_t ranks = comm.size();
  const std::int64_t ranks_a_file =
      std::max<std::int64_t>(1, largest_file / std::max<std::int64_t>(1, comm.max(bytes)));
  const std::int64_t needed = (ranks + ranks_a_file - 1) / ranks_a_file;
  return {ranks, std::min(ranks, std::max(asked > 0 ? asked : files_unasked, needed))};
}

Piece gather(const Comm& comm, Piece mine, const FileGroups& groups)
{
  allocation_point("frame: gather");
  const std::int64_t file = groups.file_of(comm.rank());
  const Rank writer = groups.begin(file), end = groups.begin(file + 1);
  if (comm.rank() != writer) {
    send(comm, mine, writer);
    return {};
  }
  if (end == writer + 1) return mine;
  Union all(std::move(mine));
  for (Rank member = writer + 1; member < end; ++member) all.add(receive(comm, member));
  return std::move(all).take();
}

}  // namespace sunder::io
