#!/usr/bin/python3
"""A picture of a run: one frame, or several in a row with their times.

    picture.py out/wall -o wall.png                                the last frame
    picture.py out/wall -o wall.png --frame strip                  five instants side by side
    picture.py out/wall -o wall.png --color MaxPrincipalStress     colours from an array of the frames
    picture.py out/wall -o wall.png --cracks --frame strip         the cracks as they grow, in a body of glass
    picture.py out/pot -o pot.png --surface                        the surface series, with its detail
    picture.py out/teddy -o teddy.png --material --color Dent      what has become of a plastic body of solver hybrid

Needs no display: starts a virtual one where none answers.
"""
import argparse
import sys

from display import open_display
from sunder_frames import Frame, find_series, pick, read_grid

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkDataObject, vtkImageData, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkPolyDataNormals, vtkThreshold
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkFiltersSources import vtkPlaneSource
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
from vtkmodules.vtkRenderingCore import (vtkActor, vtkColorTransferFunction, vtkLight, vtkPolyDataMapper, vtkRenderer,
                                         vtkRenderWindow, vtkTextActor, vtkWindowToImageFilter)
from vtkmodules.vtkRenderingOpenGL2 import vtkRenderStepsPass, vtkSSAAPass, vtkSSAOPass
import vtkmodules.vtkRenderingFreeType  # noqa: F401 (registers the text renderer)

ADOBE, CRACK, STEEL, FLOOR = (0.86, 0.66, 0.49), (0.22, 0.13, 0.08), (0.50, 0.53, 0.58), (0.90, 0.89, 0.87)
BACKGROUND, TEXT = (1.0, 1.0, 1.0), (0.15, 0.15, 0.17)
RAMP = [(0.23, 0.30, 0.55), (0.55, 0.70, 0.80), (0.93, 0.91, 0.86), (0.91, 0.62, 0.36), (0.66, 0.15, 0.12)]
UNITS = {"BirthTime": "s", "Stress": "Pa", "MaxPrincipalStress": "Pa", "Velocity": "m/s", "Displacement": "m", "MaterialPosition": "m",
         "Dent": "m"}
SHARP_EDGE = 35  # degrees between two triangles from which on the edge is drawn and shading breaks


# --- what is shown -----------------------------------------------------------------------------------------------

class Solid:
    """Surface of the deformed body at one instant, with the values its colours come from.

    outlined    which triangles have their sharp edges and borders drawn: not crack faces with detail, all edges of which are sharp
    """

    def __init__(self, instant, color, of_series, in_material, first):
        frame = Frame(instant.solid)
        if color == "Dent":
            frame.node["Dent"] = dents(frame, Frame(first.solid))
        self.rest = frame.rest
        if of_series:
            surface = Frame(instant.surface, corners=3)
            self.triangles, element = surface.tets, np.arange(len(surface.tets))
            if color == "Fragment":
                surface.cell["Place"] = places_of(frame, surface.cell["Fragment"])
            frame = surface
        else:
            self.triangles, element = frame.surface()
            if color == "Fragment":
                frame.cell["Place"] = places_of(frame, frame.cell["Fragment"])
        self.points = frame.rest if in_material else frame.points
        self.outlined = frame.cell["CrackFace"] == 0 if "CrackFace" in frame.cell else np.ones(len(element), dtype=bool)
        self.values = None if color == "none" else surface_values(frame, color, self.triangles, element)
        self.obstacles = read_obstacles(instant.obstacles)
        self.cracks = None if instant.cracks is None else read_grid(instant.cracks)
        self.time = instant.time


def surface_values(frame, color, triangles, element):
    """One number a triangle. NAME of an array, or NAME:COMPONENT; without component the length of a vector."""
    name, _, component = color.partition(":")
    if name == "Fragment":
        return frame.cell["Place"][element]
    if name in frame.cell:
        values = frame.cell[name][element]
    elif name in frame.node:
        values = frame.node[name][triangles].mean(axis=1)
    else:
        sys.exit(f"--color: expected none or one of {', '.join(sorted({**frame.cell, **frame.node}))}, found {name}")
    if values.ndim == 1:
        return values
    if not component:
        return np.linalg.norm(values, axis=1)
    names = frame.components[name]
    if component not in names:
        sys.exit(f"--color: expected a component of {name} ({', '.join(names)}), found {component}")
    return values[:, names.index(component)]


