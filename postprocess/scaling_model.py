#!/usr/bin/python3
"""Predicts how the explicit step scales, from the tables of jobs/scaling and what messages cost, and says how well
the prediction holds where there is a measurement. docs/scaling.md.

    postprocess/scaling_model.py out/strong/scaling.csv -o model.png
    postprocess/scaling_model.py out/strong/scaling.csv --counts out/crowded/scaling.csv --network network.json -o model.png
    postprocess/scaling_model.py out/strong/scaling.csv --cracking out/wall/scaling.csv -o model.png
    postprocess/scaling_model.py out/strong/scaling.csv --latency 3e-5 --bandwidth 1e9 -o ethernet.png

Of tables after --counts only counts are read: times on more ranks than cores say nothing. --cracking has a scene that
cracks, on one rank and on others.
"""
import argparse
import sys

from figure_file import figure_path, save

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

from step_model import (BYTES_OF_GHOST, Costs, Cracking, Network, SurfaceLaw, check_seconds, halo_seconds,  # noqa: E402
                        predict, read_network, read_table)

LATENCY_FACTORS = (0.25, 1, 10)
WEAK, STRONG = (10**4, 10**5, 10**6), (10**7, 10**8, 10**9)   # elements of a rank, and of all


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", help="of jobs/scaling, with runs on one rank among them")
    parser.add_argument("--counts", nargs="+", default=[], metavar="TABLE", help="more of them; their times are not read")
    parser.add_argument("--cracking", metavar="TABLE", help="of jobs/scaling, of a scene that cracks, one rank among them")
    parser.add_argument("--network", metavar="JSON", help="of bench/network_bench, where the tables were made")
    parser.add_argument("--latency", type=float, default=1.5e-6, help="of the network to predict for [s] (1.5e-6)")
    parser.add_argument("--overhead", type=float, default=3e-7, help="a processor's time for a message [s] (3e-7)")
    parser.add_argument("--bandwidth", type=float, default=1e10, help="of one rank [bytes/s] (1e10)")
    parser.add_argument("--noise", type=float, default=0, help="standard deviation of a step's computing, relative (0)")
    parser.add_argument("--ranks", type=int, default=10_000, help="to predict for (10000)")
    parser.add_argument("-o", metavar="FILE", type=figure_path, required=True, help="picture to write (.png, .pdf, .svg)")
    return parser.parse_args()


def print_counts(law, rows):
    print("counts a rank, measured / law\n   ranks elements       held  most held     ghosts most ghosts   "
          "halo bytes  messages most messages")
    for row in rows:
        ranks, n = int(row["ranks"]), row["elements"] / row["ranks"]
        found = law.shares(n, ranks)
        pairs = ((row["held_elements"] / ranks, found.held),
                 (row["imbalance"] * row["held_elements"] / ranks, found.most_held),
                 (row["ghosts"] / ranks, found.ghosts), (row["most_ghosts"], found.most_ghosts),
                 (row["halo_bytes_per_step"] / ranks, BYTES_OF_GHOST * found.ghosts),
                 (row["messages"] / ranks, found.messages), (row["most_neighbours"], found.most_messages))
        print(f"{ranks:8} {n:8.0f} " + " ".join(f"{measured:.5g}/{law:.5g}".rjust(13) for measured, law in pairs))


def print_times(law, rows, network):
    """Each row against costs of the other rows of one rank, where there are others: no row predicts itself."""
    print("\nstep [ms]\n   ranks  elements  measured predicted  error")
    for row in rows:
        others = [other for other in rows if other["ranks"] == 1 and other is not row]
        if not others:
            continue
        ranks, n = int(row["ranks"]), row["elements"] / row["ranks"]
        measured = row["ns_per_element_step"] * n * 1e-6
        predicted = predict(law.shares(n, ranks), ranks, Costs(others), network).total * 1e3
        print(f"{ranks:8} {row['elements']:9.0f} {measured:9.4f} {predicted:9.4f} {predicted / measured - 1:+6.1%}")


def print_cracking(law, rows, network):
    """Of a run. The busiest rank has between an equal share of the events and all of them."""
    one = next((row for row in rows if row["ranks"] == 1 and row["cracking_checks"] > 0), None)
    if not one:
        raise SystemExit("--cracking: expected a run on one rank that cracks among the rows, found none")
    cracking = Cracking.of(one)
    print(f"\na cracking check: every {cracking.steps:.1f} steps, {cracking.rounds:.1f} rounds, {cracking.events:.1f} events "
          f"of {cracking.seconds_an_event * 1e3:.1f} ms\n   ranks  measured, s  predicted: cracks spread ... in one place")
    for row in rows:
        ranks, n = int(row["ranks"]), row["elements"] / row["ranks"]
        shares = law.shares(n, ranks)
        computing = (one["forces"] + one["failure"] + one["solve"]) * shares.most_held / one["elements"]
        halo = 0 if ranks == 1 else one["steps"] * halo_seconds(shares.most_messages, shares.most_ghosts, network)
        spread, together = (computing + halo + one["cracking_checks"] * check_seconds(
            cracking, events, shares.most_messages, ranks, network) for events in (cracking.events / ranks, cracking.events))
        measured = sum(row[phase] for phase in ("forces", "failure", "remesh", "contact", "halo", "solve"))
        print(f"{ranks:8} {measured:12.2f} {spread:12.2f} ... {together:.2f}")
    return cracking


