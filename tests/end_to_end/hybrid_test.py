#!/usr/bin/env python3
"""Rigid bodies and statics where they are hit: a vase breaks into the same pieces on any number of ranks, and after a restart
on another; they come to rest; a clay bear keeps its dents and its volume, and does not go through itself; copies of a body; bad
input is refused.

hybrid_test.py SUNDER MPIEXEC
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from body_shape import deviations, first_and_last, nodes_in_elements
from small_case import ENVIRONMENT, meshed

SCENES = pathlib.Path(__file__).resolve().parents[2] / "config/scenes"
NO_FRAMES = {"output.frames": "false"}


class Runner:
    """The scene vase, and the heap of coarser vases, get meshes that are made once, unless they are asked for as shipped."""

    def __init__(self, sunder, mpiexec, folder):
        self.sunder, self.mpiexec = sunder, mpiexec
        self.mesh = {scene: {"bodies.vase.mesh": f"{{file: {meshed(sunder, folder, 'vase', size)}}}"}
                     for scene, size in (("vase", 0.025), ("thousand_vases", 0.06))}

    def __call__(self, scene, out, ranks, *more, expected=0, settings=None, as_shipped=False):
        mesh = {} if as_shipped else self.mesh.get(scene.stem, {})
        words = [word for key, value in {**NO_FRAMES, **mesh, **(settings or {})}.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run([self.mpiexec, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", self.sunder, "run",
                               str(scene), "-o", str(out), "--quiet", *words, *more],
                              env=ENVIRONMENT, text=True, errors="replace", capture_output=True, check=False)
        assert done.returncode == expected, f"expected exit status {expected}, got {done.returncode}:\n{done.stderr}"
        return json.loads((out / "summary.json").read_text()) if expected == 0 else done.stderr


def same(alone, other, what):
    for key in ("state_hash", "fragments", "fracture_events", "impacts", "steps", "nodes"):
        assert other[key] == alone[key], f"{key}: {other[key]} {what}, {alone[key]} on one rank"


def check_vase(run, folder):
    """It falls, breaks, and its pieces fly; on any number of ranks, also if they share out the work anew all the time, and
    also if all of them analyse each body together. Cuts keep the mass, and lose no kinetic energy to speak of."""
    end = ("--until", "0.2")
    alone = run(SCENES / "vase.yaml", folder / "1", 1, *end)
    assert alone["fragments"] > 10 and alone["impacts"] > 5, alone
    assert abs(alone["energy"]["relative_error"]) < 1e-9, alone["energy"]
    whole = run(SCENES / "vase.yaml", folder / "unbroken", 1, "--steps", "1")
    assert alone["elements"] > 1.1 * whole["elements"], "no elements were cut"
    assert abs(alone["mass"] / whole["mass"] - 1) < 1e-12, (alone["mass"], whole["mass"])
    assert 0 <= alone["energy"]["remeshing"] < 1e-3 * whole["energy"]["kinetic"], alone["energy"]
    for ranks in (3, 5):
        settings = {"partition.rebalance": "0.5", "partition.rebalance_steps": "10"} if ranks == 3 else {}
        same(alone, run(SCENES / "vase.yaml", folder / str(ranks), ranks, *end, settings=settings), f"on {ranks}")
    for ranks in (2, 7):
        settings = {"hybrid.collective_from": 1 if ranks < 7 else 300}
        same(alone, run(SCENES / "vase.yaml", folder / f"together{ranks}", ranks, *end, settings=settings), f"by all {ranks}")
    out = folder / "restarted"
    half = run(SCENES / "vase.yaml", out, 3, "--until", "0.16", settings={"checkpoint.steps": 20})
    assert half["fragments"] > 10, "nothing was broken when the run was stopped"
    again = run(SCENES / "vase.yaml", out, 2, "--restart", "latest", *end)
    assert again["state_hash"] == alone["state_hash"], "after a restart on two ranks"


def check_along_faces(run, folder):
    """Without cuts elements stay what they are."""
    settings = {"hybrid.cut_elements": "false"}
    end = ("--until", "0.2")
    alone = run(SCENES / "vase.yaml", folder / "faces", 1, *end, settings=settings)
    whole = run(SCENES / "vase.yaml", folder / "faces0", 1, "--steps", "1", settings=settings)
    assert alone["fragments"] > 10 and alone["elements"] == whole["elements"], alone
    same(alone, run(SCENES / "vase.yaml", folder / "faces3", 3, *end, settings={**settings, "hybrid.collective_from": 500}), "on 3")


def check_energy(run, folder):
    """Thirty pieces wedged into each other right after a break, in steps of unlike lengths: impulses take energy, and give none."""
    settings = {"materials.china.toughness.stress": 4e7, "hybrid.r_frac": 1.5, "hybrid.max_planes": 8, "time.end": 4,
                "output.history_interval": 0.04, "output.frame_interval": 2 / 15}
    done = run(SCENES / "vase.yaml", folder / "wedged", 1, "--until", "0.16", settings=settings)
    with open(folder / "wedged/history.csv", encoding="utf-8") as file:
        taken = [float(row["contact"]) for row in csv.DictReader(file)]
    assert done["fragments"] > 10, done["fragments"]
    assert all(later > earlier - 1e-6 for earlier, later in zip(taken, taken[1:])), f"contact has taken {taken} J"


def check_rest(run, folder):
    """The scene as shipped: the pieces of a dropped vase fly, and lie on the floor at its end, most of them asleep."""
    done = run(SCENES / "vase.yaml", folder / "rest", 1, settings={"output.frames": "true"}, as_shipped=True)
    with open(folder / "rest/history.csv", encoding="utf-8") as file:
        rows = [float(row["kinetic"]) for row in csv.DictReader(file)]
    assert done["fragments"] > 10 and rows[-1] < 1e-3 * max(rows), (done["fragments"], max(rows), rows[-5:])
    assert sum(done["impact_seconds"].values()) > 0, done["impact_seconds"]
    moves = first_and_last(folder / "rest", "vase")[1].share_that_moves()
    assert moves < 0.25, f"a share of {moves:.2g} of the fragments is not asleep"


def check_asleep(run, folder):
    """What sleeps is not looked at again, but after a restart; that changes no bit."""
    settings = {"bodies.vase.copies.count": "[2, 1, 1]", "bodies.vase.position": "[-0.4, 0, 0.02]",
                "bodies.vase.copies.spacing": "[0.3, 0.62, 0.62]", "hybrid.sleep_speed": 0.5, "hybrid.sleep_time": 0.02,
                "checkpoint.steps": 20}
    whole = run(SCENES / "thousand_vases.yaml", folder / "whole", 1, "--until", "0.6", settings=settings)
    run(SCENES / "thousand_vases.yaml", folder / "half", 2, "--until", "0.4", settings=settings)
    again = run(SCENES / "thousand_vases.yaml", folder / "half", 3, "--restart", "latest", "--until", "0.6", settings=settings)
    assert again["state_hash"] == whole["state_hash"], "after a restart with bodies asleep"


def check_bear(run, folder):
    """Three hits leave dents of a few centimetres at most, and hardly change the volume: mass is that of the material, which has
    taken the new shape. No element is turned inside out, none goes through another. Each hit found its equilibrium."""
    done = run(SCENES / "teddy.yaml", folder / "bear", 2, settings={"output.frames": "true", "time.end": 0.6})
    log = (folder / "bear/log.txt").read_text()
    assert done["fragments"] == 1 and done["impacts"] >= 3, done
    assert "found no equilibrium" not in log, log
    before, after = first_and_last(folder / "bear", "teddy")
    assert (before.tets == after.tets).all(), "elements of the last frame are others than of the first"
    least = (after.volumes() / before.volumes()).min()
    change = after.volumes().sum() / before.volumes().sum() - 1
    deepest = deviations(before.x, after.x).max()
    inside = nodes_in_elements(after.x, after.tets)
    assert 0.003 < deepest < 0.05, f"the deepest dent has {1e3 * deepest:.1f} mm"
    assert 1e-6 < abs(change) < 0.05, f"the volume has changed by {change}"
    assert least > 0.2 and inside == 0, f"an element has {least:.2g} of its volume, {inside} nodes lie in other elements"


def check_copies(run, folder):
    settings = {"bodies.vase.copies.count": "[2, 1, 1]"}
    done = run(SCENES / "thousand_vases.yaml", folder / "two", 2, "--steps", "3", settings=settings)
    assert done["fragments"] == 2, done
    completed = (folder / "two/scene.yaml").read_text()
    assert "vase_1" in completed and "vase_2" in completed and "copies" not in completed, completed
    again = run(folder / "two/scene.yaml", folder / "again", 1, "--steps", "3")
    assert again["state_hash"] == done["state_hash"], "the completed scene is another one"


def check_long_steps(run, folder):
    """A step of the scene's is the longest: a vase that would be beyond a shelf with one such step is stopped by it."""
    scene = folder / "shelf.yaml"
    text = (SCENES / "vase.yaml").read_text().replace("half_space: {normal: [0, 0, 1]}", "box: {size: [2, 2, 0.02]}")
    scene.write_text(text.replace("velocity: [0, 0.5, -3]", "velocity: [0, 0, -100]").replace("end: 2.5", "end: 0.02\n  step: 0.02"))
    summary = run(scene, folder / "shelf", 1, settings={
        "fracture.enabled": "false", "output.history_interval": "0.02", "output.frame_interval": "0.02"})
    assert summary["energy"]["contact"] > 0.5 * summary["mass"] * 100**2 / 2, "it went through"


