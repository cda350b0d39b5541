#include "contact/collisions.hpp"

#include "contact/narrow_phase/element_overlap.hpp"
#include "core/sort_unique.hpp"
#include "fracture/crack.hpp"
#include "geometry/corners.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

using namespace sunder;
using namespace sunder::contact;
using namespace sunder::geometry;

namespace {

constexpr Response firm{
    .stiffness = 1e7, .damping = 1e4, .friction_static = 0.5, .friction_dynamic = 0.3, .slip_speed = 0.1};

constexpr double edge = 0.1;   // of the mesh [m]
constexpr double step = 1e-3;  // from one state to the next [s]

std::vector<LocalIndex> owned_nodes(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) nodes.push_back(n);
  return nodes;
}

/// A number that any bit of any owned node's force changes, over all ranks; 0: there are none.
std::uint64_t hash_of_forces(const element::Model& model, const Comm& comm)
{
  std::uint64_t sum = 0;
  for (const LocalIndex n : owned_nodes(model.mesh)) {
    const Row4& f = model.f[static_cast<std::size_t>(n)];
    if (f.xyz() == Vec3::Zero()) continue;
    std::uint64_t h = combine(7, model.mesh.node(n).id.low);
    for (const double x : {f.x, f.y, f.z}) h = combine(h, x);
    sum += h;
  }
  return comm.sum(sum);
}

Origins origins_of(const fracture::CrackResult& cracked)
{
  Origins origins;
  for (const auto& [made, parent] : cracked.lineage)
    origins.try_emplace(made, origins.contains(parent) ? origins.at(parent) : parent);
  return origins;
}

/// All of a mesh's pairs, the plain way: each looked at each time. On one rank.
class AllPairs {
public:
  AllPairs(const Comm&, const element::Model& model) : model_(model) {}

  void begin(const partition::Halo&) { look({}); }
  void follow(const partition::Halo&, const fracture::CrackResult& cracked) { look(origins_of(cracked)); }

  void look(const Origins& origins)
  {
    find_elements();
    const auto origin = [&origins](ElementId id) { return origins.contains(id) ? origins.at(id) : id; };
    const auto before = std::exchange(seen_, {});
    const auto tets_before = std::exchange(tets_, {});
    for (const LocalIndex e : skin_) tets_[id(e)] = model_.mesh.tet(e);
    const auto unchanged = [&](LocalIndex e) {
      const auto old = tets_before.find(id(e));
      return old != tets_before.end() && old->second == model_.mesh.tet(e);
    };
    each_pair([&](LocalIndex a, LocalIndex b) {
      const auto old = before.find(std::minmax(origin(id(a)), origin(id(b))));
      if (old == before.end()) return;
      if (unchanged(a) && unchanged(b)) {
        seen_.insert(*old);
        return;
      }
      const double overlap = overlap_of_elements(side(a), side(b)).volume;
      if (overlap > 0) seen_[{id(a), id(b)}] = {overlap, old->second.initial_overlap * (overlap / old->second.overlap)};
    });
  }

  void moved(partition::Halo&) {}
  std::int64_t mendings() const { return 0; }

  /// Of the overlaps there are.
  void add_forces(std::vector<Row4>& f)
  {
    const auto before = std::exchange(seen_, {});
    OverlappingPairs pairs(firm);
    std::vector<LocalIndex> all(model_.p.size());
    std::iota(all.begin(), all.end(), 0);
    each_pair([&](LocalIndex a, LocalIndex b) {
      const ElementOverlap t = overlap_of_elements(side(a), side(b));
      if (t.volume == 0 || linked(a, b)) return;
      const auto old = before.find({id(a), id(b)});
      const double initial_overlap = old == before.end() ? t.volume : std::min(old->second.initial_overlap, t.volume);
      seen_[{id(a), id(b)}] = {t.volume, initial_overlap};
      pairs.add({t, firm.stiffness, initial_overlap, model_.mesh.tet(a), model_.mesh.tet(b), true}, all);
    });
    std::vector<Row4> p = model_.p, v = model_.v;
    pairs.add_forces(model_.p, model_.v, {all, p, v}, f);
  }

private:
  struct Seen {
    double overlap = 0, initial_overlap = 0;  // [m^3]
  };

