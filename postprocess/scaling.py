#!/usr/bin/python3
"""Draws the table of jobs/scaling: efficiency, time per phase and imbalance over the number of ranks.

    postprocess/scaling.py out/strong/scaling.csv -o scaling.png
"""
import argparse
import sys

from figure_file import figure_path, save
from number_table import read_numbers

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

PHASES = ("forces", "failure", "contact", "remesh", "halo", "solve")
COLUMNS = ("ranks", "elements", "steps", "efficiency", "imbalance", "work_imbalance", *PHASES)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="scaling.csv of jobs/scaling")
    parser.add_argument("-o", metavar="FILE", type=figure_path, required=True, help="picture to write (.png, .pdf, .svg)")
    args = parser.parse_args()
    rows = read_numbers(args.table, COLUMNS)
    if not rows:
        sys.exit(f"{args.table}: expected a line for each number of ranks, found none")
    ranks = [row["ranks"] for row in rows]

    figure, (efficiency, time, balance) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    efficiency.plot(ranks, [row["efficiency"] for row in rows], "o-")
    efficiency.axhline(1, color="grey", linewidth=0.8)
    efficiency.set(ylabel="efficiency", title="per element and step, against the first")
    efficiency.set_ylim(0, 1.1 * max(1, *(row["efficiency"] for row in rows)))

    # Of one element in one step, whatever the number of elements.
    per_element = [[1e9 * row[phase] * row["ranks"] / (row["elements"] * row["steps"]) for row in rows] for phase in PHASES]
    places = range(len(rows))
    bottom = [0.0] * len(rows)
    for phase, values in zip(PHASES, per_element):
        time.bar(places, values, bottom=bottom, label=phase)
        bottom = [b + v for b, v in zip(bottom, values)]
    time.set(ylabel="ns an element-step of a rank", title="slowest rank, by phase")
    time.set_xticks(list(places), [f"{r:g}" for r in ranks])
    time.legend()

    balance.plot(ranks, [row["imbalance"] for row in rows], "o-", label="elements held")
    balance.plot(ranks, [row["work_imbalance"] for row in rows], "s-", label="work measured")
    balance.set(ylabel="busiest rank over the mean", title="imbalance")
    balance.set_ylim(bottom=1)
    balance.legend()
    for axes in (efficiency, balance):
        axes.set_xscale("log", base=2)
        axes.set_xticks(ranks, [f"{r:g}" for r in ranks])
    for axes in (efficiency, time, balance):
        axes.set_xlabel("ranks")
    save(figure, args.o, dpi=120)


if __name__ == "__main__":
    main()
