#!/usr/bin/env python3
"""A notched bar whose cracks cost energy: the ledger closes with what links have taken, which is G_c times the area of the
broken ones; the state is the same on any number of ranks, however often they share out anew, and after a restart. So is
that of a plate where many nodes fail at once, beside young cracks of other ranks, and whose pieces press on each other. Solver
adaptive refuses such a material. Two halves that are glued, straight or askew, come apart in the glue for its energy, and are one
fragment until then. A bar in uniform stress takes about its surface's energy to part.

cohesion_test.py SUNDER MPIEXEC
"""
import csv
import math
import pathlib
import sys
import tempfile

from small_case import Expectations, Sunder

LIGAMENT = 0.05 * 0.0125  # [m^2]
G_C = 7.7  # [J/m^2]
MATERIAL = ["--set", f"materials.glass.toughness={{stress: 6.0e6, G_c: {G_C}}}"]
SETTINGS = [*MATERIAL, "--set", "bodies.bar.mesh.size=0.04", "--set", "output.frames=false", "--set", "checkpoint.steps=1200",
            "--set", "checkpoint.keep=100", "--set", "time.end=0.0012",
            # faster and farther than the scene, so that the crack passes soon
            "--set", "boundary.2.displacement=[{time: 0, displacement: [0, 0, 0]}, {time: 0.0012, displacement: [0, 0, -6e-5], smooth: true}]"]

PLATE = ["--set", "materials.plaster.toughness={stress: 1.0e6, G_c: 2}", "--set", "output.frames=false", "--set", "checkpoint.steps=400",
         "--set", "checkpoint.keep=100", "--until", "0.0015"]

GLUED = """
materials:
  half: {E: 1.0e9, nu: 0.3, density: 1000, toughness: {stress: 5.0e6}}
  other_half: {base: half}
bodies:
  - {name: bar, mesh: {geometry: glued.geo, size: 0.02}, material: half, regions: [{set: 100002, material: other_half}]}
interfaces:
  - {between: [half, other_half], toughness: {stress: 1.0e6, G_c: 50}}
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [0.001, 1, 1]}}, velocity: [0, 0, 0]}
  - {name: right, where: {box: {min: [0.399, -1, -1], max: [1, 1, 1]}}, displacement: [
      {time: 0, displacement: [0, 0, 0]}, {time: 0.02, displacement: [6.0e-4, 0, 0], smooth: true}]}
time: {end: 0.02}
output: {frames: false}
"""
GLUED_GEO = """algebraic3d
solid bar = orthobrick (0, 0, 0; 0.4, 0.1, 0.1);
solid left = bar and plane (0.2, 0.05, 0.05; {normal[0]}, {normal[1]}, 0);
solid right = bar and plane (0.2, 0.05, 0.05; -{normal[0]}, -{normal[1]}, 0);
tlo left;
tlo right;
"""

BAR = """
materials: {m: {E: 1.0e9, nu: 0, density: 1000, toughness: {stress: 1.0e6, G_c: 100}}}
bodies: [{name: bar, mesh: {geometry: bar.geo, size: 0.008}, material: m}]
boundary:
  - {name: left, where: {box: {min: [-1, -1, -1], max: [0.0001, 1, 1]}}, fixed: true, axes: x}
  - {name: right, where: {box: {min: [0.0999, -1, -1], max: [1, 1, 1]}}, axes: x, displacement: [
      {time: 0, displacement: [0, 0, 0]}, {time: 0.01, displacement: [4.0e-4, 0, 0], smooth: true}]}
collisions: {enabled: false}
time: {end: 0.01}
output: {frames: false}
"""


def check_bar(sunder, folder, expect):
    """In uniform stress links are born at many nodes, and one crack opens: what the others give back must be little."""
    (folder / "bar.geo").write_text("algebraic3d\nsolid bar = orthobrick (0, 0, 0; 0.1, 0.02, 0.02);\ntlo bar;\n")
    (folder / "bar.yaml").write_text(BAR)
    summary = run(sunder, folder / "bar", 1, scene=(folder / "bar.yaml",))
    work = summary["energy"]["external"] / (100 * 0.02 * 0.02)
    expect(summary["fragments"] == 2 and 0.85 < work < 1.05, f"bar: {summary['fragments']} fragments, {work} of G_c times its section")
    coarse = sunder.run(["check", folder / "bar.yaml", "--set", "materials.m.toughness.G_c=5"])
    expect("the zone in which a crack holds together" in coarse.stdout + coarse.stderr, f"check: {coarse.stdout}{coarse.stderr}")


