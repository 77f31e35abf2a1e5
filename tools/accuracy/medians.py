"""Medians without line of sight, and in sight, by ring, mast and frequency, beside the site-general models."""
import csv
import math
import random

import numpy

MARGIN_DB = 3.0
RECEIVERS_MIN = 5  # fewer of them have no median


def find_mast(program, scene, words):
    """(x, y) of a mast: as stated, or the open place nearest to the middle, where all cells around are open too."""
    if words != "middle":
        return tuple(float(word) for word in words.split(","))
    west, south, east, north = program.json("scene", "info", scene)["bounds_m"]
    middle = ((west + east) / 2, (south + north) / 2)
    bands = program.map("--scene", scene, "--method", "free-space", "--tx", f"{middle[0]},{middle[1]},500",
                        "--frequency-mhz", 1000, "--cell", 5)
    is_open = numpy.isfinite(bands["path_loss"])
    around = numpy.zeros_like(is_open)
    around[1:-1, 1:-1] = True
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            around &= numpy.roll(is_open, (row, column), (0, 1))
    distances_m = numpy.where(around, bands.distances_m(*middle), numpy.inf)
    return bands.centre(*numpy.unravel_index(int(distances_m.argmin()), distances_m.shape))


def method_of(model):
    """p1411-above is p1411 with another row of its table."""
    return "p1411" if model["name"].startswith("p1411") else model["name"]


