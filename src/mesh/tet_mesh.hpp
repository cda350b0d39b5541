#pragma once
/// The part of the mesh one rank holds, and the two operations that change it. docs/remeshing.md.

#include "core/types.hpp"
#include "mesh/stars.hpp"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace sunder::mesh {

inline constexpr ElementId no_element{~std::uint64_t{0}};  ///< Id of an empty slot.

/// What a node is, apart from its motion.
struct Node {
  NodeId id = 0;
  Rank owner = 0;
  Vec3 X = Vec3::Zero();    ///< Material position [m].
  double size = 0;          ///< Material mesh size around it before fracture, inherited [m].
  std::uint64_t marks = 0;  ///< Bit k: belongs to selection k of the scene. TetMesh::bisect() hands them on.
};

struct Element {
  ElementId id = no_element;
  Tet nodes{};
  MaterialIndex material = 0;
};

/// Corners of the face opposite each corner of a tetrahedron, anticlockwise seen from outside.
inline constexpr std::array<std::array<std::size_t, 3>, 4> face_corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Of the faces of an element, entry a of the one opposite corner a. Bit k: load k of the scene acts on it; the bits
/// from FaceSets::first on: it belongs to a face set.
using FaceMarks = std::array<std::uint64_t, 4>;

/// Marks of nodes that are those of face sets: a node made on an edge has mark k only if the edge lies in a face that
/// has it too, as bit first + k.
struct FaceSets {
  std::uint64_t marks = 0;
  unsigned first = 0;
};

/// When an element was made by cutting, in terms that no rank and no number of ranks changes.
struct CreationKey {
  std::uint32_t round = 0;  ///< Of all rounds of cracking so far.
  NodeId event = 0;         ///< The node that failed.
  std::uint32_t cut = 0;    ///< Of the event's bisections.
  auto operator<=>(const CreationKey&) const = default;
};

/// One element that bisect() parted: `kept` has the end with the smaller id and the old place and id, `made` the other
/// end. Either is -1 where this rank does not hold it.
struct PartedElement {
  LocalIndex old = -1;  ///< Slot the element was in (= kept if that is held).
  LocalIndex kept = -1, made = -1;
  ElementId kept_id = no_element, made_id = no_element;  ///< Whether held or not.
  std::array<LocalIndex, 2> others{};                    ///< The two corners off the edge.
};

/// Nodes and elements of one rank, indexed by LocalIndex. The order of elements is canonical: any two elements stand
/// in the same order on every rank that holds both (originals by id, made ones by creation key and id, as they are
/// appended), so that sums over elements in this order have the same bits everywhere. An element leaves an empty slot:
/// id no_element, all corners the same node. Local, all of it; the distributed protocol is fracture/.
class TetMesh {
public:
  TetMesh() = default;
  /// nodes ascending by id, elements in canonical order: an input mesh, ids below 2^62, and what was made of it, with a
  /// creation key for each element made.
  TetMesh(Rank me, std::vector<Node> nodes, std::vector<Element> elements, std::vector<CreationKey> creation_keys = {});

  Rank me() const noexcept { return me_; }
  LocalIndex num_nodes() const noexcept { return static_cast<LocalIndex>(nodes_.size()); }
  LocalIndex num_slots() const noexcept { return static_cast<LocalIndex>(tets_.size()); }  ///< Elements + empty slots.

  const Node& node(LocalIndex n) const { return nodes_[static_cast<std::size_t>(n)]; }
  bool owned(LocalIndex n) const { return node(n).owner == me_; }
  std::optional<LocalIndex> find(NodeId id) const;  ///< O(log n).
  void set_marks(LocalIndex n, std::uint64_t marks) { nodes_[static_cast<std::size_t>(n)].marks = marks; }