def dents(frame, first):
    """(nodes) how far each has moved in the material since the first frame, a new one 0 [m]."""
    _, here, there = np.intersect1d(frame.node["GlobalNodeId"], first.node["GlobalNodeId"], return_indices=True)
    moved = np.zeros(len(frame.rest))
    moved[here] = np.linalg.norm(frame.rest[here] - first.rest[there], axis=1)
    return moved


def places_of(frame, fragments):
    """Place of each of these fragments among all of the frame by size, 0 the largest."""
    all_fragments, index = np.unique(frame.cell["Fragment"], return_inverse=True)
    size = np.bincount(index, weights=frame.volumes())
    place = np.empty(len(size), dtype=int)
    place[np.argsort(-size, kind="stable")] = np.arange(len(size))
    return place[np.searchsorted(all_fragments, fragments)]


def read_obstacles(path):
    if path is None:
        return None
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


# --- colours -----------------------------------------------------------------------------------------------------

def fragment_colors(place):
    """Muted, and far apart for neighbours in size; the largest fragment keeps the colour of the wall."""
    hue = 2 * np.pi * (0.07 + 0.618034 * place)
    light = 0.66 + 0.09 * np.cos(2.4 * place)
    rgb = light[:, None] + 0.17 * np.stack([np.cos(hue), np.cos(hue - 2.094), np.cos(hue + 2.094)], axis=1)
    rgb[place == 0] = ADOBE
    return np.clip(rgb, 0, 1)


def common_range(solids, wanted):
    """Limits of the colours: as asked for, or what all but the outermost 1 % of the surface lies in."""
    if wanted:
        return wanted
    values = np.concatenate([solid.values for solid in solids])
    low, high = np.percentile(values, [1, 99])
    if low < 0 < high:  # the pale middle of the ramp then means zero
        return -max(-low, high), max(-low, high)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def birth_range(solids, wanted):
    """Limits of the colours of crack faces: as asked for, or from the first to the last face shown."""
    births = [vtk_to_numpy(solid.cracks.GetCellData().GetArray("BirthTime")) for solid in solids]
    births = np.concatenate([of_one for of_one in births if of_one.size > 0] or [np.zeros(1)])
    return wanted or (births.min(), max(births.max(), births.min() + 1e-12))


def ramp_colors(values, limits):
    place = np.clip((values - limits[0]) / (limits[1] - limits[0]), 0, 1)
    knots = np.linspace(0, 1, len(RAMP))
    return np.stack([np.interp(place, knots, [color[k] for color in RAMP]) for k in range(3)], axis=1)


def color_bar(limits, title):
    function = vtkColorTransferFunction()
    for place, color in zip(np.linspace(limits[0], limits[1], len(RAMP)), RAMP):
        function.AddRGBPoint(place, *color)
    bar = vtkScalarBarActor()
    bar.SetLookupTable(function)
    bar.SetTitle(f"{title} [{UNITS[title.partition(':')[0]]}]" if title.partition(":")[0] in UNITS else title)
    bar.SetNumberOfLabels(5)
    bar.SetLabelFormat("%.3g")
    bar.SetPosition(0.05, 0.15)
    bar.SetWidth(0.9)
    bar.SetHeight(0.7)
    bar.SetBarRatio(0.15)
    bar.SetVerticalTitleSeparation(12)
    bar.UnconstrainedFontSizeOn()
    for text in (bar.GetLabelTextProperty(), bar.GetTitleTextProperty()):
        text.SetFontSize(14)
        text.SetColor(*TEXT)
        text.ItalicOff()
        text.BoldOff()
        text.ShadowOff()
    return bar


