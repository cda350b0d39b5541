#!/usr/bin/env python3
"""A plate that shatters: crumbs that are given mass let everybody take longer steps, the ledger closes as it does
without, and the state is the same on any number of ranks and after a restart.

dust_test.py SUNDER MPIEXEC
"""
import csv
import pathlib
import sys
import tempfile

from small_case import Expectations, Sunder

UNTIL = "0.0024"  # two crumbs have come off, the second of them at 1.4 ms
SETTINGS = ["--set", "output.frames=false", "--set", "checkpoint.steps=250", "--set", "checkpoint.keep=100", "--until", UNTIL]
DUST = ["--set", "fracture.dust=0.02"]
ALL_DUST = ["--set", "fracture.dust=0.2", "--set", "boundary=[]", "--set", "fracture.criterion=sources"]


def run(sunder, out, ranks, *more):
    return sunder.summary(["plate", *SETTINGS, *more], out, ranks)


def worst_error(out):
    with open(out / "history.csv", newline="") as file:
        return max(abs(float(row["energy_error"])) for row in csv.DictReader(file))


def main(program, mpiexec):
    sunder, expect = Sunder(program, mpiexec), Expectations()
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        plain = run(sunder, folder / "plain", 1)
        alone = run(sunder, folder / "alone", 1, *DUST)
        dust = alone["dust"]
        expect(plain["dust"]["fragments"] == 0 and plain["dust"]["added_mass"] == 0, f"without: {plain['dust']}")
        expect(dust["fragments"] > 0 and dust["added_mass"] > 0, f"expected dust, got {dust}")
        expect(abs(alone["mass"] - plain["mass"] - dust["added_mass"]) < 1e-9 * plain["mass"], "mass is not the sum")
        expect(dust["limit_with"] >= dust["limit_without"], f"expected no shorter step with the mass, got {dust}")
        errors = [worst_error(folder / of) for of in ("plain", "alone")]
        expect(errors[1] < max(2 * errors[0], 0.02), f"energy error: {errors[0]} without dust, {errors[1]} with it")
        expect(alone["energy"]["numerical"] > 0, f"expected a loss of motion, got {alone['energy']}")
        for ranks in (2, 3, 7):
            other = run(sunder, folder / f"on_{ranks}", ranks, *DUST)
            expect(other["state_hash"] == alone["state_hash"], f"{ranks} ranks: {other['state_hash']}")
            expect(other["dust"]["fragments"] == dust["fragments"], f"{ranks} ranks: {other['dust']}")
        stored = sorted((folder / "alone" / "checkpoints").glob("*.h5"))
        middle = stored[len(stored) // 2]
        again = run(sunder, folder / "again", 3, *DUST, "--restart", middle)
        expect(again["state_hash"] == alone["state_hash"], f"restart from {middle.name}: {again['state_hash']}")
        expect(again["dust"]["limit_with"] == dust["limit_with"], f"restart: {again['dust']}")
        # A plate that nothing holds, and of which every part is dust: the step is that of the unbroken mesh again.
        free = [run(sunder, folder / f"free_{ranks}", ranks, *ALL_DUST) for ranks in (1, 3)]
        all_dust = free[0]["dust"]
        expect(all_dust["fragments"] == free[0]["fragments"] > 1, f"expected all fragments to be dust, got {all_dust}")
        expect(all_dust["limit_with"] > 2 * all_dust["limit_without"], f"expected twice the step, got {all_dust}")
        expect(free[0]["step_limit"]["seconds"] > 2 * plain["step_limit"]["seconds"], f"step: {free[0]['step_limit']}")
        expect(any("fracture.dust" in warning for warning in free[0]["warnings"]), f"no warning: {free[0]['warnings']}")
        expect(worst_error(folder / "free_1") < 0.02, f"energy error of free dust: {worst_error(folder / 'free_1')}")
        expect(free[0]["state_hash"] == free[1]["state_hash"], "state_hash of free dust differs on 3 ranks")
        print(f"all of it: {all_dust}, {free[0]['steps']} steps")
        print(f"{dust}; {alone['steps']} steps instead of {plain['steps']}; energy errors {errors}")
    return expect.exit_status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
