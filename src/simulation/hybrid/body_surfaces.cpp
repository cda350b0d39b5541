#include "simulation/hybrid/body_surfaces.hpp"

#include "contact/narrow_phase/obstacle_overlap.hpp"
#include "core/bytes.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace sunder::simulation {
namespace {

/// As ranks tell each other.
struct ToldElement {
  ElementId id = 0;
  std::array<double, 12> X{};
  contact::FreeFaces free = 0;
};
struct ToldExtent {
  std::int64_t body = 0, elements = 0;
  Rank rank = 0;
  std::array<double, 3> low{}, high{};
};

/// Returns the box of them all.
geometry::Box build_tree(SurfacePiece& piece)
{
  geometry::Box around;
  std::vector<geometry::Box> boxes;
  boxes.reserve(piece.elements.size());
  for (const SurfacePiece::Element& e : piece.elements) around.include(boxes.emplace_back(contact::box_around(e.X)));
  piece.tree.build(boxes);
  return around;
}

Mat34 corners_of(const mesh::TetMesh& mesh, LocalIndex e)
{
  const std::array<Vec3, 4> corners = mesh.corners(e);
  Mat34 X;
  X << corners[0], corners[1], corners[2], corners[3];
  return X;
}

void pack(Bytes& out, const SurfacePiece& piece)
{
  std::vector<ToldElement> elements;
  for (const SurfacePiece::Element& e : piece.elements) {
    ToldElement& told = elements.emplace_back(ToldElement{.id = e.id, .free = e.free});
    Mat34::Map(told.X.data()) = e.X;
  }
  put(out, piece.body), put(out, elements);
}

SurfacePiece unpack(ByteReader& in)
{
  SurfacePiece piece;
  piece.body = in.get<std::int64_t>();
  for (const ToldElement& told : in.get_vector<ToldElement>())
    piece.elements.push_back({told.id, Mat34::Map(told.X.data()), told.free});
  build_tree(piece);
  return piece;
}

}  // namespace

/// Two pieces, and who tests them.
struct BodySurfaces::NearPieces {
  Key a, b;
  Rank by = 0;

  /// The piece that the tester does not have of itself.
  const Key* foreign() const { return a.rank != by ? &a : b.rank != by ? &b : nullptr; }
};

void BodySurfaces::rebuild(const RigidBodies& bodies)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  std::vector<LocalIndex> slots(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(slots.begin(), slots.end(), 0);
  surface_ = {};
  surface_.update(mesh, *state_.halo, slots);
  own_.clear(), all_.clear(), copies_.clear(), of_others_.clear();
  std::vector<std::int64_t> fragments;
  for (const RigidBody& body : bodies.all()) fragments.push_back(body.fragment);
  make_pieces(bodies, fragments);
}

void BodySurfaces::update(const RigidBodies& bodies, std::span<const std::int64_t> before,
                          std::span<const std::int64_t> now)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  std::vector<LocalIndex> slots;
  for (const std::int64_t body : now)
    for (const LocalIndex n : bodies.nodes(bodies.find(body)))
      for (const LocalIndex e : mesh.star(n))
        if (mesh.tet(e)[0] == n) slots.push_back(e);
  surface_.update(mesh, *state_.halo, slots);
  const auto gone = [before](std::int64_t body) { return std::binary_search(before.begin(), before.end(), body); };
  std::erase_if(own_, [&](const auto& piece) { return gone(piece.first); });
  std::erase_if(all_, [&](const auto& piece) { return gone(piece.first.body); });
  std::erase_if(copies_, [&](const Copy& copy) { return gone(copy.first.body); });
  std::erase_if(of_others_, [&](const auto& piece) { return gone(piece.first.body); });
  make_pieces(bodies, now);
}

