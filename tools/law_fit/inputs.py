"""Collects what the law is fitted to: for each receiver its loss on the map alone, what lies around it, and what was
measured there; for each ring of a city what the site-general models say."""
import csv
import random
import subprocess

import numpy
from osgeo import osr

from measured import score, units_of, words_for
from medians import City

osr.UseExceptions()

MAP_ALONE = ("--map-doubt", "0", "--diffuse-db", "80")  # 80 dB is the most: no diffuse path to speak of
PER_RING = 150
SEED = 5
SIGHT_MASTS_M = (10.0, 30.0, 60.0)
SIGHT_MHZ = (947.0, 2100.0, 28000.0)
# What tiles say where scattering brings most power: with large tiles that do not look far, and no surroundings.
TEACHER = ("--tile-area-m2", "400", "--tile-range-m", "500", "--surroundings", "off")
TEACHER_MASTS_M = (10.0, 30.0, 60.0)
TEACHER_MHZ = (947.0, 3500.0)
SCATTERED = 6.0  # a mechanism


class Inputs:
    """Runs radiocity and shadow_paths over the cases of tools/accuracy."""

    def __init__(self, program, paths_program, cases, scenes):
        self.program, self.paths_program, self.cases, self.scenes = program, paths_program, cases, scenes

    def around(self, scene, tx, places):
        """What lies around receivers (x, y, height): arrays by name."""
        asked = self.program.file("around", scene, tx, len(places), places[0], ending=".csv")
        with open(asked, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["x", "y", "height_m"], *places])
        done = subprocess.run([self.paths_program, "around", scene, ",".join(f"{word:.4f}" for word in tx), asked],
                              check=True, capture_output=True, text=True)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        return {name: numpy.array([float(row[name]) for row in rows]) for name in rows[0]}

    def measured(self):
        """One entry a transmitter: its set, its name, receivers."""
        found = []
        for case in self.cases.sets:
            scene = self.scenes.get(case["name"])
            if scene is None or case["scene"][0] != "import":
                continue
            places = transmitter_places(self.program, scene, case)
            for name, transmitters in units_of(case):
                words = words_for(self.program, case, transmitters, name)
                both = [score(self.program, scene, case, words, ["--method", "shadow", "--extrapolate", *more], name + tag)
                        for more, tag in ((MAP_ALONE, "-map-alone"), ((), "-default"))]
                for transmitter in transmitters:
                    rows = [pair for pair in zip(*both) if pair[0]["transmitter"] in ("", transmitter["name"])]
                    found.append(self.measured_at(scene, case, transmitter["name"], places[transmitter["name"]], rows))
        return found

    def measured_at(self, scene, case, name, place, rows):
        at = self.around(scene, place[:3], [(row["x"], row["y"], row["height_m"]) for row, _ in rows])
        at["map_db"] = numpy.array([float(row["shadow_db"]) for row, _ in rows])
        at["program_db"] = numpy.array([float(row["shadow_db"]) for _, row in rows])
        at["measured_db"] = numpy.array([float(row["measured_db"]) for row, _ in rows])
        return {"set": case["name"], "name": name, "own_offset": case["own_offset"], "frequency_mhz": place[3], "at": at}

    def cities(self):
        """One entry a mast of a city, hidden receivers and visible ones: rings, losses on the map by frequency, models."""
        found = []
        for row in self.cases.cities:
            scene = self.scenes.get(row["name"])
            if scene is None:
                continue
            city = City(self.program, self.cases, row, scene)
            everywhere = numpy.isfinite(city.raster("free-space", 500.0, 1000.0)["path_loss"])
            for mast_m in self.cases.masts_m:
                bands = city.raster("free-space", mast_m, 1000.0, ("--line-of-sight", "exact"))
                seen = numpy.isfinite(bands["path_loss"])
                found.append(self.city_at(city, mast_m, bands, everywhere & ~seen, self.cases.frequencies_mhz, "nlos"))
                if mast_m in SIGHT_MASTS_M:
                    found.append(self.city_at(city, mast_m, bands, everywhere & seen, SIGHT_MHZ, "los"))
        return found

    def city_at(self, city, mast_m, bands, chosen, frequencies_mhz, sight):
        distances_m = bands.distances_m(*city.mast)
        cells, rings = [], []
        for i, (low_m, high_m) in enumerate(self.cases.rings_m):
            ring = numpy.argwhere(chosen & (distances_m >= low_m) & (distances_m < high_m)).tolist()
            if len(ring) >= 5:
                drawn = random.Random(SEED).sample(ring, min(PER_RING, len(ring)))
                cells, rings = cells + drawn, rings + [i] * len(drawn)
        if not cells:
            return None
        cells, rings = numpy.array(cells), numpy.array(rings)
        places = [(*bands.centre(row, column), 1.5) for row, column in cells]
        entry = {"city": city.name, "mast_m": mast_m, "sight": sight, "rings": rings, "map_db": {}, "models_db": {},
                 "tiles_db": {}, "at": self.around(city.scene, (*city.mast, mast_m), places)}
        for frequency_mhz in frequencies_mhz:
            entry["map_db"][frequency_mhz] = city.raster("shadow", mast_m, frequency_mhz, MAP_ALONE)["path_loss"][
                cells[:, 0], cells[:, 1]]
            entry["models_db"][frequency_mhz] = self.models(city, mast_m, frequency_mhz, sight, cells, rings, distances_m)
            if sight == "nlos" and mast_m in TEACHER_MASTS_M and frequency_mhz in TEACHER_MHZ:
                entry["tiles_db"][frequency_mhz] = self.scattered(city, mast_m, frequency_mhz, cells)
        return entry

    def scattered(self, city, mast_m, frequency_mhz, cells):
        """What tiles say where scattering brings most power, NaN elsewhere."""
        bands = city.raster("tiles", mast_m, frequency_mhz, TEACHER)
        losses = numpy.where(bands["mechanism"] == SCATTERED, bands["path_loss"], numpy.nan)
        return losses[cells[:, 0], cells[:, 1]]

    def models(self, city, mast_m, frequency_mhz, sight, cells, rings, distances_m):
        """Medians of the models by ring; of those in sight Hata's say nothing."""
        found = {}
        for name, method, height_m, words in city.models(mast_m, frequency_mhz):
            if sight == "los" and "hata" in name:
                continue
            if sight == "los" and method == "walfisch-ikegami":  # the program's takes the map's own sight
                losses = 42.6 + 26.0 * numpy.log10(distances_m / 1000.0) + 20.0 * numpy.log10(frequency_mhz)
            else:
                words = tuple(sight if word == "nlos" else word for word in words)
                losses = city.raster(method, height_m, frequency_mhz, words)["path_loss"]
            losses = losses[cells[:, 0], cells[:, 1]]
            found[name] = {int(ring): float(numpy.nanmedian(losses[rings == ring])) for ring in numpy.unique(rings)}
        return found


def transmitter_places(program, scene, case):
    """Name -> (x, y, height, frequency) of a set's transmitters, on the scene's grid."""
    to_scene = projection(program.json("scene", "info", scene)["crs"])
    places = {}
    if "--sites" in case["words"]:
        with open(case["words"][case["words"].index("--sites") + 1], encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                x, y = to_scene(float(row["lon"]), float(row["lat"]))
                places[row["site"]] = (x, y, float(row["height_m"]), float(row["frequency_mhz"]))
        return places
    frequency_mhz = float(case["words"][case["words"].index("--frequency-mhz") + 1])
    for transmitter in case["transmitters"]:
        lon, lat, height_m = (float(w) for w in transmitter["words"][transmitter["words"].index("--tx-lonlat") + 1].split(","))
        places[transmitter["name"]] = (*to_scene(lon, lat), height_m, frequency_mhz)
    return places


def projection(crs):
    geographic, projected = osr.SpatialReference(), osr.SpatialReference()
    geographic.ImportFromEPSG(4326)
    projected.SetFromUserInput(crs)
    for reference in (geographic, projected):
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    transform = osr.CoordinateTransformation(geographic, projected)
    return lambda lon, lat: transform.TransformPoint(lon, lat)[:2]
