#!/usr/bin/env python3
"""Ranks that would not compute the same bits refuse to start together, and say who they are.

unlike_nodes_test.py SUNDER SUNDER_WITH_FAULTS MPIEXEC
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from small_case import ENVIRONMENT, errors, write_case  # noqa: E402

# Without these the C library takes other variants of its functions, as it does on an older processor.
OLDER = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-FMA4"}
TWO = "expected nodes that compute alike, found some that do not"


class UnlikeNodes(unittest.TestCase):
    sunder = faults = mpiexec = None

    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)
        self.scene = write_case(self.folder / "case")

    def launch(self, *groups, environment=None, arguments=None):
        """groups: (ranks, environment, program) of each part of one job."""
        arguments = arguments or ["run", str(self.scene), "-o", str(self.folder / "out"), "--steps", "5"]
        words = []
        for ranks, own, program in groups:
            exported = [word for key, value in own.items() for word in ("-x", f"{key}={value}")]
            words += [":"] * bool(words) + ["-n", str(ranks), *exported, program, *arguments]
        return subprocess.run([self.mpiexec, "--oversubscribe", "--bind-to", "none", *words], text=True, errors="replace",
                              env=ENVIRONMENT | (environment or {}), capture_output=True, timeout=120, check=False)

    def test_one_rank_of_three_that_differs_is_refused(self):
        result = self.launch((3, {}, self.faults), environment={"SUNDER_FAULT": "1:fingerprint:1"})
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(len(errors(result)), 1, result.stderr)
        message = errors(result)[0]
        self.assertIn(TWO, message)
        host = re.escape(os.uname().nodename)
        self.assertRegex(message, rf"rank 0 on {host} and 1 more with program:\w+ libm:\w+ results:\w+ vectors:\d+; "
                                  rf"rank 1 on {host} with program:.* \(faked\)$")

    def test_two_builds_of_the_program_in_one_job_are_refused(self):
        result = self.launch((1, {}, self.sunder), (2, {}, self.faults))
        self.assertEqual(result.returncode, 2, result.stderr)
        builds = re.findall(r"program:(\w+)", errors(result)[0])
        self.assertEqual(len(set(builds)), 2, builds)
        self.assertNotIn("unknown", builds)

    def test_another_variant_of_the_mathematical_library_is_refused(self):
        """On a processor that has FMA: the C library's functions return other last bits without it."""
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        if " fma " not in flags or " avx2 " not in flags:
            self.skipTest("a processor without FMA has one variant")
        result = self.launch((2, {}, self.sunder), (1, OLDER, self.sunder))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(TWO, errors(result)[0])
        self.assertEqual(len(set(re.findall(r"program:(\w+)", errors(result)[0]))), 1)
        self.assertEqual(len(set(re.findall(r"results:(\w+)", errors(result)[0]))), 2)

    def test_nodes_that_are_alike_run(self):
        result = self.launch((3, {}, self.sunder))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_restart_elsewhere_is_told(self):
        run = ["run", str(self.scene), "-o", str(self.folder / "out"), "--set", "checkpoint={steps: 20}"]
        self.assertEqual(self.launch((2, {}, self.sunder), arguments=[*run, "--steps", "60"]).returncode, 0)
        again = [*run, "--steps", "80", "--restart", "latest"]
        here = self.launch((2, {}, self.sunder), arguments=again)
        self.assertEqual(here.returncode, 0, here.stderr)
        self.assertNotIn("written by another program", here.stderr)
        there = self.launch((2, {}, self.faults), arguments=again)
        self.assertEqual(there.returncode, 0, there.stderr)
        self.assertEqual(there.stderr.count("was written by another program or on other processors"), 1, there.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("sunder", "faults", "mpiexec"):
        parser.add_argument(name)
    known, rest = parser.parse_known_args()
    UnlikeNodes.sunder, UnlikeNodes.faults, UnlikeNodes.mpiexec = known.sunder, known.faults, known.mpiexec
    unittest.main(argv=[__file__, *rest])
