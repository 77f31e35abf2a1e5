"""What the law of `shadow` is fitted to: receivers with their losses on the map alone, what lies around them, and what was
measured there or what the site-general models say."""
import csv
import os
import random
import subprocess
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "accuracy"))
from laws import demo_words, make_demo
from measured import score, units_of, words_for
from medians import City

MAP_ALONE = ["--map-doubt", "0", "--diffuse-db", "80"]
RECEIVERS_PER_RING = 150


class Places:
    """Receivers of one transmitter: arrays with one element each, what `shadow_paths around` prints among them."""

    def __init__(self, group, columns):
        self.group = group
        self.columns = columns

    def __getattr__(self, name):
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name)


def around(program, paths_program, scene, tx, places):
    """What lies around receivers (x, y, height)."""
    asked = program.file("around", scene, tx, len(places), places[0], ending=".csv")
    with open(asked, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["x", "y", "height_m"], *places])
    done = subprocess.run([paths_program, "around", scene, ",".join(f"{word:.4f}" for word in tx), asked], check=True,
                          capture_output=True, text=True)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    return {name: numpy.array([float(row[name]) for row in rows]) for name in rows[0]}


def measured_inputs(program, paths_program, scene, case):
    """One group of receivers for each transmitter of a measured set."""
    found = []
    for name, transmitters in units_of(case):
        points = score(program, scene, case, words_for(program, case, transmitters, name),
                       ["--method", "shadow", "--extrapolate", *MAP_ALONE], name + "-map-alone")
        by_transmitter = {}
        for row in points:
            by_transmitter.setdefault(row["transmitter"], []).append(row)
        for transmitter, rows in by_transmitter.items():
            tx = transmitter_place(program, scene, case, transmitters, transmitter)
            places = [(row["x"], row["y"], row["height_m"]) for row in rows]
            columns = around(program, paths_program, scene, tx, places)
            columns["map_db"] = numpy.array([float(row["shadow_db"]) for row in rows])
            columns["measured_db"] = numpy.array([float(row["measured_db"]) for row in rows])
            columns["is_seen"] = numpy.array([row["in_sight"] == "1" for row in rows])
            columns["frequency_mhz"] = numpy.full(len(rows), float(rows[0]["frequency_mhz"]))
            found.append(Places({"set": case["name"], "transmitter": transmitter, "own_offset": case["own_offset"]}, columns))
    return found
