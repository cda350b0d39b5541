#!/usr/bin/env python3
"""A bar torn apart, or stretched by steps too long for it, ends in the same state, bit for bit, on any number of ranks and
however the mesh is decomposed for them.

ranks_test.py SUNDER MPIEXEC
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from small_case import ENVIRONMENT, SCENE, box_mesh, write_case

COMPARE = pathlib.Path(__file__).resolve().parents[2] / "jobs/compare_ranks"
# Pulled to twice its length in steps beyond the stable limit, which are halved as nodes come to move too far in one.
STRETCHED = ["time.step_factor=3", "time.end=0.1", "fracture.enabled=false", "output.history_interval=0.02"]
# Until pieces have met.
TORN = ["time.end=0.008"]
# Cells of the bar's mesh, what jobs/compare_ranks shall compare, and what of the scene to replace.
CASES = [((8, 3, 3), "1,2,3,7,16", "metis", TORN), ((8, 3, 3), "1,3,7", "hilbert,metis:5,ptscotch", TORN),
         ((4, 2, 2), "1,3", "metis,hilbert", [*TORN, "bodies.bar.mesh.refine=1"]),
         ((8, 3, 3), "1,2,3,7", "metis", STRETCHED)]


def compare_ranks(sunder, mpiexec, scene, out, ranks, decompositions, settings):
    """The summary of one of the runs; ends this program if they are not all the same."""
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([COMPARE, scene, "--ranks", ranks, "--decompositions", decompositions, "-o", out,
                           *words, "--sunder", sunder, "--launch", mpiexec + " --oversubscribe --bind-to none -n {ranks}",
                           "--timeout", "900"],
                          env=ENVIRONMENT, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return json.loads(next(out.glob("*/summary.json")).read_text())


def compare(sunder, mpiexec, folder, cells, ranks, decompositions, settings):
    scene = write_case(folder, SCENE, box_mesh(cells))
    summary = compare_ranks(sunder, mpiexec, scene, folder / "out", ranks, decompositions, settings)
    if settings is STRETCHED:
        assert summary["dt_min"] < summary["step_limit"]["seconds"], "no step was halved: this run compares nothing"
        return
    # A bar that stays whole would be the same on any number of ranks too.
    assert summary["fracture_events"] >= 20 and summary["fragments"] >= 2, "the bar did not break: this run compares nothing"
    assert summary["energy"]["contact"] > 0, "no piece has met another: this run compares no contact"


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        for k, case in enumerate(CASES):
            compare(sunder, mpiexec, pathlib.Path(folder) / str(k), *case)


if __name__ == "__main__":
    main(*sys.argv[1:3])
