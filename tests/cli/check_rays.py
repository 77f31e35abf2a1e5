"""Look into what `radiocity rays` writes with GDAL's Python and nothing else.

check_rays.py sums JSON               sums and spreads of every receiver follow from its paths, worked out here again
check_rays.py lines JSON GEOJSON      the file holds the same paths: 3-D lines that start at the transmitter, end at their
                                      receiver and are as long as they say; longitude and latitude where there is a CRS
check_rays.py table JSON CSV          the receivers, one a line
check_rays.py words JSON CSV GEOJSON  the names of values are the same in all of them
check_rays.py tables JSON H5          the columns of the HDF5 file, through h5dump
"""
import csv
import json
import math
import subprocess
import sys

LIGHT_M_PER_S = 299792458.0


def near(a, b, tolerance, what):
    if a is None or b is None:
        if a is not b:
            sys.exit(f"{what}: {a} and {b}")
    elif not abs(a - b) <= tolerance:
        sys.exit(f"{what}: {a} and {b} differ by more than {tolerance}")


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def power(path):
    return sum(x * x for x in path["amplitude"] + path["cross_amplitude"])


def plain_spread(values, weights):
    mean = sum(w * v for v, w in zip(values, weights)) / sum(weights)
    return math.sqrt(sum(w * (v - mean) ** 2 for v, w in zip(values, weights)) / sum(weights))


def circle_spread(values, weights):
    """The smallest over all cuts of the circle."""
    return min(plain_spread([v + 360 if v < cut else v for v in values], weights) for cut in values)


def check_receiver(receiver, number):
    paths = receiver["paths"]
    what = f"receiver {number}"
    if receiver["state"] != "reached":
        if paths or receiver["gain_db"] is not None or receiver["delay_spread_ns"] is not None:
            sys.exit(f"{what} is {receiver['state']} and has values")
        return
    powers = [power(path) for path in paths]
    if powers != sorted(powers, reverse=True):
        sys.exit(f"{what}: the strongest path is not the first")
    total = sum(powers)
    fields = [sum(path["amplitude"][k] for path in paths) for k in range(2)]
    fields += [sum(path["cross_amplitude"][k] for path in paths) for k in range(2)]
    near(receiver["gain_db"], 10 * math.log10(total), 1e-6, f"{what}, gain_db")
    near(receiver["coherent_gain_db"], 10 * math.log10(sum(x * x for x in fields)), 1e-4, f"{what}, coherent_gain_db")
    near(receiver["path_loss_db"], -10 * math.log10(sum(10 ** (-path["path_loss_db"] / 10) for path in paths)), 1e-6,
         f"{what}, path_loss_db")
    near(receiver["delay_spread_ns"], plain_spread([path["delay_ns"] for path in paths], powers), 1e-4,
         f"{what}, delay_spread_ns")
    for end in ("departure", "arrival"):
        near(receiver[f"{end}_azimuth_spread_deg"],
             circle_spread([path[f"{end}_azimuth_deg"] for path in paths], powers), 1e-4, f"{what}, {end} azimuth")
        near(receiver[f"{end}_elevation_spread_deg"],
             plain_spread([path[f"{end}_elevation_deg"] for path in paths], powers), 1e-4, f"{what}, {end} elevation")
    rest = sum(powers[1:])
    near(receiver["k_factor_db"], 10 * math.log10(powers[0] / rest) if rest > 0 else None, 1e-6, f"{what}, k_factor_db")
    for path in paths:
        near(path["delay_ns"], path["length_m"] / LIGHT_M_PER_S * 1e9, 1e-6, f"{what}, delay_ns")
        near(path["gain_db"], 10 * math.log10(power(path)), 1e-6, f"{what}, gain_db of a path")


def sums(json_path):
    d = read_json(json_path)
    for i, receiver in enumerate(d["receivers"]):
        check_receiver(receiver, i + 1)
    print(f"sums: {len(d['receivers'])} receivers, {d['path_count']} paths")


def angles(start, end):
    dx, dy, dz = (b - a for a, b in zip(start, end))
    return math.degrees(math.atan2(dx, dy)) % 360, math.degrees(math.atan2(dz, math.hypot(dx, dy)))


def check_path(d, receiver, path):
    """Points of a path as JSON has them; its length and its angles follow from them."""
    points = [d["transmitter_m"]] + [event["position_m"] for event in path["events"]] + [receiver["position_m"]]
    near(path["length_m"], sum(math.dist(a, b) for a, b in zip(points, points[1:])), 3e-3, "length_m")
    for key, ends in (("departure", points[:2]), ("arrival", points[:-3:-1])):
        azimuth, elevation = angles(*ends)
        turn = (azimuth - path[f"{key}_azimuth_deg"] + 180) % 360 - 180
        slack = 1e-3 + math.degrees(1.5e-3 / math.dist(*ends))  # coordinates have ten digits: millimetres
        near(turn * math.cos(math.radians(elevation)), 0, slack, f"{key} azimuth")
        near(elevation, path[f"{key}_elevation_deg"], slack, f"{key} elevation")
    return points


