"""How sure the difference of two methods is, and what neither of them can know: a bootstrap over pieces of route or over
transmitters, the correlation of their errors, and what measurements a few metres apart differ by."""
import csv
import os

import numpy

from measured import LEVELS, units_of

PIECE_M = 200.0  # of route, drawn together
NEAR_M = 10.0
DRAWS = 4000
SEED = 3
NEAR_MIN = 30  # pairs, to say what they differ by


def read_points(program, case, name, method):
    """The compared points that measured.py has left, None where there are none."""
    path = os.path.join(program.folder, f"{case['name']}-{name}-{method}-points.csv")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if not row["left_out"]]


def errors_of(points, method):
    column = next(name for name in points[0] if LEVELS.match(name) and name == f"{method.replace('-', '_')}_db")
    return numpy.array([float(row["measured_db"]) - float(row[column]) for row in points])


def groups_of(case, points):
    """What is drawn together: a transmitter where they are many, else a piece of route."""
    if case["own_offset"]:
        names = [row["transmitter"] for row in points]
    else:
        names = [(row["route"], int(float(row["travelled_m"]) // PIECE_M)) for row in points]
    places = {}
    for i, name in enumerate(names):
        places.setdefault(name, []).append(i)
    return [numpy.array(group) for group in places.values()]


def deviation(errors, groups, own_offset):
    """The figure of the tables: of all, or of each transmitter, averaged."""
    if own_offset:
        return float(numpy.mean([errors[group].std(ddof=1) for group in groups]))
    return float(errors[numpy.concatenate(groups)].std(ddof=1))


def near_deviation(points):
    """Standard deviation of a measurement about others of the same transmitter within NEAR_M on other stretches of route,
    and the number of pairs. No map at this scale tells them apart."""
    squares = []
    for name in dict.fromkeys(row["transmitter"] for row in points):
        of = [row for row in points if row["transmitter"] == name]
        x, y, along, level = (numpy.array([float(row[key]) for row in of]) for key in ("x", "y", "travelled_m", "measured_db"))
        route = numpy.unique([row["route"] for row in of], return_inverse=True)[1]
        for i in range(len(of)):
            near = numpy.hypot(x[i + 1:] - x[i], y[i + 1:] - y[i]) < NEAR_M
            other = (route[i + 1:] != route[i]) | (numpy.abs(along[i + 1:] - along[i]) > 5.0 * NEAR_M)
            squares += list((level[i + 1:] - level[i])[near & other] ** 2 / 2.0)
    return (float(numpy.sqrt(numpy.mean(squares))) if len(squares) >= NEAR_MIN else None), len(squares)


def compare(case, name, method, points, other_points):
    groups = groups_of(case, points)
    errors, others = errors_of(points, method), errors_of(other_points, "shadow")
    both = 0.5 * (errors + others)
    if case["own_offset"]:
        for group in groups:
            errors[group] -= errors[group].mean()
            others[group] -= others[group].mean()
    random = numpy.random.default_rng(SEED)
    drawn = []
    for _ in range(DRAWS):
        chosen = [groups[i] for i in random.integers(0, len(groups), len(groups))]
        drawn.append(deviation(errors, chosen, case["own_offset"]) - deviation(others, chosen, case["own_offset"]))
    near_db, pair_count = near_deviation(points)
    low_db, high_db = numpy.percentile(drawn, [2.5, 97.5])
    return {"set": case["name"], "transmitter": name, "method": method, "groups": len(groups),
            "sd": deviation(errors, groups, case["own_offset"]), "other_sd": deviation(others, groups, case["own_offset"]),
            "low_db": float(low_db), "high_db": float(high_db), "both_sd": deviation(both, groups, case["own_offset"]),
            "correlation": float(numpy.corrcoef(errors, others)[0, 1]), "near_sd": near_db, "pairs": pair_count}


def measure(program, cases, scenes):
    """Rows of (set, transmitter, method): its difference from shadow on the points that measured.py has scored."""
    rows = []
    for case in cases.sets:
        for name, _ in units_of(case) if scenes.get(case["name"]) else []:
            for method in case["also"]:
                points, others = (read_points(program, case, name, word) for word in (method["name"], "shadow"))
                if points and others and len(points) == len(others):
                    rows.append(compare(case, name, method["name"], points, others))
    return rows