  ElementId id(LocalIndex e) const { return model_.mesh.element_id(e); }
  Side side(LocalIndex e) const { return Side(corners_of(model_.mesh.tet(e), model_.p)); }

  bool linked(LocalIndex a, LocalIndex b) const
  {
    for (const LocalIndex n : model_.mesh.tet(a))
      for (const LocalIndex m : model_.mesh.tet(b))
        if (model_.mesh.node(n).X == model_.mesh.node(m).X && model_.p[static_cast<std::size_t>(n)].w > 0 &&
            model_.p[static_cast<std::size_t>(m)].w > 0)
          return true;
    return false;
  }

  /// Elements with a corner on a face that is theirs alone, ascending by ids.
  void find_elements()
  {
    const mesh::TetMesh& mesh = model_.mesh;
    std::map<std::array<LocalIndex, 3>, int> faces;
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      for (std::size_t a = 0; a < 4 && mesh.alive(e); ++a) ++faces[face(e, a)];
    std::vector<bool> outside(static_cast<std::size_t>(mesh.num_nodes()));
    for (const auto& [nodes, elements] : faces)
      if (elements == 1)
        for (const LocalIndex n : nodes) outside[static_cast<std::size_t>(n)] = true;
    skin_.clear();
    for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
      if (mesh.alive(e) && std::any_of(mesh.tet(e).begin(), mesh.tet(e).end(),
                                       [&](LocalIndex n) { return outside[static_cast<std::size_t>(n)]; }))
        skin_.push_back(e);
    std::sort(skin_.begin(), skin_.end(), [this](LocalIndex a, LocalIndex b) { return id(a) < id(b); });
  }

  std::array<LocalIndex, 3> face(LocalIndex e, std::size_t opposite) const
  {
    const Tet& tet = model_.mesh.tet(e);
    const auto& [i, j, k] = mesh::face_corners[opposite];
    std::array<LocalIndex, 3> nodes{tet[i], tet[j], tet[k]};
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  /// Of the skin, that share no node, in ascending order of ids.
  template <class Found>
  void each_pair(Found&& found) const
  {
    for (auto a = skin_.begin(); a != skin_.end(); ++a)
      for (auto b = a + 1; b != skin_.end(); ++b) {
        const Tet &ta = model_.mesh.tet(*a), &tb = model_.mesh.tet(*b);
        if (std::find_first_of(ta.begin(), ta.end(), tb.begin(), tb.end()) == ta.end()) found(*a, *b);
      }
  }

  const element::Model& model_;
  std::vector<LocalIndex> skin_;
  std::map<std::pair<ElementId, ElementId>, Seen> seen_;
  std::map<ElementId, Tet> tets_;
};

/// The same by lists that are kept from state to state as long as they hold.
class Lists {
public:
  Lists(const Comm& comm, const element::Model& model)
    : comm_(comm),
      model_(model),
      collisions_(comm, firm, {model.materials[0].p_wave_modulus()}, ContactCriterion::overlap, Collisions::Links::in_w)
  {
  }

  void begin(const partition::Halo& halo)
  {
    collisions_.reset(bodies(halo));
    collisions_.renew(bodies(halo), step);
  }

  void follow(const partition::Halo& halo, const fracture::CrackResult& cracked)
  {
    const bool holds = collisions_.follow_cut(bodies(halo), cracked.elements, cracked.nodes, origins_of(cracked));
    if (comm_.max(std::int64_t{!holds}) == 0)
      collisions_.mend(bodies(halo));
    else
      collisions_.renew(bodies(halo), step);
    CHECK(collisions_.list_state(model_.p, 0) == Collisions::ListState::holds);
  }

