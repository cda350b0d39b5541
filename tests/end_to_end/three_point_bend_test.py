#!/usr/bin/env python3
"""A notched bar bent through equilibria starts to crack, and bears, what a handbook says for its K_Ic; refined once more, too.
The time that solves take is told as theirs.

three_point_bend_test.py SUNDER MPIEXEC [REFINE...]

To the end, and the peak as well, for each `mesh.refine` that is given; by default for 1, and the onset alone for 2.
"""
import json
import pathlib
import sys
import tempfile

from measured import compare
from notched_bar_test import THICKNESS, handbook, loads
from small_case import Sunder

ONSET_ONLY = 0.5  # a time soon after it


def bend(sunder, out, refine, end):
    done = sunder.run(["run", "three_point_bend", "-o", out, "--quiet", "--set", f"bodies.bar.mesh.refine={refine}",
                       "--set", "output.frames=false", "--until", str(end)], timeout=7200)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def in_phases(out):
    """What is wrong, if summary.json says of much of the wall time nothing: most of it goes to solves."""
    phases = json.loads((out / "summary.json").read_text())["wall_seconds"]
    total = phases.pop("total")
    return [] if sum(phases.values()) > 0.7 * total else [f"phases of a run of {total:.2f} s: {phases}"]


def main(program, mpiexec, *refines):
    wrong = []
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for refine, end in [(r, 1) for r in refines] or [("1", 1), ("2", ONSET_ONLY)]:
            out = pathlib.Path(folder) / refine
            bend(Sunder(program, mpiexec), out, refine, end)
            wrong += in_phases(out)
            onset, peak = loads(out)
            expected = handbook(THICKNESS)
            wrong += compare(f"refine {refine}: load at onset", onset, expected, 0.10, "N")
            if end > ONSET_ONLY:
                wrong += compare(f"refine {refine}: peak load", peak, expected, 0.15, "N")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
