#!/usr/bin/env python3
"""postprocess/: pictures of a run with no display, with a DISPLAY where nobody answers, and several at once.

picture_test.py SUNDER MPIEXEC
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from small_case import ENVIRONMENT, SCENE, box_mesh, write_case

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "postprocess"


def draw(run, picture, *options, display=None):
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    if display:
        environment["DISPLAY"] = display
    return subprocess.Popen([SCRIPTS / "picture.py", run, "-o", picture, "--size", "200x200", *options], env=environment)


def pixels(drawing, picture):
    assert drawing.wait(timeout=120) == 0, picture
    return picture.read_bytes()


def check_bad_input(run, folder):
    """Files that are no tables or frames, and places that cannot be written to, are named in one line."""
    (folder / "broken").mkdir()
    for name in ("history.csv", "reactions.csv", "cracks.csv", "broken.pvd"):
        (folder / "broken" / name).write_text("time,step\n1,x\n")
    (folder / "lost").mkdir()
    (folder / "lost/lost.pvd").write_text('<VTKFile><Collection><DataSet timestep="0" file="gone.vtu"/></Collection></VTKFile>')
    for script, arguments, message in (
            ("curve.py", [folder / "broken"], "reactions.csv:2: expected numbers"),
            ("cracks.py", [folder / "broken"], "cracks.csv: expected the columns origin_x"),
            ("fragments.py", [folder / "broken"], "broken.pvd: expected a series of frames in XML"),
            ("fragments.py", [folder / "lost"], "gone.vtu: no such file"),
            ("scaling.py", [folder / "broken/history.csv", "-o", folder / "no.png"], "history.csv: expected the columns ranks"),
            ("scaling_model.py", [folder / "none.csv", "-o", folder / "no.png"], "none.csv: cannot read it"),
            ("curve.py", [run, "-o", folder / "no.xyz"], "argument -o/--output: expected a file that ends in .png"),
            ("curve.py", [run, "--window", "-1"], "argument --window: expected a time >= 0"),
            ("picture.py", [run, "-o", folder / "none/no.png"], "argument -o/--output: expected a folder that is there"),
            ("picture.py", [run, "-o", folder / "no.png", "--size", "1000000x1000000"], "expected 16 to 16384 pixels each way"),
            ("fragments.py", [run, "--csv", folder / "none/no.csv"], "no.csv: cannot write the table")):
        refused = subprocess.run([SCRIPTS / script, *arguments], capture_output=True, text=True, timeout=60)
        assert refused.returncode in (1, 2) and message in refused.stderr and "Traceback" not in refused.stderr, refused


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        run = folder / "out"
        subprocess.run([mpiexec, "-n", "1", sunder, "run", write_case(folder, SCENE, box_mesh((4, 2, 2))), "-o", run, "--quiet",
                        "--set", "output.frames=true", "--set", "output.surface=true", "--set", "output.surface_detail.levels=2"],
                       env=ENVIRONMENT, check=True)
        first, last, lost = folder / "first.png", folder / "last.png", folder / "lost.png"
        assert pixels(draw(run, first, "--frame", "0"), first) != pixels(draw(run, last), last)
        pixels(draw(run, lost, display=":4711"), lost)
        at_once = [folder / f"{k}.png" for k in range(3)]
        for drawing, picture in [(draw(run, picture), picture) for picture in at_once]:
            pixels(drawing, picture)
        cracks, none_yet = folder / "cracks.png", folder / "none_yet.png"
        assert pixels(draw(run, cracks, "--cracks"), cracks) != pixels(draw(run, none_yet, "--cracks", "--frame", "0"), none_yet)
        rough, flat = folder / "rough.png", folder / "flat.png"
        assert pixels(draw(run, rough, "--surface", "--color", "Fragment"), rough) != pixels(draw(run, flat, "--color", "Fragment"), flat)
        beside = subprocess.run([SCRIPTS / "picture.py", next(run.glob("*_cracks.pvd")), "-o", folder / "no.png"], capture_output=True,
                                text=True)
        assert beside.returncode == 1 and "expected the series of the bodies" in beside.stderr, beside
        for option in ("--columns=0", "--size=0x0", "--zoom=0", "--up=0,0,0", "--view=0,0,0", "--range=2,1"):
            refused = subprocess.run([SCRIPTS / "picture.py", run, "-o", folder / "no.png", option], capture_output=True, text=True)
            name, found = option.split("=")
            assert refused.returncode == 2 and f"argument {name}: expected " in refused.stderr, refused
            assert f"found '{found}'" in refused.stderr and not (folder / "no.png").exists(), refused
        check_bad_input(run, folder)
        subprocess.run([SCRIPTS / "fragments.py", run, "--csv", folder / "pieces.csv"], check=True)
        table = (folder / "pieces.csv").read_bytes()
        cut_off = f"{SCRIPTS}/fragments.py {run} --csv {folder}/cut_off.csv | head -c 1"
        subprocess.run(cut_off, shell=True, check=True, stdout=subprocess.DEVNULL)
        assert (folder / "cut_off.csv").read_bytes() == table
        rows = (folder / "pieces.csv").read_text().splitlines()
        assert len(rows) - 1 == json.loads((run / "summary.json").read_text())["fragments"], rows
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
