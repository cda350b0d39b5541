#!/usr/bin/env python3
"""Every place where an operation may fail on one rank alone is made to fail there, one a run: no rank is left waiting.

fault_walk.py SUNDER_WITH_FAULTS MPIEXEC [--ranks 1 2 3 7] [--sample N] [--every] [--limit SECONDS]

A small bar is pulled apart, with frames, rows and checkpoints; once from its beginning, once from a checkpoint, once from
a file that sunder partition wrote. Each place is walked through the first and the last time that a rank passes it, on
three ranks of many (--every: each time, on all of them). Each run has to end by itself within the limit, with the right
status and one message, and must leave whole checkpoints; some are gone on with, to the same state. --sample: so many of
all runs, evenly spread, and the same each time. Ends with the counts of places and runs.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from small_case import ENVIRONMENT, SCENE, write_case  # noqa: E402

SETTINGS = ["--set", "output={frames: true, frame_interval: 0.01, history_interval: 0.005}",
            "--set", "checkpoint={steps: 40, keep: 2}", "--set", "collisions={enabled: true}",
            "--set", "partition.rebalance=0"]  # when work is shared out depends on the clock, and so would what ranks pass
Fault = collections.namedtuple("Fault", "scenario ranks rank kind number place")

# Failing there does not end a run: what cannot be written is warned of, a checkpoint that cannot be read is passed by.
FORGIVEN = ("sealed file: ", "HDF5: make a column", "HDF5: write", "HDF5: flush", "checkpoint: ")
FOLLOWS = ("the last good state is in", "there is no checkpoint of an earlier state")  # hints, not other messages


class Walk:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.scene = write_case(folder / "case", SCENE)
        self.hashes, self.slowest, self.restarted, self.failures = {}, 0.0, 0, []

    def launch(self, ranks, words, extra, limit):
        """Status, standard error and seconds; status None if it had to be ended. ranks 0: without the launcher."""
        launcher = [self.args.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks else []
        command = [*launcher, self.args.sunder, *words]
        begin = time.monotonic()
        job = subprocess.Popen(command, env=ENVIRONMENT | extra, text=True, errors="replace", stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        try:
            _, said = job.communicate(timeout=limit)
            return job.returncode, said, time.monotonic() - begin
        except subprocess.TimeoutExpired:
            job.terminate()  # mpirun ends its ranks
            _, said = job.communicate()
            return None, said, time.monotonic() - begin

    def words(self, scenario, ranks, out):
        more = {"begin": [], "restart": ["--restart", "latest"],
                "mesh": ["--mesh", str(self.folder / f"mesh_{ranks}.h5")]}[scenario]
        return ["run", str(self.scene), "-o", str(out), "--quiet", *SETTINGS, *more]

    def fresh(self, scenario, ranks):
        """A folder as the scenario needs it."""
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        if scenario == "restart":
            shutil.copytree(self.folder / f"cut_off_{ranks}", out)
        return out

    def prepare(self, ranks):
        """What restarts go on from, and the mesh file."""
        done = [self.launch(ranks, [*self.words("begin", ranks, self.folder / f"cut_off_{ranks}"), "--steps", "130"], {}, 300),
                self.launch(0, ["partition", str(self.scene), "-n", str(ranks), "-o",
                                str(self.folder / f"mesh_{ranks}.h5"), *SETTINGS], {}, 300)]
        for status, said, _ in done:
            if status != 0:
                sys.exit(f"expected a run without faults to end with status 0, got {status}:\n{said}")

    def places(self, scenario, ranks):
        """Faults to make: what each rank passes in a run without any."""
        self.prepare_once(ranks)
        out, listed = self.fresh(scenario, ranks), self.folder / "places"
        status, said, _ = self.launch(ranks, self.words(scenario, ranks, out), {"SUNDER_FAULT_PLACES": str(listed)}, 300)
        if status != 0:
            sys.exit(f"expected a run without faults to end with status 0, got {status}:\n{said}")
        self.hashes[ranks] = json.loads((out / "summary.json").read_text())["state_hash"]
        faults = []
        for rank in range(ranks) if self.args.every or ranks < 5 else (0, ranks // 2, ranks - 1):
            passed = collections.OrderedDict()
            for line in pathlib.Path(f"{listed}.{rank}").read_text().splitlines():
                kind, number, place = line.split(" ", 2)
                if rank > 0 and place.startswith("scene: "):
                    self.failures.append(f"rank {rank} of {ranks} asks the file system for what rank 0 knows: {place}")
                if kind != "fingerprint" or ranks > 1:  # one rank is like itself
                    passed.setdefault((kind, place), []).append(int(number))
            for (kind, place), numbers in passed.items():
                chosen = numbers if self.args.every else sorted({numbers[0], numbers[-1]})
                faults += [Fault(scenario, ranks, rank, kind, n, place) for n in chosen]
        return faults

    def prepare_once(self, ranks):
        if not (self.folder / f"cut_off_{ranks}").exists():
            self.prepare(ranks)

    def try_one(self, fault, restart):
        """None, or what is wrong."""
        out = self.fresh(fault.scenario, fault.ranks)
        spell = {"SUNDER_FAULT": f"{fault.rank}:{fault.kind}:{fault.number}"}
        status, said, seconds = self.launch(fault.ranks, self.words(fault.scenario, fault.ranks, out), spell,
                                            self.args.limit)
        self.slowest = max(self.slowest, seconds)
        if status is None:
            return f"has not ended within {self.args.limit} s"
        messages = [m for m in re.findall(r"^(?:error|warning): .*", said, re.MULTILINE) if not any(hint in m for hint in FOLLOWS)]
        if len(messages) != 1:
            return f"expected one message, got {messages} in\n{said}"
        # A file that no rank can open is none; one that some can open and others cannot ends the job.
        forgiven = fault.place.startswith(FORGIVEN) or (fault.place == "HDF5: open" and fault.ranks == 1)
        if status not in ((0, 2, 3) if forgiven else (2, 3)):
            return f"expected status {'0, ' if forgiven else ''}2 or 3, got {status}: {messages}"
        if (status == 0) != messages[0].startswith("warning: "):
            return f"expected a warning with status 0 and an error with another, got {status}: {messages}"
        if fault.kind == "fingerprint" and "rank" not in messages[0]:
            return f"expected the unlike nodes to be named, got {messages}"
        if status == 0 and self.hash(out) != self.hashes[fault.ranks]:
            return f"expected the state of a run without faults, {self.hashes[fault.ranks]}, got {self.hash(out)}"
        return self.checkpoints_wrong(out) or (restart and status != 0 and self.restart_wrong(fault, out))

    def hash(self, out):
        return json.loads((out / "summary.json").read_text())["state_hash"]

    def checkpoints_wrong(self, out):
        for path in sorted((out / "checkpoints").glob("*.h5")):
            status, said, _ = self.launch(0, ["info", str(path)], {}, 60)
            if status != 0:
                return f"expected whole checkpoints, {path.name} is not: {said}"
        return None

    def restart_wrong(self, fault, out):
        if not list((out / "checkpoints").glob("*.h5")):
            return None
        self.restarted += 1
        status, said, _ = self.launch(fault.ranks, self.words("restart", fault.ranks, out), {}, 300)
        if status != 0 or self.hash(out) != self.hashes[fault.ranks]:
            return f"expected a restart to reach state {self.hashes[fault.ranks]}, got status {status}: {said}"
        return None

    def go(self):
        faults = [fault for ranks in self.args.ranks for scenario in ("begin", "restart", "mesh")
                  for fault in self.places(scenario, ranks)]
        chosen = faults
        if self.args.sample:
            chosen = faults[::max(1, len(faults) // self.args.sample)]
        for k, fault in enumerate(chosen):
            wrong = self.try_one(fault, restart=k % 5 == 0)
            if wrong:
                self.failures.append(f"{fault}: {wrong}")
                print(f"{fault}: {wrong}", flush=True)
        names = {fault.place for fault in faults}
        print(f"{len(names)} places, passed as {len(faults)} on ranks of {self.args.ranks}; {len(chosen)} runs, the slowest "
              f"{self.slowest:.1f} s; {self.restarted} gone on with; {len(self.failures)} wrong")
        return self.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sunder")
    parser.add_argument("mpiexec")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 7])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--limit", type=float, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        failures = Walk(args, pathlib.Path(folder)).go()
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
