#!/usr/bin/env python3
"""A crack through a strip that is pulled across it runs straight, however the cells of the mesh are turned against it.

crack_path_test.py SUNDER MPIEXEC [RANKS [CELL [DEGREES...]]]    1 rank, cells of 2 mm turned by 15 degrees
"""
import itertools
import math
import pathlib
import sys
import tempfile

from layer_mesh import gmsh_text, mirrored_tets
from small_case import Sunder

LENGTH, WIDTH, NOTCH = 0.1, 0.06, 0.025  # of the strip, and the notch from its left edge on, in the middle [m]
GRIP = 0.0025  # width of the rows at both edges that are moved [m]
ALLOWED = 3.0  # [degrees]

SCENE = f"""
materials: {{m: {{E: 3.0e9, nu: 0.3, density: 1200, toughness: {{stress: 10.0e6, G_c: 200}}}}}}
bodies: [{{name: strip, mesh: {{file: strip.msh}}, material: m}}]
boundary:
  - {{name: top, where: {{box: {{min: [-1, -1, {WIDTH / 2 - GRIP}], max: [1, 1, 1]}}}}, displacement: [
      {{time: 0, displacement: [0, 0, 0]}}, {{time: 1.5e-3, displacement: [0, 0, 6.0e-5], smooth: true}}]}}
  - {{name: bottom, where: {{box: {{min: [-1, -1, -1], max: [1, 1, {GRIP - WIDTH / 2}]}}}}, displacement: [
      {{time: 0, displacement: [0, 0, 0]}}, {{time: 1.5e-3, displacement: [0, 0, -6.0e-5], smooth: true}}]}}
collisions: {{enabled: false}}
time: {{end: 1.5e-3}}
output: {{frame_interval: 1.5e-3, largest_cracks: 3, history_interval: 1.0e-5}}
"""


def cells_of_strip(h, cosine, sine):
    """Those of a turned grid whose middles are in the strip and not in the notch, each with two neighbours at least."""
    reach = int(1.5 * LENGTH / h)
    cells = set()
    for i, j in itertools.product(range(-reach, reach), repeat=2):
        u, v = (i + 0.81) * h, (j + 1) * h
        x, z = cosine * u - sine * v, sine * u + cosine * v
        in_notch = x < NOTCH and abs(z) < 0.55 * h + 0.05 * (NOTCH - x)
        if 0 < x < LENGTH and abs(z) < WIDTH / 2 and not in_notch:
            cells.add((i, j))
    for _ in range(5):
        cells = {(i, j) for i, j in cells
                 if sum(beside in cells for beside in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1))) >= 2}
    return sorted(cells)


def strip_mesh(h, degrees):
    """Text of a Gmsh mesh, one layer of cells of six tetrahedra, turned by so many degrees about y."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    numbers, nodes, tets = {}, [], []

    def number(i, j, k):  # i and k in the plane of the strip
        if (i, j, k) not in numbers:
            numbers[i, j, k] = len(nodes)
            u, v = (i + 0.31) * h, (k + 0.5) * h
            nodes.append((cosine * u - sine * v, j * h, sine * u + cosine * v))
        return numbers[i, j, k]

    for i, j in cells_of_strip(h, cosine, sine):
        tets += [[number(*corner) for corner in corners] for corners in mirrored_tets((i, 0, j))]
    return gmsh_text(nodes, {"strip": tets})


def path(out):
    """Slope [degrees] of the line through the faces that have come apart, from five millimetres before the notch on, and how
    far these go [m]."""
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkCellCenters, vtkThreshold
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(sorted((out / "frames").glob("*_cracks_*.pvtu"))[-1]))
    open_faces = vtkThreshold()
    open_faces.SetInputConnection(reader.GetOutputPort())
    open_faces.SetInputArrayToProcess(0, 0, 0, 1, "LinkStrength")
    open_faces.SetLowerThreshold(0)
    open_faces.SetThresholdFunction(vtkThreshold.THRESHOLD_LOWER)
    centres = vtkCellCenters()
    centres.SetInputConnection(open_faces.GetOutputPort())
    centres.Update()
    x, _, z = vtk_to_numpy(centres.GetOutput().GetPoints().GetData()).T
    area = vtk_to_numpy(centres.GetOutput().GetPointData().GetArray("Area"))
    beyond = x > NOTCH + 0.005
    slope = np.polyfit(x[beyond], z[beyond], 1, w=area[beyond])[0]
    return math.degrees(math.atan(slope)), float(x.max())


def main(program, mpiexec, ranks="1", cell="0.002", *turns):
    wrong, h = [], float(cell)
    for degrees in turns or ("15",):
        with tempfile.TemporaryDirectory(prefix="sunder-") as name:
            folder = pathlib.Path(name)
            (folder / "strip.msh").write_text(strip_mesh(h, float(degrees)))
            (folder / "strip.yaml").write_text(SCENE)
            done = Sunder(program, mpiexec).run(["run", folder / "strip.yaml", "-o", folder / "out", "--quiet"], int(ranks),
                                                timeout=20000)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
            slope, end = path(folder / "out")
            print(f"cells of {1e3 * h:g} mm turned by {degrees} degrees: off by {slope:+.2f} degrees over "
                  f"{(end - NOTCH) / h:.0f} cells, {ALLOWED:g} allowed", flush=True)
            if abs(slope) > ALLOWED or end < 0.9 * LENGTH:
                wrong.append(f"turned by {degrees} degrees: {slope:+.2f} degrees, as far as {end} m of {LENGTH} m")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