  void moved(const partition::Halo& halo)
  {
    collisions_.start_exchange(model_.p, model_.v);
    collisions_.finish_exchange(step);
    const auto worst = comm_.max(static_cast<std::int64_t>(collisions_.list_state(model_.p, 0)));
    collisions_.keep_up(bodies(halo), static_cast<Collisions::ListState>(worst), step);
    CHECK(collisions_.list_state(model_.p, 0) == Collisions::ListState::holds);
  }

  std::int64_t mendings() const { return collisions_.mendings(); }
  Collisions& collisions() { return collisions_; }

  void add_forces(std::vector<Row4>& f)
  {
    collisions_.find_overlaps(model_.p, model_.v);
    collisions_.add_forces(model_.p, model_.v, f);
  }

private:
  Collisions::Bodies bodies(const partition::Halo& halo) const { return {model_.mesh, halo, model_.p, model_.v, edge}; }

  Comm comm_;
  const element::Model& model_;
  Collisions collisions_;
};

/// Nodes swing about their places, each its own way, which is that of its id alone.
void swing(element::Model& model, std::uint64_t seed, double time)
{
  constexpr double width = 0.3 * edge;
  const double rate = std::array{10, 40, 150, 600}[seed % 4];  // [rad/s]
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);
    const auto i = static_cast<std::size_t>(n);
    const Vec3 way = width * test::random_vector(seed, node.id.low);
    const double phase = rate * time + 3 * test::random_number(seed + 1, node.id.low);
    model.p[i].set_xyz(node.X + std::sin(phase) * way);
    model.v[i].set_xyz(rate * std::cos(phase) * way);
    if (model.mesh.star(n).empty())
      model.p[i].x = model.v[i].x = std::nan("");  // left behind: no longer kept up to date
  }
}

/// Nodes of every third block have links for some ten states at a time, all but a quarter of them.
void mark_linked(element::Model& model, std::uint64_t seed, std::size_t state)
{
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const std::uint64_t id = model.mesh.node(n).id.low, drawn = combine(combine(seed, id), (state + id % 10) / 10);
    model.p[static_cast<std::size_t>(n)].w = seed % 3 == 0 && drawn % 4 != 0 ? 0.5 : 0;
  }
}

/// A third of the nodes owned, drawn anew each time.
std::vector<LocalIndex> some_nodes(const mesh::TetMesh& mesh, std::uint64_t seed)
{
  std::vector<LocalIndex> nodes = owned_nodes(mesh);
  std::erase_if(nodes, [&](LocalIndex n) { return combine(seed, mesh.node(n).id.low) % 3 != 0; });
  return nodes;
}

constexpr std::size_t states = 100;  // of one block

/// Two blocks of which one is in the other by half an edge.
mesh::MeshData interlocked(std::uint64_t seed)
{
  mesh::MeshData both = test::box_mesh(3, 2, 2, edge, 0.2, seed), other = test::box_mesh(3, 2, 2, edge, 0.2, seed + 1);
  const auto first = static_cast<GlobalIndex>(both.nodes.size());
  for (const Vec3& X : other.nodes) both.nodes.emplace_back(X + edge * Vec3(0.3, 0.2, 1.5));
  for (auto tet : other.tets) {
    for (GlobalIndex& n : tet) n += first;
    both.tets.push_back(tet);
  }
  both.node_labels.clear(), both.element_labels.clear();
  return both;
}

