#include "contact/collisions.hpp"

#include "contact/corners.hpp"
#include "contact/pair_contact.hpp"
#include "fracture/crack.hpp"
#include "support/problem.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sunder;
using namespace sunder::contact;

namespace {

constexpr Response firm{
    .stiffness = 1e7, .damping = 1e4, .friction_static = 0.5, .friction_dynamic = 0.3, .slip_speed = 0.1};

std::vector<LocalIndex> all_slots(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> slots(static_cast<std::size_t>(mesh.num_slots()));
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

std::vector<LocalIndex> owned_nodes(const mesh::TetMesh& mesh)
{
  std::vector<LocalIndex> nodes;
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n)
    if (mesh.owned(n)) nodes.push_back(n);
  return nodes;
}

/// Positions and velocities that depend on node ids alone.
void shake(element::Model& model, double size, std::uint64_t seed)
{
  for (LocalIndex n = 0; n < model.mesh.num_nodes(); ++n) {
    const mesh::Node& node = model.mesh.node(n);
    const auto i = static_cast<std::size_t>(n);
    model.p[i].set_xyz(node.X + size * test::random_vector(seed, node.id));
    model.v[i].set_xyz(test::random_vector(seed + 1, node.id));
    if (model.mesh.star(n).empty())
      model.p[i].x = model.v[i].x = std::nan("");  // left behind: no longer kept up to date
  }
}

/// A number that any bit of any owned node's force changes, over all ranks.
std::uint64_t hash_of_forces(const element::Model& model, const Comm& comm)
{
  std::uint64_t sum = 0;
  for (const LocalIndex n : owned_nodes(model.mesh)) {
    const Row4& f = model.f[static_cast<std::size_t>(n)];
    std::uint64_t h = combine(7, model.mesh.node(n).id);
    for (const double x : {f.x, f.y, f.z}) h = combine(h, x);
    sum += h;
  }
  return comm.sum(sum);
}

double size_of_forces(const element::Model& model, const Comm& comm)
{
  double sum = 0;
  for (const LocalIndex n : owned_nodes(model.mesh)) sum += model.f[static_cast<std::size_t>(n)].xyz().norm();
  return comm.sum(sum);
}

void clear_forces(element::Model& model)
{
  std::fill(model.f.begin(), model.f.end(), Row4{});
}

/// Every pair of elements there is, on one rank, in ascending order of ids.
void add_forces_of_all_pairs(element::Model& model, const std::vector<Row4>& before, const Surface& surface,
                             double stiffness)
{
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<LocalIndex> order;
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.alive(e)) order.push_back(e);
  std::sort(order.begin(), order.end(),
            [&](LocalIndex a, LocalIndex b) { return mesh.element_id(a) < mesh.element_id(b); });
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const LocalIndex a = order[i], b = order[j];
      const Tet &ta = mesh.tet(a), &tb = mesh.tet(b);
      const bool adjacent = std::any_of(ta.begin(), ta.end(),
                                        [&](LocalIndex n) { return std::find(tb.begin(), tb.end(), n) != tb.end(); });
      if (adjacent || !surface.contains(a) || !surface.contains(b)) continue;
      const Mat34 pa = corners_of(ta, model.p), pb = corners_of(tb, model.p);
      const Touch t = touch(Side(pa), Side(pb));
      const double first_seen = touch(Side(corners_of(ta, before)), Side(corners_of(tb, before))).volume;
      if (t.volume == 0) continue;
      const double forgiven = first_seen == 0 ? t.volume : std::min(first_seen, t.volume);
      const Vec3 force =
          force_of(t, firm, stiffness, forgiven, pa, corners_of(ta, model.v), pb, corners_of(tb, model.v));
      for (std::size_t c = 0; c < 4; ++c) {
        Row4 &fa = model.f[static_cast<std::size_t>(ta[c])], &fb = model.f[static_cast<std::size_t>(tb[c])];
        const Vec3 on_a = t.weights_a[static_cast<int>(c)] * force, on_b = -t.weights_b[static_cast<int>(c)] * force;
        fa.x += on_a.x(), fa.y += on_a.y(), fa.z += on_a.z();
        fb.x += on_b.x(), fb.y += on_b.y(), fb.z += on_b.z();
      }
    }
}

struct Outcome {
  std::vector<std::uint64_t> hashes;
  double forces = 0;
  bool operator==(const Outcome& o) const { return hashes == o.hashes; }
};

/// A box broken at random, then shaken hard: collisions within it, before and after it is broken again.
Outcome broken_box(const Comm& comm, std::uint64_t seed, const test::Owners& owners, bool brute_force)
{
  constexpr int cells = 3;
  auto problem = test::distributed(comm, test::box_mesh(cells, cells, cells, 0.1, 0.2, seed), {test::chalk()}, owners);
  element::Model& model = problem.model;
  Collisions collisions(comm, firm, {model.materials[0].p_wave_modulus()});
  collisions.mesh_changed(model.mesh, *problem.halo, all_slots(model.mesh));
  Outcome outcome;
  fracture::FractureOptions options;
  for (std::uint64_t wave = 0; wave < 3; ++wave) {
    shake(model, 0.004, seed + 10 * wave);
    const auto result = fracture::crack(model, *problem.halo, owned_nodes(model.mesh), options);
    collisions.mesh_changed(model.mesh, *problem.halo, result.elements);
    shake(model, 0, 0);  // nothing overlaps where it is made
    collisions.refresh(model.mesh, model.p, model.v, 0.1, 1e-6);
    shake(model, 0.03, seed + 100 * wave);
    collisions.refresh(model.mesh, model.p, model.v, 0.1, 1e-6);
    collisions.find_touching(model.p, model.v, 1e-6);
    const std::vector<Row4> first_seen = model.p;
    shake(model, 0.04, seed + 100 * wave);  // the same way, further: overlaps grow
    collisions.refresh(model.mesh, model.p, model.v, 0.1, 1e-6);
    clear_forces(model);
    if (brute_force)
      add_forces_of_all_pairs(model, first_seen, collisions.surface(), firm.stiffness);
    else
      collisions.find_touching(model.p, model.v, 1e-6), collisions.add_forces(model.p, model.v, model.f);
    outcome.hashes.push_back(hash_of_forces(model, comm));
    outcome.forces += size_of_forces(model, comm);
  }
  return outcome;
}

}  // namespace

TEST_CASE("collisions are those of all pairs, bit for bit, on any number of ranks", "[contact][parallel]")
{
  const Comm world, alone(MPI_COMM_SELF);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    const auto hilbert = test::by_method(partition::Method::hilbert);
    const Outcome all_pairs = broken_box(alone, seed, hilbert, true);
    CHECK(all_pairs.forces > 1);
    CHECK(all_pairs == broken_box(alone, seed, hilbert, false));
    CHECK(all_pairs == broken_box(world, seed, hilbert, false));
    CHECK(all_pairs == broken_box(world, seed, test::by_method(partition::Method::metis), false));
    CHECK(all_pairs == broken_box(world, seed, test::scattered(seed), false));
  }
}
