"""Make and check vector files with GDAL's Python and nothing else.

check_vector.py make FILE EPSG SEED        a city of boxes, courtyards and buildings of two parts, near Munich, as a file
                                           whose ending names the format; EPSG 0 states no CRS (metres of UTM 32)
check_vector.py corners FILE FILE METRES   the same rings, every corner within METRES
check_vector.py is CONDITION... FILE       Python conditions on the dataset `d`, its only layer `l` and its CRS `s`
"""
import os
import random
import sys

from osgeo import gdal, ogr, osr

gdal.UseExceptions()
DRIVERS = {".gpkg": "GPKG", ".shp": "ESRI Shapefile", ".geojson": "GeoJSON", ".gml": "GML"}


def make_crs(epsg):
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(epsg)
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return crs


def box(x, y, width, depth):
    return f"({x} {y},{x + width} {y},{x + width} {y + depth},{x} {y + depth},{x} {y})"


def make_city(seed):
    """Polygons in UTM 32 with their heights; corners on 1/8 m, so that all formats hold them exactly."""
    draw = random.Random(seed)
    for i in range(60):
        x = 691000 + 60 * (i % 10) + draw.randrange(80) / 8
        y = 5334000 + 60 * (i // 10) + draw.randrange(80) / 8
        width, depth = 10 + draw.randrange(200) / 8, 10 + draw.randrange(200) / 8
        height = draw.randrange(20, 300) / 8
        if i % 5 == 1:
            yield f"POLYGON({box(x, y, width, depth)},{box(x + 3, y + 3, width - 6, depth - 6)})", height
        elif i % 5 == 2:
            yield f"MULTIPOLYGON(({box(x, y, 8, depth)}),({box(x + 12, y, 8, depth)}))", height
        else:
            yield f"POLYGON({box(x, y, width, depth)})", height


def make(path, epsg, seed):
    utm, crs = make_crs(32632), make_crs(int(epsg)) if epsg != "0" else None
    dataset = ogr.GetDriverByName(DRIVERS[os.path.splitext(path)[1]]).CreateDataSource(path)
    options = ["COORDINATE_PRECISION=10"] if path.endswith(".geojson") else []
    layer = dataset.CreateLayer("city", crs, ogr.wkbUnknown if not path.endswith(".shp") else ogr.wkbPolygon, options)
    layer.CreateField(ogr.FieldDefn("height", ogr.OFTReal))
    for text, height in make_city(int(seed)):
        geometry = ogr.CreateGeometryFromWkt(text)
        geometry.AssignSpatialReference(utm)
        if crs is not None and not crs.IsSame(utm):
            geometry.TransformTo(crs)
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("height", height)
        feature.SetGeometry(geometry)
        layer.CreateFeature(feature)


def read_rings(geometry):
    if geometry.GetGeometryType() in (ogr.wkbPolygon, ogr.wkbPolygon25D):
        return [geometry.GetGeometryRef(i).GetPoints() for i in range(geometry.GetGeometryCount())]
    return [ring for i in range(geometry.GetGeometryCount()) for ring in read_rings(geometry.GetGeometryRef(i))]


def read_corners(path):
    dataset = gdal.OpenEx(path, gdal.OF_VECTOR)
    rings = [ring for feature in dataset.GetLayer(0) for ring in read_rings(feature.GetGeometryRef())]
    return [len(ring) for ring in rings], [point for ring in rings for point in ring]


def check_corners(left, right, tolerance_m):
    counts, corners = read_corners(left)
    other_counts, other_corners = read_corners(right)
    if counts != other_counts:
        sys.exit(f"{len(counts)} rings against {len(other_counts)}, or other numbers of corners")
    worst_m = max(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in zip(corners, other_corners))
    print(f"{len(corners)} corners, farthest {worst_m:.6f} m apart")
    if not worst_m <= float(tolerance_m):
        sys.exit(f"corners lie {worst_m} m apart")


def check_is(conditions, path):
    dataset = gdal.OpenEx(path, gdal.OF_VECTOR)
    layer = dataset.GetLayer(0)
    names = {"d": dataset, "l": layer, "s": layer.GetSpatialRef()}
    for condition in conditions:
        if not eval(condition, names):  # pylint: disable=eval-used
            sys.exit(f"{path}: not {condition}")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    elif sys.argv[1] == "corners":
        check_corners(*sys.argv[2:])
    else:
        check_is(sys.argv[2:-1], sys.argv[-1])