/// Collective. Hashes of the forces in each state of blocks whose nodes swing wildly. At first some of it breaks every
/// ten states; what overlaps goes on to do so in parts. Blocks that swing slowly break in each of a few states, so that
/// lists are mended several times.
template <class Finder>
std::vector<std::uint64_t> forces(const Comm& comm, std::uint64_t seed, const test::Owners& owners,
                                  std::int64_t& mendings)
{
  const bool slowly = seed % 4 == 0;
  auto problem = test::distributed(comm, slowly ? interlocked(seed) : test::box_mesh(3, 2, 2, edge, 0.2, seed),
                                   {test::chalk()}, owners);
  element::Model& model = problem.model;
  Finder finder(comm, model);
  finder.begin(*problem.halo);
  fracture::FractureOptions once;
  once.max_rounds = 1;
  const std::size_t between_cracks = slowly ? 1 : 10, last_crack = slowly ? 8 : 50;
  std::vector<std::uint64_t> hashes;
  for (std::size_t state = 0; state < states; ++state) {
    swing(model, seed, static_cast<double>(state) * step);
    mark_linked(model, seed, state);
    finder.moved(*problem.halo);
    if (state < last_crack && state % between_cracks == 0) {
      std::vector<LocalIndex> nodes = some_nodes(model.mesh, combine(seed, state));
      if (slowly)  // one block in one state, the other in the next
        std::erase_if(nodes, [&](LocalIndex n) { return (model.mesh.node(n).X.z() > 2 * edge) == (state % 2 == 0); });
      const auto cracked = fracture::crack(model, *problem.halo, nodes, once);
      mark_linked(model, seed, state);
      finder.follow(*problem.halo, cracked);
    }
    std::fill(model.f.begin(), model.f.end(), Row4{});
    finder.add_forces(model.f);
    hashes.push_back(hash_of_forces(model, comm));
  }
  mendings += finder.mendings();
  return hashes;
}

}  // namespace

TEST_CASE("collisions in many states are those of all pairs, bit for bit, on any number of ranks",
          "[contact][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
#ifdef NDEBUG
  constexpr std::uint64_t blocks = 12;
#else
  constexpr std::uint64_t blocks = 4;  // each takes a minute with sanitizers; one of them swings slowly
#endif
  std::ptrdiff_t idle = 0;
  std::int64_t mendings = 0;
  for (std::uint64_t seed = 1; seed <= blocks; ++seed) {
    CAPTURE(seed);
    const std::array owners{test::by_method(partition::Method::hilbert), test::by_method(partition::Method::metis),
                            test::scattered(seed)};
    const auto by_lists = forces<Lists>(world, seed, owners[seed % 3], mendings);
    // One rank looks at all pairs.
    std::vector<std::uint64_t> all_pairs(states, 0);
    const bool mine = static_cast<Rank>(seed) % world.size() == world.rank();
    if (mine) all_pairs = forces<AllPairs>(alone, seed, owners[0], mendings);
    for (std::uint64_t& hash : all_pairs) hash = world.sum(hash);
    CHECK(by_lists == all_pairs);
    idle += std::count(all_pairs.begin(), all_pairs.end(), 0);
  }
  CHECK(idle < 200);
  CHECK(3 * mendings > 5 * static_cast<std::int64_t>(blocks));
}

TEST_CASE("what links hold together presses on nothing, and is given no kick when they have broken",
          "[contact][parallel]")
{
  const Comm comm;
  auto problem = test::distributed(comm, test::box_mesh(3, 2, 2, edge, 0.2, 1), {test::chalk()},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  fracture::FractureOptions once;
  once.max_rounds = 1;
  swing(model, 1, 0.01);
  fracture::crack(model, *problem.halo, owned_nodes(model.mesh), once);
  Lists lists(comm, model);
  lists.begin(*problem.halo);
  const auto shaken = [&](double by, double left) {  // each node to its own side
    for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
      const mesh::Node& node = model.mesh.node(n);
      Row4& p = model.p[static_cast<std::size_t>(n)];
      p.set_xyz(node.X + by * edge * test::random_vector(3, node.id.low)), p.w = left;
    }
    std::fill(model.f.begin(), model.f.end(), Row4{});
    lists.moved(*problem.halo);
    lists.add_forces(model.f);
    double greatest = 0;
    for (const Row4& f : model.f) greatest = std::max(greatest, f.xyz().norm());
    return comm.max(greatest);
  };
  CHECK(shaken(0.02, 1) == 0);
  CHECK(comm.sum(static_cast<std::int64_t>(lists.collisions().num_overlapping())) == 0);
  const double kick = shaken(0.02, 0);
  CHECK(comm.sum(static_cast<std::int64_t>(lists.collisions().num_overlapping())) > 0);
  CHECK(kick < 1e-9 * shaken(0.03, 0));
}

