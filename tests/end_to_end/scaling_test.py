#!/usr/bin/env python3
"""A scaling study counts what its ranks share; the model of the step finds the laws a made-up table was made by.

scaling_test.py SUNDER MPIEXEC
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from small_case import ENVIRONMENT, SCENE, box_mesh, write_case

ROOT = pathlib.Path(__file__).resolve().parents[2]
BYTES_OF_NODE = 48
PROGRAMS = {}


def read(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def made_up_row(sides, elements_a_rank, ns):
    """What a cube of equal bricks would count; each element takes so many ns, nodes and messages nothing."""
    ranks = sides[0] * sides[1] * sides[2]
    area, edge = elements_a_rank ** (2 / 3), elements_a_rank ** (1 / 3)
    faces = [side * ranks ** (-1 / 3) for side in sides]
    mean = sum(face * 2 * (1 - 1 / side) for face, side in zip(faces, sides))
    most = sum(face * min(2, side - 1) for face, side in zip(faces, sides))
    held = elements_a_rank + 1.25 * area * mean
    most_held = elements_a_rank + 1.25 * area * most
    ghosts = (0.5 * area + edge) * mean
    neighbours = (3 - 2 / sides[0]) * (3 - 2 / sides[1]) * (3 - 2 / sides[2]) - 1
    return {"ranks": ranks, "elements": ranks * elements_a_rank, "nodes": ranks * elements_a_rank / 5, "steps": 1,
            "ns_per_element_step": ns * most_held / elements_a_rank, "held_elements": ranks * held,
            "imbalance": most_held / held, "ghosts": ranks * ghosts, "most_ghosts": (0.5 * area + edge) * most,
            "messages": ranks * neighbours, "most_neighbours": min(3, sides[0]) * min(3, sides[1]) * min(3, sides[2]) - 1,
            "halo_bytes_per_step": ranks * BYTES_OF_NODE * ghosts, "solve": 0}


def write(path, rows):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader(), table.writerows(rows)


def predict(folder, rows, *options):
    """What postprocess/scaling_model.py prints for a table of these rows."""
    write(folder / "table.csv", rows)
    done = subprocess.run([ROOT / "postprocess/scaling_model.py", folder / "table.csv", "-o", folder / "model.png", *options],
                          text=True, capture_output=True, check=True)
    return done.stdout


class ScalingTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_a_study_counts_what_is_shared(self):
        scene = write_case(self.folder, SCENE.replace("{force: 2.0}", "{force: 1e9}"), box_mesh((8, 4, 4)))
        subprocess.run([ROOT / "jobs/scaling", scene, "--ranks", "1,2,4", "--steps", "2", "--repeat", "1", "--sunder",
                        PROGRAMS["sunder"], "--launch", PROGRAMS["mpiexec"] + " --oversubscribe --bind-to none -n {ranks}",
                        "-o", self.folder / "out"], env=ENVIRONMENT, check=True, capture_output=True)
        alone, two, four = read(self.folder / "out/scaling.csv")
        self.assertEqual((alone["held_elements"], alone["messages"], alone["ghosts"]), (alone["elements"], 0, 0))
        self.assertEqual((two["messages"], two["most_neighbours"]), (2, 1))  # there and back
        for row in (two, four):
            self.assertEqual(row["halo_bytes_per_step"], BYTES_OF_NODE * row["ghosts"])
            self.assertGreater(row["held_elements"], row["elements"])
            self.assertLessEqual(row["ghosts"], row["ranks"] * row["most_ghosts"])
            self.assertLessEqual(row["messages"], row["ranks"] * row["most_neighbours"])
        self.assertGreater(four["held_elements"], two["held_elements"])

    def test_what_cannot_be_run_is_said_in_one_line(self):
        for script, options, expected in (
                ("scaling", ["--ranks", "0"], "argument --ranks: expected a whole number above 0, got '0'"),
                ("scaling", ["--ranks", "1", "--steps", "0"], "argument --steps: expected a whole number above 0"),
                ("scaling", ["--ranks", "1", "--weak", "bar"], "argument --weak: expected the key of a mesh size"),
                ("scaling", ["--ranks", "1", "--launch", "no_such_launcher"], "cannot start no_such_launcher"),
                ("compare_ranks", ["--ranks", "1,x"], "argument --ranks: expected a whole number above 0, got 'x'"),
                ("compare_ranks", ["--ranks", "1", "--timeout", "0.001"], "not done after 0.001 s (--timeout)")):
            done = subprocess.run([ROOT / "jobs" / script, "plate", *options, "-o", self.folder / "out"], env=ENVIRONMENT,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(expected, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_the_model_finds_the_laws_of_a_made_up_table(self):
        sides = ((1, 1, 1), (1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 2, 2), (2, 2, 4), (4, 4, 4))
        rows = [made_up_row(s, elements, 20) for s, elements in zip(sides, (1e4, 1e5, 1e4, 5e4, 2e4, 1e4, 5e3))]
        said = predict(self.folder, rows, "--latency", "0", "--overhead", "0", "--bandwidth", "1e30")
        pairs = re.findall(r"([\d.e+]+)/([\d.e+]+)", said)
        self.assertEqual(len(pairs), 7 * 5)  # of each row with more than one rank
        for measured, law in pairs:
            self.assertAlmostEqual(float(law) / float(measured), 1, delta=1e-3)
        errors = re.findall(r"([+-][\d.]+)%", said)
        self.assertEqual(len(errors), 7)
        for error in errors:
            self.assertLess(abs(float(error)), 0.11)
        self.assertTrue((self.folder / "model.png").stat().st_size > 0)

    def test_latency_costs_what_the_reduction_waits_for(self):
        rows = [made_up_row(s, 1e4, 20) for s in ((1, 1, 1), (1, 1, 2), (2, 2, 2), (4, 4, 4))]
        said = predict(self.folder, rows, "--latency", "1e-3", "--overhead", "0", "--bandwidth", "1e30", "--ranks", "1024")
        line = next(line.split() for line in said.splitlines() if line.split()[:1] == ["100000"])
        self.assertAlmostEqual(float(line[4]), 2 * 10 * 1000, delta=0.1)  # us: ten hops down the tree, ten up

    def test_a_cracking_check_waits_for_its_exchanges_reductions_and_events(self):
        rows = [made_up_row(s, 1e4, 20) for s in ((1, 1, 1), (1, 1, 2), (2, 2, 2), (4, 4, 4))]
        phases = {"forces": 1.0, "failure": 0.5, "remesh": 0.2, "contact": 0.6, "halo": 0.0}
        counts = {"steps": 1000, "fracture_events": 400, "cracking_checks": 100, "rounds": 300}
        write(self.folder / "cracking.csv", [{**rows[0], **phases, **counts}])
        said = predict(self.folder, rows, "--latency", "1e-3", "--overhead", "0", "--bandwidth", "1e30", "--ranks", "1024",
                       "--cracking", self.folder / "cracking.csv")
        self.assertIn("every 10.0 steps, 3.0 rounds, 4.0 events of 2.0 ms", said)
        tail = said[said.index("a cracking check"):]
        alone = next(line.split() for line in tail.splitlines() if line.split()[:1] == ["1"])
        self.assertEqual(alone[1:], ["2.30", "2.30", "...", "2.30"])  # one rank predicts itself
        line = next(line.split() for line in tail.splitlines() if line.split()[:1] == ["100000"])
        exchanges, reductions = 8 * 3 + 4, 3 + 4
        self.assertAlmostEqual(float(line[1]), 4 * 2000 + 1000 * (exchanges + reductions * 20), delta=1)  # us


if __name__ == "__main__":
    PROGRAMS["sunder"], PROGRAMS["mpiexec"] = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
