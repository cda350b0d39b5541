"""A small run with a checkpoint every ten steps, its folder, and how to disturb it: for tests of what a folder holds."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from small_case import ENVIRONMENT, SCENE, box_mesh, errors, write_case

STEPS = ["--set", "checkpoint.steps=10", "--quiet"]


class RunFolderCase(unittest.TestCase):
    sunder = None

    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)
        self.scene = write_case(self.folder / "case", SCENE.replace("frames: false", "frames: true"), box_mesh((4, 2, 2)))
        self.out = self.folder / "out"

    def run_it(self, *arguments, ranks=None, expected=0, out=None):
        done = self.sunder.run(["run", self.scene, "-o", out or self.out, *STEPS, *arguments], ranks, self.folder)
        self.assertEqual(done.returncode, expected, done.stderr)
        return done.stderr

    def refused(self, *arguments, says=(), out=None, ranks=(1, 3)):
        """Status 2, one message, and the folder stays as it is."""
        before = self.state(out)
        for n in ranks:
            with self.subTest(ranks=n, arguments=arguments):
                done = self.sunder.run(["run", self.scene, "-o", out or self.out, *STEPS, *arguments], n, self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(len(errors(done)), 1, done.stderr)
                for text in says:
                    self.assertIn(str(text), errors(done)[0])
        self.assertTrue(self.state(out) == before, "the folder is not what it was")
        return errors(done)[0]

    def state(self, out=None):
        return {path: path.read_bytes() for path in sorted((out or self.out).rglob("*")) if path.is_file()}

    def checkpoints(self, out=None):
        return sorted((out or self.out).glob("checkpoints/step_*.h5"))

    def steps(self, out=None):
        """Of the rows of the history."""
        return [int(line.split(",")[0]) for line in ((out or self.out) / "history.csv").read_text().splitlines()[1:]]

    def identity(self, out=None):
        return json.loads(((out or self.out) / "run.json").read_text())

    def summary(self, out=None):
        return json.loads(((out or self.out) / "summary.json").read_text())

    def start(self, *arguments, out=None, ranks=2, through=()):
        """A run that goes on beside the test."""
        job = subprocess.Popen([self.sunder.mpiexec, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *through,
                                self.sunder.program, "run", str(self.scene), "-o", str(out or self.out), *STEPS, *arguments],
                               env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(self.kill, job, out or self.out)
        return job

    def kill(self, job, out):
        """All of it, at once."""
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes().decode(errors="replace").split("\0")
                if self.sunder.program in words and str(out) in words:
                    os.kill(int(entry.parent.name), signal.SIGKILL)
            except (OSError, ProcessLookupError):
                pass
        job.kill()
        job.wait()
        job.stderr.close()

    def wait_for(self, found, job):
        end = time.monotonic() + 60
        while not found():
            self.assertIsNone(job.poll(), "the run ended before it could be disturbed")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    # Nobody waits for its end: a job that goes on beside the test ends because the test ends it, however fast the machine.
    LONG = ("--set", "time.end=20000", "--set", "fracture.enabled=false", "--set", "boundary.left grip.velocity=[0,0,0]",
            "--set", "boundary.right grip.velocity=[0,0,0]")
