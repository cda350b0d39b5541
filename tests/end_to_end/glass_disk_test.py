#!/usr/bin/env python3
"""A steel ball strikes a glass disk: how many radial cracks, that their number grows with the root of the speed, and that they
run along no direction of the mesh. Scene glass_disk, specimens with different strengths from place to place, the mesh of each
turned by an angle drawn at random.

glass_disk_test.py SUNDER MPIEXEC [RANKS [SPECIMENS [OTHERS]]]    1 rank, 20 specimens at 100 m/s, 3 at 50 and at 200 m/s

Directions are taken on the ring at half of the radius. The number of cracks is that on the ring where most stand: the core grows
with the speed, and slow cracks do not come far.
"""
import math
import pathlib
import random
import sys
import tempfile

import numpy as np

from crack_surface import read_faces
from measured import within
from small_case import Sunder

RADIUS, THICKNESS, RING = 0.037, 0.0025, 0.5 * 0.037  # [m]
OPEN = 0.5  # of their strength left: faces that have less are open
GAP = 1.5e-3  # between two cracks, along the ring [m]
COVERED = 0.3  # of the thickness, by the faces of a crack
HARMONICS, PERMUTATIONS = 12, 9999
RINGS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)  # of the radius
OTHERS = (50, 200)  # [m/s]


def crossings(triangles, ring):
    """Where faces that stand across the ring cross it: angle, and how much of the thickness each takes, a half of it for each of
    the two sides. Faces along the ring are left out."""
    found = []
    for corners in triangles:
        r = np.hypot(corners[:, 0], corners[:, 1]) - ring
        points = [corners[i] + r[i] / (r[i] - r[j]) * (corners[j] - corners[i])
                  for i, j in ((0, 1), (1, 2), (2, 0)) if r[i] * r[j] < 0]
        if len(points) != 2:
            continue
        middle = (points[0] + points[1]) / 2
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        along = np.array([-middle[1], middle[0], 0]) / ring
        if abs(normal @ along) > math.sqrt(0.5) * np.linalg.norm(normal):
            found.append((math.atan2(middle[1], middle[0]), abs(points[0][2] - points[1][2]) / 2))
    return np.array(sorted(found)).reshape(-1, 2)


def radial_cracks(triangles, ring=RING):
    """The angles at which radial cracks cross the ring [rad]."""
    found = crossings(triangles, ring)
    if len(found) == 0:
        return []
    angle, height = found.T
    gaps = np.flatnonzero(np.diff(np.append(angle, angle[0] + 2 * math.pi)) * ring > GAP)
    if len(gaps) == 0:
        return []
    turned = np.roll(np.arange(len(angle)), -(gaps[-1] + 1))
    ends = (gaps - gaps[-1] - 1) % len(angle)
    cracks = []
    for members in np.split(turned, np.sort(ends)[:-1] + 1):
        if height[members].sum() > COVERED * THICKNESS:
            cracks.append(float(np.average(np.unwrap(angle[members]), weights=height[members])))
    return cracks


def mesh_angle(specimen):
    """By how much its mesh is turned [rad]."""
    return round(random.Random(specimen).uniform(0, 2 * math.pi), 6)


def strike(sunder, ranks, speed, specimen):
    """The angles of its radial cracks at half of the radius, and their number on the ring where most stand."""
    angle = mesh_angle(specimen)
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        done = sunder.run(["run", "glass_disk", "-o", name, "--overwrite", "--quiet",
                           "--set", f"materials.glass.toughness.weibull.seed={specimen}",
                           "--set", f"bodies.disk.rotation.angle={angle:.6f}",
                           "--set", f"obstacles.ball.velocity=[0,0,-{speed}]"], ranks, timeout=7200)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        corners, strength = read_faces(sorted((pathlib.Path(name) / "frames").glob("*_cracks_*.pvtu"))[-1])
    faces = corners[strength < OPEN]
    cracks, most = radial_cracks(faces), max(len(radial_cracks(faces, ring * RADIUS)) for ring in RINGS)
    print(f"{speed} m/s, specimen {specimen}, mesh turned by {math.degrees(angle):.0f} degrees: {len(cracks)} radial cracks, "
          f"{most} where there are most", flush=True)
    return cracks, most


def alignment(directions, mesh_angles):
    """(HARMONICS) |sum exp(i m phi)|^2 / number of cracks, phi their directions in the mesh. directions: a list for each run."""
    phi = np.concatenate([np.asarray(of_run) - angle for of_run, angle in zip(directions, mesh_angles)])
    m = np.arange(1, HARMONICS + 1)[:, None]
    return abs(np.exp(1j * m * phi).sum(axis=1)) ** 2 / len(phi)


def least_p(directions, mesh_angles):
    """Over all harmonics the least p-value, times their number, and its harmonic. If cracks know nothing of the mesh, its angles
    may as well have been given to the runs in another order."""
    found, draw = alignment(directions, mesh_angles), np.random.default_rng(1)
    as_large = sum(alignment(directions, draw.permutation(mesh_angles)) >= found for _ in range(PERMUTATIONS))
    p = (1 + as_large) / (1 + PERMUTATIONS)
    return min(1.0, HARMONICS * p.min()), int(p.argmin()) + 1


def drawn_to_mesh(directions, mesh_angles, share, m):
    """The same cracks, but each with this probability in the nearest of m directions of the mesh."""
    draw, step = random.Random(2), 2 * math.pi / m
    return [[angle + step * round((d - angle) / step) if draw.random() < share else d for d in of_run]
            for of_run, angle in zip(directions, mesh_angles)]


def report(fast, mesh_angles, numbers):
    """Prints what was found; returns what is wrong. fast: angles of each run at 100 m/s; numbers: mean number of cracks by speed."""
    wrong = []

    number = sum(map(len, fast))
    p, harmonic = least_p(fast, mesh_angles)
    print(f"{number} radial cracks; of {HARMONICS} harmonics of their directions in the mesh the {harmonic}. stands out most")
    wrong += within("p of that harmonic, times their number", p, 0.05, 1, "-")
    for m in (2, 4, 6):
        planted, seen = least_p(drawn_to_mesh(fast, mesh_angles, 0.3, m), mesh_angles)
        wrong += within(f"p if 30 % of them ran along {m} directions of the mesh ({seen}. harmonic)", planted, 0, 0.05, "-")
    if len(numbers) > 1:
        speeds, counts = np.log(list(numbers)), np.log([max(n, 0.5) for n in numbers.values()])
        print("radial cracks by speed:", ", ".join(f"{n:.1f} at {v} m/s" for v, n in numbers.items()))
        wrong += within("power of the speed that their number grows with", np.polyfit(speeds, counts, 1)[0], 0.3, 0.7, "-")
    return wrong


def main(program, mpiexec, ranks="1", specimens="20", others="3"):
    sunder = Sunder(program, mpiexec)
    fast = {k: strike(sunder, int(ranks), 100, k) for k in range(1, int(specimens) + 1)}
    most = {100: [most for _, most in fast.values()]}
    for first, speed in zip((100, 200), OTHERS):
        most[speed] = [strike(sunder, int(ranks), speed, first + k)[1] for k in range(1, int(others) + 1)]
    wrong = report([cracks for cracks, _ in fast.values()], [mesh_angle(k) for k in fast], {v: sum(n) / len(n) for v, n in most.items() if n})
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
