#!/usr/bin/env python3
"""Equilibria are functions of the state alone: runs go on to the same bits from any of their steps, on other ranks, and where these
share out anew. Nothing may be known to the program that is not stored: which nodes fail already beside links that open from step to
step, or which nodes hold a body that nothing else holds.

equilibrium_restart_test.py SUNDER MPIEXEC
"""
import pathlib
import sys
import tempfile

from small_case import Expectations, Sunder, box_mesh, write_case

CRACKING = """
materials: {m: {E: 1.0e6, nu: 0.25, density: 1000, toughness: {stress: 2.0e4, G_c: 10}}}
bodies: [{name: bar, mesh: {file: bar.msh}, material: m, velocity_gradient: [[8, 0, 0], [0, 0, 0], [0, 0, 0]]}]
solver: implicit
time: {end: 0.2}
output: {frames: false}
checkpoint: {steps: 1, keep: 100}
"""

FLOATING = """
materials: {m: {E: 1.0e6, nu: 0.25, density: 1000}}
bodies: [{name: bar, mesh: {file: bar.msh}, material: m}]
loads:
  - {name: left, where: {set: left}, traction: [{time: 0, traction: [0, 0, 0]}, {time: 1, traction: [-1.0e5, 3.0e4, 1.0e4]}]}
  - {name: right, where: {set: right}, traction: [{time: 0, traction: [0, 0, 0]}, {time: 1, traction: [1.0e5, 2.0e4, 0]}]}
solver: {method: static, floating: inertia_relief, reproducible: true}
time: {end: 1, step: 0.025}
output: {frames: false}
checkpoint: {steps: 1, keep: 100}
"""

OFTEN = ["--set", "partition.rebalance=0.5", "--set", "partition.rebalance_steps=10"]


class Case:
    def __init__(self, sunder, expect, folder, name, text, steps):
        self.sunder, self.expect, self.folder, self.name, self.steps = sunder, expect, folder / name, name, steps
        self.scene = write_case(self.folder / "case", text, box_mesh((6, 2, 2)))
        self.alone = self.run("alone", 1)

    def run(self, out, ranks, *more):
        return self.sunder.summary([self.scene, "--steps", str(self.steps), *more], self.folder / out, ranks)

    def same(self, out, ranks, *more):
        again = self.run(out, ranks, *more)
        self.expect(again["state_hash"] == self.alone["state_hash"], f"{self.name}, {out}: {again['state_hash']}, not {self.alone['state_hash']}")
        return again

    def goes_on_from(self, steps):
        for step in steps:
            ranks = 1 + step % 3
            stored = self.folder / "alone" / "checkpoints" / f"step_{step:012}.h5"
            self.same(f"from_{step}_on_{ranks}", ranks, "--restart", stored)


def main(program, mpiexec):
    sunder, expect = Sunder(program, mpiexec), Expectations()
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        cracking = Case(sunder, expect, pathlib.Path(name), "cracking", CRACKING, 30)
        expect(cracking.alone["fracture_events"] > 5, f"{cracking.alone['fracture_events']} events")
        cracking.goes_on_from(range(20, 26))
        floating = Case(sunder, expect, pathlib.Path(name), "floating", FLOATING, 40)
        error = floating.alone["energy"]["relative_error"]  # what floats does no work by moving as a whole
        expect(abs(error) < 0.01, f"floating: expected a balance of energy to 1 %, got {error}")
        floating.goes_on_from((1, 20, 33))
        often = floating.same("often", 3, *OFTEN)
        expect(often["partition"]["repartitions"] > 0, f"expected some, got {often['partition']}")
    return expect.exit_status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
