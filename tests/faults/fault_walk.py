#!/usr/bin/env python3
"""Every place where an operation may fail on one rank alone is made to fail there, one a run: no rank is left waiting.

fault_walk.py SUNDER_WITH_FAULTS MPIEXEC [--ranks 1 2 3 7] [--sample N] [--every] [--limit SECONDS] [--jobs N]

The scenarios are those of scenarios.py. Each place is walked through the first time, one in the middle and the last time that a
rank passes it, on every rank of one to three; of more, on the first and the last rank, the first and the last time (--every:
each time, on all of them). Each run has to end by itself within the limit, with the right status and one message, the same on any number of
ranks, and must leave whole checkpoints; every fifth that failed is gone on with, to the same state. --sample: so many of
all runs, evenly spread, and the same each time. Ends with the counts of places and runs.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile

from scenarios import SCENARIOS, Scenarios
from sealed_file import is_whole

Fault = collections.namedtuple("Fault", "scenario ranks rank kind place which number")
Outcome = collections.namedtuple("Outcome", "fault status message seconds gone_on wrong")

# Status of a run in which a place fails: 0 where that is warned of and the run goes on, with what cannot be written, and from
# another checkpoint than one that cannot be read. Of several: which depends on what is done there.
FEW = 3  # ranks, of which none is left out
STATUSES = {
    "allocation": (3,), "fingerprint": (2,), "scene: ": (2,), "file window: ": (2,), "set-up: elements": (2,),
    "output folder: remove": (3,), "output folder: ": (2, 3), "whole file: ": (2, 3), "run.lock: is": (3,), "run.lock: ": (2,),
    "small file: ": (3,), "log.txt: ": (3,), "history.csv: ": (3,), "frame: ": (3,), "crack: ": (3,), "checkpoint: ": (0,),
    "sealed file: open": (2,), "sealed file: read": (0, 2), "sealed file: label": (0, 2), "sealed file: ": (0,),
    "HDF5: open": (0, 2, 3), "HDF5: find": (2,), "HDF5: read": (2,), "HDF5: ": (0,)}
CUT_AND_READ = {"sealed file: read": (2, 3), "sealed file: label": (2,), "sealed file: ": (3,), "HDF5: open": (2, 3),
                "HDF5: find": (2,), "HDF5: read": (2,), "HDF5: ": (3,)}  # sunder partition: nothing takes its file's place
FOLLOWS = ("the last good state is in", "there is no checkpoint of an earlier state")  # hints, not other messages


def statuses(fault):
    key = "allocation" if fault.kind == "allocation" else fault.place
    table = STATUSES | CUT_AND_READ if fault.scenario == "partition" else STATUSES
    return next((values for start, values in table.items() if key.startswith(start)), ())


class Walk:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.scenarios = Scenarios(args.sunder, args.mpiexec, folder)
        self.results = {}  # of runs without a fault, by scenario and number of ranks
        self.failures = []

    def walked(self, ranks):
        return range(ranks) if self.args.every or ranks <= FEW else (0, ranks - 1)

    def places(self, scenario, ranks):
        """Faults to make: what each rank passes in a run without any."""
        out, listed = self.folder / "out", self.folder / "places"
        self.scenarios.fresh(scenario, ranks, out)
        self.scenarios.without_fault(ranks, self.scenarios.words(scenario, out), {"SUNDER_FAULT_PLACES": str(listed)})
        self.results[scenario, ranks] = self.result(scenario, out)
        faults = []
        for rank in self.walked(ranks):
            passed = collections.defaultdict(list)
            for line in pathlib.Path(f"{listed}.{rank}").read_text().splitlines():
                kind, number, place = line.split(" ", 2)
                if rank > 0 and place.startswith("scene: "):
                    self.failures.append(f"rank {rank} of {ranks} asks the file system for what rank 0 knows: {place}")
                if self.args.every or f"{kind} {place}".startswith(SCENARIOS[scenario]) or place.startswith(SCENARIOS[scenario]):
                    passed[kind, place].append(int(number))
            if ranks == 1:
                passed.pop(("fingerprint", "fingerprint"), None)  # one rank is like itself
            for (kind, place), numbers in passed.items():
                faults += [Fault(scenario, ranks, rank, kind, place, which, n) for n, which in self.times(numbers, ranks)]
        return faults

    def times(self, numbers, ranks):
        """Of the passes of a place those to make it fail at, each with its name."""
        if self.args.every:
            return [(n, f"{k} of {len(numbers)}") for k, n in enumerate(numbers, 1)]
        named = {numbers[len(numbers) // 2]: "middle"} if ranks <= FEW else {}
        return (named | {numbers[-1]: "last", numbers[0]: "first"}).items()

    def result(self, scenario, out):
        """What any number of ranks has to come to."""
        if scenario == "partition":
            return is_whole((out / "parts.h5").read_bytes())
        return json.loads((out / "summary.json").read_text())["state_hash"]

    def try_one(self, fault, go_on):
        out = self.folder / f"out_{os.getpid()}"
        self.scenarios.fresh(fault.scenario, fault.ranks, out)
        status, said, seconds = self.scenarios.launch(fault.ranks, self.scenarios.words(fault.scenario, out),
                                                      {"SUNDER_FAULT": f"{fault.rank}:{fault.kind}:{fault.number}"}, self.args.limit)
        messages = [m for m in re.findall(r"^(?:error|warning): .*", said, re.MULTILINE) if not any(h in m for h in FOLLOWS)]
        wrong = self.wrong(fault, out, status, messages, said)
        go_on = go_on and not wrong and status != 0 and list((out / "checkpoints").glob("*.h5")) != []
        if go_on:
            wrong = self.going_on_wrong(fault, out)
        message = messages[0].replace(str(out), "OUT").replace(str(self.folder), "FOLDER") if messages else ""
        return Outcome(fault, status, message, seconds, go_on, wrong)

    def wrong(self, fault, out, status, messages, said):
        """None, or what is."""
        if status is None:
            return f"has not ended within {self.args.limit} s"
        if len(messages) != 1:
            return f"expected one message, got {messages} in\n{said}"
        # A file that no rank can open is none; one that some can open and others cannot ends the job.
        if status not in statuses(fault):
            return f"expected a status of {statuses(fault)} (STATUSES), got {status}: {messages}"
        if (status == 0) != messages[0].startswith("warning: "):
            return f"expected a warning with status 0 and an error with another, got {status}: {messages}"
        if fault.kind == "fingerprint" and "rank" not in messages[0]:
            return f"expected the unlike nodes to be named, got {messages}"
        expected = self.results[fault.scenario, fault.ranks]
        if (status == 0 or fault.scenario == "partition") and self.result(fault.scenario, out) != expected:
            return f"expected to come to {expected} as without a fault, got {self.result(fault.scenario, out)}"
        torn = [path.name for path in (out / "checkpoints").glob("*.h5") if not is_whole(path.read_bytes())]
        return f"expected whole checkpoints, {torn} are not" if torn else None

    def going_on_wrong(self, fault, out):
        status, said, _ = self.scenarios.launch(fault.ranks, self.scenarios.words("restart", out), {}, 300)
        if status == 0 and self.result("restart", out) == self.results["restart", fault.ranks]:
            return None
        return f"expected a restart to come to {self.results['begin', fault.ranks]}, got status {status}: {said}"

    def messages_wrong(self, outcomes):
        """One message and status for each place and time, whichever rank it fails on, and however many there are: but for the
        numbers of the ranks, the node that a rank makes as its n-th, the n-th file of a frame, which has one a rank, and the
        process in the name of a file under way."""
        said = collections.defaultdict(dict)
        for fault, status, message, _, _, wrong in outcomes:
            if wrong or fault.kind == "fingerprint" or (fault.place == "HDF5: open" and fault.ranks == 1):  # alone, it is a file that nobody can open
                continue
            message = re.sub(r"\b(rank|id) \d+\b", r"\1 N", re.sub(r"^error: rank \d+: ", "error: ", message))
            message = re.sub(r"/frames/\S+:", "/frames/FILE:", message)
            message = re.sub(r"-\d+-[0-9a-f]+\.part\b", "-PROCESS.part", message)
            said[fault.scenario, fault.place, fault.which].setdefault((status, message), fault)
        return [f"expected one message of all ranks for {key}, got {found}" for key, found in said.items() if len(found) > 1]

    def go(self):
        faults = []
        for ranks in self.args.ranks:
            self.scenarios.prepare(ranks)
            for scenario in SCENARIOS:
                faults += self.places(scenario, ranks)
        for scenario in SCENARIOS:
            results = {self.results[scenario, ranks] for ranks in self.args.ranks}
            if len(results) != 1:
                self.failures.append(f"{scenario}: expected one result on {self.args.ranks} ranks, got {results}")
        chosen = faults[::max(1, len(faults) // self.args.sample)] if self.args.sample else faults
        print(f"{len(faults)} passes, {len(chosen)} runs", flush=True)
        outcomes = []
        with concurrent.futures.ProcessPoolExecutor(self.args.jobs) as jobs:
            for outcome in jobs.map(self.try_one, chosen, [k % 5 == 0 for k in range(len(chosen))]):
                outcomes.append(outcome)
                if outcome.wrong:
                    print(f"{outcome.fault}: {outcome.wrong}", flush=True)
                if len(outcomes) % 200 == 0:
                    print(f"{len(outcomes)} runs, the slowest {max(o.seconds for o in outcomes):.1f} s", flush=True)
        self.report(faults, outcomes)
        return self.failures

    def report(self, faults, outcomes):
        differing = self.messages_wrong(outcomes)
        self.failures += [f"{o.fault}: {o.wrong}" for o in outcomes if o.wrong] + differing
        print(f"{len({fault.place for fault in faults})} places, {len(faults)} passes, on {self.args.ranks} ranks: "
              f"{len(outcomes)} runs, the slowest {max(o.seconds for o in outcomes):.1f} s; {sum(o.status is None for o in outcomes)} "
              f"that did not end, {sum(bool(o.wrong) for o in outcomes if o.status is not None)} with another status, message or "
              f"checkpoint, {len(differing)} messages that differ between ranks; {sum(o.gone_on for o in outcomes)} gone on with")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sunder", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("mpiexec")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 7])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
        failures = Walk(args, pathlib.Path(folder)).go()
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
