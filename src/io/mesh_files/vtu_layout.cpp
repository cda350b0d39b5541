#include "io/mesh_files/vtu_layout.hpp"

#include "core/error.hpp"
#include "io/files/file_window.hpp"
#include "io/files/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkDataSetAttributes.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLDataParser.h>
#include <vtkXMLUtilities.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

namespace sunder::io {
namespace {

namespace fs = std::filesystem;

/// Thrown for what the reader of whole files is to judge.
struct NotInSlices {};

void require(bool condition)
{
  if (!condition) throw NotInSlices();
}

std::string attribute(vtkXMLDataElement& element, const char* name, const char* otherwise)
{
  const char* text = element.GetAttribute(name);
  return text ? text : otherwise;
}

std::uint64_t count_of(vtkXMLDataElement& element, const char* name, const char* otherwise = "")
{
  const std::string text = attribute(element, name, otherwise);
  std::uint64_t n = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), n);
  require(code == std::errc() && end == text.data() + text.size() && n < std::uint64_t{1} << 48);
  return n;
}

VtuType type_of(const std::string& name)
{
  static const std::map<std::string, VtuType> types{
      {"Int8", VtuType::i8},     {"UInt8", VtuType::u8},   {"Int16", VtuType::i16}, {"UInt16", VtuType::u16},
      {"Int32", VtuType::i32},   {"UInt32", VtuType::u32}, {"Int64", VtuType::i64}, {"UInt64", VtuType::u64},
      {"Float32", VtuType::f32}, {"Float64", VtuType::f64}};
  const auto it = types.find(name);
  return it == types.end() ? VtuType::none : it->second;
}

/// Where the raw bytes begin: behind the underscore.
std::uint64_t appended_at(const std::string& path)
{
  FileWindow file(path, "a mesh file");
  constexpr std::size_t step = 1 << 16;
  constexpr std::string_view mark = "<AppendedData";
  for (std::uint64_t from = 0; from < file.size(); from += step) {
    const std::size_t found = file.view(from, step + mark.size()).find(mark);
    if (found == std::string_view::npos) continue;
    const std::uint64_t begin = from + found;
    const std::string_view tag = file.view(begin, 4096);
    const std::size_t end = tag.find('>');
    require(end != std::string_view::npos);
    const std::size_t first = tag.find_first_not_of(" \t\r\n", end + 1);
    require(first != std::string_view::npos && tag[first] == '_');
    return begin + first + 1;
  }
  throw NotInSlices();
}

/// One file's header, from which its arrays are taken.
class Header {
public:
  explicit Header(const std::string& path) : size_(fs::file_size(path))
  {
    parser_->SetFileName(path.c_str());
    require(parser_->Parse() && parser_->GetRootElement() && errors_.first().empty());
    vtkXMLDataElement& root = *parser_->GetRootElement();
    require(attribute(root, "type", "") == "UnstructuredGrid");
    const std::string order = attribute(root, "byte_order", ""), counts = attribute(root, "header_type", "UInt32");
    require(order == "LittleEndian" || order == "BigEndian");
    require(counts == "UInt32" || counts == "UInt64");
    const std::string compressor = attribute(root, "compressor", "");
    require(compressor.empty() || compressor == "vtkZLibDataCompressor" || compressor == "vtkLZ4DataCompressor");
    vtkXMLDataElement* appended = root.FindNestedElementWithName("AppendedData");
    require(appended && attribute(*appended, "encoding", "") == "raw");
    vtkXMLDataElement* grid = root.FindNestedElementWithName("UnstructuredGrid");
    require(grid != nullptr);
    for (int k = 0; k < grid->GetNumberOfNestedElements(); ++k)
      if (vtkXMLDataElement* element = grid->GetNestedElement(k); attribute_name(*element) == "Piece") {
        require(!piece_);
        piece_ = element;
      }
    require(piece_ != nullptr);
    found_.file = path;
    found_.points = static_cast<GlobalIndex>(count_of(*piece_, "NumberOfPoints"));
    found_.cells = static_cast<GlobalIndex>(count_of(*piece_, "NumberOfCells"));
    found_.swapped = (order == "BigEndian") != (std::endian::native == std::endian::big);
    found_.wide = counts == "UInt64";
    found_.compressor = compressor.empty()                      ? VtuCompressor::none
                        : compressor == "vtkZLibDataCompressor" ? VtuCompressor::zlib
                                                                : VtuCompressor::lz4;
    appended_at_ = appended_at(path);
  }

