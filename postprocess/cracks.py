#!/usr/bin/python3
"""Cracks of a run one by one, from its cracks.csv: how long each is over time, and how fast its tip.

    cracks.py out/plate                           a table of the cracks on standard output
    cracks.py out/plate -o cracks.png             and a picture: length, and speed against the Rayleigh speed c_R
    cracks.py out/plate --top 1 --window 6e-4     the longest only; speeds are means over so many seconds

A crack is known by the point where it began. Its length is from there to its farthest point, so it jumps where two cracks
join. No crack that opens outruns c_R: where a length grows faster than that, two have joined, and there is no speed. Nor is
there one before a crack is as old as the time between two lines. SI units.
"""
import argparse
import signal
import sys
from pathlib import Path

from figure_file import figure_path, save
from number_table import read_numbers

import numpy as np

COLUMNS = ("time", "origin_x", "origin_y", "origin_z", "born", "area", "length", "rayleigh_speed")


class Crack:
    """What cracks.csv has of one crack."""

    def __init__(self, origin, rows):
        self.origin = origin
        self.born, self.rayleigh_speed = rows[0]["born"], rows[0]["rayleigh_speed"]
        self.time, self.length, self.area = (np.array([row[name] for row in rows]) for name in ("time", "length", "area"))

    def speed(self, window, interval):
        """Mean over the last `window` seconds before each line, or since the crack was born; nan where that is less than the
        interval between lines, and where two cracks have joined."""
        time, length = np.concatenate([[self.born], self.time]), np.concatenate([[0.0], self.length])
        begin = np.maximum(self.time - window, self.born)
        taken = self.time - begin
        speed = (self.length - np.interp(begin, time, length)) / np.maximum(taken, np.finfo(float).tiny)
        no_speed = (taken < min(window, interval) * (1 - 1e-9)) | (speed > self.rayleigh_speed)
        return np.where(no_speed, np.nan, speed)

    def fastest(self, window, interval):
        speeds = self.speed(window, interval)
        return speeds[np.isfinite(speeds)].max(initial=-np.inf)


def read_cracks(path):
    """All cracks, longest first, and the time between lines."""
    rows = read_numbers(path, COLUMNS)
    of_origin = {}
    for row in rows:
        of_origin.setdefault((row["origin_x"], row["origin_y"], row["origin_z"]), []).append(row)
    times = np.unique([row["time"] for row in rows])
    interval = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    cracks = [Crack(origin, of) for origin, of in of_origin.items()]
    return sorted(cracks, key=lambda crack: (-crack.length[-1], crack.origin)), interval


def print_table(cracks, window, interval):
    print(f"{'born [s]':>12} {'x [m]':>10} {'y [m]':>10} {'z [m]':>10} {'length [m]':>11} {'area [m^2]':>11} "
          f"{'fastest [m/s]':>14} {'of c_R':>7}")
    for crack in cracks:
        fastest = crack.fastest(window, interval)
        x, y, z = crack.origin
        speed = f"{fastest:14.4g} {fastest / crack.rayleigh_speed:7.2f}" if np.isfinite(fastest) else f"{'-':>14} {'-':>7}"
        print(f"{crack.born:12.5g} {x:10.5g} {y:10.5g} {z:10.5g} {crack.length[-1]:11.4g} {crack.area[-1]:11.4g} {speed}")


def draw(path, title, cracks, window, interval):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (lengths, speeds) = plt.subplots(2, 1, figsize=(7, 7), sharex=True)
    for crack in cracks:
        style = {"marker": "."} if len(crack.time) == 1 else {}
        lengths.plot(crack.time, crack.length, label="({:.3g}, {:.3g}, {:.3g}) m".format(*crack.origin), **style)
        speeds.plot(crack.time, crack.speed(window, interval), **style)
    for speed in sorted({crack.rayleigh_speed for crack in cracks if np.isfinite(crack.rayleigh_speed)}):
        speeds.axhline(speed, color="0.4", linestyle="--", linewidth=0.8, label=f"$c_R$ = {speed:.4g} m/s")
    lengths.set_ylabel("length [m]"), lengths.set_title(title), lengths.set_ylim(bottom=0)
    lengths.legend(frameon=False, fontsize="small", title="began at")
    speeds.set_ylabel("speed of the tip [m/s]"), speeds.set_xlabel("time [s]"), speeds.set_ylim(bottom=0)
    if speeds.get_legend_handles_labels()[0]:
        speeds.legend(frameon=False)
    figure.tight_layout()
    save(figure, path, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="output folder of a run")
    parser.add_argument("--top", type=int, default=8, help="how many cracks, the longest (8)")
    parser.add_argument("--window", type=float, help="speeds are means over so many seconds (five lines)")
    parser.add_argument("-o", "--output", type=figure_path, metavar="PNG", help="draw lengths and speeds there (.png, .pdf, .svg)")
    args = parser.parse_args()
    if args.top < 1:
        parser.error(f"--top: expected a number above 0, got {args.top}")
    if args.window is not None and not 0 < args.window < np.inf:
        parser.error(f"--window: expected a time > 0, got {args.window:g}")

    cracks, interval = read_cracks(args.folder / "cracks.csv")
    cracks, window = cracks[:args.top], args.window or 5 * interval
    if not cracks:
        print(f"{args.folder}: no cracks")
    elif window == 0:
        sys.exit(f"{args.folder / 'cracks.csv'}: expected lines of two moments at least, or --window, got one moment")
    else:
        if window < interval * (1 - 1e-9):
            print(f"note: lines are {interval:.3g} s apart, so speeds are means over that; output.history_interval brings them nearer", file=sys.stderr)
        print_table(cracks, window, interval)
        if args.output:
            draw(args.output, args.folder.name, cracks, window, interval)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a table cut off by `head` is no error
    main()
