#!/usr/bin/env python3
"""The job scripts, through a real Slurm started here: those of an installed prefix, with nothing in the environment that says
where it is, for a run that is stopped before its time is up and queued again until it is done, and pictures after it; those of the
sources for a sweep of eight variants.

slurm_test.py SUNDER MPIEXEC
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import slurm
from installed_test import install
from restart_test import compare
from small_case import ENVIRONMENT, SCENE, box_mesh, write_case

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def submit(cluster, *command):
    return cluster.call("sbatch", "--parsable", *map(str, command)).strip()


def wait_until_done(cluster, job, seconds):
    def over():
        states = [task["JobState"] for task in cluster.state(job)]
        if any(state in ("FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY") for state in states):
            logs = "\n".join(path.read_text(errors="replace") for path in pathlib.Path.cwd().glob("sunder*.log"))
            raise RuntimeError(f"job {job}: {states}\n{logs}")
        return all(state == "COMPLETED" for state in states)
    cluster.wait_for(over, seconds, f"job {job} to complete")


def requeued_until_done(cluster, prefix, mpiexec, folder):
    alone, again, jobs = folder / "alone", folder / "again", prefix / "share/sunder/jobs"
    settings = ["--set", "time.end=0.06", "--set", "output.frame_interval=0.03", "--set", "checkpoint.wall_interval=0.5"]
    subprocess.run([mpiexec, "-n", "1", prefix / "bin/sunder", "run", "bowl", "-o", alone, "--quiet", *settings], env=ENVIRONMENT,
                   check=True)
    # Slurm's own signal comes some ten seconds after the start (a minute is its shortest limit). This run is done by
    # then, and gets the same signal from here.
    job = submit(cluster, "-n", 2, "-t", 1, "--signal=B:USR1@50", jobs / "run.sbatch", "bowl", "-o", again, *settings)
    after = submit(cluster, f"--dependency=afterok:{job}", jobs / "postprocess.sbatch", again)
    cluster.wait_for(lambda: any((again / "checkpoints").glob("*.h5")), 60, "the first checkpoint")
    cluster.call("scancel", "--batch", "--signal=USR1", job)
    wait_until_done(cluster, job, 300)
    restarts = int(cluster.state(job)[0]["Restarts"])
    print(f"queued again {restarts} times", flush=True)
    assert restarts >= 1, "the run was never stopped: this shows nothing"
    log = (folder / f"sunder-{job}.log").read_text(errors="replace")
    assert "queued again" in log, log
    compare(alone, again)
    wait_until_done(cluster, after, 120)
    assert (again / "strip.png").stat().st_size > 1000
    pieces = (again / "fragments.csv").read_text().splitlines()
    assert len(pieces) - 1 == json.loads((again / "summary.json").read_text())["fragments"], pieces[:3]


def sweep(cluster, folder):
    scene = write_case(folder / "case", SCENE, box_mesh((4, 2, 2)))
    strengths = [1.5 + 0.5 * k for k in range(8)]
    variants = folder / "variants.txt"
    variants.write_text("".join(f"--set 'materials.chalk.toughness={{force: {s}}}'\n" for s in strengths))
    job = submit(cluster, "-n", 1, "-t", 5, "--array=0-7", SOURCE / "jobs/sweep.sbatch", variants, scene, "-o", folder / "sweep")
    wait_until_done(cluster, job, 200)
    events = [json.loads((folder / f"sweep/{k}/summary.json").read_text())["fracture_events"] for k in range(8)]
    print("events of the eight variants:", events, flush=True)
    assert len(set(events)) > 3, "the variants are all alike"


def main(sunder, mpiexec):
    if lacking := slurm.missing():
        print(f"not tried: this machine lacks {', '.join(lacking)}")
        return 77
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        folder.chmod(0o755)
        os.chdir(folder)  # where jobs leave their logs
        install(sunder, folder / "prefix")
        with slurm.Slurm(folder / "slurm") as cluster:
            cluster.environment = {key: value for key, value in cluster.environment.items() if not key.startswith("SUNDER")}
            cluster.environment |= {key: value for key, value in ENVIRONMENT.items() if key.startswith("OMPI_")}
            requeued_until_done(cluster, folder / "prefix", mpiexec, folder)
            cluster.environment["SUNDER"] = sunder
            sweep(cluster, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
