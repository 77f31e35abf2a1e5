#!/usr/bin/env python3
"""Make the drive tests of examples/data: two routes along the streets of a made city, as a vehicle would record them.

A vehicle wanders from street to street, a sample a metre. What it receives is what `shadow` says with coefficients that
belong to this city and are not the default ones (TRUTH), and slow fading (5 dB, correlated over 20 m), and fast fading
(Rayleigh), and it receives nothing below -115 dBm; some rows lack a value, some come twice. The same bytes every time.

    make.py RADIOCITY FOLDER      writes FOLDER/drive_north.csv and FOLDER/drive_south.csv
"""
import csv
import heapq
import math
import os
import subprocess
import sys
import tempfile

from osgeo import gdal

CITY = ["--kind", "core", "--area-km2", "1.5", "--seed", "7"]
MAST = ["--tx", "674,720,20", "--frequency-mhz", "1800", "--eirp-dbm", "46"]
TRUTH = {
    "line-of-sight-offset-db": 3, "corner-path-db": 5, "roof-path-db": -4, "wall-db": 11, "diffuse-db": 22, "diffuse-roof-m": 24, "map-doubt": 0.35,
}
CELL_M = 4.0
FLOOR_DBM = -115.0


class Random:
    """SplitMix64: the same numbers everywhere."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / (1 << 53)

    def normal(self):
        return math.sqrt(-2.0 * math.log(1.0 - self.uniform())) * math.cos(2.0 * math.pi * self.uniform())


def run(*words):
    subprocess.run([str(word) for word in words] + ["--overwrite"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_open(path):
    """Cells in the open, with how far each is from the next wall, in cells; and the map's corner."""
    data = gdal.Open(path)
    values = data.GetRasterBand(1).ReadAsArray()
    west, _, _, north, _, _ = data.GetGeoTransform()
    rows, columns = values.shape
    clear = [[99 if values[r][c] == values[r][c] else 0 for c in range(columns)] for r in range(rows)]
    edge = [(r, c) for r in range(rows) for c in range(columns) if clear[r][c] == 0]
    while edge:
        more = []
        for r, c in edge:
            for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if 0 <= a < rows and 0 <= b < columns and clear[a][b] > clear[r][c] + 1:
                    clear[a][b] = clear[r][c] + 1
                    more.append((a, b))
        edge = more
    return clear, west, north


def find_way(clear, start, goal):
    """The path of least cost over open cells: the middle of a street is cheap."""
    costs, came, heap = {start: 0.0}, {}, [(0.0, start)]
    while heap:
        cost, at = heapq.heappop(heap)
        if at == goal:
            break
        if cost > costs[at]:
            continue
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                r, c = at[0] + dr, at[1] + dc
                if (dr or dc) and 0 <= r < len(clear) and 0 <= c < len(clear[0]) and clear[r][c] > 0:
                    there = cost + math.hypot(dr, dc) * (1.0 + 8.0 / clear[r][c] ** 2)
                    if there < costs.get((r, c), math.inf):
                        costs[(r, c)], came[(r, c)] = there, at
                        heapq.heappush(heap, (there, (r, c)))
    path = [goal]
    while path[-1] != start and path[-1] in came:
        path.append(came[path[-1]])
    return path[::-1]


def drive(clear, west, north, random, low, high, stops):
    """Points a metre apart between random places, in a part of the map's height."""
    rows, columns = len(clear), len(clear[0])
    places = [(int((north - 720.0) / CELL_M), int((674.0 - west) / CELL_M))]  # past the mast
    while len(places) < stops:
        r = int(rows * (low + (high - low) * random.uniform()))
        c = int(columns * (0.05 + 0.9 * random.uniform()))
        if clear[r][c] > 1:
            places.append((r, c))
    places[0], places[stops // 2] = places[stops // 2], places[0]
    corners = []
    for a, b in zip(places, places[1:]):
        corners += find_way(clear, a, b)
    path = [(west + (c + 0.5) * CELL_M, north - (r + 0.5) * CELL_M) for r, c in corners]
    for _ in range(3):  # as a vehicle takes corners
        path = [path[0]] + [tuple((a[i] + b[i] + c[i]) / 3.0 for i in (0, 1)) for a, b, c in
                            zip(path, path[1:], path[2:])] + [path[-1]]
    points, left = [path[0]], 1.0
    for a, b in zip(path, path[1:]):
        length = math.dist(a, b)
        while length >= left > 0.0:
            points.append(tuple(a[i] + (b[i] - a[i]) * left / length for i in (0, 1)))
            left += 1.0
        left -= length
    return points


def record(radiocity, scene, folder, name, points, random):
    route = os.path.join(folder, "route.csv")
    levels = os.path.join(folder, "levels.csv")
    with open(route, "w", encoding="utf-8") as file:
        file.write("x,y\n" + "".join(f"{x:.2f},{y:.2f}\n" for x, y in points))
    options = [word for key, value in TRUTH.items() for word in (f"--{key}", value)]
    run(radiocity, "predict", "--scene", scene, *MAST, *options, "--points", route, "--rx-height", 1.5, "-o", levels)
    with open(levels, encoding="utf-8") as file:
        powers = [row["received_power_dbm"] for row in csv.DictReader(file)]
    slow, lines = 5.0 * random.normal(), []
    for i, ((x, y), power) in enumerate(zip(points, powers)):
        keep = math.exp(-1.0 / 20.0)
        slow = keep * slow + math.sqrt(1.0 - keep * keep) * 5.0 * random.normal()
        fast = 10.0 * math.log10(-math.log(1.0 - random.uniform()) + 1e-9)
        value = max(float(power) + slow + fast, FLOOR_DBM) if power else math.nan
        text = "" if value != value or random.uniform() < 0.004 else f"{value:.1f}"
        lines.append(f"{i / 8.0:.3f},{x:.2f},{y:.2f},{text}\n")
        if random.uniform() < 0.003:
            lines.append(lines[-1])
    with open(name, "w", encoding="utf-8-sig", newline="") as file:
        file.write("time_s,x,y,rx_power_dbm\n" + "".join(lines))


def main():
    radiocity, folder = sys.argv[1:]
    random = Random(20260)
    with tempfile.TemporaryDirectory() as work:
        scene, plan = os.path.join(work, "city.rcity"), os.path.join(work, "map.tif")
        run(radiocity, "scene", "make", *CITY, "-o", scene)
        run(radiocity, "predict", "--scene", scene, *MAST, "--method", "free-space", "--cell", CELL_M, "-o", plan)
        clear, west, north = read_open(plan)
        for name, low, high in (("drive_north", 0.05, 0.5), ("drive_south", 0.5, 0.95)):
            points = drive(clear, west, north, random, low, high, 7)
            record(radiocity, scene, work, os.path.join(folder, name + ".csv"), points, random)


if __name__ == "__main__":
    main()
