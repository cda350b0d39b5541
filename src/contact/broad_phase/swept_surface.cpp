#include "contact/broad_phase/swept_surface.hpp"

#include "geometry/corners.hpp"

#include <algorithm>

namespace sunder::contact {

void SweptSurface::begin(const Bodies& bodies, const ListWindow& window)
{
  const std::vector<LocalIndex> before = std::move(slots_);
  const bool tree_fits = num_early_ == std::ssize(before) && std::ranges::equal(before, bodies.surface.elements());
  window_ = window;
  elements_.clear(), slots_.clear();
  elements_.reserve(bodies.surface.elements().size());
  position_.assign(static_cast<std::size_t>(bodies.mesh.num_slots()), -1);
  for (const LocalIndex e : bodies.surface.elements()) add(bodies, e);
  num_early_ = size(), first_fresh_ = 0;
  if (tree_fits)
    early_.refit(boxes(0, size()));
  else
    early_.build(boxes(0, size()));
  late_.build({});
}

void SweptSurface::update(const Bodies& bodies, std::span<const std::uint8_t> unchanged)
{
  for (int i = first_fresh_; i < size(); ++i) {
    SurfaceElementFacts& is = elements_[static_cast<std::size_t>(i)].is;
    is.origin = is.id;
  }
  let_go(bodies, unchanged);
  constexpr int few = 8;  // one in so many
  if (size() - num_early_ > num_early_ / few) drop_gone();
  first_fresh_ = size();
  position_.resize(static_cast<std::size_t>(bodies.mesh.num_slots()), -1);
  for (const LocalIndex e : bodies.surface.elements())
    if (static_cast<std::size_t>(e) >= unchanged.size() || unchanged[static_cast<std::size_t>(e)] == 0) add(bodies, e);
  late_.build(boxes(num_early_, size()));
}

void SweptSurface::add(const Bodies& bodies, LocalIndex e)
{
  const mesh::TetMesh& mesh = bodies.mesh;
  const Tet& tet = mesh.tet(e);
  SurfaceElementFacts is;
  is.id = is.origin = mesh.element_id(e);
  if (const auto made = bodies.origins.find(is.id); made != bodies.origins.end()) is.origin = made->second;
  is.primary = mesh.primary(e), is.free = bodies.surface.free_faces(e);
  double size = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    const mesh::Node& node = mesh.node(tet[a]);
    is.nodes[a] = node.id, is.owners[a] = node.owner;
    size += node.size / 4;
  }
  is.compliance = size / bodies.moduli[mesh.material(e)];
  position_[static_cast<std::size_t>(e)] = this->size();
  slots_.push_back(e);
  elements_.push_back(
      {is, motion_of(geometry::corners_of(tet, bodies.p), geometry::corners_of(tet, bodies.v), window_)});
}

void SweptSurface::let_go(const Bodies& bodies, std::span<const std::uint8_t> unchanged)
{
  for (LocalIndex& slot : slots_) {
    if (slot < 0) continue;
    const auto e = static_cast<std::size_t>(slot);
    if (unchanged[e] != 0 && bodies.surface.contains(slot)) continue;
    position_[e] = -1, slot = -1;
  }
}

/// All that is left becomes early.
void SweptSurface::drop_gone()
{
  std::size_t kept = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i] < 0) continue;
    position_[static_cast<std::size_t>(slots_[i])] = static_cast<int>(kept);
    slots_[kept] = slots_[i], elements_[kept] = elements_[i];
    ++kept;
  }
  slots_.resize(kept), elements_.resize(kept);
  num_early_ = size();
  early_.build(boxes(0, size()));
}

std::vector<geometry::Box> SweptSurface::boxes(int begin, int end) const
{
  std::vector<geometry::Box> boxes;
  boxes.reserve(static_cast<std::size_t>(end - begin));
  for (int i = begin; i < end; ++i) boxes.push_back(box(i));
  return boxes;
}

std::vector<geometry::Box> SweptSurface::cover(int usual) const
{
  std::vector<geometry::Box> cover = early_.cover(usual);
  const std::vector<geometry::Box> late = late_.cover(usual / 4);
  cover.insert(cover.end(), late.begin(), late.end());
  return cover;
}

}  // namespace sunder::contact
