#!/usr/bin/env python3
"""Two glued arms that are opened come apart in the glue, for its G_c, as beam theory has it.

double_cantilever_test.py SUNDER MPIEXEC [RANKS [REFINE...]]

Without REFINE shorter arms, opened less and faster, on one rank: the suite's short form. With: the scene with each of these.
"""
import csv
import math
import pathlib
import sys
import tempfile

from measured import compare
from small_case import Sunder, settings

YOUNG, POISSON, G_C = 3.0e9, 0.35, 200.0  # of the scene
LENGTH, HEIGHT, WIDTH = 0.03, 0.006, 0.002  # of the cut, and of an arm; config/geometry/double_cantilever.geo [m]
PERIOD = 1e-3  # [s] at which the arms ring
SHORT = (0.0011, 0.005)  # opening of each arm [m], and when [s]
SHORT_ARMS = 60  # [mm], instead of 100: ahead of the crack three times the height of an arm is left
QUASI_STATIC = 0.02  # kinetic over elastic energy, at the end


def root_rotation():
    """chi: an arm bends as if it were chi HEIGHT longer. Williams (1989), as in ISO 25217, isotropic."""
    shear_ratio = 2 * (1 + POISSON)  # E/G
    gamma = 1.18 * shear_ratio
    return math.sqrt(shear_ratio / 11 * (3 - 2 * (gamma / (1 + gamma)) ** 2))


def smooth(s):
    return s ** 3 * (10 - 15 * s + 6 * s * s)


def energy_release_rates(out, opening, end):
    """By corrected beam theory, 3 P delta / (2 b (a + chi h)), of the lines in which the crack has run 2 mm or more and
    the ends still move; and the length of the crack at the end [m]. Loads are means over a period."""
    with open(out / "history.csv", newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    half = max(1, round(PERIOD / 2 / (rows[1]["time"] - rows[0]["time"])))
    rates = []
    for k in range(half, len(rows) - half):
        near = rows[k - half:k + half + 1]
        load = sum(row["boundary.top.fz"] - row["boundary.bottom.fz"] for row in near) / 2 / len(near)
        length = crack_length(rows[k])
        if length > LENGTH + 0.002:
            delta = 2 * opening * smooth(rows[k]["time"] / end)
            rates.append(3 * load * delta / (2 * WIDTH * (length + root_rotation() * HEIGHT)))
    return rates, crack_length(rows[-1])


def crack_length(row):
    """What links have taken says how much surface there is, a zone that still holds in part included."""
    return LENGTH + row["surface"] / G_C / WIDTH


def length_by_beam_theory(opening):
    moment = HEIGHT ** 3 / 12  # of area, per width
    return (9 * YOUNG * moment * opening ** 2 / G_C) ** 0.25 - root_rotation() * HEIGHT


def short_arms(folder):
    """Settings for a specimen of this length."""
    geometry = pathlib.Path(__file__).resolve().parents[2] / "config/geometry/double_cantilever.geo"
    text = geometry.read_text()
    assert "100, 2, 6" in text, text
    (folder / "arms.geo").write_text(text.replace("100, 2, 6", f"{SHORT_ARMS}, 2, 6"))
    return settings(f"bodies.arms.mesh.geometry={folder}/arms.geo",
                    f"boundary.end.where={{box: {{min: [{SHORT_ARMS / 1000 - 1e-5}, -1, -1], max: [1, 1, 1]}}}}")


def run(sunder, out, ranks, opening, end, refine, more):
    path = "[{{time: 0, displacement: [0, 0, 0]}}, {{time: {0}, displacement: [0, 0, {1}], smooth: true}}]"
    opened = settings(f"time.end={end}", "output.frames=false", f"bodies.arms.mesh.refine={refine}",
                      f"boundary.top.displacement={path.format(end, opening)}",
                      f"boundary.bottom.displacement={path.format(end, -opening)}")
    return sunder.summary(["double_cantilever", *opened, *more], out, ranks, timeout=20000)


def stays_in_the_glue(out, summary):
    with open(out / "cracks.csv", newline="") as file:
        heights = {abs(float(row["tip_z"])) for row in csv.DictReader(file)}
    wrong = [] if heights and max(heights) < 1e-9 else [f"expected tips in the glue, got them at {heights} m beside"]
    energy, links = summary["energy"], summary["fracture"]["links"]
    if summary["energy"]["kinetic"] > QUASI_STATIC * energy["elastic"]:
        wrong.append(f"kinetic energy {energy['kinetic']} J is no small share of {energy['elastic']} J")
    if abs(energy["relative_error"]) > 1e-3 or abs(links["taken_by_broken"] / links["broken_surface_energy"] - 1) > 1e-6:
        wrong.append(f"the balance does not close: {energy}, {links}")
    return wrong


def main(program, mpiexec, ranks="1", *refinements):
    wrong = []
    with tempfile.TemporaryDirectory(prefix="sunder-") as name:
        for refine in refinements or ("1",):
            opening, end = (0.0015, 0.015) if refinements else SHORT
            out = pathlib.Path(name) / f"refine_{refine}"
            more = [] if refinements else short_arms(pathlib.Path(name))
            summary = run(Sunder(program, mpiexec), out, int(ranks), opening, end, refine, more)
            rates, length = energy_release_rates(out, opening, end)
            if len(rates) < 10:
                wrong.append(f"refine {refine}: a crack of {1e3 * length:.2f} mm")
                continue
            mean = sum(rates) / len(rates)
            print(f"refine {refine}: G/G_c {min(rates) / G_C:.3f} to {max(rates) / G_C:.3f}", flush=True)
            wrong += stays_in_the_glue(out, summary)
            wrong += compare(f"refine {refine}: G_c by corrected beam theory", mean, G_C, 0.05, "J/m^2")
            wrong += compare(f"refine {refine}: length of the crack", 1e3 * length, 1e3 * length_by_beam_theory(opening), 0.05, "mm")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