  VtuPiece piece()
  {
    const auto points = static_cast<std::uint64_t>(found_.points), cells = static_cast<std::uint64_t>(found_.cells);
    each_array("Points", [&](vtkXMLDataElement& array, const std::string&) {
      require(!found_.place);
      found_.place = array_of(array, points, 3);
      require(is_real(found_.place.type));
    });
    each_array("Cells", [&](vtkXMLDataElement& array, const std::string& name) {
      if (name == "connectivity") found_.connectivity = array_of(array, std::nullopt, 1);
      if (name == "offsets") found_.offsets = array_of(array, cells, 1);
      if (name == "types") found_.types = array_of(array, cells, 1);
    });
    take_point_arrays(points);
    take_cell_arrays(cells);
    require(found_.place && found_.connectivity && found_.offsets && found_.types);
    require(!is_real(found_.connectivity.type) && !is_real(found_.offsets.type) && found_.types.type == VtuType::u8);
    return std::move(found_);
  }

private:
  static std::string attribute_name(vtkXMLDataElement& element) { return element.GetName() ? element.GetName() : ""; }

  template <class Found>
  void each_array(const char* of, Found&& found)
  {
    for (int k = 0; k < piece_->GetNumberOfNestedElements(); ++k) {
      vtkXMLDataElement& group = *piece_->GetNestedElement(k);
      if (attribute_name(group) != of) continue;
      for (int a = 0; a < group.GetNumberOfNestedElements(); ++a) {
        vtkXMLDataElement& array = *group.GetNestedElement(a);
        require(attribute_name(array) == "DataArray" || attribute_name(array) == "Array");
        found(array, attribute(array, "Name", ""));
      }
    }
  }

  /// The array that is declared as GlobalIds, or else has the name `otherwise`.
  std::string ids_of(const char* group, const char* otherwise)
  {
    vtkXMLDataElement* element = piece_->FindNestedElementWithName(group);
    return element ? attribute(*element, "GlobalIds", otherwise) : "";
  }

  void take_point_arrays(std::uint64_t points)
  {
    const std::string ids = ids_of("PointData", vtu_node_ids);
    each_array("PointData", [&](vtkXMLDataElement& array, const std::string& name) {
      const VtuType type = type_of(attribute(array, "type", ""));
      const std::uint64_t components = count_of(array, "NumberOfComponents", "1");
      if (!ids.empty() && name == ids) {
        found_.point_ids = array_of(array, points, 1);
        require(!is_real(type));
        return;
      }
      if (name == "MaterialPosition" && components == 3) found_.rest = array_of(array, points, 3);
      take_flags(array, name, points, found_.point_flags);
    });
  }

  void take_cell_arrays(std::uint64_t cells)
  {
    const std::string ids = ids_of("CellData", vtu_element_ids);
    each_array("CellData", [&](vtkXMLDataElement& array, const std::string& name) {
      if (!ids.empty() && name == ids) {
        found_.cell_ids = array_of(array, cells, 1);
        require(!is_real(found_.cell_ids.type));
        return;
      }
      if (name == vtkDataSetAttributes::GhostArrayName()) {
        found_.ghosts = array_of(array, cells, 1);
        require(found_.ghosts.type == VtuType::u8);
      }
      for (std::size_t s = 0; s < vtu_set_arrays.size(); ++s)
        if (name == vtu_set_arrays[s]) {
          found_.sets[s] = array_of(array, cells, 1);
          require(!is_real(found_.sets[s].type));
          return;
        }
      take_flags(array, name, cells, found_.cell_flags);
    });
  }

