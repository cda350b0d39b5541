#!/usr/bin/env python3
"""A crack along a strip between fixed grips gathers speed as if it had a mass, and never outruns Rayleigh waves.

strip_test.py SUNDER MPIEXEC [RANKS [ELEMENT_SIZE]]    1 rank, elements of 1 mm

Ahead of the crack the strip has the energy W on each square metre, behind it nothing is left, so that a crack with a steady speed
gets W, whatever its speed. One that gathers speed pays for the motion around it, too (Marder, Phys. Rev. Lett. 66, 1991, 2484;
experiments: Goldman, Livne, Fineberg, ibid. 104, 2010, 114301), with b half the height of the strip:

    G_c = W (1 - b v'/c_d^2/(1 - v^2/c_R^2)^2)

Grips are moved slowly, then held; the crack starts when W = G_c. The equation knows nothing of the time that waves take to the grips and
back, so the first speeds are not compared.
"""
import math
import pathlib
import sys
import tempfile

from crack_speed_test import DILATATION, E, G_C, NU, RAYLEIGH, RHO, STRENGTH, compare_speeds, speeds
from layer_mesh import cut_plate
from small_case import Sunder

HALF, CUT, LENGTH = 0.04, 0.08, 0.32  # half the height of the strip, the cut from its left end on, its length [m]
DRIVE = 1.5  # W over G_c once the grips are held
GRIPPED, END = 2e-4, 2.4e-4  # [s]; grips move for the time of ten waves from grip to grip

SCENE = """
materials:
  lower: {{E: {E}, nu: {NU}, density: {RHO}}}
  upper: {{base: lower}}
bodies: [{{name: strip, mesh: {{file: strip.msh}}, material: lower, regions: [{{set: upper, material: upper}}]}}]
interfaces: [{{between: [lower, upper], toughness: {{stress: {STRENGTH}, G_c: {G_C}}}}}]
boundary:
  - {{name: top, where: {{box: {{min: [-1, -1, {near}], max: [1, 1, 1]}}}}, displacement: [
      {{time: 0, displacement: [0, 0, 0]}}, {{time: {GRIPPED}, displacement: [0, 0, {grip}], smooth: true}}]}}
  - {{name: bottom, where: {{box: {{min: [-1, -1, -1], max: [1, 1, -{near}]}}}}, displacement: [
      {{time: 0, displacement: [0, 0, 0]}}, {{time: {GRIPPED}, displacement: [0, 0, -{grip}], smooth: true}}]}}
  - {{name: faces, where: {{box: {{min: [-1, -1, -1], max: [1, 1, 1]}}}}, fixed: true, axes: y}}
collisions: {{enabled: false}}
time: {{end: {END}}}
output: {{frames: false, history_interval: 5.0e-7}}
"""


def grip(time):
    """What share of its way a grip has gone."""
    s = min(time / GRIPPED, 1)
    return 10 * s ** 3 - 15 * s ** 4 + 6 * s ** 5


def times_of(shares):
    """When the equation of motion has these shares of Rayleigh's speed [s]."""
    found, v, time, step = [], 0.0, 0.0, 1e-8
    for share in shares:
        while v < share:
            drive = DRIVE * grip(time) ** 2
            if drive > 1:
                v += step * (1 - 1 / drive) * (1 - v * v) ** 2 * DILATATION ** 2 / HALF / RAYLEIGH
            time += step
        found.append(time)
    return found


def run(sunder, folder, ranks):
    modulus = E * (1 - NU) / (1 + NU) / (1 - 2 * NU)  # W = modulus grip^2/HALF
    (folder / "strip.yaml").write_text(SCENE.format(E=E, NU=NU, RHO=RHO, STRENGTH=STRENGTH, G_C=G_C, near=HALF - 1e-6, GRIPPED=GRIPPED,
                                                    END=END, grip=math.sqrt(DRIVE * G_C * HALF / modulus)))
    done = sunder.run(["run", folder / "strip.yaml", "-o", folder / "out", "--quiet"], ranks, timeout=20000)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def main(program, mpiexec, ranks="1", h="0.001"):
    h, shares = float(h), (0.6, 0.7, 0.8, 0.9)
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        (folder / "strip.msh").write_text(cut_plate(h, LENGTH, HALF, CUT))
        run(Sunder(program, mpiexec), folder, int(ranks))
        found = speeds(folder / "out", h, since=0)
    wrong = compare_speeds(f"elements of {1e3 * h:g} mm", found, zip(times_of(shares), shares))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
