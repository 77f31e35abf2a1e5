"""What must hold without any measurement: the edge of sight, exchanged ends, raised masts, the largest loss."""
import csv
import os
import random

import numpy

from medians import find_mast
from program import read_map


def edge_steps(bands):
    """Hidden less visible loss of all pairs of neighbouring cells across the edge of sight."""
    loss_db, sight = bands["path_loss"], bands["line_of_sight"]
    steps = []
    for axis in (0, 1):
        first = [slice(None), slice(None)]
        second = [slice(None), slice(None)]
        first[axis], second[axis] = slice(None, -1), slice(1, None)
        first, second = tuple(first), tuple(second)
        for one, other in ((first, second), (second, first)):
            crossing = (sight[one] == 1) & (sight[other] == 0)
            difference = (loss_db[other] - loss_db[one])[crossing]
            steps.append(difference[numpy.isfinite(difference)])
    return numpy.concatenate(steps)


def measure_edges(program, cases, scenes, demo):
    rows = []
    for edge in cases.edges:
        scene, words = scenes.get(edge["name"]), edge["words"]
        if edge["name"] == "demo":
            scene, words = demo_words(program, demo)
        if scene is None:
            continue
        bands = program.map("--scene", scene, "--cell", 5, "--method", "shadow", *words)
        steps_db = edge_steps(bands)
        rows.append({"place": edge["name"], "count": int(steps_db.size), "median_db": float(numpy.median(steps_db)),
                     "low_db": float(numpy.percentile(steps_db, 10)), "high_db": float(numpy.percentile(steps_db, 90))})
    return rows


def make_demo(program):
    folder = os.path.join(program.folder, "demo")
    program.run("demo", "--folder", folder, "--quiet")
    return read_map(os.path.join(folder, "map.tif"))


def demo_words(program, demo):
    """The demo's scene, and its transmitter as words."""
    place = ",".join(demo.notes[name] for name in ("tx_x_m", "tx_y_m", "tx_height_m"))
    return (os.path.join(program.folder, "demo", "city.rcity"),
            ["--tx", place, "--frequency-mhz", demo.notes["frequency_mhz"]])


def largest_loss(demo):
    return {"largest_db": float(numpy.nanmax(demo["path_loss"])), "frequency_mhz": float(demo.notes["frequency_mhz"]),
            "median_db": float(numpy.nanmedian(demo["path_loss"]))}


def open_places(program, scene, count):
    """Random open places of a scene."""
    bands = program.map("--scene", scene, "--method", "free-space", "--tx", "0,0,500", "--frequency-mhz", 1000,
                        "--cell", 5)
    cells = numpy.argwhere(numpy.isfinite(bands["path_loss"])).tolist()
    return [bands.centre(row, column) for row, column in random.Random(11).sample(cells, count)]


def links_db(program, scene, method, senders, receivers, frequency_mhz):
    """Losses of links i: sender i, receiver i; all of them in one run."""
    sites = program.file(scene, method, "sites", senders[0], ending=".csv")
    points = program.file(scene, method, "points", senders[0], ending=".csv")
    levels = program.file(scene, method, "levels", senders[0], ending=".csv")
    with open(sites, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["site", "x", "y", "height_m", "frequency_mhz", "eirp_dbm"],
                                    *[[f"s{i}", x, y, h, frequency_mhz, 0] for i, (x, y, h) in enumerate(senders)]])
    with open(points, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["name", "x", "y", "height_m"],
                                    *[[f"p{i}", x, y, h] for i, (x, y, h) in enumerate(receivers)]])
    program.run("predict", "--scene", scene, "--method", method, "--sites", sites, "--points", points, "--quiet", "-o",
                levels)
    with open(levels, encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    return numpy.array([-float(row[f"received_power_dbm s{i}"] or "nan") for i, row in enumerate(table)])


def measure_exchange(program, cases, scenes):
    rows = []
    for case in cases.exchanges:
        scene = scenes.get(case["city"])
        if scene is None:
            continue
        places = open_places(program, scene, 2 * case["links"])
        low_m, high_m = case["heights_m"]
        one = [(x, y, high_m) for x, y in places[:case["links"]]]
        other = [(x, y, low_m) for x, y in places[case["links"]:]]
        there, back = program.each(lambda ends: links_db(program, scene, "shadow", *ends, case["frequency_mhz"]),
                                   [(one, other), (other, one)])
        difference_db = numpy.abs(there - back)
        difference_db = difference_db[numpy.isfinite(difference_db)]
        rows.append({"city": case["city"], "links": int(difference_db.size), "largest_db": float(difference_db.max()),
                     "above_count": int((difference_db > 0.1).sum()), "median_db": float(numpy.median(difference_db))})
    return rows


def measure_raise(program, cases, scenes):
    rows = []
    for case in cases.raises:
        scene = scenes.get(case["city"])
        if scene is None:
            continue
        place = next(city["mast"] for city in cases.cities if city["name"] == case["city"])
        x_m, y_m = find_mast(program, scene, place)
        heights_m = [case["mast_m"], *[case["mast_m"] + by_m for by_m in case["by_m"]]]
        words = ["--scene", scene, "--frequency-mhz", case["frequency_mhz"], "--cell", 5, "--method", "shadow"]
        maps = program.each(lambda height_m: program.map(*words, "--tx", f"{x_m},{y_m},{height_m:g}"), heights_m)
        before = maps[0]["path_loss"]
        for by_m, after in zip(case["by_m"], maps[1:]):
            change_db = (after["path_loss"] - before)[numpy.isfinite(before) & numpy.isfinite(after["path_loss"])]
            rows.append({"city": case["city"], "mast_m": case["mast_m"], "by_m": by_m,
                         "frequency_mhz": case["frequency_mhz"], "darker_share": float((change_db > 3.0).mean()),
                         "median_change_db": float(numpy.median(change_db))})
    return rows
