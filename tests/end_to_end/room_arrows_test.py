#!/usr/bin/env python3
"""jobs/check_includes lets this project pass and catches each kind of arrow that points up.

room_arrows_test.py SOURCE_DIR
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOMS = {"core": "", "mesh": "KNOWS core", "io": "KNOWS mesh"}


class RoomArrows(unittest.TestCase):
    source = None

    def check(self, root):
        return subprocess.run([sys.executable, self.source / "jobs/check_includes", root], text=True,
                              capture_output=True, check=False)

    def house(self, rooms=None, **files):
        """Three rooms; files: room = its one source."""
        keep = tempfile.TemporaryDirectory(prefix="sunder-")
        self.addCleanup(keep.cleanup)
        root = pathlib.Path(keep.name)
        for room, knows in (rooms or ROOMS).items():
            folder = root / "src" / room
            folder.mkdir(parents=True)
            (folder / "CMakeLists.txt").write_text(
                f"sunder_room({room}\n  SOURCES a.cpp\n  {knows}\n  USES Some::lib)\n")
            (folder / "a.cpp").write_text(files.get(room, "") + "\n")
        return root

    def test_every_arrow_of_this_project_points_down(self):
        result = self.check(self.source)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_down_through_another_room_is_fine(self):
        self.assertEqual(self.check(self.house(io='#include "core/types.hpp"\n#include <vector>')).returncode, 0)

    def test_an_include_that_points_up_is_refused(self):
        for source in ('#include "io/frame.hpp"', '  #  include   "io/frame.hpp"', '#include "../io/frame.hpp"'):
            with self.subTest(source=source):
                result = self.check(self.house(mesh=source))
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stdout, r"(?m)src/mesh/a\.cpp:1: .*io/frame\.hpp")

    def test_a_library_of_another_room_is_refused(self):
        result = self.check(self.house(mesh="#include <vtkPoints.h>"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("only io may see", result.stdout)

    def test_rooms_that_know_each_other_are_refused(self):
        result = self.check(self.house(ROOMS | {"core": "KNOWS io"}))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("core -> io -> mesh -> core", result.stderr)

    def test_folders_of_a_room_that_include_each_other_are_refused(self):
        root = self.house()
        for folder, include in {"files": "mesh", "frames": "io/files", "series": "io/frames"}.items():
            (root / "src/io" / folder).mkdir()
            (root / "src/io" / folder / "a.cpp").write_text(f'#include "{include}/a.hpp"\n')
        self.assertEqual(self.check(root).returncode, 0)
        (root / "src/io/files/a.hpp").write_text('#include "io/frames/a.hpp"\n')
        result = self.check(root)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)src/io: folders that include each other: files, frames$")

    def test_files_beside_the_folders_of_a_room_count_as_a_folder(self):
        root = self.house(io='#include "io/files/a.hpp"')
        (root / "src/io/files").mkdir()
        (root / "src/io/files/a.hpp").write_text('#include "core/a.hpp"\n')
        self.assertEqual(self.check(root).returncode, 0)
        (root / "src/io/files/a.hpp").write_text('#include "io/frame.hpp"\n')
        result = self.check(root)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)src/io: folders that include each other: files, its own files$")

    def test_files_of_a_room_that_include_each_other_are_refused(self):
        root = self.house()
        (root / "src/mesh/b.hpp").write_text('#include "core/a.hpp"\n')
        (root / "src/mesh/a.cpp").write_text('#include "mesh/a.hpp"\n#include "mesh/b.hpp"\n')
        self.assertEqual(self.check(root).returncode, 0)
        (root / "src/mesh/b.hpp").write_text('#include "mesh/a.hpp"\n')
        result = self.check(root)  # a.cpp, of a, includes b, which includes a
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)src/mesh: files that include each other: mesh/a, mesh/b$")

    def test_a_folder_includes_only_from_those_above_it_in_the_table(self):
        root = self.house()
        (root / "docs").mkdir()
        for folder, include in {"files": "mesh", "frames": "io/files"}.items():
            (root / "src/io" / folder).mkdir()
            (root / "src/io" / folder / "a.cpp").write_text(f'#include "{include}/a.hpp"\n')
        for rows in ("| `src/io/` | |\n|---|---|\n| `{}/` | x |\n| `{}/` | y |\n", "| `src/io/{}/` | x |\n| `src/io/{}/` | y |\n"):
            with self.subTest(rows=rows):
                (root / "docs/architecture.md").write_text(rows.format("files", "frames"))
                self.assertEqual(self.check(root).returncode, 0)
                (root / "docs/architecture.md").write_text(rows.format("frames", "files"))
                result = self.check(root)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stdout, r"(?m)io/frames/a\.cpp:1: files is below frames in docs/architecture\.md$")

    def test_a_folder_that_its_rooms_table_leaves_out_is_refused(self):
        root = self.house()
        (root / "docs").mkdir()
        (root / "docs/architecture.md").write_text("| `src/io/` | |\n|---|---|\n| `files/` | x |\n")
        for folder in ("files", "frames"):
            (root / "src/io" / folder).mkdir()
            (root / "src/io" / folder / "a.hpp").touch()
        result = self.check(root)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)src/io/frames: has no row in docs/architecture\.md$")

    def test_rooms_outside_src_are_looked_at_too(self):
        root = self.house()
        (root / "solvers").mkdir()
        (root / "solvers/CMakeLists.txt").write_text("sunder_room(solvers\n  SOURCES row.cpp\n  KNOWS core)\n")
        (root / "solvers/row.hpp").write_text('#include "solvers/matrix.hpp"\n')
        self.assertEqual(self.check(root).returncode, 0)
        (root / "solvers/matrix.cpp").write_text('#include "solvers/row.hpp"\n')
        result = self.check(root)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)solvers: files that include each other: solvers/matrix, solvers/row$")

    def test_a_folder_without_rooms_is_refused(self):
        self.assertEqual(self.check(self.house({"core": ""}) / "src" / "core").returncode, 1)


if __name__ == "__main__":
    RoomArrows.source = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
