#!/usr/bin/env python3
"""True glass, bent slowly: adaptive steps come to the first crack ten times sooner by the clock than explicit ones, set-up and
output aside, at the same node, on the same plane and under the same load.

glass_true_test.py SUNDER MPIEXEC    takes a minute: both run at the same time, on a core each
"""
import collections
import concurrent.futures
import json
import math
import pathlib
import sys
import tempfile

from small_case import Sunder

RAMP = 0.066  # of the scene's load [s]


def first_crack(out):
    """Time and normal of the faces that were born first, and the place of the node that most of them share."""
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(sorted((out / "frames").glob("glass_true_cracks_*.pvtu"))[-1]))
    reader.Update()
    faces = reader.GetOutput()
    front = vtk_to_numpy(faces.GetCellData().GetArray("CrackFront")) != 0
    birth = np.where(front, np.inf, vtk_to_numpy(faces.GetCellData().GetArray("BirthTime")))
    first = np.flatnonzero(birth == birth.min())
    normal = vtk_to_numpy(faces.GetCellData().GetArray("Normal"))[first[0]]
    X = vtk_to_numpy(faces.GetPointData().GetArray("MaterialPosition"))
    corners = collections.Counter(tuple(X[faces.GetCell(int(c)).GetPointId(k)]) for c in first for k in range(3))
    return float(birth.min()), corners.most_common(1)[0][0], normal / np.linalg.norm(normal)


def load(time):
    s = time / RAMP
    return 10 * s ** 3 - 15 * s ** 4 + 6 * s ** 5


def main(program, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        def run(solver):
            out = pathlib.Path(folder) / solver
            done = Sunder(program, mpiexec).run(["run", "glass_true", "-o", out, "--quiet", "--until", "0.0422", "--set",
                                                 f"solver={solver}"], timeout=3600)
            assert done.returncode == 0, done.stderr
            seconds = json.loads((out / "summary.json").read_text())["wall_seconds"]
            return seconds["total"] - seconds["setup"] - seconds["output"], first_crack(out)
        with concurrent.futures.ThreadPoolExecutor() as both:
            adaptive, explicit = both.map(run, ["adaptive", "explicit"])
    sooner = explicit[0] / adaptive[0]
    (time, node, normal), (other_time, other_node, other_normal) = adaptive[1], explicit[1]
    angle = math.degrees(math.acos(min(1, abs(float(normal @ other_normal)))))
    off = load(time) / load(other_time) - 1
    print(f"measured | clock of explicit steps over adaptive ones, to 42.2 ms | {sooner:.3g} | 10 | | at least |")
    print(f"measured | load at onset over that of explicit steps | {1 + off:.4f} | 1 | {100 * off:+.2f} % | 1 % |")
    print(f"measured | angle between the first planes | {angle:.3g} | 0 | | 1 | degree")
    assert sooner > 10 and abs(off) < 0.01 and angle < 1, (sooner, off, angle)
    assert math.dist(node, other_node) < 1e-9, f"other nodes failed first: at {node} and {other_node}"


if __name__ == "__main__":
    main(*sys.argv[1:])
