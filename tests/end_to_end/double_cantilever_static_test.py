#!/usr/bin/env python3
"""Two glued arms that are opened in static steps: the crack runs row by row, with loads that go back where a row breaks
(load_control: dissipation), and is as long as beam theory has it for the opening.

double_cantilever_static_test.py SUNDER MPIEXEC [RANKS [STEPS]]

Without STEPS a few rows of elements of shorter arms, on one rank: the suite's short form.
"""
import csv
import json
import pathlib
import sys
import tempfile

from double_cantilever_test import LENGTH, crack_length, length_by_beam_theory, short_arms
from small_case import Sunder, settings

ROW = 0.001  # between nodes along the glue [m]
SHORT = 130  # steps, until a row has broken to close the arms
RATE = 0.0015  # of each arm's end [m/s of the loads' time]
SETTINGS = ["solver={method: static, load_control: dissipation}", "time={end: 40, step: 0.05}", "output={frames: false}",
            "boundary.end.axes=xy"] + [
                f"boundary.{arm}.displacement=[{{time: 0, displacement: [0, 0, 0]}}, {{time: 2, displacement: [0, 0, {2 * way * RATE}]}}]"
                for arm, way in (("top", 1), ("bottom", -1))]


def rows_of(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def main(program, mpiexec, ranks="1", steps=None):
    wrong = []
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        out = pathlib.Path(name) / "out"
        more = [] if steps else short_arms(pathlib.Path(name))
        done = Sunder(program, mpiexec).run(
            ["run", "double_cantilever", "-o", out, "--quiet", "--steps", steps or SHORT, *settings(*SETTINGS), *more],
            int(ranks), timeout=3000)
        if done.returncode != 0:
            sys.exit(done.stderr)
        openings = [(row["boundary.top.uz"] - row["boundary.bottom.uz"]) / 2 for row in rows_of(out / "reactions.csv")]
        history = rows_of(out / "history.csv")
        energy = json.loads((out / "summary.json").read_text())["energy"]
    ratios, back = [], 0
    for k, row in enumerate(history[1:], 1):
        if crack_length(row) < LENGTH + 2 * ROW:
            continue
        back += openings[k] < openings[k - 1]
        ratios.append(crack_length(row) / length_by_beam_theory(openings[k]))
    run = crack_length(history[-1]) - LENGTH
    if not ratios:
        sys.exit(f"expected a crack over several rows, got {1e3 * run:.2f} mm")
    print(f"{1e3 * run:.2f} mm of crack; over beam theory {min(ratios):.3f} to {max(ratios):.3f}, mean {sum(ratios) / len(ratios):.3f}; "
          f"the opening went back in {back} of {len(ratios)} steps; energy error {energy['relative_error']:.1e}")
    if run < 3 * ROW:
        wrong.append(f"expected a crack over several rows, got {1e3 * run:.2f} mm")
    if abs(sum(ratios) / len(ratios) - 1) > 0.05 or min(ratios) < 0.93 or max(ratios) > 1.08:
        wrong.append("the crack is not as long as beam theory has it")
    if back == 0:
        wrong.append("expected a row that breaks to close the arms")
    if abs(energy["relative_error"]) > 1e-3:
        wrong.append(f"the balance does not close: {energy}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
