#!/usr/bin/env python3
"""Mass added for the sake of the step is reported, and falls as all mass does.

mass_scaling_test.py SUNDER MPIEXEC
"""
import pathlib
import sys
import tempfile

from small_case import Sunder, box_mesh, settings, write_case

# With a step given, so that both fall in the same steps.
SCENE = """\
title: a bar that falls
materials:
  chalk: {E: 1.0e6, nu: 0.25, density: 1000}
bodies:
  - {name: bar, mesh: {file: bar.msh}, material: chalk}
gravity: [0, 0, -10]
fracture: {enabled: false}
collisions: {enabled: false}
time: {end: 0.02, step: 1.0e-5}
output: {frames: false}
"""
VOLUME = 0.2 * 0.2 * 0.2
ASKED = 3e-3  # [s] more than any element allows


def close(found, expected, share, what):
    if abs(found - expected) <= share * abs(expected):
        return []
    return [f"{what}: expected {expected:.12g}, got {found:.12g}"]


def fall(sunder, folder, ranks, *pairs):
    out = folder / f"out_{ranks}_{len(pairs)}"
    return sunder.summary([write_case(folder, SCENE, box_mesh()), *settings(*pairs)], out, ranks)


def main(program, mpiexec):
    sunder = Sunder(program, mpiexec)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        plain = fall(sunder, folder, 1)
        alone, together = (fall(sunder, folder, ranks, f"time.mass_scaling_step={ASKED}") for ranks in (1, 3))
    wrong += close(plain["mass"], 1000 * VOLUME, 1e-12, "mass without scaling")
    if plain["added_mass"] != 0:
        wrong.append(f"added_mass without scaling: {plain['added_mass']}")
    if not alone["added_mass"] > 0.5 * plain["mass"]:
        wrong.append(f"added_mass: expected more than half of the body's, got {alone['added_mass']}")
    for scaled in (alone, together):
        wrong += close(scaled["mass"], plain["mass"] + scaled["added_mass"], 1e-12, "mass with scaling")
        if not scaled["step_limit"]["seconds"] > plain["step_limit"]["seconds"]:
            wrong.append(f"limit of the step: {plain['step_limit']} without, {scaled['step_limit']} with added mass")
    wrong += close(together["added_mass"], alone["added_mass"], 1e-12, "added_mass on 3 ranks")
    if alone["state_hash"] != together["state_hash"]:
        wrong.append("state_hash differs between 1 and 3 ranks")
    for scene in (plain, alone, together):  # all of it falls alike: v = g t, whatever the mass
        wrong += close(scene["momentum"][2], -10 * 0.02 * scene["mass"], 1e-3, "momentum")
    wrong += close(alone["momentum"][2] / alone["mass"], plain["momentum"][2] / plain["mass"], 1e-10, "speed")
    print("\n".join(wrong), file=sys.stderr)
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
