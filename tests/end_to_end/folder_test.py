#!/usr/bin/env python3
"""One folder is one run: nothing that is done to a folder of output mixes two runs, loses one in silence, or begins at zero
what was to be gone on with.

folder_test.py SUNDER MPIEXEC
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from run_folder import STEPS, RunFolderCase
from sealed_file import BLOCK, seal
from small_case import ENVIRONMENT, Sunder, errors


def format_of(checkpoint):
    """What its first line says after the kind of file: `format 3`."""
    return re.match(rb"sunder checkpoint, (format \d+)\n", checkpoint)[1]


def without_run(checkpoint):
    """As versions sealed it that gave runs no identity."""
    return seal(b"sunder checkpoint, " + format_of(checkpoint), checkpoint) + checkpoint[BLOCK:]


class Folder(RunFolderCase):
    # Whose a folder is

    def test_every_file_of_a_run_names_it(self):
        self.run_it("--steps", "60", ranks=2)
        run = self.identity()["run"]
        self.assertEqual(len(run), 32)
        self.assertEqual(self.summary()["run"], run)
        self.assertIn(f'run="{run}"', (self.out / "scene.pvd").read_text())
        for path in self.checkpoints():
            self.assertIn(f"run {run}\n".encode(), path.read_bytes()[:512])
        shown = self.sunder.run(["info", self.out]).stdout
        self.assertIn(run, shown)
        self.assertIn("nobody", shown)
        self.assertFalse((self.out / "run.lock").exists())
        self.assertIn(run, self.sunder.run(["info", self.checkpoints()[0]]).stdout)

    def test_a_fresh_run_in_a_used_folder_is_refused(self):
        self.run_it("--steps", "60")
        self.refused("--steps", "60", says=["--overwrite", "--restart latest", self.out, self.identity()["run"]])

    def test_overwrite_takes_what_is_a_runs_and_nothing_else(self):
        self.run_it("--steps", "100")
        first = self.identity()["run"]
        mine = [self.out / name for name in ("notes.txt", "picture.png", "frames/mine.vtu", "checkpoints/keep.h5")]
        for path in mine:
            path.write_text("mine")
        (self.out / "history.csv.part").write_text("torn")
        self.run_it("--steps", "20", "--overwrite")
        self.assertNotEqual(self.identity()["run"], first)
        self.assertEqual([path.read_text() for path in mine], ["mine"] * 4)
        self.assertFalse((self.out / "history.csv.part").exists())
        self.assertLessEqual(max(int(p.stem[5:]) for p in self.checkpoints()), 20)
        self.assertLessEqual(max(self.steps()), 20)
        listed = (self.out / "scene.pvd").read_text().count("<DataSet")
        self.assertEqual(len(list(self.out.glob("frames/scene_[0-9]*.pvtu"))), listed)

    def test_files_of_ones_own_are_not_in_a_runs_way_nor_lost_to_it(self):
        self.out.mkdir()
        (self.out / "notes.txt").write_text("mine")
        self.run_it("--steps", "5")
        shutil.rmtree(self.out)
        self.out.mkdir()
        (self.out / "scene.yaml").write_text("title: mine\n")
        for way in ([], ["--overwrite"], ["--restart", "latest"]):
            self.refused(*way, says=[self.out / "scene.yaml", "-o"], ranks=(1,))

    def test_bad_input_leaves_a_folder_as_it_was(self):
        self.run_it("--steps", "60")
        self.refused("--overwrite", "--set", "bodies.bar.mesh.file=absent.msh", says=["absent.msh"])
        self.refused("--overwrite", "--restart", "latest", says=["--overwrite"], ranks=(1,))
        self.refused("--set", "materials.chalk.density=7", "--restart", "latest", says=["materials"], ranks=(1,))

    def test_what_is_refused_leaves_no_folder(self):
        """Nor does what PETSc refuses, which is not asked before the first step."""
        static = ["--set", "solver=static", "--set", "time.step=0.01", "--set", "petsc.pc_type=no_such"]
        for arguments, says in ((["--set", "bodies.bar.mesh.file=absent.msh"], "absent.msh"), (["--restart", "absent.h5"], "absent.h5"),
                                (static, "petsc.pc_type")):
            for ranks in (1, 3):
                with self.subTest(ranks=ranks, arguments=arguments):
                    said = self.run_it(*arguments, out=self.folder / "new/out", ranks=ranks, expected=2)
                    self.assertIn(says, said)
                    self.assertFalse((self.folder / "new").exists(), said)
        self.out.mkdir()
        (self.out / "notes.txt").write_text("mine")
        self.refused(*static, says=["petsc.pc_type"])

    # Going on

    def test_an_overwriting_run_never_goes_on_from_older_checkpoints(self):
        """It deleted its own, and --restart latest then jumped to the other run's."""
        self.run_it("--steps", "200")
        self.run_it("--steps", "60", "--overwrite")
        alone = self.summary()["state_hash"]
        self.assertTrue(all(int(p.stem[5:]) <= 60 for p in self.checkpoints()))
        self.run_it("--steps", "60", "--restart", "latest", ranks=2)
        self.assertEqual(self.summary()["state_hash"], alone)
        self.assertEqual(self.summary()["steps"], 60)

    def test_going_on_from_an_older_checkpoint_drops_what_is_later(self):
        keep = ("--set", "checkpoint.keep=100")
        self.run_it("--steps", "120", *keep)
        run, whole, rows = self.identity()["run"], self.summary()["state_hash"], self.steps()
        older = [path for path in self.checkpoints() if int(path.stem[5:]) < 60][-1]
        at = int(older.stem[5:])
        self.run_it("--steps", str(at + 5), "--restart", older, *keep, ranks=2)
        self.assertEqual(self.identity()["run"], run)
        self.assertEqual(self.checkpoints()[-1], older)
        self.assertEqual(max(self.steps()), at + 5)
        listed = (self.out / "scene.pvd").read_text().count("<DataSet")
        self.assertEqual(len(list(self.out.glob("frames/scene_[0-9]*.pvtu"))), listed)
        self.run_it("--steps", "120", "--restart", "latest", *keep)
        self.assertEqual(self.summary()["state_hash"], whole)
        self.assertEqual([s for s in self.steps() if s != at + 5], [s for s in rows if s != at + 5])

    def test_what_is_no_longer_written_ends_at_the_checkpoint(self):
        """Series and tables that the run goes on without."""
        often = ("--set", "output.history_interval=1e-4", "--set", "output.frame_interval=5e-4", "--set", "checkpoint.keep=20")
        self.run_it(*often, "--set", "output.surface=true", "--set", "output.probes=[{name: tip, node: 0}]", "--steps", "100")
        later = [path for path in self.checkpoints() if int(path.stem[5:]) > 50]
        for path in later:
            path.unlink()
        step = int(self.checkpoints()[-1].stem[5:])
        self.run_it(*often, "--steps", str(step + 10), "--restart", "latest")
        rows = [int(line.split(",")[0]) for line in (self.out / "probes.csv").read_text().splitlines()[1:]]
        self.assertTrue(rows)
        self.assertLessEqual(max(rows), step)
        self.assertTrue((self.out / "scene_surface.pvd").exists())
        for series in self.out.glob("*.pvd"):
            for file in re.findall(r'file="([^"]*)"', series.read_text()):
                self.assertTrue((self.out / file).exists(), f"{series}: {file}")

    def test_frames_whose_list_is_gone_are_not_lost(self):
        self.run_it("--steps", "60", "--set", "output.frame_interval=5e-4", "--set", "output.surface=true")
        for name in ("scene.pvd", "scene_surface.pvd"):
            (self.out / name).rename(self.folder / "aside.pvd")
            self.refused("--restart", "latest", says=[name])
            (self.folder / "aside.pvd").rename(self.out / name)

    def test_an_end_before_the_checkpoint_is_refused(self):
        """What is later than the end would be lost."""
        self.run_it("--steps", "120")
        last = self.checkpoints()[-1]
        self.refused("--restart", "latest", "--set", "time.end=1e-3", says=["time.end: expected at least ", last.name, "got 0.001 s"])
        self.refused("--restart", "latest", "--until", "1e-3", says=["--until: expected at least ", last.name, "got 0.001 s"])
        self.refused("--restart", "latest", "--steps", "3", says=["--steps: expected at least ", last.name, "got 3"])

    def test_an_end_that_until_cannot_move_is_told(self):
        self.assertNotIn("--until", self.run_it("--until", "1e-3"))
        late = self.run_it("--until", "5", "--set", "time.end=1e-3", "--overwrite")
        self.assertIn("--until: expected at most 0.001 s, time.end, got 5 s: the run ends at time.end", late)

    def test_a_run_that_ended_without_a_checkpoint_is_done_again_with_a_warning(self):
        never = ("--set", "checkpoint.steps=0")
        self.assertNotIn("had ended", self.run_it("--restart", "latest", "--steps", "20", *never))
        self.assertEqual(self.checkpoints(), [])
        again = self.run_it("--restart", "latest", "--steps", "30", *never)
        self.assertIn("the run there had ended, and left no checkpoint: it is done again from its beginning", again)
        self.assertEqual(max(self.steps()), 30)

    def test_a_branch_is_a_run_of_its_own(self):
        self.run_it("--steps", "60")
        checkpoint, branch = self.checkpoints()[0], self.folder / "branch"
        before = self.state()
        self.run_it("--steps", "60", "--restart", checkpoint, out=branch, ranks=2)
        self.assertEqual(self.state(), before)
        self.assertNotEqual(self.identity(branch)["run"], self.identity()["run"])
        at = int(checkpoint.stem[5:])
        self.assertEqual(self.identity(branch)["parent"], {"run": self.identity()["run"], "step": at})
        self.assertGreaterEqual(min(self.steps(branch)), at)
        self.assertEqual(self.summary(branch)["state_hash"], self.summary()["state_hash"])
        self.refused("--restart", checkpoint, out=branch, says=["--overwrite"], ranks=(1,))
        self.run_it("--steps", "62", "--restart", "latest", out=branch)

    def test_a_checkpoint_of_another_run_is_never_mixed_in(self):
        other = self.folder / "other"
        self.run_it("--steps", "60")
        self.run_it("--steps", "100", out=other)
        foreign = self.out / "checkpoints" / self.checkpoints(other)[-1].name
        shutil.copy(self.checkpoints(other)[-1], foreign)
        for way in ("latest", self.checkpoints()[0], foreign):
            self.refused("--restart", way, says=[foreign, self.identity()["run"], self.identity(other)["run"]], ranks=(2,))
        foreign.unlink()
        shutil.copy(other / "scene.pvd", self.out / "scene.pvd")
        self.refused("--restart", "latest", says=["scene.pvd", self.identity(other)["run"]], ranks=(2,))

    def test_another_format_is_named_and_left_alone(self):
        self.run_it("--steps", "60")
        written = format_of(self.checkpoints()[0].read_bytes())
        for path in self.checkpoints():
            path.write_bytes(path.read_bytes().replace(written, b"format 0", 1))
        says = [f"format 0, this program reads {written.decode()}"]
        first = self.refused("--restart", "latest", says=says)
        self.assertEqual(self.refused("--restart", "latest", ranks=(1,)), first)
        self.refused("--restart", self.checkpoints()[0], says=says, ranks=(1,))

    def test_a_run_whose_checkpoints_are_all_damaged_never_begins_at_zero(self):
        self.run_it("--steps", "60")
        for path in self.checkpoints():
            path.write_bytes(path.read_bytes()[:-9] + b"x" * 9)
        messages = [errors(self.sunder.run(["run", self.scene, "-o", self.out, *STEPS, "--restart", "latest"], n, self.folder))
                    for n in (2, 1, 3)]
        self.assertEqual(messages[0], messages[1])
        self.assertEqual(messages[0], messages[2])
        self.refused("--restart", "latest", says=["2 that are damaged", "--overwrite"], ranks=(1,))
        self.run_it("--steps", "20", "--overwrite")
        self.assertEqual(list(self.out.glob("checkpoints/*.damaged")), [])

    def test_a_folder_may_have_any_name(self):
        out = self.folder / "a 'name' \"of\"\ntwö lines"
        self.run_it("--steps", "60", out=out)
        self.run_it("--steps", "62", "--restart", "latest", out=out, ranks=2)
        self.assertEqual(list(out.rglob("*.damaged")), [])

    def test_a_machine_that_does_not_see_the_folder_damages_no_checkpoint(self):
        """One rank has another folder in its place. Checkpoints were renamed, and no other machine went on from them."""
        self.run_it("--steps", "60")
        before = self.state()
        command = [self.sunder.program, "run", self.scene, "-o", self.out, *STEPS, "--restart", "latest"]
        blind = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs "$0" && exec "$@"', self.out]
        if subprocess.run([*blind, "true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no rights to mount")
        done = subprocess.run([self.sunder.mpiexec, "--oversubscribe", "-n", "1", *command, ":", "-n", "1", *blind, *command],
                              env=ENVIRONMENT, timeout=60, text=True, capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(errors(done)), 1, done.stderr)
        self.assertRegex(errors(done)[0], r"step_\d+\.h5: cannot open the file on .*: No such file")
        self.assertEqual(self.state(), before)

    def test_restart_without_a_checkpoint_begins_at_zero(self):
        """A job's first try, in no folder, in an empty one, and after a kill before the first checkpoint."""
        self.run_it("--steps", "5", "--restart", "latest", ranks=2)
        run = self.identity()["run"]
        self.assertEqual(self.checkpoints(), [])
        self.run_it("--steps", "5", "--restart", "latest")  # it is this run's own folder
        self.assertEqual(self.identity()["run"], run)
        self.refused("--restart", "latest", "--set", "materials.chalk.density=7", says=["materials", "--overwrite"])
        shutil.rmtree(self.out)
        self.out.mkdir()
        self.run_it("--steps", "5", "--restart", "latest")

    def test_a_run_killed_before_its_first_checkpoint_begins_again(self):
        job = self.start(*self.LONG, "--set", "checkpoint.steps=0", "--set", "output.history_interval=1", "--restart", "latest")
        self.wait_for(lambda: (self.out / "history.csv").exists() and len(self.steps()) > 1, job)
        self.kill(job, self.out)
        run = self.identity()["run"]
        self.assertEqual(self.checkpoints(), [])
        self.run_it(*self.LONG, "--steps", "20", "--restart", "latest")
        self.assertEqual(self.identity()["run"], run)
        self.assertEqual((self.steps()[0], max(self.steps())), (0, 20))

    def test_a_folder_of_an_earlier_version_is_gone_on_with(self):
        """Without run.json, and checkpoints that name no run."""
        self.run_it("--steps", "60")
        whole = self.summary()["state_hash"]
        (self.out / "run.json").unlink()
        for path in self.checkpoints():
            path.write_bytes(without_run(path.read_bytes()))
        self.refused(says=["--overwrite"], ranks=(1,))
        for series in self.out.glob("*.pvd"):
            series.write_text(re.sub(' run="[0-9a-f]*"', "", series.read_text()))
        message = self.run_it("--steps", "60", "--restart", "latest", ranks=2)
        self.assertIn("no run.json", message)
        self.assertEqual(self.summary()["state_hash"], whole)
        self.assertEqual(self.summary()["run"], self.identity()["run"])

    # Files that are none, intervals that are none

    def test_what_is_no_regular_file_is_not_replaced(self):
        pipe, link, target = (self.folder / name for name in ("pipe.msh", "link.h5", "target.h5"))
        device, folder = self.folder / "null.msh", self.folder / "folder.msh"
        os.mkfifo(pipe)
        device.symlink_to("/dev/null")
        folder.mkdir()
        for path, kind in ((pipe, "a pipe"), (device, "a device"), (folder, "a folder")):
            for command in (["partition", self.scene, "-n", "2"], ["mesh", "plank.geo", "--size", "0.1"]):
                done = self.sunder.run([*command, "-o", path], 2, self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(f"expected a regular file to replace, or none, found {kind}", errors(done)[0])
        self.assertTrue(pipe.is_fifo())
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        link.symlink_to("target.h5")
        target.write_text("old")
        done = self.sunder.run(["partition", self.scene, "-n", "2", "-o", link], folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(link.is_symlink())
        self.assertTrue(target.read_bytes().startswith(b"sunder mesh"))

    def test_intervals_far_below_the_step_are_refused(self):
        for key, value in (("output.history_interval", "1e-15"), ("output.frame_interval", "1e-12"), ("time.end", "1e-322"),
                           ("checkpoint.interval", "1e-13")):
            done = self.sunder.run(["run", self.scene, "-o", self.out, "--set", f"{key}={value}"], 2, self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"{key}: expected at least", errors(done)[0])
            self.assertIn("a hundredth of the step, which is", errors(done)[0])
        self.run_it("--steps", "5")  # nothing was left that would be in its way


if __name__ == "__main__":
    mpiexec = sys.argv.pop(2)
    Folder.sunder = Sunder(sys.argv.pop(1), mpiexec)
    unittest.main(verbosity=2)
