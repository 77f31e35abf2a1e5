#!/usr/bin/env python3
"""What `score` says against the same figures worked out plainly here.

  check_score.py points FILE COUNT SEED        random places in a square of 500 m
  check_score.py measure LEVELS OUT SEED KIND  measurements: predicted losses (or powers) plus known errors, two routes
  check_score.py figures JSON LEVELS MEASUREMENTS KIND X,Y,H MHZ
  check_score.py table CSV JSON                every point's error and the figures they add up to
"""
import csv
import json
import math
import random
import statistics
import sys

NEAR = 2e-3  # tables of levels have three decimals


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def make_points(path, count, seed):
    random.seed(int(seed))
    with open(path, "w", encoding="utf-8") as file:
        file.write("name,x,y,height_m\n")
        for i in range(int(count)):
            file.write(f"p{i},{random.uniform(20, 500):.2f},{random.uniform(20, 500):.2f},1.5\n")


def make_measurements(levels, path, seed, kind):
    random.seed(int(seed))
    column = "path_loss_db" if kind == "loss" else "received_power_dbm"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"x,y,height_m,{'loss_db' if kind == 'loss' else 'power_dbm'},route\n")
        for i, row in enumerate(read(levels)):
            error = random.gauss(2.0, 6.0)
            value = float(row[column] or "100") + (error if kind == "loss" else -error)
            file.write(f"{row['x']},{row['y']},1.5,{value:.3f},{'north' if i % 3 else 'south'}\n")


def figures(measured, predicted):
    errors = [m - p for m, p in zip(measured, predicted)]
    n = len(errors)
    mean = sum(errors) / n
    made = {
        "compared": n,
        "mean_db": mean,
        "rmse_db": math.sqrt(sum(e * e for e in errors) / n),
        "standard_deviation_db": statistics.stdev(errors),
        "median_absolute_db": statistics.median(abs(e) for e in errors),
    }
    a, b = statistics.fmean(measured), statistics.fmean(predicted)
    over = sum((m - a) * (p - b) for m, p in zip(measured, predicted))
    under = math.sqrt(sum((m - a) ** 2 for m in measured) * sum((p - b) ** 2 for p in predicted))
    made["correlation"] = over / under if under > 1e-6 else None
    return made


def expect(what, said, wanted, near=NEAR):
    for key, value in wanted.items():
        is_same = said[key] is None if value is None else said[key] is not None and abs(said[key] - value) <= near
        if not is_same:
            sys.exit(f"{what}: {key} is {said[key]}, expected {value}")


def find(score, model, fitted_on, kind, name):
    for one in score["models"]:
        if one["name"] == model and one["fitted_on"] == fitted_on:
            for group in one["groups"]:
                if group["kind"] == kind and group["name"] == name:
                    return group
    sys.exit(f"no {model} ({fitted_on}) in {kind} {name}")


def check_figures(json_path, levels_path, measurements_path, kind, place, frequency_mhz):
    score = json.load(open(json_path, encoding="utf-8"))
    tx = [float(word) for word in place.split(",")]
    column = "path_loss_db" if kind == "loss" else "received_power_dbm"
    rows = [
        (level, measured)
        for level, measured in zip(read(levels_path), read(measurements_path))
        if level["path_loss_db"] != ""
    ]
    total = len(read(measurements_path))
    eirp = 40.0  # of the powers, by an antenna that is the same in all directions
    predicted = [float(level[column]) if kind == "loss" else eirp - float(level[column]) for level, _ in rows]
    measured = [float(m["loss_db"]) if kind == "loss" else eirp - float(m["power_dbm"]) for _, m in rows]
    distance = [math.hypot(float(m["x"]) - tx[0], float(m["y"]) - tx[1], 1.5 - tx[2]) for _, m in rows]
    wavelength = 299792458.0 / (float(frequency_mhz) * 1e6)
    free = [20 * math.log10(4 * math.pi * d / wavelength) for d in distance]
    method = score["method"]
    expect("all", find(score, method, None, "all", "all"), figures(measured, predicted))
    if find(score, method, None, "all", "all")["measurements"] != total:
        sys.exit("measurements without a value are not counted")
    if score["left_out"]["inside a building"] != total - len(rows):
        sys.exit(f"{score['left_out']} are left out, expected {total - len(rows)} inside")
    for route in ("north", "south"):
        at = [i for i, (_, m) in enumerate(rows) if m["route"] == route]
        wanted = figures([measured[i] for i in at], [predicted[i] for i in at])
        expect(route, find(score, method, None, "route", route), wanted)
    here = "these points"
    mean = statistics.fmean(measured)
    offset = mean - statistics.fmean(free)
    slope, start = statistics.linear_regression([math.log10(d) for d in distance], measured)
    line = [start + slope * math.log10(d) for d in distance]
    expect("free space", find(score, "free space", None, "all", "all"), figures(measured, free))
    expect("constant", find(score, "constant", here, "all", "all"), figures(measured, [mean] * len(rows)))
    expect("offset", find(score, "free space + offset", here, "all", "all"), figures(measured, [f + offset for f in free]))
    expect("log-distance", find(score, "log-distance", here, "all", "all"), figures(measured, line))
    counts = [find(score, method, None, "sight", name)["compared"] for name in ("line of sight", "no line of sight")]
    if sum(counts) != len(rows):
        sys.exit(f"{counts} in sight and not, expected {len(rows)} together")
    mechanisms = [g["compared"] for g in score["models"][0]["groups"] if g["kind"] == "mechanism"]
    if mechanisms and sum(mechanisms) != len(rows):
        sys.exit(f"mechanisms have {mechanisms}, expected {len(rows)} together")


def check_table(csv_path, json_path):
    score = json.load(open(json_path, encoding="utf-8"))
    rows = read(csv_path)
    used = [row for row in rows if row["left_out"] == ""]
    column = score["method"].replace("-", "_") + "_db"
    for row in used:
        if abs(float(row["measured_db"]) - float(row[column]) - float(row["error_db"])) > NEAR:
            sys.exit(f"the error of {row} is not the difference")
        if (row["mechanism"] == "direct") != (row["in_sight"] == "1") and column == "shadow_db":
            sys.exit(f"{row} is direct without sight, or the other way round")
    if len(rows) != score["measurements"]:
        sys.exit(f"{len(rows)} rows, expected {score['measurements']}")
    wanted = figures([float(row["measured_db"]) for row in used], [float(row[column]) for row in used])
    expect("table", find(score, score["method"], score["models"][0]["fitted_on"], "all", "all"), wanted)
    for name, sight in (("line of sight", "1"), ("no line of sight", "0")):
        part = [row for row in used if row["in_sight"] == sight]
        wanted = figures([float(row["measured_db"]) for row in part], [float(row[column]) for row in part])
        expect(name, find(score, score["method"], score["models"][0]["fitted_on"], "sight", name), wanted)


if __name__ == "__main__":
    {"points": make_points, "measure": make_measurements, "figures": check_figures, "table": check_table}[sys.argv[1]](
        *sys.argv[2:]
    )
