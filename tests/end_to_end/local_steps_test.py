#!/usr/bin/env python3
"""A viscous, plastic bar that is struck and torn apart with local time steps ends in the same state on any number of ranks,
however the mesh is decomposed and however often ranks share out anew, and after a restart; so does one whose cracks cost
energy, and one whose pieces touch. Slivers do not shorten the step of the others.

local_steps_test.py SUNDER MPIEXEC
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from small_case import ENVIRONMENT, SCENE, box_mesh, write_case

CHALK = "lambda: 4.0e5\n    mu: 4.0e5\n    density: 1000\n    phi: 20\n    psi: 30\n    k1: 0.15\n    k2: 0.6\n"
STRUCK = (SCENE.replace("E: 1.0e6\n    nu: 0.25\n    density: 1000\n", CHALK)
          .replace("  end: 0.02\n", "  end: 0.007\n  local_steps: auto\n") + """\
gravity: [0, 0, -9.81]
obstacles:
  - {name: ball, sphere: {radius: 0.2}, motion: free, mass: 0.5, position: [0.4, 0.15, 0.5], velocity: [0, 0, -20]}
collisions: {enabled: false}
""")
LINKED = STRUCK.replace("end: 0.007", "end: 0.015").replace("toughness: {force: 2.0}", "toughness: {stress: 2.0e4, G_c: 20}")
TOUCHING = STRUCK.replace("collisions: {enabled: false}\n", "")
OFTEN = ["partition.rebalance=0.5", "partition.rebalance_steps=10"]
STORED = ["checkpoint.steps=10", "checkpoint.keep=100"]
RUNS = [(1, []), (2, ["partition.method=metis", *OFTEN]), (3, ["partition.method=ptscotch"]),
        (7, ["partition.method=hilbert", *OFTEN])]


def run(sunder, mpiexec, scene, out, ranks, settings, *words):
    """Its summary."""
    command = [mpiexec, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sunder, "run", scene, "-o", out,
               "--overwrite", "-q", *words, *(word for setting in settings for word in ("--set", setting))]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads((out / "summary.json").read_text())


def same_everywhere(sunder, mpiexec, folder, text):
    scene = write_case(folder, text, box_mesh((8, 3, 3)))
    alone = run(sunder, mpiexec, scene, folder / "1", 1, STORED)
    levels = alone["local_steps"]["elements"]
    assert alone["fracture_events"] >= 20 and sum(levels[2:]) > 0, f"nothing to compare: {levels}"
    assert abs(alone["energy"]["relative_error"]) < 0.02, alone["energy"]
    for ranks, settings in RUNS[1:]:
        other = run(sunder, mpiexec, scene, folder / str(ranks), ranks, settings)
        for key in ("state_hash", "local_steps"):
            assert other[key] == alone[key], f"{ranks} ranks: {key} {other[key]}, alone {alone[key]}"
        if OFTEN[0] in settings:
            assert other["partition"]["repartitions"] > 0, f"{ranks} ranks: {other['partition']}"
    stored = min((folder / "1/checkpoints").glob("step_*.h5"))
    again = run(sunder, mpiexec, scene, folder / "again", 3, [], "--restart", stored)
    assert again["state_hash"] == alone["state_hash"], "after a restart"
    one_step = run(sunder, mpiexec, scene, folder / "off", 1, ["time.local_steps=off"])
    assert "local_steps" not in one_step
    assert alone["steps"] < one_step["steps"], (alone["steps"], one_step["steps"])
    return alone["state_hash"]


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        apart = same_everywhere(sunder, mpiexec, folder / "struck", STRUCK)
        same_everywhere(sunder, mpiexec, folder / "linked", LINKED)
        assert same_everywhere(sunder, mpiexec, folder / "touching", TOUCHING) != apart, "no piece has touched another"


if __name__ == "__main__":
    main(*sys.argv[1:3])
