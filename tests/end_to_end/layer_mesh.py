"""Meshes of cells of six tetrahedra each, for the tests in this folder that crack a plate or a bar."""
import itertools
import math


def mirrored_tets(cell):
    """Of six tetrahedra that fill a cell of a grid their corners, points (i, j, k) of the grid. Neighbouring cells mirror each
    other, so their faces match."""
    for order in itertools.permutations(range(3)):
        at = [c % 2 for c in cell]
        corners = [tuple(c + a for c, a in zip(cell, at))]
        for axis in order:
            at[axis] = 1 - at[axis]
            corners.append(tuple(c + a for c, a in zip(cell, at)))
        yield corners


def upright(tet, nodes):
    """With positive volume."""
    a, b, c = ([x - o for x, o in zip(nodes[n], nodes[tet[0]])] for n in tet[1:])
    volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return tet if volume > 0 else [tet[0], tet[2], tet[1], tet[3]]


def gmsh_text(nodes, tets_of_set):
    """A Gmsh 2.2 mesh. Tetrahedra are turned upright."""
    numbered = [(number, tet) for number, tets in enumerate(tets_of_set.values(), 1) for tet in tets]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(tets_of_set)),
             *(f'3 {number} "{name}"' for number, name in enumerate(tets_of_set, 1)), "$EndPhysicalNames",
             "$Nodes", str(len(nodes)), *(f"{n} {x:.17g} {y:.17g} {z:.17g}" for n, (x, y, z) in enumerate(nodes, 1)),
             "$EndNodes", "$Elements", str(len(numbered)),
             *(f"{n} 4 2 {number} {number} " + " ".join(str(c + 1) for c in upright(tet, nodes))
               for n, (number, tet) in enumerate(numbered, 1))]
    return "\n".join([*lines, "$EndElements", ""])


def cut_plate(h, length, half, cut, thin=1):
    """Text of a Gmsh mesh, one layer of cells of size h: the sets lower and upper, half high each, which share the nodes
    between them from x = cut on. Cells at the plane between them are `thin` times lower, and as many more."""
    numbers, nodes, tets = {}, [], {"lower": [], "upper": []}

    def height(k):
        return math.copysign(h * (abs(k) / thin if abs(k) < thin else abs(k) - thin + 1), k)

    def number(i, j, k, side):
        key = (i, j, k, side if k == 0 and i * h < cut - h / 2 else "both")
        if key not in numbers:
            numbers[key] = len(nodes)
            nodes.append((i * h, j * h, height(k)))
        return numbers[key]

    nx, nz = round(length / h), round(half / h) + thin - 1
    for i, k in itertools.product(range(nx), range(-nz, nz)):
        side = "upper" if k >= 0 else "lower"
        tets[side] += [[number(*corner, side) for corner in corners] for corners in mirrored_tets((i, 0, k))]
    return gmsh_text(nodes, tets)
