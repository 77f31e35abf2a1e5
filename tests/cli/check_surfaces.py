"""Look into the files of tiles that `radiocity predict --surfaces` writes, with Python alone where it can.

check_surfaces.py glb GLB CSV BAND    the file follows glTF 2.0 (chunks, views, bounds, indices, no NaN) and has the tiles of
                                      the table, each with its value in the band's column, seen from the side of its normal
check_surfaces.py ply PLY CSV         header and size agree, faces have the tiles and values of the table
check_surfaces.py tables H5 CSV       the columns of the HDF5 file, through h5dump
check_surfaces.py facade PART CSV     the lines of PART are wall tiles of the table, one above the other, with their heights
check_surfaces.py streets TIF CSV     cells of the map have the values of the ground tiles they lie in, through GDAL
"""
import csv
import json
import math
import struct
import subprocess
import sys

SIZES = {5121: 1, 5123: 2, 5125: 4, 5126: 4}
LETTERS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def fail(text):
    sys.exit(text)


def check(holds, text):
    if not holds:
        fail(text)


def read_table(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for key in row:
            if key != "kind":
                row[key] = float(row[key]) if row[key] != "" else math.nan
    return rows


def is_same(a, b, tolerance=1e-5):
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance * max(1.0, abs(b))


def by_centre(rows):
    return {(round(row["x"], 2), round(row["y"], 2), round(row["z_m"], 2)): row for row in rows}


def find(places, centre):
    """The row at a centre: rounding may lead to a neighbour of its key."""
    for dx in (0.0, -0.01, 0.01):
        for dy in (0.0, -0.01, 0.01):
            for dz in (0.0, -0.01, 0.01):
                key = (round(centre[0] + dx, 2), round(centre[1] + dy, 2), round(centre[2] + dz, 2))
                if key in places:
                    return places[key]
    return fail(f"the table has no tile at {centre}")


class Gltf:
    """A GLB file in memory: 4.4 of the specification."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        magic, version, length = struct.unpack("<4sII", data[:12])
        check(magic == b"glTF" and version == 2 and length == len(data), "header of the file")
        chunks = []
        at = 12
        while at < len(data):
            size, kind = struct.unpack("<I4s", data[at:at + 8])
            check(size % 4 == 0 and at + 8 + size <= len(data), "length of a chunk")
            chunks.append((kind, data[at + 8:at + 8 + size]))
            at += 8 + size
        check([kind for kind, _ in chunks] == [b"JSON", b"BIN\0"], "kinds of chunks")
        self.json = json.loads(chunks[0][1].decode("utf-8"))
        self.buffer = chunks[1][1]
        check(self.json["asset"]["version"] == "2.0", "version")
        check(0 <= len(self.buffer) - self.json["buffers"][0]["byteLength"] <= 3, "length of the buffer")
        self.check_views()

    def check_views(self):
        users = {}
        for accessor in self.json["accessors"]:
            users.setdefault(accessor["bufferView"], []).append(accessor)
        for number, view in enumerate(self.json["bufferViews"]):
            check(view["byteOffset"] % 4 == 0, "alignment of a view")
            check(view["byteOffset"] + view["byteLength"] <= len(self.buffer), "end of a view")
            check(view["target"] in (34962, 34963) and number in users, "use of a view")
            check(("byteStride" in view) == (view["target"] == 34962), "stride of a view")

    def read(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = WIDTHS[accessor["type"]]
        size = SIZES[accessor["componentType"]] * width
        stride = view.get("byteStride", size)
        first = accessor["byteOffset"]
        check(first % 4 == 0 and stride >= size, "alignment of an accessor")
        check(first + stride * (accessor["count"] - 1) + size <= view["byteLength"], "end of an accessor")
        form = "<" + str(width) + LETTERS[accessor["componentType"]]
        start = view["byteOffset"] + first
        rows = [struct.unpack_from(form, self.buffer, start + i * stride) for i in range(accessor["count"])]
        if accessor["componentType"] == 5126:
            check(all(math.isfinite(v) for row in rows for v in row), "a number that is not finite")
        if "min" in accessor:
            columns = list(zip(*rows))
            check([struct.unpack("<f", struct.pack("<f", v))[0] for v in accessor["min"]] == [min(c) for c in columns],
                  "lower bounds")
            check([struct.unpack("<f", struct.pack("<f", v))[0] for v in accessor["max"]] == [max(c) for c in columns],
                  "upper bounds")
        return rows


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def check_primitive(file, primitive, kind, places, column, origin):
    attributes = primitive["attributes"]
    positions = file.read(attributes["POSITION"])
    check("min" in file.json["accessors"][attributes["POSITION"]], "bounds of positions")
    values = file.read(attributes["_VALUE"]) if "_VALUE" in attributes else None
    normals = file.read(attributes["NORMAL"])
    indices = [row[0] for row in file.read(primitive["indices"])]
    check(max(indices) < len(positions) and len(indices) * 4 == len(positions) * 6, "indices")
    check(values is None or len(values) == len(positions), "number of values")
    for first in range(0, len(positions), 4):
        corners = [(origin[0] + p[0], origin[1] - p[2], p[1]) for p in positions[first:first + 4]]
        centre = [sum(c[i] for c in corners) / 4 for i in range(3)]
        row = find(places, centre)
        check(row["kind"] == kind, f"kind of the tile at {centre}")
        side = [corners[1][i] - corners[0][i] for i in range(3)]
        other = [corners[3][i] - corners[0][i] for i in range(3)]
        turn = cross(side, other)
        area = row["first_side_m"] * row["second_side_m"]
        for i, name in enumerate("xyz"):
            check(abs(turn[i] - area * row["normal_" + name]) < 0.02 * area + 0.01, f"side seen at {centre}")
        check(abs(normals[first][1] - row["normal_z"]) < 1e-5, f"normal at {centre}")
        value = values[first][0] if values is not None else math.nan
        check(is_same(value, row[column]), f"value at {centre}: {value}, not {row[column]}")
        row["seen"] = True


def check_glb(path, table, column):
    file = Gltf(path)
    rows = read_table(table)
    places = by_centre(rows)
    scene = file.json["scenes"][file.json["scene"]]
    origin = scene["extras"]["origin_m"]
    for node in scene["nodes"]:
        mesh = file.json["meshes"][file.json["nodes"][node]["mesh"]]
        for primitive in mesh["primitives"]:
            check_primitive(file, primitive, mesh["name"], places, column, origin)
    check(all("seen" in row for row in rows), "tiles of the table that the file lacks")
    check("method" in scene["extras"]["notes"] and "scene_hash" in scene["extras"]["notes"], "notes")
    print(f"{len(rows)} tiles of {path} are those of {table}")


def read_ply(path):
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    elements = []
    forms = {"double": "d", "float": "f", "uchar": "B", "int": "i"}
    for line in data[:end].decode("utf-8").splitlines():
        words = line.split()
        if words[0] == "element":
            elements.append([words[1], int(words[2]), "<", []])
        elif words[0] == "property" and words[1] == "list":
            check(words[2:] == ["uchar", "int", "vertex_indices"], line)
            elements[-1][2] += "B4i"
            elements[-1][3] += ["corners", "a", "b", "c", "d"]
        elif words[0] == "property":
            elements[-1][2] += forms[words[1]]
            elements[-1][3].append(words[2])
    found = {}
    for name, count, form, names in elements:
        size = struct.calcsize(form)
        found[name] = [dict(zip(names, struct.unpack_from(form, data, end + i * size))) for i in range(count)]
        end += count * size
    check(end == len(data), f"{path} has {len(data)} bytes, its header says {end}")
    return found


def check_ply(path, table):
    rows = read_table(table)
    found = read_ply(path)
    check(len(found["face"]) == len(rows) and len(found["vertex"]) == 4 * len(rows), "number of faces and vertices")
    kinds = ["wall", "roof", "ground"]
    for face, row in zip(found["face"], rows):
        corners = [found["vertex"][face[key]] for key in "abcd"]
        centre = [sum(corner[axis] for corner in corners) / 4 for axis in "xyz"]
        check(all(abs(c - row[k]) < 1e-3 for c, k in zip(centre, ("x", "y", "z_m"))), f"place of the face at {centre}")
        check(face["corners"] == 4 and kinds[face["kind"]] == row["kind"], "kind of a face")
        check(face["building_id"] == row["building_id"], "building of a face")
        for name in face:
            columns = [c for c in row if c == name or c.rsplit("_", 1)[0] == name]
            if columns and name not in ("kind", "building_id"):
                check(is_same(face[name], row[columns[0]]), f"{name} of a face")
    print(f"{len(rows)} faces of {path} are those of {table}")


def dump(path, name):
    text = subprocess.run(["h5dump", "-m", "%.9g", "-y", "-d", name, path], check=True, capture_output=True, text=True).stdout
    body = text[text.index("DATA {") + 6:]
    return [word for word in body[:body.index("}")].replace(",", " ").split()]


def check_tables(path, table):
    rows = read_table(table)
    numbers = [("tiles/x_m", "x"), ("tiles/z_m", "z_m"), ("tiles/building_id", "building_id")]
    names = [name for name in rows[0] if name.startswith("path_loss")]
    numbers += [("bands/path_loss", name) for name in names]
    for name, column in numbers:
        values = dump(path, name)
        check(len(values) == len(rows), f"rows of {name}")
        for value, row in zip(values, rows):
            check(is_same(float(value), row[column], 1e-3 if column in ("x", "z_m") else 1e-6), f"{name}: {value}, not {row[column]}")
    check([word.lower() for word in dump(path, "tiles/kind")] == [row["kind"] for row in rows], "kinds")
    print(f"{len(rows)} rows of {path} are those of {table}")


def check_facade(path, table):
    part = read_table(path)
    places = by_centre(read_table(table))
    check(len(part) > 0, "no tile")
    for row in part:
        whole = find(places, (row["x"], row["y"], row["z_m"]))
        check(all(row[k] == whole[k] if k == "kind" else is_same(row[k], whole[k]) for k in whole), "a line of the facade")
        check(row["kind"] == "wall" and row["building_id"] == part[0]["building_id"], "one wall")
        check(abs(row["height_above_lowest_m"] - (row["z_m"] - part[0]["z_m"])) < 2e-3, "heights")
    heights = [row["z_m"] for row in part]
    check(heights == sorted(heights) and len(set(heights)) == len(heights), "order of heights")
    print(f"{len(part)} tiles of a facade")


def check_streets(path, table):
    from osgeo import gdal  # pylint: disable=import-outside-toplevel
    gdal.UseExceptions()
    rows = [row for row in read_table(table) if row["kind"] == "ground"]
    data = gdal.Open(path)
    west, cell, _, north, _, _ = data.GetGeoTransform()
    band = next(i for i in range(1, data.RasterCount + 1) if data.GetRasterBand(i).GetDescription().startswith("path_loss"))
    values = data.GetRasterBand(band).ReadAsArray()
    column = next(name for name in rows[0] if name.startswith("path_loss"))
    seen = 0
    for row in rows:  # the middle of a tile lies in one cell; where that cell's centre is in the tile, it has its value
        k, i = int((row["x"] - west) // cell), int((north - row["y"]) // cell)
        dx, dy = west + (k + 0.5) * cell - row["x"], north - (i + 0.5) * cell - row["y"]
        a = dx * row["side_x"] + dy * row["side_y"]
        b = dy * row["side_x"] - dx * row["side_y"]
        if row["normal_z"] > 0.999999 and abs(a) < 0.49 * row["first_side_m"] and abs(b) < 0.49 * row["second_side_m"]:
            check(is_same(float(values[i][k]), row[column]), f"cell {k}, {i}: {values[i][k]}, not {row[column]}")
            seen += 1
    check(seen > len(rows) // 2, f"only {seen} of {len(rows)} tiles compared")
    print(f"{seen} cells have the values of their tiles")


COMMANDS = {"glb": check_glb, "ply": check_ply, "tables": check_tables, "facade": check_facade, "streets": check_streets}
COMMANDS[sys.argv[1]](*sys.argv[2:])
