"""Levels along lines of receivers past one object, where the truth is known well: `shadow` beside `images`."""
import csv
import math
import os

import numpy
from osgeo import gdal

HEIGHT_M = 1.5       # of the receivers
WIDEST_DEG = 30.0    # turning angle up to which the two are compared
SHADOW = ["--method", "shadow", "--through-walls", "off"]
PATHS = [*SHADOW, "--map-doubt", "0", "--diffuse-db", "80"]  # the map's paths alone
IMAGES = ["--method", "images"]  # it goes through no walls unless asked
RIDGE_CELL_M = 5.0


def box_of(words):
    """x and y of the south-western corner, of the north-eastern one, and the height."""
    return [float(word) for word in words.split(",")]


def write_box(path, words):
    west, south, east, north, height = box_of(words)
    corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    with open(path, "w", encoding="utf-8") as file:
        for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
            file.write(f"{x0} {y0} {x1} {y1} {height} 1 1 0\n")


def ridge_m(words, x_m):
    """The ground at x: a ridge along x = 0, bell-shaped, from its height and its standard deviation."""
    height_m, width_m = (float(word) for word in words.split(","))
    return height_m * numpy.exp(-0.5 * (numpy.asarray(x_m) / width_m) ** 2)


def write_ridge(path, words, west_m, east_m):
    """Ground without buildings, 100 m wide on either side of the line."""
    x_m = numpy.arange(west_m, east_m, RIDGE_CELL_M) + RIDGE_CELL_M / 2
    rows = int(200 / RIDGE_CELL_M)
    file = gdal.GetDriverByName("GTiff").Create(path, len(x_m), rows, 1, gdal.GDT_Float32)
    file.SetGeoTransform([west_m, RIDGE_CELL_M, 0.0, 100.0, 0.0, -RIDGE_CELL_M])
    file.GetRasterBand(1).WriteArray(numpy.tile(ridge_m(words, x_m), (rows, 1)).astype(numpy.float32))


def make_scene(program, case):
    path = os.path.join(program.folder, case["name"] + "-line.rcity")
    source = path[:-6]
    if case["kind"] == "box":
        write_box(source + ".res", case["object"])
        program.run("scene", "import", source + ".res", "-o", path, "--quiet")
    else:
        places = [case["mast"][0], case["first"][0], case["last"][0]]
        write_ridge(source + ".tif", case["object"], min(places) - 50, max(places) + 50)
        program.run("scene", "import", "--terrain", source + ".tif", "--crs", "none", "-o", path, "--quiet")
    return path


def places_of(case):
    """Receivers a metre apart."""
    (x0, y0), (x1, y1) = case["first"], case["last"]
    length_m = math.hypot(x1 - x0, y1 - y0)
    return [(x0 + (x1 - x0) * i / length_m, y0 + (y1 - y0) * i / length_m) for i in range(int(length_m) + 1)]


