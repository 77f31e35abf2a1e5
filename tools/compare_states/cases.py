"""Reads cases.txt: which commands are run, with which device, on what they depend."""
import os
import re
import shlex

HERE = os.path.dirname(os.path.abspath(__file__))


class Case:
    """One command. `words` are those of the table; @case/file names a file of an earlier case."""

    def __init__(self, name, device, words):
        self.name = name
        self.device = device  # "", "host" or "opencl"
        self.words = words
        self.needs = sorted(set(re.findall(r"@([\w.-]+)/", " ".join(words))))

    def method(self):
        if self.words[0] == "rays":
            return "images"
        return self.words[self.words.index("--method") + 1] if "--method" in self.words else "shadow"


def read_cases(path=os.path.join(HERE, "cases.txt")):
    """The cases in the order of the file; a line for both devices gives two."""
    cases, names = [], set()
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, device, words = line.split(None, 2)
        words = shlex.split(words)
        if device == "both":
            made = [Case(name, "host", words), Case(name + ".opencl", "opencl", words)]
        else:
            made = [Case(name, "" if device == "-" else device, words)]
        for case in made:
            if case.name in names:
                raise SystemExit(f"cases.txt: two cases are called {case.name}")
            for needed in case.needs:
                if needed not in names:
                    raise SystemExit(f"cases.txt: {case.name} needs {needed}, which does not stand before it")
            names.add(case.name)
            cases.append(case)
    return cases


def select(cases, pattern):
    """Those whose name matches, and those they need."""
    if not pattern:
        return cases
    wanted = {case.name for case in cases if re.search(pattern, case.name)}
    for case in reversed(cases):
        if case.name in wanted:
            wanted.update(case.needs)
    return [case for case in cases if case.name in wanted]
