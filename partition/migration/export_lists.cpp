#include "partition/migration/export_lists.hpp"

#include "core/blocking.hpp"
#include "core/bytes.hpp"
#include "core/sort_unique.hpp"
#include "core/tags.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace sunder::partition {
namespace {

constexpr std::size_t records_at_once = 2048, messages_at_once = 4;

/// The number of records that one rank sends another.
struct Announcement {
  std::uint64_t nodes = 0, elements = 0;
};

/// Sends exports to other ranks, one after the other, in messages of some records.
class Outbox {
public:
  Outbox(const Comm& comm, const std::map<Rank, ExportList>& exports, const RecordSource& source)
    : comm_(comm), source_(source)
  {
    // Each rank begins with the ranks above it; otherwise all would send to the same rank first.
    for (auto to = exports.upper_bound(comm.rank()); to != exports.end(); ++to) queue_.push_back(&*to);
    for (auto to = exports.begin(); to != exports.lower_bound(comm.rank()); ++to) queue_.push_back(&*to);
  }

  bool done() const noexcept { return next_ == queue_.size() && under_way_ == 0; }

  /// Frees messages that have been sent, and starts new ones up to the limit. Returns whether there was any.
  bool proceed()
  {
    bool any = false;
    for (Slot& slot : slots_) {
      if (slot.request != MPI_REQUEST_NULL) {
        int sent = 0;
        mpi_check(MPI_Test(&slot.request, &sent, MPI_STATUS_IGNORE), "MPI_Test");
        if (!sent) continue;
        --under_way_, any = true;
        slot.bytes.clear();
      }
      if (next_ == queue_.size()) continue;
      const Rank to = queue_[next_]->first;
      pack(slot.bytes);
      mpi_check(MPI_Isend(slot.bytes.data(), static_cast<int>(slot.bytes.size()), MPI_BYTE, to, tags::migration,
                          comm_.mpi(), &slot.request),
                "MPI_Isend");
      ++under_way_, any = true;
    }
    return any;
  }

private:
  struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    Bytes bytes;
  };

  /// Packs the next records of the current list.
  void pack(Bytes& bytes)
  {
    const ExportList& list = queue_[next_]->second;
    std::vector<NodeRecord> nodes;
    for (; nodes_taken_ < list.nodes.size() && nodes.size() < records_at_once; ++nodes_taken_)
      nodes.push_back(source_.node(list.nodes[nodes_taken_]));
    ElementTable elements;
    const bool only_nodes = nodes_taken_ < list.nodes.size();
    for (; !only_nodes && elements_taken_ < list.elements.size() && elements.size() < records_at_once;
         ++elements_taken_)
      source_.element(list.elements[elements_taken_], elements);
    put(bytes, nodes), put_elements(bytes, elements);
    if (nodes_taken_ == list.nodes.size() && elements_taken_ == list.elements.size())
      ++next_, nodes_taken_ = elements_taken_ = 0;
  }

  const Comm& comm_;
  const RecordSource& source_;
  std::vector<const std::pair<const Rank, ExportList>*> queue_;
  std::size_t next_ = 0, nodes_taken_ = 0, elements_taken_ = 0;
  std::array<Slot, messages_at_once> slots_;
  int under_way_ = 0;
};

/// Collective. The number of records that will come from other ranks.
Announcement announced(const Comm& comm, const std::map<Rank, ExportList>& exports)
{
  std::map<Rank, Bytes> to;
  for (const auto& [rank, list] : exports)
    if (rank != comm.rank()) put(to[rank], Announcement{list.nodes.size(), list.elements.size()});
  Announcement all;
  for (const Message& message : sparse_exchange(comm, std::move(to))) {
    const auto more = ByteReader(message.bytes).get<Announcement>();
    all.nodes += more.nodes, all.elements += more.elements;
  }
  return all;
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more)
{
  all.insert(all.end(), more.begin(), more.end());
}