def lines(json_path, geojson_path):
    from osgeo import ogr, osr
    ogr.UseExceptions()
    d = read_json(json_path)
    back = None
    if d["crs"] != "none":
        systems = []
        for crs in ("EPSG:4326", d["crs"]):
            systems.append(osr.SpatialReference())
            systems[-1].SetFromUserInput(crs)
            systems[-1].SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        back = osr.CoordinateTransformation(*systems)
    data = ogr.Open(geojson_path)
    layer = data.GetLayer(0)
    features = {"transmitter": [], "receiver": [], "path": []}
    for feature in layer:
        features[feature["kind"]].append(feature.Clone())
    near(len(features["transmitter"]), 1, 0, "transmitters")
    near(len(features["receiver"]), len(d["receivers"]), 0, "receivers")
    near(len(features["path"]), d["path_count"], 0, "paths")
    next_line = iter(features["path"])
    for number, receiver in enumerate(d["receivers"]):
        for rank, path in enumerate(receiver["paths"]):
            line = next(next_line)
            geometry = line.GetGeometryRef()
            if geometry.GetGeometryType() != ogr.wkbLineString25D or not geometry.IsValid():
                sys.exit(f"path {rank + 1} of receiver {number + 1} is {geometry.ExportToWkt()}")
            points = check_path(d, receiver, path)
            near(geometry.GetPointCount(), len(points), 0, "points of a line")
            for at, point in zip(geometry.GetPoints(), points):
                if back is not None:
                    at = back.TransformPoint(at[0], at[1])[:2] + (at[2],)
                near(math.dist(at, point), 0, 3e-3, "a point of a line")
            if line["interactions"] != path["interactions"] or line["rank"] != rank + 1:
                sys.exit(f"{line['interactions']} of rank {line['rank']} is not {path['interactions']} of {rank + 1}")
            near(line["gain_db"], path["gain_db"], 1e-8, "gain_db of a line")
    with open(geojson_path, encoding="utf-8") as file:
        root = json.load(file)
    if root["type"] != "FeatureCollection" or root["radiocity"]["method"] != "images" or "crs" in root:
        sys.exit("the collection is none, or does not say how it was made")
    print(f"lines: {len(features['path'])} paths")


def sums_of(receiver):
    """Names of the values that the paths of a receiver make together: those with these units."""
    return sorted(key for key in receiver if key.endswith(("_db", "_dbm", "_deg", "_ns", "_s")))


def words(json_path, csv_path, geojson_path):
    """One value has one name in all outputs."""
    d = read_json(json_path)
    with open(csv_path, encoding="utf-8", newline="") as file:
        in_table = sums_of(next(csv.DictReader(file)))
    features = [feature["properties"] for feature in read_json(geojson_path)["features"]]
    in_lines = sums_of(next(feature for feature in features if feature["kind"] == "receiver"))
    in_json = sums_of(d["receivers"][0])
    if not in_json == in_table == in_lines or len(in_json) != 12:
        sys.exit(f"receivers have {in_json} in JSON, {in_table} in CSV, {in_lines} in GeoJSON")
    path = next(receiver["paths"][0] for receiver in d["receivers"] if receiver["paths"])
    line = next(feature for feature in features if feature["kind"] == "path")
    shared = set(path) & set(line)
    if set(sums_of(line)) - {"phase_deg"} != set(sums_of(path)) or not {"interactions", "length_m"} <= shared:
        sys.exit(f"paths have {sorted(path)} in JSON, {sorted(line)} in GeoJSON")
    print(f"words: {len(in_json)} of receivers, {len(path)} of paths")


def table(json_path, csv_path):
    d = read_json(json_path)
    with open(csv_path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    near(len(rows), len(d["receivers"]), 0, "rows")
    for row, receiver in zip(rows, d["receivers"]):
        if row["name"] != (receiver["name"] or str(receiver["number"])) or row["state"] != receiver["state"]:
            sys.exit(f"{row} is not {receiver['name']}, {receiver['state']}")
        near(float(row["x"]), receiver["position_m"][0], 6e-4, "x")
        near(int(row["path_count"]), len(receiver["paths"]), 0, "path_count")
        for name in sums_of(row):
            near(float(row[name]) if row[name] else None, receiver[name], 6e-4, name)
    print(f"table: {len(rows)} receivers")


def number(value):
    """What JSON has no word for is NaN in HDF5."""
    return math.nan if value is None else value


def column(h5_path, name):
    text = subprocess.run(["h5dump", "-d", name, "-y", "-m", "%.17g", "-w", "0", h5_path], check=True,
                          capture_output=True, text=True).stdout
    start = text.index("DATA {") + 6
    return text[start:text.index("}", start)].replace(",", " ").split()


def tables(json_path, h5_path):
    d = read_json(json_path)
    paths = [path for receiver in d["receivers"] for path in receiver["paths"]]
    for name, expected, tolerance in (
            ("/paths/length_m", [path["length_m"] for path in paths], 1e-6),
            ("/paths/gain_db", [path["gain_db"] for path in paths], 1e-6),
            ("/paths/event_count", [len(path["events"]) for path in paths], 0),
            ("/receivers/x_m", [receiver["position_m"][0] for receiver in d["receivers"]], 1e-6),
            ("/receivers/path_loss_db", [number(receiver["path_loss_db"]) for receiver in d["receivers"]], 1e-6),
            ("/receivers/coherent_path_loss_db", [number(r["coherent_path_loss_db"]) for r in d["receivers"]], 1e-6),
            ("/receivers/mean_delay_s", [number(r["mean_delay_ns"]) * 1e-9 for r in d["receivers"]], 1e-15),
            ("/paths/path_loss_db", [path["path_loss_db"] for path in paths], 1e-6),
            ("/receivers/path_count", [len(receiver["paths"]) for receiver in d["receivers"]], 0)):
        found = [float(word) for word in column(h5_path, name)]
        near(len(found), len(expected), 0, f"rows of {name}")
        for a, b in zip(found, expected):
            if not (math.isnan(a) and math.isnan(b)):
                near(a, b, tolerance, name)
    print(f"tables: {len(paths)} paths")


{"sums": sums, "lines": lines, "words": words, "table": table, "tables": tables}[sys.argv[1]](*sys.argv[2:])
