#!/usr/bin/env python3
"""A bar torn apart ends in the same state, bit for bit, on any number of ranks and however the mesh is cut for them.

ranks_test.py SUNDER MPIEXEC
"""
import json
import pathlib
import sys
import tempfile

from small_case import SCENE, Sunder, box_mesh, write_case

SAME = ("state_hash", "fragments", "fracture_events", "nodes", "elements", "steps", "time", "dt_min")
PARTITIONS = [(1, "metis", 1), (2, "metis", 1), (3, "metis", 1), (4, "metis", 1), (7, "metis", 1), (16, "metis", 1),
              (3, "metis", 5), (2, "hilbert", 1), (3, "hilbert", 1), (7, "hilbert", 1)]
# Cells of the bar's mesh, and how often it is refined.
MESHES = [((8, 3, 3), 0, PARTITIONS), ((4, 2, 2), 1, [(1, "metis", 1), (3, "metis", 1), (4, "hilbert", 1)])]


def result_of(sunder, scene, refine, ranks, method, seed):
    out = scene.parent / f"{method}-{seed}-{ranks}"
    run = sunder.run(["run", scene, "-o", out, "--quiet", "--set", f"partition.method={method}",
                      "--set", f"partition.seed={seed}", "--set", f"bodies.bar.mesh.refine={refine}"], ranks, timeout=180)
    if run.returncode != 0:
        sys.exit(f"{ranks} ranks, {method}, seed {seed}: exit status {run.returncode}\n{run.stderr}")
    return json.loads((out / "summary.json").read_text())


def compare(sunder, folder, cells, refine, partitions):
    """Number of partitions whose result differs from the first one's."""
    scene, first, wrong = write_case(folder, SCENE, box_mesh(cells)), None, 0
    for ranks, method, seed in partitions:
        summary = result_of(sunder, scene, refine, ranks, method, seed)
        found = {key: summary[key] for key in SAME}
        first = first or found
        wrong += found != first
        print(f"refine {refine}  {ranks:3} ranks  {method:8} seed {seed}  {'same' if found == first else 'DIFFERENT'}  "
              f"{found}", flush=True)
    # A bar that stays whole would be the same on any number of ranks too.
    if first["fracture_events"] < 20 or first["fragments"] < 2:
        sys.exit("the bar did not break: this run compares nothing")
    return wrong


def main(program, mpiexec):
    sunder = Sunder(program, mpiexec)
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        wrong = sum(compare(sunder, pathlib.Path(folder) / f"refine-{refine}", cells, refine, partitions)
                    for cells, refine, partitions in MESHES)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
