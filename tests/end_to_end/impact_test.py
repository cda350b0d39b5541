#!/usr/bin/env python3
"""A plank of rigid bonds is struck: the same fragments on any number of ranks, also where elements migrate during the impact,
and after a restart on another, within it or later; more of them as cracks grow; momentum is what the impacts have given; frames
have the bonds; bad input is refused. A pot in tension falls into pieces, without tension it does not. No
scene breaks by its tension alone.

impact_test.py SUNDER MPIEXEC
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from lattice_case import PLANK, POT, SOURCE, Runner
from small_case import ENVIRONMENT

SETTINGS = {"lattice.crack_growth": "major", "output.frames": "false", "time.end": "0.02"}  # a flight of ten steps


def check_ranks_and_restart(run, folder):
    alone = run(PLANK, folder / "1", 1)
    assert alone["fragments"] > 10 and alone["bonds"]["broken"] > 50, alone
    for ranks in (2, 3, 7):
        moved = {"partition.rebalance": "0.5", "partition.rebalance_steps": "10"} if ranks == 3 else {}
        together = run(PLANK, folder / str(ranks), ranks, settings=moved)
        for key in ("state_hash", "fragments", "bonds", "linear_iterations", "nodes"):
            assert together[key] == alone[key], f"{key}: {together[key]} on {ranks} ranks, {alone[key]} on one"
    often = {"checkpoint.steps": 1}
    for steps, moment in ((18, "the impact"), (54, "the flight")):
        out = folder / f"restarted{steps}"
        half = run(PLANK, out, 3, "--steps", str(steps), settings=often)
        assert half["state_hash"] != alone["state_hash"], f"nothing happened after {steps} steps"
        if moment == "the impact":
            assert 0 < half["bonds"]["broken"] < alone["bonds"]["broken"], half
        again = run(PLANK, out, 2, "--restart", "latest", settings=often)
        for key in ("state_hash", "steps", "fragments", "bonds", "linear_iterations"):
            assert again[key] == alone[key], f"{key} after a restart in {moment}: {again[key]}, not {alone[key]}"
    completed = run(folder / "1/scene.yaml", folder / "completed", 1)
    assert completed["state_hash"] == alone["state_hash"], "the completed scene is another one"
    return alone


def check_growth(run, folder, major):
    counts = [run(PLANK, folder / growth, 1, settings={"lattice.crack_growth": growth})["bonds"]["broken"]
              for growth in ("none", "moderate")] + [major["bonds"]["broken"]]
    assert 0 < counts[0] < counts[1] < counts[2], counts


def check_momentum(run, folder):
    """One hammer of 60 000 N, on average half of it for a tenth of a millisecond: 3 kilogram metres a second, in the end too."""
    scene = folder / "hammer.yaml"
    kept = [line for line in PLANK.read_text().splitlines() if "name: around" not in line]
    scene.write_text("\n".join(kept) + "\n")
    done = run(scene, folder / "hammer", 2)
    assert done["bonds"]["broken"] > 0
    momentum = done["momentum"]
    assert abs(momentum[2] + 3) < 1e-9 and abs(momentum[0]) < 1e-9 and abs(momentum[1]) < 1e-9, momentum


def check_tension(run, folder):
    """The pot's strength is a formula, its impact a momentum. Without tension cracks do not run on."""
    kept = {"gravity": "[0, 0, 0]", "lattice.prestress": -600}  # the mesh is coarser, its elements heavier
    alone, together = (run(POT, folder / f"pot{ranks}", ranks, settings=kept) for ranks in (1, 3))
    for key in ("state_hash", "fragments", "bonds", "linear_iterations"):
        assert together[key] == alone[key], f"{key}: {together[key]} on 3 ranks, {alone[key]} on one"
    assert abs(alone["momentum"][0] - 3 * alone["mass"] + 5) < 1e-9, alone["momentum"]
    calm = run(POT, folder / "calm", 2, settings={**kept, "lattice.prestress": 0})
    assert abs(calm["momentum"][0] - 3 * calm["mass"] + 5) < 1e-9, calm["momentum"]
    assert alone["fragments"] > 3 * calm["fragments"] > 3, (alone["fragments"], calm["fragments"])
    assert alone["bonds"]["broken"] > 3 * calm["bonds"]["broken"] > 0, (alone["bonds"], calm["bonds"])


def check_no_impact(sunder, folder):
    """As the scenes stand, but for what strikes: no bond breaks, though all are in tension."""
    for scene, count, key, end in (("plank", 7, "force", 1e-4), ("wine_glass", 1, "momentum", 2e-4), ("pot", 1, "momentum", 5e-4),
                                   ("table_bowl", 2, "momentum", 3e-4)):
        out = folder / f"untouched_{scene}"
        sets = [f"lattice.impacts.{i}.{key}=[0, 0, 1e-9]" for i in range(count)] + ["output.frames=false", f"time.end={end}"]
        subprocess.run([sunder, "run", SOURCE / f"config/scenes/{scene}.yaml", "-o", out, "--quiet",
                        *(word for one in sets for word in ("--set", one))], env=ENVIRONMENT, check=True)
        done = json.loads((out / "summary.json").read_text())
        assert done["bonds"]["count"] > 5000 and done["bonds"]["broken"] == 0, f"{scene} breaks by itself: {done['bonds']}"
        prestress = re.search(r"prestress: (\S+)", (out / "scene.yaml").read_text())
        assert prestress and float(prestress[1]) < 0, f"{scene} is not in tension"


