#include "io/mesh_files/vtu_reader.hpp"

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "io/files/vtk_failure.hpp"
#include "io/mesh_files/mesh_slice_reader.hpp"
#include "io/mesh_files/vtu_layout.hpp"
#include "io/mesh_files/vtu_slice.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkErrorCode.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLDataParser.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <tuple>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

struct Piece {
  std::string file;
  vtkSmartPointer<vtkUnstructuredGrid> grid;
};

/// VTK allocates what the header of a file asks for, before it looks whether that is there.
void expect_room(const std::string& file, std::uintmax_t room, vtkXMLDataElement& element)
{
  for (const char* count : {"NumberOfPoints", "NumberOfCells", "NumberOfTuples", "NumberOfComponents"}) {
    const char* text = element.GetAttribute(count);
    if (!text) continue;
    const std::string_view digits = text;
    std::uint64_t n = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    const std::uint64_t most = std::string_view(count) == "NumberOfComponents" ? 1000 : room;
    if (code != std::errc() || end != digits.data() + digits.size() || n > most)
      throw Error(fmt::format("{}: expected a {} the file has room for, got '{}'", file, count, digits.substr(0, 40)));
  }
  for (int k = 0; k < element.GetNumberOfNestedElements(); ++k) expect_room(file, room, *element.GetNestedElement(k));
}

/// Reads the XML alone, not the data.
void check_header(const std::string& file, const VtkErrors& errors)
{
  vtkNew<vtkXMLDataParser> parser;
  parser->SetFileName(file.c_str());
  if (!parser->Parse() || !parser->GetRootElement())
    throw Error(fmt::format("{}: VTK cannot read it: {}", file, errors.first().empty() ? "no XML" : errors.first()));
  constexpr std::uintmax_t greatest_ratio = 1032;  // of bytes that deflate makes of one
  const bool compressed = parser->GetRootElement()->GetAttribute("compressor") != nullptr;
  expect_room(file, fs::file_size(file) * (compressed ? greatest_ratio : 1), *parser->GetRootElement());
}

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::string& file)
{
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) throw Error(fmt::format("{}: expected a mesh file, found none", file));
  const VtkErrors errors;
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  const auto expect_no_error = [&] {
    if (!errors.first().empty()) throw Error(fmt::format("{}: VTK cannot read it: {}", file, errors.first()));
    if (const auto code = reader->GetErrorCode(); code != vtkErrorCode::NoError)
      throw Error(fmt::format("{}: VTK cannot read it: {}", file, vtk_reason(code)));
  };
  if (!reader->CanReadFile(file.c_str()))
    throw Error(fmt::format("{}: expected an unstructured grid in VTK's XML format, got something else", file));
  reader->SetFileName(file.c_str());
  try {
    check_header(file, errors);
    reader->UpdateInformation();
    expect_no_error();
    reader->Update();
    expect_no_error();
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: needs more memory than there is", file));
  }
  return reader->GetOutput();
}

vtkDataArray* array_of(vtkFieldData& data, const char* name)
{
  return vtkDataArray::SafeDownCast(data.GetAbstractArray(name));
}

bool holds_integers(vtkDataArray& array)
{
  return array.GetDataType() != VTK_FLOAT && array.GetDataType() != VTK_DOUBLE;
}

/// Before any of its indices is believed.
void check(const Piece& piece)
{
  vtkUnstructuredGrid& grid = *piece.grid;
  const vtkIdType points = grid.GetNumberOfPoints(), cells = grid.GetNumberOfCells();
  const auto fail = [&piece](const std::string& expected, const std::string& got) {
    throw Error(fmt::format("{}: expected {}, got {}", piece.file, expected, got));
  };
  if (cells == 0) return;
  if (!grid.GetCells() || !grid.GetCells()->IsValid())
    fail("offsets of cells that ascend within connectivity", "others");
  vtkUnsignedCharArray* types = grid.GetCellTypesArray();
  if (!types || types->GetNumberOfTuples() != cells) fail("a type for each cell", "fewer or more");
  for (vtkIdType c = 0; c < cells; ++c) {
    const int type = types->GetValue(c);
    const auto corners = vtu_cell(type).points;
    if (corners == 0) fail(vtu_cell_types, fmt::format("type {} for cell {}", type, c));
    vtkIdType n = 0;
    const vtkIdType* nodes = nullptr;
    grid.GetCells()->GetCellAtId(c, n, nodes);
    if (n != corners) fail(fmt::format("{} points of cell {}", corners, c), fmt::format("{}", n));
    for (vtkIdType a = 0; a < n; ++a)
      if (nodes[a] < 0 || nodes[a] >= points)
        fail(fmt::format("points 0 to {} as corners of cell {}", points - 1, c), fmt::format("{}", nodes[a]));
  }
}