def turning_rad(first, points, last):
    """The sum of the turns of a thread from first to last, stretched above all points (along, height)."""
    thread = [first]
    for point in sorted(points) + [last]:
        while len(thread) > 1 and cross(thread[-2], thread[-1], point) >= 0.0:
            thread.pop()
        thread.append(point)
    slopes = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in zip(thread, thread[1:])]
    return slopes[0] - slopes[-1]


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crossings_m(box, mast, place):
    """Where the line in plan comes into a box and leaves it, as metres from the mast; nothing if it passes by."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        step = place[axis] - mast[axis]
        near, far = box[axis] - mast[axis], box[axis + 2] - mast[axis]
        if step == 0.0:
            if not near < 0.0 < far:
                return []
            continue
        low, high = max(low, min(near / step, far / step)), min(high, max(near / step, far / step))
    length_m = math.hypot(place[0] - mast[0], place[1] - mast[1])
    return [low * length_m, high * length_m] if low < high else []


def box_angle_rad(words, mast, place):
    """The least turn over the box or around it, 0 in sight."""
    box = box_of(words)
    length_m = math.hypot(place[0] - mast[0], place[1] - mast[1])
    over = [(at_m, box[4]) for at_m in crossings_m(box, mast, place)]
    if not over:
        return 0.0
    angles = [turning_rad((0.0, mast[2]), over, (length_m, HEIGHT_M))]
    along = ((place[0] - mast[0]) / length_m, (place[1] - mast[1]) / length_m)
    for side in (1.0, -1.0):
        corners = [(x - mast[0], y - mast[1]) for x in box[0:3:2] for y in box[1:4:2]]
        beside = [(x * along[0] + y * along[1], side * (y * along[0] - x * along[1])) for x, y in corners]
        angles.append(turning_rad((0.0, 0.0), beside, (length_m, 0.0)))
    return min(angles)


def ridge_angle_rad(words, mast, place):
    x_m = numpy.arange(min(mast[0], place[0]) + 1.0, max(mast[0], place[0]), 1.0)
    points = list(zip(numpy.abs(x_m - mast[0]).tolist(), ridge_m(words, x_m).tolist()))
    ends = [(0.0, float(ridge_m(words, mast[0])) + mast[2]),
            (abs(place[0] - mast[0]), float(ridge_m(words, place[0])) + HEIGHT_M)]
    return turning_rad(ends[0], points, ends[1])


def angles_deg(case, places):
    angle = box_angle_rad if case["kind"] == "box" else ridge_angle_rad
    return numpy.degrees([angle(case["object"], case["mast"], place) for place in places])


def losses_db(program, scene, case, places, frequency_mhz, words):
    points = program.file(scene, frequency_mhz, *words, ending=".csv")
    with open(points, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["name", "x", "y", "height_m"],
                                    *[[f"p{i}", x, y, HEIGHT_M] for i, (x, y) in enumerate(places)]])
    levels = points[:-4] + "-levels.csv"
    program.run("predict", "--scene", scene, "--tx", ",".join(f"{value:g}" for value in case["mast"]),
                "--frequency-mhz", frequency_mhz, *words, "--points", points, "--quiet", "-o", levels)
    with open(levels, encoding="utf-8", newline="") as file:
        return numpy.array([float(row["path_loss_db"] or "nan") for row in csv.DictReader(file)])


def free_space_db(case, places, frequency_mhz):
    """Of the distance in plan: what is left shows edges and ground."""
    plan_m = numpy.hypot(*(numpy.array(places).T - numpy.array(case["mast"][:2])[:, numpy.newaxis]))
    return 20.0 * numpy.log10(4.0 * math.pi * plan_m * frequency_mhz / 299.792458)


def summary(values, prefix=""):
    if values.size == 0:
        return {prefix + name: math.nan for name in ("least_db", "median_db", "most_db")}
    return {prefix + "least_db": float(values.min()), prefix + "median_db": float(numpy.median(values)),
            prefix + "most_db": float(values.max())}


def largest_step_db(losses_db):
    return float(numpy.abs(numpy.diff(losses_db)).max())


def measure_line(program, case, frequencies_mhz):
    scene = make_scene(program, case)
    places = places_of(case)
    angle_deg = angles_deg(case, places)
    is_compared = (angle_deg > 0.0) & (angle_deg <= WIDEST_DEG)
    rows = []
    for frequency_mhz in frequencies_mhz:
        shadow_db, paths_db, images_db = (losses_db(program, scene, case, places, frequency_mhz, words)
                                          for words in (SHADOW, PATHS, IMAGES + case["words"]))
        free_db = free_space_db(case, places, frequency_mhz)
        rows.append({"line": case["name"], "frequency_mhz": frequency_mhz, "compared": int(is_compared.sum()),
                     "shadow_step_db": largest_step_db(shadow_db), "images_step_db": largest_step_db(images_db),
                     **summary((shadow_db - images_db)[is_compared]),
                     **summary((paths_db - images_db)[is_compared], "paths_"),
                     "is_compared": is_compared.tolist(), "shadow_db": (shadow_db - free_db).tolist(),
                     "images_db": (images_db - free_db).tolist()})
    return rows


def measure(program, cases):
    """A row for each line and frequency, with the levels along it beyond free space."""
    return [row for rows in program.each(lambda case: measure_line(program, case, cases.line_mhz), cases.lines)
            for row in rows]
