#include "contact/nearby.hpp"

#include "contact/meeting_ranks.hpp"
#include "core/bytes.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sunder::contact {
namespace {

constexpr int boxes_per_rank = 32;

Mat34 columns(const Tet& tet, std::span<const Row4> rows)
{
  Mat34 m;
  for (std::size_t a = 0; a < 4; ++a) m.col(static_cast<int>(a)) = rows[static_cast<std::size_t>(tet[a])].xyz();
  return m;
}

/// Least height of b's corners over the plane, less the greatest of a's: positive if the plane keeps them apart.
double gap(const Vec3& normal, const Mat34& a, const Mat34& b)
{
  return (normal.transpose() * b).minCoeff() - (normal.transpose() * a).maxCoeff();
}

bool kept_apart_by(const Course& a, const Course& b, const Vec3& normal, const Window& window)
{
  // Corners move straight, so the gap is a concave function of time: positive at both ends, positive between.
  const double needed = 2 * window.slack * normal.norm();
  return gap(normal, a.p, b.p) > needed && gap(normal, a.p + window.time * a.v, b.p + window.time * b.v) > needed;
}

/// What is known of an element here, or sent to a rank it may touch. Plain, so that it travels as it is.
struct Candidate {
  ElementId id = 0;
  std::array<NodeId, 4> nodes{};
  std::array<Rank, 4> owners{};
  std::array<std::array<double, 3>, 4> p{}, v{};
  double softness = 0;
  FaceSet free = 0;
  bool counted = false;

  Course course() const
  {
    Course c;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t k = 0; k < 3; ++k)
        c.p(static_cast<int>(k), static_cast<int>(a)) = p[a][k],
                                 c.v(static_cast<int>(k), static_cast<int>(a)) = v[a][k];
    return c;
  }
  bool touches(const Candidate& other) const
  {
    return std::any_of(nodes.begin(), nodes.end(), [&other](NodeId n) {
      return std::find(other.nodes.begin(), other.nodes.end(), n) != other.nodes.end();
    });
  }
};

/// One call of find_near().
class Search {
public:
  Search(const Comm& comm, const mesh::TetMesh& mesh, const Surface& surface, const BoundingTree& tree,
         std::span<const Row4> p, std::span<const Row4> v, const Window& window, std::span<const double> moduli)
    : comm_(comm), mesh_(mesh), surface_(surface), tree_(tree), p_(p), v_(v), window_(window), moduli_(moduli)
  {
  }

