"""Runs radiocity, keeps what it wrote, and reads maps."""
import hashlib
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy
from osgeo import gdal

gdal.UseExceptions()

LONGEST_RUN_S = 1800


class Program:
    """The program under test, working in a folder. A run has one thread; as many run at a time as there are cores."""

    def __init__(self, path, folder):
        self.path = os.path.abspath(path)
        self.folder = os.path.abspath(folder)
        self.jobs = os.cpu_count() or 1
        os.makedirs(self.folder, exist_ok=True)

    def run(self, *words):
        """stdout of a run; a failure is an exception with the program's own message."""
        words = [str(word) for word in words]
        try:
            done = subprocess.run([self.path, *words, "--threads", "1", "--overwrite"], cwd=self.folder, capture_output=True,
                                  text=True, timeout=LONGEST_RUN_S, check=False)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"radiocity {' '.join(words)}: stopped after {LONGEST_RUN_S} s")
        if done.returncode != 0:
            raise RuntimeError(f"radiocity {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def json(self, *words):
        return json.loads(self.run(*words, "--json"))

    def each(self, function, items):
        """function(item) for all items, some at a time; results in their order."""
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(function, items))

    def file(self, *words, ending):
        """The path of a file of this program's folder that belongs to these words."""
        key = hashlib.sha256("\0".join(str(word) for word in words).encode()).hexdigest()[:16]
        return os.path.join(self.folder, key + ending)

    def make_scene(self, name, words):
        """The compiled scene of a line of the table; None where its data are absent."""
        path = os.path.join(self.folder, name + ".rcity")
        if words[0] == "make":
            self.run("scene", "make", "--kind", words[1], "--area-km2", words[2], "--seed", words[3], "-o", path)
        elif words[0] == "shed":
            self.run("scene", "import", self.write_shed(words[1]), "--height-field", "height", "-o", path)
        elif not os.path.exists(words[1]):
            return None
        else:
            self.run("scene", *words, "-o", path)
        return path

    def write_shed(self, place):
        """A building of 1 x 1 m, 1 m high: a scene without anything that matters."""
        lon, lat = (float(word) for word in place.split(","))
        corners = [[lon, lat], [lon + 1.2e-5, lat], [lon + 1.2e-5, lat + 0.9e-5], [lon, lat + 0.9e-5], [lon, lat]]
        path = os.path.join(self.folder, "shed.geojson")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"type": "FeatureCollection", "features": [
                {"type": "Feature", "properties": {"height": 1},
                 "geometry": {"type": "Polygon", "coordinates": [corners]}}]}, file)
        return path

    def map(self, *words):
        """A prediction as bands by name."""
        path = self.file(*words, ending=".tif")
        self.run("predict", *words, "--quiet", "-o", path)
        bands = read_map(path)
        for written in (path, path[:-4] + ".qml"):
            if os.path.exists(written):
                os.remove(written)
        return bands


class Bands(dict):
    """Bands by name, with the place of the cells."""

    def distances_m(self, x_m, y_m):
        shape = next(iter(self.values())).shape
        columns = self.west_m + self.cell_m * (numpy.arange(shape[1]) + 0.5) - x_m
        rows = self.north_m - self.cell_m * (numpy.arange(shape[0]) + 0.5) - y_m
        return numpy.hypot(columns[numpy.newaxis, :], rows[:, numpy.newaxis])

    def centre(self, row, column):
        return self.west_m + self.cell_m * (column + 0.5), self.north_m - self.cell_m * (row + 0.5)


def read_map(path):
    dataset = gdal.Open(path)
    bands = Bands()
    for i in range(dataset.RasterCount):
        band = dataset.GetRasterBand(i + 1)
        name = band.GetDescription().partition(" @ ")[0]
        bands[name] = band.ReadAsArray().astype(float)
    bands.west_m, bands.cell_m, _, bands.north_m, _, _ = dataset.GetGeoTransform()
    bands.notes = {name.removeprefix("RADIOCITY_").lower(): value for name, value in dataset.GetMetadata().items()}
    return bands
