#!/usr/bin/env python3
"""A notched bar whose cracks cost energy: the ledger closes with what links have taken, which is G_c times the area of the
broken ones; the state is the same on any number of ranks, however often they share out anew, and after a restart. So is
that of a plate where many nodes fail at once, beside young cracks of other ranks. Other solvers refuse such a material.

cohesion_test.py SUNDER MPIEXEC
"""
import csv
import json
import pathlib
import sys
import tempfile

from small_case import Sunder

LIGAMENT = 0.05 * 0.0125  # [m^2]
G_C = 7.7  # [J/m^2]
MATERIAL = ["--set", f"materials.glass.toughness={{stress: 6.0e6, G_c: {G_C}}}"]
SETTINGS = [*MATERIAL, "--set", "bodies.bar.mesh.size=0.02", "--set", "output.frames=false", "--set", "checkpoint.steps=4000",
            "--set", "checkpoint.keep=100", "--set", "time.end=0.003",
            # faster than the scene, so that the crack passes soon
            "--set", "boundary.2.displacement=[{time: 0, displacement: [0, 0, 0]}, {time: 0.003, displacement: [0, 0, -4e-5], smooth: true}]"]

PLATE = ["--set", "materials.plaster.toughness={stress: 1.0e6, G_c: 2}", "--set", "output.frames=false", "--until", "0.0015"]


def run(sunder, out, ranks, *more, scene=("notched_bar", *SETTINGS)):
    done = sunder.run(["run", *scene, "-o", out, "--quiet", *more], ranks, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads((out / "summary.json").read_text())


def main(program, mpiexec):
    sunder = Sunder(program, mpiexec)
    wrong = []

    def expect(right, what):
        if not right:
            wrong.append(what)

    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        alone = run(sunder, folder / "alone", 1)
        energy, links = alone["energy"], alone["fracture"]["links"]
        print(f"{alone['fracture_events']} events, {alone['fragments']} fragments, {links}, {energy}")
        expect(links["broken"] > 10, f"expected a crack that has passed, got {links}")
        expect(abs(energy["relative_error"]) < 0.005, f"energy error {energy['relative_error']}")
        surface = links["broken_surface_energy"]
        expect(0.5 * G_C * LIGAMENT < surface < 2 * G_C * LIGAMENT, f"{surface} J of broken surface")
        expect(abs(links["taken_by_broken"] / surface - 1) < 0.01, f"broken links took {links['taken_by_broken']} of {surface} J")
        with open(folder / "alone" / "history.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        expect(float(last["surface"]) == energy["surface"], f"history: {last['surface']} J")
        for ranks in (2, 3, 5, 7):
            other = run(sunder, folder / f"on_{ranks}", ranks)
            expect(other["state_hash"] == alone["state_hash"], f"{ranks} ranks: {other['state_hash']}")
            expect(other["fracture"]["links"]["broken"] == links["broken"], f"{ranks} ranks: {other['fracture']['links']}")
        often = run(sunder, folder / "often", 3, "--set", "partition.rebalance=0.5", "--set", "partition.rebalance_steps=50")
        expect(often["partition"]["repartitions"] > 3, f"expected several, got {often['partition']}")
        expect(often["state_hash"] == alone["state_hash"], f"shared out often: {often['state_hash']}")
        for stored in sorted((folder / "alone" / "checkpoints").glob("*.h5"))[-3:]:
            for ranks in (1, 4):
                again = run(sunder, folder / f"{stored.stem}_on_{ranks}", ranks, "--restart", stored)
                expect(again["state_hash"] == alone["state_hash"], f"restart from {stored.name} on {ranks}: {again['state_hash']}")
                expect(again["fracture"]["links"]["broken"] == links["broken"], f"restart: {again['fracture']['links']}")
        shattered = [run(sunder, folder / f"plate_on_{ranks}", ranks, scene=("plate", *PLATE)) for ranks in (1, 2)]
        expect(shattered[0]["fracture_events"] > 500, f"plate: {shattered[0]['fracture_events']} events")
        hashes = {plate["state_hash"] for plate in shattered}
        expect(len(hashes) == 1, f"plate: {hashes}")
        for solver in ("static", "implicit", "adaptive"):
            done = sunder.run(["check", "notched_bar", *MATERIAL, "--set", f"solver={solver}"])
            expect(done.returncode == 2 and "materials.glass.toughness" in done.stderr, f"{solver}: {done.stderr}")
    print("\n".join(wrong), file=sys.stderr)
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
