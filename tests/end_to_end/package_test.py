#!/usr/bin/env python3
"""What a package of the program needs of `make install`: whatever the umask, all may use it; the licence is there; the program finds
the libraries that it was linked to.

package_test.py SUNDER MPIEXEC
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from small_case import Expectations


def library_folders(program):
    said = subprocess.run(["readelf", "-d", program], check=True, text=True, capture_output=True, env=os.environ | {"LC_ALL": "C"}).stdout
    found = re.search(r"(?:RUNPATH|RPATH)\).*\[(.*)\]", said)
    return set(filter(None, found[1].split(":"))) if found else set()


def main(sunder, _):
    expect = Expectations()
    source = pathlib.Path(__file__).resolve().parents[2]
    if pathlib.Path(sunder).resolve() != source / "build/bin/sunder":
        print("not tried: make install takes the program from build/, which is not the one to test")
        return 0
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        prefix = pathlib.Path(scratch) / "opt/sunder"
        subprocess.run(["make", "install", f"PREFIX={prefix}"], cwd=source, check=True, capture_output=True, umask=0o077)
        for path in [prefix, *sorted(prefix.rglob("*"))]:
            mode = path.stat().st_mode
            needed = 0o555 if path.is_dir() or mode & 0o100 else 0o444
            expect(mode & needed == needed, f"{path}: expected all to have access, found {mode:o}")
        expect((prefix / "share/doc/sunder/LICENSE").is_file(), "expected the licence in share/doc/sunder, found none")
        lost = library_folders(sunder) - library_folders(prefix / "bin/sunder")
        expect(not lost, f"expected the program to look for its libraries in {lost} once installed")
    return expect.exit_status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
