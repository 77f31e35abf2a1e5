"""Check a QGIS style: well-formed, the renderer a band of the map has, entries that ascend.

check_style.py STYLE.qml TYPE BAND_NAME MAP.tif    TYPE: singlebandpseudocolor or paletted
"""
import sys
import xml.etree.ElementTree as tree

from osgeo import gdal

gdal.UseExceptions()
path, renderer_type, band_name, map_path = sys.argv[1:]
root = tree.parse(path).getroot()
renderer = root.find("pipe/rasterrenderer")
if root.tag != "qgis" or renderer is None or renderer.get("type") != renderer_type:
    sys.exit(f"expected a renderer of type {renderer_type}")
dataset = gdal.Open(map_path)
description = dataset.GetRasterBand(int(renderer.get("band"))).GetDescription()
if description.split(" @ ")[0] != band_name:
    sys.exit(f"the style colours {description}, expected {band_name}")
entries = renderer.findall("rastershader/colorrampshader/item" if renderer_type == "singlebandpseudocolor"
                           else "colorPalette/paletteEntry")
values = [float(entry.get("value")) for entry in entries]
if len(values) < 2 or values != sorted(set(values)):
    sys.exit(f"the entries are {values}")
for entry in entries:
    colour = entry.get("color")
    if len(colour) != 7 or colour[0] != "#" or not entry.get("label") or entry.get("alpha") != "255":
        sys.exit(f"the entry {entry.attrib} is not one QGIS reads")
    int(colour[1:], 16)
print(f"{len(entries)} entries from {values[0]:g} to {values[-1]:g}")
