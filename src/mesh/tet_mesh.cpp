#include "mesh/tet_mesh.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "core/hash.hpp"
#include "mesh/lineage.hpp"

#include <algorithm>
#include <string>

namespace sunder::mesh {
namespace {

template <class T>
auto& at(std::vector<T>& values, LocalIndex i)
{
  return values[static_cast<std::size_t>(i)];
}

std::size_t corner_of(const Tet& tet, LocalIndex n)
{
  return static_cast<std::size_t>(std::find(tet.begin(), tet.end(), n) - tet.begin());
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> shared_face(const Tet& s, const Tet& t)
{
  const auto corner_missing_in = [](const Tet& in, const Tet& of) -> std::optional<std::size_t> {
    std::optional<std::size_t> missing;
    for (std::size_t a = 0; a < 4; ++a) {
      if (std::find(in.begin(), in.end(), of[a]) != in.end()) continue;
      if (missing) return {};
      missing = a;
    }
    return missing;
  };
  const auto in_s = corner_missing_in(t, s), in_t = corner_missing_in(s, t);
  if (!in_s || !in_t) return {};
  return std::pair(*in_s, *in_t);
}

TetMesh::TetMesh(Rank me, std::vector<Node> nodes, std::vector<Element> elements,
                 std::vector<CreationKey> creation_keys)
  : me_(me),
    nodes_(std::move(nodes)),
    creation_keys_(std::move(creation_keys)),
    num_input_slots_(static_cast<LocalIndex>(elements.size() - creation_keys_.size()))
{
  SUNDER_ASSERT(std::is_sorted(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.id < b.id; }));
  while (num_input_nodes_ < num_nodes() && !is_made(node(num_input_nodes_).id)) ++num_input_nodes_;
  for (LocalIndex n = num_input_nodes_; n < num_nodes(); ++n) made_nodes_.emplace(node(n).id, n);
  const std::size_t capacity = 2 * elements.size();  // unwritten pages cost nothing; moving the arrays at a cut would
  tets_.reserve(capacity), element_ids_.reserve(capacity), materials_.reserve(capacity);
  for (const Element& e : elements)
    tets_.push_back(e.nodes), element_ids_.push_back(e.id), materials_.push_back(e.material);
  stars_ = Stars(tets_, num_nodes());
}

std::optional<LocalIndex> TetMesh::find(NodeId id) const
{
  if (is_made(id)) {
    const auto it = made_nodes_.find(id);
    return it == made_nodes_.end() ? std::nullopt : std::optional(it->second);
  }
  const auto last = nodes_.begin() + num_input_nodes_;
  const auto it = std::lower_bound(nodes_.begin(), last, id, [](const Node& n, NodeId x) { return n.id < x; });
  if (it == last || it->id != id) return std::nullopt;
  return static_cast<LocalIndex>(it - nodes_.begin());
}

Rank TetMesh::primary_rank(LocalIndex e) const
{
  const Tet& t = tet(e);
  return std::min({node(t[0]).owner, node(t[1]).owner, node(t[2]).owner, node(t[3]).owner});
}

bool TetMesh::holds(const Tet& t) const
{
  return std::any_of(t.begin(), t.end(), [this](LocalIndex n) { return owned(n); });
}

bool TetMesh::on_border(LocalIndex e) const
{
  const Tet& t = tet(e);
  return !std::all_of(t.begin(), t.end(), [this](LocalIndex n) { return owned(n); });
}

std::optional<LocalIndex> TetMesh::find_around(LocalIndex n, ElementId id) const
{
  for (const LocalIndex e : star(n))
    if (element_id(e) == id) return e;
  return std::nullopt;
}

std::vector<LocalIndex> TetMesh::elements_around_edge(LocalIndex a, LocalIndex b) const
{
  std::vector<LocalIndex> around;
  const auto sa = star(a), sb = star(b);
  std::set_intersection(sa.begin(), sa.end(), sb.begin(), sb.end(), std::back_inserter(around));
  return around;
}

std::array<Vec3, 4> TetMesh::corners(LocalIndex e) const
{
  const Tet& t = tet(e);
  return {node(t[0]).X, node(t[1]).X, node(t[2]).X, node(t[3]).X};
}

LocalIndex TetMesh::add_node(Node made)
{
  const LocalIndex n = num_nodes();
  if (!made_nodes_.emplace(made.id, n).second || fault_point(FaultKind::check, "crack: id of a node"))
    throw Error("two nodes made by fracture got the same id " + std::to_string(made.id.low) +
                    ": expected ids by ancestry to be unique (a 126-bit collision)",
                ExitStatus::simulation_failed);
  nodes_.push_back(made);
  stars_.add_node();
  return n;
}

void TetMesh::set_faces(LocalIndex e, const ElementFaces& faces)
{
  const auto slot = static_cast<std::size_t>(e);
  const bool none = faces == ElementFaces{};
  if (slot >= faces_at_.size()) {
    if (none) return;
    faces_at_.reserve(tets_.capacity());
    faces_at_.resize(slot + 1, -1);
  }
  int& at = faces_at_[slot];
  if (at >= 0) {
    faces_[static_cast<std::size_t>(at)] = faces;
  } else if (!none) {
    at = static_cast<int>(faces_.size());
    faces_.push_back(faces);
  }
}

/// Around: the elements held around edge ab.
std::uint64_t TetMesh::marks_on_edge(LocalIndex a, LocalIndex b, std::span<const LocalIndex> around) const
{
  const std::uint64_t of_both = node(a).marks & node(b).marks;
  if ((of_both & face_sets_.marks) == 0) return of_both;
  std::uint64_t of_faces = 0;
  for (const LocalIndex e : around) {
    const FaceMarks marks = face_marks(e);
    for (std::size_t c = 0; c < 4; ++c)
      if (const LocalIndex opposite = tet(e)[c]; opposite != a && opposite != b) of_faces |= marks[c];
  }
  return of_both & (~face_sets_.marks | of_faces >> face_sets_.first);
}

LocalIndex TetMesh::append_element(Element element, const ElementFaces& faces, const CreationKey& creation_key)
{
  const LocalIndex e = num_slots();
  creation_keys_.push_back(creation_key);
  tets_.push_back(element.nodes), element_ids_.push_back(element.id), materials_.push_back(element.material);
  set_faces(e, faces);
  for (const LocalIndex n : element.nodes) stars_.append(n, e);
  return e;
}

void TetMesh::let_go(LocalIndex e)
{
  Tet& t = at(tets_, e);
  for (const LocalIndex n : t) stars_.remove(n, e);
  t = {t[0], t[0], t[0], t[0]};
  at(element_ids_, e) = no_element;
  set_faces(e, {});
}

LocalIndex TetMesh::bisect(LocalIndex a, LocalIndex b, double t, std::vector<BisectedElement>& bisected,
                           const CreationKey& creation_key)
{
  if (node(b).id < node(a).id) std::swap(a, b), t = 1 - t;
  const std::vector<LocalIndex> around = elements_around_edge(a, b);
  if (around.empty()) return -1;

  const Node &na = node(a), &nb = node(b);
  const LocalIndex m = add_node({edge_node_id(na.id, nb.id), na.owner, na.X + t * (nb.X - na.X),
                                 na.size + t * (nb.size - na.size), marks_on_edge(a, b, around)});
  const std::size_t first = bisected.size();
  for (const LocalIndex e : around) {
    BisectedElement element{
        .old = e, .kept = e, .kept_id = element_id(e), .made_id = second_child_id(element_id(e), node(m).id)};
    std::size_t other = 0;
    for (const LocalIndex n : tet(e))
      if (n != a && n != b) element.others[other++] = n;
    stars_.remove(b, e);
    stars_.append(m, e);
    bisected.push_back(element);
  }
  // Sorted by id, not in the order of the old elements: a rank that reads them from a file can sort by creation key and
  // id, and must get the same order.
  std::sort(bisected.begin() + static_cast<std::ptrdiff_t>(first), bisected.end(),
            [](const BisectedElement& x, const BisectedElement& y) { return x.made_id < y.made_id; });
  // The child with a stays in the old slot, the child with b is appended.
  for (std::size_t k = first; k < bisected.size(); ++k) {
    BisectedElement& element = bisected[k];
    const TetChildren<LocalIndex> children = *children_of(tet(element.old), a, b, m);
    at(tets_, element.old) = children.first;
    const Element made{element.made_id, children.second, material(element.old)};
    // The face between the children is new: opposite a in the one, opposite b in the other.
    ElementFaces kept_faces = faces(element.old), made_faces = kept_faces;
    kept_faces.clear(corner_of(children.first, a)), made_faces.clear(corner_of(children.second, b));
    set_faces(element.old, kept_faces);
    if (holds(children.second)) element.made = append_element(made, made_faces, creation_key);
    if (!holds(children.first)) let_go(element.old), element.kept = -1;
  }
  return m;
}

/// Before the copy of n takes its place in the elements that move.
void TetMesh::mark_crack_faces(LocalIndex n, std::span<const LocalIndex> moving, double time)
{
  const auto part = [&](LocalIndex e, std::size_t face) {
    ElementFaces of_element = faces(e);
    of_element.cracks.add(face, time);
    set_faces(e, of_element);
  };
  for (const LocalIndex other : star(n)) {
    if (std::binary_search(moving.begin(), moving.end(), other)) continue;
    for (const LocalIndex e : moving)
      if (const auto shared = shared_face(tet(e), tet(other))) part(e, shared->first), part(other, shared->second);
  }
}

LocalIndex TetMesh::split(LocalIndex n, NodeId copy_id, std::span<const LocalIndex> elements, double time)
{
  mark_crack_faces(n, elements, time);
  Node copy = node(n);
  copy.id = copy_id;
  const LocalIndex c = add_node(copy);
  for (const LocalIndex e : elements) {
    for (LocalIndex& corner : at(tets_, e))
      if (corner == n) corner = c;
    stars_.remove(n, e);
  }
  stars_.assign(c, elements);
  return c;
}

}  // namespace sunder::mesh
