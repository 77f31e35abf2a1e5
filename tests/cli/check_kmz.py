"""Check a KMZ with Python's standard library, and its bounds with GDAL's Python where it is there.

check_kmz.py FILE.kmz [MAP.tif]    MAP.tif: the map it shows; its bounds in degrees must be the overlay's, to a pixel

The archive is sound and starts with doc.kml; the document is well-formed KML 2.2 whose elements are those of the schema
(OGC 07-147r2, ogckml22.xsd), in its order; what it refers to is in the archive; boxes, coordinates and rings make sense.
"""
import struct
import sys
import xml.etree.ElementTree as tree
import zipfile

KML = "{http://www.opengis.net/kml/2.2}"

# The children of each element in the order of the schema; "*" after a name: any number of them.
FEATURE = ["name", "visibility", "open", "address", "phoneNumber", "Snippet", "description", "styleUrl", "Style*", "Region",
           "ExtendedData"]
OVERLAY = FEATURE + ["color", "drawOrder", "Icon"]
FEATURES = {"ScreenOverlay", "GroundOverlay", "Folder", "Placemark", "Document"}
GEOMETRIES = {"Point", "Polygon", "MultiGeometry", "LinearRing", "LineString"}
CHILDREN = {
    "kml": ["(feature)"],
    "Document": FEATURE + ["Schema*", "(feature)*"],
    "Folder": FEATURE + ["(feature)*"],
    "Placemark": FEATURE + ["(geometry)"],
    "GroundOverlay": OVERLAY + ["altitude", "altitudeMode", "LatLonBox"],
    "ScreenOverlay": OVERLAY + ["overlayXY", "screenXY", "rotationXY", "size", "rotation"],
    "Icon": ["href"],
    "LatLonBox": ["north", "south", "east", "west", "rotation"],
    "Style": ["IconStyle", "LabelStyle", "LineStyle", "PolyStyle", "BalloonStyle", "ListStyle"],
    "IconStyle": ["color", "colorMode", "scale", "heading", "Icon", "hotSpot"],
    "LineStyle": ["color", "colorMode", "width"],
    "PolyStyle": ["color", "colorMode", "fill", "outline"],
    "MultiGeometry": ["(geometry)*"],
    "Point": ["extrude", "altitudeMode", "coordinates"],
    "Polygon": ["extrude", "tessellate", "altitudeMode", "outerBoundaryIs", "innerBoundaryIs*"],
    "outerBoundaryIs": ["(geometry)"],
    "innerBoundaryIs": ["(geometry)"],
    "LinearRing": ["extrude", "tessellate", "altitudeMode", "coordinates"],
}
ATTRIBUTES = {"Style": {"id"}, "overlayXY": {"x", "y", "xunits", "yunits"}, "screenXY": {"x", "y", "xunits", "yunits"},
              "size": {"x", "y", "xunits", "yunits"}}


def kind(name):
    return "(feature)" if name in FEATURES else "(geometry)" if name in GEOMETRIES else name


def check_order(element):
    if not element.tag.startswith(KML):
        sys.exit(f"{element.tag} is not in the namespace of KML 2.2")
    name = element.tag[len(KML):]
    extra = set(element.attrib) - ATTRIBUTES.get(name, set())
    if extra:
        sys.exit(f"<{name}> has attributes {extra}")
    if name not in CHILDREN:
        if len(element):
            sys.exit(f"<{name}> has children")
        return
    order, place = CHILDREN[name], 0  # what stood before `place` may not come any more
    for child in element:
        wanted = kind(child.tag[len(KML):])
        rest = [entry.rstrip("*") for entry in order[place:]]
        if wanted not in rest:
            sys.exit(f"<{child.tag[len(KML):]}> stands in <{name}> where the schema has no place for it")
        place += rest.index(wanted)
        place += not order[place].endswith("*")
        check_order(child)


def find_all(root, name):
    return root.iter(KML + name)


