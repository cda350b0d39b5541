#!/usr/bin/env python3
"""After the impact on a lattice its flight takes many steps where pieces touch, but has as many frames as `check` says, and as many
rows as other runs; a run that goes on on other ranks writes the same ones. Frames of bonds have all of them, on any number of ranks. A flight with
particles goes on to the same bits with other probes.

lattice_output_test.py SUNDER MPIEXEC
"""
import pathlib
import re
import sys
import tempfile

from small_case import Expectations, Sunder, box_mesh, write_case

SCENE = """\
materials:
  clay: {E: 1.0e9, nu: 0.2, density: 2000, phi: 0, psi: 0}
bodies:
  - {name: bar, mesh: {file: bar.msh}, material: clay, velocity: [0, 0, -3]}
obstacles:
  - {name: floor, half_space: {normal: [0, 0, 1]}, position: [0, 0, -0.001]}
gravity: [0, 0, -9.81]
solver: lattice
lattice:
  duration: 1.0e-4
  steps: 5
  impacts: [{name: blow, at: [0.1, 0.1, 0], radius: 0.08, momentum: [0, 0, 20]}]
  strength: {stress: 1.0e3}
time: {end: 0.6}
"""


# What a probe follows becomes no particle.
CRUMBS = SCENE.replace("strength: {stress: 1.0e3}", "strength: {stress: 1.0e3}\n  crumbs: {volume: any, become: particles}") + """\
output:
  frames: false
  probes: [{name: low, at: [0.03, 0.17, 0.03]}, {name: high, at: [0.17, 0.03, 0.16]}, {name: corner, node: 7}]
checkpoint: {steps: 1, keep: 100}
"""


def check_probes(sunder, expect, folder):
    scene = write_case(folder / "crumbs", CRUMBS, box_mesh((2, 2, 2)))
    end = ["--set", "time.end=0.05"]
    whole = sunder.summary([scene, *end], folder / "crumbs_whole", 1)
    expect(whole["crumbs"]["elements"] > 5, f"expected crumbs, found {whole['crumbs']}")
    stored = folder / "crumbs_whole/checkpoints/step_000000000008.h5"  # the impact has five steps
    for name, probes in (("none", "[]"), ("others", "[{name: a, at: [0.12, 0.08, 0.1]}, {name: b, at: [0.05, 0.1, 0.15]}]")):
        for ranks in (1, 3):
            again = sunder.summary([scene, *end, "--restart", stored, "--set", f"output.probes={probes}"], folder / f"crumbs_{name}_{ranks}", ranks)
            expect(again["state_hash"] == whole["state_hash"], f"expected the same flight with probes {name} on {ranks} ranks, found another")


def bonds_shown(out):
    """In each frame."""
    return [sum(map(int, re.findall(rb'NumberOfCells="(\d+)"', path.read_bytes()))) for path in sorted(out.glob("frames/scene_bonds_*.vtu"))]


def main(program, mpiexec):
    expect = Expectations()
    sunder = Sunder(program, mpiexec)
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        scene = write_case(folder / "case", SCENE, box_mesh((2, 2, 2)))
        said = int(re.search(r"output +(\d+) frames", sunder.run(["check", scene]).stdout)[1])
        whole, parts = folder / "whole", folder / "parts"
        result = sunder.summary([scene], whole, 1)
        expect(result["steps"] > 200, f"expected a flight of many steps, found {result['steps']}: this shows nothing")
        frames = len(list(whole.glob("frames/scene_0*.vtu")))
        expect(0.7 * said <= frames <= said, f"expected about the {said} frames that check tells, found {frames}")
        times = [line.split(",")[1] for line in (whole / "history.csv").read_text().splitlines()[1:]]
        expect(90 <= len(times) <= 110, f"expected some hundred rows, found {len(times)}")
        check_probes(sunder, expect, folder)
        for ranks in (3, 5):
            sunder.summary([scene, "--steps", 5], folder / f"impact_on_{ranks}", ranks)
            shown = bonds_shown(folder / f"impact_on_{ranks}")
            expect(shown and shown[0] > 50 and shown == bonds_shown(whole)[:len(shown)],
                   f"expected frames of {bonds_shown(whole)} bonds on {ranks} ranks, found {shown}")
        sunder.summary([scene, "--steps", 100, "--set", "checkpoint={steps: 7}"], parts, 2)
        again = sunder.summary([scene, "--restart", "latest", "--set", "checkpoint={steps: 7}"], parts, 3)
        expect(again["state_hash"] == result["state_hash"], "expected the same state after a restart")
        found = [line.split(",")[1] for line in (parts / "history.csv").read_text().splitlines()[1:]]
        expect(found == times, f"expected rows at the times of the run that went through, found others: {set(found) ^ set(times)}")
        frames_again = len(list(parts.glob("frames/scene_0*.vtu")))
        expect(frames_again == frames, f"expected {frames} frames after a restart, found {frames_again}")
    return expect.exit_status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
