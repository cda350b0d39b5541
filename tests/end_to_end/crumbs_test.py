#!/usr/bin/env python3
"""The crumbs of a pot that breaks as a lattice become particles or nothing, its crack faces get detail: the same on any number of
ranks.

crumbs_test.py SUNDER MPIEXEC
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from lattice_case import POT, Runner

DROPPED = {"obstacles": "[{name: floor, half_space: {normal: [0, 0, 1]}, position: [0, 0, -0.01]}]",
           "gravity": "[0, 0, -9.81]", "output.frames": "false", "lattice.steps": 25, "lattice.strength.factors":
           "[{noise: {size: 0.15, octaves: 1, seed: 2, threshold: 0.2, low: 1, high: 1000}}]"}


def check_crumbs(run, folder):
    """The same on any number of ranks, and after a restart, also from the moment at which the impact is over. The ledger closes."""
    bodies = run(POT, folder / "crumbs_bodies", 2)
    assert bodies["crumbs"]["elements"] == 0, bodies["crumbs"]
    for become in ("particles", "nothing"):
        settings = {"lattice.crumbs.become": become}
        alone = run(POT, folder / f"{become}1", 1, settings=settings)
        crumbs = alone["crumbs"]
        assert crumbs["elements"] > 100 and abs(alone["energy"]["relative_error"]) < 1e-9, alone
        gone = crumbs if become == "nothing" else {"elements": 0, "mass": 0}
        assert alone["elements"] == bodies["elements"] - gone["elements"], (alone, bodies)
        assert alone["fragments"] == bodies["fragments"] - gone["elements"], (alone, bodies)
        assert abs(alone["mass"] + gone["mass"] - bodies["mass"]) < 1e-9 * bodies["mass"], (alone, bodies)
        log = (folder / f"{become}1/log.txt").read_text()
        assert f"lattice.crumbs: {crumbs['elements']} fragments of one element" in log, log
        if become == "particles":
            together = run(POT, folder / "particles7", 7, settings=settings)
            for key in ("state_hash", "fragments", "elements", "steps"):
                assert together[key] == alone[key], f"{key}: {together[key]} on 7 ranks, {alone[key]} on one"
        out = folder / f"{become}_stopped"
        run(POT, out, 3, "--steps", "32" if become == "particles" else "26", settings={**settings, "checkpoint.steps": 1, "checkpoint.keep": 7})
        stored = sorted((out / "checkpoints").glob("*.h5"))  # the last one is of the step before
        for checkpoint in {stored[0], stored[-1]} if become == "particles" else {stored[-1]}:
            again = run(POT, folder / f"{become}_from_{checkpoint.stem}", 2, "--restart", checkpoint, settings=settings)
            assert again["state_hash"] == alone["state_hash"], f"from {checkpoint.name}, {become}"
            assert again["crumbs"]["elements"] == crumbs["elements"], (again["crumbs"], crumbs)


def check_detail(run, folder):
    """Crack faces with detail: files of the same content on 1 and 3 ranks, closed, both sides alike; the run is the same."""
    settings = {"output.frames": "true", "output.frame_interval": 0.01, "output.surface": "true"}
    plain = run(POT, folder / "plain", 2, settings=settings)
    digests = []
    for ranks in (1, 3):
        out = folder / f"detail{ranks}"
        rough = run(POT, out, ranks, settings={**settings, "output.surface_detail.levels": 2})
        assert rough["state_hash"] == plain["state_hash"], "detail has changed the run"
        digests.append(digest(out))
    flat = digest(folder / "plain")
    for one, other in zip(*digests, strict=True):
        assert abs(other.pop("volume") / one["volume"] - 1) < 1e-12, (one, other)  # summed in the order of the file
        assert one.items() >= other.items(), (one, other)
    for before, frame in zip(flat, digests[0]):
        assert frame["open_edges"] == 0 and frame["unmatched"] == 0, frame
        assert abs(frame["volume"] / before["volume"] - 1) < 1e-9, (frame, before)
    assert digests[0][-1]["crack_triangles"] >= 16 * 1000, digests[0][-1]
    assert digests[0][-1]["triangles"] > digests[0][-1]["crack_triangles"], digests[0][-1]
    said = run(POT, folder / "no_surface", 1, expected=2, settings={"output.surface_detail.levels": 2})
    assert "output.surface_detail.levels: expected 0 without output.surface: true, got 2" in said, said


def digest(out):
    done = subprocess.run(["/usr/bin/python3", pathlib.Path(__file__).with_name("surface_digest.py"), out / "pot_surface.pvd"],
                          capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(sunder, mpiexec):
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        folder = pathlib.Path(name)
        run = Runner(sunder, mpiexec, folder, "pot", 0.014, DROPPED)
        check_crumbs(run, folder)
        check_detail(run, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
