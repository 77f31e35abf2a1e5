"""Compares what two programs wrote for the cases of cases.txt and prints a table; status 1 on any difference."""
import argparse
import json
import os
import sys

from cases import read_cases, select
from findings import Findings
from formats import compare_file, compare_stdout
from renames import Renames


def files_in(folder):
    found = []
    for root, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(root, name), folder) for name in names]
    return sorted(found)


def same_bytes(a, b):
    if os.path.getsize(a) != os.path.getsize(b):
        return False
    with open(a, "rb") as one, open(b, "rb") as other:
        return one.read() == other.read()


class Comparison:
    def __init__(self, arguments):
        self.before, self.after = arguments.before, arguments.after
        self.is_strict, self.shows_all = arguments.strict, arguments.all
        self.renames = Renames()
        self.versions = [open(os.path.join(side, "logs", "version"), encoding="utf-8").read()
                         for side in (self.before, self.after)]
        self.counts = {"identical": 0, "same values": 0, "pictures": 0, "DIFFERENT": 0}
        self.messages = 0

    def record_of(self, side, case):
        with open(os.path.join(side, "logs", case.name + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def verdict(self, compare, before, after):
        """What became of a pair of files: a verdict and a remark."""
        if same_bytes(before, after):
            return "identical", ""
        findings = Findings(self.renames, self.versions)
        try:
            compare(findings, before, after)
        except (RuntimeError, ValueError, UnicodeDecodeError, OSError) as error:
            findings.differ("not readable", type(error).__name__, str(error))
        if findings.differences:
            more = f" (and {len(findings.differences) - 1} more)" if len(findings.differences) > 1 else ""
            return "DIFFERENT", findings.differences[0] + more
        if findings.pictures:
            return ("DIFFERENT" if self.is_strict else "pictures"), ", ".join(findings.pictures + findings.remarks)
        return "same values", ", ".join(findings.remarks)

    def case(self, case):
        """Rows (file, verdict, remark) of a case; None and the reason where it was skipped."""
        records = [self.record_of(side, case) for side in (self.before, self.after)]
        skipped = [record["skipped"] for record in records]
        if all(skipped):
            return None, skipped[0]
        if any(skipped):
            return [("-", "DIFFERENT", f"skipped on one side only: {skipped[0] or skipped[1]}")], ""
        statuses = [record["status"] for record in records]
        logs = [os.path.join(side, "logs", case.name) for side in (self.before, self.after)]
        if statuses != [0, 0]:
            which = 0 if statuses[0] != 0 else 1
            last = open(logs[which] + ".stderr", encoding="utf-8", errors="replace").read().strip().splitlines()[-1:]
            return [("-", "DIFFERENT", f"exit status {statuses[0]} -> {statuses[1]}: {''.join(last)}")], ""
        rows = [("stdout", *self.verdict(compare_stdout, logs[0] + ".stdout", logs[1] + ".stdout"))]
        self.messages += not same_bytes(logs[0] + ".stderr", logs[1] + ".stderr")
        rows += self.files(case)
        return rows, ""

    def files(self, case):
        folders = [os.path.join(side, case.name) for side in (self.before, self.after)]
        findings = Findings(self.renames, self.versions)
        pairs = findings.pair("file", "files", *(files_in(folder) for folder in folders))
        rows = [("-", "DIFFERENT", text) for text in findings.differences]
        for old, new in pairs:
            rows.append((old, *self.verdict(compare_file, os.path.join(folders[0], old), os.path.join(folders[1], new))))
        return rows

    def print_case(self, case):
        rows, reason = self.case(case)
        if rows is None:
            print(f"{case.name:<28} {'SKIPPED':<12} {reason}")
            return
        worst = max((row[1] for row in rows), key=list(self.counts).index)
        for row in rows:
            self.counts[row[1]] += 1
        shown = [row for row in rows if self.shows_all or row[1] != "identical"]
        print(f"{case.name:<28} {worst:<12} {len(rows)} files")
        for name, verdict, remark in shown:
            print(f"  {name:<26} {verdict:<12} {remark}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("before")
    parser.add_argument("after")
    arguments = parser.parse_args()
    comparison = Comparison(arguments)
    cases = select(read_cases(), arguments.only)
    skipped = 0
    print(f"{'case':<28} {'verdict':<12} files; those that are not identical")
    for case in cases:
        before = sum(comparison.counts.values())
        comparison.print_case(case)
        skipped += sum(comparison.counts.values()) == before
    counts = comparison.counts
    print(f"{len(cases)} cases, {skipped} skipped; files: {counts['identical']} identical, {counts['same values']} same values, "
          f"{counts['pictures']} pictures with other pixels, {counts['DIFFERENT']} DIFFERENT; "
          f"other messages on stderr in {comparison.messages} cases (not compared)")
    sys.exit(1 if counts["DIFFERENT"] else 0)


if __name__ == "__main__":
    main()
