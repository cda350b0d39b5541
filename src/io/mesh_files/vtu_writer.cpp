#include "io/mesh_files/vtu_writer.hpp"

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/vtk_failure.hpp"
#include "io/mesh_files/vtu_layout.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkErrorCode.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <algorithm>

namespace sunder::io {
namespace {

void add_cells(const mesh::MeshData& mesh, vtkUnstructuredGrid& grid)
{
  const auto add = [&grid](int type, const auto& nodes) {
    std::array<vtkIdType, 4> corners{};
    std::copy(nodes.begin(), nodes.end(), corners.begin());
    grid.InsertNextCell(type, static_cast<vtkIdType>(nodes.size()), corners.data());
  };
  for (const auto& tet : mesh.tets) add(VTK_TETRA, tet);
  for (const auto& set : mesh.face_sets)
    for (const auto& face : set.faces) add(VTK_TRIANGLE, face);
}

/// As it stands in XML: VTK's writer puts names there as they are.
std::string in_xml(const std::string& name)
{
  std::string text;
  for (const char c : name) switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  return text;
}

/// The array of a set, of zeros where there was none.
vtkUnsignedCharArray& flags(vtkDataSetAttributes& data, const std::string& set, vtkIdType values)
{
  const std::string name = in_xml(set);
  if (auto* there = vtkUnsignedCharArray::SafeDownCast(data.GetAbstractArray(name.c_str()))) return *there;
  vtkNew<vtkUnsignedCharArray> array;
  array->SetName(name.c_str());
  array->SetNumberOfValues(values);
  array->FillValue(0);
  data.AddArray(array);
  return *array;  // the grid keeps it
}

void add_sets(const mesh::MeshData& mesh, vtkUnstructuredGrid& grid)
{
  const auto of_cells = [&grid](const std::string& name) -> vtkUnsignedCharArray& {
    return flags(*grid.GetCellData(), name, grid.GetNumberOfCells());
  };
  for (const auto& set : mesh.element_sets) {
    vtkUnsignedCharArray& flag = of_cells(set.name);
    for (const GlobalIndex e : set.elements) flag.SetValue(e, 1);
  }
  auto next = static_cast<vtkIdType>(mesh.tets.size());
  for (const auto& set : mesh.face_sets) {
    vtkUnsignedCharArray& flag = of_cells(set.name);
    for (std::size_t f = 0; f < set.faces.size(); ++f) flag.SetValue(next++, 1);
  }
  for (const auto& set : mesh.node_sets) {
    vtkUnsignedCharArray& flag = flags(*grid.GetPointData(), set.name, grid.GetNumberOfPoints());
    for (const GlobalIndex n : set.nodes) flag.SetValue(n, 1);
  }
}

/// Throws Error if the reader would take the array of some set for something else.
void check_names(const mesh::MeshData& mesh, const std::string& path)
{
  const auto check = [&path](const std::string& name) {
    const bool other = name == vtu_node_ids || name == vtu_element_ids || name == "MaterialPosition" ||
                       name == vtkDataSetAttributes::GhostArrayName() ||
                       std::find(vtu_set_arrays.begin(), vtu_set_arrays.end(), name) != vtu_set_arrays.end();
    if (other)
      throw Error(
          fmt::format("{}: expected sets without the names of arrays that mean something else in VTK files, "
                      "got '{}'; rename it, or write a .msh",
                      path, name));
  };
  for (const auto& set : mesh.element_sets) check(set.name);
  for (const auto& set : mesh.face_sets) check(set.name);
  for (const auto& set : mesh.node_sets) check(set.name);
}

}  // namespace

void write_vtu(const mesh::MeshData& mesh, const std::string& path)
{
  check_names(mesh, path);
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vec3& x : mesh.nodes) points->InsertNextPoint(x.data());
  vtkNew<vtkUnstructuredGrid> grid;
  grid->Allocate(static_cast<vtkIdType>(mesh.tets.size()));
  grid->SetPoints(points);
  add_cells(mesh, *grid);
  add_sets(mesh, *grid);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetHeaderTypeToUInt64();
  writer->WriteToOutputStringOn();
  const QuietVtk quiet;
  if (writer->Write() != 1 || writer->GetErrorCode() != vtkErrorCode::NoError)
    throw Error(fmt::format("{}: cannot write the mesh: {}", path, vtk_reason(writer->GetErrorCode())),
                ExitStatus::simulation_failed);
  write_atomically(path, writer->GetOutputString());
}

}  // namespace sunder::io