/// Collective.
void BodySurfaces::make_pieces(const RigidBodies& bodies, std::span<const std::int64_t> of)
{
  const mesh::TetMesh& mesh = state_.model.mesh;
  std::vector<ToldExtent> mine;
  for (const std::int64_t body : of) {
    SurfacePiece piece{.body = body, .elements = {}, .tree = {}};
    for (const LocalIndex e : bodies.elements(bodies.find(body)))
      if (surface_.contains(e))
        piece.elements.push_back({mesh.element_id(e), corners_of(mesh, e), surface_.free_faces(e)});
    if (piece.elements.empty()) continue;
    const geometry::Box box = build_tree(piece);
    ToldExtent& told =
        mine.emplace_back(ToldExtent{.body = body, .elements = std::ssize(piece.elements), .rank = state_.comm.rank()});
    Vec3::Map(told.low.data()) = box.low, Vec3::Map(told.high.data()) = box.high;
    own_.insert_or_assign(body, std::move(piece));
  }
  Bytes out;
  put(out, mine);
  const Bytes gathered = gather_on_all(state_.comm, out);
  for (ByteReader in(gathered); !in.done();)
    for (const ToldExtent& told : in.get_vector<ToldExtent>())
      all_[{told.body, told.rank}] = {told.elements, {Vec3(told.low.data()), Vec3(told.high.data())}};
}

/// Local. The same on every rank.
std::vector<BodySurfaces::NearPieces> BodySurfaces::find_near(const RigidBodies& bodies, bool asleep_too) const
{
  std::vector<const std::pair<const Key, Extent>*> pieces;
  std::vector<geometry::Box> boxes;
  std::vector<std::uint8_t> asleep;
  for (const auto& piece : all_) {
    const RigidBody& body = bodies.all()[bodies.find(piece.first.body)];
    pieces.push_back(&piece);
    boxes.push_back(turned(body.placement(), piece.second.box));
    asleep.push_back(body.asleep);
  }
  geometry::BoxTree tree;
  tree.build(boxes);
  std::vector<NearPieces> near;
  tree.query_pairs([&](int i, int j) {
    const auto first = static_cast<std::size_t>(i), second = static_cast<std::size_t>(j);
    if (asleep[first] && asleep[second] && !asleep_too) return;
    const auto& [a, of_a] = *pieces[first];
    const auto& [b, of_b] = *pieces[second];
    if (a.body == b.body) return;
    // The smaller piece travels.
    const bool to_a = of_a.elements != of_b.elements ? of_a.elements > of_b.elements : a < b;
    near.push_back({a, b, to_a ? a.rank : b.rank});
  });
  return near;
}

/// Collective if something is missing, which all ranks know.
void BodySurfaces::copy_missing(std::span<const NearPieces> near)
{
  std::set<Copy> used, missing;
  for (const NearPieces& pair : near)
    if (const Key* const foreign = pair.foreign()) used.emplace(*foreign, pair.by);
  std::set_difference(used.begin(), used.end(), copies_.begin(), copies_.end(), std::inserter(missing, missing.end()));
  if (missing.empty()) return;
  // Bodies that part may meet again, so copies stay while they are few.
  if (copies_.size() + missing.size() > 2 * used.size()) {
    std::erase_if(copies_, [&](const Copy& copy) { return !used.contains(copy); });
    std::erase_if(of_others_, [&](const auto& piece) { return !copies_.contains({piece.first, state_.comm.rank()}); });
  }
  std::map<Rank, Bytes> out;
  for (const auto& [key, to] : missing)
    if (key.rank == state_.comm.rank()) pack(out[to], own_.at(key.body));
  for (const Message& message : sparse_exchange(state_.comm, std::move(out)))
    for (ByteReader in(message.bytes); !in.done();) {
      SurfacePiece piece = unpack(in);
      of_others_.insert_or_assign({piece.body, message.peer}, std::move(piece));
    }
  copies_.merge(missing);
}

const SurfacePiece& BodySurfaces::piece(const Key& key) const
{
  return key.rank == state_.comm.rank() ? own_.at(key.body) : of_others_.at(key);
}

std::vector<BodySurfaces::Pair> BodySurfaces::near_pairs(const RigidBodies& bodies, bool asleep_too)
{
  const std::vector<NearPieces> near = find_near(bodies, asleep_too);
  copy_missing(near);
  std::vector<Pair> pairs;
  for (const NearPieces& pair : near)
    if (pair.by == state_.comm.rank()) pairs.emplace_back(&piece(pair.a), &piece(pair.b));
  return pairs;
}

}  // namespace sunder::simulation
