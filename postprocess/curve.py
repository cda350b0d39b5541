#!/usr/bin/python3
"""Load against displacement of a run, from its reactions.csv and history.csv: a picture, and onset, peak and work.

    curve.py out/notched_bar -o curve.png             of what moves furthest, along the axis in which its load does most work
    curve.py out/bar --of boundary.top --axis z       of that; names are those of reactions.csv
    curve.py out/bar --expected 371 --window 1e-3     beside a load that is known; means over so many seconds
    curve.py out/bar --load mid.fx --over tip.ux      any column of a table of the run over another
    curve.py out/bar --load gauge.sxx                 over time

The load is the force on the bodies along the displacement, which counts as positive where the load is greatest; a mean over each interval of the history; so it stands over the
middle of the way in that interval. Of static runs it is that of the line. The onset is the load in the last line before the
first node failed. From then on the body rings: with --window, loads after the onset are means over so long, which should be
no less than a period. The peak is the greatest load, and work the area under the curve. SI units.
"""
import argparse
import sys
from pathlib import Path

from figure_file import figure_path, save
from number_table import read_numbers

import numpy as np


def read_table(path):
    """The columns of a table by their names."""
    rows = read_numbers(path, ("step", "time"))
    if len(rows) < 2:
        sys.exit(f"{path}: expected a header and at least two lines, found {1 + len(rows)} lines")
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


TABLES = ("sections.csv", "crack_fronts.csv", "probes.csv", "reactions.csv", "history.csv")
UNITS = {"f": "N", "m": "N m", "u": "m", "v": "m/s", "s": "Pa"}  # of vectors and tensors, by the first letter
SCALARS = {"speed": "m/s", "von_mises": "Pa", "max_principal_stress": "Pa", "area": "m²", "time": "s", "x": "m", "y": "m",
           "z": "m", "advance": "m", "J": "J/m²", "J_inner": "J/m²", "J_middle": "J/m²", "K_I": "Pa √m", "K_II": "Pa √m"}


def column_of(folder, name):
    """Steps and values of a column, whichever table has it."""
    known = []
    for file in TABLES:
        if not (folder / file).exists():
            continue
        table = read_table(folder / file)
        if name in table:
            return table["step"], table[name]
        known += [column for column in table if column not in ("step", "time") and file != "history.csv"]
    sys.exit(f"{folder}: expected a column of {' '.join(TABLES)} ({' '.join(known)}), got {name}")


def label_of(name):
    """The column with its unit, where it has one."""
    suffix = name.rsplit(".", 1)[-1]
    parts = {f"{letter}{axes}" for letter in UNITS for axes in ("x", "y", "z", "xx", "yy", "zz", "xy", "yz", "xz")}
    unit = SCALARS.get(suffix) or (UNITS[suffix[0]] if suffix in parts else "")
    return f"{name} [{unit}]" if unit else name


def draw_columns(folder, load, over, path):
    """One column over another; prints the extremes."""
    (steps, y), (other_steps, x) = column_of(folder, load), column_of(folder, over)
    rows = min(len(steps), len(other_steps))
    if not np.array_equal(steps[:rows], other_steps[:rows]):
        sys.exit(f"{folder}: expected lines of the same steps for {load} and {over}")
    x, y = x[:rows], y[:rows]
    for word, k in (("greatest", int(np.argmax(y))), ("least", int(np.argmin(y)))):
        print(f"{word} {label_of(load)}: {y[k]:.6g} at {over} = {x[k]:.6g}")
    if not path:
        return
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    axes.plot(x, y, color="tab:blue")
    axes.set_xlabel(label_of(over)), axes.set_ylabel(label_of(load)), axes.set_title(folder.name)
    figure.tight_layout()
    save(figure, path, dpi=130)


def names_of(table):
    return [column[:-3] for column in table if column.endswith(".ux")]


def furthest(table, names):
    """What moves furthest."""
    return max(names, key=lambda name: max(abs(table[f"{name}.u{axis}"]).max() for axis in "xyz"))


def curve_of(reactions, name, axis):
    """Displacement and load along an axis, positive on the way that is taken to the greatest load: what strikes goes back later, and
    may go further then."""
    def along(a):
        return reactions[f"{name}.u{a}"], reactions[f"{name}.f{a}"]

    def work(a):  # on the way there and on that back
        displacement, force = along(a)
        return np.sum(abs(force[1:] * np.diff(displacement)))

    axis = axis or max("xyz", key=work)
    displacement, force = along(axis)
    way = np.sign(displacement[np.argmax(abs(force))]) or 1.0
    return axis, way * displacement, way * force


def is_static(folder):
    """Then loads are those of their lines, not means. The completed scene has each key on a line of its own."""
    try:
        return "\n  method: static\n" in (folder / "scene.yaml").read_text(encoding="utf-8")
    except OSError:
        return False


def mean_over(time, load, window):
    """Means over `window` seconds around each line of what are means from line to line; less at the ends."""
    if window <= 0:
        return load.copy()
    impulse = np.concatenate([[0], np.cumsum(load[1:] * np.diff(time))])
    begin, end = np.maximum(time - window / 2, time[0]), np.minimum(time + window / 2, time[-1])
    length = np.maximum(end - begin, np.finfo(float).tiny)
    return np.where(end > begin, (np.interp(end, time, impulse) - np.interp(begin, time, impulse)) / length, load)


