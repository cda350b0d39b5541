#pragma once
/// Meshes as VTK writes them.

#include "mesh/mesh_data.hpp"
#include "support/cube_mesh.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <functional>
#include <map>
#include <string>

namespace sunder::test {

struct VtuOptions {
  enum class Data { text, raw, zlib, lz4 } data = Data::raw;
  bool ids = false;  ///< Points have GlobalIds, 100 more than their number.
  bool big_endian = false;
  MidNodes mids{};  ///< Makes elements second-order.
};

/// The elements [first, last) of the mesh with the points they use, and all its faces if it is the first piece. Element
/// and face sets are values of `region`: set s of elements s + 1, of faces -s - 1; node sets are arrays of flags.
inline void write_vtu(const mesh::MeshData& mesh, const std::string& path, const VtuOptions& options = {},
                      std::size_t first = 0, std::size_t last = ~std::size_t{0})
{
  last = std::min(last, mesh.tets.size());
  const bool whole = first == 0 && last == mesh.tets.size();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkIdTypeArray> ids;
  ids->SetName("id");
  std::map<GlobalIndex, vtkIdType> place;
  const auto point = [&](GlobalIndex n) {
    const auto [it, fresh] = place.emplace(n, points->GetNumberOfPoints());
    if (fresh) points->InsertNextPoint(mesh.nodes[static_cast<std::size_t>(n)].data()), ids->InsertNextValue(n + 100);
    return it->second;
  };
  if (whole)
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) point(static_cast<GlobalIndex>(n));
  vtkNew<vtkIntArray> region;
  region->SetName("region");
  vtkNew<vtkUnstructuredGrid> grid;
  grid->Allocate();
  std::vector<int> set(mesh.tets.size(), 0);
  for (std::size_t s = 0; s < mesh.element_sets.size(); ++s)
    for (const GlobalIndex e : mesh.element_sets[s].elements)
      if (int& of_element = set[static_cast<std::size_t>(e)]; of_element == 0) of_element = static_cast<int>(s) + 1;
  for (std::size_t e = first; e < last; ++e) {
    std::vector<vtkIdType> nodes;
    for (const GlobalIndex n : mesh.tets[e]) nodes.push_back(point(n));
    if (!options.mids.empty())
      for (const GlobalIndex n : options.mids[e]) nodes.push_back(point(n));
    grid->InsertNextCell(nodes.size() == 4 ? VTK_TETRA : VTK_QUADRATIC_TETRA, static_cast<vtkIdType>(nodes.size()),
                         nodes.data());
    region->InsertNextValue(set[e]);
  }
  for (std::size_t s = 0; first == 0 && s < mesh.face_sets.size(); ++s)
    for (const auto& face : mesh.face_sets[s].faces) {
      std::array<vtkIdType, 3> corners{point(face[0]), point(face[1]), point(face[2])};
      grid->InsertNextCell(VTK_TRIANGLE, 3, corners.data());
      region->InsertNextValue(-static_cast<int>(s) - 1);
    }
  grid->SetPoints(points);
  grid->GetCellData()->AddArray(region);
  for (const auto& nodes : mesh.node_sets) {
    vtkNew<vtkUnsignedCharArray> flag;
    flag->SetName(nodes.name.c_str());
    flag->SetNumberOfValues(points->GetNumberOfPoints());
    flag->FillValue(0);
    for (const GlobalIndex n : nodes.nodes)
      if (const auto it = place.find(n); it != place.end()) flag->SetValue(it->second, 1);
    grid->GetPointData()->AddArray(flag);
  }
  if (options.ids) grid->GetPointData()->SetGlobalIds(ids);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetFileName(path.c_str());
  options.data == VtuOptions::Data::text ? writer->SetDataModeToAscii() : writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  if (options.data == VtuOptions::Data::zlib)
    writer->SetCompressorTypeToZLib();
  else if (options.data == VtuOptions::Data::lz4)
    writer->SetCompressorTypeToLZ4();
  else
    writer->SetCompressorTypeToNone();
  writer->SetBlockSize(1024);
  if (options.big_endian) writer->SetByteOrderToBigEndian();
  writer->Write();
}

/// Of pieces named so.
inline std::string pvtu(const std::vector<std::string>& pieces)
{
  std::string text = R"(<VTKFile type="PUnstructuredGrid" version="0.1"><PUnstructuredGrid GhostLevel="0">)";
  for (const auto& piece : pieces) text += "<Piece Source=\"" + piece + "\"/>";
  return text + "</PUnstructuredGrid></VTKFile>\n";
}

}  // namespace sunder::test
