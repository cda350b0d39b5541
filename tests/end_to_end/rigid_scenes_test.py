#!/usr/bin/env python3
"""Shipped scenes of solvers hybrid and lattice, until something has been struck and has broken or been dented, end in the same
state, bit for bit, on any number of ranks. Scene vase: hybrid_test. To their end: jobs/validate.

rigid_scenes_test.py SUNDER MPIEXEC [RANKS]
"""
import pathlib
import sys
import tempfile

from ranks_test import compare_ranks
from small_case import meshed

SCENES = pathlib.Path(__file__).resolve().parents[2] / "config/scenes"
# A heap of eight, of coarse elements, near the floor.
EIGHT = ["bodies.vase.copies.count=[2,2,2]", "bodies.vase.position=[-0.3,-0.3,0.1]"]
# Scene; of the one body whose mesh is made once for all runs its name, its geometry and the size of its elements: each run
# meshes the other scenes.
# Settings, and by their end: impacts analysed, and bonds or faces parted, at least.
CASES = [("teddy", ("teddy", "teddy", 0.04), ["time.end=0.21"], 2, 0),
         ("cinder_blocks", None, ["time.end=0.15"], 2, 100),
         ("thousand_vases", ("vase", "vase", 0.06), ["time.end=0.2", *EIGHT], 4, 20),
         ("plank", ("plank", "plank", 0.0155), ["time.end=6e-4", "lattice.steps=10"], 0, 50),
         ("wine_glass", ("glass", "wine_glass", 0.0095), ["time.end=3e-4", "lattice.steps=5"], 0, 50),
         ("pot", ("pot", "pot", 0.0115), ["time.end=6e-4", "lattice.steps=5"], 0, 50),
         ("table_bowl", None, ["time.end=0.01", "lattice.steps=5"], 0, 50)]


def main(sunder, mpiexec, ranks="1,2,3,5,7"):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        for scene, body, settings, impacts, events in CASES:
            if body:
                settings = [f"bodies.{body[0]}.mesh={{file: {meshed(sunder, folder, *body[1:])}}}", *settings]
            summary = compare_ranks(sunder, mpiexec, SCENES / f"{scene}.yaml", folder / scene, ranks, "metis", settings)
            # Otherwise this compares bodies that fly.
            assert summary.get("impacts", 0) >= impacts, f"{scene}: {summary.get('impacts')} impacts, expected {impacts}"
            assert summary["fracture_events"] >= events, f"{scene}: {summary['fracture_events']} events, expected {events}"


if __name__ == "__main__":
    main(*sys.argv[1:4])
