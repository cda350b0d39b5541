#!/usr/bin/env python3
"""A crack along a strip whose elements are lower where it runs is as fast with local time steps as with one step for all.

local_crack_speed_test.py SUNDER MPIEXEC [RANKS [ELEMENT_SIZE]]    2 ranks, elements of 2 mm

As strip_test.py, half as large. The elements beside the crack have levels of their own, and what drives it comes to it through the
border between them and the others.
"""
import csv
import math
import pathlib
import sys
import tempfile

from crack_speed_test import DILATATION, E, G_C, NU, RAYLEIGH, RHO, STRENGTH
from layer_mesh import cut_plate
from measured import compare
from small_case import Sunder, settings
from strip_test import SCENE

HALF, CUT, LENGTH = 0.02, 0.04, 0.16  # half the height of the strip, the cut from its left end on, its length [m]
DRIVE = 1.5  # energy of the strip ahead of the crack over G_c once the grips are held
GRIPPED, END = 1e-4, 1.3e-4  # [s]
THIN = 4  # elements beside the crack are so many times lower
SHARES = 0.1, 0.3, 0.5, 0.7  # of the way


def run(sunder, folder, ranks, name, *pairs):
    """Its summary."""
    return sunder.summary([folder / "strip.yaml", *settings(*pairs)], folder / name, ranks, timeout=20000)


def speeds(out, h):
    """Between shares of the crack's way, over Rayleigh's."""
    way = LENGTH - CUT
    with open(out / "history.csv", newline="") as file:
        rows = [(float(row["time"]), float(row["surface"]) / G_C / h / way) for row in csv.DictReader(file)]
    times = []
    for share in SHARES:
        (t0, x0), (t1, x1) = next(pair for pair in zip(rows, rows[1:]) if pair[1][1] >= share)
        times.append(t0 + (t1 - t0) * (share - x0) / (x1 - x0))
    return [way * (b - a) / (end - begin) / RAYLEIGH
            for a, b, begin, end in zip(SHARES, SHARES[1:], times, times[1:])]


def main(program, mpiexec, ranks="2", h="0.002"):
    h, modulus = float(h), E * (1 - NU) / (1 + NU) / (1 - 2 * NU)
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder, sunder = pathlib.Path(name), Sunder(program, mpiexec)
        (folder / "strip.msh").write_text(cut_plate(h, LENGTH, HALF, CUT, THIN))
        (folder / "strip.yaml").write_text(SCENE.format(
            E=E, NU=NU, RHO=RHO, STRENGTH=STRENGTH, G_C=G_C, near=HALF - 1e-6, GRIPPED=GRIPPED, END=END,
            grip=math.sqrt(DRIVE * G_C * HALF / modulus)))
        one = run(sunder, folder, int(ranks), "one")
        local = run(sunder, folder, int(ranks), "local", "time.local_steps=auto", f"time.macro_step={0.36 * h / DILATATION}")
        expected, found = speeds(folder / "one", h), speeds(folder / "local", h)
    wrong = []
    for begin, end, by_one, by_local in zip(SHARES, SHARES[1:], expected, found):
        wrong += compare(f"elements of {1e3 * h:g} mm: speed from {begin:.0%} to {end:.0%} of the way", by_local, by_one, 0.03, "c_R")
    if local["steps"] > 0.4 * one["steps"] or sum(local["local_steps"]["elements"][2:]) == 0:
        wrong.append(f"nothing is compared: {local['steps']} steps in place of {one['steps']}, levels {local['local_steps']}")
    if abs(local["energy"]["relative_error"]) > 0.01:
        wrong.append(f"balance of energy with local steps: {local['energy']}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
