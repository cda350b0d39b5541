#!/usr/bin/env python3
"""The plate of Kalthoff and Winkler: which way its crack leaves the notch, where it ends and how fast it runs.

kalthoff_winkler_test.py SUNDER MPIEXEC [RANKS [REFINES]]    1 rank; 0: elements of 2 mm

In the experiment (Kalthoff, International Journal of Fracture 101, 2000) the crack is turned by some 70 degrees from the notch.
The ranges allowed are about that, and were set after the first runs.
"""
import math
import pathlib
import sys
import tempfile

import numpy as np
from crack_surface import read_faces
from measured import within
from small_case import Sunder

FRAME = 5e-6  # of the scene [s]
END_OF_NOTCH = np.array([0.05, 0.02575])  # x, z [m]
BESIDE_NOTCH = 0.027  # above the notch, which is 1.5 mm wide [m]
RAYLEIGH = 2803.0  # [m/s]


def parted(path):
    """Centres (x, z) of the faces above the notch whose links have broken."""
    corners, strength = read_faces(path)
    centres = corners.mean(axis=1)[strength <= 0][:, [0, 2]]
    return centres[(centres[:, 1] > BESIDE_NOTCH) & (centres[:, 0] < 0.095)]


def direction(points):
    """From the end of the notch to their mean [degrees]."""
    way = points.mean(axis=0) - END_OF_NOTCH
    return math.degrees(math.atan2(way[1], way[0]))


def crack_above(sunder, ranks, refine):
    """Time and centres of the faces that have parted above the notch, frame by frame."""
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        out = pathlib.Path(name) / "out"
        sunder.summary(["kalthoff_winkler", "--set", f"bodies.plate.mesh.refine={refine}"], out, ranks, timeout=20000)
        frames = sorted((out / "frames").glob("*_cracks_*.pvtu"))
        return [(FRAME * int(path.stem.split("_")[-1]), parted(path)) for path in frames]


def check(name, frames):
    tips = [(time, faces[faces[:, 1].argmax()]) for time, faces in frames if len(faces)]
    if len(tips) < 8:
        return [f"{name}: expected a crack from the notch in 8 frames, got it in {len(tips)}"]
    last = frames[-1][1]
    far = np.hypot(*(last - END_OF_NOTCH).T)
    (since, first), (until, end) = tips[0], next(tip for tip in tips if tip[1][1] > 0.065 or tip is tips[-1])
    speed = np.hypot(*(end - first)) / (until - since)
    return [*within(f"{name}: direction 10 to 30 mm from the notch", direction(last[(far > 0.01) & (far < 0.03)]), 55, 70, "degrees"),
            *within(f"{name}: direction of where it ends", direction(tips[-1][1][None]), 60, 80, "degrees"),
            *within(f"{name}: how high it comes", 1e3 * tips[-1][1][1], 80, 100, "mm"),
            *within(f"{name}: mean speed over its first 40 mm", speed / RAYLEIGH, 0.4, 0.7, "c_R")]


def main(program, mpiexec, ranks="1", refines="0"):
    sunder, wrong = Sunder(program, mpiexec), []
    for refine in refines.split(","):
        wrong += check(f"refine {refine}", crack_above(sunder, int(ranks), refine))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
