#include "io/surfaces/polygon.hpp"

#include "io/files/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolygon.h>

namespace sunder::io {

std::vector<std::array<std::uint32_t, 3>> triangulate(std::span<const Vec3> corners)
{
  if (corners.size() == 3) return {{0, 1, 2}};
  vtkNew<vtkPolygon> polygon;
  polygon->GetPoints()->SetDataTypeToDouble();
  for (const Vec3& x : corners) {
    polygon->GetPointIds()->InsertNextId(polygon->GetPoints()->GetNumberOfPoints());
    polygon->GetPoints()->InsertNextPoint(x.data());
  }
  const QuietVtk quiet;
  vtkNew<vtkIdList> ids;
  // VTK leaves out a corner that lies on the one before it, and says nothing.
  const bool done = polygon->Triangulate(ids) != 0;
  if (!done || ids->GetNumberOfIds() != 3 * (static_cast<vtkIdType>(corners.size()) - 2)) return {};
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (vtkIdType k = 0; k < ids->GetNumberOfIds(); k += 3) {
    auto& triangle = triangles.emplace_back();
    for (int a = 0; a < 3; ++a) triangle[static_cast<std::size_t>(a)] = static_cast<std::uint32_t>(ids->GetId(k + a));
  }
  return triangles;
}

std::optional<PolygonProblem> add_polygon(TriangleSurface& surface, std::span<const std::uint32_t> corners,
                                          std::uint64_t label)
{
  constexpr std::size_t at_most = 1000;  // the time grows with the third power
  if (corners.size() < 3 || corners.size() > at_most)
    return PolygonProblem{fmt::format("a face of 3 to {} corners", at_most), fmt::format("{}", corners.size())};
  std::vector<Vec3> x;
  for (const std::uint32_t n : corners) x.push_back(surface.points[n]);
  const auto triangles = triangulate(x);
  if (triangles.empty()) return PolygonProblem{"a face that is flat and does not cross itself", "another"};
  for (const auto& [a, b, c] : triangles) {
    surface.triangles.push_back({corners[a], corners[b], corners[c]});
    surface.labels.push_back(label);
  }
  return {};
}

}  // namespace sunder::io
