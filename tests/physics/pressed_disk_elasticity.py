#!/usr/bin/python3
"""Stress in a disk pressed along its diameter, by linear elasticity, apart from the program: what
brazilian_disk_test.cpp and docs/fracture.md hold it against.

    tests/physics/pressed_disk_elasticity.py                       a line's load, as Hertz has it
    tests/physics/pressed_disk_elasticity.py --half-width 3.27 --even   an even pressure over arcs of 15 degrees
    tests/physics/pressed_disk_elasticity.py --held                nothing slides along the axis where it is pressed

An eighth of the disk: quadratic triangles across, refined towards the load, times polynomials of fourth degree through
half of the thickness. Lengths in mm, forces in N; stresses are over 2P/(pi D t). Needs SciPy; takes seconds.
"""
import argparse
import itertools

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg
import scipy.spatial
from numpy.polynomial import legendre

RADIUS, THICKNESS, E, NU = 25.0, 12.0, 20e3, 0.25
LAMBDA, MU = E * NU / ((1 + NU) * (1 - 2 * NU)), E / (2 * (1 + NU))
DEGREE, ENDS_OF_LAYERS = 4, np.array([0, 0.55, 0.85, 1]) * THICKNESS / 2


def graded_points(finest):
    """Rim first; then symmetry planes, then the inside, on arcs around the load at (0, RADIUS)."""
    def size(distance):
        return np.clip(finest + 0.22 * distance, finest, 1.6)

    def march(end):
        at = [0.0]
        while at[-1] < end - 0.8:
            at.append(at[-1] + size(at[-1]))
        return np.array(at) * end / at[-1]

    rim = march(RADIUS * np.pi / 2) / RADIUS
    upright = RADIUS - march(RADIUS)[1:]
    level = np.linspace(0, RADIUS, 17)[1:-1]
    edge = np.vstack([np.c_[RADIUS * np.sin(rim), RADIUS * np.cos(rim)], np.c_[0 * upright, upright],
                      np.c_[level, 0 * level]])
    inside, distance = [], size(0) * 0.87
    while distance < 2 * RADIUS:
        h = size(distance)
        n = max(1, int(np.pi / 2 * distance / h))
        angle = (np.arange(n) + 0.5) / n * np.pi / 2
        inside.append(np.c_[distance * np.sin(angle), RADIUS - distance * np.cos(angle), np.full(n, h)])
        distance += 0.87 * h
    inside = np.vstack(inside)
    away = scipy.spatial.cKDTree(edge).query(inside[:, :2])[0]
    keep = (np.hypot(inside[:, 0], inside[:, 1]) < RADIUS) & (inside[:, 1] > 0) & (away > 0.6 * inside[:, 2])
    return np.vstack([edge, inside[keep, :2]]), len(rim)


def quadratic_triangles(finest):
    """Nodes (n, 2), triangles (m, 6) with the middles of edges 01, 12, 20 last, and edges on the rim (k, 3)."""
    points, on_rim = graded_points(finest)
    triangles = scipy.spatial.Delaunay(points).simplices
    a, b, c = (points[triangles[:, k]] for k in range(3))
    twice = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    triangles = triangles[twice > 1e-6]
    middles, nodes, rim = {}, list(points), []
    for i, j in (tuple(sorted((t[k], t[(k + 1) % 3]))) for t in triangles for k in range(3)):
        if (i, j) in middles:
            continue
        middles[i, j] = len(nodes)
        nodes.append((points[i] + points[j]) / 2)
        if j < on_rim and j == i + 1:
            nodes[-1] = nodes[-1] * RADIUS / np.hypot(*nodes[-1])
            rim.append((i, j, middles[i, j]))
    middle = [[middles[tuple(sorted((t[k], t[(k + 1) % 3])))] for k in range(3)] for t in triangles]
    return np.array(nodes), np.hstack([triangles, middle]), rim


def shape(p, q):
    """Of a quadratic triangle at barycentric (p, q, 1 - p - q): values, slopes along p and q."""
    r = 1 - p - q
    values = np.array([p * (2 * p - 1), q * (2 * q - 1), r * (2 * r - 1), 4 * p * q, 4 * q * r, 4 * r * p])
    return (values, np.array([4 * p - 1, 0, 1 - 4 * r, 4 * q, -4 * q, 4 * (r - p)]),
            np.array([0, 4 * q - 1, 1 - 4 * r, 4 * p, 4 * (r - q), -4 * p]))


