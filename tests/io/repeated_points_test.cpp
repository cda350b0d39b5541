#include "io/repeated_points.hpp"

#include "core/hash.hpp"
#include "distributed_block.hpp"
#include "mesh/tet_mesh.hpp"
#include "support/all_gather.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace sunder;
using test::DistributedBlock;

namespace {

struct Shown {
  int unmarked = 0, marked = 0;
};

/// How often each node of the mesh is in a piece, over all ranks.
std::map<NodeId, Shown> count_copies(const Comm& comm, const io::Frame& frame)
{
  const io::PiecePoints points = io::piece_points(comm, frame);
  std::vector<std::uint64_t> mine;
  for (std::size_t i = 0; i < points.nodes.size(); ++i)
    mine.push_back(2 * frame.node_id[static_cast<std::size_t>(points.nodes[i])].low + points.repeated[i]);
  std::map<NodeId, Shown> shown;
  for (const std::uint64_t code : test::all_gather(comm, mine))
    (code % 2 ? shown[code / 2].marked : shown[code / 2].unmarked)++;
  return shown;
}

}  // namespace

TEST_CASE("every node of the mesh is unmarked in exactly one piece", "[io][repeated_points][parallel]")
{
  const Comm comm;
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const int choice = GENERATE(0, 1, 2, 3);
  CAPTURE(choice);
  auto owner_of = [&](std::uint64_t q) {
    if (choice == 0) return static_cast<Rank>(q * ranks / 64);  // slabs
    if (choice == 1) return static_cast<Rank>(mix(q) % ranks);  // scattered: most elements touch every rank
    if (choice == 2) return static_cast<Rank>(ranks - 1);       // all on the last rank, the others hold nothing
    return static_cast<Rank>(q == 21 ? ranks - 1
                                     : q % 2 * (ranks / 2));  // the last owns one inner node, writes nothing
  };
  const DistributedBlock block(3, comm.rank(), owner_of);
  const auto shown = count_copies(comm, block.frame(0));

  CHECK(static_cast<std::int64_t>(shown.size()) == block.num_nodes());
  std::int64_t marked = 0;
  for (const auto& [id, copies] : shown) {
    CAPTURE(id);
    CHECK(copies.unmarked == 1);
    marked += copies.marked;
  }
  const bool shared = comm.size() > 1 && choice < 2;
  if (shared) CHECK(marked > 0);
  if (!shared && choice == 2) CHECK(marked == 0);
}

TEST_CASE("an owner that writes nothing around its node leaves it to the lowest writer",
          "[io][repeated_points][parallel]")
{
  const Comm comm;
  if (comm.size() < 3) return;
  // Two tetrahedra abcd and abce: rank 0 writes the first, rank 1 the second; a belongs to rank 2, which writes none.
  const std::vector<NodeId> ids{10, 11, 12, 13, 14};
  const std::vector<Rank> owners{2, 1, 1, 0, 1};
  const std::vector<Tet> all{{0, 1, 2, 3}, {0, 2, 1, 4}};
  std::vector<Tet> tets;
  std::vector<ElementId> element_ids;
  std::vector<LocalIndex> written;
  if (comm.rank() < 3) tets.push_back(all[0]), element_ids.push_back(0);
  if (comm.rank() == 1 || comm.rank() == 2) tets.push_back(all[1]), element_ids.push_back(1);
  if (comm.rank() == 0) written = {0};
  if (comm.rank() == 1) written = {1};
  tets.push_back({4, 4, 4, 4}), element_ids.push_back(mesh::no_element);  // an empty slot counts for nothing

  io::Frame frame;
  frame.node_id = ids, frame.node_owner = owners, frame.tets = tets, frame.element_id = element_ids;
  frame.written = written;
  const io::PiecePoints points = io::piece_points(comm, frame);

  using Nodes = std::vector<LocalIndex>;
  using Marks = std::vector<std::uint8_t>;
  if (comm.rank() == 0) {
    CHECK(points.nodes == Nodes{0, 1, 2, 3});
    CHECK(points.repeated == Marks{0, 1, 1, 0});  // a handed over by rank 2; b and c are in rank 1's own piece
  } else if (comm.rank() == 1) {
    CHECK(points.nodes == Nodes{0, 1, 2, 4});
    CHECK(points.repeated == Marks{1, 0, 0, 0});
  } else {
    CHECK(points.nodes.empty());
  }
}