  Near run()
  {
    near_.window = window_;
    for (const LocalIndex e : surface_.elements()) {
      candidates_.push_back(candidate(e));
      courses_.push_back(candidates_.back().course());
    }
    tree_.query_pairs([this](int i, int j) { consider(i, j); });
    const auto num_held = candidates_.size();
    for (const Message& message : sparse_exchange(comm_, elements_for_others()))
      for (ByteReader in(message.bytes); !in.done();) {
        candidates_.push_back(in.get<Candidate>());
        courses_.push_back(candidates_.back().course());
      }
    for (std::size_t k = num_held; k < candidates_.size(); ++k)
      tree_.query(courses_[k].swept(window_), [this, k](int i) { consider(i, static_cast<int>(k)); });
    list_pairs();
    subscribe();
    watch();
    return std::move(near_);
  }

private:
  Candidate candidate(LocalIndex e) const
  {
    Candidate c;
    const Tet& tet = mesh_.tet(e);
    c.id = mesh_.element_id(e), c.free = surface_.free_faces(e), c.counted = mesh_.counted(e);
    double size = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      const mesh::Node& node = mesh_.node(tet[a]);
      const Row4 &p = p_[static_cast<std::size_t>(tet[a])], &v = v_[static_cast<std::size_t>(tet[a])];
      c.nodes[a] = node.id, c.owners[a] = node.owner;
      c.p[a] = {p.x, p.y, p.z}, c.v[a] = {v.x, v.y, v.z};
      size += node.size / 4;
    }
    c.softness = size / moduli_[mesh_.material(e)];
    return c;
  }

  void consider(int i, int j)
  {
    const Candidate &a = candidates_[static_cast<std::size_t>(i)], &b = candidates_[static_cast<std::size_t>(j)];
    if ((a.free | b.free) == 0 || a.touches(b)) return;
    if (apart(courses_[static_cast<std::size_t>(i)], courses_[static_cast<std::size_t>(j)], window_)) return;
    found_.push_back(a.id < b.id ? std::pair{i, j} : std::pair{j, i});
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
          if (!c.counted || std::find(c.owners.begin(), c.owners.end(), met.rank) != c.owners.end()) return;
          if (std::exchange(sent_to[static_cast<std::size_t>(i)], out.size()) == out.size()) return;
          Candidate sent = c;
          sent.counted = false;
          put(out.back().bytes, sent);
        });
    }
    return out;
  }

  void list_pairs()
  {
    const auto ids = [this](const std::pair<int, int>& pair) {
      return std::pair{candidates_[static_cast<std::size_t>(pair.first)].id,
                       candidates_[static_cast<std::size_t>(pair.second)].id};
    };
    std::sort(found_.begin(), found_.end(), [&](const auto& x, const auto& y) { return ids(x) < ids(y); });
    std::vector<int> near_index(candidates_.size(), -1);
    for (const auto& [i, j] : found_) near_.pairs.push_back({near_element(i, near_index), near_element(j, near_index)});
  }

  int near_element(int i, std::vector<int>& near_index)
  {
    int& at = near_index[static_cast<std::size_t>(i)];
    if (at >= 0) return at;
    at = static_cast<int>(near_.elements.size());
    const Candidate& c = candidates_[static_cast<std::size_t>(i)];
    NearElement element{c.id, {}, c.free, c.counted, c.softness};
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

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  const Surface& surface_;
  const BoundingTree& tree_;
  std::span<const Row4> p_, v_;
  Window window_;
  std::span<const double> moduli_;
  Near near_;
  std::vector<Candidate> candidates_;  // held ones in the order of the surface's list, then those of other ranks
  std::vector<Course> courses_;
  std::vector<std::pair<int, int>> found_;
  std::unordered_map<NodeId, int> node_index_;
  std::map<Rank, std::vector<std::pair<NodeId, int>>> wanted_;
};

}  // namespace

Box Course::swept(const Window& window) const
{
  Box box;
  for (int a = 0; a < 4; ++a) {
    box.include(Vec3(p.col(a)));
    box.include(Vec3(p.col(a) + window.time * v.col(a)));
  }
  box.grow(window.slack);
  return box;
}

bool apart(const Course& a, const Course& b, const Window& window)
{
  constexpr std::array<std::array<int, 4>, 4> faces{{{1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 3, 2}, {0, 1, 2, 3}}};
  for (const auto& [i, j, k, opposite] : faces) {
    const auto out_of = [&, i = i, j = j, k = k, opposite = opposite](const Mat34& p) -> Vec3 {
      const Vec3 n = (p.col(j) - p.col(i)).cross(p.col(k) - p.col(i));
      return n.dot(p.col(opposite) - p.col(i)) > 0 ? Vec3(-n) : n;
    };
    if (kept_apart_by(a, b, out_of(a.p), window) || kept_apart_by(b, a, out_of(b.p), window)) return true;
  }
  return false;
}

std::vector<Box> swept_boxes(const mesh::TetMesh& mesh, const Surface& surface, std::span<const Row4> p,
                             std::span<const Row4> v, const Window& window)
{
  std::vector<Box> boxes;
  boxes.reserve(surface.elements().size());
  for (const LocalIndex e : surface.elements())
    boxes.push_back(Course{columns(mesh.tet(e), p), columns(mesh.tet(e), v)}.swept(window));
  return boxes;
}

Near find_near(const Comm& comm, const mesh::TetMesh& mesh, const Surface& surface, const BoundingTree& tree,
               std::span<const Row4> p, std::span<const Row4> v, const Window& window, std::span<const double> moduli)
{
  return Search(comm, mesh, surface, tree, p, v, window, moduli).run();
}

}  // namespace sunder::contact
