#include "partition/records.hpp"

#include "core/bytes.hpp"
#include "core/fault_point.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sunder::partition {
namespace {

constexpr std::size_t elements_at_once = 1 << 18;  // messages stay far below what MPI can count

std::size_t find(const std::vector<NodeRecord>& nodes, NodeId id)
{
  const auto at =
      std::lower_bound(nodes.begin(), nodes.end(), id, [](const NodeRecord& n, NodeId x) { return n.id < x; });
  SUNDER_ASSERT(at != nodes.end() && at->id == id);
  return static_cast<std::size_t>(at - nodes.begin());
}

std::span<const PairRecord> pairs_of(const Records& records, ElementId element)
{
  struct ByElement {
    bool operator()(const PairRecord& pair, ElementId e) const { return pair.element < e; }
    bool operator()(ElementId e, const PairRecord& pair) const { return e < pair.element; }
  };
  const auto [first, last] = std::equal_range(records.pairs.begin(), records.pairs.end(), element, ByElement());
  return {first, last};
}

/// What one rank is sent.
struct Parcel {
  std::vector<std::size_t> nodes;  // positions in Records::nodes
  std::vector<ElementRecord> elements;
  std::vector<PairRecord> pairs;
};

/// Of elements [first, last).
std::vector<Message> pack(const Records& mine, std::size_t first, std::size_t last)
{
  std::map<Rank, Parcel> parcels;
  for (std::size_t e = first; e < last; ++e) {
    const ElementRecord& element = mine.elements[e];
    std::array<std::size_t, 4> corners{};
    std::array<Rank, 4> to{};
    for (std::size_t a = 0; a < 4; ++a)
      corners[a] = find(mine.nodes, element.nodes[a]), to[a] = mine.nodes[corners[a]].owner;
    std::sort(to.begin(), to.end());
    for (std::size_t a = 0; a < 4; ++a) {
      if (a > 0 && to[a] == to[a - 1]) continue;
      Parcel& parcel = parcels[to[a]];
      parcel.elements.push_back(element);
      parcel.nodes.insert(parcel.nodes.end(), corners.begin(), corners.end());
      const auto pairs = pairs_of(mine, element.id);
      parcel.pairs.insert(parcel.pairs.end(), pairs.begin(), pairs.end());
    }
  }
  std::vector<Message> messages;
  for (auto& [rank, parcel] : parcels) {
    std::sort(parcel.nodes.begin(), parcel.nodes.end());
    parcel.nodes.erase(std::unique(parcel.nodes.begin(), parcel.nodes.end()), parcel.nodes.end());
    std::vector<NodeRecord> nodes;
    for (const std::size_t n : parcel.nodes) nodes.push_back(mine.nodes[n]);
    messages.push_back({rank, {}});
    put(messages.back().bytes, nodes), put(messages.back().bytes, parcel.elements);
    put(messages.back().bytes, parcel.pairs);
  }
  return messages;
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more)
{
  all.insert(all.end(), more.begin(), more.end());
}

bool earlier(const ElementRecord& a, const ElementRecord& b)
{
  return std::pair(a.birthday, a.id) < std::pair(b.birthday, b.id);
}

/// Collective. Faces this rank owns a node of.
std::vector<MarkedFace<NodeId>> deliver_faces(const Comm& comm, const Records& mine)
{
  if (comm.max(static_cast<std::int64_t>(mine.faces.size())) == 0) return {};
  std::map<Rank, Bytes> to;
  for (const auto& face : mine.faces) {
    std::array<Rank, 3> owners{};
    for (std::size_t a = 0; a < 3; ++a) owners[a] = mine.nodes[find(mine.nodes, face.nodes[a])].owner;
    std::sort(owners.begin(), owners.end());
    for (std::size_t a = 0; a < 3; ++a)
      if (a == 0 || owners[a] != owners[a - 1]) put(to[owners[a]], face);
  }
  std::vector<MarkedFace<NodeId>> faces;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) faces.push_back(in.get<MarkedFace<NodeId>>());
  std::sort(faces.begin(), faces.end(),
            [](const auto& a, const auto& b) { return std::tie(a.nodes, a.marks) < std::tie(b.nodes, b.marks); });
  return faces;
}

void sort_unique_by_id(std::vector<NodeRecord>& nodes)
{
  std::sort(nodes.begin(), nodes.end(), [](const NodeRecord& a, const NodeRecord& b) { return a.id < b.id; });
  const auto same = [](const NodeRecord& a, const NodeRecord& b) { return a.id == b.id; };
  nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
}

}  // namespace

Records deliver(const Comm& comm, const Records& mine)
{
  allocation_point("migration: deliver");
  Records held;
  const std::size_t count = mine.elements.size();
  const auto most = static_cast<std::size_t>(comm.max(static_cast<std::int64_t>(count)));
  for (std::size_t first = 0; first < most; first += elements_at_once) {
    const auto out = pack(mine, std::min(first, count), std::min(first + elements_at_once, count));
    for (const Message& message : sparse_exchange(comm, out)) {
      ByteReader in(message.bytes);
      append(held.nodes, in.get_vector<NodeRecord>());
      append(held.elements, in.get_vector<ElementRecord>());
      append(held.pairs, in.get_vector<PairRecord>());
    }
    sort_unique_by_id(held.nodes);
  }
  std::sort(held.elements.begin(), held.elements.end(), earlier);
  std::sort(held.pairs.begin(), held.pairs.end(), [](const PairRecord& a, const PairRecord& b) {
    return std::pair(a.element, a.other) < std::pair(b.element, b.other);
  });
  held.faces = deliver_faces(comm, mine);
  return held;
}

mesh::TetMesh mesh_of(Rank me, const Records& records)
{
  std::vector<mesh::Node> nodes;
  nodes.reserve(records.nodes.size());
  for (const NodeRecord& r : records.nodes) nodes.push_back({r.id, r.owner, Vec3(r.X.data()), r.size, r.marks});
  const auto local = [&records](NodeId id) { return static_cast<LocalIndex>(find(records.nodes, id)); };
  std::vector<mesh::Element> elements;
  std::vector<mesh::Birthday> birthdays;
  elements.reserve(records.elements.size());
  for (const ElementRecord& r : records.elements) {
    elements.push_back(
        {r.id, {local(r.nodes[0]), local(r.nodes[1]), local(r.nodes[2]), local(r.nodes[3])}, r.material});
    if (r.birthday != mesh::Birthday{}) birthdays.push_back(r.birthday);
  }
  mesh::TetMesh mesh(me, std::move(nodes), std::move(elements), std::move(birthdays));
  for (std::size_t e = 0; e < records.elements.size(); ++e)
    if (records.elements[e].marks != mesh::FaceMarks{})
      mesh.set_face_marks(static_cast<LocalIndex>(e), records.elements[e].marks);
  return mesh;
}

}  // namespace sunder::partition
