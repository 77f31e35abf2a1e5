"""What a comparison finds, and how two values of any format are compared."""
import re

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w)")


class Number(str):
    """A number as written in a file."""


def is_number(text):
    return NUMBER.fullmatch(text.strip()) is not None or text.strip().lower() in ("nan", "inf", "-inf")


def same_number(a, b):
    a, b = float(a), float(b)
    return a == b or (a != a and b != b)


class Findings:
    """Differences and remarks of one file. A remark is a change that is allowed: another name, other words, another order."""

    def __init__(self, renames, versions):
        self.renames = renames
        self.before_version, self.after_version = versions
        self.differences = []
        self.remarks = []
        self.pictures = []

    def differ(self, where, before, after):
        self.differences.append(f"{where}: {shorten(before)} -> {shorten(after)}")

    def remark(self, what):
        if what not in self.remarks:
            self.remarks.append(what)

    def with_version(self, text):
        """A text of the state before that states the version of the state after."""
        if self.before_version == self.after_version:
            return text
        return re.sub(rf"(?<![\d.]){re.escape(self.before_version)}(?![\d.]*\d)", self.after_version, text)

    def value(self, where, before, after):
        """A number or a string."""
        if before == after:
            return
        if is_number(before) and is_number(after):
            if same_number(before, after):
                self.remark("numbers written otherwise")
            else:
                self.differ(where, before, after)
        elif self.with_version(before) == after:
            self.remark("version")
        elif after in self.renames.names("word", before) or self.renames.in_text(self.with_version(before)) == after:
            self.remark("renamed")
        elif (before.count(" ") >= 3 or where.endswith("text")) and \
                numbers_in(self.with_version(before)) == numbers_in(after):
            self.remark("words")  # a sentence for people; "in building" is a value
        else:
            self.differ(where, before, after)

    def text(self, where, before, after):
        """A text for people, or of marks: the numbers in it must be the same, in the same order."""
        before = self.with_version(before)
        if before == after:
            self.remark("version")
        elif self.renames.in_text(before) == after:
            self.remark("renamed")
        elif numbers_in(before) == numbers_in(after):
            self.remark("words")
        else:
            a, b = before.splitlines(), after.splitlines()
            for line, (one, other) in enumerate(zip(a, b), 1):
                if numbers_in(one) != numbers_in(other):
                    self.differ(f"{where} line {line}", one.strip(), other.strip())
                    return
            self.differ(f"{where}, lines", str(len(a)), str(len(b)))

    def pair(self, kind, where, before, after):
        """Pairs of names in two collections that belong together; what one side lacks is a difference unless allowed."""
        left = list(after)
        pairs = []
        for name in before:
            if self.renames.is_ignored(kind, name):
                left = [other for other in left if other not in self.renames.names(kind, name)]
                continue
            found = next((new for new in self.renames.names(kind, name) if new in left), None)
            if found is None:
                self.differ(where, f"{kind} {name}", "absent")
                continue
            if found != name:
                self.remark("renamed")
            left.remove(found)
            pairs.append((name, found))
        for name in left:
            if self.renames.is_added(kind, name):
                self.remark(f"added {kind}")
            elif not self.renames.is_ignored(kind, name):
                self.differ(where, "absent", f"{kind} {name}")
        return pairs


def numbers_in(text):
    return [float(number) for number in NUMBER.findall(text)]


def shorten(text):
    text = " ".join(str(text).split())
    return text if len(text) <= 60 else text[:57] + "..."
