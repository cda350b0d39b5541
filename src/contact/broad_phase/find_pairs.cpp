#include "contact/broad_phase/find_pairs.hpp"

#include "contact/broad_phase/pair_list_builder.hpp"
#include "contact/broad_phase/rank_rendezvous.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sunder::contact {
namespace {

constexpr int boxes_per_rank = 32;

/// One call of find_pairs(). Elements have the positions of the swept surface, then those of other ranks follow.
class Search {
public:
  Search(const Comm& comm, const SweptSurface::Bodies& bodies, const SweptSurface& swept, const ListWindow& window,
         const PairList* earlier)
    : comm_(comm), bodies_(bodies), swept_(swept), window_(window), earlier_(earlier)
  {
  }

  PairList run()
  {
    if (earlier_)
      consider_fresh();
    else
      swept_.query_pairs([this](int i, int j) { consider(i, j); });
    consider_others();
    const std::size_t num_new = found_.size();
    if (earlier_) take_over();
    PairListBuilder builder(comm_, bodies_.mesh, swept_, others_);
    builder.add_pairs(std::move(found_), num_new, earlier_);
    PairList list = builder.finish();
    list.window = window_, list.others = std::move(ids_of_others_), list.watched = watched();
    return list;
  }

private:
  const SurfaceElement& nth(int i) const
  {
    return i < swept_.size() ? swept_[i] : others_[static_cast<std::size_t>(i - swept_.size())];
  }

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
    for (int i = swept_.first_fresh(); i < swept_.size(); ++i)
      swept_.query(swept_.box(i), [this, i](int j) {
        const bool seen_from_there = swept_.fresh(j) && j < i;
        if (j != i && !seen_from_there) consider(i, j);
      });
  }

  /// Finds pairs of a held element and an element of another rank, of which at least one is fresh.
  void consider_others()
  {
    for (const Message& message : sparse_exchange(comm_, elements_for_others()))
      for (ByteReader in(message.bytes); !in.done();) {
        SurfaceElement& c = others_.emplace_back(unpack(in));
        c.is.fresh = c.is.fresh || !earlier_ || !known_before(c.is.id);
        ids_of_others_.push_back(c.is.id);
      }
    std::sort(ids_of_others_.begin(), ids_of_others_.end());
    for (std::size_t k = 0; k < others_.size(); ++k) {
      const auto with = [this, k](int i) { consider(i, swept_.size() + static_cast<int>(k)); };
      const geometry::Box box = swept(others_[k].motion, window_.skin);
      if (others_[k].is.fresh)
        swept_.query(box, with);
      else
        swept_.query_late(box, [&](int i) {
          if (swept_.fresh(i)) with(i);
        });
    }
  }

  bool known_before(ElementId id) const
  {
    return std::binary_search(earlier_->others.begin(), earlier_->others.end(), id);
  }

  /// Takes over the pairs of the earlier list whose elements have not changed.
  void take_over()
  {
    std::unordered_map<ElementId, int> of_others;
    for (std::size_t k = 0; k < others_.size(); ++k)
      if (!others_[k].is.fresh) of_others[others_[k].is.id] = swept_.size() + static_cast<int>(k);
    std::vector<int> now(earlier_->elements.size(), -1);  // fresh ones and those that are gone stay at -1
    for (std::size_t k = 0; k < now.size(); ++k) {
      const ListedElement& e = earlier_->elements[k];
      if (e.slot < 0) {
        if (const auto found = of_others.find(e.id); found != of_others.end()) now[k] = found->second;
      } else if (const int i = swept_.position_of(e.slot); i >= 0 && !swept_.fresh(i)) {
        now[k] = i;
      }
    }
    found_.reserve(found_.size() + earlier_->pairs.size());
    for (std::size_t k = 0; k < earlier_->pairs.size(); ++k) {
      const auto a = static_cast<std::size_t>(earlier_->pairs[k].a), b = static_cast<std::size_t>(earlier_->pairs[k].b);
      if (now[a] >= 0 && now[b] >= 0)
        found_.push_back({{earlier_->elements[a].id, earlier_->elements[b].id}, now[a], now[b], static_cast<int>(k)});
    }
  }

  /// This rank's primary elements, for each rank that does not hold them and whose elements they may touch.
  std::vector<Message> elements_for_others() const
  {
    std::vector<Message> out;
    std::vector<std::size_t> sent_to(static_cast<std::size_t>(swept_.size()), 0);
    for (const RankBoxes& met : rank_rendezvous(comm_, swept_.cover(boxes_per_rank))) {
      out.push_back({met.rank, {}});
      for (const geometry::Box& box : met.boxes)
        swept_.query(box, [&](int i) {
          const SurfaceElement& c = swept_[i];
          if (!c.is.primary || std::find(c.is.owners.begin(), c.is.owners.end(), met.rank) != c.is.owners.end()) return;
          if (std::exchange(sent_to[static_cast<std::size_t>(i)], out.size()) == out.size()) return;
          SurfaceElement sent = c;
          sent.is.primary = false, sent.is.fresh = swept_.fresh(i);
          pack(out.back().bytes, sent);
        });
    }
    return out;
  }

  std::vector<WatchedNode> watched() const
  {
    const mesh::TetMesh& mesh = bodies_.mesh;
    std::vector<std::uint8_t> of_surface(static_cast<std::size_t>(mesh.num_nodes()), 0);
    for (const LocalIndex e : bodies_.surface.elements())
      for (const LocalIndex n : mesh.tet(e)) of_surface[static_cast<std::size_t>(n)] = mesh.owned(n);
    std::vector<WatchedNode> watched;
    for (std::size_t n = 0; n < of_surface.size(); ++n)
      if (of_surface[n]) watched.push_back({static_cast<LocalIndex>(n), bodies_.p[n].xyz(), bodies_.v[n].xyz()});
    return watched;
  }

  const Comm& comm_;
  const SweptSurface::Bodies& bodies_;
  const SweptSurface& swept_;
  ListWindow window_;
  const PairList* earlier_;
  std::vector<SurfaceElement> others_;
  std::vector<ElementId> ids_of_others_;  // PairList::others
  std::vector<Found> found_;              // looked for, then taken over
};

}  // namespace

PairList find_pairs(const Comm& comm, const SweptSurface::Bodies& bodies, const SweptSurface& swept,
                    const ListWindow& window, const PairList* earlier)
{
  return Search(comm, bodies, swept, window, earlier).run();
}

}  // namespace sunder::contact