void check_sizes(const Piece& piece, vtkDataSetAttributes& data, vtkIdType due, const char* things)
{
  for (int k = 0; k < data.GetNumberOfArrays(); ++k)
    if (auto* array = data.GetAbstractArray(k); array->GetNumberOfTuples() != due)
      throw Error(fmt::format("{}: expected {} values of {} array '{}', got {}", piece.file, due, things,
                              array->GetName() ? array->GetName() : "", array->GetNumberOfTuples()));
}

std::vector<Piece> read_pieces(const std::string& path)
{
  std::vector<Piece> pieces;
  const bool many = fs::path(path).extension() == ".pvtu";
  for (const std::string& file : many ? vtu_piece_files(path) : std::vector<std::string>{path}) {
    pieces.push_back({file, read_grid(file)});
    vtkUnstructuredGrid& grid = *pieces.back().grid;
    check(pieces.back());
    check_sizes(pieces.back(), *grid.GetPointData(), grid.GetNumberOfPoints(), "point");
    check_sizes(pieces.back(), *grid.GetCellData(), grid.GetNumberOfCells(), "cell");
  }
  return pieces;
}

template <class Test>
bool all_with_points(const std::vector<Piece>& pieces, const Test& test)
{
  return std::all_of(pieces.begin(), pieces.end(),
                     [&test](const Piece& p) { return p.grid->GetNumberOfPoints() == 0 || test(*p.grid); });
}

/// The array that is declared as GlobalIds, or else has the name `otherwise`; null if there is none.
vtkDataArray* ids_of(vtkDataSetAttributes& data, const char* otherwise)
{
  if (vtkDataArray* declared = data.GetGlobalIds()) return declared;
  vtkDataArray* named = array_of(data, otherwise);
  return named && holds_integers(*named) && named->GetNumberOfComponents() == 1 ? named : nullptr;
}

/// Every point of every piece.
struct Points {
  std::vector<Vec3> x;
  std::vector<std::uint64_t> label;
  std::vector<std::uint32_t> piece;
  bool have_ids = false;
};

Points gather_points(const std::vector<Piece>& pieces)
{
  Points points;
  points.have_ids = all_with_points(pieces, [](auto& g) { return ids_of(*g.GetPointData(), vtu_node_ids) != nullptr; });
  const bool at_rest = all_with_points(pieces, [](auto& g) {
    const vtkDataArray* X = array_of(*g.GetPointData(), "MaterialPosition");
    return X && X->GetNumberOfComponents() == 3;
  });
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    vtkUnstructuredGrid& grid = *pieces[p].grid;
    vtkDataArray* ids = ids_of(*grid.GetPointData(), vtu_node_ids);
    vtkDataArray* rest = at_rest ? array_of(*grid.GetPointData(), "MaterialPosition") : nullptr;
    for (vtkIdType i = 0; i < grid.GetNumberOfPoints(); ++i) {
      Vec3 x;
      rest ? rest->GetTuple(i, x.data()) : grid.GetPoint(i, x.data());
      const std::uint64_t label =
          points.have_ids ? static_cast<std::uint64_t>(ids->GetVariantValue(i).ToTypeInt64()) : points.x.size();
      if (!x.allFinite())
        throw Error(fmt::format("{}: expected finite coordinates of point {}, got {} {} {}", pieces[p].file, i, x.x(),
                                x.y(), x.z()));
      points.x.push_back(x), points.label.push_back(label), points.piece.push_back(static_cast<std::uint32_t>(p));
    }
  }
  return points;
}

