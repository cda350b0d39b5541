#include "io/frames/ghost_layer.hpp"

#include "core/hash.hpp"
#include "io/frames/distributed_block.hpp"
#include "mesh/tet_mesh.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace sunder;
using test::DistributedBlock;

namespace {

using Face = std::array<std::uint64_t, 3>;

/// How many elements of the piece have each face, by the ids of its nodes. Of those that are no ghosts, also.
struct Faces {
  std::map<Face, int> all, written;
};

Faces faces_of(const io::Piece& piece)
{
  Faces faces;
  for (std::size_t e = 0; e < piece.element_id.size(); ++e)
    for (const auto& corners : mesh::face_corners) {
      Face face{};
      for (std::size_t k = 0; k < 3; ++k)
        face[k] = piece.node_id[static_cast<std::size_t>(piece.corners[e][corners[k]])].low;
      std::sort(face.begin(), face.end());
      ++faces.all[face];
      if (piece.ghost[e] == 0) ++faces.written[face];
    }
  return faces;
}

Rank owner_by(int choice, std::uint64_t node, Rank ranks)
{
  const auto count = static_cast<std::uint64_t>(ranks);
  if (choice == 0) return static_cast<Rank>(mix(node) % count);   // hardly an element that only one rank holds
  if (choice == 1) return static_cast<Rank>(node * count / 125);  // slabs
  return node == 0 ? 0 : ranks - 1;                               // a rank of one node
}

}  // namespace

TEST_CASE("a piece with its ghosts has the neighbour across every face of an element that it writes",
          "[io][ghost_layer][parallel]")
{
  const Comm comm;
  const int choice = GENERATE(0, 1, 2);
  CAPTURE(choice);
  const DistributedBlock block(4, comm.rank(), [&](std::uint64_t q) { return owner_by(choice, q, comm.size()); });
  const DistributedBlock whole(4, 0, [](std::uint64_t) { return 0; });
  const io::Frame frame = block.frame(0);

  io::PieceUnion pieces(io::written_piece(frame, comm.rank()));
  const io::Piece layer = io::ghost_layer(comm, frame);
  CHECK(std::all_of(layer.ghost.begin(), layer.ghost.end(), [](std::uint8_t ghost) { return ghost == 1; }));
  pieces.add(layer);
  const io::Piece piece = std::move(pieces).take();

  const Faces here = faces_of(piece), everywhere = faces_of(io::written_piece(whole.frame(0), 0));
  for (const auto& [face, count] : here.written) REQUIRE(here.all.at(face) == everywhere.all.at(face));
  const auto written = std::count(piece.ghost.begin(), piece.ghost.end(), 0);
  CHECK(comm.sum(static_cast<std::int64_t>(written)) == whole.num_elements());
  if (comm.size() == 1) CHECK(layer.num_elements() == 0);
}

TEST_CASE("a ghost has the fields of its original", "[io][ghost_layer][parallel]")
{
  const Comm comm;
  const DistributedBlock block(3, comm.rank(), [&](std::uint64_t q) { return owner_by(0, q, comm.size()); });
  const io::Piece layer = io::ghost_layer(comm, block.frame(0));
  for (std::size_t e = 0; e < layer.element_id.size(); ++e) {
    const auto stress = DistributedBlock::stress(layer.element_id[e]);
    const auto& values = std::get<std::vector<double>>(layer.element_fields.front().values);
    for (std::size_t k = 0; k < 6; ++k) CHECK(values[6 * e + k] == stress[k]);
  }
  for (std::size_t n = 0; n < layer.node_id.size(); ++n) {
    const auto& values = std::get<std::vector<double>>(layer.node_fields.front().values);
    CHECK(Vec3(values.data() + 3 * n) == DistributedBlock::displacement(layer.node_id[n]));
  }
}
