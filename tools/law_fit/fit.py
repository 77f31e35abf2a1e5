#!/usr/bin/python3
"""Fits the five numbers of the diffuse path of `shadow` to measurements and to site-general models together.

  tools/law_fit/fit.py [--program FILE] [--paths FILE] [--out FOLDER] [--again] [--only-all] [--teacher WEIGHT]

  --program FILE  the radiocity whose losses on the map are used; build/release/radiocity unless given
  --paths FILE    shadow_paths of tools/shadow_fit; build/release/shadow_paths unless given
  --out FOLDER    where inputs are kept between runs; build/law_fit unless given
  --again         collect inputs again (some minutes)
  --only-all      nothing is left out
  --teacher W     medians of `tiles` where scattering brings most power count too, with this weight; 0 unless given
First all sets together, then each left out in turn: what the others ask for, and how that does where it was left out.
Sets are the cases of tools/accuracy; measurements come from RADIOCITY_DATA."""
import argparse
import os
import pickle
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ACCURACY = os.path.join(ROOT, "tools", "accuracy")
sys.path[:0] = [HERE, ACCURACY]
sys.dont_write_bytecode = True

import numpy

import law
from accuracy import find_data, make_scenes
from cases import Cases
from inputs import Inputs
from laws import make_demo
from program import Program

START = (24.0, 80.0, 8.0, 0.65, 400.0)
STEP = (2.0, 10.0, 2.0, -0.1, 100.0)
LEAST, MOST = (5.0, 5.0, 1.0, 0.0, 100.0), (40.0, 300.0, 45.0, 1.0, 3000.0)
# How much errors weigh: a transmitter's level is off by some 4 dB whatever the law; a good standard deviation is 4 dB, on the
# campus 6; medians count by how far they lie outside of the models' span and 2.9 dB more, those in sight less.
LEVEL_DB, DEVIATION_DB, CAMPUS_DB, CAMPUS_WEIGHT, SPAN_DB, HIDDEN_WEIGHT, SEEN_WEIGHT = 4.0, 4.0, 6.0, 6.0, 2.9, 16.0, 0.1
TAUGHT_DB = 4.0  # a good difference from a median of `tiles`
TAUGHT_MOST_DB = 40.0  # beyond free space: what is darker takes more than one scattering, which tiles have not
DOUBT = law.NAMES.index("map-doubt")


def errors_of(entry, numbers):
    at = entry["at"]
    return at["measured_db"] - law.loss_db(at, entry["frequency_mhz"], at["map_db"], numbers)


def outside_of(entry, numbers, span_db):
    """How far the median of each ring lies outside of the models' span."""
    found = []
    for frequency_mhz, map_db in entry["map_db"].items():
        losses = law.loss_db(entry["at"], frequency_mhz, map_db, numbers)
        for ring in numpy.unique(entry["rings"]):
            models = [model[int(ring)] for model in entry["models_db"][frequency_mhz].values()]
            median = float(numpy.nanmedian(losses[entry["rings"] == ring]))
            found.append(max(min(models) - span_db - median, median - max(models) - span_db, 0.0))
    return found


def taught_of(entry, numbers):
    """Medians of `tiles` less those of the law without doubt, for tiles believe the map: in rings where scattering decides
    at five receivers or more."""
    found = []
    for frequency_mhz, tiles_db in entry["tiles_db"].items():
        losses = law.loss_db(entry["at"], frequency_mhz, entry["map_db"][frequency_mhz],
                             [0.0 if i == DOUBT else number for i, number in enumerate(numbers)])
        for ring in numpy.unique(entry["rings"]):
            chosen = (entry["rings"] == ring) & numpy.isfinite(tiles_db)
            if chosen.sum() < 5:
                continue
            excess_db = numpy.median(tiles_db[chosen] - law.free_db(entry["at"], frequency_mhz)[chosen])
            if excess_db < TAUGHT_MOST_DB:
                found.append(float(numpy.median(tiles_db[chosen]) - numpy.median(losses[chosen])))
    return found


def cost_of(data, numbers, teacher=0.0):
    if any(not low <= number <= high for low, number, high in zip(LEAST, numbers, MOST)):
        return numpy.inf
    cost, campus = 0.0, []
    for entry in data["measured"]:
        errors = errors_of(entry, numbers)
        if entry["own_offset"]:
            campus.append(errors.std())
        else:
            cost += (errors.mean() / LEVEL_DB) ** 2 + (errors.std() / DEVIATION_DB) ** 2
    if campus:
        cost += CAMPUS_WEIGHT * (numpy.mean(campus) / CAMPUS_DB) ** 2
    for sight, weight in (("nlos", HIDDEN_WEIGHT), ("los", SEEN_WEIGHT)):
        outside = [value for entry in data["cities"] if entry["sight"] == sight
                   for value in outside_of(entry, numbers, SPAN_DB)]
        if outside:
            cost += weight * numpy.mean(numpy.square(outside))
    taught = [value for entry in data["cities"] for value in taught_of(entry, numbers)] if teacher > 0.0 else []
    if taught:
        cost += teacher * numpy.mean(numpy.square(taught)) / TAUGHT_DB ** 2
    return cost


