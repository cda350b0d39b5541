#!/usr/bin/env python3
"""Where the disk is full for what rank 0 writes alone, a run on three ranks ends at once, with a message, and its
checkpoints are whole.

full_disk_test.py SUNDER SUNDER_WITH_FAULTS MPIEXEC
"""
import argparse
import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from small_case import ENVIRONMENT, write_case  # noqa: E402

LIMIT = 60  # seconds; on a quiet machine it takes less than one


def fill(file):
    with contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))


class FullDisk(unittest.TestCase):
    program = faults = mpiexec = None

    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)
        self.scene = write_case(self.folder / "case")

    def small_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("cannot mount a small disk here")
        self.addCleanup(lambda: subprocess.run(["umount", "-l", str(disk)], check=False))
        return disk

    def test_no_room_for_temporary_files_of_a_geometry_is_an_error(self):
        """None at all, or some, which netgen fills."""
        disk = self.small_disk()
        for room in (0, 64 * 1024):
            with open(disk / "ballast", "wb", buffering=0) as ballast:
                fill(ballast)
                ballast.truncate(ballast.tell() - room)
            result = subprocess.run([self.program, "mesh", "plate", "--size", "0.02", "-o", str(self.folder / "plate.msh")],
                                    env=ENVIRONMENT | {"TMPDIR": str(disk)}, text=True, capture_output=True, check=False)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, f"{disk}.*: No space left on device", room)

    def test_a_disk_that_fills_up_ends_all_ranks_with_one_error(self):
        """A small disk that fills up while a run writes to it."""
        disk = self.small_disk()
        out = disk / "out"
        settings = ["--set", "time.end=100", "--set", "checkpoint={steps: 40}", "--set", "output.history_interval=1e-5",
                    "--set", "fracture.enabled=false"]
        job = subprocess.Popen([self.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", "3", self.program, "run",
                                str(self.scene), "-o", str(out), *settings], env=ENVIRONMENT, text=True, errors="replace",
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            for _ in range(600):
                if list((out / "checkpoints").glob("*.h5")) or job.poll() is not None:
                    break
                time.sleep(0.1)
            with open(disk / "ballast", "wb", buffering=0) as ballast:
                fill(ballast)
                begin = time.monotonic()
                while job.poll() is None and time.monotonic() < begin + LIMIT:
                    time.sleep(0.02)
                    fill(ballast)  # a checkpoint that was under way gives back what it had
            _, said = job.communicate(timeout=LIMIT)
            print(f"ended {time.monotonic() - begin:.1f} s after the disk was full")
        finally:
            job.terminate()
        self.assertEqual(job.returncode, 3, said)
        found = re.findall(r"^error: .*", said, re.MULTILINE)
        self.assertEqual(len(found), 1, said)
        # Whichever of the tables that grow with each row meets the full disk first.
        self.assertRegex(found[0], r"(history|reactions)\.csv: cannot append the line of step")
        self.assert_whole(out)

    def test_no_room_for_the_first_file_is_an_error(self):
        """No room for run.json, whose folder it is: the first of the small files."""
        listed = self.folder / "places"
        self.run_on_three(self.folder / "before", {"SUNDER_FAULT_PLACES": str(listed)}, 0)
        passed = [line.split(" ", 2) for line in pathlib.Path(f"{listed}.0").read_text().splitlines()]
        number = next(n for kind, n, place in passed if place == "small file: write")
        result = self.run_on_three(self.folder / "out", {"SUNDER_FAULT": f"0:file:{number}"}, 3)
        found = re.findall(r"^error: .*", result.stderr, re.MULTILINE)
        self.assertEqual(len(found), 1, result.stderr)
        self.assertRegex(found[0], r"run\.json\.\S+\.part: cannot write the file: No space left on device")

    def run_on_three(self, out, environment, status):
        result = subprocess.run([self.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", "3", self.faults, "run",
                                 str(self.scene), "-o", str(out), "--steps", "20"], env=ENVIRONMENT | environment,
                                text=True, errors="replace", capture_output=True, timeout=LIMIT, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def assert_whole(self, out):
        checkpoints = list((out / "checkpoints").glob("*.h5"))
        self.assertTrue(checkpoints)
        for path in checkpoints:
            info = subprocess.run([self.program, "info", str(path)], env=ENVIRONMENT, text=True, capture_output=True,
                                  check=False)
            self.assertEqual(info.returncode, 0, info.stderr)
            self.assertIn("whole", info.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("sunder", "faults", "mpiexec"):
        parser.add_argument(name)
    known, rest = parser.parse_known_args()
    FullDisk.program, FullDisk.faults, FullDisk.mpiexec = known.sunder, known.faults, known.mpiexec
    unittest.main(argv=[__file__, *rest])