def check_glue(sunder, folder, expect, degrees):
    """The crack stays in the plane of the glue, whatever pulls across it: what it takes is G_c times that plane."""
    slope = math.radians(degrees)
    (folder / "glued.geo").write_text(GLUED_GEO.format(normal=(math.cos(slope), math.sin(slope))))
    (folder / "glued.yaml").write_text(GLUED)
    energy = 50 * 0.1 * 0.1 / math.cos(slope)
    hashes = set()
    for ranks in (1, 3) if degrees != 0 else (2,):
        out = folder / f"glued_at_{degrees}_on_{ranks}"
        summary = run(sunder, out, ranks, scene=(folder / "glued.yaml",))
        hashes.add(summary["state_hash"])
        links, case = summary["fracture"]["links"], f"glue at {degrees} degrees"
        expect(summary["fragments"] == 2 and links["count"] == 0, f"{case}: {summary['fragments']} fragments, {links}")
        for taken in (links["taken_by_broken"], links["broken_surface_energy"], summary["energy"]["surface"]):
            expect(abs(taken / energy - 1) < 1e-5, f"{case}: {taken} J, expected {energy}")
        expect(abs(summary["energy"]["relative_error"]) < 0.005, f"{case}: energy error {summary['energy']['relative_error']}")
        with open(out / "history.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        torn = [float(row["surface"]) for row in rows if int(row["crack_faces"]) > 0 and int(row["fragments"]) == 1]
        expect(torn and max(torn) < energy, f"{case}: it never held while it was torn: {torn}")
    expect(len(hashes) == 1, f"glue at {degrees} degrees: {hashes}")


def run(sunder, out, ranks, *more, scene=("notched_bar", *SETTINGS)):
    return sunder.summary([*scene, *more], out, ranks)


def main(program, mpiexec):
    sunder, expect = Sunder(program, mpiexec), Expectations()
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
        for ranks in (2, 7):
            other = run(sunder, folder / f"on_{ranks}", ranks)
            expect(other["state_hash"] == alone["state_hash"], f"{ranks} ranks: {other['state_hash']}")
            expect(other["fracture"]["links"]["broken"] == links["broken"], f"{ranks} ranks: {other['fracture']['links']}")
        often = run(sunder, folder / "often", 3, "--set", "partition.rebalance=0.5", "--set", "partition.rebalance_steps=50")
        expect(often["partition"]["repartitions"] > 3, f"expected several, got {often['partition']}")
        expect(often["state_hash"] == alone["state_hash"], f"shared out often: {often['state_hash']}")
        for stored, ranks in zip(sorted((folder / "alone" / "checkpoints").glob("*.h5"))[-4:-1], (5, 1, 4), strict=True):  # while it runs
            again = run(sunder, folder / f"{stored.stem}_on_{ranks}", ranks, "--restart", stored)
            expect(again["state_hash"] == alone["state_hash"], f"restart from {stored.name} on {ranks}: {again['state_hash']}")
            expect(again["fracture"]["links"]["broken"] == links["broken"], f"restart: {again['fracture']['links']}")
        for degrees in (0, 30):
            check_glue(sunder, folder, expect, degrees)
        check_bar(sunder, folder, expect)
        shattered = [run(sunder, folder / f"plate_on_{ranks}", ranks, scene=("plate", *PLATE)) for ranks in (1, 2)]
        expect(shattered[0]["fracture_events"] > 400, f"plate: {shattered[0]['fracture_events']} events")
        hashes = {plate["state_hash"] for plate in shattered}
        expect(len(hashes) == 1, f"plate: {hashes}")
        stored = sorted((folder / "plate_on_1" / "checkpoints").glob("*.h5"))
        expect(len(stored) > 3, f"plate: {stored}")
        for position, ranks in ((1, 3), (len(stored) // 2, 1)):  # contact knows again which links hold
            again = run(sunder, folder / f"plate_again_{position}", ranks, "--restart", stored[position], scene=("plate", *PLATE))
            expect(again["state_hash"] in hashes, f"plate: restart from {stored[position].name} on {ranks}: {again['state_hash']}")
        done = sunder.run(["check", "notched_bar", *MATERIAL, "--set", "solver=adaptive"])
        expect(done.returncode == 2 and "materials.glass.toughness" in done.stderr, f"adaptive: {done.stderr}")
    return expect.exit_status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
