#include "simulation/diagnostics/detailed_surface.hpp"

#include "core/combining_exchange.hpp"
#include "core/hash.hpp"
#include "core/log.hpp"
#include "io/frames/outer_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>
#include <vector>

namespace sunder::simulation {
namespace {

/// The bits of both ends in the material, the lesser end first: the same on both sides of a crack.
using EdgeKey = std::array<std::uint64_t, 6>;

EdgeKey key_of(const Vec3& A, const Vec3& B)
{
  std::array<std::array<std::uint64_t, 3>, 2> ends;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto axis = static_cast<Eigen::Index>(d);
    ends[0][d] = std::bit_cast<std::uint64_t>(A[axis]), ends[1][d] = std::bit_cast<std::uint64_t>(B[axis]);
  }
  if (ends[1] < ends[0]) std::swap(ends[0], ends[1]);
  return {ends[0][0], ends[0][1], ends[0][2], ends[1][0], ends[1][1], ends[1][2]};
}

/// Of which faces an edge is one, anywhere in the bodies.
struct EdgeFaces {
  EdgeKey key{};
  std::int32_t crack = 0, skin = 0;  // 1: of faces that fracture made; of others

  void combine(const EdgeFaces& other) { crack |= other.crack, skin |= other.skin; }
};

/// Collective. How edges are divided that this rank has faces of; those that are not are not among them.
std::map<EdgeKey, io::EdgeDivision> divisions(const Comm& comm, const io::RoughSurface& surface)
{
  std::map<EdgeKey, EdgeFaces> mine;
  for (std::size_t t = 0; t < surface.frame.corners.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const Tet& corners = surface.frame.corners[t];
      const EdgeKey key = key_of(surface.material[at(corners[k])], surface.material[at(corners[(k + 1) % 3])]);
      mine[key].combine({key, surface.rough[t], 1 - surface.rough[t]});
    }
  std::vector<EdgeFaces> questions;
  for (auto& [key, faces] : mine) faces.key = key, questions.push_back(faces);
  const CombiningExchange<EdgeFaces, EdgeFaces> exchange(comm, std::move(questions), [&comm](const EdgeKey& key) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key) hash = sunder::combine(hash, word);
    return static_cast<Rank>(hash % static_cast<std::uint64_t>(comm.size()));
  });
  std::map<EdgeKey, io::EdgeDivision> found;
  for (const auto& [key, faces] : exchange.answer(exchange.at_home()))
    if (faces.crack != 0) found[key] = faces.skin != 0 ? io::EdgeDivision::straight : io::EdgeDivision::rough;
  return found;
}

/// Collective on neighbours. (nodes) Mean of the elements around each node, weighted by their volumes at rest. Of a
/// rigid body it is the rotation, to round-off.
std::vector<Mat3> nodal_gradients(const State& state)
{
  const element::Model& model = state.model;
  const mesh::TetMesh& mesh = model.mesh;
  std::vector<Mat3> means(model.p.size(), Mat3::Zero());
  std::vector<double> weights(means.size(), 0);
  const auto edges = [](const Mat34& corners) -> Mat3 { return corners.rightCols<3>().colwise() - corners.col(0); };
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e) {
    if (!mesh.alive(e)) continue;
    const auto [A, B, C, D] = mesh.corners(e);
    Mat34 X;
    X << A, B, C, D;
    const double volume = model.blocks.volume(e);
    const Mat3 F = edges(model.positions(e)) * edges(X).inverse();
    for (const LocalIndex n : mesh.tet(e)) means[at(n)] += volume * F, weights[at(n)] += volume;
  }
  std::vector<std::array<double, 9>> numbers(means.size());
  for (std::size_t n = 0; n < means.size(); ++n)
    if (weights[n] > 0) Mat3::Map(numbers[n].data()) = means[n] / weights[n];
  state.halo->owners_to_ghosts(std::span<std::array<double, 9>>(numbers));
  for (std::size_t n = 0; n < means.size(); ++n) means[n] = Mat3::Map(numbers[n].data());
  return means;
}

/// Collective. Not divided yet.
io::RoughSurface rough_surface(const State& state, const io::Frame& bodies)
{
  const mesh::TetMesh& mesh = state.model.mesh;
  const std::vector<io::OuterFace> faces = io::outer_faces(bodies, mesh.me());
  std::vector<LocalIndex> slots;  // (elements of the frame)
  for (LocalIndex e = 0; e < mesh.num_slots(); ++e)
    if (mesh.alive(e)) slots.push_back(e);
  io::RoughSurface surface;
  surface.frame = surface_of(bodies, faces);
  std::vector<std::int32_t> cracks;
  for (const io::OuterFace& face : faces) {
    const bool made = mesh.faces(slots[face.element]).cracks.contain(face.opposite);
    surface.rough.push_back(made), cracks.push_back(made);
  }
  surface.frame.element_fields.push_back({"CrackFace", "", 1, std::move(cracks)});
  for (LocalIndex n = 0; n < mesh.num_nodes(); ++n) {
    surface.material.push_back(mesh.node(n).X);
    surface.world.push_back(state.model.p[at(n)].xyz());
  }
  surface.gradient = nodal_gradients(state);
  const auto divided = divisions(state.comm, surface);
  for (const Tet& corners : surface.frame.corners) {
    auto& edges = surface.edges.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto found =
          divided.find(key_of(surface.material[at(corners[k])], surface.material[at(corners[(k + 1) % 3])]));
      edges[k] = found == divided.end() ? io::EdgeDivision::none : found->second;
    }
  }
  return surface;
}

/// Collective. So many that no rank gets more triangles than it can hold; says so where they are fewer.
std::int64_t levels_that_fit(const State& state, const io::RoughSurface& surface, std::int64_t levels)
{
  constexpr std::int64_t most = std::int64_t{1} << 26;
  const std::int64_t faces = state.comm.max(std::count(surface.rough.begin(), surface.rough.end(), std::uint8_t{1}));
  std::int64_t fit = levels;
  while (fit > 0 && faces > most >> 2 * fit) --fit;
  if (fit < levels)
    log_warning(
        fmt::format("t = {:.6g} s: output.surface_detail: {} levels instead of {}, as {} crack faces of a rank "
                    "would become more than {} triangles",
                    state.time, fit, levels, faces, most));
  return fit;
}

}  // namespace

io::Frame detailed_surface(const State& state, const io::Frame& bodies, const io::SurfaceDetail& detail, bool reference)
{
  io::RoughSurface surface = rough_surface(state, bodies);
  io::subdivide(surface, {levels_that_fit(state, surface, detail.levels), detail.roughness, detail.seed});
  const auto column_of = [&](const auto& vector_of) {
    std::vector<double> column;
    for (std::size_t n = 0; n < surface.material.size(); ++n) {
      const Vec3 v = vector_of(n);
      column.insert(column.end(), v.data(), v.data() + 3);
    }
    return column;
  };
  // The means of what the ends have are not where the middle is.
  for (io::Field& field : surface.frame.node_fields) {
    if (field.name == "MaterialPosition") field.values = column_of([&](std::size_t n) { return surface.material[n]; });
    if (field.name == "Displacement")
      field.values = column_of([&](std::size_t n) -> Vec3 { return surface.world[n] - surface.material[n]; });
  }
  surface.frame.points = reference ? std::move(surface.material) : std::move(surface.world);
  return std::move(surface.frame);
}

}  // namespace sunder::simulation
