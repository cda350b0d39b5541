#include "io/frames/gather_pieces.hpp"

#include "core/hash.hpp"
#include "io/frames/distributed_block.hpp"
#include "support/all_gather.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
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

io::Piece written_by(const Comm& comm)
{
  return io::written_piece(scattered_block(comm).frame(0), comm.rank());
}

io::FileGroups groups_of(const Comm& comm, int files)
{
  return {comm.size(), std::min<std::int64_t>(files, comm.size())};
}

const io::Field& field(const std::vector<io::Field>& fields, const std::string& name)
{
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const io::Field& field) { return field.name == name; });
  REQUIRE(found != fields.end());
  return *found;
}

template <class T>
std::vector<T> row(const io::Field& field, std::size_t k)
{
  const auto& values = std::get<std::vector<T>>(field.values);
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(k) * field.components;
  return {first, first + field.components};
}

std::vector<double> numbers(const Vec3& v)
{
  return {v.x(), v.y(), v.z()};
}

void check_fields(const io::Piece& piece)
{
  for (std::size_t i = 0; i < piece.node_id.size(); ++i) {
    const NodeId id = piece.node_id[i];
    CHECK(row<double>(field(piece.node_fields, "Displacement"), i) == numbers(DistributedBlock::displacement(id)));
    CHECK(row<double>(field(piece.node_fields, "Velocity"), i) == numbers(DistributedBlock::velocity(id)));
    const auto X = row<double>(field(piece.node_fields, "MaterialPosition"), i);
    CHECK((piece.position[i] - Vec3(X.data()) - DistributedBlock::displacement(id)).norm() < 1e-14);
  }
  for (std::size_t e = 0; e < piece.element_id.size(); ++e) {
    const ElementId id = piece.element_id[e];
    const auto stress = DistributedBlock::stress(id);
    CHECK(row<double>(field(piece.element_fields, "Stress"), e) == std::vector<double>(stress.begin(), stress.end()));
    CHECK(row<double>(field(piece.element_fields, "PlasticStrain"), e).front() == 0.5 * stress[0]);
    CHECK(row<std::int64_t>(field(piece.element_fields, "Fragment"), e).front() == DistributedBlock::fragment(id));
    CHECK(row<std::int32_t>(field(piece.element_fields, "Material"), e).front() == DistributedBlock::material(id));
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

TEST_CASE("files of a frame go to even groups of neighbouring ranks", "[io][gather_pieces]")
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
  CHECK(files(1000, 0) == 1);
  CHECK(files(500'000'000, 0) == ranks);
  CHECK(files(250'000'000, 0) == (ranks + 1) / 2);
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
  const auto alone = corners_of(comm, written_by(comm));
  const io::Piece piece = io::gather(comm, written_by(comm), groups);

  check_fields(piece);
  CHECK(corners_of(comm, piece) == alone);
  const bool writes = groups.begin(groups.file_of(comm.rank())) == comm.rank();
  if (!writes) CHECK(piece.num_nodes() + piece.num_elements() == 0);
  CHECK(std::set<NodeId>(piece.node_id.begin(), piece.node_id.end()).size() == piece.node_id.size());

  if (files == 1) CHECK(comm.sum(piece.num_nodes()) == block.num_nodes());
}

TEST_CASE("elements of a gathered piece are in order of the ranks that compute them", "[io][gather_pieces][parallel]")
{
  const Comm comm;
  std::vector<std::uint64_t> mine;
  for (const ElementId& id : written_by(comm).element_id) mine.push_back(id.low);
  const auto by_rank = test::all_gather(comm, mine);
  const io::Piece piece = io::gather(comm, written_by(comm), groups_of(comm, 1));
  if (comm.rank() != 0) return;
  CHECK(std::equal(piece.element_id.begin(), piece.element_id.end(), by_rank.begin(), by_rank.end(),
                   [](const ElementId& id, std::uint64_t low) { return id.low == low; }));
  const auto& ranks = std::get<std::vector<std::int32_t>>(field(piece.element_fields, "Rank").values);
  CHECK(std::is_sorted(ranks.begin(), ranks.end()));
  for (std::size_t e = 0; e < ranks.size(); ++e) {
    Rank lowest = comm.size();
    for (const std::int64_t corner : piece.corners[e])
      lowest = std::min(lowest, static_cast<Rank>(mix(piece.node_id[static_cast<std::size_t>(corner)].low) %
                                                  static_cast<std::uint64_t>(comm.size())));
    CHECK(ranks[e] == lowest);
  }
}

TEST_CASE("with a file a rank, gathering changes nothing", "[io][gather_pieces][parallel]")
{
  const Comm comm;
  const io::Piece before = written_by(comm), after = io::gather(comm, before, groups_of(comm, comm.size()));
  CHECK(before.node_id == after.node_id);
  CHECK(before.element_id == after.element_id);
  CHECK(before.corners == after.corners);
  CHECK(before.ghost == after.ghost);
  check_fields(after);
}

TEST_CASE("an element that one piece has and another has as a ghost is no ghost in their union", "[io][gather_pieces]")
{
  const DistributedBlock block(1, 0, [](std::uint64_t) { return 0; });
  const io::Frame frame = block.frame(0);
  const std::vector<std::size_t> first{0, 1}, all{0, 1, 2, 3, 4, 5}, last{2, 3, 4};
  const bool ghosts_first = GENERATE(false, true);
  io::PieceUnion pieces(ghosts_first ? io::piece_of(frame, all, true) : io::piece_of(frame, first, false));
  pieces.add(ghosts_first ? io::piece_of(frame, first, false) : io::piece_of(frame, all, true));
  pieces.add(io::piece_of(frame, last, false));
  const io::Piece piece = std::move(pieces).take();
  REQUIRE(piece.num_elements() == 6);
  CHECK(piece.num_nodes() == block.num_nodes());
  for (std::size_t e = 0; e < 6; ++e) CHECK(piece.ghost[e] == (piece.element_id[e] == frame.element_id[5] ? 1 : 0));
  check_fields(piece);
}
