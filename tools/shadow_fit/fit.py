#!/usr/bin/env python3
"""Fit the coefficients of the method `shadow` to losses of `images`.

Reads for each case CASE.paths (written by shadow_paths: the paths to each receiver) and CASE.csv (the losses that
`radiocity predict --method images --points` wrote), fits on the cases before '--test', reports on all. Alternates between
choosing the strongest path of each receiver and bounded least squares over the chosen, errors above 8 dB weighing less
(Huber). Needs nothing but Python.

    fit.py CASE... [--test CASE...]
"""
import csv
import math
import sys

NAMES = ["line-of-sight-offset-db"] + [
    f"{law}-{term}"
    for law, event in (("corner", "corner"), ("roof", "roof-edge"))
    for law, term in ((law, "path-db"), (event, "db"), (event, "db-per-decade"), (event, "db-per-rad"), (event, "db-per-rad2"))
]
FIRST = {"corner": 1, "roof": 6}  # place of a law's terms
WIDEST = {"corner": math.pi, "roof": 0.5 * math.pi}  # up to this angle a law must not fall
BOUNDED = {3, 4, 5, 8, 9, 10}  # terms not below 0, the square counted from the least that keeps the law growing
HUBER_DB = 8.0
START = [0.0, 5.0, 3.0, 3.0, 5.0, 1.0, 5.0, 0.0, 4.0, 10.0, 0.0]


class Receiver:
    """Its paths as (mechanism, free space, terms of the law), and what images says."""

    def __init__(self, truth_db):
        self.truth_db = truth_db
        self.paths = []


def read_case(case):
    with open(case + ".csv", encoding="utf-8") as file:
        truth = [row["path_loss_db"] for row in csv.DictReader(file)]
    receivers = []
    with open(case + ".paths", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            index = int(row["receiver"])
            while len(receivers) <= index:
                text = truth[len(receivers)]
                receivers.append(Receiver(float(text) if text else math.nan))
            if row["mechanism"] == "none":
                continue
            terms = [float(row[name]) for name in ("turns", "log_kl_sum", "angle_sum_rad", "angle_square_sum_rad2")]
            receivers[index].paths.append((row["mechanism"], float(row["free_space_db"]), terms))
    return receivers


def row_of(mechanism, terms):
    row = [0.0] * len(NAMES)
    if mechanism == "direct":
        row[0] = 1.0
    else:
        first = FIRST[mechanism]
        row[first : first + 5] = [1.0] + terms
    return row


def strongest(receiver, law):
    """(loss, mechanism, free space, row) of the strongest path, or None."""
    best = None
    for mechanism, free_db, terms in receiver.paths:
        row = row_of(mechanism, terms)
        excess = sum(a * b for a, b in zip(row, law))
        loss = free_db + (excess if mechanism == "direct" else max(excess, 0.0))
        if best is None or loss < best[0]:
            best = (loss, mechanism, free_db, row)
    return best


def solve(matrix, right):
    """Gauss with pivots."""
    n = len(right)
    rows = [matrix[i][:] + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, n):
            part = rows[k][i] / rows[i][i]
            for j in range(i, n + 1):
                rows[k][j] -= part * rows[i][j]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def least_squares(rows, values, weights):
    """With bounds: terms that would fall below theirs stay on it."""
    n = len(NAMES)
    turned = []
    for row in rows:  # square = u - linear / (2 widest), u not below 0
        row = row[:]
        for kind, first in FIRST.items():
            row[first + 3] -= row[first + 4] / (2.0 * WIDEST[kind])
        turned.append(row)
    normal = [[sum(w * r[i] * r[j] for r, w in zip(turned, weights)) for j in range(n)] for i in range(n)]
    right = [sum(w * r[i] * v for r, v, w in zip(turned, values, weights)) for i in range(n)]
    for i in range(n):
        normal[i][i] += 1e-4
    held = set()
    while True:
        free = [i for i in range(n) if i not in held]
        part = solve([[normal[i][j] for j in free] for i in free], [right[i] for i in free])
        x = [0.0] * n
        for i, value in zip(free, part):
            x[i] = value
        below = [i for i in free if i in BOUNDED and x[i] < -1e-9]
        if not below:
            break
        held.add(min(below, key=lambda i: x[i]))
    for kind, first in FIRST.items():
        x[first + 4] -= x[first + 3] / (2.0 * WIDEST[kind])
    return x


def fit(receivers):
    law = START[:]
    for _ in range(100):
        rows, values, weights = [], [], []
        for receiver in receivers:
            best = strongest(receiver, law)
            if best is None or math.isnan(receiver.truth_db):
                continue
            error = abs(receiver.truth_db - best[0])
            rows.append(best[3])
            values.append(receiver.truth_db - best[2])
            weights.append(1.0 if error < HUBER_DB else HUBER_DB / error)
        found = least_squares(rows, values, weights)
        step = max(abs(a - b) for a, b in zip(found, law))
        law = [0.6 * a + 0.4 * b for a, b in zip(law, found)]
        if step < 5e-3:
            break
    return law


def describe(errors):
    mean = sum(errors) / len(errors)
    spread = math.sqrt(sum((e - mean) ** 2 for e in errors) / len(errors))
    return f"{len(errors)}: mean {mean:+.1f}, sd {spread:.1f} dB"


def report(name, receivers, law):
    errors, without_path, none = {}, 0, 0
    for receiver in receivers:
        best = strongest(receiver, law)
        without_path += math.isnan(receiver.truth_db)
        none += best is None
        if best is not None and not math.isnan(receiver.truth_db):
            for key in (best[1], "all"):
                errors.setdefault(key, []).append(best[0] - receiver.truth_db)
    words = "; ".join(f"{key} {describe(errors[key])}" for key in ("direct", "corner", "roof", "all") if key in errors)
    print(f"{name}: {words}; {without_path} without a path in images, {none} without a path")


def main(words):
    tests = words[words.index("--test") + 1 :] if "--test" in words else []
    cases = words[: words.index("--test")] if "--test" in words else words
    if not cases:
        sys.exit(__doc__)
    trained = {case: read_case(case) for case in cases}
    everyone = [receiver for receivers in trained.values() for receiver in receivers]
    law = [round(value, 2) for value in fit(everyone)]
    for name, value in zip(NAMES, law):
        print(f"{name} {value:g}")
    for case, receivers in trained.items():
        report(case, receivers, law)
    report("all fitted", everyone, law)
    for case in tests:
        report("test " + case, read_case(case), law)


if __name__ == "__main__":
    main(sys.argv[1:])