def descend(function, start, step, rounds=150):
    """Nelder and Mead's simplex."""
    points = [numpy.array(start)] + [numpy.array(start) + step[i] * numpy.eye(len(start))[i] for i in range(len(start))]
    values = [function(point) for point in points]
    for _ in range(rounds):
        order = numpy.argsort(values)
        points, values = [points[i] for i in order], [values[i] for i in order]
        if values[-1] - values[0] < 1e-4:
            break
        middle = numpy.mean(points[:-1], axis=0)
        mirrored = 2.0 * middle - points[-1]
        value = function(mirrored)
        if value < values[0]:
            farther = 3.0 * middle - 2.0 * points[-1]
            value_farther = function(farther)
            points[-1], values[-1] = (farther, value_farther) if value_farther < value else (mirrored, value)
        elif value < values[-2]:
            points[-1], values[-1] = mirrored, value
        else:
            nearer = 0.5 * (middle + (mirrored if value < values[-1] else points[-1]))
            value_nearer = function(nearer)
            if value_nearer < min(value, values[-1]):
                points[-1], values[-1] = nearer, value_nearer
            else:
                points = [points[0]] + [0.5 * (point + points[0]) for point in points[1:]]
                values = [values[0]] + [function(point) for point in points[1:]]
    return points[int(numpy.argmin(values))]


def without(data, name):
    if name == "models":  # what tiles say of the cities stays
        return {**data, "cities": [{**entry, "sight": ""} for entry in data["cities"]]}
    return {"measured": [entry for entry in data["measured"] if name not in (entry["set"], entry["name"])],
            "cities": [entry for entry in data["cities"] if name != entry["city"]]}


def only(data, name):
    if name == "models":
        return {"measured": [], "cities": data["cities"]}
    left = without(data, name)
    return {part: [entry for entry in data[part] if not any(entry is kept for kept in left[part])] for part in data}


def report(data, numbers):
    words = []
    for entry in data["measured"]:
        if not entry["own_offset"]:
            errors = errors_of(entry, numbers)
            words.append(f"{entry['name']} mean {errors.mean():.1f} sd {errors.std():.1f}")
    campus = [errors_of(entry, numbers).std() for entry in data["measured"] if entry["own_offset"]]
    if campus:
        words.append(f"own constants: sd {numpy.mean(campus):.2f}")
    for sight, label in (("nlos", "hidden"), ("los", "in sight")):
        outside = [value for entry in data["cities"] if entry["sight"] == sight for value in outside_of(entry, numbers, 3.0)]
        if outside:
            count = sum(value > 0.0 for value in outside)
            words.append(f"{label}: {count} of {len(outside)} rings outside, farthest {max(outside):.1f} dB")
    taught = numpy.array([value for entry in data["cities"] for value in taught_of(entry, numbers)])
    if taught.size > 0:
        words.append(f"tiles less law: {taught.size} rings, mean {taught.mean():.1f} sd {taught.std():.1f} dB")
    return "; ".join(words)


def check_law(data, program):
    """The arrays must say what the program says with its own numbers."""
    notes = make_demo(program).notes
    numbers = [float(notes[name.replace("-", "_")]) for name in law.NAMES]
    worst = max(numpy.abs(law.loss_db(entry["at"], entry["frequency_mhz"], entry["at"]["map_db"], numbers) -
                          entry["at"]["program_db"]).max() for entry in data["measured"])
    if worst > 0.05:
        raise SystemExit(f"law_fit: law.py is {worst:.2f} dB off the program's law; mend it, or collect --again")
    return numbers


def collect(given):
    cases, skipped = Cases(os.path.join(ACCURACY, "cases.txt"), find_data()), []
    program = Program(given.program, os.path.join(os.path.abspath(given.out), "work"))
    path = os.path.join(program.folder, "inputs.pickle")
    if given.again or not os.path.exists(path):
        inputs = Inputs(program, os.path.abspath(given.paths), cases, make_scenes(program, cases, skipped))
        for text in skipped:
            print(f"SKIPPED: {text}")
        data = {"measured": inputs.measured(), "cities": [entry for entry in inputs.cities() if entry is not None]}
        with open(path, "wb") as file:
            pickle.dump(data, file)
    with open(path, "rb") as file:
        return program, pickle.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "release", "radiocity"))
    parser.add_argument("--paths", default=os.path.join(ROOT, "build", "release", "shadow_paths"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "law_fit"))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only-all", action="store_true")
    parser.add_argument("--teacher", type=float, default=0.0)
    given = parser.parse_args()
    program, data = collect(given)
    numbers = check_law(data, program)
    print(f"{'':24}" + "  ".join(f"{name:>20}" for name in law.NAMES))

    def show(label, values, told):
        print(f"{label:24}" + "  ".join(f"{value:20.2f}" for value in values) + f"\n    {told}", flush=True)

    show("defaults", numbers, report(data, numbers))
    fitted = descend(lambda values: cost_of(data, values, given.teacher), START, STEP)
    show("all", fitted, report(data, fitted))
    names = [] if given.only_all else [
        *dict.fromkeys(name for entry in data["measured"]
                       for name in (entry["set"], "" if entry["own_offset"] else entry["name"]) if name),
        *dict.fromkeys(entry["city"] for entry in data["cities"]), "models"]
    for name in names:
        rest = without(data, name)
        values = descend(lambda tried: cost_of(rest, tried, given.teacher), START, STEP)
        left_out = only(data, name)
        show(f"without {name}", values, "there: " + report(left_out, values))


if __name__ == "__main__":
    main()
