"""Compares two GeoTIFFs: the place, every value of every band bit for bit, then names, units and notes."""
import array
import math
import struct

from osgeo import gdal

gdal.UseExceptions()


def split_name(description):
    """'path_loss @ 1.5 m' is the band path_loss at a height."""
    name, mark, height = description.partition(" @ ")
    return name, mark + height


def values_of(band):
    return band.ReadRaster(0, 0, band.XSize, band.YSize)


def compare_geotiff(findings, before, after):
    a, b = gdal.Open(before), gdal.Open(after)
    for what, get in (("size", lambda d: (d.RasterXSize, d.RasterYSize)), ("transform", lambda d: d.GetGeoTransform()),
                      ("CRS", lambda d: d.GetProjection())):
        if get(a) != get(b):
            findings.differ(what, str(get(a)), str(get(b)))
            return
    for one, other in pair_bands(findings, a, b):
        compare_band(findings, one, other)
    compare_notes(findings, "notes", a.GetMetadata(), b.GetMetadata())
    if not findings.differences and not findings.remarks:
        findings.remark("file written otherwise")


def pair_bands(findings, a, b):
    """Bands that belong together by their names. Bands without a name belong together by their place."""
    befores = [a.GetRasterBand(i + 1) for i in range(a.RasterCount)]
    left = [b.GetRasterBand(i + 1) for i in range(b.RasterCount)]
    for place, one in enumerate(befores):
        name, height = split_name(one.GetDescription())
        wanted = [new + height for new in findings.renames.names("band", name)]
        other = next((band for new in wanted for band in left if band.GetDescription() == new), None)
        if other is None:
            findings.differ("band", one.GetDescription(), "absent")
            continue
        if other.GetDescription() != one.GetDescription():
            findings.remark("renamed")
        if other.GetBand() != place + 1:
            findings.remark("order of bands")
        left.remove(other)
        yield one, other
    for band in left:
        if findings.renames.is_added("band", split_name(band.GetDescription())[0]):
            findings.remark("added band")
        else:
            findings.differ("band", "absent", band.GetDescription())


def compare_band(findings, one, other):
    name = one.GetDescription()
    if one.DataType != other.DataType:
        findings.differ(name, gdal.GetDataTypeName(one.DataType), gdal.GetDataTypeName(other.DataType))
        return
    classes = findings.renames.classes.get(split_name(name)[0], {})
    compare_cells(findings, name, one, other, classes)
    if one.GetOverviewCount() != other.GetOverviewCount():
        findings.differ(f"{name}, overviews", str(one.GetOverviewCount()), str(other.GetOverviewCount()))
    else:
        for i in range(one.GetOverviewCount()):
            compare_cells(findings, f"{name}, overview {i}", one.GetOverview(i), other.GetOverview(i), classes)
    findings.value(f"{name}, unit", one.GetUnitType() or "", other.GetUnitType() or "")
    if str(one.GetNoDataValue()) != str(other.GetNoDataValue()):
        findings.differ(f"{name}, no data", str(one.GetNoDataValue()), str(other.GetNoDataValue()))
    notes = [band.GetMetadata() for band in (one, other)]
    texts = [side.pop("TEXT", None) for side in notes]  # what a band is, for people
    if texts[0] != texts[1]:
        findings.remark("words")
    compare_notes(findings, name, *notes)


def compare_cells(findings, name, one, other, classes):
    a, b = values_of(one), values_of(other)
    if classes:
        mapped = array.array("f", a)
        for i, value in enumerate(mapped):
            mapped[i] = classes.get(value, value)
        if mapped.tobytes() != a:
            findings.remark("class numbers")
        a = mapped.tobytes()
    if a == b:
        return
    size = gdal.GetDataTypeSize(one.DataType) // 8
    cells = [i for i in range(len(a) // size) if a[i * size:(i + 1) * size] != b[i * size:(i + 1) * size]]
    first = cells[0]
    column, row = first % one.XSize, first // one.XSize
    shown = []
    for data in (a, b):
        bits = data[first * size:(first + 1) * size]
        value = struct.unpack("<f", bits)[0] if one.DataType == gdal.GDT_Float32 else int.from_bytes(bits, "little")
        shown.append(f"nan ({bits.hex()})" if isinstance(value, float) and math.isnan(value) else f"{value:.9g}")
    findings.differ(f"{name}: {len(cells)} of {len(a) // size} cells, first at column {column} row {row}", *shown)


def compare_notes(findings, where, a, b):
    for old, new in findings.pair("note", where, a, b):
        findings.value(f"{where} {old}", a[old], b[new])