def across(nodes, triangles):
    """Integrals over the section of products of shape functions and their slopes, by the letters of both."""
    sums = dict.fromkeys(("11", "xx", "zz", "xz", "x1", "z1"), 0)
    for weight, s in ((0.223381589678011, 0.445948490915965), (0.109951743655322, 0.091576213509771)):
        for p, q in ((s, s), (s, 1 - 2 * s), (1 - 2 * s, s)):
            n, along_p, along_q = shape(p, q)
            to_p = np.einsum("a,eak->ek", along_p, nodes[triangles])
            to_q = np.einsum("a,eak->ek", along_q, nodes[triangles])
            area = to_p[:, 0] * to_q[:, 1] - to_p[:, 1] * to_q[:, 0]
            assert area.min() > 0
            of = {"x": (np.outer(to_q[:, 1], along_p) - np.outer(to_p[:, 1], along_q)) / area[:, None],
                  "z": (np.outer(to_p[:, 0], along_q) - np.outer(to_q[:, 0], along_p)) / area[:, None],
                  "1": np.tile(n, (len(triangles), 1))}
            for pair in sums:
                sums[pair] = sums[pair] + np.einsum("e,ea,eb->eab", weight * area / 2, of[pair[0]], of[pair[1]])
    rows, columns = np.repeat(triangles, 6, axis=1).ravel(), np.tile(triangles, (1, 6)).ravel()
    return {pair: sp.csr_matrix((s.ravel(), (rows, columns)), shape=2 * [len(nodes)]) for pair, s in sums.items()}


def through():
    """Nodes through the thickness and integrals of 1 1, 1 y and y y, as across()."""
    at = np.sort(np.r_[-1, 1, legendre.Legendre.basis(DEGREE).deriv().roots()])
    points, weights = legendre.leggauss(DEGREE + 2)
    monomials = np.linalg.inv(np.vander(at, increasing=True))
    values = np.vander(points, DEGREE + 1, increasing=True) @ monomials
    slopes = np.array([[k * x ** max(0, k - 1) for k in range(DEGREE + 1)] for x in points]) @ monomials
    n = DEGREE * (len(ENDS_OF_LAYERS) - 1) + 1
    y, sums = np.zeros(n), {pair: np.zeros((n, n)) for pair in ("11", "1y", "yy")}
    for k, (low, high) in enumerate(itertools.pairwise(ENDS_OF_LAYERS)):
        part, half = slice(k * DEGREE, (k + 1) * DEGREE + 1), (high - low) / 2
        y[part] = low + half * (at + 1)
        sums["11"][part, part] += half * values.T @ (weights[:, None] * values)
        sums["1y"][part, part] += values.T @ (weights[:, None] * slopes)
        sums["yy"][part, part] += slopes.T @ (weights[:, None] * slopes) / half
    return y, sums


def pressed(nodes, rim, half_width, even):
    """Forces across of a pressure whose sum is a quarter of 2P/(pi D t) = 1 over the thickness."""
    force = np.zeros(len(nodes))
    for edge in rim:
        for s, weight in zip(*legendre.leggauss(12)):
            x = np.array([s * (s - 1) / 2, s * (s + 1) / 2, 1 - s * s]) @ nodes[list(edge)]
            along = np.array([s - 0.5, s + 0.5, -2 * s]) @ nodes[list(edge)]
            if x[0] < half_width:
                pressure = 1 if even else np.sqrt(1 - (x[0] / half_width) ** 2)
                force[list(edge)] -= weight * np.hypot(*along) * pressure * np.array(
                    [s * (s - 1) / 2, s * (s + 1) / 2, 1 - s * s])
    return force * np.pi * RADIUS / 2 / -force.sum()


