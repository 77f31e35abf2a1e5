"""Check what stands on terrain, with GDAL's Python and nothing of the program's.

check_terrain.py loss MAP DEM NODES TX_X,TX_Y,TX_H FREQUENCY_HZ SEED
    band 1 of MAP is free-space loss between a transmitter and receivers that both stand on the ground, at 200 random cells
check_terrain.py houses VECTOR DEM NODES
    every building's ground_m is the lowest ground under its outline

The ground is that of the elevation model DEM: between nodes it is flat on both sides of a diagonal from south-west to
north-east. NODES says where nodes are: "pixels" for the centres of DEM's pixels, or their distance in metres, on whole
multiples of it in the CRS of the other file; then heights are bilinear between DEM's pixels.
"""
import array
import math
import random
import sys

from osgeo import gdal, ogr, osr

LIGHT_M_PER_S = 299792458.0
gdal.UseExceptions()
ogr.UseExceptions()
osr.UseExceptions()


class Ground:
    def __init__(self, path, nodes, reference):
        dataset = gdal.Open(path)
        self.west, self.dx, _, self.north, _, self.dy = dataset.GetGeoTransform()
        self.columns, self.rows = dataset.RasterXSize, dataset.RasterYSize
        self.value = array.array("f")
        self.value.frombytes(dataset.GetRasterBand(1).ReadRaster(buf_type=gdal.GDT_Float32))
        self.is_pixels = nodes == "pixels"
        self.cell = self.dx if self.is_pixels else float(nodes)
        self.origin = (self.west + 0.5 * self.dx, self.north + (self.rows - 0.5) * self.dy) if self.is_pixels else (0, 0)
        target = dataset.GetSpatialRef()
        target.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        self.way = osr.CoordinateTransformation(reference, target)
        self.known = {}

    def node(self, column, row):
        """Height of one node."""
        if self.is_pixels:
            return self.value[(self.rows - 1 - row) * self.columns + column]
        if (column, row) not in self.known:
            x, y, _ = self.way.TransformPoint(column * self.cell, row * self.cell)
            u = (x - self.west) / self.dx - 0.5
            v = (y - self.north) / self.dy - 0.5
            i, k = math.floor(u), math.floor(v)
            u, v = u - i, v - k
            at = k * self.columns + i
            upper = self.value[at] * (1 - u) + self.value[at + 1] * u
            lower = self.value[at + self.columns] * (1 - u) + self.value[at + self.columns + 1] * u
            self.known[column, row] = upper * (1 - v) + lower * v
        return self.known[column, row]

    def height(self, x, y):
        """Height of the ground anywhere."""
        u = (x - self.origin[0]) / self.cell
        v = (y - self.origin[1]) / self.cell
        i, k = math.floor(u), math.floor(v)
        u, v = u - i, v - k
        south_west, north_east = self.node(i, k), self.node(i + 1, k + 1)
        if u >= v:
            south_east = self.node(i + 1, k)
            return south_west + (south_east - south_west) * u + (north_east - south_east) * v
        north_west = self.node(i, k + 1)
        return south_west + (north_west - south_west) * v + (north_east - north_west) * u


def check_loss(path, dem, nodes, transmitter, frequency_hz, seed):
    dataset = gdal.Open(path)
    ground = Ground(dem, nodes, dataset.GetSpatialRef())
    west, cell, _, north, _, _ = dataset.GetGeoTransform()
    band = dataset.GetRasterBand(1)
    values = array.array("f")
    values.frombytes(band.ReadRaster(buf_type=gdal.GDT_Float32))
    rx_h = float(band.GetMetadataItem("RX_HEIGHT_M"))
    tx_x, tx_y, tx_h = map(float, transmitter.split(","))
    tx_z = ground.height(tx_x, tx_y) + tx_h
    places = [i for i, value in enumerate(values) if not math.isnan(value)]
    if not 0 < len(places) < len(values):
        sys.exit(f"{len(places)} of {len(values)} cells have a value: expected some with and some without")
    worst_db, lowest, highest = 0.0, math.inf, -math.inf
    for i in random.Random(int(seed)).sample(places, min(200, len(places))):
        x = west + (i % dataset.RasterXSize + 0.5) * cell
        y = north - (i // dataset.RasterXSize + 0.5) * cell
        rx_z = ground.height(x, y) + rx_h
        distance_m = math.sqrt((x - tx_x) ** 2 + (y - tx_y) ** 2 + (rx_z - tx_z) ** 2)
        expected_db = 20.0 * math.log10(4.0 * math.pi * distance_m * float(frequency_hz) / LIGHT_M_PER_S)
        if not abs(values[i] - expected_db) <= 0.005:
            sys.exit(f"cell {i} at ({x}, {y}) on {rx_z - rx_h} m is {values[i]} dB, expected {expected_db} dB (seed {seed})")
        worst_db = max(worst_db, abs(values[i] - expected_db))
        lowest, highest = min(lowest, rx_z - rx_h), max(highest, rx_z - rx_h)
    if highest - lowest < 20.0:
        sys.exit(f"the ground is flat, {lowest} to {highest} m: this proves nothing")
    print(f"loss: 200 random cells (seed {seed}) on {lowest:.0f} to {highest:.0f} m within {worst_db:.2g} dB")


def ring_points(geometry):
    for i in range(geometry.GetGeometryCount()):
        part = geometry.GetGeometryRef(i)
        if part.GetGeometryName() == "POLYGON":
            yield from ring_points(part)
        else:
            yield part.GetPoints()


def check_houses(path, dem, nodes):
    dataset = ogr.Open(path)
    layer = dataset.GetLayer(0)
    ground = Ground(dem, nodes, layer.GetSpatialRef())
    count, lowest, highest = 0, math.inf, -math.inf
    for feature in layer:
        under = math.inf
        for ring in ring_points(feature.GetGeometryRef()):
            for (x1, y1, *_), (x2, y2, *_) in zip(ring, ring[1:]):
                steps = max(int(math.hypot(x2 - x1, y2 - y1) / 0.25), 1)
                for s in range(steps):
                    under = min(under, ground.height(x1 + (x2 - x1) * s / steps, y1 + (y2 - y1) * s / steps))
        stands = feature.GetField("ground_m")
        if not under - 0.3 <= stands <= under + 0.02:  # a dip between two steps, or a node inside, may be lower
            sys.exit(f"building {feature.GetField('id')} stands at {stands} m, the lowest ground around it is {under} m")
        count, lowest, highest = count + 1, min(lowest, stands), max(highest, stands)
    if count == 0 or highest - lowest < 20.0:
        sys.exit(f"{count} buildings on {lowest} to {highest} m: this proves nothing")
    print(f"houses: {count} on {lowest:.0f} to {highest:.0f} m")


CHECKS = {"loss": check_loss, "houses": check_houses}
CHECKS[sys.argv[1]](*sys.argv[2:])
