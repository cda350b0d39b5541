#!/usr/bin/env python3
"""The milliseconds of shipped scenes in which bodies are struck and break, end in the same state, bit for bit, on any
number of ranks. To their end: jobs/validate.

shipped_scenes_test.py SUNDER MPIEXEC [RANKS]
"""
import pathlib
import sys
import tempfile

from ranks_test import compare_ranks
from small_case import meshed

# Scene, what of it to replace, and how many nodes have failed by its end at least. What flies starts shortly before it strikes.
CASES = [("wall", ["time.end=0.003"], 90),
         ("concrete_wall", ["time.end=0.001", "obstacles.ball.position=[0,-0.352,1.2]"], 300),
         ("tray", ["time.end=0.0036", "bodies.tray.position=[0,0,0.05]"], 8),
         ("bowl", ["time.end=0.01", "bodies.bowl.position=[0,0,0.155]"], 20)]


def main(sunder, mpiexec, ranks="1,2,3,7"):
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for scene, settings, events in CASES:
            out = pathlib.Path(folder) / scene
            if scene == "tray":  # whose mesh takes as long as its run
                settings = [*settings, f"bodies.tray.mesh={{file: {meshed(sunder, folder, 'tray', 0.016)}}}"]
            summary = compare_ranks(sunder, mpiexec, scene, out, ranks, "metis", settings)
            energy = summary["energy"]
            # Otherwise this compares bodies that fly.
            assert summary["fracture_events"] >= events, f"{scene}: {summary['fracture_events']} events, expected {events}"
            assert energy["contact"] > 0.01 * energy["kinetic"], f"{scene}: nothing was struck: {energy}"


if __name__ == "__main__":
    main(*sys.argv[1:4])
