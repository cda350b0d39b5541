#!/usr/bin/env python3
"""The way of somebody who tests materials: a notched specimen from Gmsh, a scene of a few lines, the curve, the cracks in pictures.

specimen_test.py SUNDER MPIEXEC
"""
import csv
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from small_case import Sunder, box_mesh, write_case

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "postprocess"
CELLS, SIZE = (12, 3, 6), 0.01  # [m] 120 x 30 x 60 mm
NOTCH = set(itertools.product((5,), range(3), range(2)))  # 20 mm deep from below
LIGAMENT = 0.03 * 0.04  # [m^2]
SCENE = """\
title: a notched specimen pulled apart
materials:
  mortar: {E: 1.0e6, nu: 0.2, density: 1000, phi: 20, psi: 20, toughness: {stress: 1.0e4}}
bodies:
  - {name: specimen, mesh: {file: bar.msh}, material: mortar}
boundary:
  - {name: left, where: {set: left}, fixed: true}
  - name: right
    where: {set: right}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 0.15, displacement: [2.0e-3, 0, 0], smooth: true}]
collisions: {enabled: false}
time: {end: 0.15}
output: {history_interval: 1.0e-3}
"""

METAL = """\
materials:
  metal: {E: 2.1e11, nu: 0.3, density: 7850, k1: 2.376e-3}     # yields at 235 MPa
bodies:
  - {name: specimen, mesh: {file: bar.msh}, material: metal}
boundary:
  - {name: left, where: {set: left}, fixed: true}
  - name: right
    where: {set: right}
    axes: x
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 1, displacement: [6.0e-4, 0, 0]}, {time: 2, displacement: [4.0e-4, 0, 0]}]
collisions: {enabled: false}
time: {end: 2}
"""


def said(script, *arguments):
    done = subprocess.run([SCRIPTS / script, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{script}: {done.stdout}{done.stderr}"
    return done.stdout


def check_warning(program, mpiexec, folder):
    """Flow does not keep the volume. A bar stretched by half a percent loses nothing of it, one by three tenths a seventh."""
    scene = write_case(folder, METAL, box_mesh((12, 2, 2), SIZE))
    for ranks, way, warns in ((1, 6e-4, False), (1, 0.036, True), (3, 0.036, True)):
        done = Sunder(program, mpiexec).run(
            ["run", scene, "-o", folder / "far", "--quiet", "--overwrite", "--set", "solver=static", "--set", "time.end=1", "--set",
             f"boundary.right.displacement[1].displacement=[{way},0,0]"], ranks, timeout=300)
        warnings = json.loads((folder / "far/summary.json").read_text())["warnings"]
        assert any("plastic flow has taken" in warning for warning in warnings) == warns, (way, warnings, done.stderr)


def check_metal(program, mpiexec, folder, method, middle):
    """The curve of a bar that yields and is unloaded: the work of the ledger, and in its elastic part the slope of the stiffness. Loads of
    static lines are those at their ends, others means over an interval, which belong to the middle of the way in it."""
    scene, out = write_case(folder, METAL, box_mesh((12, 2, 2), SIZE)), folder / method
    done = Sunder(program, mpiexec).run(["run", scene, "-o", out, "--quiet", "--set", f"solver.method={method}"], 1, timeout=300)
    assert done.returncode == 0, done.stderr
    curve = said("curve.py", out, "--of", "boundary.right", "--axis", "x")
    work = float(re.search(r"^work: (\S+) J", curve, re.MULTILINE).group(1))
    external = json.loads((out / "summary.json").read_text())["energy"]["external"]
    assert abs(work / external - 1) < 5e-3, f"{method}: {work} J, {external} J in the ledger"
    load, over, time = re.search(r"^peak: (\S+) N at (\S+) m, t = (\S+) s", curve, re.MULTILINE).groups()
    with open(out / "reactions.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    at = min(range(len(rows)), key=lambda k: abs(float(rows[k]["time"]) - float(time)))
    u = [float(row["boundary.right.ux"]) for row in rows[at - 1:at + 1]]
    assert abs(float(over) - (sum(u) / 2 if middle else u[1])) < 1e-9, f"{method}: {curve} between {u}"


def main(program, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        scene, out = write_case(folder, SCENE, box_mesh(CELLS, SIZE, NOTCH)), folder / "out"
        done = Sunder(program, mpiexec).run(["run", scene, "-o", out, "--quiet"], 2, timeout=300)
        assert done.returncode == 0, done.stderr

        summary = json.loads((out / "summary.json").read_text())
        assert summary["fragments"] >= 2, summary
        assert summary["fracture"]["largest_crack"] > 0.9 * LIGAMENT, summary["fracture"]

        curve = said("curve.py", out, "--of", "boundary.right", "--axis", "x", "-o", folder / "curve.png")
        onset, peak = (float(re.search(rf"^{word}: (\S+) N", curve, re.MULTILINE).group(1)) for word in ("onset", "peak"))
        # The ligament bears less than its strength everywhere, and the notch weakens it.
        assert 0.2 * 1e4 * LIGAMENT < onset <= peak < 1e4 * LIGAMENT, curve
        last = float((out / "reactions.csv").read_text().splitlines()[-1].split(",")[2])
        assert abs(last) < 0.1 * peak, f"{last} N are left of {peak} N"
        assert (folder / "curve.png").stat().st_size > 5000

        said("picture.py", out, "-o", folder / "film.png", "--cracks", "--frame", "strip", "--columns", "3", "--size", "200x200")
        assert (folder / "film.png").stat().st_size > 5000
        cracks = said("cracks.py", out, "--top", "1", "--window", "5e-3", "-o", folder / "cracks.png").splitlines()
        length, area, _, of_rayleigh = map(float, cracks[1].split()[4:])
        assert length > 0.04 and area > 0.9 * LIGAMENT and 0 < of_rayleigh < 1, cracks
        assert (folder / "cracks.png").stat().st_size > 5000
        check_warning(program, mpiexec, folder)
        check_metal(program, mpiexec, folder, "static", False)
        check_metal(program, mpiexec, folder, "implicit", True)
        wrong = subprocess.run([SCRIPTS / "curve.py", out, "--of", "boundary.top"], capture_output=True, text=True, timeout=60)
        assert wrong.returncode == 1 and "expected one of boundary.left boundary.right" in wrong.stderr, wrong
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
