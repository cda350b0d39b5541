#!/usr/bin/env python3
"""Shipped scenes of solvers hybrid and lattice, until something has been struck and has broken or been dented, end in the same
state, bit for bit, on any number of ranks. Scene vase: hybrid_test. To their end: jobs/validate.

rigid_scenes_test.py SUNDER MPIEXEC [RANKS]
"""
import pathlib
import sys
import tempfile

from ranks_test import compare_ranks

SCENES = pathlib.Path(__file__).resolve().parents[2] / "config/scenes"
# A heap of eight, of coarse elements, near the floor.
EIGHT = ["bodies.vase.copies.count=[2,2,2]", "bodies.vase.mesh.size=0.06", "bodies.vase.position=[-0.3,-0.3,0.1]"]
# Scene, settings, and by their end: impacts analysed, and bonds or faces parted, at least.
CASES = [("teddy", ["time.end=0.21", "bodies.teddy.mesh.size=0.04"], 2, 0),
         ("cinder_blocks", ["time.end=0.15"], 2, 100),
         ("thousand_vases", ["time.end=0.2", *EIGHT], 4, 20),
         ("plank", ["time.end=6e-4", "lattice.steps=10"], 0, 50),
         ("wine_glass", ["time.end=3e-4", "lattice.steps=5"], 0, 50),
         ("pot", ["time.end=6e-4", "lattice.steps=5"], 0, 50),
         ("table_bowl", ["time.end=0.01", "lattice.steps=5"], 0, 50)]


def main(sunder, mpiexec, ranks="1,2,3,5,7"):
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for scene, settings, impacts, events in CASES:
            summary = compare_ranks(sunder, mpiexec, SCENES / f"{scene}.yaml", pathlib.Path(folder) / scene, ranks, "metis", settings)
            # Otherwise this compares bodies that fly.
            assert summary.get("impacts", 0) >= impacts, f"{scene}: {summary.get('impacts')} impacts, expected {impacts}"
            assert summary["fracture_events"] >= events, f"{scene}: {summary['fracture_events']} events, expected {events}"


if __name__ == "__main__":
    main(*sys.argv[1:4])
