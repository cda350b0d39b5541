#!/usr/bin/env python3
"""A notched bar in three-point bending starts to crack, and bears, what a handbook says for its K_Ic.

notched_bar_test.py SUNDER MPIEXEC [REFINE [RANKS]]

REFINE is mesh.refine of the shipped scene: 1 for its own elements, 2 for half as large ones. docs/materials.md.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from small_case import Sunder

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPAN, HEIGHT, THICKNESS, NOTCH = 0.4, 0.1, 0.0125, 0.05  # of config/geometry/notched_bar.geo [m]
K_IC = 0.75e6  # of the scene
END, PERIOD = 0.0036, 3e-4  # [s] some time after the start of the crack; the bar rings a little faster then
QUASI_STATIC = 0.02  # kinetic over elastic energy, until then


def handbook():
    """The load at which K = K_Ic: ASTM E399 for S/W = 4, after Srawley (1976) within 0.5 %."""
    x = NOTCH / HEIGHT
    shape = (3 * x ** 0.5 * (1.99 - x * (1 - x) * (2.15 - 3.93 * x + 2.7 * x * x))
             / (2 * (1 + 2 * x) * (1 - x) ** 1.5))
    return K_IC * THICKNESS * HEIGHT ** 1.5 / (SPAN * shape)


def bend(sunder, out, refine, ranks):
    settings = [f"bodies.bar.mesh.refine={refine}", "output.frames=false"]
    words = [word for setting in settings for word in ("--set", setting)]
    done = sunder.run(["run", "notched_bar", "--until", str(END), "-o", out, "--quiet", *words], ranks)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def loads(out):
    """Onset and peak [N], as the script for users finds them."""
    command = ["/usr/bin/python3", ROOT / "postprocess/curve.py", out, "--of", "boundary.load", "--axis", "z",
               "--window", str(PERIOD), "-o", out / "curve.png"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert (out / "curve.png").stat().st_size > 10_000, "curve.png: expected a picture"
    return [float(re.search(rf"^{word}: (\S+) N", text, re.MULTILINE).group(1)) for word in ("onset", "peak")]


def before_onset(out):
    """The last line of history.csv before the first node fails."""
    with open(out / "history.csv", newline="") as file:
        whole = [row for row in csv.DictReader(file) if row["events"] == "0"]
    return {key: float(value) for key, value in whole[-1].items()}


def compare(quantity, found, expected, tolerance, unit):
    share = found / expected - 1
    print(f"measured | {quantity} | {found:.4g} | {expected:.4g} | {100 * share:+.1f} % | {100 * tolerance:.0f} % | {unit}")
    return [] if abs(share) <= tolerance else [f"{quantity}: expected {expected:.4g} {unit}, got {found:.4g}"]


def main(program, mpiexec, refine="1", ranks="1"):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        out = pathlib.Path(name) / "bar"
        bend(Sunder(program, mpiexec), out, refine, int(ranks))
        onset, peak = loads(out)
        row = before_onset(out)
        wrong = compare("load at onset", onset, handbook(), 0.10, "N") + compare("peak load", peak, handbook(), 0.15, "N")
        if row["kinetic"] > QUASI_STATIC * row["elastic"]:
            wrong.append(f"kinetic energy {row['kinetic']} J is no small share of {row['elastic']} J")
        # Slow, and lossless until then: what the load did is in the bar.
        work = row["external"]
        if abs(row["kinetic"] + row["elastic"] - work) > 1e-3 * work:
            wrong.append(f"the load's work is {work} J, energy {row['kinetic'] + row['elastic']} J")
        summary = json.loads((out / "summary.json").read_text())
        if summary["fracture_events"] < 2:
            wrong.append(f"{summary['fracture_events']} events, expected a crack")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
