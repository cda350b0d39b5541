"""What the fault walk runs: a small bar that is pulled apart, from its text, from files that ranks read in slices, from a mesh
decomposed beforehand, from a checkpoint; and the decomposing itself."""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from small_case import ENVIRONMENT, SCENE, box_mesh, write_case  # noqa: E402

PULLED = SCENE.replace("end: 0.02", "end: 0.006").replace("frames: false", "frame_interval: 0.003\n  history_interval: 0.0015") + """\
obstacles:
  - {name: ball, sphere: {radius: 0.1}, position: [5, 5, 5]}
checkpoint: {steps: 10, keep: 2}
partition: {rebalance: 0}  # when a run repartitions depends on the clock, and so would what ranks pass
"""
SET_UP = ("allocation", "file window: ", "set-up: ", "HDF5: ", "sealed file: ")  # what depends on where a mesh comes from

# Which places are walked through in each; in the first two all.
SCENARIOS = {"begin": ("",), "restart": ("",), "parts": SET_UP, "gmsh": SET_UP, "vtu": SET_UP, "partition": SET_UP}


def rows_of(text):
    """Points, tetrahedra, and triangles with their physical group, of what box_mesh() has made."""
    lines = text.splitlines()
    section = lambda name: lines[lines.index(f"${name}") + 2:lines.index(f"$End{name}")]
    points = [tuple(map(float, line.split()[1:])) for line in section("Nodes")]
    elements = [tuple(map(int, line.split())) for line in section("Elements")]
    return points, [e[5:] for e in elements if e[1] == 4], [(e[3], e[5:]) for e in elements if e[1] == 2]


def binary_gmsh(text):
    """The same mesh as a binary file of version 2.2."""
    points, tets, triangles = rows_of(text)
    out = b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n"
    out += text[text.index("$PhysicalNames"):text.index("$Nodes")].encode()
    out += b"$Nodes\n%d\n" % len(points)
    out += b"".join(struct.pack("<i3d", n, *x) for n, x in enumerate(points, 1)) + b"\n$EndNodes\n"
    out += b"$Elements\n%d\n" % (len(triangles) + len(tets))
    out += struct.pack("<3i", 2, len(triangles), 2)
    out += b"".join(struct.pack("<6i", n, group, group, *corners) for n, (group, corners) in enumerate(triangles, 1))
    out += struct.pack("<3i", 4, len(tets), 2)
    out += b"".join(struct.pack("<7i", n, 1, 1, *corners) for n, corners in enumerate(tets, 1 + len(triangles)))
    return out + b"\n$EndElements\n"


def appended_vtu(text):
    """The same mesh as VTK's grid of appended raw data, its sets as arrays of zeros and ones."""
    points, tets, triangles = rows_of(text)
    members = lambda wanted: {n for group, corners in triangles for n in corners if group == wanted}
    arrays, raw = {}, b""
    for name, kind, code, values in (
            ("place", "Float64", "d", [x for point in points for x in point]),
            ("left", "UInt8", "B", [n in members(2) for n in range(1, len(points) + 1)]),
            ("right", "UInt8", "B", [n in members(3) for n in range(1, len(points) + 1)]),
            ("connectivity", "Int64", "q", [n - 1 for tet in tets for n in tet]),
            ("offsets", "Int64", "q", range(4, 4 * len(tets) + 1, 4)), ("types", "UInt8", "B", [10] * len(tets))):
        data = struct.pack(f"<{len(values)}{code}", *values)
        components = ' NumberOfComponents="3"' if name == "place" else ""
        arrays[name] = f'<DataArray type="{kind}" Name="{name}"{components} format="appended" offset="{len(raw)}"/>'
        raw += struct.pack("<Q", len(data)) + data
    header = (f'<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
              f'<UnstructuredGrid><Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(tets)}">'
              f'<Points>{arrays["place"]}</Points><PointData>{arrays["left"]}{arrays["right"]}</PointData>'
              f'<Cells>{arrays["connectivity"]}{arrays["offsets"]}{arrays["types"]}</Cells></Piece></UnstructuredGrid>'
              '<AppendedData encoding="raw">_')
    return header.encode() + raw + b"</AppendedData></VTKFile>\n"


class Scenarios:
    """In a folder of their own."""

    def __init__(self, sunder, mpiexec, folder):
        self.sunder, self.mpiexec, self.folder = sunder, mpiexec, folder
        text = box_mesh()
        self.scene = write_case(folder / "case", PULLED, text)
        (folder / "case/bar_binary.msh").write_bytes(binary_gmsh(text))
        (folder / "case/bar.vtu").write_bytes(appended_vtu(text))

    def launch(self, ranks, words, extra, limit):
        """Status, standard error and seconds; status None if it had to be ended."""
        command = [self.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), self.sunder, *map(str, words)]
        begin = time.monotonic()
        job = subprocess.Popen(command, env=ENVIRONMENT | extra, text=True, errors="replace", stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        try:
            _, said = job.communicate(timeout=limit)
            return job.returncode, said, time.monotonic() - begin
        except subprocess.TimeoutExpired:
            job.terminate()  # mpirun ends its ranks
            _, said = job.communicate()
            return None, said, time.monotonic() - begin

    def words(self, scenario, out):
        if scenario == "partition":
            return ["partition", self.scene, "-n", "3", "-o", out / "parts.h5"]
        more = {"begin": [], "restart": ["--restart", "latest"], "parts": ["--mesh", self.folder / "parts.h5", "--steps", "3"],
                "gmsh": ["--set", "bodies.bar.mesh.file=bar_binary.msh", "--steps", "3"],
                "vtu": ["--set", "bodies.bar.mesh.file=bar.vtu", "--steps", "3"]}[scenario]
        return ["run", self.scene, "-o", out, "--quiet", *more]

    def fresh(self, scenario, ranks, out):
        """The folder as the scenario needs it."""
        shutil.rmtree(out, ignore_errors=True)
        if scenario == "restart":
            shutil.copytree(self.folder / f"cut_off_{ranks}", out)
        if scenario == "partition":
            out.mkdir()
            shutil.copy(self.folder / "parts.h5", out)

    def without_fault(self, ranks, words, extra=None):
        status, said, _ = self.launch(ranks, words, extra or {}, 300)
        if status != 0 or re.search("^(error|warning): ", said, re.MULTILINE):
            sys.exit(f"expected a run without faults to end with status 0 and no warning, got {status}:\n{said}")

    def prepare(self, ranks):
        """What restarts go on from, and a mesh that is decomposed."""
        self.without_fault(ranks, [*self.words("begin", self.folder / f"cut_off_{ranks}"), "--steps", "30"])
        if not (self.folder / "parts.h5").exists():
            self.without_fault(1, ["partition", self.scene, "-n", "3", "-o", self.folder / "parts.h5"])
