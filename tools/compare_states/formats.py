"""Compares two files of one format that do not have the same bytes: JSON, CSV, texts, pictures, archives, vectors, HDF5."""
import csv
import io
import json
import os
import re
import subprocess
import zipfile

from osgeo import gdal, ogr

from findings import Number
from rasters import compare_geotiff

gdal.UseExceptions()
ogr.UseExceptions()


def compare_bytes(findings, before, after):
    """Formats that have no names in them: any difference counts."""
    a, b = (open(path, "rb").read() for path in (before, after))
    first = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    findings.differ(f"byte {first}", f"{len(a)} bytes", f"{len(b)} bytes")


def compare_text(findings, before, after):
    findings.text("", *(open(path, encoding="utf-8").read() for path in (before, after)))


# JSON

def parse_json(text):
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number)


def compare_json(findings, before, after):
    a, b = (parse_json(open(path, encoding="utf-8").read()) for path in (before, after))
    compare_values(findings, "", a, b)
    if not findings.differences and not findings.remarks:
        findings.remark("order of keys or spaces")


def compare_values(findings, where, a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        compare_objects(findings, where, a, b)
    elif isinstance(a, list) and isinstance(b, list):
        compare_lists(findings, where, a, b)
    elif isinstance(a, str) and isinstance(b, str) and isinstance(a, Number) == isinstance(b, Number):
        findings.value(where, a, b)
    elif a is not b:
        findings.differ(where, json.dumps(a), json.dumps(b))


def compare_objects(findings, where, a, b):
    of_classes = a.get("name") in findings.renames.classes
    for old, new in findings.pair("key", where, a, b):
        if of_classes and old in ("minimum", "median", "maximum"):
            continue  # of numbers that changed; the map itself is compared
        compare_values(findings, f"{where}.{old}", a[old], b[new])


def compare_lists(findings, where, a, b):
    if all(isinstance(item, dict) and "name" in item for item in a + b) and len(a) != len(b):
        bands = [{f"{item['name']}@{item.get('rx_height_m', '')}": item for item in items} for items in (a, b)]
        if len(bands[0]) == len(a) and len(bands[1]) == len(b):
            for old, new in pair_bands(findings, where, bands[0], bands[1]):
                compare_values(findings, f"{where}[{old}]", bands[0][old], bands[1][new])
            return
    if len(a) != len(b):
        findings.differ(f"{where}, length", str(len(a)), str(len(b)))
    for i, (one, other) in enumerate(zip(a, b)):
        compare_values(findings, f"{where}[{i}]", one, other)


def pair_bands(findings, where, before, after):
    """Pairs of names 'band@height'."""
    left = list(after)
    for old in before:
        band, _, height = old.partition("@")
        new = next((n for n in (f"{m}@{height}" for m in findings.renames.names("band", band)) if n in left), None)
        if new is None:
            findings.differ(where, old, "absent")
        else:
            left.remove(new)
            yield old, new
    for new in left:
        if findings.renames.is_added("band", new.partition("@")[0]):
            findings.remark("added band")
        else:
            findings.differ(where, "absent", new)


# CSV

def compare_csv(findings, before, after):
    a, b = (list(csv.reader(open(path, encoding="utf-8-sig", newline=""))) for path in (before, after))
    if len(a) != len(b):
        findings.differ("rows", str(len(a)), str(len(b)))
        return
    if not a:
        return
    for old, new in findings.pair("column", "header", a[0], b[0]):
        i, j = a[0].index(old), b[0].index(new)
        for row in range(1, len(a)):
            findings.value(f"row {row} column {old}", a[row][i], b[row][j])


# Pictures and archives

def compare_png(findings, before, after):
    """Where the pixels differ: a line of words, such as the version, or the map itself."""
    a, b = gdal.Open(before), gdal.Open(after)
    size = a.RasterXSize, a.RasterYSize, a.RasterCount
    if size != (b.RasterXSize, b.RasterYSize, b.RasterCount):
        findings.pictures.append("another size")
        return
    depth = size[2]
    rows, columns = [], set()
    for row in range(size[1]):
        one, other = (d.ReadRaster(0, row, size[0], 1, buf_pixel_space=depth, buf_band_space=1) for d in (a, b))
        if one != other:
            rows.append(row)
            columns.update(i // depth for i, (x, y) in enumerate(zip(one, other)) if x != y)
    if rows:
        findings.pictures.append(f"other pixels in {len(rows)} of {size[1]} rows ({rows[0]} to {rows[-1]}) "
                                 f"and {len(columns)} of {size[0]} columns ({min(columns)} to {max(columns)})")
    else:
        findings.remark("the same pixels")


def compare_kmz(findings, before, after):
    a, b = zipfile.ZipFile(before), zipfile.ZipFile(after)
    if a.namelist() != b.namelist():
        findings.differ("members", " ".join(a.namelist()), " ".join(b.namelist()))
        return
    for name in a.namelist():
        one, other = a.read(name), b.read(name)
        if one == other:
            continue
        if name.endswith(".kml"):
            findings.text(name, one.decode(), other.decode())
        else:
            paths = []
            for side, data in (("before", one), ("after", other)):
                paths.append(f"/vsimem/{side}/{name}")
                gdal.FileFromMemBuffer(paths[-1], data)
            compare_png(findings, *paths)
            for path in paths:
                gdal.Unlink(path)
    if not findings.differences and not findings.remarks:
        findings.remark("packed otherwise")


# Vector files

def compare_vector(findings, before, after):
    a, b = ogr.Open(before), ogr.Open(after)
    if a.GetLayerCount() != b.GetLayerCount():
        findings.differ("layers", str(a.GetLayerCount()), str(b.GetLayerCount()))
        return
    for one, other in zip(a, b):
        fields = findings.pair("column", "fields", *([f.GetName() for f in layer.schema] for layer in (one, other)))
        if one.GetFeatureCount() != other.GetFeatureCount():
            findings.differ("features", str(one.GetFeatureCount()), str(other.GetFeatureCount()))
        for number, (x, y) in enumerate(zip(one, other)):
            if x.GetGeometryRef().ExportToWkb() != y.GetGeometryRef().ExportToWkb():
                findings.differ(f"feature {number}", "geometry", "another one")
            for old, new in fields:
                findings.value(f"feature {number} {old}", str(x.GetField(old)), str(y.GetField(new)))
    findings.remark("file written otherwise")


def compare_side_file(findings, before, after):
    """Part of a Shapefile, which is compared as a whole."""
    findings.remark("compared with the .shp")


# HDF5

def read_hdf5(path):
    """Objects and attributes of a file by their path: {'/paths/gain_db': [lines]}."""
    dump = subprocess.run(["h5dump", "-m", "%.17g", "-w", "0", path], capture_output=True, text=True, check=True).stdout
    objects, stack = {}, []
    for line in dump.splitlines()[1:]:
        line = line.strip()
        opened = re.match(r'(GROUP|DATASET|ATTRIBUTE) "([^"]*)" \{', line)
        if opened:
            mark = "@" if opened[1] == "ATTRIBUTE" else "/"
            parent = next((name for name in reversed(stack) if name is not None), "")
            name = mark if opened[2] == "/" else parent.rstrip("/") + mark + opened[2]
            stack.append(name)
            objects[name] = []
        elif line.endswith("{"):
            stack.append(None)
        if not opened:
            owner = next((name for name in reversed(stack) if name is not None), None)
            if owner is not None and line not in ("}", "DATA {") and not line.startswith("STRSIZE"):
                objects[owner].append(line)
            if line.startswith("}") and stack:
                stack.pop()
    return objects


def compare_hdf5(findings, before, after):
    a, b = read_hdf5(before), read_hdf5(after)
    left = list(b)
    for old in a:
        parts = re.split(r"([/@])", old)
        named = "".join(p if p in "/@" else next_name(findings, p) for p in parts)
        new = next((name for name in (named, old) if name in left), None)
        if findings.renames.is_ignored("hdf5", parts[-1]):
            left = [name for name in left if name not in (named, old)]
            continue
        if new is None:
            findings.differ("object", old, "absent")
            continue
        left.remove(new)
        compare_hdf5_lines(findings, old, a[old], b[new])
    for name in left:
        parts = [p for p in re.split(r"[/@]", name) if p]
        if any(findings.renames.is_added("hdf5", p) for p in parts):
            findings.remark("added hdf5")
        else:
            findings.differ("object", "absent", name)
    if not findings.differences and not findings.remarks:
        findings.remark("stored otherwise")


def next_name(findings, part):
    return findings.renames.names("hdf5", part)[0]


def compare_hdf5_lines(findings, where, a, b):
    # '"name" 5;' is a member of an enumeration, which may have grown
    names = [re.match(r'"([^"]*)" +-?\d+;$', line) for line in b]
    grown = [name is not None and findings.renames.is_added("hdf5", name[1]) for name in names]
    if any(grown):
        findings.remark("added hdf5")
        b = [line for line, is_new in zip(b, grown) if not is_new]
    if len(a) != len(b):
        findings.differ(f"{where}, lines", str(len(a)), str(len(b)))
        return
    for one, other in zip(a, b):
        if one != other:
            # 'A(0): "x", "y"' and '"silent" 1;': quoted strings may be renamed, all else is a value
            strings = [re.findall(r'"((?:[^"\\]|\\.)*)"', line) for line in (one, other)]
            rest = [re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).replace(" ", "") for line in (one, other)]
            if rest[0] != rest[1] or len(strings[0]) != len(strings[1]):
                findings.differ(where, one, other)
                return
            for x, y in zip(*strings):
                findings.value(where, x, y)


COMPARE = {
    ".json": compare_json, ".geojson": compare_json, ".csv": compare_csv, ".tif": compare_geotiff, ".png": compare_png,
    ".kmz": compare_kmz, ".h5": compare_hdf5, ".gpkg": compare_vector, ".shp": compare_vector, ".dbf": compare_side_file,
    ".shx": compare_side_file, ".prj": compare_side_file, ".cpg": compare_side_file, ".qml": compare_text,
    ".txt": compare_text, ".md": compare_text,
}


def compare_file(findings, before, after):
    COMPARE.get(os.path.splitext(before)[1], compare_bytes)(findings, before, after)


def compare_stdout(findings, before, after):
    """One JSON value a line, or a report."""
    a, b = (io.open(path, encoding="utf-8").read() for path in (before, after))
    lines = a.splitlines(), b.splitlines()
    if a.startswith("{") and b.startswith("{") and len(lines[0]) == len(lines[1]):
        for one, other in zip(*lines):
            if one != other:
                compare_values(findings, "", parse_json(one), parse_json(other))
        if not findings.differences and not findings.remarks:
            findings.remark("order of keys")
    else:
        findings.text("", a, b)