# --- actors ------------------------------------------------------------------------------------------------------

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


# --- view and light ----------------------------------------------------------------------------------------------

def cloud_to_show(solids):
    """Points the view must hold: the body at rest, the obstacles at first, later all but the fragments farthest off."""
    shown = np.concatenate([solid.points[np.unique(solid.triangles)] for solid in solids])
    low, high = np.percentile(shown, [2, 98], axis=0)
    near = shown[((shown >= low) & (shown <= high)).all(axis=1)]
    clouds = [solids[0].rest, near]
    if solids[0].obstacles is not None:
        clouds.append(vtk_to_numpy(solids[0].obstacles.GetPoints().GetData()))
    return np.concatenate(clouds)


class View:
    """A camera that looks along the direction asked for, from where the whole cloud is just inside the picture."""

    ANGLE, MARGIN, CAPTION = np.radians(28), 0.05, 0.11  # margins as shares of the height, the caption's below

    def __init__(self, cloud, args):
        self.extent = np.linalg.norm(cloud.max(axis=0) - cloud.min(axis=0))
        towards = np.array(args.view) / np.linalg.norm(args.view)
        right = np.cross(args.up, towards)
        if np.linalg.norm(right) < 1e-9:
            sys.exit("--view: expected a direction that is not along --up")
        self.towards, self.right = towards, right / np.linalg.norm(right)
        self.top = np.cross(self.towards, self.right)
        self.size = args.size
        self.zoom = args.zoom
        self.focus, self.distance = (cloud.min(axis=0) + cloud.max(axis=0)) / 2, 4 * self.extent
        for _ in range(4):  # centre the silhouette and fit it; perspective changes it a little each time
            self._fit(cloud, args)

    def _fit(self, cloud, args):
        x, y, z = ((cloud - self.focus) @ axis for axis in (self.right, self.top, self.towards))
        seen_x, seen_y = x / (self.distance - z), y / (self.distance - z)
        width, height = np.ptp(seen_x), np.ptp(seen_y)
        if args.size is None:  # as tall as the silhouette needs
            pixels = 560 if args.frame == "strip" else 1200
            ratio = height / width
            tall = pixels * min(max(ratio / (1 - self.MARGIN - self.CAPTION + 2 * self.MARGIN * ratio), 0.5), 1.5)
            self.size = [pixels, int(tall)]
        slope = np.tan(self.ANGLE / 2)
        free_x = 2 * slope * (self.size[0] / self.size[1] - 2 * self.MARGIN)
        free_y = 2 * slope * (1 - self.MARGIN - self.CAPTION)
        self.focus = self.focus + self.distance / 2 * ((seen_x.min() + seen_x.max()) * self.right +
                                                       (seen_y.min() + seen_y.max()) * self.top)
        self.distance *= max(width / free_x, height / free_y)

    def place(self, camera):
        lowered = self.distance * np.tan(self.ANGLE / 2) * (self.CAPTION - self.MARGIN)  # leaves room for the caption
        focus = self.focus - lowered * self.top
        camera.SetFocalPoint(*focus)
        camera.SetPosition(*(focus + self.distance / self.zoom * self.towards))
        camera.SetViewUp(*self.top)
        camera.SetViewAngle(np.degrees(self.ANGLE))


def add_lights(renderer):
    """A warm key from above left, a cool fill from the right, a rim from behind; all move with the camera."""
    renderer.AutomaticLightCreationOff()
    key = ((-0.6, 0.9, 1.5), (1.0, 0.97, 0.92), 1.0)
    fill = ((1.3, 0.1, 0.9), (0.9, 0.95, 1.0), 0.35)
    rim = ((0.2, 0.9, -1.2), (1.0, 1.0, 1.0), 0.25)
    for position, color, intensity in (key, fill, rim):
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(*position)
        light.SetColor(*color)
        light.SetIntensity(intensity)
        renderer.AddLight(light)


