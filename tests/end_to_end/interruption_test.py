#!/usr/bin/env python3
"""A run that is disturbed loses nothing: by another in its folder, by signals and kills, by a full disk, by a folder that goes away.

interruption_test.py SUNDER MPIEXEC
"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from run_folder import STEPS, RunFolderCase
from small_case import ENVIRONMENT, Sunder


class Interruption(RunFolderCase):
    def test_one_run_at_a_time_writes_into_a_folder(self):
        first = self.start(*self.LONG)
        self.wait_for(lambda: len(self.checkpoints()) > 1, first)
        shown = self.sunder.run(["info", self.out]).stdout
        self.assertIn("which runs", shown)
        # All at the same time: each waits a while for a holder that may have been killed and is not gone yet.
        others = [self.start(*self.LONG, *way) for way in (["--overwrite"], ["--restart", "latest"], [])]
        for other in others:
            said = other.communicate(timeout=60)[1]
            self.assertEqual(other.returncode, 2, said)
            self.assertRegex(said, r"(?m)^error: .*a run is writing into this folder: process")
        self.assertIsNone(first.poll(), "the first run was disturbed")
        first.send_signal(signal.SIGUSR1)
        error = first.communicate(timeout=60)[1]
        self.assertEqual(first.returncode, 75, error)
        self.assertFalse((self.out / "run.lock").exists())

    def test_a_killed_run_is_gone_on_with_and_its_torn_files_go(self):
        job = self.start(*self.LONG)
        self.wait_for(lambda: len(self.checkpoints()) > 1, job)
        self.kill(job, self.out)
        self.assertTrue((self.out / "run.lock").exists())
        run = self.identity()["run"]
        (self.out / "checkpoints/step_000000000001.h5.part").write_text("torn")
        (self.out / "scene.pvd.part").write_text("torn")
        (self.out / "mine.part").write_text("mine")
        steps = int(self.checkpoints()[-1].stem[5:]) + 10
        self.run_it(*self.LONG, "--steps", str(steps), "--restart", "latest")
        self.assertEqual(self.identity()["run"], run)
        self.assertEqual([p.name for p in self.out.rglob("*.part")], ["mine.part"])
        self.assertFalse((self.out / "run.lock").exists())

    def test_a_young_run_has_checkpoints_after_a_twentieth_of_the_interval_and_each_doubling(self):
        by_clock = ("--set", "checkpoint.steps=0", "--set", "checkpoint.wall_interval=8", "--set", "checkpoint.keep=100")
        begin = time.monotonic()
        job = self.start(*self.LONG, *by_clock)
        self.wait_for(lambda: len(self.checkpoints()) > 2, job)  # after 0.4, 0.8 and 1.6 s
        self.assertGreater(time.monotonic() - begin, 1.6)
        self.kill(job, self.out)
        self.assertLess(len(self.checkpoints()), 6)
        self.run_it(*self.LONG, *by_clock, "--steps", str(int(self.checkpoints()[-1].stem[5:]) + 10), "--restart", "latest")

    def test_what_a_killed_run_left_in_shared_memory_holds_nobody_up(self):
        """Open MPI names a semaphore after the file alone. One that a killed run had taken stays taken, for every user."""
        for step in range(1, 31):
            for ending in ("h5.part", "h5"):
                taken = pathlib.Path(f"/dev/shm/sem.OMPIO_step_{step:012}.{ending}")
                taken.write_bytes(bytes(32))
                self.addCleanup(taken.unlink, missing_ok=True)
        for more in (("--steps", "20"), ("--steps", "30", "--restart", "latest")):
            error = self.start(*more).communicate(timeout=60)[1]
            self.assertEqual(self.summary()["steps"], int(more[1]), error)

    def test_nor_does_what_one_with_the_same_number_of_process_left(self):
        """In containers processes are numbered anew: those of the next job have the numbers of the last one."""
        shared = self.folder / "shm"
        shared.mkdir()
        for step in range(1, 21):
            for process in range(1, 40):
                (shared / f"sem.OMPIO_step_{step:012}.h5.{socket.gethostname()}-{process}.part").write_bytes(bytes(32))
        container = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", 'mount --bind "$0" /dev/shm && exec "$@"', shared]
        if subprocess.run([*container, "true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no rights to mount")
        done = subprocess.run([*container, self.sunder.mpiexec, "--oversubscribe", "-n", "2", self.sunder.program, "run", self.scene, "-o",
                               self.out, *STEPS, "--steps", "20"], env=ENVIRONMENT, timeout=60, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.checkpoints()), 1, done.stderr)

    def test_a_folder_that_disappears_is_noticed(self):
        for way in ("removed", "moved"):
            with self.subTest(way=way):
                job = self.start(*self.LONG)
                self.wait_for(lambda: len(self.checkpoints()) > 1, job)
                gone = self.folder / "elsewhere"
                self.out.rename(gone)
                if way == "removed":
                    shutil.rmtree(gone)
                error = job.communicate(timeout=60)[1]
                self.assertEqual(job.returncode, 3, error)
                self.assertIn("the folder was removed, moved or taken", error)
                self.assertFalse(self.out.exists())

    def test_a_full_disk_ends_all_ranks_and_keeps_the_last_checkpoint(self):
        """The history takes no more lines: all ranks end at once, and the last checkpoint is good."""
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no rights to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "--lazy", disk])
        out = disk / "out"
        often = (*self.LONG, "--set", "output.frames=false", "--set", "output.history_interval=0.001")
        job = self.start(*often, out=out, ranks=3)
        self.wait_for(lambda: len(self.checkpoints(out)) > 1, job)
        with contextlib.suppress(OSError), open(disk / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4096)
        begin = time.monotonic()
        error = job.communicate(timeout=30)[1]
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(job.returncode, 3, error)
        self.assertEqual(len([line for line in error.splitlines() if line.startswith("error: ")]), 1, error)
        # Whichever of the tables that grow with each row meets the full disk first.
        self.assertRegex(error, r"(history|reactions)\.csv: cannot append the line")
        (disk / "filler").unlink()
        steps = int(self.checkpoints(out)[-1].stem[5:]) + 10
        self.run_it(*often, "--steps", str(steps), "--restart", "latest", out=out)

    def start_meshing(self, netgen):
        """A run in which netgen is this line of a shell; returns it and netgen's process."""
        programs, told = self.folder / "programs", self.folder / "pid"
        programs.mkdir()
        (programs / "netgen").write_text(f"#!/bin/sh\necho $$ > {told}.part && mv {told}.part {told}\n{netgen}\n")
        (programs / "netgen").chmod(0o755)
        self.scene = "wall"
        job = self.start("--set", "bodies.wall.mesh.size=0.3",
                         through=["env", f"PATH={programs}:{ENVIRONMENT['PATH']}", f"TMPDIR={self.folder}"])  # mpiexec changes PATH
        self.wait_for(told.exists, job)
        return job, int(told.read_text())

    def test_a_stop_while_netgen_meshes_is_heard_by_the_run_alone(self):
        """Launchers signal all processes of a rank; netgen ended, and the run with it: as bad input, which no job tries again."""
        job, _ = self.start_meshing(f'sleep 1; exec {shutil.which("netgen")} "$@"')
        job.send_signal(signal.SIGUSR1)
        error = job.communicate(timeout=60)[1]
        self.assertEqual(job.returncode, 75, error)
        self.assertEqual(len(self.checkpoints()), 1)

    def test_netgen_does_not_outlive_the_run(self):
        job, netgen = self.start_meshing("exec sleep 600")
        self.kill(job, self.out)
        end = time.monotonic() + 10
        while pathlib.Path(f"/proc/{netgen}").exists():
            if time.monotonic() > end:
                os.kill(netgen, signal.SIGKILL)
                self.fail("netgen goes on")
            time.sleep(0.01)

    def test_a_stop_without_a_checkpoint_is_no_stop(self):
        """With the status of one a job is queued again, does the same from the checkpoint before, and so on."""
        job = self.start(*self.LONG)
        self.wait_for(lambda: len(self.checkpoints()) > 1, job)
        aside = self.folder / "checkpoints"
        (self.out / "checkpoints").rename(aside)
        (self.out / "checkpoints").write_text("no folder")
        job.send_signal(signal.SIGUSR1)
        error = job.communicate(timeout=60)[1]
        self.assertEqual(job.returncode, 3, error)
        self.assertRegex(error, r"(?m)^error: asked to stop, and no checkpoint of step \d+ could be written")
        (self.out / "checkpoints").unlink()
        aside.rename(self.out / "checkpoints")
        self.run_it(*self.LONG, "--steps", str(int(self.checkpoints()[-1].stem[5:]) + 10), "--restart", "latest")

    def test_a_signal_is_heard_whatever_the_step(self):
        job = self.start(*self.LONG, "--set", "output.history_interval=1e-5", "--set", "output.frames=false")
        self.wait_for(lambda: (self.out / "history.csv").exists() and len(self.steps()) > 1, job)
        job.send_signal(signal.SIGUSR1)
        begin = time.monotonic()
        error = job.communicate(timeout=60)[1]
        self.assertEqual(job.returncode, 75, error)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertGreaterEqual(len(self.checkpoints()), 1)


if __name__ == "__main__":
    mpiexec = sys.argv.pop(2)
    Interruption.sunder = Sunder(sys.argv.pop(1), mpiexec)
    unittest.main(verbosity=2)