def measure(time, displacement, load, events, window, static):
    """Onset, peak, loads, the displacements they belong to, and work; onset is None where nothing failed."""
    failed = np.flatnonzero(events > 0)
    onset = max(failed[0] - 1, 0) if len(failed) else None
    smooth = mean_over(time, load, window)
    if onset is not None:
        smooth[:onset + 1] = load[:onset + 1]  # nothing rings yet
    of_interval = (load[1:] + load[:-1]) / 2 if static else load[1:]
    work = float(np.sum(of_interval * np.diff(displacement)))
    middle = np.concatenate([displacement[:1], (displacement[1:] + displacement[:-1]) / 2])
    return onset, int(np.argmax(smooth)), smooth, displacement if static else middle, work


def print_numbers(time, displacement, load, smooth, onset, peak, expected):
    def line(word, k, value):
        of = f", {100 * (value / expected - 1):+.1f} % of {expected:g} N" if expected else ""
        print(f"{word}: {value:.6g} N at {displacement[k]:.6g} m, t = {time[k]:.6g} s{of}")

    if onset is None:
        print("onset: nothing failed")
    else:
        line("onset", onset, load[onset])
    line("peak", peak, smooth[peak])


def draw(path, title, displacement, load, smooth, onset, peak, expected):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    unit, scale = ("mm", 1e3) if abs(displacement).max() >= 1e-4 else ("µm", 1e6)
    shown = scale * displacement
    if not np.array_equal(smooth, load):
        axes.plot(shown, load, color="0.8", linewidth=0.8)
    axes.plot(shown, smooth, color="tab:blue")
    if onset is not None:
        axes.plot(shown[onset], load[onset], "o", color="tab:red", label="onset")
    axes.plot(shown[peak], smooth[peak], "^", color="black", label="peak")
    if expected:
        axes.axhline(expected, color="0.4", linestyle="--", linewidth=0.8, label=f"{expected:g} N")
    axes.set_xlabel(f"displacement [{unit}]"), axes.set_ylabel("load [N]"), axes.set_title(title)
    axes.set_ylim(bottom=min(0.0, 1.05 * float(smooth.min())))
    axes.legend(frameon=False)
    figure.tight_layout()
    save(figure, path, dpi=130)


def seconds(text):
    value = float(text)
    if not 0 <= value < np.inf:
        raise argparse.ArgumentTypeError(f"expected a time >= 0, got {text}")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="output folder of a run")
    parser.add_argument("--of", metavar="NAME", help="as in reactions.csv: boundary.NAME, loads.NAME, obstacles.NAME")
    parser.add_argument("--axis", choices="xyz", help="of displacement and load")
    parser.add_argument("--window", type=seconds, default=0, help="the peak is that of means over so many seconds (0)")
    parser.add_argument("--expected", type=float, help="a load to compare with [N]")
    parser.add_argument("--load", metavar="COLUMN", help="instead: this column of a table of the run")
    parser.add_argument("--over", metavar="COLUMN", help="with --load: over this one (time)")
    parser.add_argument("-o", "--output", type=figure_path, metavar="PNG", help="draw the curve there (.png, .pdf, .svg)")
    args = parser.parse_args()
    if args.load:
        if args.of or args.axis or args.window or args.expected:
            parser.error("--load: expected none of --of, --axis, --window and --expected beside it")
        return draw_columns(args.folder, args.load, args.over or "time", args.output)
    if args.over:
        parser.error("--over: expected --load beside it")

    reactions, history = (read_table(args.folder / file) for file in ("reactions.csv", "history.csv"))
    names = names_of(reactions)
    if args.of and args.of not in names:
        sys.exit(f"--of: expected one of {' '.join(names)}, got {args.of}")
    rows = min(len(reactions["time"]), len(history["time"]))
    if not np.array_equal(reactions["step"][:rows], history["step"][:rows]):
        sys.exit(f"{args.folder}: expected lines of the same steps in reactions.csv and history.csv")
    name = args.of or furthest(reactions, names)
    if not args.of and not any(abs(reactions[f"{name}.u{axis}"]).max() for axis in "xyz"):
        sys.exit(f"{args.folder}: expected something that moves, found {' '.join(names)}, which stand still; --load {name}.fz draws a load over time")
    axis, displacement, load = curve_of(reactions, name, args.axis)
    time, displacement, load = reactions["time"][:rows], displacement[:rows], load[:rows]
    onset, peak, smooth, over, work = measure(time, displacement, load, history["events"][:rows], args.window,
                                              is_static(args.folder))
    print(f"{name}, along {axis}")
    print_numbers(time, over, load, smooth, onset, peak, args.expected)
    print(f"work: {work:.6g} J up to {displacement[-1]:.6g} m")
    if args.output:
        draw(args.output, f"{args.folder.name}: {name}, along {axis}", over, load, smooth, onset, peak, args.expected)


if __name__ == "__main__":
    main()
