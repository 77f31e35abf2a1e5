"""Reads the table of cases."""
import shlex


class Cases:
    """What a table of cases holds; a keyword that comes once is one value, one that may come again a list."""

    def __init__(self, path, data):
        self.cities, self.methods, self.models, self.sets, self.edges = [], [], [], [], []
        self.exchanges, self.raises, self.lines, self.line_mhz, self.halves = [], [], [], [], []
        self.masts_m, self.frequencies_mhz, self.rings_m, self.cell_m, self.scored = [], [], [], 10.0, []
        for number, words in lines_of(path):
            words = [word.replace("{data}", data or "{data}") for word in words]
            try:
                self.take(words[0], words[1:])
            except (AttributeError, IndexError, ValueError) as error:
                raise SystemExit(f"{path}, line {number}: {' '.join(words)}: {error}")

    def take(self, keyword, words):
        getattr(self, "take_" + keyword)(words)

    def take_city(self, words):
        self.cities.append({"name": words[0], "scene": words[1:-1], "mast": words[-1]})

    def take_mast_m(self, words):
        self.masts_m = [float(word) for word in words]

    def take_frequency_mhz(self, words):
        self.frequencies_mhz = [float(word) for word in words]

    def take_ring_m(self, words):
        limits = [float(word) for word in words]
        self.rings_m = list(zip(limits[0::2], limits[1::2]))

    def take_cell_m(self, words):
        self.cell_m = float(words[0])

    def take_method(self, words):
        method = {"name": words[0], "points": None, "mast_m": None, "frequency_mhz": None, "city": None, "words": []}
        words = words[1:]
        if words[0] == "points":
            method["points"] = int(words[1])
            words = words[1:]
        key = None
        for word in words[1:]:
            if word in method:
                key = word
                method[key] = []
            else:
                method[key].append(word if key in ("city", "words") else float(word))
        self.methods.append(method)

    def take_model(self, words):
        low_mhz, high_mhz, low_m, high_m = (float(word) for word in words[1:5])
        self.models.append({"name": words[0], "frequency_mhz": (low_mhz, high_mhz), "mast_m": (low_m, high_m),
                            "height": words[5], "words": words[6:]})

    def take_set(self, words):
        self.sets.append({"name": words[0], "scene": words[1:], "words": [], "own_offset": False, "images": 0,
                          "also": [], "formulas": [], "transmitters": []})

    def take_words(self, words):
        self.sets[-1]["words"] = words

    def take_offset(self, words):
        self.sets[-1]["own_offset"] = words == ["own"]

    def take_images(self, words):
        self.sets[-1]["images"] = int(words[1])

    def take_also(self, words):
        self.sets[-1]["also"].append({"name": words[0], "words": words[1:]})

    def take_formula(self, words):
        self.sets[-1]["formulas"].append({"label": words[0], "name": words[1], "words": words[2:]})

    def take_transmitter(self, words):
        self.sets[-1]["transmitters"].append({"name": words[0], "group": words[1], "words": words[2:]})

    def take_scored(self, words):
        self.scored = words

    def take_halves(self, words):
        self.halves.append({"set": words[0], "splits": int(words[1]), "seeds": [int(word) for word in words[2:]]})

    def take_edge(self, words):
        self.edges.append({"name": words[0], "words": words[1:]})

    def take_exchange(self, words):
        self.exchanges.append({"city": words[0], "links": int(words[1]),
                               "heights_m": (float(words[2]), float(words[3])), "frequency_mhz": float(words[4])})

    def take_raise(self, words):
        self.raises.append({"city": words[0], "mast_m": float(words[1]), "by_m": [float(w) for w in words[2:-1]],
                            "frequency_mhz": float(words[-1])})

    def take_line_mhz(self, words):
        self.line_mhz = [float(word) for word in words]

    def take_line(self, words):
        mast, first, last = ([float(number) for number in word.split(",")] for word in words[3:6])
        self.lines.append({"name": words[0], "kind": words[1], "object": words[2], "mast": mast, "first": first,
                           "last": last, "words": words[6:]})


def lines_of(path):
    """(line number, words) of each line that has some."""
    pending, first = "", 0
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if not pending:
            first = number
        line = line.rstrip("\n")
        if line.startswith("#"):
            continue
        if line.endswith("\\"):
            pending += line[:-1] + " "
            continue
        words = shlex.split(pending + line)
        pending = ""
        if words:
            yield first, words
