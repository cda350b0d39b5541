#!/usr/bin/env python3
"""A crack in a large plate that a plane wave strikes starts at G_c, and runs as fast as its equation of motion says.

crack_speed_test.py SUNDER MPIEXEC [RANKS [ELEMENT_SIZE]]    1 rank, elements of 2 mm

The wave pulls with STRESS, all along the crack and what is ahead of it, from t = 0 on. A crack at rest has
K(t) = 2 STRESS/(1 - nu) sqrt(c_d t (1 - 2 nu)/pi), plane strain, so that G(t) = G_c t/t_0. Freund (Dynamic Fracture Mechanics,
1990, 6.4 and 7.4): it starts at t_0, and the G of a crack that runs with v is about (1 - v/c_R) of that of one at rest,
however it got there: v = c_R (1 - t_0/t). That holds until waves come back from the edges of the plate.
"""
import csv
import math
import pathlib
import sys
import tempfile

from layer_mesh import cut_plate
from measured import compare
from small_case import Sunder

E, NU, RHO = 32e9, 0.2, 2450.0
STRESS, G_C, STRENGTH = 1e6, 3.41, 4e6
CUT, HALF = 0.2, 0.2  # of a plate 2 CUT long and 2 HALF high [m]
MEAN = 10e-6  # speeds are means over so long [s]

SCENE = """
materials:
  lower: {{E: {E}, nu: {NU}, density: {RHO}}}
  upper: {{base: lower}}
bodies: [{{name: plate, mesh: {{file: plate.msh}}, material: lower, regions: [{{set: upper, material: upper}}]}}]
interfaces: [{{between: [lower, upper], toughness: {{stress: {STRENGTH}, G_c: {G_C}}}}}]
loads:
  - {{name: top, where: {{box: {{min: [-1, -1, {near}], max: [1, 1, 1]}}}}, traction: [0, 0, {half}]}}
  - {{name: bottom, where: {{box: {{min: [-1, -1, -1], max: [1, 1, -{near}]}}}}, traction: [0, 0, -{half}]}}
boundary:
  - {{name: left, where: {{box: {{min: [-1, -1, -1], max: [1.0e-6, 1, 1]}}}}, fixed: true, axes: x}}
  - {{name: right, where: {{box: {{min: [{far}, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: x}}
  - {{name: faces, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: y}}
collisions: {{enabled: false}}
time: {{end: {end}}}
output: {{frames: false, history_interval: 5.0e-7}}
"""


def wave_speeds():
    """Of dilatation, of shear, and Rayleigh's [m/s]."""
    mu, lam = E / 2 / (1 + NU), E * NU / (1 + NU) / (1 - 2 * NU)
    dilatation, shear = math.sqrt((lam + 2 * mu) / RHO), math.sqrt(mu / RHO)

    def secular(c):
        a, b = (c / dilatation) ** 2, (c / shear) ** 2
        return (2 - b) ** 2 - 4 * math.sqrt((1 - a) * (1 - b))

    low, high = 0.5 * shear, 0.9999 * shear  # negative below Rayleigh's speed
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if secular(middle) < 0 else (low, middle)
    return dilatation, shear, low


DILATATION, _, RAYLEIGH = wave_speeds()
ARRIVAL = HALF / DILATATION
START = G_C * E / (1 - NU ** 2) * math.pi / (DILATATION * (1 - 2 * NU)) * ((1 - NU) / 2 / STRESS) ** 2  # t_0 after ARRIVAL
BACK = 2 * min(CUT, HALF) / DILATATION  # when waves are back from the edges, after ARRIVAL


def run(sunder, folder, ranks, *more):
    """Until the end, or as far as more says."""
    (folder / "plate.yaml").write_text(SCENE.format(E=E, NU=NU, RHO=RHO, STRENGTH=STRENGTH, G_C=G_C, half=STRESS / 2,
                                                    near=HALF - 1e-6, far=2 * CUT - 1e-6, end=ARRIVAL + 0.9 * BACK))
    summary = sunder.summary([folder / "plate.yaml", "--set", "checkpoint.steps=100", *more], folder / "out", ranks, timeout=20000)
    return summary["fracture"]["links"]


def speeds(out, h, since=ARRIVAL):
    """Time since an instant, and how fast the crack was around it, means over MEAN: [s], [m/s]."""
    with open(out / "history.csv", newline="") as file:
        rows = [(float(row["time"]) - since, float(row["surface"]) / G_C / h) for row in csv.DictReader(file)]
    half = round(MEAN / 2 / (rows[1][0] - rows[0][0]))
    return [(rows[k][0], (rows[k + half][1] - rows[k - half][1]) / (rows[k + half][0] - rows[k - half][0]))
            for k in range(half, len(rows) - half)]


def compare_speeds(name, found, expected):
    """found: (time, speed). expected: (time, share of c_R). Returns what is wrong."""
    wrong = []
    for time, share in expected:
        speed = min(found, key=lambda at: abs(at[0] - time))[1]
        wrong += compare(f"{name}: speed at {1e6 * time:.0f} us", speed / RAYLEIGH, share, 0.15, "c_R")
    fastest = max(speed for _, speed in found)
    print(f"fastest: {fastest / RAYLEIGH:.3f} c_R")
    if fastest > RAYLEIGH:
        wrong.append(f"the crack ran {fastest} m/s, faster than Rayleigh waves")
    return wrong


def main(program, mpiexec, ranks="1", h="0.002"):
    wrong, h = [], float(h)
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder, sunder = pathlib.Path(name), Sunder(program, mpiexec)
        (folder / "plate.msh").write_text(cut_plate(h, 2 * CUT, HALF, CUT))
        links = run(sunder, folder, int(ranks), "--until", str(ARRIVAL + 0.95 * START))
        if links["broken"]:
            wrong.append(f"at 0.95 G_c {links['broken']} links have broken, expected none")
        run(sunder, folder, int(ranks), "--restart", "latest")
        found = speeds(folder / "out", h)
        wrong += compare_speeds(f"elements of {1e3 * h:g} mm, after the wave", found,
                                [(START / (1 - share), share) for share in (0.2, 0.3, 0.4, 0.5)])
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
