"""What an explicit step costs on many ranks. The model, its assumptions and how well it holds: docs/scaling.md."""
import json
import math
import sys
from dataclasses import dataclass
from statistics import NormalDist

from number_table import read_numbers

import numpy as np

BYTES_OF_GHOST = 48     # position and velocity
BYTES_OF_FLAGS = 120    # what a step without obstacles tells all ranks


def read_table(path):
    """Rows of jobs/scaling."""
    return read_numbers(path, ("ranks", "elements", "nodes", "held_elements", "imbalance"))


def fit(measured, *columns):
    """Coefficients with the least relative squares: small shares count as much as large ones."""
    measured = np.asarray(measured, float)
    return np.linalg.lstsq(np.stack(columns, 1) / measured[:, None], np.ones(len(measured)), rcond=None)[0]


class Bricks:
    """A cube cut into equal bricks, one a rank, as near to cubes as their number allows."""

    def __init__(self, ranks):
        self.sides = min(((i, j, ranks // i // j) for i in range(1, round(ranks ** (1 / 3)) + 1) if ranks % i == 0
                          for j in range(i, math.isqrt(ranks // i) + 1) if ranks // i % j == 0), key=sum)
        # A face across an axis, in units of the volume of a brick to the power 2/3.
        faces = [side * ranks ** (-1 / 3) for side in self.sides]
        self.mean_border = sum(face * 2 * (1 - 1 / side) for face, side in zip(faces, self.sides))
        self.most_border = sum(face * min(2, side - 1) for face, side in zip(faces, self.sides))
        self.mean_neighbours = math.prod(3 - 2 / side for side in self.sides) - 1
        self.most_neighbours = math.prod(min(3, side) for side in self.sides) - 1


@dataclass
class Shares:
    """What ranks hold and send: the mean, and that of the rank that has most."""
    held: float
    most_held: float
    most_nodes: float
    ghosts: float
    most_ghosts: float
    messages: float
    most_messages: float


class SurfaceLaw:
    """Ghosts and elements computed twice lie on the borders of the bricks; the coefficients are fitted to counts."""

    def __init__(self, rows):
        rows = [row for row in rows if row["ranks"] > 1]
        bricks = [Bricks(int(row["ranks"])) for row in rows]
        ranks, elements, held, ghosts, most_ghosts, messages, most_messages, imbalance = (
            np.array([row[key] for row in rows]) for key in ("ranks", "elements", "held_elements", "ghosts", "most_ghosts",
                                                             "messages", "most_neighbours", "imbalance"))
        n = elements / ranks
        mean, most = (np.array([getattr(b, name) for b in bricks]) for name in ("mean_border", "most_border"))
        self.ghosts = fit(ghosts / ranks, n ** (2 / 3) * mean, n ** (1 / 3) * mean)
        self.most_ghosts = fit(most_ghosts, n ** (2 / 3) * most, n ** (1 / 3) * most)
        self.copies = fit((held - elements) / ranks, n ** (2 / 3) * mean)
        self.most_held = fit(imbalance * held / ranks, n, n ** (2 / 3) * most)
        self.messages = fit(messages / ranks, np.array([b.mean_neighbours for b in bricks]))
        self.most_messages = fit(most_messages, np.array([b.most_neighbours for b in bricks]))
        self.nodes_per_element = sum(row["nodes"] for row in rows) / sum(row["elements"] for row in rows)

    def shares(self, n, ranks):
        """Of a mesh of n elements for each rank."""
        if ranks == 1:
            return Shares(n, n, self.nodes_per_element * n, 0, 0, 0, 0)
        bricks, area, edge = Bricks(ranks), n ** (2 / 3), n ** (1 / 3)
        ghosts = self.ghosts @ (area, edge) * bricks.mean_border
        most_ghosts = self.most_ghosts @ (area, edge) * bricks.most_border
        fullness = self.most_held[0]   # of elements that are no copies, over the mean
        return Shares(held=n + self.copies[0] * area * bricks.mean_border,
                      most_held=fullness * n + self.most_held[1] * area * bricks.most_border,
                      most_nodes=fullness * self.nodes_per_element * n + most_ghosts,
                      ghosts=ghosts, most_ghosts=most_ghosts, messages=self.messages[0] * bricks.mean_neighbours,
                      most_messages=self.most_messages[0] * bricks.most_neighbours)


@dataclass
class Network:
    latency: float        # of a message, or of many at once [s]
    overhead: float       # a processor's time for a message sent and one received [s]
    bandwidth: float      # of a rank, each way [bytes/s]
    copying: float = 0    # into messages and out of them [s/byte]

    def times_latency(self, factor):
        return Network(factor * self.latency, self.overhead, self.bandwidth, self.copying)


def read_network(path):
    """As bench/network_bench measured it."""
    try:
        with open(path) as file:
            runs = json.load(file)["benchmarks"]
    except OSError as error:
        sys.exit(f"{path}: cannot read it: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path}: expected what bench/network_bench writes in JSON, with benchmarks")
    seconds, size, messages = ({name: np.array([run.get(key, 0) for run in runs if run["name"].startswith(name)])
                                for name in ("both_ways", "motion_exchange")} for key in ("real_time", "bytes", "messages"))
    one = np.ones(len(size["both_ways"]))
    per_byte = fit(seconds["both_ways"] * 1e-9, one, size["both_ways"])[1]
    one = np.ones(len(size["motion_exchange"]))
    latency, overhead, copied = fit(seconds["motion_exchange"] * 1e-9, one, messages["motion_exchange"],
                                    size["motion_exchange"])
    return Network(latency, overhead, 1 / per_byte, max(0, copied - per_byte))


class Costs:
    """Seconds an element and a node of one rank, by the size of the mesh: large ones leave the cache."""

    def __init__(self, rows):
        rows = sorted((row for row in rows if row["ranks"] == 1), key=lambda row: row["elements"])
        self.size = np.log([row["elements"] for row in rows])
        solve = [row["solve"] / row["steps"] for row in rows]
        self.of_element = [row["ns_per_element_step"] * 1e-9 - s / row["elements"] for row, s in zip(rows, solve)]
        self.of_node = [s / row["nodes"] for row, s in zip(rows, solve)]

    def element(self, held):
        return np.interp(math.log(held), self.size, self.of_element)

    def node(self, held):
        return np.interp(math.log(held), self.size, self.of_node)


@dataclass
class Step:
    """Seconds."""
    elements: float
    nodes: float
    halo: float
    reduction: float

    @property
    def total(self):
        """The reduction moves on only inside MPI calls: beside the halo exchange, not beside computing."""
        return self.elements + self.nodes + max(self.halo, self.reduction)


def halo_seconds(messages, ghosts, network):
    """The network carries the first messages while the processor sends off the next; it does not copy meanwhile."""
    size = BYTES_OF_GHOST * ghosts
    return network.latency + max(network.overhead * messages, size / network.bandwidth) + network.copying * size


def reduction_seconds(ranks, network):
    """Down a binomial tree and up again."""
    return 2 * math.ceil(math.log2(ranks)) * (network.latency + network.overhead + BYTES_OF_FLAGS / network.bandwidth)


# What a failure check in which nodes are split takes: src/fracture/crack.hpp, and contact's list beside it. A reduction a
# round and four more is what collectives_test allows.
EXCHANGES_OF_ROUND, EXCHANGES_OF_CHECK, REDUCTIONS_OF_CHECK = 8, 4, 4


@dataclass
class Cracking:
    """How a body cracks, as one rank counted it: in its checks, and from the first of them on."""
    steps: float             # for each cracking check
    rounds: float            # of a cracking check
    events: float            # of a cracking check
    seconds_an_event: float  # remeshing and all of contact

    @staticmethod
    def of(row):
        checks = row["cracking_checks"]
        return Cracking(row["steps"] / checks, row["rounds"] / checks, row["fracture_events"] / checks,
                        (row["remesh"] + row["contact"]) / row["fracture_events"])


def check_seconds(cracking, events, messages, ranks, network):
    """Of a cracking check in which the busiest rank has so many events. Messages are short; all ranks wait for it."""
    if ranks == 1:
        return events * cracking.seconds_an_event
    exchanges = EXCHANGES_OF_ROUND * cracking.rounds + EXCHANGES_OF_CHECK
    return (events * cracking.seconds_an_event + exchanges * (network.latency + network.overhead * messages)
            + (cracking.rounds + REDUCTIONS_OF_CHECK) * reduction_seconds(ranks, network))


def slowest_of(ranks, noise):
    """Computing time of the slowest rank over the mean: the greatest of as many normal numbers (Blom 1958)."""
    return 1 + noise * NormalDist().inv_cdf((ranks - 0.375) / (ranks + 0.25))


def predict(shares, ranks, costs, network, noise=0.0):
    """Of the rank that has most. noise: standard deviation of the computing time of a step, relative."""
    slowest = slowest_of(ranks, noise)
    halo, reduction = (0, 0) if ranks == 1 else (halo_seconds(shares.most_messages, shares.most_ghosts, network),
                                                 reduction_seconds(ranks, network))
    return Step(slowest * costs.element(shares.most_held) * shares.most_held,
                slowest * costs.node(shares.most_held) * shares.most_nodes, halo, reduction)
