#!/usr/bin/env python3
"""A run that is killed again and again, and goes on each time on another number of ranks, ends in the same state as one
that was left alone, bit for bit; nothing it wrote is missing, doubled or torn.

restart_test.py SUNDER MPIEXEC                     a small bar and a damaged checkpoint
restart_test.py SUNDER MPIEXEC --scene bowl --kills 20 [--seed 1] [--set KEY=VALUE ...]
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from small_case import ENVIRONMENT, SCENE, box_mesh, write_case

EXACT = ("state_hash", "fragments", "fracture_events", "nodes", "elements", "steps", "time", "dt_min")


def command(args, ranks, scene, out, *more):
    settings = [word for setting in args.set for word in ("--set", setting)]
    return [args.mpiexec, "-n", str(ranks), "--oversubscribe", "--bind-to", "none", args.sunder, "run", str(scene), "-o",
            str(out), "--quiet", *settings, *more]


def run(args, ranks, scene, out, *more, expected=0):
    done = subprocess.run(command(args, ranks, scene, out, *more), env=ENVIRONMENT, text=True, errors="replace",
                          capture_output=True, check=False)
    if done.returncode != expected:
        sys.exit(f"expected exit status {expected}, got {done.returncode}:\n{done.stderr}")
    return done.stderr


def processes(*words):
    """Those whose command line has all the words."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has just ended
            continue
        if all(word in line for word in words):
            found.append(int(entry.parent.name))
    return found


def run_and_kill(args, ranks, scene, out, seconds):
    """True if it came to its end before it could be killed."""
    job = subprocess.Popen(command(args, ranks, scene, out, "--restart", "latest"), env=ENVIRONMENT,
                           start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        job.wait(seconds)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
    for rank in processes(str(args.sunder), str(out)):  # they are in process groups of their own
        with contextlib.suppress(ProcessLookupError):
            os.kill(rank, signal.SIGKILL)
    error = job.communicate()[1].decode(errors="replace")
    if job.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"expected exit status 0, got {job.returncode}:\n{error}")
    return job.returncode == 0


def series(out):
    """(time, file) of each frame; every file it names is there and parses to its end."""
    frames = []
    for pvd in out.glob("*.pvd"):
        for entry in xml.etree.ElementTree.parse(pvd).iter("DataSet"):
            path = out / entry.get("file")
            head = path.read_bytes()
            assert head, f"{path} is empty"
            if path.suffix == ".pvtu":
                pieces = [piece.get("Source") for piece in xml.etree.ElementTree.parse(path).iter("Piece")]
                for piece in pieces:
                    assert (path.parent / piece).read_bytes().rstrip().endswith(b"</VTKFile>"), f"{piece} is torn"
            frames.append((float(entry.get("timestep")), entry.get("file")))
    return frames


def history(out):
    """What of the history does not depend on the order of sums over ranks."""
    lines = (out / "history.csv").read_text().splitlines()
    return [line.split(",")[:7] for line in lines]


def compare(alone, again):
    summaries = [json.loads((folder / "summary.json").read_text()) for folder in (alone, again)]
    for key in EXACT:
        assert summaries[0][key] == summaries[1][key], f"{key}: {summaries[0][key]} uninterrupted, {summaries[1][key]}"
    assert history(alone) == history(again), "history.csv differs"
    assert series(alone) == series(again), "the series of frames differs"
    return summaries[0]


def killed_again_and_again(args, scene, folder):
    alone, again = folder / "alone", folder / "again"
    begin = time.monotonic()
    run(args, 1, scene, alone)
    usual = time.monotonic() - begin
    draw = random.Random(args.seed)
    for k in range(args.kills):
        ranks = draw.randint(1, 7)
        ended = run_and_kill(args, ranks, scene, again, draw.uniform(0.2, 0.5) * max(usual, 1))
        last = sorted((again / "checkpoints").glob("step_*.h5"))[-1:]
        print(f"kill {k + 1}: {ranks} ranks, {'ended before' if ended else 'killed after ' + str([p.stem for p in last])}",
              flush=True)
        if ended:
            compare(alone, again)
            for path in (again / "checkpoints").glob("step_*"):  # from the start again
                path.unlink()
    run(args, draw.randint(1, 7), scene, again, "--restart", "latest")
    print(json.dumps({key: compare(alone, again)[key] for key in EXACT}))
    return alone, again


def damaged(args, scene, alone, folder):
    """A damaged checkpoint is skipped with a warning if it is the latest, and an error if it is named."""
    out = folder / "damaged"
    run(args, 2, scene, out, "--steps", "200")
    _, last = sorted((out / "checkpoints").glob("step_*.h5"))
    whole = last.read_bytes()
    draw = random.Random(args.seed)
    for _ in range(args.flips):
        k = draw.randrange(len(whole))
        last.write_bytes(whole[:k] + bytes([whole[k] ^ 1 << draw.randrange(8)]) + whole[k + 1:])
        message = run(args, 1, scene, out, "--restart", str(last), expected=2)
        assert "damaged" in message and last.name in message, message
    last.write_bytes(whole[:-1])
    message = run(args, 3, scene, out, "--restart", "latest")
    assert "damaged" in message and last.with_suffix(".h5.damaged").exists(), message
    compare(alone, out)
    message = run(args, 1, scene, out, "--restart", "latest", "--set", "gravity=[0,0,-9]", expected=2)
    assert "gravity" in message, message


