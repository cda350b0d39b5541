#!/usr/bin/env python3
"""What the command line promises: exit statuses, and one clear message for each bad input on any number of ranks.

command_line_test.py SUNDER MPIEXEC
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

from small_case import ENVIRONMENT, SCENE, Sunder, box_mesh, errors, write_case

SINGLE_TET = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 1 1 1 2 3 4
$EndElements
"""
OPEN_SURFACE = """\
solid s
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid s
"""
ONE_ELEMENT = SCENE[:SCENE.index("boundary:")] + SCENE[SCENE.index("time:"):]


def line_of(scene, text):
    """Number of the line that has the text."""
    return 1 + scene[:scene.index(text)].count("\n")


class CommandLine(unittest.TestCase):
    sunder = None

    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)

    def refuses(self, arguments, *expected):
        """Status 2 and one message that has all that is expected, alone and on 3 ranks."""
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                result = self.sunder.run(arguments, ranks, self.folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                messages = errors(result)
                self.assertEqual(len(messages), 1, result.stderr)
                for text in expected:
                    self.assertIn(text, messages[0])

    def refuses_scene(self, old, new, *expected, mesh=None, options=()):
        """SCENE with old replaced by new."""
        self.assertIn(old, SCENE)
        scene = write_case(self.folder, SCENE.replace(old, new, 1), mesh)
        self.refuses(["run", scene, "-o", self.folder / "out", *options], *expected)
        self.assertFalse((self.folder / "out" / "summary.json").exists())

    # Bad scenes

    def test_a_missing_scene_is_refused(self):
        self.refuses(["run", self.folder / "absent.yaml"], "absent.yaml")

    def test_a_scene_that_is_no_yaml_is_refused(self):
        self.refuses_scene("bodies:", "bodies: [", "scene.yaml")

    def test_an_unknown_key_is_refused_with_its_line(self):
        changed = SCENE.replace("density", "densty")
        self.refuses_scene("density", "densty", f"scene.yaml:{line_of(changed, 'densty')}", "densty", "density")

    def test_an_unknown_key_of_set_is_refused(self):
        write_case(self.folder)
        self.refuses(["run", self.folder / "scene.yaml", "--set", "time.ende=1"], "time.ende", "end")

    def test_a_word_for_a_number_is_refused(self):
        self.refuses_scene("end: 0.02", "end: soon", "time.end", "soon")

    def test_a_negative_stiffness_is_refused(self):
        self.refuses_scene("E: 1.0e6", "E: -1.0e6", f"scene.yaml:{line_of(SCENE, 'E: 1.0e6')}", "E", "-1")

    def test_a_poisson_ratio_of_a_half_is_refused(self):
        self.refuses_scene("nu: 0.25", "nu: 0.5", f"scene.yaml:{line_of(SCENE, 'nu: 0.25')}", "nu", "0.5")

    def test_a_density_of_zero_is_refused(self):
        self.refuses_scene("density: 1000", "density: 0", f"scene.yaml:{line_of(SCENE, 'density')}", "density", "0")

    def test_an_unknown_material_is_refused(self):
        self.refuses_scene("material: chalk", "material: cheese", "cheese")

    def test_a_set_that_the_mesh_lacks_is_refused_with_those_it_has(self):
        self.refuses_scene("{set: right}", "{set: rihgt}", "rihgt", "right")

    def test_a_step_above_the_stable_limit_is_refused(self):
        self.refuses_scene("end: 0.02", "end: 0.02\n  step: 0.01", "step", "0.01", "element")

    # Bad meshes

    def test_a_missing_mesh_is_refused(self):
        self.refuses_scene("bar.msh", "absent.msh", "absent.msh")

    def test_a_mesh_of_random_bytes_is_refused(self):
        self.refuses_scene("E: 1.0e6", "E: 1.0e6", "bar.msh", mesh=bytes(range(256)) * 16)

    def test_an_empty_mesh_is_refused(self):
        self.refuses_scene("E: 1.0e6", "E: 1.0e6", "bar.msh", mesh=b"\n")

    def test_a_truncated_mesh_is_refused(self):
        whole = box_mesh()
        for place, keep in (("nodes", whole.index("$EndNodes") - 40), ("elements", whole.index("$EndElements") - 40)):
            with self.subTest(cut_in=place):
                self.refuses_scene("E: 1.0e6", "E: 1.0e6", "bar.msh", mesh=whole[:keep])

    def test_a_mesh_that_announces_more_nodes_than_it_has_is_refused(self):
        whole = box_mesh()
        nodes = whole[whole.index("$Nodes\n") + 7:].split("\n")[0]
        self.refuses_scene("E: 1.0e6", "E: 1.0e6", "bar.msh",
                           mesh=whole.replace(f"$Nodes\n{nodes}\n", "$Nodes\n4000000000000\n"))

    def test_an_element_without_volume_is_refused(self):
        self.refuses_scene("E: 1.0e6", "E: 1.0e6", "bar.msh", mesh=SINGLE_TET.replace("4 0 0 1\n", "4 1 1 0\n"))

    def test_what_is_no_scene_is_told_from_one(self):
        write_case(self.folder)
        for command in ("run", "partition"):
            options = ["-n", "2", "-o", "parts.h5"] if command == "partition" else []
            self.refuses([command, "bar.msh", *options], "bar.msh: expected a scene (YAML), got a mesh",
                         "{mesh: {file: bar.msh}")
        (self.folder / "part.vtk").write_text("# vtk DataFile Version 2.0\npart\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        self.refuses(["check", "part.vtk"], "part.vtk: expected a scene (YAML), a mesh (.msh", "got '.vtk'; meshes of other formats")
        self.refuses(["info", "scene.yaml"], "scene.yaml: expected a mesh (.msh", "an output folder, got '.yaml'")

    def test_a_folder_is_told_from_a_scene(self):
        write_case(self.folder / "case")
        self.refuses(["run", "case"], "case: expected a scene file, got a folder; the scene in it is case/scene.yaml")
        (self.folder / "empty").mkdir()
        self.refuses(["check", "empty"], "empty: expected a scene file, got a folder")

    def test_a_script_of_gmsh_is_told_from_netgens_geometries(self):
        (self.folder / "box.geo").write_text('SetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 1, 1, 1};\n')
        self.refuses_scene("{file: bar.msh}", "{geometry: box.geo, size: 0.1}", "box.geo: expected netgen's CSG", "Gmsh")

    # Where and how it runs

    def test_an_output_folder_that_cannot_be_made_is_refused(self):
        scene = write_case(self.folder)
        (self.folder / "file").write_text("not a folder\n")  # stops root too, who may write anywhere else
        self.refuses(["run", scene, "-o", self.folder / "file" / "out"], str(self.folder / "file"))

    def test_more_ranks_than_nodes_are_refused(self):
        scene = write_case(self.folder, ONE_ELEMENT, SINGLE_TET)
        result = self.sunder.run(["run", scene, "-o", self.folder / "out"], ranks=6, folder=self.folder)
        if result.returncode != 0:
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(errors(result)), 1, result.stderr)
            self.assertIn("nodes", errors(result)[0])

    def test_an_unknown_command_is_refused(self):
        for arguments in (["shatter"], ["run"], ["run", "a.yaml", "--upto", "3"]):
            with self.subTest(arguments=arguments):
                result = self.sunder.run(arguments, folder=self.folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertTrue(result.stderr.strip())

    def test_numbers_of_the_command_line_are_refused_as_those_of_a_scene(self):
        for arguments, expected in (
                (["run", "wall", "--until", "-1"], "--until: expected a number > 0 [s], got '-1'"),
                (["run", "wall", "--until", "soon"], "--until: expected a number > 0 [s], got 'soon'"),
                (["run", "wall", "--steps", "1.5"], "--steps: expected a whole number >= 0, got '1.5'"),
                (["check", "wall", "--ranks", "0"], "--ranks: expected a whole number >= 1, got '0'"),
                (["check", "wall", "--memory", "0"], "--memory: expected a number > 0 [GiB], got '0'"),
                (["partition", "wall", "-n", "0", "-o", "w.h5"], "--parts: expected a whole number >= 1, got '0'"),
                (["mesh", "ball.stl", "-o", "m.msh", "--size", "0"], "--size: expected a number > 0 [m], got '0'")):
            with self.subTest(arguments=arguments):
                self.refuses(arguments, expected)

    def test_options_that_would_do_nothing_are_refused(self):
        scene = write_case(self.folder)
        (self.folder / "surface.stl").write_text(OPEN_SURFACE)
        for arguments, expected in (
                (["check", "bar.msh", "--set", "time.end=1"], "bar.msh: expected a scene with --set, --ranks or --memory"),
                (["check", "surface.stl", "-n", "2"], "surface.stl: expected a scene with --set"),
                (["mesh", "plate.geo", "-o", "plate.msh", "--size", "1", "--flip"], "--flip: expected a surface"),
                (["mesh", "plate.geo", "-o", "plate.msh", "--size", "1", "--grading", "0.5"], "--grading: expected a surface"),
                (["mesh", "plate.geo", "-o", "plate.msh", "--size", "1", "--up", "w"], "--up: expected one of x y z, got 'w'"),
                (["run", scene, "-o", ""], "--output: expected a folder, got ''")):
            with self.subTest(arguments=arguments):
                self.refuses(arguments, expected)

    def test_partition_replaces_no_file_of_another_kind(self):
        scene = write_case(self.folder)
        before = pathlib.Path(scene).read_text()
        self.refuses(["partition", scene, "-n", "2", "-o", scene], "expected a file to write that ends in .h5")
        self.assertEqual(pathlib.Path(scene).read_text(), before)

    def test_more_ranks_than_nodes_are_refused_beforehand(self):
        scene = write_case(self.folder)
        self.succeeds(["check", scene, "-n", "27"])
        self.refuses(["check", scene, "-n", "28"], "28 ranks for a mesh of 27 nodes")

    def test_what_is_no_output_folder_is_named(self):
        (self.folder / "pictures").mkdir()
        self.refuses(["info", "pictures"], "pictures: expected an output folder, found nothing of a run")
        (self.folder / "state.h5").write_bytes(bytes(range(256)))
        for command in ("check", "run"):
            self.refuses([command, "state.h5"], "state.h5: expected a scene (YAML), got a checkpoint or a decomposed mesh")

    def test_a_misspelt_command_is_named(self):
        self.refuses(["chek", "wall"], "expected one of run check ", "got 'chek'; did you mean 'check'?")

    # What must work

    def succeeds(self, arguments, *expected, ranks=None):
        result = self.sunder.run(arguments, ranks, self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        for text in expected:
            self.assertIn(text, result.stdout)
        return result

    def test_help_lists_commands_and_options(self):
        self.succeeds(["--help"], "run", "check", "info", "schema", "materials")
        self.succeeds(["run", "--help"], "--set", "--until", "--steps", "--quiet", "--overwrite")

    def test_schema_names_the_keys_of_the_scene(self):
        self.succeeds(["schema"], "density", "time.end", "partition.method", "output.geometry")

    def test_materials_have_sources(self):
        self.succeeds(["materials"], "glass")

    def test_what_cannot_be_printed_is_an_error(self):
        write_case(self.folder)
        for words in (["schema"], ["materials"], ["info", self.folder / "bar.msh"]):
            with self.subTest(words), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([self.sunder.program, *map(str, words)], env=ENVIRONMENT, text=True, stdout=full,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 3)
                self.assertEqual(done.stderr, "error: standard output: cannot write all of it: No space left on device\n")

    def test_check_leaves_no_file_behind(self):
        scene = write_case(self.folder)
        before = sorted(self.folder.rglob("*"))
        self.succeeds(["check", scene])
        self.succeeds(["check", self.folder / "bar.msh"], "27 nodes, 48 elements, 0.2 x 0.2 x 0.2 m, no problem found")
        self.assertEqual(sorted(self.folder.rglob("*")), before, "check left files behind")

    def test_check_counts_instead_of_building(self):
        """48 elements refined 8 times are 805 million: no process has them in twenty seconds."""
        scene = write_case(self.folder)
        begin = time.monotonic()
        result = self.succeeds(["check", scene, "--set", "bodies.bar.mesh.refine=8", "--ranks", "27", "--memory", "40"],
                               "135005697 nodes, 805306368 elements", "(0, 0, 0) to (0.2, 0.2, 0.2) m, 8 kg",
                               "boundary.left grip.where: 263169 nodes", "on 27 ranks")
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIn("materials.chalk.toughness.force holds for any size of elements", result.stderr)

    def test_check_has_one_line_for_all_but_the_first_of_many_bodies(self):
        copies = "bodies.bar.copies={count: [10, 5, 1], spacing: [0.5, 0.5, 0]}"
        result = self.succeeds(["check", write_case(self.folder), "--set", copies], "body       bar_19: (4, 0.5, 0) to ",
                               "body       31 more: (0, 0.5, 0) to (4.7, 2.2, 0.2) m, 248 kg, 837 nodes, 1488 elements")
        self.assertNotIn("bar_20", result.stdout)

    def test_check_refuses_what_has_no_room(self):
        scene = write_case(self.folder)
        fine = ["check", scene, "--set", "bodies.bar.mesh.refine=8", "--memory", "16", "--ranks"]
        result = self.sunder.run([*fine, "2"], folder=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        message = errors(result)[0]
        self.assertIn("expected a run that fits 16 GiB on each of 2 ranks, got 805306368 elements", message)
        enough = int(re.search(r"(\d+) ranks with as much have room", message)[1])
        self.assertNotIn("warning: scene may need", self.succeeds([*fine, enough]).stderr)
        small = self.sunder.run([*fine[:-2], "1", "--ranks", "2"], folder=self.folder)
        self.assertIn("have room for them, but a rank takes a node of the mesh before refine, which has 27", errors(small)[0])

    def test_what_only_the_mesh_shows_to_be_wrong_has_its_line_too(self):
        for old, new, expected in (
                ("where: {set: left}", "where: {set: nowhere}",
                 "boundary.left grip.where.set: expected a node or face set of the mesh"),
                ("where: {set: left}", "where: {box: {min: [5, 5, 5], max: [6, 6, 6]}}",
                 "boundary.left grip.where: expected at least one node there, got none"),
                ("    material: chalk", "    material: chalk\n    regions: [{set: core, material: chalk}]",
                 "bodies.bar.regions.0.set: expected an element set of the mesh"),
                ("time:", "time:\n  step: 0.1", "time.step: expected at most ")):
            line = line_of(SCENE, old) + new.count("\n")
            self.refuses_scene(old, new, f"scene.yaml:{line}:", expected)

    def test_too_many_or_contrary_conditions_have_their_line(self):
        loads = "".join(f"  - {{name: l{k}, where: {{body: bar}}, pressure: 1}}\n" for k in range(65))
        self.refuses_scene("time:\n", f"loads:\n{loads}time:\n",
                           f"scene.yaml:{line_of(SCENE, 'time:') + 1}:", "loads: expected at most 64 conditions and loads together, got 2 and 65")
        self.refuses_scene("time:\n", "  - {name: other, where: {set: right}, fixed: true}\nsolver: implicit\ntime:\n",
                           f"scene.yaml:{line_of(SCENE, 'time:')}:", "boundary.right grip and boundary.other: expected one motion along")

    def test_what_only_the_step_or_a_surface_shows_to_be_wrong_has_its_line_too(self):
        whole = box_mesh()
        (self.folder / "open.stl").write_text(OPEN_SURFACE)
        second = "  - {name: second, mesh: {file: bar.msh}, material: chalk}\nboundary:"
        for old, new, expected in (
                ("  frames: false", "  history_interval: 1e-12", "output.history_interval: expected at least "),
                ("time:", "checkpoint: {interval: 1e-12}\ntime:", "checkpoint.interval: expected at least "),
                ("boundary:", second, "bodies: expected bodies that touch at most at the start"),
                ("time:", "obstacles: [{name: hull, mesh: {file: open.stl}}]\ntime:",
                 "obstacles.hull.mesh.file: ")):
            with self.subTest(new=new):
                first = "bodies:" if new == second else old
                line = line_of(SCENE, first) + (new == second)
                self.refuses_scene(old, new, f"scene.yaml:{line}:", expected, mesh=whole)

    def test_a_body_at_rest_loses_no_energy(self):
        """All that there is of it is round-off."""
        scene = write_case(self.folder)
        done = self.sunder.run(["run", scene, "-o", self.folder / "rest", "--set", "boundary=[]"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("not accounted for", done.stderr)

    def test_check_warns_of_a_narrow_tube_around_a_front(self):
        scene = write_case(self.folder)
        front = "output.crack_fronts=[{name: f, point: [0.1, 0.1, 0.1], growth: [1, 0, 0], normal: [0, 1, 0], radius: 0.12}]"
        self.assertIn("expected a radius of at least 6 elements", self.sunder.run(["check", scene, "--set", front]).stderr)

    def test_check_refuses_too_long_a_step(self):
        scene = write_case(self.folder)
        self.refuses(["check", scene, "--set", "bodies.bar.mesh.refine=7", "--memory", "100", "--set", "time.step=1e-3"],
                     "time.step: expected at most ", "the stable limit (elastic) of an element of bar, got 0.001 s")

    def test_check_asks_steps_of_equilibria_for_no_stable_limit(self):
        scene = write_case(self.folder)
        settings = ["--set", "collisions.enabled=false", "--set", "time.step=2e-3"]
        self.refuses(["check", scene, *settings], "time.step: expected at most ", "the stable limit (elastic)")
        solved = ["check", scene, *settings, "--set", "solver=static"]
        result = self.succeeds(solved, "time step  what the solver finds", "no problem found")
        self.assertNotIn("wall time", result.stdout)
        self.refuses([*solved, "--set", "boundary=[]"], "solver: static: expected boundary conditions that hold each fragment")

    def test_check_warns(self):
        scene = write_case(self.folder)
        ball = "obstacles=[{name: ball, sphere: {radius: 0.02}, position: [0.11, 0.09, 0.1]}]"
        for change, warning in ((ball, "bodies.bar starts"), (ball, "deep in obstacles.ball"),
                                ("bodies.bar.mesh.scale=1000", "got one of 200 m"),
                                ("bodies.bar.mesh.scale=1e-6", "got one of 2e-07 m"),
                ("materials.chalk.E=100", "of 120 Pa and 1e+03 kg/m^3; units are Pa, kg and m"),  # GPa
                ("materials.chalk.k1=1.5e4", "materials.chalk.k1: expected a norm of strain, below 1, got 1.5e+04"),  # Pa
                ("materials.chalk.toughness={stress: 1e-3}", "materials.chalk.toughness.stress: expected 1e-07 to 10 of"),  # MPa
                ("materials.chalk.toughness={K_Ic: 1.0e-3}", "materials.chalk.toughness.K_Ic: expected 1e-08 to 1 m^0.5 times"),  # MPa m^0.5
                ("materials.chalk.toughness={G_c: 0.005}", "materials.chalk.toughness.G_c: expected 0.01 to 1e+07 J/m^2"),  # kJ/m^2
                ("bodies.bar.rotation={axis: [0, 1, 0], angle: 70}", "got 70 rad; 70 degrees are 1.22173 rad"),
                ("bodies.bar.velocity=[0, 0, -40]", "bodies.bar: expected a speed below that of sound in materials.chalk"),
                ("materials.chalk.density=1e-9", "materials.chalk: expected a stiffness and a density")):  # t/mm^3
            with self.subTest(change=change):
                result = self.sunder.run(["check", scene, "--set", change], folder=self.folder)
                self.assertIn(warning, result.stderr)
                self.assertIn("scene: no error, but ", result.stdout)
        self.refuses(["check", scene, "--set", "boundary.0.where={box: {min: [5, 5, 5], max: [6, 6, 6]}}"],
                     "boundary.left grip.where: expected at least one node there, got none")

    def test_a_run_warns_of_a_body_in_other_units_too(self):
        scene = write_case(self.folder)
        for ranks in (1, 3):
            result = self.sunder.run(["run", scene, "--overwrite", "--steps", "1", "--set", "bodies.bar.mesh.scale=1000"], ranks, self.folder)
            self.assertIn("warning: bodies.bar: expected a body of 1e-05 to 50 m, got one of 200 m", result.stderr)

    def test_a_run_that_makes_energy_warns(self):
        """Steps two and a half times as long as is safe: the bar swings up, but not yet out of all bounds."""
        scene = write_case(self.folder)
        settings = ["fracture.enabled=false", "time.end=0.05", "output.history_interval=0.05", "output.frame_interval=0.05"]
        for factor, warns in ((1, False), (2.6, True)):
            words = [word for setting in (*settings, f"time.step_factor={factor}") for word in ("--set", setting)]
            result = self.sunder.run(["run", scene, "--overwrite", "-o", "out", *words], folder=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            warnings = json.loads((self.folder / "out/summary.json").read_text())["warnings"]
            for said in ("\n".join(warnings), result.stderr):
                (self.assertIn if warns else self.assertNotIn)("energy that is not accounted for", said)

    def test_memory_that_is_gone(self):
        """The message says how much was asked for, and for what."""
        scene = write_case(self.folder)
        limited = f"ulimit -v 3000000; exec {self.sunder.program} run {scene} -q -o out --set bodies.bar.mesh.refine=7"
        result = subprocess.run(["bash", "-c", limited], cwd=self.folder, env=ENVIRONMENT, timeout=60, text=True,
                                capture_output=True, check=False)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r'memory is gone: expected to get [\d.e+]+ [MG]iB after "set-up: refine", got none')

    def test_a_run_without_mpirun_needs_no_folder_for_temporary_files(self):
        """Open MPI's has one name for all of them: of two that ran at the same time one took it from the other."""
        scene = write_case(self.folder, ONE_ELEMENT, SINGLE_TET)
        done = subprocess.run([self.sunder.program, "run", scene, "-o", "out", "--steps", "2", "--quiet", "--set", "checkpoint.steps=1"],
                              cwd=self.folder, env=ENVIRONMENT | {"TMPDIR": "/dev/null/none"}, text=True, capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_geometry_without_a_folder_for_temporary_files_says_so(self):
        missing = self.folder / "missing"
        done = subprocess.run([self.sunder.program, "mesh", "plank.geo", "--size", "0.1", "-o", self.folder / "plank.msh"],
                              env=ENVIRONMENT | {"TMPDIR": str(missing)}, text=True, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, f"^error: {missing}: expected a folder for temporary files.*TMPDIR may name another folder\n$")

    def test_a_bar_that_snaps_back_is_told_what_follows_it(self):
        """Its halves give back more than 0.01 J/m^2 when they part: 1000 Pa over 0.2 m of 1 MPa store 0.1 J/m^2."""
        scene = write_case(self.folder, SCENE.replace("force: 2.0", "stress: 1000, G_c: 0.01"))
        static = ["run", scene, "--overwrite", "--quiet", "--set", "solver=static", "--set", "time={end: 1e-3, step: 1e-4}"]
        for ranks in (1, 3):
            result = self.sunder.run(static, ranks, self.folder)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("expected forces that balance", errors(result)[0])
            self.assertIn("solver.load_control: dissipation follows it, with a time.end of 0.002 s", errors(result)[0])

    def test_equilibria_say_that_loads_from_the_start_make_their_energy_error(self):
        said = "loads that are there from the start make an energy error of up to -50 %"
        pulled = ["--set", "boundary=[{name: left, where: {set: left}, fixed: true}]", "--set", "solver=static", "--set", "time={end: 1, step: 0.5}"]
        for traction, expected in (("[1, 0, 0]", True), ("[{time: 0, traction: [0, 0, 0]}, {time: 1, traction: [1, 0, 0]}]", False)):
            load = f"loads=[{{name: right, where: {{set: right}}, traction: {traction}}}]"
            done = self.sunder.run(["run", write_case(self.folder), "-o", "out", "--overwrite", *pulled, "--set", load], folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(said in done.stdout + done.stderr, expected, done.stdout + done.stderr)

    def test_info_counts_nodes_elements_and_sets_of_a_mesh(self):
        write_case(self.folder)
        self.succeeds(["info", self.folder / "bar.msh"], "27", "48", "left", "right")

    def test_run_writes_what_the_documentation_lists(self):
        scene = write_case(self.folder, SCENE.replace("frames: false", "frames: true"))
        self.succeeds(["run", scene, "-o", "out", "--steps", "20", "--quiet"], ranks=2)
        self.assertIn(" info: ", (self.folder / "out/log.txt").read_text())  # quiet is the terminal alone
        out = self.folder / "out"
        for name in ("scene.pvd", "history.csv", "summary.json", "scene.yaml"):
            self.assertTrue((out / name).is_file(), name)
        summary = json.loads((out / "summary.json").read_text())
        self.assertEqual((summary["ranks"], summary["steps"], summary["nodes_initial"], summary["elements_initial"]),
                         (2, 20, 27, 48))
        self.assertAlmostEqual(summary["mass"], 1000 * 0.2**3, delta=1e-12)
        self.succeeds(["info", out])

    def test_completed_scene_repeats_the_run(self):
        scene = write_case(self.folder)
        self.succeeds(["run", scene, "-o", "first", "--steps", "30", "--quiet",
                       "--set", "materials.chalk.density=1200"])
        self.succeeds(["run", "first/scene.yaml", "-o", "second", "--steps", "30", "--quiet"])
        first, second = (json.loads((self.folder / d / "summary.json").read_text()) for d in ("first", "second"))
        self.assertEqual(first["state_hash"], second["state_hash"])
        self.assertAlmostEqual(second["mass"], 1200 * 0.2**3, delta=1e-12)

    def test_a_mesh_decomposed_beforehand_gives_the_same_run(self):
        """A run takes it on any number of ranks; another scene does not take it at all."""
        scene = write_case(self.folder)
        self.succeeds(["run", scene, "-o", "usual", "--steps", "30", "--quiet"])
        self.succeeds(["partition", scene, "-n", "3", "-o", "parts.h5"])
        self.succeeds(["info", "parts.h5"], "3 parts", "27 nodes", "48 elements")
        usual = json.loads((self.folder / "usual/summary.json").read_text())["state_hash"]
        for ranks in (2, 3):
            self.succeeds(["run", scene, "-o", "from_parts", "--overwrite", "--mesh", "parts.h5", "--steps", "30", "--quiet"], ranks=ranks)
            self.assertEqual(json.loads((self.folder / "from_parts/summary.json").read_text())["state_hash"], usual)
        self.succeeds(["run", "from_parts/scene.yaml", "-o", "again", "--steps", "30", "--quiet"])
        self.refuses(["run", scene, "--mesh", "parts.h5", "--set", "materials.chalk.density=1200"], "parts.h5", "materials")
        self.refuses(["run", scene, "--mesh", "absent.h5"], "absent.h5", "no such file")
        self.refuses(["run", scene, "--restart", "parts.h5"], "parts.h5: expected a checkpoint, got a mesh of sunder partition")
        self.refuses(["run", scene, "--restart", "lates"], "--restart: expected latest, or the file of a checkpoint, found no file lates")
        self.refuses(["partition", scene, "-n", "28", "-o", "finer.h5"], "28", "27 nodes")

    def test_partition_says_how_to_run_the_mesh(self):
        scene = write_case(self.folder)
        values = ["materials.chalk.density=1200", "gravity=[0, 0, -3]", "title=it's so"]
        said = self.succeeds(["partition", scene, "-n", "2", "-o", "other.h5", *(w for v in values for w in ("--set", v))])
        command = next(line for line in said.stderr.splitlines() if "to run it: " in line).split("to run it: ")[1]
        words = shlex.split(command)
        self.assertEqual(words[:5], ["mpirun", "-n", "2", "sunder", "run"])
        self.succeeds([*words[4:], "-o", "said", "--steps", "3", "--quiet"], ranks=2)


if __name__ == "__main__":
    mpiexec = sys.argv.pop(2)
    CommandLine.sunder = Sunder(sys.argv.pop(1), mpiexec)
    unittest.main(verbosity=2)
