#!/usr/bin/env python3
"""Filters of VTK, and of ParaView where there is one, see in the frames of a run what there is: on any number of ranks, in one
file or in several.

frames_test.py SUNDER MPIEXEC [SCENE END]...     SUNDER_PVPYTHON names ParaView's pvpython, if it is not on the PATH
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from small_case import ENVIRONMENT

FILTERS = pathlib.Path(__file__).with_name("frame_filters.py")
SURFACE_FILTERS = FILTERS.with_name("surface_filters.py")
SCENES = pathlib.Path(__file__).resolve().parents[2] / "config/scenes"
# Relative. The order of elements, and so the last bits, depends on the ranks; what slices are made of is rounded by VTK.
ROUNDING = {"volume": 1e-9, "surface_area": 1e-9, "slice_area": 1e-6, "area": 1e-9}


def run(sunder, mpiexec, scene, end, ranks, out, *settings):
    subprocess.run([mpiexec, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", sunder, "run", scene, "--until", end,
                    "-o", out, "--quiet", *settings],
                   env=ENVIRONMENT, check=True, timeout=600)
    return json.loads((out / "summary.json").read_text())


def filtered(interpreter, out, name, filters=FILTERS):
    """What the filters make of each frame."""
    done = subprocess.run([*interpreter, filters, out / f"{name}.pvd"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{interpreter} failed with status {done.returncode} on {out}:\n{done.stdout}{done.stderr}"
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def check_alike(found, expected, keys, what):
    assert len(found) == len(expected), f"{what}: {len(found)} frames, expected {len(expected)}"
    for k, (frame, other) in enumerate(zip(found, expected)):
        for key in keys:
            same = abs(frame[key] - other[key]) <= ROUNDING[key] * abs(other[key]) if key in ROUNDING else frame[key] == other[key]
            assert same, f"{what}, frame {k}: {key} is {frame[key]}, expected {other[key]}"


def check_fragments(frames, summary, what):
    """Regions that Connectivity finds are the fragments; numbers stay, and each element is in one of them."""
    for k, frame in enumerate(frames):
        assert frame["regions"] == sum(cells > 0 for cells in frame["fragments"].values()), f"{what}, frame {k}: {frame}"
        assert sum(frame["fragments"].values()) == frame["cells"], f"{what}, frame {k}: {frame}"
    assert frames[-1]["regions"] == summary["fragments"], f"{what}: {frames[-1]}, {summary['fragments']} fragments"


def check_surfaces(interpreter, out, summary, bodies, what):
    """The crack surface is as large as the summary says, the outer surface what Extract Surface makes of the bodies."""
    cracks = filtered(interpreter, out, f"{summary['scene']}_cracks", SURFACE_FILTERS)
    outer = filtered(interpreter, out, f"{summary['scene']}_surface", SURFACE_FILTERS)
    last = cracks[-1]
    assert (cracks[0]["triangles"], last["triangles"]) == (0, summary["fracture"]["crack_faces"]), f"{what}: {cracks}, {summary}"
    assert abs(last["area"] - summary["surface_area"]) <= 1e-9 * last["area"], f"{what}: {last}, {summary['surface_area']} m^2"
    triangles = [frame["surface_triangles"] for frame in bodies]
    assert [frame["triangles"] for frame in outer] == triangles, f"{what}: {outer} instead of {triangles}"
    return [*cracks, *outer]


def check_scene(sunder, mpiexec, scene, end, interpreters, ranks, folder):
    name = pathlib.Path(scene).stem
    reference = {}
    for n in ranks:
        out = folder / f"{name}_{n}"
        summary = run(sunder, mpiexec, scene, end, n, out, "--set", "output.surface=true")
        assert summary["fragments"] > 1, f"{scene}: it does not break until {end}"
        for kind, interpreter in interpreters.items():
            frames = filtered(interpreter, out, summary["scene"])
            check_fragments(frames, summary, f"{name} on {n} ranks in {kind}")
            surfaces = check_surfaces(interpreter, out, summary, frames, f"{name} on {n} ranks in {kind}")
            expected, expected_surfaces = reference.setdefault(kind, (frames, surfaces))
            check_alike(frames, expected, expected[0].keys(), f"{name} on {n} ranks in {kind}")
            check_alike(surfaces, expected_surfaces, surfaces[0].keys(), f"surfaces of {name} on {n} ranks in {kind}")
    out = folder / f"{name}_pieces"  # what shows surfaces and sums knows ghosts
    summary = run(sunder, mpiexec, scene, end, ranks[-1], out, "--set", f"output.pieces={ranks[-1]}", "--set", "output.surface=true")
    pieces = filtered(interpreters["VTK"], out, summary["scene"])
    frames, surfaces = reference["VTK"]
    in_pieces = check_surfaces(interpreters["VTK"], out, summary, pieces, f"{name} in {ranks[-1]} files")
    check_alike(in_pieces, surfaces, surfaces[0].keys(), f"surfaces of {name} in {ranks[-1]} files")
    check_alike(pieces, frames, ("volume", "surface_triangles", "surface_area"), f"{name} in {ranks[-1]} files")


def main(sunder, mpiexec, *cases):
    interpreters = {"VTK": ["/usr/bin/python3"]}
    paraview = os.environ.get("SUNDER_PVPYTHON") or shutil.which("pvpython")
    if paraview:
        interpreters["ParaView"] = [paraview]
    ranks = (1, 3, 7) if cases else (1, 3)
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for scene, end in zip(cases[::2], cases[1::2]) if cases else [(SCENES / "plate.yaml", "0.003")]:
            check_scene(sunder, mpiexec, scene, end, interpreters, ranks, pathlib.Path(folder))
            print(f"{scene}: frames alike on {', '.join(map(str, ranks))} ranks in {' and '.join(interpreters)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
