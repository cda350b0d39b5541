#include "io/mesh_files/repeated_rows.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/sort_unique.hpp"
#include "partition/across_ranks/fetch.hpp"
#include "partition/across_ranks/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sunder::io {
namespace {

struct Point {
  std::uint64_t label = 0;  // 0 without ids
  std::array<double, 3> x{};
  GlobalIndex row = 0;
  std::int32_t piece = 0;

  bool same_place(const Point& other) const { return x[0] == other.x[0] && x[1] == other.x[1] && x[2] == other.x[2]; }
};

struct Join {
  GlobalIndex row = 0, first = 0;
};

struct TwoPlaces {
  std::uint64_t label = 0;
  std::int32_t piece = 0;
};

Rank home_of(const Comm& comm, const Point& p, bool have_ids)
{
  const std::uint64_t hash = have_ids ? mix(p.label) : combine(combine(combine(0, p.x[0]), p.x[1]), p.x[2]);
  return static_cast<Rank>(hash % static_cast<std::uint64_t>(comm.size()));
}

/// Collective. Points by what makes them the same, each where its hash says.
std::vector<Point> gathered(const Comm& comm, const mesh::MeshSlice& slice,
                            const std::function<std::int32_t(GlobalIndex)>& piece_of)
{
  std::vector<Point> points;
  const std::size_t batches = partition::batches_of(comm, slice.nodes.size());
  for (std::size_t batch = 0; batch < batches; ++batch) {
    std::map<Rank, Bytes> to;
    const std::size_t end = std::min((batch + 1) * partition::rows_at_once, slice.nodes.size());
    for (std::size_t n = batch * partition::rows_at_once; n < end; ++n) {
      const Vec3& x = slice.nodes[n];
      const GlobalIndex row = slice.first_node + static_cast<GlobalIndex>(n);
      const Point point{slice.nodes_have_ids ? slice.node_labels[n] : 0,
                        {x.x() + 0.0, x.y() + 0.0, x.z() + 0.0},  // -0 is 0
                        row,
                        piece_of(row)};
      put(to[home_of(comm, point, slice.nodes_have_ids)], point);
    }
    for (const Message& message : sparse_exchange(comm, std::move(to))) {
      const auto more = partition::values_of<Point>(message.bytes);
      points.insert(points.end(), more.begin(), more.end());
    }
  }
  const auto key = [](const Point& p) { return std::tie(p.label, p.x, p.row); };
  const auto by_id = [](const Point& p) { return std::tie(p.label, p.row); };
  if (slice.nodes_have_ids)
    std::sort(points.begin(), points.end(), [&](const auto& a, const auto& b) { return by_id(a) < by_id(b); });
  else
    std::sort(points.begin(), points.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return points;
}

}  // namespace

std::vector<GlobalIndex> first_alike(const Comm& comm, const mesh::MeshSlice& slice,
                                     const std::function<std::int32_t(GlobalIndex)>& piece_of,
                                     const std::function<std::string(std::int32_t)>& file_of)
{
  const std::vector<Point> points = gathered(comm, slice, piece_of);
  std::vector<Join> joins;
  std::vector<TwoPlaces> wrong;
  for (std::size_t k = 1, leader = 0; k < points.size(); ++k) {
    const bool alike =
        slice.nodes_have_ids ? points[k].label == points[leader].label : points[k].same_place(points[leader]);
    if (alike && slice.nodes_have_ids && !points[k].same_place(points[leader]) && wrong.empty())
      wrong.push_back({points[k].label, points[k].piece});
    if (alike && (slice.nodes_have_ids || points[k].piece != points[leader].piece))
      joins.push_back({points[k].row, points[leader].row});
    else
      leader = k;
  }
  wrong = partition::merged(comm, std::move(wrong), [](auto a, const auto& b) {
    a.insert(a.end(), b.begin(), b.end());
    if (a.size() == 2) a = {a[0].label < a[1].label ? a[0] : a[1]};
    return a;
  });
  if (!wrong.empty())
    throw_on_all(comm, fmt::format("{}: expected the point of id {} in one place, got two", file_of(wrong[0].piece),
                                   wrong[0].label));
  if (comm.max(static_cast<std::int64_t>(joins.size())) == 0) return {};
  std::vector<GlobalIndex> first(slice.nodes.size());
  for (std::size_t n = 0; n < first.size(); ++n) first[n] = slice.first_node + static_cast<GlobalIndex>(n);
  partition::tell_rows<Join>(
      comm, {slice.all_nodes, comm.size()}, joins, [](const Join& j) { return j.row; },
      [&](const Join& j) { first[static_cast<std::size_t>(j.row - slice.first_node)] = j.first; });
  return first;
}

void join_rows(const Comm& comm, const std::vector<GlobalIndex>& first, mesh::MeshSlice& slice)
{
  slice.repeated.resize(slice.nodes.size(), 0);
  for (std::size_t n = 0; n < first.size(); ++n)
    slice.repeated[n] = first[n] != slice.first_node + static_cast<GlobalIndex>(n);
  const partition::BlockDistribution rows{slice.all_nodes, comm.size()};
  const auto rename = [&](auto& things, auto&& each_row) {
    const std::size_t batches = partition::batches_of(comm, things.size());
    for (std::size_t batch = 0; batch < batches; ++batch) {
      const std::size_t begin = std::min(batch * partition::rows_at_once, things.size()),
                        end = std::min(begin + partition::rows_at_once, things.size());
      std::vector<GlobalIndex> wanted;
      for (std::size_t k = begin; k < end; ++k) each_row(things[k], [&](GlobalIndex& row) { wanted.push_back(row); });
      sort_unique(wanted);
      const auto found = partition::fetch<GlobalIndex>(comm, rows, first, wanted);
      for (std::size_t k = begin; k < end; ++k)
        each_row(things[k], [&](GlobalIndex& row) { row = found[partition::place_of(wanted, row)]; });
    }
  };
  rename(slice.tets, [](auto& tet, auto&& row) { std::for_each(tet.begin(), tet.end(), row); });
  rename(slice.set_faces, [](auto& face, auto&& row) { std::for_each(face.nodes.begin(), face.nodes.end(), row); });
  rename(slice.set_nodes, [](auto& member, auto&& row) { row(member.node); });
}

}  // namespace sunder::io