def points_of(text):
    for word in text.split():
        parts = [float(part) for part in word.split(",")]
        if len(parts) not in (2, 3) or not (-180 <= parts[0] <= 180 and -90 <= parts[1] <= 90):
            sys.exit(f"'{word}' is no longitude,latitude[,height]")
        yield parts


def signed_area(points):
    return 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:]))


def check_rings(root):
    for role, sign in (("outerBoundaryIs", 1), ("innerBoundaryIs", -1)):
        for boundary in find_all(root, role):
            points = list(points_of(boundary.find(f"{KML}LinearRing/{KML}coordinates").text))
            if len(points) < 4 or points[0] != points[-1]:
                sys.exit(f"a ring of {len(points)} points does not close")
            if signed_area(points) * sign <= 0:
                sys.exit(f"a ring in {role} turns the wrong way")
    for point in find_all(root, "Point"):
        if len(list(points_of(point.find(f"{KML}coordinates").text))) != 1:
            sys.exit("a point has several coordinates")


def check_references(archive, root):
    names = set(archive.namelist())
    for href in find_all(root, "href"):
        if href.text not in names:
            sys.exit(f"'{href.text}' is not in the archive")
    styles = {"#" + style.get("id") for style in find_all(root, "Style")}
    for url in find_all(root, "styleUrl"):
        if url.text not in styles:
            sys.exit(f"there is no style {url.text}")
    for name in names - {"doc.kml"}:
        data = archive.read(name)
        if not name.endswith(".png") or data[:8] != b"\x89PNG\r\n\x1a\n":
            sys.exit(f"'{name}' is no PNG")


def check_box(archive, root, map_path):
    box = root.find(f".//{KML}LatLonBox")
    north, south, east, west = (float(box.find(KML + side).text) for side in ("north", "south", "east", "west"))
    if not (90 >= north > south >= -90 and 180 >= east > west >= -180):
        sys.exit(f"the box {north} {south} {east} {west} is none")
    width, height = struct.unpack(">II", archive.read("overlay.png")[16:24])
    if map_path is None:
        return
    from osgeo import gdal, osr
    gdal.UseExceptions()
    dataset = gdal.Open(map_path)
    reference = dataset.GetSpatialRef()
    target = osr.SpatialReference()
    target.ImportFromEPSG(4326)
    for crs in (reference, target):
        crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    way = osr.CoordinateTransformation(reference, target)
    left, cell, _, top, _, _ = dataset.GetGeoTransform()
    edge = []
    for i in range(101):
        for x, y in ((i / 100, 0), (i / 100, 1), (0, i / 100), (1, i / 100)):
            edge.append(way.TransformPoint(left + x * cell * dataset.RasterXSize, top - y * cell * dataset.RasterYSize))
    found = (max(p[1] for p in edge), min(p[1] for p in edge), max(p[0] for p in edge), min(p[0] for p in edge))
    pixel = ((north - south) / height, (north - south) / height, (east - west) / width, (east - west) / width)
    for side, a, b, limit in zip(("north", "south", "east", "west"), (north, south, east, west), found, pixel):
        if abs(a - b) > limit:
            sys.exit(f"{side} of the overlay is {a}, of the map {b}: over a pixel ({limit}) apart")


def main(path, map_path=None):
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            sys.exit(f"'{archive.testzip()}' is damaged")
        if archive.namelist()[0] != "doc.kml":
            sys.exit("doc.kml is not the first file")
        if any(info.date_time != (1980, 1, 1, 0, 0, 0) for info in archive.infolist()):
            sys.exit("a file carries a time")
        root = tree.fromstring(archive.read("doc.kml"))
        if root.tag != KML + "kml":
            sys.exit(f"the root is {root.tag}")
        check_order(root)
        check_references(archive, root)
        check_rings(root)
        check_box(archive, root, map_path)
        rings = sum(1 for _ in find_all(root, "LinearRing"))
        places = sum(1 for _ in find_all(root, "Point"))
    print(f"{rings} rings and {places} points are sound")


main(*sys.argv[1:])
