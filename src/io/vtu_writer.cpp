#include "io/vtu_writer.hpp"

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkErrorCode.h>
#include <vtkIntArray.h>
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
  vtkNew<vtkIntArray> region;
  region->SetName("region");
  std::vector<int> of_element(mesh.tets.size(), 0);
  for (std::size_t s = mesh.element_sets.size(); s-- > 0;)
    for (const GlobalIndex e : mesh.element_sets[s].elements)
      of_element[static_cast<std::size_t>(e)] = static_cast<int>(s) + 1;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    std::array<vtkIdType, 4> corners{};
    std::copy(mesh.tets[e].begin(), mesh.tets[e].end(), corners.begin());
    grid.InsertNextCell(VTK_TETRA, 4, corners.data());
    region->InsertNextValue(of_element[e]);
  }
  for (std::size_t s = 0; s < mesh.face_sets.size(); ++s)
    for (const auto& face : mesh.face_sets[s].faces) {
      std::array<vtkIdType, 3> corners{};
      std::copy(face.begin(), face.end(), corners.begin());
      grid.InsertNextCell(VTK_TRIANGLE, 3, corners.data());
      region->InsertNextValue(static_cast<int>(mesh.element_sets.size() + s) + 1);
    }
  if (!mesh.element_sets.empty() || !mesh.face_sets.empty()) grid.GetCellData()->AddArray(region);
}

void add_node_sets(const mesh::MeshData& mesh, vtkUnstructuredGrid& grid)
{
  for (const auto& set : mesh.node_sets) {
    vtkNew<vtkUnsignedCharArray> flag;
    flag->SetName(set.name.c_str());
    flag->SetNumberOfValues(static_cast<vtkIdType>(mesh.nodes.size()));
    flag->FillValue(0);
    for (const GlobalIndex n : set.nodes) flag->SetValue(n, 1);
    grid.GetPointData()->AddArray(flag);
  }
}

}  // namespace

void write_vtu(const mesh::MeshData& mesh, const std::string& path)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vec3& x : mesh.nodes) points->InsertNextPoint(x.data());
  vtkNew<vtkUnstructuredGrid> grid;
  grid->Allocate(static_cast<vtkIdType>(mesh.tets.size()));
  grid->SetPoints(points);
  add_cells(mesh, *grid);
  add_node_sets(mesh, *grid);
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
