"""A small box of tetrahedra, a scene that pulls it apart, and how to run sunder on it: for the tests in this folder."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

# The launcher sends SIGKILL right after SIGTERM where a job ends with another status than 0: it would wait a second or two
# for each, and what a rank has to say was said before.
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "1", "OMPI_MCA_odls_base_sigkill_timeout": "0"}


def box_mesh(cells=(2, 2, 2), cell_size=0.1, without=()):
    """Text of a Gmsh 2.2 mesh: cubes, six tetrahedra each; physical groups body, left (x = 0) and right (x = max). Cubes that are
    left out may not leave nodes without a tetrahedron."""
    shape = [n + 1 for n in cells]
    corner = lambda ijk: 1 + ijk[0] + shape[0] * (ijk[1] + shape[1] * ijk[2])
    nodes = [(i * cell_size, j * cell_size, k * cell_size)
             for k in range(shape[2]) for j in range(shape[1]) for i in range(shape[0])]
    tets, faces = [], []
    for cell in itertools.product(*map(range, cells)):
        if cell in without:
            continue
        for order in itertools.permutations(range(3)):  # a path along the cube's edges from one corner to the opposite
            path = [list(cell)]
            for axis in order:
                path.append([x + (a == axis) for a, x in enumerate(path[-1])])
            even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            tets.append([corner(p) for p in (path if even else [path[0], path[2], path[1], path[3]])])
            for group, x in ((2, 0), (3, cells[0])):
                on_side = [corner(p) for p in path if p[0] == x]
                if len(on_side) == 3:
                    faces.append((group, on_side))
    elements = ([f"2 2 {group} {group} " + " ".join(map(str, face)) for group, face in faces] +
                ["4 2 1 1 " + " ".join(map(str, tet)) for tet in tets])
    return "\n".join(
        ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", '3 1 "body"', '2 2 "left"', '2 3 "right"',
         "$EndPhysicalNames", "$Nodes", str(len(nodes))] +
        [f"{n} {x:.17g} {y:.17g} {z:.17g}" for n, (x, y, z) in enumerate(nodes, 1)] +
        ["$EndNodes", "$Elements", str(len(elements))] + [f"{n} {e}" for n, e in enumerate(elements, 1)] +
        ["$EndElements", ""])


# One key a line, so that a test can change one and know its line.
SCENE = """\
title: a bar pulled apart
materials:
  chalk:
    E: 1.0e6
    nu: 0.25
    density: 1000
    toughness: {force: 2.0}
bodies:
  - name: bar
    mesh: {file: bar.msh}
    material: chalk
boundary:
  - name: left grip
    where: {set: left}
    velocity: [-1, 0, 0]
  - name: right grip
    where: {set: right}
    velocity: [1, 0.3, 0]
time:
  end: 0.02
output:
  frames: false
"""


def write_case(folder, scene=SCENE, mesh=None):
    """Puts scene.yaml and bar.msh into folder; returns the scene's path."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bar.msh").write_bytes(mesh if isinstance(mesh, bytes) else (mesh or box_mesh()).encode())
    (folder / "scene.yaml").write_text(scene)
    return folder / "scene.yaml"


class Sunder:
    """The program under test, alone or on ranks."""

    def __init__(self, program, mpiexec):
        self.program, self.mpiexec = str(pathlib.Path(program).resolve()), mpiexec

    def run(self, arguments, ranks=None, folder=None, timeout=60):
        """ranks None: without mpiexec. A run that hangs fails the test by subprocess.TimeoutExpired."""
        launch = [self.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks else []
        return subprocess.run([*launch, self.program, *map(str, arguments)], cwd=folder, env=ENVIRONMENT,
                              timeout=timeout, text=True, errors="replace", capture_output=True, check=False)

    def summary(self, arguments, out, ranks, timeout=600):
        """`run ARGUMENTS -o OUT`: its summary.json. What the program said and its status are raised if it fails."""
        done = self.run(["run", *arguments, "-o", out, "--quiet"], ranks, timeout=timeout)
        if done.returncode != 0:
            raise RuntimeError(f"status {done.returncode}: {done.stderr}")
        return json.loads((out / "summary.json").read_text())


def meshed(sunder, folder, geometry, size):
    """A file with the mesh of a shipped geometry, so that not every run of a test makes it anew."""
    path = pathlib.Path(folder) / f"{geometry}_{size}.msh"
    subprocess.run([sunder, "mesh", f"{geometry}.geo", "-o", path, "--size", str(size)], env=ENVIRONMENT, check=True, capture_output=True)
    return path


class Expectations:
    """Collects what does not hold, so that a test says all of it in one run."""

    def __init__(self):
        self.wrong = []

    def __call__(self, right, what):
        if not right:
            self.wrong.append(what)

    def exit_status(self):
        """Says what does not hold."""
        print("\n".join(self.wrong), file=sys.stderr)
        return len(self.wrong) > 0


def settings(*pairs):
    """Words of a command: KEY=VALUE each."""
    return [word for pair in pairs for word in ("--set", pair)]


def errors(result):
    """The program's error messages in what a run wrote to standard error."""
    return re.findall(r"^error: .*", result.stderr, re.MULTILINE)
