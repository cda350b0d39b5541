#include "contact/broad_phase/find_pairs.hpp"

#include "contact/broad_phase/pair_list_builder.hpp"
#include "contact/broad_phase/rank_rendezvous.hpp"
#include "contact/broad_phase/surface_element.hpp"
#include "geometry/corners.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sunder::contact {
namespace {

constexpr int boxes_per_rank = 32;

/// One call of find_pairs().
class Search {
public:
  Search(const Comm& comm, const mesh::TetMesh& mesh, const ContactSurface& surface, const geometry::BoxTree& tree,
         std::span<const Row4> p, std::span<const Row4> v, const ListWindow& window, std::span<const double> moduli,
         const Origins& origins, const EarlierList* earlier)
    : comm_(comm),
      mesh_(mesh),
      surface_(surface),
      tree_(tree),
      p_(p),
      v_(v),
      window_(window),
      moduli_(moduli),
      origins_(origins),
      earlier_(earlier)
  {
  }

  PairList run()
  {
    elements_.reserve(surface_.elements().size());
    for (const LocalIndex e : surface_.elements()) elements_.push_back(surface_element(e));
    if (earlier_)
      consider_fresh();
    else
      tree_.query_pairs([this](int i, int j) { consider(i, j); });
    consider_others();
    const std::size_t num_new = found_.size();
    if (earlier_) take_over();
    PairListBuilder builder(comm_, mesh_, surface_.elements(), elements_);
    builder.add_pairs(std::move(found_), num_new, earlier_ ? &earlier_->list : nullptr);
    PairList list = builder.finish();
    list.window = window_, list.others = std::move(others_), list.watched = watched();
    return list;
  }

private:
  SurfaceElement surface_element(LocalIndex e) const
  {
    SurfaceElementFacts c;
    const Tet& tet = mesh_.tet(e);
    c.id = c.origin = mesh_.element_id(e);
    if (const auto made = origins_.find(c.id); made != origins_.end()) c.origin = made->second;
    c.primary = mesh_.primary(e);
    const auto slot = static_cast<std::size_t>(e);
    c.fresh = !earlier_ || slot >= earlier_->unchanged.size() || earlier_->unchanged[slot] == 0;
    c.free = surface_.free_faces(e);
    double size = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      const mesh::Node& node = mesh_.node(tet[a]);
      c.nodes[a] = node.id, c.owners[a] = node.owner;
      size += node.size / 4;
    }
    c.compliance = size / moduli_[mesh_.material(e)];
    return {c, motion_of(geometry::corners_of(tet, p_), geometry::corners_of(tet, v_), window_)};
  }

  SurfaceElement& nth(int i) { return elements_[static_cast<std::size_t>(i)]; }

  /// Tests candidates i and j. The one with the smaller id comes first, so every rank that holds both computes the
  /// same.
  void consider(int i, int j)
  {
    if (nth(i).is.id > nth(j).is.id) std::swap(i, j);
    const SurfaceElement &a = nth(i), &b = nth(j);
    if (a.is.shares_node(b.is) || !geometry::separating_face(a.motion, b.motion, 2 * window_.skin).isZero()) return;
    found_.push_back({{a.is.id, b.is.id}, i, j});
  }

  /// Finds pairs of two held elements of which at least one is fresh.
  void consider_fresh()
  {
    const int of_this_rank = static_cast<int>(elements_.size());
    for (int i = 0; i < of_this_rank; ++i) {
      if (!nth(i).is.fresh) continue;
      tree_.query(swept(nth(i).motion, window_.skin), [this, i](int j) {
        const bool seen_from_there = nth(j).is.fresh && j < i;
        if (j != i && !seen_from_there) consider(i, j);
      });
    }
  }

  /// Finds pairs of a held element and an element of another rank.
  void consider_others()
  {
    first_other_ = static_cast<int>(elements_.size());
    for (const Message& message : sparse_exchange(comm_, elements_for_others()))
      for (ByteReader in(message.bytes); !in.done();) {
        SurfaceElement& c = elements_.emplace_back(unpack(in));
        const auto known = [&](ElementId id) {
          return std::binary_search(earlier_->list.others.begin(), earlier_->list.others.end(), id);
        };
        c.is.fresh = c.is.fresh || !earlier_ || !known(c.is.id);
        others_.push_back(c.is.id);
      }
    std::sort(others_.begin(), others_.end());
    for (int k = first_other_; k < static_cast<int>(elements_.size()); ++k)
      tree_.query(swept(nth(k).motion, window_.skin), [this, k](int i) {
        if (nth(i).is.fresh || nth(k).is.fresh) consider(i, k);
      });
  }