  void take_flags(vtkXMLDataElement& array, const std::string& name, std::uint64_t tuples, VtuFlags& flags)
  {
    const VtuType type = type_of(attribute(array, "type", ""));
    if (type != VtuType::none && !is_real(type) && count_of(array, "NumberOfComponents", "1") == 1 && !name.empty() &&
        name != vtkDataSetAttributes::GhostArrayName())
      flags.arrays.emplace_back(name, array_of(array, tuples, 1));
    else
      flags.others.push_back(name);
  }

  /// tuples: as many as there must be, if that is known.
  VtuArray array_of(vtkXMLDataElement& element, std::optional<std::uint64_t> tuples, std::uint64_t components)
  {
    require(attribute(element, "format", "") == "appended" && !element.GetAttribute("TimeStep"));
    require(count_of(element, "NumberOfComponents", "1") == components);
    VtuArray array;
    array.type = type_of(attribute(element, "type", ""));
    require(array.type != VtuType::none);
    array.at = appended_at_ + count_of(element, "offset");
    FileWindow file(found_.file, "a mesh file");
    const std::uint64_t count_size = found_.wide ? 8 : 4;
    const auto count_at = [&](std::uint64_t at) {
      const std::string_view raw = file.view(at, count_size);
      require(raw.size() == count_size);
      return number(raw);
    };
    std::uint64_t bytes = count_at(array.at);
    if (found_.compressor != VtuCompressor::none) {
      const std::uint64_t blocks = bytes, room = (size_ - array.at) / count_size;
      require(blocks <= room && blocks + 3 <= room);
      const std::uint64_t block = blocks ? count_at(array.at + count_size) : 0,
                          rest = blocks ? count_at(array.at + 2 * count_size) : 0;
      constexpr std::uint64_t largest_block = std::uint64_t{1} << 28;
      require(blocks == 0 || (block > 0 && block <= largest_block && rest < block));
      bytes = blocks == 0 ? 0 : rest ? (blocks - 1) * block + rest : blocks * block;
      constexpr std::uint64_t greatest_ratio = 1032;  // of bytes that deflate makes of one
      require(bytes <= size_ * greatest_ratio);
    } else {
      array.at += count_size;
      require(bytes <= size_ - array.at);
    }
    require(bytes % size_of(array.type) == 0);
    array.values = bytes / size_of(array.type);
    require(!tuples || array.values == *tuples * components);
    return array;
  }

  std::uint64_t number(std::string_view raw) const
  {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < raw.size(); ++k) {
      const std::size_t digit = (found_.swapped != (std::endian::native == std::endian::big)) ? k : raw.size() - 1 - k;
      value = value << 8 | static_cast<unsigned char>(raw[digit]);
    }
    return value;
  }

  std::uintmax_t size_;
  VtkErrors errors_;
  vtkNew<vtkXMLDataParser> parser_;
  vtkXMLDataElement* piece_ = nullptr;
  std::uint64_t appended_at_ = 0;
  VtuPiece found_;
};

}  // namespace

VtuCell vtu_cell(std::int64_t type)
{
  switch (type) {
    case 5:  // VTK_TRIANGLE
      return {3, 3};
    case 10:  // VTK_TETRA
      return {4, 4};
    case 22:  // VTK_QUADRATIC_TRIANGLE
      return {3, 6};
    case 24:  // VTK_QUADRATIC_TETRA
      return {4, 10};
    default:
      return {};
  }
}