def soft_shadows(renderer, extent):
    """Shade where light gets into corners and cracks less, and smooth the edges of everything."""
    occlusion = vtkSSAOPass()
    occlusion.SetRadius(0.06 * extent)
    occlusion.SetBias(0.0015 * extent)
    occlusion.SetKernelSize(128)
    occlusion.BlurOn()
    occlusion.SetDelegatePass(vtkRenderStepsPass())
    smooth_edges(renderer, occlusion)


def smooth_edges(renderer, steps):
    smooth = vtkSSAAPass()
    smooth.SetDelegatePass(steps)
    renderer.SetPass(smooth)


# --- rendering ---------------------------------------------------------------------------------------------------

def pixels_of(renderer, size):
    """What the renderer shows, (height, width, 3), first row at the bottom."""
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(*size)
    window.AddRenderer(renderer)
    window.Render()
    grab = vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    scalars = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars())
    return scalars.reshape(size[1], size[0], -1)[:, :, :3].copy()


def render(solid, view, limits, args):
    data = poly_data(solid)
    colors = None
    if solid.values is not None:
        colors = fragment_colors(solid.values) if args.color == "Fragment" else ramp_colors(solid.values, limits)
    renderer = vtkRenderer()
    renderer.SetBackground(*BACKGROUND)
    if args.cracks:
        renderer.AddActor(glass_actor(data))
        if solid.cracks.GetNumberOfCells() > 0:
            linked, open_faces = faces_of(solid.cracks, True), faces_of(solid.cracks, False)
            if linked.GetNumberOfCells() > 0:
                renderer.AddActor(linked_face_actor(linked))
            if open_faces.GetNumberOfCells() > 0:
                renderer.AddActor(crack_face_actor(open_faces, limits))
    else:
        renderer.AddActor(solid_actor(data, colors, args.edges))
        renderer.AddActor(crack_actor(data if solid.outlined.all() else poly_data(solid, solid.outlined), view.size))
    if solid.obstacles is not None and args.obstacles:
        renderer.AddActor(obstacle_actor(solid.obstacles))
    if args.ground is not None:
        renderer.AddActor(ground_actor(args.ground, args.up, view))
    renderer.AddActor2D(caption(time_text(solid.time), view.size, max(16, min(view.size) // 30)))
    add_lights(renderer)
    view.place(renderer.GetActiveCamera())
    renderer.ResetCameraClippingRange()
    if args.cracks:  # shade is of what hides what, and glass hides nothing
        smooth_edges(renderer, vtkRenderStepsPass())
    else:
        soft_shadows(renderer, view.extent)
    return pixels_of(renderer, view.size)


def render_bar(limits, args, height):
    renderer = vtkRenderer()
    renderer.SetBackground(*BACKGROUND)
    renderer.AddActor2D(color_bar(limits, "BirthTime" if args.cracks else args.color))
    return pixels_of(renderer, [220, height])


def write_png(pixels, path):
    image = vtkImageData()
    image.SetDimensions(pixels.shape[1], pixels.shape[0], 1)
    image.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(pixels).reshape(-1, 3), deep=True))
    writer = vtkPNGWriter()
    writer.SetFileName(path)
    writer.SetInputData(image)
    writer.GlobalWarningDisplayOff()
    writer.Write()
    if writer.GetErrorCode() != 0:
        sys.exit(f"{path}: cannot write the picture")


def choose_instants(instants, args):
    if args.frame != "strip":
        return [pick(instants, args.frame)]
    places = np.linspace(0, len(instants) - 1, min(args.columns, len(instants))).round().astype(int)
    return [instants[k] for k in places]


# --- command line ------------------------------------------------------------------------------------------------

def numbers(text, count, separator=","):
    try:
        values = [float(part) for part in text.split(separator)]
    except ValueError:
        values = []
    if len(values) != count or not np.all(np.isfinite(values)):
        raise argparse.ArgumentTypeError(f"expected {count} numbers with '{separator}' between, found '{text}'")
    return values


def direction(text):
    values = numbers(text, 3)
    if not any(values):
        raise argparse.ArgumentTypeError(f"expected a vector that is not zero, found '{text}'")
    return values


def limits_of_colors(text):
    low, high = numbers(text, 2)
    if low >= high:
        raise argparse.ArgumentTypeError(f"expected LOW below HIGH, found '{text}'")
    return [low, high]


def pixels_to_draw(text):
    size = [int(n) for n in numbers(text, 2, "x")]
    if min(size) < 16:
        raise argparse.ArgumentTypeError(f"expected at least 16 pixels each way, found '{text}'")
    return size


def above_zero(kind):
    """Reads a number > 0 of this kind, int or float."""
    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"expected a {'whole ' if kind is int else ''}number > 0, found '{text}'")
        return value
    return read


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="output folder, .pvd or .pvtu")
    parser.add_argument("-o", "--output", required=True, help="PNG file")
    parser.add_argument("--frame", default="last", help="number of a frame, last (default), or strip: several in a row")
    parser.add_argument("--columns", type=above_zero(int), default=5, help="instants of a strip (5)")
    parser.add_argument("--color", default="none",
                        help="array, or ARRAY:COMPONENT, e.g. Fragment, MaxPrincipalStress, Stress:XX (none: adobe); Dent: how far a "
                             "node has moved in its material")
    parser.add_argument("--range", type=limits_of_colors, help="LOW,HIGH ends of the colours")
    parser.add_argument("--view", type=direction, default=[0.75, -1, 0.4],
                        help="direction from the body to the camera (0.75,-1,0.4); write --view=-1,0,0")
    parser.add_argument("--up", type=direction, default=[0, 0, 1], help="upward direction (0,0,1)")
    parser.add_argument("--zoom", type=above_zero(float), default=1.0, help="above 1: nearer (1)")
    parser.add_argument("--size", type=pixels_to_draw,
                        help="pixels WIDTHxHEIGHT of each picture (1200, in a strip 560 wide, and as tall as it needs)")
    parser.add_argument("--ground", type=float, metavar="HEIGHT", help="draw a floor there, along --up [m]")
    parser.add_argument("--cracks", action="store_true",
                        help="the faces that fracture has made, coloured by when, in a body to see through")
    parser.add_argument("--surface", action="store_true",
                        help="draw the series of the outer surface (output.surface), with detail if it has any")
    parser.add_argument("--material", action="store_true",
                        help="draw points where they are in the material, which has the dents of plastic bodies of solver hybrid")
    parser.add_argument("--edges", action="store_true", help="draw all edges of the mesh")
    parser.add_argument("--no-obstacles", dest="obstacles", action="store_false", help="leave balls out")
    args = parser.parse_args()
    args.up = np.array(args.up) / np.linalg.norm(args.up)
    if args.cracks and args.color != "none":
        parser.error("--cracks: the colours are when a face was made; expected no --color")
    return args


def main():
    args = parse_arguments()
    open_display()
    series = find_series(args.source)
    instants = choose_instants(series, args)
    if args.cracks and any(instant.cracks is None for instant in instants):
        sys.exit(f"{args.source}: no crack surfaces beside these frames; output.cracks of the scene writes them")
    if args.surface and any(instant.surface is None for instant in instants):
        sys.exit(f"{args.source}: no surface series beside these frames; output.surface of the scene writes it")
    solids = [Solid(instant, args.color, args.surface, args.material, series[0]) for instant in instants]
    view = View(cloud_to_show(solids), args)
    ramp = args.cracks or args.color not in ("none", "Fragment")
    limits = birth_range(solids, args.range) if args.cracks else common_range(solids, args.range) if ramp else None
    pictures = [render(solid, view, limits, args) for solid in solids]
    if ramp:
        pictures.append(render_bar(limits, args, view.size[1]))
    write_png(np.concatenate(pictures, axis=1), args.output)
    print(f"{args.output}: {len(solids)} instant{'s' * (len(solids) > 1)}")


if __name__ == "__main__":
    main()
