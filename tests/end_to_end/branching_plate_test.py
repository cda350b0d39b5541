#!/usr/bin/env python3
"""A cut plate that a step of pull strikes on both long sides: when its crack starts, how fast it runs, that it is straight until
it becomes unstable and alone until then, and where that is. Published: starts after 10 to 14 us, below 0.6 c_R, branches
after 28 to 40 us at 60 to 75 mm.

branching_plate_test.py SUNDER MPIEXEC [RANKS [SEEDS [CELL]]]    2 ranks, seeds 1,2 of the irregular cells, of 0.0005 m
"""
import itertools
import math
import pathlib
import random
import sys
import tempfile

from crack_surface import read_faces
from layer_mesh import gmsh_text, mirrored_tets
from measured import within
from small_case import Sunder

LENGTH, HALF, CUT = 0.1, 0.02, 0.05  # [m]
# Phase fields are published with E, nu, density and G_c alone. In uniform tension that of Borden and others (Comput. Methods Appl.
# Mech. Engrg. 217, 2012) bears at most 9/16 sqrt(E G_c / (6 l0)); l0 is 0.25 mm there.
STRENGTH = 4.5e6  # [Pa]
FASTEST = 1275.0  # [m/s]
FRAME = 5e-7
STRAIGHT = 0.3e-3  # from the plane of the cut [m]
UNSTABLE = (28e-6, 40e-6), (0.060, 0.075)  # when and where a crack first leaves the plane, as published
START = (10e-6, 14e-6)  # first faces that are parted, as published

SCENE = f"""
materials: {{glass: {{E: 32.0e9, nu: 0.2, density: 2450, toughness: {{stress: {STRENGTH}, G_c: 3.0}}}}}}
bodies: [{{name: plate, mesh: {{file: plate.msh}}, material: glass}}]
loads:
  - {{name: top, where: {{box: {{min: [-1, -1, {HALF - 1e-6}], max: [1, 1, 1]}}}}, traction: [0, 0, 1.0e6]}}
  - {{name: bottom, where: {{box: {{min: [-1, -1, -1], max: [1, 1, -{HALF - 1e-6}]}}}}, traction: [0, 0, -1.0e6]}}
boundary: [{{name: faces, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: y}}]
collisions: {{enabled: false}}
fracture: {{exclusion: 0.5}}
time: {{end: 40.0e-6}}
output: {{frame_interval: {FRAME}, history_interval: 1.0e-6}}
"""


def plate(seed, h):
    """Text of a Gmsh mesh, one layer of irregular cells of size h, slit to CUT."""
    draw, place, numbers, nodes, tets = random.Random(seed), {}, {}, [], []
    nx, nz = round(LENGTH / h), round(HALF / h)
    for i, j, k in itertools.product(range(nx + 1), range(2), range(-nz, nz + 1)):
        dx, dz = (0.2 * h * (2 * draw.random() - 1) for _ in range(2))
        on_cut = k == 0 and i * h < CUT + h / 2
        place[i, j, k] = (i * h + (0 if i in (0, nx) or (on_cut and i * h > CUT - h / 2) else dx), j * h,
                          k * h + (0 if abs(k) == nz or on_cut else dz))

    def number(i, j, k, side):
        key = (i, j, k, side if k == 0 and i * h < CUT - h / 2 else "both")
        if key not in numbers:
            numbers[key] = len(nodes)
            nodes.append(place[i, j, k])
        return numbers[key]

    for i, k in itertools.product(range(nx), range(-nz, nz)):
        side = "upper" if k >= 0 else "lower"
        tets += [[number(*corner, side) for corner in corners] for corners in mirrored_tets((i, 0, k))]
    return gmsh_text(nodes, {"plate": tets})


def main(program, mpiexec, ranks="2", seeds="1,2", cell="0.0005"):
    wrong = []

    for seed in map(int, seeds.split(",")):
        with tempfile.TemporaryDirectory(prefix="sunder-") as name:
            folder, sunder = pathlib.Path(name), Sunder(program, mpiexec)
            (folder / "plate.msh").write_text(plate(seed, float(cell)))
            (folder / "plate.yaml").write_text(SCENE)
            done = sunder.run(["run", folder / "plate.yaml", "-o", folder / "out", "--quiet"], int(ranks), timeout=7200)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
            start = unstable = None
            tips = []
            for path in sorted((folder / "out" / "frames").glob("*_cracks_*.pvtu")):
                time = int(path.stem.split("_")[-1]) * FRAME
                corners, strength = read_faces(path)
                centres = corners.mean(axis=1)
                parted = centres[strength <= 0]
                if len(parted) and start is None:
                    start = time
                aside = centres[(abs(centres[:, 2]) > STRAIGHT) & (strength < 0.9)]
                if len(aside) and unstable is None:
                    unstable = time, aside[:, 0].max()
                if len(parted) and unstable is None:
                    tips.append((time, parted[:, 0].max()))
        wrong += within(f"mesh {seed}: start", 1e6 * (start or math.inf), *(1e6 * t for t in START), "us")
        when, where = unstable or (math.inf, math.inf)
        wrong += within(f"mesh {seed}: leaves its plane", 1e6 * when, *(1e6 * t for t in UNSTABLE[0]), "us")
        wrong += within(f"mesh {seed}: leaves its plane at", 1e3 * where, *(1e3 * x for x in UNSTABLE[1]), "mm")
        if len(tips) < 3:
            wrong.append(f"mesh {seed}: the crack did not run straight before it became unstable")
            continue
        wrong += within(f"mesh {seed}: mean speed until then", (tips[-1][1] - tips[0][1]) / (tips[-1][0] - tips[0][0]), 300, FASTEST, "m/s")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
