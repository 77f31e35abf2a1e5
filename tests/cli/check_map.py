"""Check GeoTIFF maps with GDAL's Python and nothing else.

check_map.py formula MAP TX_X TX_Y TX_Z FREQUENCY_HZ SEED  band 1 is free-space loss over flat ground at 200 random cells
check_map.py same MAP MAP TOLERANCE                        equal rasters, values within TOLERANCE, nodata in the same cells
check_map.py lonlat MAP LON LAT TX_Z FREQUENCY_HZ SEED     the same, with distances on the ellipsoid from a longitude and latitude
check_map.py is CONDITION... MAP                           Python conditions on the open dataset `d` and its first band `b`
"""
import array
import math
import random
import sys

from osgeo import gdal, osr

LIGHT_M_PER_S = 299792458.0
gdal.UseExceptions()


def read_band(dataset, index):
    band = dataset.GetRasterBand(index)
    values = array.array("f")
    values.frombytes(band.ReadRaster(buf_type=gdal.GDT_Float32))
    return values


def check_formula(path, tx_x, tx_y, tx_z, frequency_hz, seed):
    dataset = gdal.Open(path)
    west, cell, _, north, _, _ = dataset.GetGeoTransform()
    columns = dataset.RasterXSize
    rx_z = float(dataset.GetRasterBand(1).GetMetadataItem("RX_HEIGHT_M"))
    values = read_band(dataset, 1)
    places = [i for i, value in enumerate(values) if not math.isnan(value)]
    if not 0 < len(places) < len(values):
        sys.exit(f"{len(places)} of {len(values)} cells have a value: expected some with and some without")
    worst_db = 0.0
    for i in random.Random(int(seed)).sample(places, min(200, len(places))):
        x = west + (i % columns + 0.5) * cell
        y = north - (i // columns + 0.5) * cell
        distance_m = math.sqrt((x - float(tx_x)) ** 2 + (y - float(tx_y)) ** 2 + (rx_z - float(tx_z)) ** 2)
        expected_db = 20.0 * math.log10(4.0 * math.pi * distance_m * float(frequency_hz) / LIGHT_M_PER_S)
        error_db = abs(values[i] - expected_db)
        if not error_db <= 0.001:
            sys.exit(f"cell {i} at ({x}, {y}) is {values[i]} dB, expected {expected_db} dB (seed {seed})")
        worst_db = max(worst_db, error_db)
    print(f"formula: 200 random cells (seed {seed}) within {worst_db:.2g} dB")


def ellipsoid_distance_m(lon_a, lat_a, lon_b, lat_b):
    """Of near places on WGS 84: the radii of curvature half way, good to a millimetre over ten kilometres."""
    a, e2 = 6378137.0, 0.00669437999014
    lat = math.radians(0.5 * (lat_a + lat_b))
    w = math.sqrt(1.0 - e2 * math.sin(lat) ** 2)
    north = math.radians(lat_b - lat_a) * a * (1.0 - e2) / w**3
    east = math.radians(lon_b - lon_a) * a / w * math.cos(lat)
    return math.hypot(north, east)


def check_lonlat(path, lon, lat, tx_z, frequency_hz, seed):
    """Where the map lies on Earth: nothing of the scene's own frame is used but what GDAL reads from the file."""
    dataset = gdal.Open(path)
    world = osr.SpatialReference()
    world.ImportFromEPSG(4326)
    here = dataset.GetSpatialRef()
    for system in (world, here):
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    move = osr.CoordinateTransformation(here, world)
    west, cell, _, north, _, _ = dataset.GetGeoTransform()
    columns, rows = dataset.RasterXSize, dataset.RasterYSize
    corners = [move.TransformPoint(west + i * columns * cell, north - j * rows * cell)[:2] for i in (0, 1) for j in (0, 1)]
    print("corners " + " ".join("%.5f,%.5f" % corner for corner in corners))
    rx_z = float(dataset.GetRasterBand(1).GetMetadataItem("RX_HEIGHT_M"))
    values = read_band(dataset, 1)
    places = [i for i, value in enumerate(values) if not math.isnan(value)]
    worst_db = 0.0
    for i in random.Random(int(seed)).sample(places, min(200, len(places))):
        place = move.TransformPoint(west + (i % columns + 0.5) * cell, north - (i // columns + 0.5) * cell)
        distance_m = math.hypot(ellipsoid_distance_m(float(lon), float(lat), *place[:2]), rx_z - float(tx_z))
        expected_db = 20.0 * math.log10(4.0 * math.pi * distance_m * float(frequency_hz) / LIGHT_M_PER_S)
        worst_db = max(worst_db, abs(values[i] - expected_db))
    if not worst_db <= 0.01:  # the scale of a UTM zone is off by up to 0.04 %, which is 0.004 dB
        sys.exit(f"a cell is off by {worst_db} dB (seed {seed})")
    print(f"lonlat: 200 random cells (seed {seed}) within {worst_db:.2g} dB")


def check_same(path_a, path_b, tolerance):
    a, b = gdal.Open(path_a), gdal.Open(path_b)
    if a.GetGeoTransform() != b.GetGeoTransform() or a.RasterCount != b.RasterCount:
        sys.exit("the rasters differ in place or bands")
    worst = 0.0
    for index in range(1, a.RasterCount + 1):
        values_a, values_b = read_band(a, index), read_band(b, index)
        if len(values_a) != len(values_b):
            sys.exit("the rasters differ in size")
        for i, (left, right) in enumerate(zip(values_a, values_b)):
            if math.isnan(left) != math.isnan(right):
                sys.exit(f"band {index}, cell {i}: {left} and {right}")
            if not math.isnan(left):
                worst = max(worst, abs(left - right))
    if not worst <= float(tolerance):
        sys.exit(f"values differ by {worst}, more than {tolerance}")
    print(f"maps agree within {worst:.2g}, nodata in the same cells")


def check_conditions(*arguments):
    dataset = gdal.Open(arguments[-1])
    for condition in arguments[:-1]:
        if not eval(condition, {"d": dataset, "b": dataset.GetRasterBand(1), "math": math}):
            sys.exit(f"{condition} does not hold for {arguments[-1]}")


{"formula": check_formula, "lonlat": check_lonlat, "same": check_same, "is": check_conditions}[sys.argv[1]](*sys.argv[2:])
