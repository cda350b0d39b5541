#!/usr/bin/python3
"""A picture of a run: one frame, or several in a row with their times.

    picture.py out/wall -o wall.png                                the last frame
    picture.py out/wall -o wall.png --frame strip                  five instants side by side
    picture.py out/wall -o wall.png --color MaxPrincipalStress     colours from an array of the frames
    picture.py out/wall -o wall.png --cracks --frame strip         the cracks as they grow, in a body of glass
    picture.py out/pot -o pot.png --surface                        the surface series (output.surface: true), with its detail
    picture.py out/teddy -o teddy.png --material --color Dent      what has become of a plastic body of solver hybrid

Needs no display: starts a virtual one where none answers.
"""
import argparse
import sys

from display import open_display
from figure_file import figure_path
from picture_actors import (caption, crack_actor, crack_face_actor, faces_of, glass_actor, ground_actor, linked_face_actor,
                            obstacle_actor, poly_data, solid_actor, time_text)
from picture_colors import BACKGROUND, birth_range, color_bar, common_range, fragment_colors, ramp_colors
from picture_solid import Solid
from picture_view import View, add_lights, cloud_to_show, smooth_edges, soft_shadows
from sunder_frames import find_series, pick

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter
from vtkmodules.vtkRenderingOpenGL2 import vtkRenderStepsPass
import vtkmodules.vtkRenderingFreeType  # noqa: F401 (registers the text renderer)


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


def numbers(text, count, separator=","):
    try:
        values = [float(part) for part in text.split(separator)]
    except ValueError:
        values = []
    if len(values) != count or not np.all(np.isfinite(values)):
        what = "a number" if count == 1 else f"{count} numbers with '{separator}' between"
        raise argparse.ArgumentTypeError(f"expected {what}, found '{text}'")
    return values


def direction(text):
    values = numbers(text, 3)
    if not any(values):
        raise argparse.ArgumentTypeError(f"expected a vector that is not zero, found '{text}'")
    return values


def finite(text):
    return numbers(text, 1)[0]


def limits_of_colors(text):
    low, high = numbers(text, 2)
    if low >= high:
        raise argparse.ArgumentTypeError(f"expected LOW below HIGH, found '{text}'")
    return [low, high]


def pixels_to_draw(text):
    size = [int(n) for n in numbers(text, 2, "x")]
    if min(size) < 16 or max(size) > 16384:  # more than a texture of most graphics libraries holds
        raise argparse.ArgumentTypeError(f"expected 16 to 16384 pixels each way, found '{text}'")
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
    parser.add_argument("-o", "--output", type=lambda text: figure_path(text, (".png",)), required=True, help="PNG file")
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
    parser.add_argument("--ground", type=finite, metavar="HEIGHT", help="draw a floor there, along --up [m]")
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