def print_cracking_prediction(prediction, cracking, ranks):
    """All ranks crack as the calibrated one does, or one of them does and the others wait."""
    print(f"\non {ranks} ranks: a cracking check [us] with a step every so often as above, and efficiency where all ranks "
          "crack, where one does")
    for n in WEAK:
        shares, step = prediction.law.shares(n, ranks), prediction.step(n, ranks).total
        alone, all_alike = (check_seconds(cracking, cracking.events, shares.most_messages, p, prediction.network)
                            for p in (1, ranks))
        plain = cracking.steps * prediction.step(n, 1).total
        taken = cracking.steps * step + all_alike
        print(f"{n:17} {all_alike * 1e6:9.0f} {(plain + alone) / taken:6.3f} {(plain + alone / ranks) / taken:6.3f}")


class Prediction:
    def __init__(self, law, costs, network, noise):
        self.law, self.costs, self.network, self.noise = law, costs, network, noise

    def step(self, n, ranks, factor=1):
        return predict(self.law.shares(n, ranks), ranks, self.costs, self.network.times_latency(factor), self.noise)

    def weak(self, n, ranks, factor=1):
        return self.step(n, 1).total / self.step(n, ranks, factor).total

    def strong(self, elements, ranks, factor=1):
        return self.step(elements, 1).total / ranks / self.step(elements / ranks, ranks, factor).total


def print_prediction(prediction, ranks):
    print(f"\non {ranks} ranks: the step [us], and efficiency at latency x {', x '.join(map(str, LATENCY_FACTORS))}")
    print("  elements a rank  elements  nodes    halo  reduction  total  efficiency")
    for n in sorted({*WEAK, *(elements / ranks for elements in STRONG)}):
        step = prediction.step(n, ranks)
        efficiency = " ".join(f"{prediction.weak(n, ranks, factor):6.3f}" for factor in LATENCY_FACTORS)
        print(f"{n:17.0f} {1e6 * step.elements:9.1f} {1e6 * step.nodes:6.1f} {1e6 * step.halo:7.1f} "
              f"{1e6 * step.reduction:10.1f} {1e6 * step.total:6.0f}  {efficiency}")


def draw(prediction, most_ranks, path):
    ranks = [2**k for k in range(most_ranks.bit_length()) if 2**k < most_ranks] + [most_ranks]
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    for axes, efficiency, sizes, title in ((panels[0], prediction.weak, WEAK, "weak: elements a rank"),
                                           (panels[1], prediction.strong, STRONG, "strong: elements in all")):
        for size in sizes:
            low, middle, high = ([efficiency(size, p, factor) for p in ranks] for factor in reversed(LATENCY_FACTORS))
            line, = axes.plot(ranks, middle, label=f"$10^{{{len(str(size)) - 1}}}$")
            axes.fill_between(ranks, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
        axes.set(title=title, xlabel="ranks", xscale="log", ylim=(0, 1.05))
        axes.grid(alpha=0.3)
        axes.legend(loc="lower left")
    panels[0].set_ylabel(f"efficiency; band: latency x {LATENCY_FACTORS[0]} ... {LATENCY_FACTORS[-1]}")
    save(figure, path, dpi=90)


def main():
    args = arguments()
    timed = [row for table in args.tables for row in read_table(table)]
    counted = [row for row in timed + [row for table in args.counts for row in read_table(table)] if row["ranks"] > 1]
    if not counted or all(row["ranks"] > 1 for row in timed):
        sys.exit(f"{' '.join(args.tables)}: expected runs on one rank and on several")
    law = SurfaceLaw(counted)
    target = Network(args.latency, args.overhead, args.bandwidth)
    here = read_network(args.network) if args.network else target
    print(f"messages here: latency {here.latency * 1e6:.2f} us, overhead {here.overhead * 1e6:.2f} us, "
          f"{here.bandwidth / 1e9:.2f} GB/s, copying {here.copying * 1e9:.2f} ns/byte")
    target.copying = here.copying
    print_counts(law, counted)
    print_times(law, timed, here)
    prediction = Prediction(law, Costs(timed), target, args.noise)
    print_prediction(prediction, args.ranks)
    if args.cracking:
        cracking = print_cracking(law, read_table(args.cracking), here)
        print_cracking_prediction(prediction, cracking, args.ranks)
    draw(prediction, args.ranks, args.o)


if __name__ == "__main__":
    main()