class City:
    """One city: where its mast stands, and predictions in it."""

    def __init__(self, program, cases, row, scene):
        self.program, self.cases, self.name, self.scene = program, cases, row["name"], scene
        self.mast = find_mast(program, scene, row["mast"])

    def raster(self, method, mast_m, frequency_mhz, words=()):
        return self.program.map(*self.link(method, mast_m, frequency_mhz), "--cell", f"{self.cases.cell_m:g}",
                                "--extrapolate", *words)

    def link(self, method, mast_m, frequency_mhz):
        """The words that every prediction from the mast has."""
        return ["--scene", self.scene, "--tx", f"{self.mast[0]},{self.mast[1]},{mast_m:g}", "--frequency-mhz",
                f"{frequency_mhz:g}", "--method", method]

    def points(self, method, mast_m, frequency_mhz, places, words):
        """Losses at places, NaN where there is none."""
        key = (self.name, method, mast_m, frequency_mhz)
        asked, told = self.program.file(*key, ending=".csv"), self.program.file(*key, "levels", ending=".csv")
        with open(asked, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(["name", "x", "y", "height_m"])
            out.writerows([i, x, y, 1.5] for i, (x, y) in enumerate(places))
        self.program.run("predict", *self.link(method, mast_m, frequency_mhz), "--points", asked, *words, "--quiet", "-o", told)
        with open(told, encoding="utf-8", newline="") as file:
            return numpy.array([float(row["path_loss_db"] or "nan") for row in csv.DictReader(file)])

    def models(self, mast_m, frequency_mhz):
        """The models that are published for a mast and a frequency: (name, method, height, words)."""
        for model in self.cases.models:
            if (model["frequency_mhz"][0] <= frequency_mhz <= model["frequency_mhz"][1] and
                    model["mast_m"][0] <= mast_m < model["mast_m"][1]):
                height_m = mast_m if model["height"] == "mast" else float(model["height"])
                yield model["name"], method_of(model), height_m, tuple(model["words"])

    def models_in_sight(self, mast_m, frequency_mhz):
        """The same for receivers in sight, of which Hata's say nothing."""
        for name, method, height_m, words in self.models(mast_m, frequency_mhz):
            if "hata" not in name:
                yield name, method, height_m, tuple("los" if word == "nlos" else word for word in words)


def is_asked(method, city, mast_m, frequency_mhz):
    return ((method["mast_m"] is None or mast_m in method["mast_m"]) and
            (method["frequency_mhz"] is None or frequency_mhz in method["frequency_mhz"]) and
            (method["city"] is None or city in method["city"]))


def median_of(values):
    values = values[numpy.isfinite(values)]
    return (float(numpy.median(values)) if values.size >= RECEIVERS_MIN else math.nan), int(values.size)


def predict_city(program, cases, city):
    """Everything that has to be predicted in a city, by (method, height, frequency, words)."""
    wanted = []
    for mast_m in cases.masts_m:
        for frequency_mhz in cases.frequencies_mhz:
            for method in cases.methods:
                if method["points"] is None and is_asked(method, city.name, mast_m, frequency_mhz):
                    wanted.append((method["name"], mast_m, frequency_mhz, tuple(method["words"])))
            for _, method, height_m, words in (*city.models(mast_m, frequency_mhz),
                                               *city.models_in_sight(mast_m, frequency_mhz)):
                wanted.append((method, height_m, frequency_mhz, words))
    wanted = sorted(set(wanted))
    bands = program.each(lambda one: city.raster(*one), wanted)
    # the line of sight of a mast depends on no frequency
    sight = program.each(lambda mast_m: city.raster("free-space", mast_m, 1000.0, ("--line-of-sight", "exact")),
                         cases.masts_m)
    losses = {one: band["path_loss"] for one, band in zip(wanted, bands)}
    return losses, dict(zip(cases.masts_m, sight))


def choose_places(bands, hidden, distances_m, rings_m, count):
    """So many hidden receivers of each ring, the same ones every time."""
    chosen = []
    for low_m, high_m in rings_m:
        cells = numpy.argwhere(hidden & (distances_m >= low_m) & (distances_m < high_m)).tolist()
        chosen += random.Random(7).sample(cells, min(count, len(cells)))
    return chosen, [bands.centre(row, column) for row, column in chosen]


def measure(program, cases, scenes):
    """Rows of (city, method, mast, frequency, ring): median, count, lowest and highest model. First without sight, then
    in sight, which only methods with rasters have."""
    rows, seen_rows = [], []
    for city_row in cases.cities:
        scene = scenes.get(city_row["name"])
        if scene is None:
            continue
        city = City(program, cases, city_row, scene)
        losses, sights = predict_city(program, cases, city)
        tasks = [(method, mast_m, frequency_mhz) for method in cases.methods for mast_m in cases.masts_m
                 for frequency_mhz in cases.frequencies_mhz if is_asked(method, city.name, mast_m, frequency_mhz)]
        found = program.each(lambda task: list(measure_task(cases, city, losses, sights, *task)), tasks)
        rows += [row for part in found for row in part]
        for method, mast_m, frequency_mhz in tasks:
            if method["points"] is None:
                seen_rows += measure_in_sight(cases, city, losses, sights, method, mast_m, frequency_mhz)
    return rows, seen_rows


def measure_in_sight(cases, city, losses, sights, method, mast_m, frequency_mhz):
    predicted = losses[(method["name"], mast_m, frequency_mhz, tuple(method["words"]))]
    models = {name: losses[(model, height_m, frequency_mhz, words)]
              for name, model, height_m, words in city.models_in_sight(mast_m, frequency_mhz)}
    seen = numpy.isfinite(sights[mast_m]["path_loss"])
    return measure_rings(cases, city, sights[mast_m], models, method, mast_m, frequency_mhz, predicted, seen)


def measure_task(cases, city, losses, sights, method, mast_m, frequency_mhz):
    bands = sights[mast_m]
    seen = numpy.isfinite(bands["path_loss"])
    reference = losses[next(iter(losses))]
    hidden = numpy.isfinite(reference) & ~seen
    distances_m = bands.distances_m(*city.mast)
    models = {name: losses[(model, height_m, frequency_mhz, words)]
              for name, model, height_m, words in city.models(mast_m, frequency_mhz)}
    if method["points"] is None:
        predicted = losses[(method["name"], mast_m, frequency_mhz, tuple(method["words"]))]
    else:
        cells, places = choose_places(bands, hidden, distances_m, cases.rings_m, method["points"])
        predicted = numpy.full(hidden.shape, numpy.nan)
        for (row, column), loss_db in zip(cells, city.points(method["name"], mast_m, frequency_mhz, places,
                                                          method["words"])):
            predicted[row, column] = loss_db
        hidden = numpy.isfinite(predicted)
    return measure_rings(cases, city, bands, models, method, mast_m, frequency_mhz, predicted, hidden)


def measure_rings(cases, city, bands, models, method, mast_m, frequency_mhz, predicted, chosen):
    """The rows of the chosen receivers, a ring each."""
    distances_m = bands.distances_m(*city.mast)
    for low_m, high_m in cases.rings_m:
        ring = chosen & (distances_m >= low_m) & (distances_m < high_m)
        median_db, count = median_of(predicted[ring])
        if math.isnan(median_db):
            continue
        of_models = {name: median_of(loss_db[ring])[0] for name, loss_db in models.items()}
        lowest, highest = min(of_models, key=of_models.get), max(of_models, key=of_models.get)
        yield {"city": city.name, "method": method["name"], "mast_m": mast_m, "frequency_mhz": frequency_mhz,
               "ring_low_m": low_m, "ring_high_m": high_m, "count": count, "median_db": median_db,
               "lowest_db": of_models[lowest], "lowest_model": lowest, "highest_db": of_models[highest],
               "highest_model": highest, "models_db": of_models,
               "is_inside": of_models[lowest] - MARGIN_DB <= median_db <= of_models[highest] + MARGIN_DB}


def slope_db(rows):
    """dB a decade of frequency by least squares; None below two frequencies."""
    x = [math.log10(row["frequency_mhz"]) for row in rows]
    y = [row["median_db"] for row in rows]
    if len(set(x)) < 2:
        return None
    return float(numpy.polyfit(x, y, 1)[0])


def slopes(rows):
    """(city, method, mast) -> slopes of its rings."""
    groups = {}
    for row in rows:
        groups.setdefault((row["city"], row["method"], row["mast_m"]), {}).setdefault(row["ring_low_m"], []).append(row)
    found = {}
    for key, rings in groups.items():
        values = [slope for slope in (slope_db(ring) for ring in rings.values()) if slope is not None]
        if values:
            found[key] = values
    return found
