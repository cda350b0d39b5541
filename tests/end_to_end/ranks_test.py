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


def result_of(sunder, scene, ranks, method, seed):
    out = scene.parent / f"{method}-{seed}-{ranks}"
    run = sunder.run(["run", scene, "-o", out, "--quiet", "--set", f"partition.method={method}",
                      "--set", f"partition.seed={seed}"], ranks, timeout=180)
    if run.returncode != 0:
        sys.exit(f"{ranks} ranks, {method}, seed {seed}: exit status {run.returncode}\n{run.stderr}")
    return json.loads((out / "summary.json").read_text())


def main(program, mpiexec):
    sunder, wrong = Sunder(program, mpiexec), 0
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        scene = write_case(folder, SCENE, box_mesh((8, 3, 3)))
        alone = None
        for ranks, method, seed in PARTITIONS:
            summary = result_of(sunder, scene, ranks, method, seed)
            found = {key: summary[key] for key in SAME}
            alone = alone or found
            same = found == alone
            wrong += not same
            print(f"{ranks:3} ranks  {method:8} seed {seed}  {'same' if same else 'DIFFERENT'}  {found}", flush=True)
    # A bar that stays whole would be the same on any number of ranks too.
    if alone["fracture_events"] < 20 or alone["fragments"] < 2:
        sys.exit("the bar did not break: this run compares nothing")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
