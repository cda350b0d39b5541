#!/usr/bin/env python3
"""An artist's way: a closed STL with y pointing up becomes a mesh, shatters on the floor, and is a picture. And what sunder mesh,
info and check say of surfaces on the way.

surface_test.py SUNDER MPIEXEC
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from small_case import ENVIRONMENT, Sunder, errors

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "postprocess"
SCENE = """\
title: a vase falls
bodies:
  - {name: vase, mesh: {file: vase.msh}, material: {base: glass, toughness: {force: 60.0}}, position: [0, 0, 0.001], velocity: [0, 0, -8]}
obstacles:
  - {name: floor, half_space: {normal: [0, 0, 1]}, friction: 0.4}
time: {end: 4.0e-4}
output: {frame_interval: 1.0e-4}
"""


def vase(meridians=16):
    """Triangles of a solid of revolution about y, 0.12 high, outward."""
    rows = [(0.0, 0.0), (0.03, 0.0), (0.045, 0.03), (0.03, 0.08), (0.035, 0.12), (0.0, 0.12)]

    def point(row, k):
        radius, y = rows[row]
        angle = 2 * math.pi * (k % meridians) / meridians
        return (radius * math.sin(angle), y, radius * math.cos(angle))

    triangles = []
    for row in range(len(rows) - 1):
        for k in range(meridians):
            a, b, c, d = point(row, k), point(row, k + 1), point(row + 1, k + 1), point(row + 1, k)
            if rows[row][0] > 0:
                triangles.append((a, b, d if rows[row + 1][0] == 0 else c))
            if rows[row + 1][0] > 0:
                triangles.append((a, c, d))
    return triangles


def write_stl(path, triangles):
    facets = ("facet normal 0 0 0\nouter loop\n" + "".join("vertex {:.9g} {:.9g} {:.9g}\n".format(*x) for x in t) +
              "endloop\nendfacet\n" for t in triangles)
    path.write_text("solid vase\n" + "".join(facets) + "endsolid vase\n")


def surfaces_are_known(sunder, folder):
    said = sunder.run(["info", "vase.stl"], folder=folder)
    assert said.returncode == 0 and "closed, around" in said.stdout and "triangles" in said.stdout, said.stdout + said.stderr
    assert "no problem found" in sunder.run(["check", "vase.stl"], folder=folder).stdout
    write_stl(folder / "open.stl", vase()[1:])
    said = sunder.run(["info", "open.stl"], folder=folder)
    assert said.returncode == 0 and "edges of one triangle alone" in said.stdout, said.stdout + said.stderr
    said = sunder.run(["check", "open.stl"], folder=folder)
    assert said.returncode == 2 and "edges of one triangle alone" in errors(said)[0], said.stderr


def what_mesh_refuses(sunder, folder):
    for output, expected in (("vase.xyz", "expected a mesh to write that ends in .msh (Gmsh) or .vtu (VTK), got '.xyz'"),
                             ("linked.msh", "got the geometry vase.stl itself")):
        (folder / "linked.msh").unlink(missing_ok=True)
        (folder / "linked.msh").symlink_to("vase.stl")
        before = (folder / "vase.stl").read_bytes()
        said = sunder.run(["mesh", "vase.stl", "-o", output, "--size", 0.02], folder=folder)
        assert said.returncode == 2 and expected in errors(said)[0], said.stderr
        assert (folder / "vase.stl").read_bytes() == before
    assert not (folder / "vase.xyz").exists()


def box_of(sunder, folder, mesh):
    """Words of the line that says the box of a mesh."""
    said = sunder.run(["info", mesh], folder=folder)
    assert said.returncode == 0, said.stderr
    line = next(line for line in said.stdout.splitlines() if line.startswith("  box"))
    return [float(word.strip("(),")) for word in line.split() if word.strip("(),").lstrip("-")[:1].isdigit()]


def sets_keep_their_names(sunder, folder):
    """A .vtu has the sets of the .msh, and a scene finds them in it."""
    sets = []
    for mesh in ("bar.msh", "bar.vtu"):
        made = sunder.run(["mesh", "cantilever", "-o", mesh, "--size", 0.05], folder=folder)
        assert made.returncode == 0, made.stderr
        said = sunder.run(["info", mesh], folder=folder).stdout.splitlines()
        sets.append({line.strip() for line in said if " set " in line})
    assert sets[0] == sets[1], sets
    name, nodes = next(line for line in sets[0] if line.startswith("node set")).removeprefix("node set ").split(": ")
    (folder / "bar.yaml").write_text(
        "bodies: [{name: bar, mesh: {file: bar.vtu}, material: glass}]\n"
        f"boundary: [{{name: end, where: {{set: '{name}'}}, fixed: true}}]\ntime: {{end: 1e-6}}\n")
    said = sunder.run(["check", "bar.yaml"], folder=folder)
    assert f"boundary.end.where: {nodes} nodes" in said.stdout, said.stdout + said.stderr


def main(program, mpiexec):
    sunder = Sunder(program, mpiexec)
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        write_stl(folder / "vase.stl", vase())
        surfaces_are_known(sunder, folder)
        what_mesh_refuses(sunder, folder)
        for mesh in ("vase.msh", "vase.vtu"):
            made = sunder.run(["mesh", "vase.stl", "-o", mesh, "--size", 0.015, "--up", "y"], folder=folder)
            assert made.returncode == 0 and "y points up now" in made.stderr + made.stdout, made.stderr
            assert "no problem found" in sunder.run(["check", mesh], folder=folder).stdout
        box = box_of(sunder, folder, "vase.msh")
        assert abs(box[5] - 0.12) < 1e-6 and abs(box[2]) < 1e-6 and abs(box[4]) < 0.0451, box
        assert box_of(sunder, folder, "vase.vtu") == box
        sets_keep_their_names(sunder, folder)
        (folder / "vase.yaml").write_text(SCENE)
        run = sunder.run(["run", "vase.yaml", "-o", "out", "--quiet"], ranks=2, folder=folder, timeout=300)
        assert run.returncode == 0, run.stderr
        fragments = json.loads((folder / "out/summary.json").read_text())["fragments"]
        print(fragments, "shards")
        assert fragments > 5
        subprocess.run([SCRIPTS / "picture.py", "out", "-o", "shards.png", "--size", "300x300"], cwd=folder, env=ENVIRONMENT,
                       check=True)
        assert (folder / "shards.png").stat().st_size > 3000
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
