#include "contact/meeting_ranks.hpp"

#include "core/bytes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace sunder::contact {
namespace {

/// A box as it travels.
struct Extent {
  std::array<double, 6> bound;
};

Extent packed(const Box& b)
{
  return {{b.low.x(), b.low.y(), b.low.z(), b.high.x(), b.high.y(), b.high.z()}};
}

Box unpacked(const Extent& e)
{
  return {{e.bound[0], e.bound[1], e.bound[2]}, {e.bound[3], e.bound[4], e.bound[5]}};
}

/// Cells of equal size over a box around everything.
class Grid {
public:
  Grid(const Comm& comm, std::span<const Box> mine)
  {
    Box all;
    for (const Box& b : mine) all.include(b);
    std::array<double, 6> bound{all.low.x(), all.low.y(), all.low.z(), -all.high.x(), -all.high.y(), -all.high.z()};
    mpi_check(MPI_Allreduce(MPI_IN_PLACE, bound.data(), 6, MPI_DOUBLE, MPI_MIN, comm.mpi()), "MPI_Allreduce");
    low_ = {bound[0], bound[1], bound[2]};
    const Vec3 high(-bound[3], -bound[4], -bound[5]);
    constexpr double cells_per_rank = 4;
    side_ = static_cast<int>(std::ceil(std::cbrt(cells_per_rank * comm.size())));
    cell_ = ((high - low_) / side_).cwiseMax(1e-300);
  }

  template <class Visit>
  void cells_of(const Box& b, Visit&& visit) const
  {
    const auto from = index(b.low), to = index(b.high);
    for (int i = from[0]; i <= to[0]; ++i)
      for (int j = from[1]; j <= to[1]; ++j)
        for (int k = from[2]; k <= to[2]; ++k) visit((i * side_ + j) * side_ + k);
  }

private:
  std::array<int, 3> index(const Vec3& x) const
  {
    std::array<int, 3> i{};
    for (int k = 0; k < 3; ++k)
      i[static_cast<std::size_t>(k)] =
          static_cast<int>(std::clamp((x[k] - low_[k]) / cell_[k], 0.0, static_cast<double>(side_ - 1)));
    return i;
  }

  Vec3 low_, cell_;
  int side_ = 1;
};

struct Registered {
  Rank rank;
  int cell;
  Box box;
};

/// What the rank of a cell is told: whose boxes reach into it.
std::vector<Registered> gather_registrations(const Comm& comm, std::span<const Box> mine)
{
  const Grid grid(comm, mine);
  std::map<Rank, Bytes> to;
  for (const Box& b : mine)
    grid.cells_of(b, [&](int cell) {
      Bytes& bytes = to[cell % comm.size()];
      put(bytes, cell), put(bytes, packed(b));
    });
  std::vector<Registered> all;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      const int cell = in.get<int>();
      all.push_back({message.peer, cell, unpacked(in.get<Extent>())});
    }
  std::stable_sort(all.begin(), all.end(), [](const Registered& a, const Registered& b) { return a.cell < b.cell; });
  return all;
}

}  // namespace

std::vector<MeetingRank> meeting_ranks(const Comm& comm, std::span<const Box> mine)
{
  if (comm.size() == 1) return {};
  const std::vector<Registered> here = gather_registrations(comm, mine);
  std::map<Rank, Bytes> to;
  for (std::size_t i = 0; i < here.size(); ++i)
    for (std::size_t j = i + 1; j < here.size() && here[j].cell == here[i].cell; ++j) {
      const Registered &a = here[i], &b = here[j];
      if (a.rank == b.rank || !a.box.meets(b.box)) continue;
      put(to[a.rank], b.rank), put(to[a.rank], packed(b.box));
      put(to[b.rank], a.rank), put(to[b.rank], packed(a.box));
    }
  std::map<Rank, std::vector<Extent>> met;
  for (const Message& message : sparse_exchange(comm, std::move(to)))
    for (ByteReader in(message.bytes); !in.done();) {
      const Rank rank = in.get<Rank>();
      met[rank].push_back(in.get<Extent>());
    }
  std::vector<MeetingRank> result;
  for (auto& [rank, extents] : met) {  // a box in several cells has been told of several times
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.bound < b.bound; });
    extents.erase(std::unique(extents.begin(), extents.end(),
                              [](const Extent& a, const Extent& b) { return a.bound == b.bound; }),
                  extents.end());
    result.push_back({rank, {}});
    for (const Extent& e : extents) result.back().boxes.push_back(unpacked(e));
  }
  return result;
}

}  // namespace sunder::contact
