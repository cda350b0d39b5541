#!/usr/bin/env python3
"""Static scenes with elements of half the size, and of half that, go towards what is published; Newton's residuals square
where a beam bends far.

published_test.py SUNDER MPIEXEC [LEVELS]    LEVELS: how many sizes at most, two by default; docs/equilibrium.md has more
"""
import csv
import math
import pathlib
import sys
import tempfile

from small_case import Sunder

MPA = 1e6


def last_row(file):
    with open(file, newline="") as rows:
        return list(csv.DictReader(rows))[-1]


def rise_of_the_membrane(out):
    """In the units of the published value: the load of the scene is a thousandth."""
    return 1000 * float(last_row(out / "probes.csv")["middle.uy"])


def sinking_of_the_cantilever(out):
    return -float(last_row(out / "probes.csv")["end.uz"])


def stress_concentration(out):
    """Stress along the pull at the edge of the hole, by a fit of Kirsch's powers of the radius to the elements near the
    line across the pull."""
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkCellCenters
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(sorted((out / "frames").glob("plate_with_hole_[0-9]*.pvtu"))[-1]))
    reader.Update()
    centres = vtkCellCenters()
    centres.SetInputData(reader.GetOutput())
    centres.Update()
    x = vtk_to_numpy(centres.GetOutput().GetPoints().GetData())
    stress = vtk_to_numpy(reader.GetOutput().GetCellData().GetArray("Stress"))[:, 1] / MPA
    radius, angle = np.hypot(x[:, 0], x[:, 1]), np.arctan2(x[:, 1], x[:, 0])
    near = (radius < 0.1) & (np.abs(angle) < math.radians(12))
    q = (0.05 / radius[near]) ** 2
    fit = np.linalg.lstsq(np.stack([np.ones_like(q), q, q * q, angle[near] ** 2 * q], 1), stress[near], rcond=None)[0]
    return float(fit[:3].sum())


def check_that_residuals_square(log):
    """Of each step, from where they are small to where round-off begins. How small depends on the mesh: while the residual
    sits in few elements, the constant before the square grows with their number."""
    steps = [[float(r) for r in line.split("residuals ")[1].split(",")[0].split()]
             for line in log.read_text().splitlines() if "residuals " in line]
    assert len(steps) >= 10, f"{log} has the residuals of {len(steps)} steps"
    for residuals in steps:
        small = [pair for pair in zip(residuals, residuals[1:]) if pair[0] < 1e-4]
        assert small, f"no residual before the last is small: {residuals}"
        for before, after in small:
            assert after < max(100 * before ** 2, 1e-10), f"residuals do not square: {residuals}"


def order(values):
    """Of convergence, from three sizes of elements."""
    coarse, fine, finest = values[-3:]
    return math.log2((fine - coarse) / (finest - fine))


# Scene, what halves its elements, at most how often, what is measured, its published value, and how far off the coarsest may be.
CASES = [
    ("cook_membrane", lambda k: f"bodies.panel.mesh.refine={k}", 3, rise_of_the_membrane, 23.97, (0.04, 0.012)),
    ("cantilever", lambda k: f"bodies.beam.mesh.size={0.05 / 2 ** k}", 3, sinking_of_the_cantilever, 0.30172, (0.27, 0.12)),
    ("plate_with_hole", lambda k: f"bodies.plate.mesh.size={0.0125 / 2 ** k}", 2, stress_concentration, 3.14, (0.08, 0.02)),
]


def main(program, mpiexec, levels="2"):
    sunder = Sunder(program, mpiexec)
    worst = 0
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for scene, finer, most, measure, published, allowed in CASES:
            out, errors, values = pathlib.Path(folder) / scene, [], []
            for level in range(min(int(levels), most + 1)):
                done = sunder.run(["run", scene, "-o", out, "--overwrite", "--quiet", "--set", finer(level)], timeout=1800)
                assert done.returncode == 0, done.stderr
                found = measure(out)
                errors.append(found / published - 1), values.append(found)
                if scene == "cantilever":
                    check_that_residuals_square(out / "log.txt")
                print(f"{scene}, level {level}: {found:.4f}, published {published}: off by {100 * errors[-1]:.2f} %")
            for error, limit in zip(errors, allowed):
                assert abs(error) < limit, f"{scene}: off by {100 * error:.2f} %, allowed {100 * limit} %"
            # Coarse elements are too stiff, and finer ones less so.
            assert all(abs(fine) < abs(coarse) for coarse, fine in zip(errors[:2], errors[1:])), f"{scene}: {errors}"
            if len(values) > 3:  # displacements of linear tetrahedra: two, less a little for corners
                print(f"{scene}: order {order(values):.2f}")
                assert 1.5 < order(values) < 2.3, f"{scene}: order {order(values)}"
            worst = max(worst, abs(errors[-1]))
    print(f"holds; the finest are off by {100 * worst:.1f} % at most")


if __name__ == "__main__":
    main(*sys.argv[1:])
