#include "io/frames/obstacle_surface.hpp"

#include "core/error.hpp"
#include "core/fault_point.hpp"
#include "io/files/vtk_failure.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataWriter.h>

#include <array>
#include <cmath>
#include <numbers>

namespace sunder::io {
namespace {

constexpr int meridians = 48, bands = 24;  // flat spots stay below 0.3 % of the radius

/// Unit normal of the point on circle j of the sphere, 0 the north pole, `bands` the south pole.
Vec3 normal(int i, int j)
{
  const double polar = std::numbers::pi * j / bands, azimuth = 2 * std::numbers::pi * i / meridians;
  return {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)};
}

struct ObstacleSurface {
  vtkNew<vtkPoints> points;
  vtkNew<vtkFloatArray> normals;
  vtkNew<vtkCellArray> triangles;
  vtkNew<vtkIntArray> obstacle;

  vtkIdType add_point(const Vec3& x, const Vec3& n)
  {
    normals->InsertNextTuple3(n.x(), n.y(), n.z());
    return points->InsertNextPoint(x.data());
  }
  vtkIdType add_point(const Sphere& sphere, const Vec3& n) { return add_point(sphere.center + sphere.radius * n, n); }

  void add_triangle(vtkIdType a, vtkIdType b, vtkIdType c, int index)
  {
    triangles->InsertNextCell({a, b, c});
    obstacle->InsertNextValue(index);
  }

  void add(const Sphere& sphere, int index)
  {
    const vtkIdType north = add_point(sphere, Vec3::UnitZ());
    for (int j = 1; j < bands; ++j)
      for (int i = 0; i < meridians; ++i) add_point(sphere, normal(i, j));
    const vtkIdType south = add_point(sphere, -Vec3::UnitZ());

    auto point = [north](int i, int j) { return north + 1 + (j - 1) * meridians + i % meridians; };
    for (int i = 0; i < meridians; ++i) {
      add_triangle(north, point(i, 1), point(i + 1, 1), index);
      for (int j = 1; j < bands - 1; ++j) {
        add_triangle(point(i, j), point(i, j + 1), point(i + 1, j + 1), index);
        add_triangle(point(i, j), point(i + 1, j + 1), point(i + 1, j), index);
      }
      add_triangle(south, point(i + 1, bands - 1), point(i, bands - 1), index);
    }
  }

  /// Corners apart for each face, so that edges are drawn sharp.
  void add(const OrientedBox& box, int index)
  {
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        const Vec3 n = side * Vec3::Unit(axis), u = Vec3::Unit((axis + 1) % 3), w = n.cross(u);
        std::array<vtkIdType, 4> corner{};
        for (std::size_t k = 0; k < 4; ++k) {
          const Vec3 own = n + (k == 1 || k == 2 ? u : -u) + (k > 1 ? w : -w);
          corner[k] = add_point(box.center + box.orientation * own.cwiseProduct(box.size / 2), box.orientation * n);
        }
        add_triangle(corner[0], corner[1], corner[2], index);
        add_triangle(corner[0], corner[2], corner[3], index);
      }
  }

  /// A point of the outline of a solid of revolution about z, with the normal there.
  struct Outline {
    double radius, z, normal_radius, normal_z;
  };

  /// The outline from the top down, turned around the axis. Two points of it in one place make an edge.
  void revolve(std::span<const Outline> outline, const RoundBar& bar, int index)
  {
    const vtkIdType begin = points->GetNumberOfPoints();
    for (const Outline& o : outline)
      for (int i = 0; i < meridians; ++i) {
        const Vec3 around = normal(i, bands / 2);
        add_point(bar.center + bar.orientation * Vec3(o.radius * around + o.z * Vec3::UnitZ()),
                  bar.orientation * Vec3(o.normal_radius * around + o.normal_z * Vec3::UnitZ()));
      }
    const auto point = [begin](std::size_t j, int i) {
      return begin + static_cast<vtkIdType>(j) * meridians + i % meridians;
    };
    for (std::size_t j = 0; j + 1 < outline.size(); ++j) {
      const Outline &up = outline[j], &down = outline[j + 1];
      if (up.radius == down.radius && up.z == down.z) continue;
      for (int i = 0; i < meridians; ++i) {
        if (down.radius > 0) add_triangle(point(j, i), point(j + 1, i), point(j + 1, i + 1), index);
        if (up.radius > 0) add_triangle(point(j, i), point(j + 1, i + 1), point(j, i + 1), index);
      }
    }
  }

