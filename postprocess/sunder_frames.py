"""Frames of a sunder run as numpy arrays: finds them, reads them, joins the pieces, extracts the surface."""
import math
import os
import sys
import xml.etree.ElementTree as ElementTree

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader
except ImportError as problem:
    sys.exit(f"{problem}: needs python3-vtk9 and python3-numpy (apt-get install them, and run with /usr/bin/python3)")

# Corners of the four faces of a tetrahedron, counter-clockwise from outside.
FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])

# By number of components: VTK writes their names into the pieces and forgets them in the file over the pieces.
COMPONENT_NAMES = {3: ["X", "Y", "Z"], 6: ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]}


# Series that stand beside that of the bodies.
BESIDE = ("_obstacles.pvd", "_cracks.pvd", "_surface.pvd", "_bonds.pvd")


class Instant:
    """A time of the series: the file of the solid, and of obstacles, crack surfaces and the outer surface if there are any."""

    def __init__(self, time, solid, obstacles=None, cracks=None, surface=None):
        self.time, self.solid, self.obstacles, self.cracks, self.surface = time, solid, obstacles, cracks, surface


def find_series(source):
    """Instants, ascending in time, of an output folder, a .pvd or a single .pvtu or .vtu."""
    if os.path.isdir(source):
        found = sorted(name for name in os.listdir(source) if name.endswith(".pvd") and not name.endswith(BESIDE))
        if len(found) != 1:
            sys.exit(f"{source}: expected one .pvd file in this folder, found {', '.join(found) or 'none'}")
        source = os.path.join(source, found[0])
    if not os.path.exists(source):
        sys.exit(f"{source}: no such file or folder")
    if source.endswith(BESIDE):
        sys.exit(f"{source}: expected the series of the bodies, NAME.pvd, found one that stands beside it")
    if source.endswith((".pvtu", ".vtu")):
        return [Instant(math.nan, source)]
    name = source.removesuffix(".pvd")
    solids = list_of(source)
    beside = [list_of(name + series) for series in ("_obstacles.pvd", "_cracks.pvd", "_surface.pvd")]
    if not solids:
        sys.exit(f"{source}: the series has no frame yet")
    return [Instant(time, solids[time], *(series.get(time) for series in beside)) for time in sorted(solids)]


def list_of(pvd):
    """Files by time; none if there is no such list."""
    if not os.path.exists(pvd):
        return {}
    try:
        entries = ElementTree.parse(pvd).getroot().iter("DataSet")
        return {float(entry.get("timestep")): os.path.join(os.path.dirname(pvd), entry.get("file")) for entry in entries}
    except (ElementTree.ParseError, TypeError, ValueError) as error:
        sys.exit(f"{pvd}: expected a series of frames in XML, as a run writes it: {error}")
    except OSError as error:
        sys.exit(f"{pvd}: cannot read it: {error.strerror}")


def pick(instants, which):
    """The instant `which` names: 'last' or a number, negative from the end."""
    try:
        return instants[-1 if which == "last" else int(which)]
    except (ValueError, IndexError):
        sys.exit(f"--frame: expected last or a number below {len(instants)}, found {which!r}")


class Arrays(dict):
    """Data by name. A name that is not there ends the program with a message."""

    def __init__(self, path, values):
        super().__init__(values)
        self.path = path

    def __missing__(self, name):
        sys.exit(f"{self.path}: expected an array {name}, found {', '.join(sorted(self))}; output.fields of the scene chooses them")


def read_grid(path):
    reader = vtkXMLUnstructuredGridReader() if path.endswith(".vtu") else vtkXMLPUnstructuredGridReader()
    if not os.path.exists(path):
        sys.exit(f"{path}: no such file, though its series names it")
    reader.SetFileName(path)
    reader.GlobalWarningDisplayOff()
    reader.Update()
    if reader.GetErrorCode() != 0:
        sys.exit(f"{path}: expected a frame in VTK's XML, cannot read this one")
    return reader.GetOutput()


class Frame:
    """One instant, its pieces joined by global node id: the two lips of a crack stay apart, ranks do not.

    points, rest    (nodes, 3) world and material positions [m]
    tets            (elements, 4); of the series of the outer surface, corners=3, its triangles
    cell, node      data by name, (elements, ...) and (nodes, ...)
    components      names of the components of vectors and tensors, by name of the array
    """

    def __init__(self, path, corners=4):
        grid = read_grid(path)
        if grid.GetNumberOfCells() == 0:
            sys.exit(f"{path}: expected elements in this frame, found none: it is damaged, or empty")
        self.components = {}
        node, cell = self._arrays(grid.GetPointData()), self._arrays(grid.GetCellData())
        _, first, joined = np.unique(node["GlobalNodeId"], return_index=True, return_inverse=True)
        self.node = Arrays(path, {name: values[first] for name, values in node.items()})
        tets = joined[vtk_to_numpy(grid.GetCells().GetConnectivityArray())].reshape(-1, corners)
        own = cell.pop("vtkGhostType", np.zeros(len(tets))) == 0  # the others are copies
        self.tets = tets[own]
        self.cell = Arrays(path, {name: values[own] for name, values in cell.items()})
        self.rest = self.node["MaterialPosition"]
        self.points = self.rest + self.node["Displacement"]  # whichever of the two the file has as its points

    def _arrays(self, data):
        arrays = {}
        for i in range(data.GetNumberOfArrays()):
            array = data.GetArray(i)
            arrays[array.GetName()] = vtk_to_numpy(array)
            self.components[array.GetName()] = COMPONENT_NAMES.get(array.GetNumberOfComponents(), [])
        return arrays

    def surface(self):
        """Triangles (n, 3) that belong to one element only, outward, and that element of each (n)."""
        triangles = self.tets[:, FACES].reshape(-1, 3)
        order = np.lexsort(np.sort(triangles, axis=1).T)
        in_order = np.sort(triangles[order], axis=1)
        as_next = np.append((in_order[1:] == in_order[:-1]).all(axis=1), False)
        alone = np.sort(order[~(as_next | np.append(False, as_next[:-1]))])
        return triangles[alone], alone // 4

    def volumes(self):
        """Rest volume of each element [m^3]."""
        a, b, c, d = (self.rest[self.tets[:, k]] for k in range(4))
        return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