TEST_CASE("where a node leaves its skin, the list is mended and stays right", "[contact][parallel]")
{
  const Comm comm;
  auto problem = test::distributed(comm, interlocked(1), {test::chalk()}, test::by_method(partition::Method::hilbert));
  const Comm alone(MPI_COMM_SELF);
  auto whole = test::distributed(alone, interlocked(1), {test::chalk()}, test::by_method(partition::Method::hilbert));
  Lists lists(comm, problem.model);
  AllPairs all_pairs(alone, whole.model);
  for (auto* model : {&problem.model, &whole.model}) swing(*model, 2, 0);
  lists.begin(*problem.halo), all_pairs.begin(*whole.halo);
  std::size_t touching = 0;
  for (std::size_t state = 0; state < states; ++state) {
    CAPTURE(state);
    for (auto* model : {&problem.model, &whole.model}) {
      swing(*model, 2, static_cast<double>(state) * step);
      for (LocalIndex n = 0; n < model->mesh.num_nodes(); ++n)
        if (const mesh::Node& node = model->mesh.node(n); node.id.low != 40)  // the others rest
          model->p[static_cast<std::size_t>(n)].set_xyz(node.X), model->v[static_cast<std::size_t>(n)] = {};
      std::fill(model->f.begin(), model->f.end(), Row4{});
    }
    if (state == 0) lists.begin(*problem.halo);
    lists.moved(*problem.halo);
    lists.add_forces(problem.model.f), all_pairs.add_forces(whole.model.f);
    const std::uint64_t hash = hash_of_forces(problem.model, comm);
    CHECK(hash == hash_of_forces(whole.model, alone));
    touching += hash != 0;
  }
  CHECK(touching == states);
  CHECK(lists.mendings() > 3);
  CHECK(lists.collisions().renewals() == 2);  // those of begin()
}

namespace {

/// A body that swings and cracks, and the list of its pairs, which is mended after each crack.
struct SearchedBody {
  Comm comm;
  test::TestProblem problem;
  element::Model& model = problem.model;
  ContactSurface surface;
  std::vector<double> moduli{model.materials[0].p_wave_modulus()};
  Origins origins;
  std::vector<NodeMotion> motions;
  PairSearch search{comm};

  explicit SearchedBody(const mesh::MeshData& mesh)
    : problem(test::distributed(comm, mesh, {test::chalk()}, test::by_method(partition::Method::hilbert)))
  {
    std::vector<LocalIndex> all(static_cast<std::size_t>(model.mesh.num_slots()));
    std::iota(all.begin(), all.end(), 0);
    surface.update(model.mesh, *problem.halo, all);
    swing(model, 1, 0.01);
    search.begin(bodies(), window);
  }

  SweptBodies bodies()
  {
    motions = motions_of(model.p, model.v, window);
    return {model.mesh, surface, motions, moduli, origins, edge};
  }

  void crack(std::span<const LocalIndex> nodes)
  {
    fracture::FractureOptions once;
    once.max_rounds = 1;
    const auto cracked = fracture::crack(model, *problem.halo, nodes, once);
    const auto changed = surface.update(model.mesh, *problem.halo, cracked.elements);
    origins = origins_of(cracked);
    search.update(bodies(), changed, cracked.nodes);
  }

  static constexpr ListWindow window{step, 0.1 * edge};
};

}  // namespace

