#!/usr/bin/env python3
"""An installed prefix, used from another folder and through symbolic links: the program finds its scenes, the job scripts find the
program and the postprocessing, and say what is missing. Through Slurm: slurm_test.

installed_test.py SUNDER MPIEXEC
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from small_case import ENVIRONMENT, SCENE, box_mesh, write_case
from surface_test import vase, write_stl

BARE = {key: value for key, value in ENVIRONMENT.items() if not key.startswith("SUNDER")}


def install(program, prefix, stage=None):
    """From the build that the program is in; stage: DESTDIR."""
    build = pathlib.Path(program).resolve().parents[1]
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, capture_output=True,
                   env=BARE | ({"DESTDIR": str(stage)} if stage else {}))


def call(*command, folder, status=0, **environment):
    done = subprocess.run(list(map(str, command)), cwd=folder, env=BARE | environment, text=True, errors="replace",
                          capture_output=True, check=False)
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def program_finds_its_data(prefix, elsewhere):
    link = elsewhere / "my_sunder"
    link.symlink_to(prefix / "bin/sunder")
    # A scene that is there alone, so that it cannot be that of the sources.
    only_here = prefix / "share/sunder/scenes/only_here.yaml"
    only_here.write_text((prefix / "share/sunder/scenes/plate.yaml").read_text())
    for program in (prefix / "bin/sunder", link):
        assert "no problem found" in call(program, "check", "only_here", folder=elsewhere)
    only_here.unlink()
    assert "only_here" in call(link, "check", "only_here", folder=elsewhere, status=2)


def fills_a_surface(prefix, elsewhere):
    """By a library that the program loads from the prefix."""
    write_stl(elsewhere / "vase.stl", vase())
    mesh = (prefix / "bin/sunder", "mesh", "vase.stl", "--size", 0.02, "-o", "vase.msh")
    call(*mesh, folder=elsewhere)
    (elsewhere / "vase.msh").unlink()
    library = prefix / "lib/sunder/libsunder_netgen.so"
    kept = library.rename(library.with_suffix(".kept"))
    said = call(*mesh, folder=elsewhere, status=2)
    assert "expected libsunder_netgen.so beside the program or in ../lib/sunder" in said, said
    kept.rename(library)


def scripts_find_each_other(prefix, mpiexec, elsewhere):
    scene = write_case(elsewhere / "case", SCENE, box_mesh((4, 2, 2)))
    jobs = elsewhere / "jobs of mine"
    jobs.mkdir()
    for script in ("run.sbatch", "postprocess.sbatch", "sweep.sbatch", "compare_ranks"):
        (jobs / script).symlink_to(prefix / "share/sunder/jobs" / script)
    launch = f"{mpiexec} --oversubscribe --bind-to none -n 2"
    log = call(jobs / "run.sbatch", scene, "-o", "run", "--set", "output.frames=true", "--set", "output.frame_interval=0.02",
               folder=elsewhere, SRUN=launch)
    assert (elsewhere / "run/summary.json").exists(), log
    call(jobs / "postprocess.sbatch", "run", folder=elsewhere)
    assert (elsewhere / "run/strip.png").stat().st_size > 1000
    (elsewhere / "variants.txt").write_text("\n--set gravity=[0,0,-5]\n")
    for task in "01":  # an empty line is the scene as it stands
        call(jobs / "sweep.sbatch", "variants.txt", scene, "-o", "sweep", folder=elsewhere, SRUN=launch, SLURM_ARRAY_TASK_ID=task)
        assert (elsewhere / "sweep" / task / "summary.json").exists()
    assert "expected a line 3, found the end" in call(jobs / "sweep.sbatch", "variants.txt", scene, "-o", "sweep", folder=elsewhere,
                                                      status=2, SRUN=launch, SLURM_ARRAY_TASK_ID="2")
    call(jobs / "compare_ranks", scene, "--ranks", "1,2", "--decompositions", "metis", "--set", "time.end=0.002", folder=elsewhere)


def scripts_say_what_is_missing(prefix, elsewhere):
    jobs = prefix / "share/sunder/jobs"
    for script in ("run.sbatch", "sweep.sbatch", "postprocess.sbatch"):
        usage = call(jobs / script, "--help", folder=elsewhere)
        assert f"jobs/{script}" in usage and "#SBATCH" not in usage and "#!" not in usage, usage
        assert call(jobs / script, folder=elsewhere, status=2) == usage
    assert "expected -o FOLDER, found none" in call(jobs / "run.sbatch", "wall", folder=elsewhere, status=2)
    assert "expected the program in SUNDER, found none: /absent" in call(jobs / "run.sbatch", "wall", "-o", "x", folder=elsewhere,
                                                                         status=2, SUNDER="/absent")
    assert "expected the program no-such-launcher" in call(jobs / "run.sbatch", "wall", "-o", "x", folder=elsewhere, status=2,
                                                           SRUN="no-such-launcher -n 2")
    assert "expected the output folder of a run, found none" in call(jobs / "postprocess.sbatch", "absent", folder=elsewhere,
                                                                     status=2)
    (elsewhere / "empty").mkdir()
    assert "SUNDER_POSTPROCESS" in call(jobs / "postprocess.sbatch", "empty", folder=elsewhere, status=2,
                                        SUNDER_POSTPROCESS="/absent")
    assert "job array" in call(jobs / "sweep.sbatch", "variants.txt", "wall", "-o", "y", folder=elsewhere, status=2)


def tells_how_far_it_is(prefix, mpiexec, elsewhere):
    """In a log, which is no terminal, until it is asked to stop."""
    log = elsewhere / "progress.log"
    with open(log, "w", encoding="utf-8") as out:
        job = subprocess.Popen([prefix / "share/sunder/jobs/run.sbatch", "wall", "-o", "wall", "--set", "output.frames=false"],
                               cwd=elsewhere, stdout=out, stderr=out, env=BARE | {"SRUN": f"{mpiexec} -n 1"})
    end = time.monotonic() + 60
    while not re.search(r"t = .* events, .* left", log.read_text()):
        assert time.monotonic() < end and job.poll() is None, log.read_text()
        time.sleep(0.3)
    job.send_signal(signal.SIGUSR1)
    assert job.wait(timeout=60) == 75, log.read_text()
    assert "stopped after a checkpoint: the same command goes on" in log.read_text()


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        folder.chmod(0o755)
        prefix, elsewhere = folder / "prefix", folder / "elsewhere"
        elsewhere.mkdir()
        os.chdir(elsewhere)  # where jobs leave their logs
        install(sunder, prefix)
        install(sunder, "/opt/sunder", stage=folder / "stage")
        assert (folder / "stage/opt/sunder/bin/sunder").exists()
        program_finds_its_data(prefix, elsewhere)
        fills_a_surface(prefix, elsewhere)
        scripts_find_each_other(prefix, mpiexec, elsewhere)
        scripts_say_what_is_missing(prefix, elsewhere)
        tells_how_far_it_is(prefix, mpiexec, elsewhere)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
