#pragma once
/// The mesh of one rank, and the two operations that change it. docs/remeshing.md.

#include "core/types.hpp"
#include "mesh/stars.hpp"

#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sunder::mesh {

inline constexpr ElementId no_element{~std::uint64_t{0}};  ///< Id of an empty slot.

/// A node, without its motion.
struct Node {
  NodeId id = 0;
  Rank owner = 0;
  Vec3 X = Vec3::Zero();    ///< Material position [m].
  double size = 0;          ///< Material mesh size around it before fracture [m]. New nodes inherit it.
  std::uint64_t marks = 0;  ///< Bit k: belongs to selection k of the scene. TetMesh::bisect() passes them on.
};

struct Element {
  ElementId id = no_element;
  Tet nodes{};
  MaterialIndex material = 0;
};

/// Corners of the face opposite each corner of a tetrahedron, anticlockwise seen from outside.
inline constexpr std::array<std::array<std::size_t, 3>, 4> face_corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Local. If two elements have a face in common: the corner of each that is opposite it.
std::optional<std::pair<std::size_t, std::size_t>> shared_face(const Tet& s, const Tet& t);

/// Marks of the four faces of an element; entry a is the face opposite corner a. Bit k: load k of the scene acts on the
/// face. Bits from FaceSets::first on: the face belongs to a face set.
using FaceMarks = std::array<std::uint64_t, 4>;

/// Which of the four faces of an element fracture has made; entry a is the face opposite corner a.
struct CrackFaces {
  std::array<double, 4> birth{};  ///< When [s]; 0 of other faces.
  std::uint8_t made = 0;          ///< Bit a: fracture has made face a.
  bool contain(std::size_t face) const noexcept { return (made >> face & 1u) != 0; }  ///< Local.
  void add(std::size_t face, double time) noexcept                                    ///< Local.
  {
    birth[face] = time, made = static_cast<std::uint8_t>(made | 1u << face);
  }
  bool operator==(const CrackFaces&) const = default;
};

/// What few elements have: something to say of their faces.
struct ElementFaces {
  FaceMarks marks{};
  CrackFaces cracks;
  /// Local. As a face that a cut makes.
  void clear(std::size_t face) noexcept
  {
    marks[face] = 0, cracks.birth[face] = 0, cracks.made = static_cast<std::uint8_t>(cracks.made & ~(1u << face));
  }
  bool operator==(const ElementFaces&) const = default;
};

/// Which marks of nodes stand for face sets. A node made on an edge gets such a mark k only if the edge lies in a face
/// of the set, that is, one with bit first + k in its FaceMarks.
struct FaceSets {
  std::uint64_t marks = 0;
  unsigned first = 0;
};

/// When an element was made by cutting: the same on every rank and any number of ranks. It orders made elements.
struct CreationKey {
  std::uint32_t round = 0;  ///< Number of the round of cracking, counted from the start of the run.
  NodeId event = 0;         ///< The node that failed.
  /// Number of the bisection within the event.
  std::uint32_t bisection = 0;
  auto operator<=>(const CreationKey&) const = default;
};

/// One element that bisect() bisected. `kept` is the child at the edge's end with the smaller id; it keeps the old slot
/// and id. `made` is the other child. Either is -1 if this rank does not hold it.
struct BisectedElement {
  LocalIndex old = -1;  ///< Slot of the element before; equal to kept if that is held.
  LocalIndex kept = -1, made = -1;
  ElementId kept_id = no_element, made_id = no_element;  ///< Also if not held.
  std::array<LocalIndex, 2> others{};                    ///< The two corners off the edge.
};

/// Nodes and elements of one rank, indexed by LocalIndex. Local, all of it; fracture/ has the distributed protocol.
///
/// The order of elements is canonical: any two elements stand in the same order on every rank that holds both. Elements
/// of the input are ordered by id. Made elements follow, by creation key and id, as they are appended. Sums over
/// elements in this order therefore have the same bits on every rank. An element that this rank does not hold any more
/// leaves an empty slot: id no_element, all corners the same node.
class TetMesh {
public:
  TetMesh() = default;
  /// @param nodes          ascending by id
  /// @param elements       in canonical order: those of the input, with ids below 2^62, then made ones
  /// @param creation_keys  one for each made element
  TetMesh(Rank me, std::vector<Node> nodes, std::vector<Element> elements, std::vector<CreationKey> creation_keys = {});

  Rank me() const noexcept { return me_; }
  LocalIndex num_nodes() const noexcept { return static_cast<LocalIndex>(nodes_.size()); }
  LocalIndex num_slots() const noexcept { return static_cast<LocalIndex>(tets_.size()); }  ///< Elements + empty slots.

  const Node& node(LocalIndex n) const { return nodes_[static_cast<std::size_t>(n)]; }
  bool owned(LocalIndex n) const { return node(n).owner == me_; }
  std::optional<LocalIndex> find(NodeId id) const;  ///< O(log n).
  void set_material_position(LocalIndex n, const Vec3& X) { nodes_[static_cast<std::size_t>(n)].X = X; }
  void set_size(LocalIndex n, double size) { nodes_[static_cast<std::size_t>(n)].size = size; }
  void set_marks(LocalIndex n, std::uint64_t marks) { nodes_[static_cast<std::size_t>(n)].marks = marks; }

