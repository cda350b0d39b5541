"""What VTK draws: the body, its cracks, obstacles, the ground, the caption."""
from picture_colors import ADOBE, CRACK, FLOOR, STEEL, TEXT, ramp_colors

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkDataObject, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkPolyDataNormals, vtkThreshold
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkFiltersSources import vtkPlaneSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTextActor

SHARP_EDGE = 35  # degrees between two triangles from which on the edge is drawn and shading breaks


def poly_data(solid, some=slice(None)):
    """The surface, or some of its triangles, points shared within a lip of a crack but never across it, nor between skin and crack
    faces with detail: shading breaks there."""
    twins = np.where(solid.outlined[some, None], 0, len(solid.points)) + solid.triangles[some]
    used, triangles = np.unique(twins, return_inverse=True)
    points, cells, data = vtkPoints(), vtkCellArray(), vtkPolyData()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(solid.points[used % len(solid.points)]), deep=True))
    offsets = numpy_to_vtkIdTypeArray(np.arange(0, triangles.size + 1, 3, dtype=np.int64), deep=True)
    cells.SetData(offsets, numpy_to_vtkIdTypeArray(triangles.astype(np.int64).ravel(), deep=True))
    data.SetPoints(points)
    data.SetPolys(cells)
    return data


def actor_of(algorithm_or_data, color):
    mapper = vtkPolyDataMapper()
    if isinstance(algorithm_or_data, vtkPolyData):
        mapper.SetInputData(algorithm_or_data)
    else:
        mapper.SetInputConnection(algorithm_or_data.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*color)
    return actor


def solid_actor(data, colors, mesh_edges):
    if colors is not None:
        data.GetCellData().SetScalars(numpy_to_vtk((255 * colors + 0.5).astype(np.uint8), deep=True))
    normals = vtkPolyDataNormals()
    normals.SetInputData(data)
    normals.SetFeatureAngle(SHARP_EDGE)
    normals.ConsistencyOff()
    actor = actor_of(normals, ADOBE)
    if colors is not None:
        actor.GetMapper().ScalarVisibilityOn()
    look = actor.GetProperty()
    look.SetAmbient(0.2)
    look.SetDiffuse(0.95)
    look.SetSpecular(0.04)
    look.SetSpecularPower(10)
    if mesh_edges:
        look.EdgeVisibilityOn()
        look.SetEdgeColor(*(0.7 * np.array(ADOBE)))
        look.SetLineWidth(0.6)
    return actor


def crack_actor(data, size):
    edges = vtkFeatureEdges()
    edges.SetInputData(data)
    edges.SetFeatureAngle(SHARP_EDGE)
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOn()
    edges.NonManifoldEdgesOff()
    edges.ManifoldEdgesOff()
    edges.ColoringOff()
    actor = actor_of(edges, CRACK)
    actor.GetProperty().SetLineWidth(max(1.0, min(size) / 700))
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetOpacity(0.75)
    actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
    actor.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(-1, -1)
    return actor


def faces_of(cracks, linked):
    """The crack faces whose sides links still hold together, or the others."""
    if cracks.GetCellData().GetArray("LinkStrength") is None:
        kept = vtkUnstructuredGrid() if linked else cracks
    else:
        chosen = vtkThreshold()
        chosen.SetInputData(cracks)
        chosen.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "LinkStrength")
        chosen.SetThresholdFunction(vtkThreshold.THRESHOLD_UPPER if linked else vtkThreshold.THRESHOLD_LOWER)
        chosen.SetUpperThreshold(np.finfo(float).tiny), chosen.SetLowerThreshold(0)
        chosen.Update()
        kept = chosen.GetOutput()
    surface = vtkGeometryFilter()
    surface.SetInputData(kept)
    surface.Update()
    return surface.GetOutput()


def linked_face_actor(data):
    """Faces that links hold together: a veil."""
    actor = actor_of(data, STEEL)
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetOpacity(0.04)
    return actor


def crack_face_actor(data, limits):
    """The faces that fracture has made, coloured by when."""
    colors = ramp_colors(vtk_to_numpy(data.GetCellData().GetArray("BirthTime")), limits)
    data.GetCellData().SetScalars(numpy_to_vtk((255 * colors + 0.5).astype(np.uint8), deep=True))
    actor = actor_of(data, CRACK)
    actor.GetMapper().ScalarVisibilityOn()
    actor.GetProperty().SetAmbient(0.35)
    actor.GetProperty().SetDiffuse(0.75)
    actor.GetProperty().SetLineWidth(2)  # of the crack front
    return actor


def glass_actor(data):
    """The body, to see through."""
    normals = vtkPolyDataNormals()
    normals.SetInputData(data)
    normals.SetFeatureAngle(SHARP_EDGE)
    normals.ConsistencyOff()
    actor = actor_of(normals, STEEL)
    actor.GetProperty().SetOpacity(0.1)
    return actor


def obstacle_actor(data):
    actor = actor_of(data, STEEL)
    look = actor.GetProperty()
    look.SetAmbient(0.1)
    look.SetDiffuse(0.8)
    look.SetSpecular(0.35)
    look.SetSpecularPower(30)
    return actor


def ground_actor(height, up, view):
    """A square far wider than the body, at right angles to `up`."""
    centre, reach = view.focus, 12 * view.extent
    side = np.cross(up, [1, 0, 0] if abs(up[0]) < 0.9 else [0, 1, 0])
    side /= np.linalg.norm(side)
    other = np.cross(up, side)
    corner = centre + (height - centre @ up) * up - reach * (side + other) / 2
    plane = vtkPlaneSource()
    plane.SetOrigin(*corner)
    plane.SetPoint1(*(corner + reach * side))
    plane.SetPoint2(*(corner + reach * other))
    actor = actor_of(plane, FLOOR)
    actor.GetProperty().SetAmbient(0.35)
    actor.GetProperty().SetDiffuse(0.65)
    return actor


def caption(text, size, largest):
    actor = vtkTextActor()
    actor.SetInput(text)
    look = actor.GetTextProperty()
    look.SetFontSize(largest)
    look.SetColor(*TEXT)
    look.SetJustificationToCentered()
    actor.SetPosition(size[0] / 2, 0.6 * largest)
    return actor


def time_text(time):
    if np.isnan(time):
        return ""
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if abs(time) >= scale:
            return f"t = {time / scale:.4g} {unit}"
    return "t = 0"
