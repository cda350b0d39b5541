#!/usr/bin/env python3
"""Two blocks glued to each other and sheared apart: the glue bears shear_ratio times its strength, in static and in explicit
steps, also where it is pressed, and takes G_c times its section. The state is the same on any number of ranks.

sheared_interface_test.py SUNDER MPIEXEC
"""
import csv
import pathlib
import sys
import tempfile

from small_case import Expectations, Sunder, settings

STRENGTH, SECTION, G_C = 1.0e6, 0.02 * 0.02, 50
BLOCKS = "algebraic3d\nsolid a = orthobrick (0, 0, 0; 0.02, 0.02, 0.01);\nsolid b = orthobrick (0, 0, 0.01; 0.02, 0.02, 0.02);\ntlo a;\ntlo b;\n"
SCENE = """
materials: {m: {E: 1.0e9, nu: 0.2, density: 1000, phi: 2000, psi: 1000}, n: {base: m}}
interfaces: [{between: [m, n], toughness: {stress: 1.0e6, G_c: 50, shear_ratio: RATIO}}]
bodies: [{name: blocks, mesh: {geometry: blocks.geo, size: 0.004}, material: m, regions: [{set: 100002, material: n}]}]
boundary:
  - {name: bottom, where: {box: {min: [-1, -1, -1], max: [1, 1, 0.0001]}}, fixed: true}
  - name: top
    where: {box: {min: [-1, -1, 0.0199], max: [1, 1, 1]}}
    displacement: [{time: 0, displacement: [0, 0, 0]}, {time: 1.0e-3, displacement: [0, 0, PRESS]}, {time: END, displacement: [3.0e-4, 0, PRESS]}]
collisions: {enabled: false}
time: {end: END}
output: {frames: false}
"""
STATIC = settings("solver=static", "time.step=0.01")
PRESSED = "-6.0e-5"  # by three times the strength


def main(program, mpiexec):
    sunder, expect = Sunder(program, mpiexec), Expectations()
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        (folder / "blocks.geo").write_text(BLOCKS)

        def run(case, shear_ratio, press, ranks, *more, end="1"):
            scene = folder / f"{case}.yaml"
            scene.write_text(SCENE.replace("RATIO", str(shear_ratio)).replace("PRESS", press).replace("END", end))
            summary = sunder.summary([scene, *more], folder / case, ranks)
            with open(folder / case / "reactions.csv", newline="") as file:
                peak = max(abs(float(row["boundary.top.fx"])) for row in csv.DictReader(file))
            share = peak / (shear_ratio * STRENGTH * SECTION)
            print(f"{case}: {summary['steps']} steps, peak {share:.3f}, {summary['fracture']['links']}, {summary['state_hash']}")
            return share, summary

        for case, shear_ratio, press in (("slides", 0.5, "0"), ("even", 1, "0"), ("pressed", 0.5, PRESSED)):
            share, summary = run(case, shear_ratio, press, 1, *STATIC)
            expect(abs(share - 1) < 0.1, f"{case}: peak {share} of what the glue bears")
            surface = summary["fracture"]["links"]["surface_energy"] / (G_C * SECTION)
            expect(abs(surface - 1) < 0.01, f"{case}: links for {surface} of the section")
            if case == "slides":
                for ranks in (2, 3, 7):
                    hash = run(f"on_{ranks}", shear_ratio, press, ranks, *STATIC)[1]["state_hash"]
                    expect(hash == summary["state_hash"], f"{case} on {ranks} ranks: {hash}")
        share, summary = run("explicit", 0.5, "0", 2, end="5.0e-3")
        expect(abs(share - 1) < 0.1, f"explicit: peak {share} of what the glue bears")
    return expect.exit_status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
