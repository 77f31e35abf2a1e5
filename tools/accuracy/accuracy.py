#!/usr/bin/python3
"""How good the predictions are: against measurements, against site-general models, against laws, past single objects.

  tools/accuracy/accuracy.py [--program FILE] [--out FOLDER] [--quick] [--only PART] [--update]

  --program FILE  the radiocity under test; build/release/radiocity unless given
  --out FOLDER    where report.md and the tables go; build/accuracy unless given
  --quick         quick.txt instead of cases.txt: seconds, no measurements
  --only PART     measured, medians, laws or lines alone, or intervals, which runs on request only
  --update        put the tables, or those of the part, into docs/accuracy.md
Measurements come from RADIOCITY_DATA, or ../shared/data beside the clone; without them a line says what was skipped."""
import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import differences
import intervals
import laws
import lines
import measured
import medians
import report
from cases import Cases
from program import Program

PARTS = ("measured", "medians", "laws", "lines")
ON_REQUEST = ("intervals",)


def find_data():
    beside = os.path.join(ROOT, "..", "shared", "data")
    return os.environ.get("RADIOCITY_DATA") or (os.path.realpath(beside) if os.path.isdir(beside) else None)


def make_scenes(program, cases, skipped):
    """The scenes of all cities and sets by name; those whose data are absent are left out."""
    scenes = {}
    for row in cases.cities + cases.sets:
        needed = [word for t in row.get("transmitters", []) for word in t["words"] if word.startswith(("/", "{"))]
        if all(os.path.exists(path) for path in needed):
            scenes[row["name"]] = program.make_scene(row["name"], row["scene"])
        if scenes.get(row["name"]) is None:
            skipped.append(f"{row['name']}: its data are absent (set RADIOCITY_DATA to the folder of the real data)")
    return scenes


def say(started_s, text):
    print(f"{time.monotonic() - started_s:6.0f} s  {text}", file=sys.stderr, flush=True)


def measure(program, cases, parts):
    started_s = time.monotonic()
    result = {"version": program.run("--version").split()[-1], "skipped": [], "medians": [], "seen": [], "slopes": {},
              "demo": [], "edges": [], "exchange": [], "raise": [], "measured": [], "differences": [], "lines": [],
              "intervals": []}
    if "lines" in parts:
        say(started_s, "lines")
        result["lines"] = lines.measure(program, cases)
    scenes = make_scenes(program, cases, result["skipped"]) if set(parts) != {"lines"} else {}
    if "medians" in parts:
        say(started_s, "medians")
        result["medians"], result["seen"] = medians.measure(program, cases, scenes)
        result["slopes"] = medians.slopes(result["medians"])
    if "laws" in parts:
        say(started_s, "laws")
        demo = laws.make_demo(program)
        result["demo"] = [laws.largest_loss(demo)]
        result["edges"] = laws.measure_edges(program, cases, scenes, demo)
        result["exchange"] = laws.measure_exchange(program, cases, scenes)
        result["raise"] = laws.measure_raise(program, cases, scenes)
    if "measured" in parts:
        say(started_s, "measured sets")
        result["measured"] = measured.measure(program, cases, scenes)
        result["differences"] = differences.measure(program, cases, scenes)
    if "intervals" in parts:
        say(started_s, "intervals of halves")
        result["intervals"] = intervals.measure(program, cases, scenes)
    say(started_s, "done")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "release", "radiocity"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "accuracy"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=PARTS + ON_REQUEST)
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args()
    if not os.path.exists(given.program):
        raise SystemExit(f"accuracy: there is no program {given.program}; build it, or name one with --program")
    cases = Cases(os.path.join(HERE, "quick.txt" if given.quick else "cases.txt"), find_data())
    result = measure(Program(given.program, os.path.join(os.path.abspath(given.out), "work")), cases,
                     [given.only] if given.only else PARTS)
    report.write_all(given.out, result)
    for text in result["skipped"]:
        print(f"SKIPPED: {text}")
    if given.update:
        if result["skipped"] or given.quick:
            raise SystemExit("accuracy: the page is updated from runs with all data only")
        report.update_page(os.path.join(ROOT, "docs"), result, [given.only] if given.only else PARTS)
    print(os.path.join(given.out, "report.md"))


if __name__ == "__main__":
    main()