def solve(nodes, rim, y, flat, deep, args):
    """Displacements (3, nodes, y)."""
    def both(pair, depth):
        return sp.kron(flat[pair], deep[depth], format="csr")

    xx, zz, yy = both("xx", "11"), both("zz", "11"), both("11", "yy")
    xz, xy, zy = both("xz", "11"), both("x1", "1y"), both("z1", "1y")
    every, more = MU * (xx + yy + zz), LAMBDA + MU
    stiffness = sp.bmat([[every + more * xx, LAMBDA * xy + MU * xy.T, LAMBDA * xz + MU * xz.T],
                         [LAMBDA * xy.T + MU * xy, every + more * yy, LAMBDA * zy.T + MU * zy],
                         [LAMBDA * xz.T + MU * xz, LAMBDA * zy + MU * zy.T, every + more * zz]], format="csr")
    force = np.zeros((3, len(nodes), len(y)))
    force[2] = np.outer(pressed(nodes, rim, args.half_width, args.even), deep["11"].sum(1))
    held = np.zeros(force.shape, bool)
    held[0, nodes[:, 0] < 1e-9], held[1, :, 0], held[2, nodes[:, 1] < 1e-9] = True, True, True
    if args.held:
        held[1, (np.hypot(*nodes.T) > RADIUS - 1e-6) & (nodes[:, 0] <= args.half_width)] = True
    free = np.flatnonzero(~held.ravel())
    matrix = stiffness[free][:, free]
    u = np.zeros(force.size)
    u[free], failed = sp.linalg.cg(matrix, force.ravel()[free], tol=1e-9, M=sp.diags(1 / matrix.diagonal()))
    assert not failed
    return u.reshape(force.shape)


def normal_stresses(u, flat, deep):
    """Along x, y and z at the nodes, (3, nodes, y): strains projected."""
    mass = sp.linalg.splu(flat["11"].tocsc())
    strain = np.array([mass.solve(flat["x1"].T @ u[0]), u[1] @ (np.linalg.inv(deep["11"]) @ deep["1y"]).T,
                       mass.solve(flat["z1"].T @ u[2])])
    return LAMBDA * strain.sum(0) + 2 * MU * strain


def mean_beside(stress, nodes, triangles, y, aside=6.0, reach=4.0):
    """Within reach of the rim's place `aside` mm from the load, weighted as in axial_stress_beside()."""
    place = RADIUS * np.array([np.sin(aside / RADIUS), np.cos(aside / RADIUS)])
    levels = (np.arange(40) + 0.5) / 40 * reach
    at_levels = np.array([np.interp(levels, y, line) for line in stress])
    a, b, c = (nodes[triangles[:, k]] for k in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    total = volume = 0
    for p, q in itertools.product((np.arange(10) + 0.5) / 10, repeat=2):
        if p + q < 1:
            n = shape(p, q)[0]
            squared = ((np.einsum("a,eak->ek", n, nodes[triangles]) - place) ** 2).sum(1)
            weight = np.maximum(0, 1 - (squared[:, None] + levels**2) / reach**2) * area[:, None]
            total += (weight * np.einsum("a,eay->ey", n, at_levels[triangles])).sum()
            volume += weight.sum()
    return total / volume


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--finest", type=float, default=0.5, help="element at the load [mm]")
    parser.add_argument("--half-width", type=float, default=0.75, help="of the load [mm]")
    parser.add_argument("--even", action="store_true")
    parser.add_argument("--held", action="store_true")
    args = parser.parse_args()
    nodes, triangles, rim = quadratic_triangles(args.finest)
    y, deep = through()
    flat = across(nodes, triangles)
    stress = normal_stresses(solve(nodes, rim, y, flat, deep, args), flat, deep)
    on_rim = np.flatnonzero((np.hypot(*nodes.T) > RADIUS - 1e-6) & (nodes[:, 1] > RADIUS / 2))
    on_upright = np.flatnonzero(nodes[:, 0] < 1e-9)
    on_rim = on_rim[np.argsort(nodes[on_rim, 0])]
    on_upright = on_upright[np.argsort(nodes[on_upright, 1])]
    print("across the upright: mm from the middle, in the middle plane, on the flat faces")
    for z in (0, 5, 10, 15, 17, 20):
        print(f"  {z:4} {np.interp(z, nodes[on_upright, 1], stress[0, on_upright, 0]):8.2f}"
              f" {np.interp(z, nodes[on_upright, 1], stress[0, on_upright, -1]):8.2f}")
    print("along the axis, on the rim in the middle plane: mm from the upright")
    for x in (2, 3, 4, 4.5, 5, 6, 8, 10):
        print(f"  {x:4} {np.interp(x, nodes[on_rim, 0], stress[1, on_rim, 0]):8.2f}")
    print(f"along the axis, mean around 6 mm: {mean_beside(stress[1], nodes, triangles, y):.3f}")


if __name__ == "__main__":
    main()
