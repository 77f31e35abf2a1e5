"""Check coverage polygons against the map they come from.

check_coverage.py AREAS.geojson MAP.tif BAND_NAME    GeoJSON after RFC 7946; cells counted here, points tried in polygons
"""
import array
import json
import math
import random
import sys

from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
areas_path, map_path, band_name = sys.argv[1:]
with open(areas_path, encoding="utf-8") as file:
    collection = json.load(file)
if collection["type"] != "FeatureCollection" or "crs" in collection:
    sys.exit("not a collection after RFC 7946")
dataset = gdal.Open(map_path)
band = next(b for b in (dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount))
            if b.GetDescription().split(" @ ")[0] == band_name)
values = array.array("f")
values.frombytes(band.ReadRaster(buf_type=gdal.GDT_Float32))
left, cell, _, top, _, _ = dataset.GetGeoTransform()
columns = dataset.RasterXSize
way = None
if dataset.GetSpatialRef() is not None:
    source, target = dataset.GetSpatialRef(), osr.SpatialReference()
    target.ImportFromEPSG(4326)
    for crs in (source, target):
        crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    way = osr.CoordinateTransformation(source, target)
places = random.Random(7).sample(range(len(values)), min(400, len(values)))
known = sum(1 for value in values if not math.isnan(value))
thresholds = [feature["properties"]["threshold"] for feature in collection["features"]]
if thresholds != sorted(thresholds):
    sys.exit(f"the thresholds {thresholds} do not ascend: smaller areas lie on top")
for feature in collection["features"]:
    properties = feature["properties"]
    covered = sum(1 for value in values if value >= properties["threshold"])
    if abs(properties["area_km2"] - covered * cell * cell * 1e-6) > 1e-9 or \
       abs(properties["fraction"] - covered / known) > 1e-9:
        sys.exit(f"{properties} does not hold: {covered} of {known} cells")
    if feature["geometry"] is None:
        if covered:
            sys.exit("cells without a polygon")
        continue
    geometry = ogr.CreateGeometryFromJson(json.dumps(feature["geometry"]))
    if not geometry.IsValid():
        sys.exit(f"the area of {properties['threshold']} is not valid")
    for i in places:
        x, y = left + (i % columns + 0.5) * cell, top - (i // columns + 0.5) * cell
        if way is not None:
            x, y, _ = way.TransformPoint(x, y)
        point = ogr.Geometry(ogr.wkbPoint)
        point.AddPoint_2D(x, y)
        if geometry.Contains(point) != (values[i] >= properties["threshold"]):
            sys.exit(f"cell {i} at ({x}, {y}) is {values[i]}, and its centre lies on the wrong side")
print(f"{len(thresholds)} areas hold {len(places)} cells each that were tried")
