#include "contact/nearby.hpp"

#include "contact/corners.hpp"
#include "contact/meeting_ranks.hpp"
#include "contact/separation.hpp"
#include "core/bytes.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sunder::contact {
namespace {

constexpr int boxes_per_rank = 32;

Course course_of(const Mat34& p, const Mat34& v, const Window& window)
{
  return {p, p + window.time * v};
}

Box swept(const Course& course, double slack)
{
  Box box;
  for (int a = 0; a < 4; ++a) box.include(Vec3(course.start.col(a))), box.include(Vec3(course.end.col(a)));
  box.grow(slack);
  return box;
}

/// What is known of an element here, but for its course. Plain, so that it travels as it is.
struct Identity {
  ElementId id = 0, origin = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  double softness = 0;
  bool counted = false;
  FaceSet free = 0;

  bool touches(const Identity& other) const
  {
    return std::any_of(nodes.begin(), nodes.end(), [&other](NodeId n) {
      return std::find(other.nodes.begin(), other.nodes.end(), n) != other.nodes.end();
    });
  }
};

/// An element of this rank, or of another that it may touch.
struct Candidate {
  Identity is;
  Course course;
};

void pack(Bytes& bytes, const Candidate& c)
{
  put(bytes, c.is);
  for (const Mat34* corners : {&c.course.start, &c.course.end})
    for (int k = 0; k < 12; ++k) put(bytes, corners->data()[k]);
}

Candidate unpack(ByteReader& in)
{
  Candidate c{in.get<Identity>(), {}};
  for (Mat34* corners : {&c.course.start, &c.course.end})
    for (int k = 0; k < 12; ++k) corners->data()[k] = in.get<double>();
  return c;
}

/// One call of find_near().
class Search {
public:
  Search(const Comm& comm, const mesh::TetMesh& mesh, const Surface& surface, const BoundingTree& tree,
         std::span<const Row4> p, std::span<const Row4> v, const Window& window, std::span<const double> moduli,
         const Origins& origins)
    : comm_(comm),
      mesh_(mesh),
      surface_(surface),
      tree_(tree),
      p_(p),
      v_(v),
      window_(window),
      moduli_(moduli),
      origins_(origins)
  {
  }

  Near run()
  {
    near_.window = window_;
    candidates_.reserve(surface_.elements().size());
    for (const LocalIndex e : surface_.elements()) candidates_.push_back(candidate(e));
    tree_.query_pairs([this](int i, int j) { consider(i, j); });
    const auto num_held = candidates_.size();
    for (const Message& message : sparse_exchange(comm_, elements_for_others()))
      for (ByteReader in(message.bytes); !in.done();) candidates_.push_back(unpack(in));
    for (std::size_t k = num_held; k < candidates_.size(); ++k)
      tree_.query(swept(candidates_[k].course, window_.slack), [this, k](int i) { consider(i, static_cast<int>(k)); });
    list_pairs();
    subscribe();
    watch();
    return std::move(near_);
  }

private:
  Candidate candidate(LocalIndex e) const
  {
    Identity c;
    const Tet& tet = mesh_.tet(e);
    c.id = c.origin = mesh_.element_id(e);
    if (const auto made = origins_.find(c.id); made != origins_.end()) c.origin = made->second;
    c.counted = mesh_.counted(e);
    c.free = surface_.free_faces(e);
    double size = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      const mesh::Node& node = mesh_.node(tet[a]);
      c.nodes[a] = node.id, c.owners[a] = node.owner;
      size += node.size / 4;
    }
    c.softness = size / moduli_[mesh_.material(e)];
    return {c, course_of(corners_of(tet, p_), corners_of(tet, v_), window_)};
  }

  void consider(int i, int j)
  {
    const Candidate &a = candidates_[static_cast<std::size_t>(i)], &b = candidates_[static_cast<std::size_t>(j)];
    if (a.is.touches(b.is) || !separating_face(a.course, b.course, 2 * window_.slack).isZero()) return;
    if (a.is.id > b.is.id) std::swap(i, j);
    found_.push_back({std::minmax(a.is.id, b.is.id), i, j});
  }

