#!/usr/bin/env python3
"""The first milliseconds of shipped scenes, in which bodies are struck and break, end in the same state, bit for bit, on any
number of ranks. To their end: jobs/validate.

shipped_scenes_test.py SUNDER MPIEXEC [RANKS]
"""
import pathlib
import sys
import tempfile

from ranks_test import compare_ranks

# Scene, end [s], and how many nodes have failed by then at least.
CASES = [("wall", 0.003, 90), ("concrete_wall", 0.002, 300), ("tray", 0.012, 8), ("bowl", 0.02, 20)]


def main(sunder, mpiexec, ranks="1,2,3,7"):
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for scene, end, events in CASES:
            out = pathlib.Path(folder) / scene
            summary = compare_ranks(sunder, mpiexec, scene, out, ranks, "metis", [f"time.end={end}"])
            energy = summary["energy"]
            # Otherwise this compares bodies that fly.
            assert summary["fracture_events"] >= events, f"{scene}: {summary['fracture_events']} events, expected {events}"
            assert energy["contact"] > 0.01 * energy["kinetic"], f"{scene}: nothing was struck: {energy}"


if __name__ == "__main__":
    main(*sys.argv[1:4])
