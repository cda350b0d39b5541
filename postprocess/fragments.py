#!/usr/bin/python3
"""Fragments of a frame: how many, how large, where, how fast.

    fragments.py out/wall                     a table of the last frame on standard output
    fragments.py out/wall --csv pieces.csv    all of them as CSV
"""
import argparse
import csv
import math
import signal
import sys

from sunder_frames import Frame, find_series, pick

import numpy as np

COLUMNS = ["fragment", "elements", "volume", "share", "x", "y", "z", "speed"]


def measure(frame):
    """One row a fragment, largest first: COLUMNS in SI units; centre and velocity are means over the volume."""
    volume = frame.volumes()
    fragment, index = np.unique(frame.cell["Fragment"], return_inverse=True)
    total = np.bincount(index, weights=volume)

    def mean(node_values):
        values = node_values[frame.tets].mean(axis=1)
        return np.stack([np.bincount(index, weights=volume * values[:, k]) / total for k in range(3)], axis=1)

    centre, speed = mean(frame.points), np.linalg.norm(mean(frame.node["Velocity"]), axis=1)
    elements = np.bincount(index)
    rows = [(int(fragment[f]), int(elements[f]), total[f], total[f] / volume.sum(), *centre[f], speed[f])
            for f in range(len(fragment))]
    return sorted(rows, key=lambda row: (-row[2], row[0]))


def print_table(rows, time, top):
    volumes = np.array([row[2] for row in rows])
    moment = "" if math.isnan(time) else f"t = {time:g} s: "  # a single file does not say when it was
    print(f"{moment}{len(rows)} fragment{'s' * (len(rows) > 1)}, {volumes.sum():.6g} m^3; largest {100 * rows[0][3]:.1f} %, "
          f"median {np.median(volumes):.3g} m^3, smallest {volumes.min():.3g} m^3")
    print(f"{'fragment':>9} {'elements':>9} {'m^3':>11} {'%':>6} {'x [m]':>9} {'y [m]':>9} {'z [m]':>9} {'m/s':>8}")
    for fragment, elements, volume, share, x, y, z, speed in rows[:top]:
        print(f"{fragment:9d} {elements:9d} {volume:11.4e} {100 * share:6.2f} {x:9.4f} {y:9.4f} {z:9.4f} {speed:8.3f}")
    if len(rows) > top:
        print(f"... and {len(rows) - top} smaller ones (--top N shows more, --csv FILE all)")


def write_csv(rows, path):
    with (sys.stdout if path == "-" else open(path, "w", newline="")) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([format(value, ".10g") if isinstance(value, float) else value for value in row] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="output folder, .pvd or .pvtu")
    parser.add_argument("--frame", default="last", help="number of the frame, or last (default)")
    parser.add_argument("--csv", metavar="FILE", help="write all fragments there (- for standard output, no table)")
    parser.add_argument("--top", type=int, default=20, help="rows of the table (20)")
    args = parser.parse_args()
    if args.top < 0:
        parser.error(f"--top: expected a number >= 0, got {args.top}")

    instant = pick(find_series(args.source), args.frame)
    rows = measure(Frame(instant.solid))
    if args.csv:  # first: `head` may cut off what is printed, and the script with it
        try:
            write_csv(rows, args.csv)
        except OSError as error:
            sys.exit(f"{args.csv}: cannot write the table: {error.strerror}")
    if args.csv != "-":
        print_table(rows, instant.time, args.top)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a table cut off by `head` is no error
    main()