/// Local. Receives one message, if there is one, and adds its records. Returns whether there was one.
bool receive_one(const Comm& comm, MigrationRecords& held)
{
  int arrived = 0, size = 0;
  MPI_Message message;
  MPI_Status status;
  mpi_check(MPI_Improbe(MPI_ANY_SOURCE, tags::migration, comm.mpi(), &arrived, &message, &status), "MPI_Improbe");
  if (!arrived) return false;
  mpi_check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
  Bytes bytes(static_cast<std::size_t>(size));
  mpi_check(MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
  ByteReader in(bytes);
  append(held.nodes, in.get_vector<NodeRecord>());
  held.elements.append(get_elements(in));
  return true;
}

/// Collective. What came, in any order.
template <class Record>
std::vector<Record> exchange_records(const Comm& comm, const std::map<Rank, std::vector<Record>>& to)
{
  std::vector<Message> out;
  for (const auto& [rank, records] : to) {
    out.push_back({rank, {}});
    put(out.back().bytes, records);
  }
  std::vector<Record> held;
  for (const Message& message : sparse_exchange(comm, out))
    append(held, ByteReader(message.bytes).get_vector<Record>());
  return held;
}

void put_in_order(MigrationRecords& held)
{
  std::sort(held.nodes.begin(), held.nodes.end(), [](const NodeRecord& a, const NodeRecord& b) { return a.id < b.id; });
  const auto same = [](const NodeRecord& a, const NodeRecord& b) { return a.id == b.id; };
  held.nodes.erase(std::unique(held.nodes.begin(), held.nodes.end(), same), held.nodes.end());
  held.elements.put_in_order();
}

}  // namespace

void add_corners(std::map<Rank, ExportList>& exports, std::span<const Tet> corners)
{
  for (auto& [rank, list] : exports) {
    std::vector<LocalIndex> nodes;
    for (const LocalIndex e : list.elements) {
      const Tet& tet = corners[static_cast<std::size_t>(e)];
      nodes.insert(nodes.end(), tet.begin(), tet.end());
    }
    sort_unique(nodes);
    list.nodes.assign(nodes.begin(), nodes.end());
  }
}

MigrationRecords migrate_exports(const Comm& comm, const std::map<Rank, ExportList>& exports,
                                 const RecordSource& source)
{
  const Announcement coming = announced(comm, exports);
  const auto own = exports.find(comm.rank());
  const ExportList none, &kept = own == exports.end() ? none : own->second;
  MigrationRecords held;
  held.nodes.reserve(coming.nodes + kept.nodes.size());
  held.elements.reserve(coming.elements + kept.elements.size());
  Outbox outbox(comm, exports, source);
  blocking::Pause pause;
  while (!outbox.done() || held.nodes.size() < coming.nodes || held.elements.size() < coming.elements) {
    const bool sent = outbox.proceed(), received = receive_one(comm, held);
    if (sent || received) pause = {};
    pause();
  }
  for (const LocalIndex n : kept.nodes) held.nodes.push_back(source.node(n));
  for (const LocalIndex e : kept.elements) source.element(e, held.elements);
  put_in_order(held);
  return held;
}

std::span<const PairRecord> pairs_of(std::span<const PairRecord> pairs, ElementId element)
{
  struct ByElement {
    bool operator()(const PairRecord& pair, ElementId e) const { return pair.element < e; }
    bool operator()(ElementId e, const PairRecord& pair) const { return e < pair.element; }
  };
  const auto [first, last] = std::equal_range(pairs.begin(), pairs.end(), element, ByElement());
  return {first, last};
}

std::vector<PairRecord> exchange_pairs(const Comm& comm, const std::map<Rank, std::vector<PairRecord>>& to)
{
  std::vector<PairRecord> held = exchange_records(comm, to);
  std::sort(held.begin(), held.end(), [](const PairRecord& a, const PairRecord& b) {
    return std::tie(a.element, a.other) < std::tie(b.element, b.other);
  });
  return held;
}

std::vector<LinkRecord> exchange_links(const Comm& comm, const std::map<Rank, std::vector<LinkRecord>>& to)
{
  std::vector<LinkRecord> held = exchange_records(comm, to);
  std::sort(held.begin(), held.end(), [](const LinkRecord& a, const LinkRecord& b) {
    return std::tie(a.plus, a.minus) < std::tie(b.plus, b.minus);
  });
  return held;
}

}  // namespace sunder::partition