TEST_CASE("another rank's element has an ancestor in the list for one change alone", "[contact][parallel]")
{
  SearchedBody body(interlocked(1));
  const auto with_ancestors = [&] {
    std::int64_t count = 0;
    for (const ListedPair& pair : body.search.list().pairs)
      for (const int e : {pair.a, pair.b}) {
        const ListedElement& element = body.search.list().elements[static_cast<std::size_t>(e)];
        if (element.slot < 0) count += body.search.other(element).is.origin != element.id;
      }
    return body.comm.sum(count);
  };
  body.crack(owned_nodes(body.model.mesh));
  CHECK((with_ancestors() > 0) == (body.comm.size() > 1));
  body.origins.clear();
  body.search.update(body.bodies(), {}, {});
  CHECK(with_ancestors() == 0);
}

TEST_CASE("after cuts, the nodes that a list watches are the owned corners of the surface's elements",
          "[contact][parallel]")
{
  SearchedBody body(test::box_mesh(6, 6, 6, edge, 0.2, 3));
  const mesh::TetMesh& mesh = body.model.mesh;
  const auto few_nodes = [&](std::uint64_t seed) {
    std::vector<LocalIndex> nodes = owned_nodes(mesh);
    std::erase_if(nodes, [&](LocalIndex n) { return combine(seed, mesh.node(n).id.low) % 40 != 0; });
    return nodes;
  };
  for (std::uint64_t crack = 0; crack < 8; ++crack) {
    CAPTURE(crack);
    body.crack(few_nodes(crack));
    std::vector<LocalIndex> watched, corners;
    for (const WatchedNode& w : body.search.list().watched) watched.push_back(w.node);
    for (const LocalIndex e : body.surface.elements())
      for (const LocalIndex n : mesh.tet(e))
        if (mesh.owned(n)) corners.push_back(n);
    CHECK(sorted_unique(watched) == sorted_unique(corners));
    CHECK(sorted_unique(watched).size() == watched.size());
  }
}

TEST_CASE("costs of elements add up to the time spent on their pairs", "[contact]")
{
  const Comm alone(MPI_COMM_SELF);
  auto problem = test::distributed(alone, test::box_mesh(3, 2, 2, edge, 0.2, 3), {test::chalk()},
                                   test::by_method(partition::Method::hilbert));
  element::Model& model = problem.model;
  Lists lists(alone, model);
  swing(model, 3, 0);
  lists.begin(*problem.halo);
  std::size_t overlaps = 0;
  const auto spend = [&](int from, int to) {
    swing(model, 3, from * step);
    fracture::FractureOptions once;
    once.max_rounds = 1;
    const auto cracked = fracture::crack(model, *problem.halo, some_nodes(model.mesh, 3), once);
    lists.follow(*problem.halo, cracked);
    for (int state = from; state < to; ++state) {
      swing(model, 3, state * step);
      lists.moved(*problem.halo);
      lists.add_forces(model.f);
      overlaps += lists.collisions().num_overlapping();
    }
  };
  const auto costs = [&] {
    std::vector<double> all(static_cast<std::size_t>(model.mesh.num_slots()), 0);
    const contact::Collisions::PairWork work = lists.collisions().work();
    lists.collisions().add_costs(
        {work.seconds.listed / std::max(1.0, work.listed), work.seconds.touching / std::max(1.0, work.touching),
         work.seconds.searching / std::max(1.0, work.searched)},
        all);
    return all;
  };
  spend(0, 40);
  CHECK(overlaps > 100);
  CHECK(lists.collisions().work().searched > 0);
  const auto spent = [&] { return lists.collisions().spent().sum(); };
  const std::vector<double> before = costs();
  CHECK(std::accumulate(before.begin(), before.end(), 0.0) == Approx(spent()).epsilon(1e-12));
  CHECK(*std::min_element(before.begin(), before.end()) >= 0);

  lists.collisions().reset_costs();
  CHECK(spent() == 0);
  CHECK(costs() == std::vector<double>(before.size(), 0));
  spend(40, 80);
  const std::vector<double> after = costs();
  CHECK(std::accumulate(after.begin(), after.end(), 0.0) == Approx(spent()).epsilon(1e-12));
}
