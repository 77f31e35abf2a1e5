"""Do the 95 % intervals that one half of a set's transmitters gives hold for what the other half finds?

The transmitters are split at random into halves, several times from each of two seeds: with the first ones methods are
chosen, the others are drawn afterwards and say what the choice is worth. Both halves of a split are calibrated. A
coefficient of one half is checked against the interval of the other. Coefficients that the measurements do not touch
stay where they start in both halves and are not counted. Two independent halves are expected to hold each other's
coefficients in 83 % (normal distributions of the same width: the difference is the root of 2 wider), so that 85 % asks
for intervals that are a little wider than those of a known variance, as Student's are."""
import json
import random

from measured import calibrate

SAME = 1e-6  # a coefficient that stays where it starts


def draw_splits(names, count, seed):
    """So many different splits into halves; the first transmitter is always in the first half."""
    generator = random.Random(seed)
    splits = set()
    while len(splits) < count:
        chosen = frozenset(generator.sample(names, len(names) // 2))
        splits.add(chosen if names[0] in chosen else frozenset(names) - chosen)
    return sorted(splits, key=sorted)


def fit_half(program, scene, case, half, name):
    """The coefficients of one half by name, without what belongs to single transmitters."""
    members = [t for t in case["transmitters"] if t["name"] in half]
    with open(calibrate(program, scene, case, members, name), encoding="utf-8") as file:
        found = json.load(file)
    return {row["name"]: row for row in found["coefficients"] if row["fitted"] and " " not in row["name"]}


def check_split(case, seed, number, halves):
    """Rows of (coefficient, half): its interval and the other half's value."""
    for side in (0, 1):
        own, other = halves[side], halves[1 - side]
        for name, row in own.items():
            if abs(row["value"] - other[name]["value"]) <= SAME:
                continue
            yield {"set": case["name"], "seed": seed, "split": number, "half": side, "coefficient": name,
                   "value": row["value"], "low": row["low"], "high": row["high"], "other": other[name]["value"],
                   "is_known": row["known"], "is_inside": row["low"] <= other[name]["value"] <= row["high"]}


def measure(program, cases, scenes):
    rows = []
    for check in cases.halves:
        case = next(case for case in cases.sets if case["name"] == check["set"])
        scene = scenes.get(case["name"])
        if scene is None:
            continue
        names = [t["name"] for t in case["transmitters"]]
        splits = [(seed, number, half) for seed in check["seeds"]
                  for number, half in enumerate(draw_splits(names, check["splits"], seed))]
        tasks = [(members, f"half-{seed}-{number}-{side}") for seed, number, half in splits
                 for side, members in enumerate((half, frozenset(names) - half))]
        fits = program.each(lambda task: fit_half(program, scene, case, *task), tasks)
        for i, (seed, number, _) in enumerate(splits):
            rows += check_split(case, seed, number, fits[2 * i:2 * i + 2])
    return rows
