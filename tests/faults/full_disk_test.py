#!/usr/bin/env python3
"""Where the disk is full for what rank 0 writes alone, a run on three ranks ends at once, with a message, and its
checkpoints are whole.

full_disk_test.py SUNDER MPIEXEC
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
from small_case import Sunder, errors, write_case  # noqa: E402

LIMIT = 10 * int(os.environ.get("SUNDER_TEST_PATIENCE", "3"))  # seconds; 10 on a quiet machine


class FullDisk(unittest.TestCase):
    sunder = None

    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)
        self.scene = write_case(self.folder / "case")

    def run_on_three(self, out, *more):
        begin = time.monotonic()
        result = self.sunder.run(["run", self.scene, "-o", out, *more], ranks=3, timeout=LIMIT)
        self.assertLess(time.monotonic() - begin, LIMIT)
        return result

    def test_history(self):
        """/dev/full takes the header's place only once the file is open: so a run goes on into it."""
        out = self.folder / "out"
        settings = ["--set", "checkpoint={steps: 40}", "--set", "output.history_interval=1e-4"]
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=False,
                                 capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("cannot mount a small disk here")
        self.addCleanup(lambda: subprocess.run(["umount", "-l", str(disk)], check=False))
        out = disk / "out"
        first = self.run_on_three(out, *settings, "--steps", "120")
        self.assertEqual(first.returncode, 0, first.stderr)
        with open(disk / "ballast", "wb") as ballast:  # what is left of the disk
            try:
                while True:
                    ballast.write(b"x" * 4096)
                    ballast.flush()
            except OSError:
                pass
        result = self.run_on_three(out, *settings, "--restart", "latest")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(errors(result)), 1, result.stderr)
        self.assert_whole(out)

    def test_history_grows_until_the_disk_is_full(self):
        """A limit on the size of files, met by a row of history.csv after the first checkpoints."""
        out = self.folder / "out"
        script = ["bash", "-c", 'ulimit -f 64; trap "" XFSZ; exec "$@"', "limited"]
        settings = ["--set", "checkpoint={steps: 10}", "--set", "output.history_interval=2e-6"]
        begin = time.monotonic()
        launch = [self.sunder.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", "3", *script, self.sunder.program]
        from small_case import ENVIRONMENT
        result = subprocess.run([*launch, "run", str(self.scene), "-o", str(out), *settings], env=ENVIRONMENT, text=True,
                                errors="replace", capture_output=True, timeout=4 * LIMIT, check=False)
        print(f"full history: {time.monotonic() - begin:.1f} s")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(errors(result)), 1, result.stderr)
        self.assertIn("history.csv: cannot append", result.stderr)
        self.assert_whole(out)

    def test_scene(self):
        out = self.folder / "out"
        out.mkdir()
        (out / "scene.yaml.part").symlink_to("/dev/full")
        result = self.run_on_three(out)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(errors(result)), 1, result.stderr)
        self.assertIn("scene.yaml.part: cannot write the file: No space left on device", result.stderr)

    def assert_whole(self, out):
        checkpoints = list((out / "checkpoints").glob("*.h5"))
        self.assertTrue(checkpoints)
        for path in checkpoints:
            info = self.sunder.run(["info", path])
            self.assertEqual(info.returncode, 0, info.stderr)
            self.assertIn("whole", info.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("sunder")
    parser.add_argument("mpiexec")
    known, rest = parser.parse_known_args()
    FullDisk.sunder = Sunder(known.sunder, known.mpiexec)
    unittest.main(argv=[__file__, *rest])