  void add(const RoundBar& bar, int index)
  {
    const double r = bar.radius, half = bar.length / 2;
    std::vector<Outline> outline{{0, half, 0, 1},  {r, half, 0, 1},   {r, half, 1, 0},
                                 {r, -half, 1, 0}, {r, -half, 0, -1}, {0, -half, 0, -1}};
    if (bar.capsule) {
      outline.clear();
      for (int j = 0; j <= bands; ++j) {
        const Vec3 n = normal(0, j);
        const double across = j == 0 || j == bands ? 0 : n.x();
        if (2 * j <= bands) outline.push_back({r * across, half + r * n.z(), across, n.z()});
        if (2 * j >= bands) outline.push_back({r * across, -half + r * n.z(), across, n.z()});
      }
    }
    revolve(outline, bar, index);
  }

  /// Corners apart for each triangle, so that edges are drawn sharp.
  void add(const TriangleSolid& solid, int index)
  {
    for (const auto& triangle : solid.surface->triangles()) {
      std::array<Vec3, 3> x;
      for (std::size_t a = 0; a < 3; ++a)
        x[a] = solid.center + solid.orientation * solid.surface->points()[triangle[a]];
      const Vec3 n = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
      const vtkIdType a = add_point(x[0], n), b = add_point(x[1], n), c = add_point(x[2], n);
      add_triangle(a, b, c, index);
    }
  }
};

/// What is written of a shape for exact use.
struct Exact {
  int shape;
  Vec3 center, size;
  double radius;
  Eigen::Quaterniond orientation;
};
Exact exact(const Sphere& s)
{
  return {0, s.center, Vec3::Constant(2 * s.radius), s.radius, Eigen::Quaterniond::Identity()};
}
Exact exact(const OrientedBox& b)
{
  return {1, b.center, b.size, 0, b.orientation};
}
Exact exact(const RoundBar& b)
{
  const double r = b.radius, length = b.length + (b.capsule ? 2 * r : 0);
  return {b.capsule ? 3 : 2, b.center, {2 * r, 2 * r, length}, r, b.orientation};
}
Exact exact(const TriangleSolid& s)
{
  return {4, s.center, s.surface->box().high - s.surface->box().low, 0, s.orientation};
}

void add_exact_shapes(std::span<const ObstacleShape> shapes, vtkFieldData& data)
{
  vtkNew<vtkDoubleArray> center, radius, size, orientation;
  vtkNew<vtkIntArray> kind;
  kind->SetName("Shape");
  center->SetName("Center"), center->SetNumberOfComponents(3);
  radius->SetName("Radius");
  size->SetName("Size"), size->SetNumberOfComponents(3);
  orientation->SetName("Orientation"), orientation->SetNumberOfComponents(4);
  for (const ObstacleShape& shape : shapes) {
    const Exact s = std::visit([](const auto& it) { return exact(it); }, shape);
    kind->InsertNextValue(s.shape);
    center->InsertNextTuple(s.center.data());
    radius->InsertNextValue(s.radius);
    size->InsertNextTuple(s.size.data());
    orientation->InsertNextTuple4(s.orientation.w(), s.orientation.x(), s.orientation.y(), s.orientation.z());
  }
  data.AddArray(kind);
  for (vtkDoubleArray* length : {center.Get(), radius.Get(), size.Get()})
    length->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), "m");
  for (vtkDoubleArray* array : {center.Get(), radius.Get(), size.Get(), orientation.Get()}) data.AddArray(array);
}

vtkNew<vtkPolyData> make_surface(std::span<const ObstacleShape> shapes)
{
  ObstacleSurface surface;
  surface.points->SetDataTypeToDouble();
  surface.normals->SetName("Normals");
  surface.normals->SetNumberOfComponents(3);
  surface.obstacle->SetName("Obstacle");
  for (std::size_t k = 0; k < shapes.size(); ++k)
    std::visit([&](const auto& shape) { surface.add(shape, static_cast<int>(k)); }, shapes[k]);

  vtkNew<vtkPolyData> data;
  data->SetPoints(surface.points);
  data->SetPolys(surface.triangles);
  data->GetPointData()->SetNormals(surface.normals);
  data->GetCellData()->AddArray(surface.obstacle);
  add_exact_shapes(shapes, *data->GetFieldData());
  return data;
}

}  // namespace

void write_obstacle_surface(const std::filesystem::path& path, std::span<const ObstacleShape> shapes)
{
  const auto surface = make_surface(shapes);
  vtkNew<vtkXMLPolyDataWriter> writer;
  writer->SetInputData(surface);
  writer->SetFileName(path.c_str());
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetHeaderTypeToUInt64();
  const QuietVtk quiet;
  const bool done = writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError;
  if (done && !fault_point(FaultKind::file, "frame: write obstacles")) return;
  throw Error(fmt::format("{}: cannot write the obstacles: {}", path.string(), vtk_reason(writer->GetErrorCode())),
              ExitStatus::simulation_failed);
}

}  // namespace sunder::io
