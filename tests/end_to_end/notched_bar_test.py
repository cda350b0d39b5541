#!/usr/bin/env python3
"""A notched bar in three-point bending starts to crack, and bears, what a handbook says for its K_Ic.

notched_bar_test.py SUNDER MPIEXEC [CELLS [RANKS]]

With the mesh of the shipped scene, or with irregular cells, so many over the bar's height and one through its thickness, in
which the notch is a slit: the mean of a few such meshes, for the first node that fails differs from one to the other.
docs/materials.md has the measurements.
"""
import csv
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from layer_mesh import gmsh_text, mirrored_tets
from measured import compare
from small_case import Sunder

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPAN, HEIGHT, THICKNESS, NOTCH = 0.4, 0.1, 0.0125, 0.05  # of config/geometry/notched_bar.geo [m]
K_IC = 0.75e6  # of the scene
END, PERIOD = 0.0036, 3e-4  # [s] some time after the start of the crack; the bar rings a little faster then
SEEDS = (1, 2, 3, 4)  # of meshes of cells
QUASI_STATIC = 0.02  # kinetic over elastic energy, until then


def cells_mesh(cells, seed):
    """Text of a Gmsh mesh of six tetrahedra a cell; nodes off the surface, the notch and the loaded rows are moved a little.
    The slit is open by a hundredth of a cell: nodes must not share a place."""
    h, nx, nz = HEIGHT / cells, round(SPAN / HEIGHT) * cells, cells
    move, nodes, number = random.Random(seed), [], {}
    for i, j, k in itertools.product(range(nx + 1), range(2), range(nz + 1)):
        step = [0.2 * h * (2 * move.random() - 1) for _ in range(3)]
        x = i * h - SPAN / 2 + (step[0] if i not in (0, nx // 2, nx) else 0)
        z = k * h + (step[2] if k not in (0, nz) and (i, k) != (nx // 2, nz // 2) else 0)
        number[i, j, k] = len(nodes)
        nodes.append((x, j * h, z))
    tets, copies = [], {}
    for cell in itertools.product(range(nx), range(1), range(nz)):
        for corners in mirrored_tets(cell):
            tet = [number[corner] for corner in corners]
            if cell[0] >= nx // 2:
                tet = [copies.setdefault(n, len(nodes) + len(copies)) if on_notch(nodes[n]) else n for n in tet]
            tets.append(tet)
    nodes += [(0.01 * h, nodes[n][1], nodes[n][2]) for n in copies]
    return gmsh_text(nodes, {"bar": tets})


def on_notch(node):
    return node[0] == 0 and node[2] < NOTCH - 1e-9


def handbook(thickness):
    """The load at which K = K_Ic: ASTM E399 for S/W = 4, after Srawley (1976) within 0.5 %."""
    x = NOTCH / HEIGHT
    shape = (3 * x ** 0.5 * (1.99 - x * (1 - x) * (2.15 - 3.93 * x + 2.7 * x * x))
             / (2 * (1 + 2 * x) * (1 - x) ** 1.5))
    return K_IC * thickness * HEIGHT ** 1.5 / (SPAN * shape)


def bend(sunder, out, mesh, ranks):
    settings = ["output.frames=false", *([f"bodies.bar.mesh={{file: {mesh}}}"] if mesh else [])]
    words = [word for setting in settings for word in ("--set", setting)]
    done = sunder.run(["run", "notched_bar", "--until", str(END), "-o", out, "--quiet", *words], ranks,
                      timeout=7200)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def loads(out, *options):
    """Onset and peak [N], as the script for users finds them."""
    command = ["/usr/bin/python3", ROOT / "postprocess/curve.py", out, "--of", "boundary.load", "--axis", "z",
               *options, "-o", out / "curve.png"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert (out / "curve.png").stat().st_size > 10_000, "curve.png: expected a picture"
    return [float(re.search(rf"^{word}: (\S+) N", text, re.MULTILINE).group(1)) for word in ("onset", "peak")]


def before_onset(out):
    """The last line of history.csv before the first node fails."""
    with open(out / "history.csv", newline="") as file:
        whole = [row for row in csv.DictReader(file) if row["events"] == "0"]
    return {key: float(value) for key, value in whole[-1].items()}


def problems_before_onset(out):
    """A slow load, and no loss until then: what the load did is in the bar."""
    row, wrong = before_onset(out), []
    if row["kinetic"] > QUASI_STATIC * row["elastic"]:
        wrong.append(f"kinetic energy {row['kinetic']} J is no small share of {row['elastic']} J")
    if abs(row["kinetic"] + row["elastic"] - row["external"]) > 1e-3 * row["external"]:
        wrong.append(f"the load's work is {row['external']} J, energy {row['kinetic'] + row['elastic']} J")
    events = json.loads((out / "summary.json").read_text())["fracture_events"]
    return wrong if events >= 2 else [*wrong, f"{events} events, expected a crack"]


def main(program, mpiexec, cells=None, ranks="1"):
    wrong, found = [], []
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        for seed in SEEDS if cells else (0,):
            out, mesh = pathlib.Path(name) / f"bar{seed}", None
            if cells:
                mesh = pathlib.Path(name) / f"cells{seed}.msh"
                mesh.write_text(cells_mesh(int(cells), seed))
            bend(Sunder(program, mpiexec), out, mesh, int(ranks))
            found.append(loads(out, "--window", str(PERIOD)))
            print(f"mesh {seed}: onset {found[-1][0]:.4g} N, peak {found[-1][1]:.4g} N", flush=True)
            wrong += problems_before_onset(out)
    onset, peak = (sum(values) / len(found) for values in zip(*found))
    expected = handbook(HEIGHT / int(cells) if cells else THICKNESS)
    wrong += compare("load at onset", onset, expected, 0.10, "N") + compare("peak load", peak, expected, 0.15, "N")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