def asked_to_stop(args, scene, alone, folder):
    """A signal brings a checkpoint and exit status 75."""
    out = folder / "stopped"
    job = subprocess.Popen(command(args, 2, scene, out), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    while not (out / "history.csv").exists() and job.poll() is None:
        time.sleep(0.01)
    job.send_signal(signal.SIGUSR1)  # mpiexec hands it on
    error = job.communicate()[1]
    assert job.returncode == 75, f"exit status {job.returncode}: {error}"
    assert "--restart latest" in error, error
    assert not (out / "summary.json").exists()
    run(args, 3, scene, out, "--restart", "latest")
    compare(alone, out)


def one_rank_hangs(args, scene, alone, folder):
    """The others do not wait for it for ever, and the run goes on from its last checkpoint."""
    out = folder / "hangs"
    usual = json.loads((alone / "summary.json").read_text())["wall_seconds"]["total"]  # a slow build needs more patience
    patience = f"checkpoint.patience={max(5, round(usual))}"
    job = subprocess.Popen(command(args, 3, scene, out, "--set", patience), env=ENVIRONMENT, stderr=subprocess.PIPE,
                           text=True)
    while not list(out.glob("checkpoints/step_*.h5")) and job.poll() is None:
        time.sleep(0.01)
    os.kill(processes(str(args.sunder), str(out), patience)[-1], signal.SIGSTOP)
    error = job.communicate(timeout=60 + 4 * usual)[1]
    assert job.returncode == 3 and "a rank hangs" in error, f"exit status {job.returncode}: {error}"
    run(args, 2, scene, out, "--restart", "latest")
    compare(alone, out)


SOLVED = {"static": ("time.step=2e-3", "materials.chalk.toughness.force=100"),
          "implicit": ("time.end=2e-3", "time.step=2e-4", "materials.chalk.toughness.force=100"),
          "adaptive": ("time.end=0.004",)}


def solved(args, scene, folder):
    """Runs that look for equilibria go on from a checkpoint on another number of ranks to the same bits too."""
    for method, changes in SOLVED.items():
        control = ", load_control: crack" if method == "static" else ""
        changes = (*changes, f"solver={{method: {method}, floating: inertia_relief{control}}}", "checkpoint.steps=2")
        settings = [word for change in changes for word in ("--set", change)]
        alone, again = folder / f"{method}_alone", folder / f"{method}_again"
        run(args, 1, scene, alone, *settings)
        run(args, 2, scene, again, *settings, "--steps", "4")
        at_end = again / "checkpoints/step_000000000004.h5"
        assert at_end.exists() or method == "adaptive", method  # explicit steps end between two updates of contact
        run(args, 3, scene, again, *settings, "--restart", "latest")
        summary = compare(alone, again)
        assert summary["steps"] > 4, summary
        print(f"{method}: {summary['steps']} steps, {summary['fracture_events']} events, {summary['state_hash']}", flush=True)


def fails(args, scene, folder):
    """A run that goes to pieces says where its last good state is, and an earlier one is gone on from with a sound step."""
    out = folder / "fails"
    settings = [word for setting in ("fracture.enabled=false", "collisions.enabled=false",
                                     "output.history_interval=0.02", "checkpoint.steps=1",
                                     "checkpoint.keep=100") for word in ("--set", setting)]
    message = run(args, 3, scene, out, *settings, "--set", "time.end=0.2", "--set", "time.step_factor=4", expected=3)
    last = sorted((out / "checkpoints").glob("step_*.h5"))[-1]
    assert f"the last good state is in {last}" in message, message
    run(args, 2, scene, out, *settings, "--restart", str(out / "checkpoints/step_000000000001.h5"))
    assert json.loads((out / "summary.json").read_text())["time"] == 0.02


def time_counts_on(args, scene, folder):
    """A run that goes on counts its seconds on, in all as for each phase: on one rank no more in the phases than in all."""
    out = folder / "time"
    for more in (("--steps", "300"), ("--restart", "latest", "--steps", "320")):
        run(args, 1, scene, out, *more)
        seconds = json.loads((out / "summary.json").read_text())["wall_seconds"]
        total = seconds.pop("total")
        assert sum(seconds.values()) <= total, (total, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sunder"), parser.add_argument("mpiexec")
    parser.add_argument("--scene")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--flips", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        if args.scene:
            args.set += ["checkpoint.wall_interval=0.5"]
            killed_again_and_again(args, args.scene, folder)
            return
        args.set += ["checkpoint.steps=20"]
        scene = write_case(folder / "case", SCENE, box_mesh((8, 3, 3)))
        alone, _ = killed_again_and_again(args, scene, folder)
        damaged(args, scene, alone, folder)
        asked_to_stop(args, scene, alone, folder)
        one_rank_hangs(args, scene, alone, folder)
        solved(args, scene, folder)
        time_counts_on(args, scene, folder)
        fails(args, scene, folder)


if __name__ == "__main__":
    main()