  /// Takes over the pairs of the earlier list whose elements have not changed.
  void take_over()
  {
    std::vector<int> of_slot(static_cast<std::size_t>(mesh_.num_slots()), -1);
    for (int i = 0; i < first_other_; ++i)
      of_slot[static_cast<std::size_t>(surface_.elements()[static_cast<std::size_t>(i)])] = i;
    std::unordered_map<ElementId, int> of_others;
    for (int k = first_other_; k < static_cast<int>(elements_.size()); ++k) of_others[nth(k).is.id] = k;

    const PairList& list = earlier_->list;
    std::vector<int> now(list.elements.size(), -1);  // fresh ones and those that are gone stay at -1
    for (std::size_t k = 0; k < now.size(); ++k) {
      const ListedElement& e = list.elements[k];
      int i = -1;
      if (e.slot >= 0)
        i = of_slot[static_cast<std::size_t>(e.slot)];
      else if (const auto found = of_others.find(e.id); found != of_others.end())
        i = found->second;
      if (i >= 0 && !nth(i).is.fresh) now[k] = i;
    }
    for (std::size_t k = 0; k < list.pairs.size(); ++k) {
      const int a = now[static_cast<std::size_t>(list.pairs[k].a)], b = now[static_cast<std::size_t>(list.pairs[k].b)];
      if (a >= 0 && b >= 0) found_.push_back({{nth(a).is.id, nth(b).is.id}, a, b, static_cast<int>(k)});
    }
  }

  /// This rank's primary elements, for each rank that does not hold them and whose elements they may touch.
  std::vector<Message> elements_for_others() const
  {
    const std::vector<geometry::Box> mine = tree_.cover(boxes_per_rank);
    std::vector<Message> out;
    std::vector<std::size_t> sent_to(elements_.size(), 0);
    for (const RankBoxes& met : rank_rendezvous(comm_, mine)) {
      out.push_back({met.rank, {}});
      for (const geometry::Box& box : met.boxes)
        tree_.query(box, [&](int i) {
          const SurfaceElement& c = elements_[static_cast<std::size_t>(i)];
          if (!c.is.primary || std::find(c.is.owners.begin(), c.is.owners.end(), met.rank) != c.is.owners.end()) return;
          if (std::exchange(sent_to[static_cast<std::size_t>(i)], out.size()) == out.size()) return;
          SurfaceElement sent = c;
          sent.is.primary = false;
          pack(out.back().bytes, sent);
        });
    }
    return out;
  }

  std::vector<WatchedNode> watched() const
  {
    std::vector<std::uint8_t> of_surface(static_cast<std::size_t>(mesh_.num_nodes()), 0);
    for (const LocalIndex e : surface_.elements())
      for (const LocalIndex n : mesh_.tet(e)) of_surface[static_cast<std::size_t>(n)] = mesh_.owned(n);
    std::vector<WatchedNode> watched;
    for (std::size_t n = 0; n < of_surface.size(); ++n)
      if (of_surface[n]) watched.push_back({static_cast<LocalIndex>(n), p_[n].xyz(), v_[n].xyz()});
    return watched;
  }

  const Comm& comm_;
  const mesh::TetMesh& mesh_;
  const ContactSurface& surface_;
  const geometry::BoxTree& tree_;
  std::span<const Row4> p_, v_;
  ListWindow window_;
  std::span<const double> moduli_;
  const Origins& origins_;
  const EarlierList* earlier_;
  std::vector<SurfaceElement> elements_;  // held ones in the order of the surface's list, then those of other ranks
  int first_other_ = 0;
  std::vector<ElementId> others_;  // PairList::others
  std::vector<Found> found_;       // looked for, then taken over
};

}  // namespace

std::vector<geometry::Box> swept_boxes(const mesh::TetMesh& mesh, const ContactSurface& surface,
                                       std::span<const Row4> p, std::span<const Row4> v, const ListWindow& window)
{
  std::vector<geometry::Box> boxes;
  boxes.reserve(surface.elements().size());
  for (const LocalIndex e : surface.elements())
    boxes.push_back(swept(motion_of(geometry::corners_of(mesh.tet(e), p), geometry::corners_of(mesh.tet(e), v), window),
                          window.skin));
  return boxes;
}

PairList find_pairs(const Comm& comm, const mesh::TetMesh& mesh, const ContactSurface& surface,
                    const geometry::BoxTree& tree, std::span<const Row4> p, std::span<const Row4> v,
                    const ListWindow& window, std::span<const double> moduli, const Origins& origins,
                    const EarlierList* earlier)
{
  return Search(comm, mesh, surface, tree, p, v, window, moduli, origins, earlier).run();
}

}  // namespace sunder::contact
