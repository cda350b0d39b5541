#pragma once
/// The elements of the surface with their linear motions in a list window, in trees of boxes. Local, all of it.

#include "contact/broad_phase/surface_element.hpp"
#include "geometry/box_tree.hpp"

#include <span>
#include <vector>

namespace sunder::contact {

/// Kept while the window lasts: when the mesh is cut, elements that have changed or come are added, those that are gone
/// are passed over. Elements have positions, which begin() and update() may change.
class SweptSurface {
public:
  /// What the motions are made of.
  struct Bodies {
    const mesh::TetMesh& mesh;
    const ContactSurface& surface;
    std::span<const Row4> p, v;      ///< (nodes) when the window began [m], [m/s]
    std::span<const double> moduli;  ///< lambda + 2 mu of each material [Pa]
    const Origins& origins;          ///< Of elements made since the last list.
  };

  /// A window begins. All elements of the surface are fresh.
  void begin(const Bodies& bodies, const ListWindow& window);
  /// The mesh has been cut in the window. Only elements that are not `unchanged` are fresh from here on.
  /// @param unchanged  (slots) not 0: was in the surface at the last call, and has not changed since
  void update(const Bodies& bodies, std::span<const std::uint8_t> unchanged);

  int size() const noexcept { return static_cast<int>(elements_.size()); }  ///< Positions, of what is gone too.
  const SurfaceElement& operator[](int i) const { return elements_[static_cast<std::size_t>(i)]; }
  LocalIndex slot(int i) const { return slots_[static_cast<std::size_t>(i)]; }  ///< -1: gone.
  bool fresh(int i) const noexcept { return i >= first_fresh_; }
  int first_fresh() const noexcept { return first_fresh_; }
  /// Of an element held; -1: not in the surface.
  int position_of(LocalIndex slot) const
  {
    const auto e = static_cast<std::size_t>(slot);
    return e < position_.size() ? position_[e] : -1;
  }
  geometry::Box box(int i) const { return swept((*this)[i].motion, window_.skin); }

  /// Calls found(i) for each element whose box meets `box`.
  template <class Found>
  void query(const geometry::Box& box, Found&& found) const
  {
    early_.query(box, [&](int i) {
      if (slot(i) >= 0) found(i);
    });
    query_late(box, found);
  }
  /// The same for those that were added since begin(), among them all that are fresh since.
  template <class Found>
  void query_late(const geometry::Box& box, Found&& found) const
  {
    late_.query(box, [&](int i) {
      if (slot(num_early_ + i) >= 0) found(num_early_ + i);
    });
  }
  /// Right after begin(). Calls found(i, j) once for each two elements whose boxes meet.
  template <class Found>
  void query_pairs(Found&& found) const
  {
    early_.query_pairs(found);
  }
  /// Boxes that together contain those of all elements, some `usual`.
  std::vector<geometry::Box> cover(int usual) const;

private:
  void add(const Bodies& bodies, LocalIndex e);
  void let_go(const Bodies& bodies, std::span<const std::uint8_t> unchanged);
  void drop_gone();
  std::vector<geometry::Box> boxes(int begin, int end) const;

  ListWindow window_;
  std::vector<SurfaceElement> elements_;
  std::vector<LocalIndex> slots_;  // of elements_
  std::vector<int> position_;      // (slots)
  geometry::BoxTree early_, late_;
  int num_early_ = 0;  // the first so many are in early_, the rest in late_
  int first_fresh_ = 0;
};

}  // namespace sunder::contact