  const Tet& tet(LocalIndex e) const { return tets_[static_cast<std::size_t>(e)]; }
  std::span<const Tet> tets() const noexcept { return tets_; }
  ElementId element_id(LocalIndex e) const { return element_ids_[static_cast<std::size_t>(e)]; }
  std::span<const ElementId> element_ids() const noexcept { return element_ids_; }
  MaterialIndex material(LocalIndex e) const { return materials_[static_cast<std::size_t>(e)]; }
  std::span<const MaterialIndex> materials() const noexcept { return materials_; }
  /// The default for an element of the input.
  CreationKey creation_key(LocalIndex e) const
  {
    return e < num_input_slots_ ? CreationKey{} : creation_keys_[static_cast<std::size_t>(e - num_input_slots_)];
  }
  bool alive(LocalIndex e) const { return element_id(e) != no_element; }
  /// The halves of a face keep what it has when it is cut. Faces that a cut makes have nothing. Of crack faces, a rank
  /// that owns no corner of the face may lack those of the present step until fracture::crack() returns.
  const ElementFaces& faces(LocalIndex e) const
  {
    static constexpr ElementFaces nothing{};
    const auto slot = static_cast<std::size_t>(e);
    const int at = slot < faces_at_.size() ? faces_at_[slot] : -1;
    return at < 0 ? nothing : faces_[static_cast<std::size_t>(at)];
  }
  void set_faces(LocalIndex e, const ElementFaces& faces);
  const FaceMarks& face_marks(LocalIndex e) const { return faces(e).marks; }
  void set_face_marks(LocalIndex e, const FaceMarks& marks) { set_faces(e, {marks, faces(e).cracks}); }
  const FaceSets& face_sets() const noexcept { return face_sets_; }
  void set_face_sets(const FaceSets& sets) { face_sets_ = sets; }
  /// The lowest owner of a corner. This one rank counts the element in sums, and writes it to files.
  Rank primary_rank(LocalIndex e) const;
  bool primary(LocalIndex e) const { return alive(e) && primary_rank(e) == me_; }
  bool on_border(LocalIndex e) const;  ///< Some corner is another rank's.

  std::span<const LocalIndex> star(LocalIndex n) const { return stars_[n]; }  ///< Held elements around n, ascending.
  /// The element with this id around node n; nothing if it is not held.
  std::optional<LocalIndex> find_around(LocalIndex n, ElementId id) const;
  std::vector<LocalIndex> elements_around_edge(LocalIndex a, LocalIndex b) const;  ///< Ascending.
  std::array<Vec3, 4> corners(LocalIndex e) const;                                 ///< Material positions.

  /// Puts a node on edge ab at a + t (b - a), and bisects every held element around the edge. a is the end with the
  /// smaller id. The new node belongs to a's owner; its id is made from the ids of both ends. It has the marks that
  /// both ends have; marks of face sets only if the edge lies in a face of the set. a's owner holds all elements around
  /// the edge, so it knows; on other holders some of these marks may be missing. A child without an
  /// owned node is not held: the first leaves an empty slot, the second gets none.
  /// @param bisected      gets one entry for each element around the edge
  /// @param creation_key  later than that of any element so far
  /// @return              the node; -1 if no element around the edge is held
  LocalIndex bisect(LocalIndex a, LocalIndex b, double t, std::vector<BisectedElement>& bisected,
                    const CreationKey& creation_key = {});

  /// Gives some elements around n a copy of n, with the given id, as their corner. Returns the copy. Faces between them
  /// and the other elements held become crack faces.
  /// @param elements  ascending; not all elements around n if n is owned
  /// @param time      now [s]
  LocalIndex split(LocalIndex n, NodeId copy_id, std::span<const LocalIndex> elements, double time = 0);

private:
  LocalIndex add_node(Node node);
  LocalIndex append_element(Element element, const ElementFaces& faces, const CreationKey& creation_key);
  void let_go(LocalIndex e);
  void mark_crack_faces(LocalIndex n, std::span<const LocalIndex> moving, double time);
  bool holds(const Tet& tet) const;
  std::uint64_t marks_on_edge(LocalIndex a, LocalIndex b, std::span<const LocalIndex> around) const;

  Rank me_ = 0;
  std::vector<Node> nodes_;
  std::vector<Tet> tets_;
  std::vector<ElementId> element_ids_;
  std::vector<MaterialIndex> materials_;
  std::vector<int> faces_at_;        // (slots) in faces_, -1: nothing; shorter or empty where the rest has nothing
  std::vector<ElementFaces> faces_;  // of the few elements that have something
  FaceSets face_sets_;
  Stars stars_;
  std::vector<CreationKey> creation_keys_;  // of the slots from num_input_slots_ on
  LocalIndex num_input_slots_ = 0;          // these are sorted by id
  LocalIndex num_input_nodes_ = 0;          // and these
  std::unordered_map<NodeId, LocalIndex> made_nodes_;
};

}  // namespace sunder::mesh