/// For each point the first that is the same node; itself if none is.
std::vector<std::size_t> first_points_alike(const Points& points, const std::vector<Piece>& pieces)
{
  std::vector<std::size_t> order(points.x.size()), first(points.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  first = order;
  if (pieces.size() == 1 && !points.have_ids) return first;
  const auto key = [&points](std::size_t i) {
    const Vec3& x = points.x[i];
    return points.have_ids ? std::tuple(points.label[i], 0., 0., 0.)
                           : std::tuple(std::uint64_t{0}, x.x(), x.y(), x.z());
  };
  std::stable_sort(order.begin(), order.end(), [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::size_t i = order[k], leader = first[order[k - 1]];
    if (key(i) != key(leader)) continue;
    if (points.have_ids && points.x[i] != points.x[leader])
      throw Error(fmt::format("{}: expected the point of id {} in one place, got two", pieces[points.piece[i]].file,
                              points.label[i]));
    // Two points of one piece in one place are not a seam between pieces: they stay two, for check_mesh() to judge.
    if (points.have_ids || points.piece[i] != points.piece[leader]) first[i] = leader;
  }
  return first;
}

/// A cell's set, by array and value; a flag's has none.
using Value = std::pair<std::string, std::optional<long long>>;

std::vector<std::pair<const char*, vtkDataArray*>> integer_arrays(const Piece& piece)
{
  std::vector<std::pair<const char*, vtkDataArray*>> arrays;
  for (const char* name : vtu_set_arrays) {
    vtkDataArray* array = array_of(*piece.grid->GetCellData(), name);
    if (!array) continue;
    if (!holds_integers(*array) || array->GetNumberOfComponents() != 1)
      throw Error(fmt::format("{}: expected one integer a cell in array '{}', got {} of type {}", piece.file, name,
                              array->GetNumberOfComponents(), array->GetDataTypeAsString()));
    arrays.emplace_back(name, array);
  }
  return arrays;
}

bool is_ghost(vtkUnstructuredGrid& grid, vtkIdType cell)
{
  vtkUnsignedCharArray* ghosts = grid.GetCellGhostArray();
  return ghosts && (ghosts->GetValue(cell) & vtkDataSetAttributes::DUPLICATECELL) != 0;
}

struct Sets {
  std::map<Value, std::vector<GlobalIndex>> elements;
  std::map<Value, std::vector<std::array<GlobalIndex, 3>>> faces;
  std::map<std::string, std::vector<GlobalIndex>> nodes;
};

/// node: of each point of this piece. first_cell: cells of the pieces before. flags: names of cell arrays.
void add_cells(const Piece& piece, const GlobalIndex* node, std::uint64_t first_cell,
               const std::vector<std::string>& flags, mesh::MeshData& data, Sets& sets)
{
  vtkUnstructuredGrid& grid = *piece.grid;
  const auto arrays = integer_arrays(piece);
  std::vector<std::pair<std::string, vtkDataArray*>> ones;
  for (const std::string& name : flags)
    if (vtkDataArray* array = array_of(*grid.GetCellData(), name.c_str())) ones.emplace_back(name, array);
  vtkDataArray* ids = ids_of(*grid.GetCellData(), vtu_element_ids);
  for (vtkIdType c = 0; c < grid.GetNumberOfCells(); ++c) {
    if (is_ghost(grid, c)) continue;
    vtkIdType n = 0;
    const vtkIdType* corners = nullptr;
    grid.GetCells()->GetCellAtId(c, n, corners);
    const auto corner = [&](std::size_t a) { return node[corners[a]]; };
    const VtuCell shape = vtu_cell(grid.GetCellType(c));
    data.second_order = data.second_order || shape.points > shape.corners;
    if (shape.corners == 4) {
      data.tets.push_back({corner(0), corner(1), corner(2), corner(3)});
      data.element_labels.push_back(ids ? static_cast<std::uint64_t>(ids->GetVariantValue(c).ToTypeInt64())
                                        : first_cell + static_cast<std::uint64_t>(c));
    }
    const auto add_to = [&](const Value& value) {
      if (shape.corners == 4)
        sets.elements[value].push_back(static_cast<GlobalIndex>(data.tets.size()) - 1);
      else
        sets.faces[value].push_back({corner(0), corner(1), corner(2)});
    };
    for (const auto& [name, array] : arrays) add_to({name, array->GetVariantValue(c).ToLongLong()});
    for (const auto& [name, array] : ones)
      if (array->GetComponent(c, 0) == 1) add_to({name, std::nullopt});
  }
}

/// Names of the arrays that hold zeros and ones in every piece that has them, and a one somewhere.
/// data_of: those of points, or of cells; ids: the name of an array of ids.
template <class DataOf>
std::vector<std::string> flag_arrays(const std::vector<Piece>& pieces, const DataOf& data_of, const char* ids)
{
  std::map<std::string, bool> is_flag;
  std::map<std::string, bool> has_one;
  for (const Piece& piece : pieces) {
    vtkDataSetAttributes& data = data_of(*piece.grid);
    for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
      vtkDataArray* array = data.GetArray(k);
      if (!array || !array->GetName() || array == ids_of(data, ids)) continue;
      const std::string name = array->GetName();
      bool flag = name != vtkDataSetAttributes::GhostArrayName() && holds_integers(*array) &&
                  array->GetNumberOfComponents() == 1;
      for (vtkIdType i = 0; flag && i < array->GetNumberOfTuples(); ++i) {
        const double value = array->GetComponent(i, 0);
        flag = value == 0 || value == 1;
        if (value == 1) has_one[name] = true;
      }
      is_flag.emplace(name, true).first->second &= flag;
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, flag] : is_flag)
    if (flag && has_one[name]) names.push_back(name);
  return names;
}

std::vector<std::string> point_flags(const std::vector<Piece>& pieces)
{
  return flag_arrays(
      pieces, [](auto& grid) -> vtkDataSetAttributes& { return *grid.GetPointData(); }, vtu_node_ids);
}

std::vector<std::string> cell_flags(const std::vector<Piece>& pieces)
{
  std::vector<std::string> names = flag_arrays(
      pieces, [](auto& grid) -> vtkDataSetAttributes& { return *grid.GetCellData(); }, vtu_element_ids);
  std::erase_if(names, [](const std::string& name) {
    return std::find(vtu_set_arrays.begin(), vtu_set_arrays.end(), name) != vtu_set_arrays.end();
  });
  return names;
}

std::string name_of(const Value& value)
{
  return value.second ? fmt::format("{}_{}", value.first, *value.second) : value.first;
}

void add_sets(Sets sets, mesh::MeshData& data)
{
  for (auto& [value, elements] : sets.elements) data.element_sets.push_back({name_of(value), std::move(elements)});
  for (auto& [value, faces] : sets.faces) {
    for (const auto& face : faces) {
      auto& nodes = sets.nodes[name_of(value)];
      nodes.insert(nodes.end(), face.begin(), face.end());
    }
    data.face_sets.push_back({name_of(value), std::move(faces)});
  }
  for (auto& [name, nodes] : sets.nodes) {
    sort_unique(nodes);
    data.node_sets.push_back({name, std::move(nodes)});
  }
}

}  // namespace

