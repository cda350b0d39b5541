#!/usr/bin/python3
"""A load-displacement curve of a run, from its reactions.csv.

    curve.py out/notched_bar --force boundary.top.fz --displacement boundary.top.uz -o curve.png
    curve.py out/notched_bar                            the columns that there are

Prints the first crack (the first line with events), the peak and the work, the area under the curve. Several runs are
drawn into one picture. Columns may have a factor: --force=-2*boundary.top.fz.
"""
import argparse
import csv
import os
import sys

try:
    import numpy as np
except ImportError as problem:
    sys.exit(f"{problem}: needs python3-numpy (apt-get install it, and run with /usr/bin/python3)")


def table(run, name):
    path = os.path.join(run, name)
    if not os.path.exists(path):
        sys.exit(f"{path}: no such file; expected the output folder of a run")
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {column: np.array([float(row[k]) for row in rows[1:]]) for k, column in enumerate(rows[0])}


def column(values, text, option, run):
    factor, _, name = text.rpartition("*")
    if name.startswith("-"):
        factor, name = "-1", name[1:]
    if name not in values:
        sys.exit(f"{option}: expected a column of {run}/reactions.csv ({', '.join(values)}), found {name}")
    try:
        return float(factor or 1) * values[name]
    except ValueError:
        sys.exit(f"{option}: expected a number before *, found {factor}")


class Curve:
    """Force over displacement, with what is read off it."""

    def __init__(self, run, force, displacement):
        values, history = table(run, "reactions.csv"), table(run, "history.csv")
        self.run = run
        self.force = column(values, force, "--force", run)
        self.displacement = column(values, displacement, "--displacement", run)
        self.peak = int(np.argmax(self.force))
        cracked = history["time"][history["events"] > 0]
        first = np.searchsorted(values["time"], cracked[0]) if len(cracked) else None
        self.onset = min(int(first), len(self.force) - 1) if first is not None else None
        self.work = float(np.sum(np.diff(self.displacement) * (self.force[1:] + self.force[:-1]) / 2))

    def text(self):
        def at(k):
            return f"{self.force[k]:.6g} N at {self.displacement[k]:.6g} m"
        onset = "none" if self.onset is None else at(self.onset)
        return f"{self.run}: first crack {onset}; peak {at(self.peak)}; work {self.work:.6g} J"


def draw(curves, args):
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError as problem:
        sys.exit(f"{problem}: needs python3-matplotlib (apt-get install it, and run with /usr/bin/python3)")
    figure, axes = pyplot.subplots(figsize=(6.4, 4.4))
    for curve in curves:
        line, = axes.plot(curve.displacement, curve.force, linewidth=1.3, label=os.path.basename(os.path.normpath(curve.run)))
        axes.plot(curve.displacement[curve.peak], curve.force[curve.peak], "^", color=line.get_color())
        if curve.onset is not None:
            axes.plot(curve.displacement[curve.onset], curve.force[curve.onset], "o", color=line.get_color(), fillstyle="none")
    axes.set_xlabel(f"{args.displacement} [m]")
    axes.set_ylabel(f"{args.force} [N]")
    axes.set_title("o first crack   ▲ peak", fontsize=9, loc="right")
    axes.grid(alpha=0.3)
    if len(curves) > 1:
        axes.legend()
    figure.tight_layout()
    figure.savefig(args.output, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="output folder")
    parser.add_argument("--force", help="column of reactions.csv, perhaps with a factor")
    parser.add_argument("--displacement", help="likewise")
    parser.add_argument("-o", "--output", help="PNG file; without, only the numbers are printed")
    args = parser.parse_args()
    if not args.force or not args.displacement:
        print("--force and --displacement: expected two of\n" + "\n".join(list(table(args.runs[0], "reactions.csv"))[2:]))
        return 2
    curves = [Curve(run, args.force, args.displacement) for run in args.runs]
    for curve in curves:
        print(curve.text())
    if args.output:
        draw(curves, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