  const Tet& tet(LocalIndex e) const { return tets_[static_cast<std::size_t>(e)]; }
  std::span<const Tet> tets() const noexcept { return tets_; }
  ElementId element_id(LocalIndex e) const { return element_ids_[static_cast<std::size_t>(e)]; }
  std::span<const ElementId> element_ids() const noexcept { return element_ids_; }
  MaterialIndex material(LocalIndex e) const { return materials_[static_cast<std::size_t>(e)]; }
  std::span<const MaterialIndex> materials() const noexcept { return materials_; }
  /// Nothing in particular for an element of the input.
  CreationKey creation_key(LocalIndex e) const
  {
    return e < num_input_slots_ ? CreationKey{} : creation_keys_[static_cast<std::size_t>(e - num_input_slots_)];
  }
  bool alive(LocalIndex e) const { return element_id(e) != no_element; }
  /// What cutting leaves of a marked face keeps its marks; the faces it makes have none.
  FaceMarks face_marks(LocalIndex e) const
  {
    const auto slot = static_cast<std::size_t>(e);
    const int at = slot < face_marks_at_.size() ? face_marks_at_[slot] : -1;
    return at < 0 ? FaceMarks{} : face_marks_[static_cast<std::size_t>(at)];
  }
  void set_face_marks(LocalIndex e, const FaceMarks& marks);
  const FaceSets& face_sets() const noexcept { return face_sets_; }
  void set_face_sets(const FaceSets& sets) { face_sets_ = sets; }
  /// Lowest owner among the corners: the one rank that counts and writes the element.
  Rank primary_rank(LocalIndex e) const;
  bool primary(LocalIndex e) const { return alive(e) && primary_rank(e) == me_; }
  bool on_border(LocalIndex e) const;  ///< Some corner is another rank's.

  std::span<const LocalIndex> star(LocalIndex n) const { return stars_[n]; }  ///< Held elements around n, ascending.
  /// Element of this id around node n; empty if not held.
  std::optional<LocalIndex> find_around(LocalIndex n, ElementId id) const;
  std::vector<LocalIndex> elements_around_edge(LocalIndex a, LocalIndex b) const;  ///< Ascending.
  std::array<Vec3, 4> corners(LocalIndex e) const;                                 ///< Material positions.

  /// Puts a node on edge ab at a + t (b - a), a the end with the smaller id, and parts every held element around it.
  /// The node belongs to a's owner, its id is made from both ends'. It has the marks both ends have, but those of face
  /// sets only where the edge lies in a face with them: a's owner has all elements around the edge, so it knows; other
  /// holders may miss some of these marks. Elements without a node of this rank are let go.
  /// Returns the node, or -1 if no element around the edge is held. parted gets one entry an element. creation key:
  /// later than that of any element so far.
  LocalIndex bisect(LocalIndex a, LocalIndex b, double t, std::vector<PartedElement>& parted,
                    const CreationKey& creation_key = {});

  /// Gives elements (around n, ascending, not all of them if n is owned) a copy of n of the given id. Returns the copy.
  LocalIndex split(LocalIndex n, NodeId copy_id, std::span<const LocalIndex> elements);

private:
  LocalIndex add_node(Node node);
  LocalIndex append_element(Element element, const FaceMarks& marks, const CreationKey& creation_key);
  void let_go(LocalIndex e);
  bool holds(const Tet& tet) const;
  std::uint64_t marks_on_edge(LocalIndex a, LocalIndex b, std::span<const LocalIndex> around) const;

  Rank me_ = 0;
  std::vector<Node> nodes_;
  std::vector<Tet> tets_;
  std::vector<ElementId> element_ids_;
  std::vector<MaterialIndex> materials_;
  std::vector<int> face_marks_at_;     // (slots) in face_marks_, -1: none; shorter or empty where the rest has none
  std::vector<FaceMarks> face_marks_;  // of the few elements that have some
  FaceSets face_sets_;
  Stars stars_;
  std::vector<CreationKey> creation_keys_;  // of the slots from num_input_slots_ on
  LocalIndex num_input_slots_ = 0;          // these are sorted by id
  LocalIndex num_input_nodes_ = 0;          // and these
  std::unordered_map<NodeId, LocalIndex> made_nodes_;
};

}  // namespace sunder::mesh
