"""What a picture shows of one instant: the surface of the body, values on it, obstacles, cracks."""
import sys

from sunder_frames import Frame, read_grid

import numpy as np
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


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