def check_bad_input(run, folder):
    text = (SCENES / "vase.yaml").read_text()
    for old, new, message in (
            ("restitution: 0.05", "restitution: 1.5", "hybrid.restitution: expected"),
            ("solver: hybrid\n", "", "hybrid: expected none without solver: hybrid or lattice"),
            ("{stress: 2.0e7}", "{K_Ic: 1.0e6}",
             "materials.china.toughness: expected a strength, as {stress: ...}, with solver hybrid"),
            ("restitution: 0.05", "r_coll: 0.1", "hybrid.r_coll: expected a radius that reaches beyond an element"),
            ("restitution: 0.05", "r_coll: 9", "hybrid.r_coll: expected a radius beyond which something of the body"),
            ("gravity:", "loads: [{name: wind, where: {body: vase}, pressure: 1}]\ngravity:",
             "loads: expected none with solver hybrid"),
            ("velocity: [0, 0.5, -3]", "velocity: [0, 0.5, -3.0e20]", "step 0, t = 0 s: expected steps of at least"),
            ("    material: china", "    material: china\n    copies: {count: [2, 0, 1]}",
             "copies.count: expected three whole numbers >= 1")):
        assert old in text, old
        scene = folder / "bad.yaml"
        scene.write_text(text.replace(old, new))
        said = run(scene, folder / "bad", 2, expected=2)
        assert message in said, f"expected {message!r}, got:\n{said}"


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        run = Runner(sunder, mpiexec, folder)
        check_vase(run, folder)
        check_along_faces(run, folder)
        check_energy(run, folder)
        check_rest(run, folder)
        check_asleep(run, folder)
        check_bear(run, folder)
        check_copies(run, folder)
        check_long_steps(run, folder)
        check_bad_input(run, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
