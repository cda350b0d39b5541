#include "io/surfaces/netgen_filler.hpp"

#include <fmt/format.h>

#include <array>
#include <exception>

namespace nglib {
#include <nglib.h>
}

namespace sunder::io {
namespace {

/// Netgen's library, on while it lives.
struct NetgenLibrary {
  NetgenLibrary() { nglib::Ng_Init(); }
  NetgenLibrary(const NetgenLibrary&) = delete;
  NetgenLibrary& operator=(const NetgenLibrary&) = delete;
  ~NetgenLibrary() { nglib::Ng_Exit(); }
};

nglib::Ng_STL_Geometry* geometry_of(const TriangleSurface& surface)
{
  nglib::Ng_STL_Geometry* geometry = nglib::Ng_STL_NewGeometry();
  const auto corner = [&surface](std::uint32_t n) { return const_cast<double*>(surface.points[n].data()); };
  for (const auto& [a, b, c] : surface.triangles) nglib::Ng_STL_AddTriangle(geometry, corner(a), corner(b), corner(c));
  return nglib::Ng_STL_InitSTLGeometry(geometry) == nglib::NG_OK ? geometry : nullptr;
}

bool fill(nglib::Ng_STL_Geometry* geometry, double size, double grading, nglib::Ng_Mesh* mesh)
{
  nglib::Ng_Meshing_Parameters parameters;
  parameters.maxh = size, parameters.grading = grading;
  parameters.optsurfmeshenable = 1, parameters.optvolmeshenable = 1;
  nglib::Ng_RestrictMeshSizeGlobal(mesh, size);
  return nglib::Ng_STL_MakeEdges(geometry, mesh, &parameters) == nglib::NG_OK &&
         nglib::Ng_STL_GenerateSurfaceMesh(geometry, mesh, &parameters) == nglib::NG_OK &&
         nglib::Ng_GenerateVolumeMesh(mesh, &parameters) == nglib::NG_OK && nglib::Ng_GetNE(mesh) > 0;
}

/// Returns false if an element is no linear tetrahedron.
bool take(nglib::Ng_Mesh* mesh, mesh::MeshData& data)
{
  for (int n = 1; n <= nglib::Ng_GetNP(mesh); ++n) {
    Vec3 x;
    nglib::Ng_GetPoint(mesh, n, x.data());
    data.nodes.push_back(x), data.node_labels.push_back(static_cast<std::uint64_t>(n));
  }
  for (int e = 1; e <= nglib::Ng_GetNE(mesh); ++e) {
    std::array<int, NG_VOLUME_ELEMENT_MAXPOINTS> corners{};
    if (nglib::Ng_GetVolumeElement(mesh, e, corners.data()) != nglib::NG_TET) return false;
    data.tets.push_back({corners[0] - 1, corners[1] - 1, corners[2] - 1, corners[3] - 1});
    data.element_labels.push_back(static_cast<std::uint64_t>(e));
  }
  return true;
}

}  // namespace
}  // namespace sunder::io

void sunder_fill_surface(const sunder::io::TriangleSurface& surface, double size, double grading,
                         sunder::mesh::MeshData& data, std::string& fault)
{
  using namespace sunder::io;
  const NetgenLibrary library;
  nglib::Ng_STL_Geometry* const geometry = geometry_of(surface);
  if (!geometry) {
    fault = "netgen refuses the surface";
    return;
  }
  nglib::Ng_Mesh* const mesh = nglib::Ng_NewMesh();
  try {
    if (!fill(geometry, size, grading, mesh))
      fault = fmt::format("netgen made no mesh of size {}; try another size", size);
    else if (!take(mesh, data))
      fault = "netgen made an element that is no linear tetrahedron";
  } catch (const std::exception& error) {  // netgen's own, as of surface meshes that meet themselves
    fault = fmt::format("netgen made no mesh of size {} ({}); try another size", size, error.what());
  }
  nglib::Ng_DeleteMesh(mesh);
}