  /// This rank's counted elements, for each rank whose elements they may touch and that does not hold them.
  std::vector<Message> elements_for_others() const
  {
    const std::vector<Box> mine = tree_.cover(boxes_per_rank);
    std::vector<Message> out;
    std::vector<std::size_t> sent_to(candidates_.size(), 0);
    for (const MeetingRank& met : meeting_ranks(comm_, mine)) {
      out.push_back({met.rank, {}});
      for (const Box& box : met.boxes)
        tree_.query(box, [&](int i) {
          const Candidate& c = candidates_[static_cast<std::size_t>(i)];
          if (!c.is.counted || std::find(c.is.owners.begin(), c.is.owners.end(), met.rank) != c.is.owners.end()) return;
          if (std::exchange(sent_to[static_cast<std::size_t>(i)], out.size()) == out.size()) return;
          Candidate sent = c;
          sent.is.counted = false;
          pack(out.back().bytes, sent);
        });
    }
    return out;
  }

  void list_pairs()
  {
    std::sort(found_.begin(), found_.end(), [](const Found& x, const Found& y) { return x.ids < y.ids; });
    std::vector<int> near_index(candidates_.size(), -1);
    for (const auto& [ids, i, j] : found_)
      near_.pairs.push_back({near_element(i, near_index), near_element(j, near_index)});
  }

  int near_element(int i, std::vector<int>& near_index)
  {
    int& at = near_index[static_cast<std::size_t>(i)];
    if (at >= 0) return at;
    at = static_cast<int>(near_.elements.size());
    const Identity& c = candidates_[static_cast<std::size_t>(i)].is;
    NearElement element{c.id, c.origin, {}, c.counted, c.softness, c.free};
    for (std::size_t a = 0; a < 4; ++a) element.nodes[a] = near_node(c.nodes[a], c.owners[a]);
    near_.elements.push_back(element);
    return at;
  }

  int near_node(NodeId id, Rank owner)
  {
    const auto [at, is_new] = node_index_.try_emplace(id, static_cast<int>(near_.nodes.size()));
    if (is_new) {
      const auto known = mesh_.find(id);  // kept up to date only while some element around it is held
      const bool held = known && !mesh_.star(*known).empty();
      near_.nodes.push_back(held ? *known : -1);
      if (!held) wanted_[owner].emplace_back(id, at->second);
    }
    return at->second;
  }

  /// Asks the owners of nodes that are not held here to send them each step, and learns who asks this rank.
  void subscribe()
  {
    std::map<Rank, partition::Neighbour> neighbours;
    std::vector<Message> out;
    for (auto& [owner, nodes] : wanted_) {
      std::sort(nodes.begin(), nodes.end());
      out.push_back({owner, {}});
      for (const auto& [id, at] : nodes) {
        put(out.back().bytes, id);
        neighbours[owner].ghosts.push_back(at);
      }
    }
    for (const Message& message : sparse_exchange(comm_, out))
      for (ByteReader in(message.bytes); !in.done();)
        neighbours[message.peer].mirrors.push_back(*mesh_.find(in.get<NodeId>()));
    for (auto& [rank, neighbour] : neighbours) {
      neighbour.rank = rank;
      near_.neighbours.push_back(std::move(neighbour));
    }
  }

  void watch()
  {
    std::vector<LocalIndex> nodes;
    for (const LocalIndex e : surface_.elements())
      for (const LocalIndex n : mesh_.tet(e))
        if (mesh_.owned(n)) nodes.push_back(n);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const LocalIndex n : nodes)
      near_.watched.push_back({n, p_[static_cast<std::size_t>(n)].xyz(), v_[static_cast<std::size_t>(n)].xyz()});
  }

  struct Found {
    std::pair<ElementId, ElementId> ids;
    int first, second;  // of candidates_
  };

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  const Surface& surface_;
  const BoundingTree& tree_;
  std::span<const Row4> p_, v_;
  Window window_;
  std::span<const double> moduli_;
  const Origins& origins_;
  Near near_;
  std::vector<Candidate> candidates_;  // held ones in the order of the surface's list, then those of other ranks
  std::vector<Found> found_;
  std::unordered_map<NodeId, int> node_index_;
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;
};

}  // namespace

std::vector<Box> swept_boxes(const mesh::TetMesh& mesh, const Surface& surface, std::span<const Row4> p,
                             std::span<const Row4> v, const Window& window)
{
  std::vector<Box> boxes;
  boxes.reserve(surface.elements().size());
  for (const LocalIndex e : surface.elements())
    boxes.push_back(swept(course_of(corners_of(mesh.tet(e), p), corners_of(mesh.tet(e), v), window), window.slack));
  return boxes;
}

Near find_near(const Comm& comm, const mesh::TetMesh& mesh, const Surface& surface, const BoundingTree& tree,
               std::span<const Row4> p, std::span<const Row4> v, const Window& window, std::span<const double> moduli,
               const Origins& origins)
{
  return Search(comm, mesh, surface, tree, p, v, window, moduli, origins).run();
}

}  // namespace sunder::contact
