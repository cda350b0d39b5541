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
SCENES = pathlib.Path(__file__).resolve().parents[2] / "config/scenes"
# Relative. The order of elements, and so the last bits, depends on the ranks; what slices are made of is rounded by VTK.
ROUNDING = {"volume": 1e-9, "surface_area": 1e-9, "slice_area": 1e-6}


def run(sunder, mpiexec, scene, end, ranks, out, *settings):
    subprocess.run([mpiexec, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", sunder, "run", scene, "--until", end,
                    "-o", out, "--quiet", *settings],
                   env=ENVIRONMENT, check=True, timeout=600)
    return json.loads((out / "summary.json").read_text())


def filtered(interpreter, out, name):
    """What the filters make of each frame."""
    done = subprocess.run([*interpreter, FILTERS, out / f"{name}.pvd"], capture_output=True, text=True, timeout=600)
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


def check_scene(sunder, mpiexec, scene, end, interpreters, ranks, folder):
    name = pathlib.Path(scene).stem
    reference = {}
    for n in ranks:
        out = folder / f"{name}_{n}"
        summary = run(sunder, mpiexec, scene, end, n, out)
        assert summary["fragments"] > 1, f"{scene}: it does not break until {end}"
        for kind, interpreter in interpreters.items():
            frames = filtered(interpreter, out, summary["scene"])
            check_fragments(frames, summary, f"{name} on {n} ranks in {kind}")
            expected = reference.setdefault(kind, frames)
            check_alike(frames, expected, expected[0].keys(), f"{name} on {n} ranks in {kind}")
    out = folder / f"{name}_pieces"  # what shows surfaces and sums knows ghosts
    run(sunder, mpiexec, scene, end, ranks[-1], out, "--set", f"output.pieces={ranks[-1]}")
    pieces = filtered(interpreters["VTK"], out, summary["scene"])
    check_alike(pieces, reference["VTK"], ("volume", "surface_triangles", "surface_area"), f"{name} in {ranks[-1]} files")


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
