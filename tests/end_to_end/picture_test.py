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


def answer(script, *arguments):
    return subprocess.run([SCRIPTS / script, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def check_load_of_what_bounces(folder):
    """A ball that is pushed back by a load of 10 N at 1 mm, and flies off askew: further, but where nothing pushes."""
    folder.mkdir()
    y = [0, 0.5, 1, 0.5, 0, -1, -2]  # [mm]
    rows = [(k, 0.1 * k, 3e-3 * max(0, k - 4), 1e-3 * y[k], 0, 0.01 * (k > 4), 10 * (k in (1, 2, 3)), 0) for k in range(7)]
    names = [f"obstacles.ball.{column}" for column in ("ux", "uy", "uz", "fx", "fy", "fz")]
    lines = [",".join(["step", "time", *names]), *(",".join(map(str, row)) for row in rows)]
    (folder / "reactions.csv").write_text("\n".join(lines) + "\n")
    (folder / "history.csv").write_text("step,time,events\n" + "".join(f"{k},{0.1 * k},{int(k > 2)}\n" for k in range(7)))
    said = answer("curve.py", folder)
    assert "obstacles.ball, along y" in said and "peak: 10 N at 0.00025 m" in said and "onset: 10 N" in said, said
    (folder / "reactions.csv").write_text("\n".join([lines[0], *(f"{k},{0.1 * k},0,0,0,0,0,{k}" for k in range(7))]) + "\n")
    refused = subprocess.run([SCRIPTS / "curve.py", folder], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "expected something that moves, found obstacles.ball" in refused.stderr, refused


def check_speeds_of_cracks(folder):
    """Of a crack of 100 m/s that is joined by another, with a window of more than its life; of one seen once there is none."""
    columns = "time,origin_x,origin_y,origin_z,born,area,length,rayleigh_speed"
    lengths = (0.05, 0.15, 0.25, 2.25, 2.35)  # half an interval after it was born, then each millisecond
    grown = [f"{1e-3 * k},0,0,0,0.0005,1,{length},200" for k, length in enumerate(lengths, 1)]
    (folder / "cracks.csv").write_text("\n".join([columns, *grown, "0.005,1,0,0,0.0047,1,0.1,200"]) + "\n")
    first, second = (line.split()[-2:] for line in answer("cracks.py", folder).splitlines()[1:])
    assert first == ["100", "0.50"] and second == ["-", "-"], (first, second)


def check_colors():
    """Of what has no number, as the time of failure of a node that has not failed."""
    sys.path.insert(0, str(SCRIPTS))
    import numpy as np
    import picture_colors
    values = np.array([2.0, np.nan, 4.0])
    limits = picture_colors.common_range([type("Solid", (), {"values": values})], None)
    assert 2 <= limits[0] < limits[1] <= 4, limits
    colors = picture_colors.ramp_colors(values, limits)
    assert tuple(colors[1]) == picture_colors.STEEL and tuple(colors[0]) == picture_colors.RAMP[0], colors


def main(sunder, mpiexec):
    check_colors()
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
        check_load_of_what_bounces(folder / "ball")
        check_speeds_of_cracks(folder / "ball")
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