def check_parts(run, folder):
    """A plank that is sawn through is two planks, and the one that nothing strikes stays."""
    (folder / "sawn.geo").write_text("""algebraic3d
solid left = orthobrick (-0.2, -0.1, -0.03; -0.01, 0.1, 0);
solid right = orthobrick (0.01, -0.1, -0.03; 0.2, 0.1, 0);
solid both = left or right;
tlo both;
""")
    scene = folder / "sawn.yaml"
    scene.write_text(PLANK.read_text().replace("geometry: plank.geo", "geometry: sawn.geo"))
    said = run(scene, folder / "sawn", 2, "--steps", "1", own_mesh=True)["warnings"]
    assert any("the mesh of 1 body is in 2 parts that no bond joins" in warning for warning in said), said


def check_frames(run, folder):
    out = folder / "frames"
    run(PLANK, out, 2, settings={"output.frames": "true", "lattice.steps": 4, "output.frame_interval": 0.02})
    pieces = list((out / "frames").glob("*bonds*.vtu"))
    assert pieces, list((out / "frames").iterdir())
    header = pieces[0].read_bytes()[:4000]
    for field in (b"BondForce", b"BondStrength", b"Broken"):
        assert field in header, f"{field} is not in {pieces[0]}"


def check_bad_input(run, folder):
    text = PLANK.read_text()
    impact = "duration: 1.0e-4"
    for old, new, message in (
            (impact, "duration: 1", "lattice.duration: expected at most time.end = 0.02 s, got 1"),
            ("stress: 9.0e4", "stress: -1", "lattice.strength.stress: expected a number > 0 [Pa], got '-1'"),
            (impact, impact + "\n  schedule: [{at: 0, value: 0}, {at: 1, value: -0.5}]",
             "lattice.schedule.1.value: expected a number >= 0 [-], got '-0.5'"),
            (impact, impact + "\n  schedule: [{at: 0, value: 0}, {at: 0.5, value: 1}]",
             "lattice.schedule.1.at: expected 1 at the last point, got 0.5"),
            (impact, impact + "\n  growth_table: [{at: 0, factor: 0.5}, {at: 1, factor: 1}]",
             "lattice.growth_table: expected none without crack_growth: table, got 2"),
            ("at: [0, 0, 0]", "at: [9, 0, 0]", "lattice.impacts.hammer: expected the centroid of an element within"),
            ("at: [0, 0, 0], radius: 0.02", "at: [9, 0, 0]",
             "lattice.impacts.hammer: expected the centroid of an element within"),
            ("- noise: {size: 0.1, octaves: 2, seed: 2, low: 0.5, high: 3}", "- {uniform: 2, nodule: {center: [0, 0, 0], radius: 1}}",
             "expected one of uniform noise plane bands nodule expression, got"),
            ("- noise: {size: 0.1, octaves: 2, seed: 2, low: 0.5, high: 3}", '- expression: "1 + sinn(x)"',
             "lattice.strength.factors.0.expression: expected a formula of x, y, z [m] and pi, got '1 + sinn(x)': "),
            ("- noise: {size: 0.1, octaves: 2, seed: 2, low: 0.5, high: 3}", '- expression: "sqrt(x)"', "expected a strength > 0 and finite"),
            ("force: [0, 0, -60000]", "force: [0, 0, -60000], momentum: [0, 0, 1]",
             "lattice.impacts.hammer: expected one of force momentum, got"),
            ("force: [0, 0, -60000]", "momentum: [0, 0, 0]",
             "lattice.impacts.hammer.momentum: expected a momentum that is not zero"),
            ("  impacts:\n    - {name: hammer, at: [0, 0, 0], radius: 0.02, force: [0, 0, -60000]}",
             "  schedule: [{at: 0, value: 0}, {at: 1, value: 0}]\n"
             "  impacts:\n    - {name: hammer, at: [0, 0, 0], radius: 0.02, momentum: [0, 0, 1]}",
             "lattice.schedule: expected a value > 0 in the middle of a step, to give the momentum of hammer"),
            (impact, impact + "\n  crumbs: {become: dust}",
             "lattice.crumbs.become: expected one of bodies particles nothing, got"),
            (impact, impact + "\n  crumbs: {volume: 0}", "lattice.crumbs.volume: expected a number > 0 [-]"),
            ("solver: lattice\n", "", "lattice: expected none without solver: lattice")):
        assert old in text, old
        scene = folder / "bad.yaml"
        scene.write_text(text.replace(old, new))
        said = run(scene, folder / "bad", 2, expected=2, settings={})
        assert message in said, f"expected {message!r}, got:\n{said}"


def check_endless_flight(run, folder):
    """What a blow in the wrong unit makes so fast that steps hardly advance the time."""
    said = run(PLANK, folder / "endless", 2, expected=3, settings={
        "lattice.impacts.hammer.force": "[0, 0, -1.0e30]", "collisions.enabled": "true"})
    assert "expected steps of at least" in said, said


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        run = Runner(sunder, mpiexec, folder, "plank", 0.02, SETTINGS)
        major = check_ranks_and_restart(run, folder)
        check_growth(run, folder, major)
        check_momentum(run, folder)
        check_parts(run, folder)
        check_frames(run, folder)
        check_bad_input(run, folder)
        check_endless_flight(run, folder)
        check_no_impact(sunder, folder)
        check_tension(Runner(sunder, mpiexec, folder, "pot", 0.014, {"output.frames": "false"}), folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
