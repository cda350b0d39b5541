#include "io/mesh_files/vtu_slice.hpp"

#include "core/error.hpp"
#include "io/mesh_files/repeated_rows.hpp"
#include "io/mesh_files/vtu_array_reader.hpp"
#include "io/mesh_files/vtu_flags.hpp"
#include "io/mesh_files/vtu_pieces.hpp"
#include "partition/across_ranks/tree.hpp"

#include <fmt/format.h>
#include <vtkCellType.h>
#include <vtkDataSetAttributes.h>

#include <algorithm>
#include <map>
#include <set>

namespace sunder::io {
namespace {

using partition::BlockDistribution;

std::vector<VtuPiece> pieces_on_all(const Comm& comm, const std::string& path)
{
  std::string bytes;
  on_rank_0(comm, [&] {
    const auto pieces = vtu_layout(path);
    if (!pieces) throw Error(fmt::format("{}: changed while it was read", path));
    const Bytes laid_out = packed(*pieces);
    bytes.assign(reinterpret_cast<const char*>(laid_out.data()), laid_out.size());
  });
  comm.broadcast(bytes);
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return unpacked_pieces({first, first + bytes.size()});
}

GlobalIndex sum_of(const std::vector<VtuPiece>& pieces, GlobalIndex VtuPiece::*count)
{
  GlobalIndex sum = 0;
  for (const VtuPiece& piece : pieces) sum += piece.*count;
  return sum;
}

/// Have all pieces with points the array?
bool all_have(const std::vector<VtuPiece>& pieces, VtuArray VtuPiece::*array)
{
  return std::all_of(pieces.begin(), pieces.end(),
                     [array](const VtuPiece& p) { return p.points == 0 || (p.*array).type != VtuType::none; });
}

void read_points(const std::vector<VtuPiece>& pieces, GlobalIndex end, mesh::MeshSlice& slice)
{
  const bool at_rest = all_have(pieces, &VtuPiece::rest);
  each_slice(pieces, &VtuPiece::points, slice.first_node, end,
             [&](const VtuPiece& piece, FileWindow& file, GlobalIndex first, GlobalIndex last, GlobalIndex before) {
               VtuArrayReader places(file, piece, at_rest ? piece.rest : piece.place),
                   ids(file, piece, slice.nodes_have_ids ? piece.point_ids : piece.place);
               for (GlobalIndex k = first; k < last; k += vtu_rows_at_once) {
                 const auto from = static_cast<std::uint64_t>(k),
                            n = static_cast<std::uint64_t>(std::min(vtu_rows_at_once, last - k));
                 const auto x = places.read<double>(3 * from, 3 * n);
                 for (std::size_t i = 0; i < n; ++i) {
                   slice.nodes.emplace_back(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
                   if (!slice.nodes.back().allFinite())
                     throw Error(fmt::format("{}: expected finite coordinates of point {}, got {} {} {}", piece.file,
                                             from + i, x[3 * i], x[3 * i + 1], x[3 * i + 2]));
                   if (!slice.nodes_have_ids) slice.node_labels.push_back(static_cast<std::uint64_t>(before + k) + i);
                 }
                 if (!slice.nodes_have_ids) continue;
                 for (const std::int64_t id : ids.read<std::int64_t>(from, n))
                   slice.node_labels.push_back(static_cast<std::uint64_t>(id));
               }
             });
}

/// A set by the cell array and the value that make it.
struct SetCode {
  std::int32_t of_faces = 0;
  std::int32_t array = 0;  // of SetArrays
  std::int64_t value = 0;

  auto operator<=>(const SetCode&) const = default;
};

/// The cell arrays that make sets, in the order of their names: vtu_set_arrays, and flags.
class SetArrays {
public:
  explicit SetArrays(const std::vector<std::string>& flags)
  {
    for (const char* name : vtu_set_arrays) is_flag_.emplace(name, false);
    for (const std::string& name : flags) is_flag_.emplace(name, true);
  }
  std::int32_t number_of(const std::string& name) const
  {
    return static_cast<std::int32_t>(std::distance(is_flag_.begin(), is_flag_.find(name)));
  }
  bool is_flag(const std::string& name) const
  {
    const auto found = is_flag_.find(name);
    return found != is_flag_.end() && found->second;
  }
  std::string set_name(const SetCode& code) const
  {
    const auto& [name, flag] = *std::next(is_flag_.begin(), code.array);
    return flag ? name : fmt::format("{}_{}", name, code.value);
  }

private:
  std::map<std::string, bool> is_flag_;
};

/// Some cells of one piece, all their arrays at once.
class CellReader {
public:
  CellReader(FileWindow& file, const VtuPiece& piece, const SetArrays& arrays)
    : piece_(piece),
      types_(file, piece, piece.types),
      offsets_(file, piece, piece.offsets),
      connectivity_(file, piece, piece.connectivity),
      ids_(file, piece, piece.cell_ids),
      ghosts_(file, piece, piece.ghosts)
  {
    for (std::size_t s = 0; s < vtu_set_arrays.size(); ++s)
      if (piece.sets[s])
        sets_.push_back({arrays.number_of(vtu_set_arrays[s]), false, VtuArrayReader(file, piece, piece.sets[s])});
    for (const auto& [name, array] : piece.cell_flags.arrays)
      if (arrays.is_flag(name)) sets_.push_back({arrays.number_of(name), true, VtuArrayReader(file, piece, array)});
  }

  /// found(cell, corners as points of the piece, id, values) for each cell [first, last) that is no other piece's.
  template <class Found>
  void read(GlobalIndex first, GlobalIndex last, Found&& found)
  {
    const auto from = static_cast<std::uint64_t>(first), n = static_cast<std::uint64_t>(last - first);
    const auto types = types_.read<std::int64_t>(from, n);
    std::vector<std::int64_t> ends =
        first > 0 ? offsets_.read<std::int64_t>(from - 1, n + 1) : offsets_.read<std::int64_t>(0, n);
    if (first == 0) ends.insert(ends.begin(), 0);
    check(first, types, ends);
    const auto corners = connectivity_.read<std::int64_t>(static_cast<std::uint64_t>(ends.front()),
                                                          static_cast<std::uint64_t>(ends.back() - ends.front()));
    const auto ids = piece_.cell_ids ? ids_.read<std::int64_t>(from, n) : std::vector<std::int64_t>();
    const auto ghosts = piece_.ghosts ? ghosts_.read<std::int64_t>(from, n) : std::vector<std::int64_t>();
    std::vector<std::vector<std::int64_t>> values;
    for (SetReader& set : sets_) values.push_back(set.reader.read<std::int64_t>(from, n));
    for (std::size_t k = 0; k < n; ++k) {
      const auto cell_points = std::span(corners).subspan(static_cast<std::size_t>(ends[k] - ends[0]),
                                                          static_cast<std::size_t>(ends[k + 1] - ends[k]));
      const auto cell_corners = cell_points.first(static_cast<std::size_t>(vtu_cell(types[k]).corners));
      for (const std::int64_t point : cell_points)
        if (point < 0 || point >= piece_.points)
          fail(fmt::format("points 0 to {} as corners of cell {}", piece_.points - 1, from + k),
               fmt::format("{}", point));
      if (!ghosts.empty() && (ghosts[k] & vtkDataSetAttributes::DUPLICATECELL)) continue;
      second_order_ = second_order_ || cell_points.size() > cell_corners.size();
      std::vector<SetCode> sets;
      for (std::size_t s = 0; s < values.size(); ++s)
        if (!sets_[s].is_flag || values[s][k] == 1)
          sets.push_back({cell_corners.size() == 3, sets_[s].array, values[s][k]});
      std::sort(sets.begin(), sets.end());  // pieces may have their arrays in any order
      found(first + static_cast<GlobalIndex>(k), cell_corners,
            ids.empty() ? std::optional<std::int64_t>() : std::optional(ids[k]), sets);
    }
  }

  /// Has any cell read so far had more points than corners?
  bool second_order() const { return second_order_; }

private:
  [[noreturn]] void fail(const std::string& expected, const std::string& got) const
  {
    throw Error(fmt::format("{}: expected {}, got {}", piece_.file, expected, got));
  }

  void check(GlobalIndex first, const std::vector<std::int64_t>& types, const std::vector<std::int64_t>& ends) const
  {
    for (std::size_t k = 0; k < types.size(); ++k) {
      const GlobalIndex cell = first + static_cast<GlobalIndex>(k);
      if (ends[k] < 0 || ends[k + 1] < ends[k] || static_cast<std::uint64_t>(ends[k + 1]) > piece_.connectivity.values)
        fail("offsets of cells that ascend within connectivity", "others");
      const std::int64_t points = vtu_cell(types[k]).points;
      if (points == 0) fail(vtu_cell_types, fmt::format("type {} for cell {}", types[k], cell));
      if (ends[k + 1] - ends[k] != points)
        fail(fmt::format("{} points of cell {}", points, cell), fmt::format("{}", ends[k + 1] - ends[k]));
    }
  }

  const VtuPiece& piece_;
  VtuArrayReader types_, offsets_, connectivity_, ids_, ghosts_;
  struct SetReader {
    std::int32_t array = 0;  // of SetArrays
    bool is_flag = false;
    VtuArrayReader reader;
  };
  std::vector<SetReader> sets_;
  bool second_order_ = false;
};

/// A triangle of a face set.
struct CodedFace {
  std::array<GlobalIndex, 3> nodes{};
  SetCode set;
};

/// What a rank has read of the cells, sets still by code.
struct Cells {
  std::map<std::vector<SetCode>, std::int32_t> lists{{{}, 0}};
  std::vector<SetCode> seen;
  std::vector<CodedFace> faces;
};

void read_cells(const std::vector<VtuPiece>& pieces, const SetArrays& arrays, GlobalIndex begin, GlobalIndex end,
                mesh::MeshSlice& slice, Cells& cells)
{
  std::set<SetCode> seen;
  GlobalIndex first_point = 0;
  const VtuPiece* at = pieces.data();
  const auto points_before = [&](const VtuPiece& piece) {
    for (; at != &piece; ++at) first_point += at->points;
    return first_point;
  };
  const auto add = [&](GlobalIndex first_row, GlobalIndex cells_before, GlobalIndex cell,
                       std::span<const std::int64_t> corners, std::optional<std::int64_t> id,
                       const std::vector<SetCode>& sets) {
    seen.insert(sets.begin(), sets.end());
    const auto row = [&](std::size_t a) { return first_row + corners[a]; };
    if (corners.size() == 3) {
      for (const SetCode& set : sets) cells.faces.push_back({{row(0), row(1), row(2)}, set});
      return;
    }
    slice.tets.push_back({row(0), row(1), row(2), row(3)});
    slice.element_labels.push_back(static_cast<std::uint64_t>(id ? *id : cells_before + cell));
    slice.tet_sets.push_back(cells.lists.emplace(sets, static_cast<std::int32_t>(cells.lists.size())).first->second);
  };
  each_slice(pieces, &VtuPiece::cells, begin, end,
             [&](const VtuPiece& piece, FileWindow& file, GlobalIndex first, GlobalIndex last, GlobalIndex before) {
               CellReader reader(file, piece, arrays);
               const GlobalIndex first_row = points_before(piece);
               for (GlobalIndex k = first; k < last; k += vtu_rows_at_once)
                 reader.read(
                     k, std::min(k + vtu_rows_at_once, last),
                     [&](GlobalIndex cell, std::span<const std::int64_t> corners, std::optional<std::int64_t> id,
                         const std::vector<SetCode>& sets) { add(first_row, before, cell, corners, id, sets); });
               slice.second_order = slice.second_order || reader.second_order();
             });
  cells.seen.assign(seen.begin(), seen.end());
}

/// Collective. Sets get their names and numbers.
void name_sets(const Comm& comm, const Cells& cells, const SetArrays& arrays, const std::vector<std::string>& flags,
               mesh::MeshSlice& slice)
{
  const std::vector<SetCode> all = partition::union_of(comm, cells.seen);
  std::set<std::string> node_sets(flags.begin(), flags.end());
  for (const SetCode& code : all)
    if (code.of_faces) node_sets.insert(arrays.set_name(code));
  slice.node_sets.assign(node_sets.begin(), node_sets.end());
  std::map<SetCode, std::int32_t> number;
  for (const SetCode& code : all) {
    if (!code.of_faces) {
      number[code] = static_cast<std::int32_t>(slice.element_sets.size());
      slice.element_sets.push_back(arrays.set_name(code));
      continue;
    }
    number[code] = static_cast<std::int32_t>(slice.face_sets.size());
    const auto nodes = std::distance(node_sets.begin(), node_sets.find(arrays.set_name(code)));
    slice.face_sets.push_back({arrays.set_name(code), static_cast<std::int32_t>(nodes)});
  }
  for (const CodedFace& face : cells.faces) slice.set_faces.push_back({face.nodes, number.at(face.set)});
  slice.set_lists.assign(cells.lists.size(), {});
  for (const auto& [codes, list] : cells.lists)
    for (const SetCode& code : codes) slice.set_lists[static_cast<std::size_t>(list)].push_back(number.at(code));
  if (slice.element_sets.empty()) slice.tet_sets = {};
}

/// Collective. Points of different pieces, or with one id, that are one node.
void join(const Comm& comm, const std::vector<VtuPiece>& pieces, mesh::MeshSlice& slice)
{
  if (pieces.size() == 1 && !slice.nodes_have_ids) return;
  std::vector<GlobalIndex> ends;
  for (const VtuPiece& piece : pieces) ends.push_back((ends.empty() ? 0 : ends.back()) + piece.points);
  const auto piece_of = [&](GlobalIndex row) {
    return static_cast<std::int32_t>(std::upper_bound(ends.begin(), ends.end(), row) - ends.begin());
  };
  const auto file_of = [&](std::int32_t piece) { return pieces[static_cast<std::size_t>(piece)].file; };
  const auto first = first_alike(comm, slice, piece_of, file_of);
  if (comm.max(static_cast<std::int64_t>(first.size())) > 0) join_rows(comm, first, slice);
}

}  // namespace

mesh::MeshSlice read_vtu_slice(const Comm& comm, const std::string& path)
{
  const std::vector<VtuPiece> pieces = pieces_on_all(comm, path);
  mesh::MeshSlice slice;
  slice.all_nodes = sum_of(pieces, &VtuPiece::points);
  slice.nodes_have_ids = all_have(pieces, &VtuPiece::point_ids);
  const BlockDistribution points{slice.all_nodes, comm.size()}, cells{sum_of(pieces, &VtuPiece::cells), comm.size()};
  slice.first_node = points.begin(comm.rank());
  const GlobalIndex end = points.begin(comm.rank() + 1);
  slice.nodes.reserve(static_cast<std::size_t>(end - slice.first_node));
  slice.node_labels.reserve(slice.nodes.capacity());
  const GlobalIndex first_cell = cells.begin(comm.rank()), end_cell = cells.begin(comm.rank() + 1);
  const SetArrays arrays(flag_names(comm, pieces, {&VtuPiece::cells, &VtuPiece::cell_flags, first_cell, end_cell}));
  Cells read;
  on_every_rank(comm, [&] { read_cells(pieces, arrays, first_cell, end_cell, slice, read); });
  on_every_rank(comm, [&] { read_points(pieces, end, slice); });
  const VtuFlagSlice point_flags{&VtuPiece::points, &VtuPiece::point_flags, slice.first_node, end};
  const std::vector<std::string> flags = flag_names(comm, pieces, point_flags);
  name_sets(comm, read, arrays, flags, slice);
  std::map<std::string, std::int32_t> flag_sets;
  for (std::size_t s = 0; s < slice.node_sets.size(); ++s)
    if (std::binary_search(flags.begin(), flags.end(), slice.node_sets[s]))
      flag_sets[slice.node_sets[s]] = static_cast<std::int32_t>(s);
  on_every_rank(comm, [&] {
    each_flag(pieces, point_flags, flag_sets, [&](std::int32_t set, GlobalIndex row, std::int64_t value) {
      if (value == 1) slice.set_nodes.push_back({row, set});
    });
  });
  slice.second_order = comm.max(static_cast<std::int64_t>(slice.second_order)) > 0;
  slice.all_tets = comm.sum(static_cast<std::int64_t>(slice.tets.size()));
  slice.first_tet = comm.sum_before(static_cast<std::int64_t>(slice.tets.size()));
  if (slice.all_tets == 0) throw_on_all(comm, fmt::format("{}: expected at least one tetrahedron, got none", path));
  join(comm, pieces, slice);
  return slice;
}

}  // namespace sunder::io
