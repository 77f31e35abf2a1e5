"""Checks of a network's files, each worked out again from the maps of its sectors.

check_network.py NETWORK.tif SECTOR.tif...        best server and margin are those of the sectors
check_network.py --coverage RUN.json NETWORK.tif  percentages of area and fading
check_network.py --polygons COVERAGE.geojson RUN.json  areas of the polygons are those of the table
check_network.py --sinr RUN.json NETWORK.tif SECTOR.tif...  SINR and its shares from the sectors' levels and notes
check_network.py --moved MAP.tif MOVED.tif        values are found at the places they were moved to
"""
import json
import math
import random
import sys

import numpy
from osgeo import gdal, ogr, osr

gdal.UseExceptions()


def bands(path):
    dataset = gdal.Open(path)
    return {dataset.GetRasterBand(i + 1).GetDescription(): dataset.GetRasterBand(i + 1).ReadAsArray().astype(float)
            for i in range(dataset.RasterCount)}


def check_best(network_path, sector_paths):
    network = bands(network_path)
    levels = numpy.array([bands(path)["received_power"] for path in sector_paths])
    empty = numpy.isnan(levels).all(axis=0)
    filled = numpy.where(numpy.isnan(levels), -1e9, levels)
    order = numpy.sort(filled, axis=0)
    assert (numpy.isnan(network["received_power"]) == empty).all()
    assert (network["received_power"][~empty] == order[-1][~empty]).all()
    assert (network["best_server"][~empty] == filled.argmax(axis=0)[~empty] + 1).all()
    assert numpy.abs(network["server_margin"] - (order[-1] - order[-2]))[~empty].max() < 1e-4
    if len(sector_paths) > 1:
        number = network["second_server"].astype(float)
        others = numpy.where(numpy.arange(len(filled))[:, None, None] + 1 == network["best_server"], -1e9, filled)
        has_second = others.max(axis=0) > -1e8
        assert (numpy.isnan(number) == ~has_second).all() and (number[has_second] == others.argmax(axis=0)[has_second] + 1).all()
    assert len(numpy.unique(network["best_server"][~empty])) == len(sector_paths), "a sector serves nowhere"
    print("best of %d sectors in %d cells" % (len(sector_paths), (~empty).sum()))


def check_coverage(json_path, network_path):
    run = json.load(open(json_path))
    level = bands(network_path)["received_power"]
    level = level[~numpy.isnan(level)]
    for row in run["coverage"]:
        covered = 100.0 * (level >= row["threshold_dbm"]).mean()
        chance = [0.5 * math.erfc((row["threshold_dbm"] - value) / 8.0 / math.sqrt(2.0)) for value in level]
        assert abs(row["covered_percent"] - covered) < 1e-6, row
        assert abs(row["fading_percent"] - 100.0 * sum(chance) / len(chance)) < 1e-3, row
        assert abs(row["covered_km2"] - (level >= row["threshold_dbm"]).sum() * 25e-6) < 1e-9, row
    print("%d thresholds" % len(run["coverage"]))


def transform(from_epsg, to_epsg):
    systems = [osr.SpatialReference(), osr.SpatialReference()]
    for system, epsg in zip(systems, (from_epsg, to_epsg)):
        system.ImportFromEPSG(epsg)
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return osr.CoordinateTransformation(*systems)


def check_polygons(geojson_path, json_path):
    run = json.load(open(json_path))
    source = ogr.Open(geojson_path)
    layer = source.GetLayer(0)
    back = transform(4326, 32632)
    rows = {row["threshold_dbm"]: row for row in run["coverage"]}
    assert layer.GetFeatureCount() == len(rows)
    for feature in layer:
        row = rows[feature.GetField("threshold")]
        geometry = feature.GetGeometryRef().Clone()
        assert geometry.IsValid(), feature.GetField("threshold")
        geometry.Transform(back)
        assert abs(geometry.Area() * 1e-6 - row["covered_km2"]) < 1e-5 * max(row["covered_km2"], 1.0), row
        assert abs(feature.GetField("area_km2") - row["covered_km2"]) < 1e-9, row
    print("%d areas" % len(rows))


def check_sinr(json_path, network_path, sector_paths):
    run = json.load(open(json_path))
    width = run["bandwidth_mhz"]
    load = numpy.array([run.get("server_%d_load" % (i + 1), run["load"]) for i in range(len(sector_paths))])
    carrier = numpy.array([float(gdal.Open(path).GetMetadataItem("RADIOCITY_FREQUENCY_MHZ")) for path in sector_paths])
    levels = numpy.array([bands(path)["received_power"] for path in sector_paths])
    found = bands(network_path)["sinr"]
    empty = numpy.isnan(levels).all(axis=0)
    assert (numpy.isnan(found) == empty).all()
    power = numpy.nan_to_num(10.0 ** (levels / 10.0))
    server = power.argmax(axis=0)
    total = numpy.full(server.shape, 1.380649e-20 * 290.0 * width * 1e6 * 10.0 ** (run["noise_figure_db"] / 10.0))
    for i in range(len(sector_paths)):
        share = numpy.maximum(0.0, 1.0 - numpy.abs(carrier[server] - carrier[i]) / width)
        total += numpy.where(server == i, 0.0, load[i] * share * power[i])
    expected = 10.0 * numpy.log10(power.max(axis=0) / total)
    assert numpy.abs(found - expected)[~empty].max() < 1e-4, numpy.abs(found - expected)[~empty].max()
    value = found[~empty]
    for row in run["sinr_coverage"]:
        assert abs(row["covered_percent"] - 100.0 * (value >= row["threshold_db"]).mean()) < 1e-6, row
    band = [band for band in run["bands"] if band["name"] == "sinr"][0]
    assert abs(band["median"] - numpy.sort(value)[(value.size - 1) // 2]) < 0.1, band
    print("SINR of %d sectors on %d carriers, %g to %g dB" %
          (len(sector_paths), len(set(carrier)), value.min(), value.max()))


def check_moved(path, moved_path):
    here, there = gdal.Open(path), gdal.Open(moved_path)
    move = transform(32632, 4326)
    frame, moved_frame = here.GetGeoTransform(), there.GetGeoTransform()
    value, moved = here.GetRasterBand(1).ReadAsArray(), there.GetRasterBand(1).ReadAsArray()
    near, count = 0, 0
    random.seed(11)
    while count < 500:
        row, column = random.randrange(1, value.shape[0] - 1), random.randrange(1, value.shape[1] - 1)
        if numpy.isnan(value[row, column]):
            continue
        x, y = frame[0] + (column + 0.5) * frame[1], frame[3] + (row + 0.5) * frame[5]
        lon, lat = move.TransformPoint(x, y)[:2]
        c, r = int((lon - moved_frame[0]) / moved_frame[1]), int((lat - moved_frame[3]) / moved_frame[5])
        assert 0 <= r < moved.shape[0] and 0 <= c < moved.shape[1], (x, y)
        around = value[row - 1:row + 2, column - 1:column + 2]  # nearest neighbour: one of these
        near += bool((around == moved[r, c]).any())
        count += 1
    assert near >= 495, near
    print("%d of %d places" % (near, count))


if sys.argv[1] == "--coverage":
    check_coverage(*sys.argv[2:])
elif sys.argv[1] == "--polygons":
    check_polygons(*sys.argv[2:])
elif sys.argv[1] == "--sinr":
    check_sinr(sys.argv[2], sys.argv[3], sys.argv[4:])
elif sys.argv[1] == "--moved":
    check_moved(*sys.argv[2:])
else:
    check_best(sys.argv[1], sys.argv[2:])