mesh::MeshData read_vtu(const std::string& path)
{
  if (vtu_layout(path)) return whole_mesh(read_vtu_slice(Comm(MPI_COMM_SELF), path));
  const std::vector<Piece> pieces = read_pieces(path);
  const Points points = gather_points(pieces);
  const std::vector<std::size_t> first = first_points_alike(points, pieces);
  mesh::MeshData data;
  data.nodes_have_ids = points.have_ids;
  std::vector<GlobalIndex> node(points.x.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == i) {
      node[i] = static_cast<GlobalIndex>(data.nodes.size());
      data.nodes.push_back(points.x[i]), data.node_labels.push_back(points.label[i]);
    } else {
      node[i] = node[first[i]];  // an earlier point: the sort is stable
    }
  }
  Sets sets;
  const std::vector<std::string> of_points = point_flags(pieces), of_cells = cell_flags(pieces);
  std::uint64_t first_cell = 0;
  std::size_t first_point = 0;
  for (const Piece& piece : pieces) {
    add_cells(piece, node.data() + first_point, first_cell, of_cells, data, sets);
    for (const std::string& name : of_points) {
      vtkDataArray* array = array_of(*piece.grid->GetPointData(), name.c_str());
      for (vtkIdType i = 0; array && i < array->GetNumberOfTuples(); ++i)
        if (array->GetComponent(i, 0) == 1) sets.nodes[name].push_back(node[first_point + at(i)]);
    }
    first_cell += static_cast<std::uint64_t>(piece.grid->GetNumberOfCells());
    first_point += at(piece.grid->GetNumberOfPoints());
  }
  if (data.tets.empty()) throw Error(fmt::format("{}: expected at least one tetrahedron, got none", path));
  add_sets(std::move(sets), data);
  return data;
}

}  // namespace sunder::io
