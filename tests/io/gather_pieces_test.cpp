#include "io/gather_pieces.hpp"

#include "core/hash.hpp"
#include "distributed_block.hpp"
#include "support/all_gather.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace sunder;
using test::DistributedBlock;

namespace {

/// A block whose nodes are scattered over the ranks: most elements touch every rank.
DistributedBlock scattered_block(const Comm& comm)
{
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  return {2, comm.rank(), [=](std::uint64_t q) { return static_cast<Rank>(mix(q) % ranks); }};
}

io::Piece piece_of(const Comm& comm)
{
  return io::make_piece(comm, scattered_block(comm).frame(0));
}

io::FileGroups groups_of(const Comm& comm, int files)
{
  return {comm.size(), std::min<std::int64_t>(files, comm.size())};
}

void check_fields(const io::Piece& piece)
{
  for (std::size_t i = 0; i < piece.node_id.size(); ++i) {
    const NodeId id = piece.node_id[i];
    CHECK((piece.displacement[i] - DistributedBlock::displacement(id)).norm() < 1e-14);
    CHECK(piece.velocity[i] == DistributedBlock::velocity(id));
    CHECK((piece.position[i] - piece.material_position[i] - piece.displacement[i]).norm() < 1e-14);
  }
  for (std::size_t e = 0; e < piece.element_id.size(); ++e) {
    const ElementId id = piece.element_id[e];
    CHECK(piece.stress[e] == DistributedBlock::stress(id));
    CHECK(piece.max_principal_stress[e] == DistributedBlock::stress(id)[5]);
    CHECK(piece.plastic_strain[e] == 0.5 * DistributedBlock::stress(id)[0]);
    CHECK(piece.fragment[e] == DistributedBlock::fragment(id));
    CHECK(piece.material[e] == DistributedBlock::material(id));
  }
}

/// (element, corner, node of that corner), ascending.
std::multiset<std::array<std::uint64_t, 3>> corners_of(const Comm& comm, const io::Piece& piece)
{
  std::vector<std::uint64_t> mine;
  for (std::size_t e = 0; e < piece.element_id.size(); ++e)
    for (std::uint64_t k = 0; k < 4; ++k) {
      mine.insert(mine.end(), {piece.element_id[e].low, k});
      mine.push_back(piece.node_id.at(static_cast<std::size_t>(piece.corners[e][k])).low);
    }
  const auto all = test::all_gather(comm, mine);
  std::multiset<std::array<std::uint64_t, 3>> corners;
  for (std::size_t i = 0; i < all.size(); i += 3) corners.insert({all[i], all[i + 1], all[i + 2]});
  return corners;
}

}  // namespace

TEST_CASE("files are shared out among ranks in contiguous even groups", "[io][gather_pieces]")
{
  for (Rank ranks = 1; ranks < 30; ++ranks)
    for (Rank files = 1; files <= ranks; ++files) {
      CAPTURE(ranks, files);
      const io::FileGroups groups{ranks, files};
      CHECK(groups.begin(0) == 0);
      CHECK(groups.begin(files) == ranks);
      for (Rank f = 0; f < files; ++f) {
        const Rank begin = groups.begin(f), end = groups.begin(f + 1);
        CHECK((end - begin == ranks / files || end - begin == (ranks + files - 1) / files));
        for (Rank r = begin; r < end; ++r) CHECK(groups.file_of(r) == f);
      }
    }
}

TEST_CASE("a frame goes to as many files as asked, and to enough for their size", "[io][gather_pieces][parallel]")
{
  const Comm comm;
  const std::int64_t ranks = comm.size();
  const auto files = [&](std::int64_t bytes, std::int64_t asked) { return io::file_groups(comm, bytes, asked).files; };
  for (const std::int64_t asked : {1, 2, 3, 100}) CHECK(files(1000, asked) == std::min(asked, ranks));
  CHECK(files(0, 1) == 1);
  CHECK(files(1000, 0) == ranks);  // 64 are more than that
  CHECK(files(4'000'000'001, 1) == ranks);
  CHECK(files(2'000'000'000, 1) == (ranks + 1) / 2);
  CHECK(files(1'999'999'999, 3) == std::min(ranks, std::max<std::int64_t>(3, (ranks + 1) / 2)));
  CHECK(files(comm.rank() == ranks - 1 ? 2'000'000'000 : 0, 1) == (ranks + 1) / 2);  // the largest piece decides
}

TEST_CASE("gathered pieces are those of the ranks, each node of a file once", "[io][gather_pieces][parallel]")
{
  const Comm comm;
  const int files = GENERATE(1, 2, 3, 7);
  CAPTURE(files);
  const io::FileGroups groups = groups_of(comm, files);
  const DistributedBlock block = scattered_block(comm);
  const auto alone = corners_of(comm, piece_of(comm));
  const io::Piece piece = io::gather(comm, piece_of(comm), groups);

  check_fields(piece);
  CHECK(corners_of(comm, piece) == alone);
  const bool writes = groups.begin(groups.file_of(comm.rank())) == comm.rank();
  if (!writes) CHECK(piece.num_nodes() + piece.num_elements() == 0);
  CHECK(std::set<NodeId>(piece.node_id.begin(), piece.node_id.end()).size() == piece.node_id.size());

  std::vector<std::uint64_t> unmarked;
  for (std::size_t i = 0; i < piece.node_id.size(); ++i)
    if (piece.repeated[i] == 0) unmarked.push_back(piece.node_id[i].low);
  const auto all = test::all_gather(comm, unmarked);
  CHECK(static_cast<std::int64_t>(all.size()) == block.num_nodes());
  CHECK(static_cast<std::int64_t>(std::set<NodeId>(all.begin(), all.end()).size()) == block.num_nodes());
  if (files == 1) CHECK(comm.sum(piece.num_nodes()) == block.num_nodes());
}

TEST_CASE("elements of a gathered piece are in order of the ranks that compute them", "[io][gather_pieces][parallel]")
{
  const Comm comm;
  std::vector<std::uint64_t> mine;
  for (const ElementId& id : piece_of(comm).element_id) mine.push_back(id.low);
  const auto by_rank = test::all_gather(comm, mine);
  const io::Piece piece = io::gather(comm, piece_of(comm), groups_of(comm, 1));
  if (comm.rank() != 0) return;
  CHECK(std::equal(piece.element_id.begin(), piece.element_id.end(), by_rank.begin(), by_rank.end(),
                   [](const ElementId& id, std::uint64_t low) { return id.low == low; }));
  CHECK(std::is_sorted(piece.rank.begin(), piece.rank.end()));
  for (std::size_t e = 0; e < piece.rank.size(); ++e) {
    Rank lowest = comm.size();
    for (const std::int64_t corner : piece.corners[e])
      lowest = std::min(lowest, static_cast<Rank>(mix(piece.node_id[static_cast<std::size_t>(corner)].low) %
                                                  static_cast<std::uint64_t>(comm.size())));
    CHECK(piece.rank[e] == lowest);
  }
}

TEST_CASE("with a file a rank, gathering changes nothing", "[io][gather_pieces][parallel]")
{
  const Comm comm;
  const io::Piece before = piece_of(comm), after = io::gather(comm, before, groups_of(comm, comm.size()));
  const auto same = [&](auto... column) { return ((before.*column == after.*column) && ...); };
  CHECK(std::apply(same, io::node_columns));
  CHECK(std::apply(same, io::element_columns));
}