std::uint64_t size_of(VtuType type)
{
  constexpr std::array<std::uint8_t, 11> sizes{1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

bool is_real(VtuType type)
{
  return type == VtuType::f32 || type == VtuType::f64;
}

std::uint64_t VtuArray::bytes() const
{
  return values * size_of(type);
}

std::optional<std::vector<VtuPiece>> vtu_layout(const std::string& path)
{
  try {
    std::vector<VtuPiece> pieces;
    const bool many = fs::path(path).extension() == ".pvtu";
    for (const std::string& file : many ? vtu_piece_files(path) : std::vector<std::string>{path}) {
      std::error_code ignored;
      require(fs::is_regular_file(file, ignored));
      pieces.push_back(Header(file).piece());
    }
    return pieces;
  } catch (const NotInSlices&) {
  } catch (const Unreadable&) {
    throw;
  } catch (const Error&) {
  } catch (const fs::filesystem_error&) {
  }
  return std::nullopt;
}

std::vector<std::string> vtu_piece_files(const std::string& path)
{
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) throw Error(fmt::format("{}: expected a mesh file, found none", path));
  const VtkErrors errors;
  const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(path.c_str()));
  if (!root || !errors.first().empty())
    throw Error(
        fmt::format("{}: expected XML, {}", path, errors.first().empty() ? "got something else" : errors.first()));
  vtkXMLDataElement* grid = root->FindNestedElementWithName("PUnstructuredGrid");
  if (!grid) throw Error(fmt::format("{}: expected an element PUnstructuredGrid, got none", path));
  std::vector<std::string> files;
  for (int k = 0; k < grid->GetNumberOfNestedElements(); ++k) {
    vtkXMLDataElement* piece = grid->GetNestedElement(k);
    if (!piece->GetName() || std::string(piece->GetName()) != "Piece") continue;
    const char* source = piece->GetAttribute("Source");
    if (!source) throw Error(fmt::format("{}: expected a Source of piece {}, got none", path, files.size()));
    files.push_back((fs::path(path).parent_path() / source).string());
  }
  if (files.empty()) throw Error(fmt::format("{}: expected at least one piece, got none", path));
  return files;
}

Bytes packed(const std::vector<VtuPiece>& pieces)
{
  Bytes out;
  const auto put_text = [&out](const std::string& text) { put(out, std::vector<char>(text.begin(), text.end())); };
  put(out, pieces.size());
  for (const VtuPiece& p : pieces) {
    put_text(p.file);
    put(out, p.points), put(out, p.cells), put(out, p.swapped), put(out, p.wide), put(out, p.compressor);
    for (const VtuArray* a :
         {&p.place, &p.rest, &p.point_ids, &p.types, &p.offsets, &p.connectivity, &p.cell_ids, &p.ghosts})
      put(out, *a);
    put(out, p.sets);
    for (const VtuFlags* flags : {&p.point_flags, &p.cell_flags}) {
      put(out, flags->arrays.size());
      for (const auto& [name, array] : flags->arrays) put_text(name), put(out, array);
      put(out, flags->others.size());
      for (const auto& name : flags->others) put_text(name);
    }
  }
  return out;
}

std::vector<VtuPiece> unpacked_pieces(const Bytes& bytes)
{
  ByteReader in(bytes);
  const auto get_text = [&in] {
    const auto text = in.get_vector<char>();
    return std::string(text.begin(), text.end());
  };
  std::vector<VtuPiece> pieces(in.get<std::size_t>());
  for (VtuPiece& p : pieces) {
    p.file = get_text();
    p.points = in.get<GlobalIndex>(), p.cells = in.get<GlobalIndex>(), p.swapped = in.get<bool>();
    p.wide = in.get<bool>(), p.compressor = in.get<VtuCompressor>();
    for (VtuArray* a : {&p.place, &p.rest, &p.point_ids, &p.types, &p.offsets, &p.connectivity, &p.cell_ids, &p.ghosts})
      *a = in.get<VtuArray>();
    p.sets = in.get<std::array<VtuArray, vtu_set_arrays.size()>>();
    for (VtuFlags* flags : {&p.point_flags, &p.cell_flags}) {
      for (auto n = in.get<std::size_t>(); n > 0; --n) {
        std::string name = get_text();
        flags->arrays.emplace_back(std::move(name), in.get<VtuArray>());
      }
      for (auto n = in.get<std::size_t>(); n > 0; --n) flags->others.push_back(get_text());
    }
  }
  return pieces;
}

}  // namespace sunder::io
