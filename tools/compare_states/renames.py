"""Reads renames.txt: which names the state after has for those of the state before, and what is new or not compared."""
import fnmatch
import os
import re
import shlex

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("key", "column", "band", "note", "hdf5", "word", "file")


class Renames:
    def __init__(self, path=os.path.join(HERE, "renames.txt")):
        self.new = {kind: {} for kind in KINDS}  # old name to new names
        self.options = {}  # old to [(new, method or None)]
        self.values = {}  # (option, old word) to new word, on command lines
        self.classes = {}  # band to {old number: new number}
        self.added = {kind: set() for kind in KINDS}
        self.ignored = {kind: set() for kind in KINDS}
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    words = shlex.split(line, comments=True)
                    if words:
                        self._read(words)
                except (ValueError, KeyError, IndexError) as error:
                    raise SystemExit(f"renames.txt:{number}: '{line.strip()}' is not understood") from error

    def _read(self, words):
        kind, *rest = words
        if kind == "option":
            old, new = rest[:2]
            self.options.setdefault(old, []).append((new, rest[2] if len(rest) > 2 else None))
            bare = [name.lstrip("-") for name in (old, new)]
            under = [name.replace("-", "_") for name in bare]
            for kind in ("word", "key"):  # a file of coefficients has the name with hyphens, notes have it with underscores
                self._add(kind, *bare)
                self._add(kind, *under)
            self._add("hdf5", *under)
            self._add("note", *("RADIOCITY_" + name.upper() for name in under))
        elif kind == "value":
            option, old, new = rest
            self.values[option, old] = new
            self._add("word", old, new)
        elif kind == "class":
            band, old, new = rest
            self.classes.setdefault(band, {})[float(old)] = float(new)
        elif kind in ("added", "ignore"):
            where, name = rest
            (self.added if kind == "added" else self.ignored)[where].add(name)
        else:
            old, new = rest
            if kind not in KINDS:
                raise ValueError(kind)
            self._add(kind, old, new)
            if kind == "band":
                self._add("word", old, new)

    def _add(self, kind, old, new):
        names = self.new[kind].setdefault(old, [])
        if new not in names:
            names.append(new)

    def names(self, kind, old):
        """What `old` may be called after the change, the new names first. A star at the end stands for any rest."""
        found = list(self.new[kind].get(old, []))
        for pattern, news in self.new[kind].items():
            if pattern.endswith("*") and old.startswith(pattern[:-1]):
                found += [new[:-1] + old[len(pattern) - 1:] for new in news]
        return found + [old]

    def is_added(self, kind, name):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.added[kind])

    def is_ignored(self, kind, name):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.ignored[kind])

    def in_text(self, text):
        """A text with every renamed word replaced by its new name."""
        return re.sub(r"[A-Za-z_][\w-]*", lambda match: self.names("word", match[0])[0], text)

    def command(self, words, method):
        """A command line of the state before as the state after takes it."""
        made, option = [], ""
        for word in words:
            new = word
            if word.startswith("--"):
                option = word
                new = next((n for n, of in self.options.get(word, []) if of in (None, method)), word)
            elif (option, word) in self.values:
                new = self.values[option, word]
            elif option == "--fix":
                new = next((n.lstrip("-") for n, of in self.options.get("--" + word, []) if of in (None, method)), word)
            elif option in ("--png-band", "--band"):
                band, at, height = word.partition("@")
                new = self.names("band", band)[0] + at + height
            made.append(new)
        return made
