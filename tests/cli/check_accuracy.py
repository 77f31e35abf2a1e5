#!/usr/bin/env python3
"""check_accuracy.py tool FOLDER: parts of the tool, by hand. check_accuracy.py run FOLDER: what a quick run wrote."""
import csv
import math
import os
import shutil
import sys

sys.dont_write_bytecode = True


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def near(actual, expected, tolerance):
    assert abs(actual - expected) <= tolerance, (actual, expected, tolerance)


def check_run(folder):
    rows = read(os.path.join(folder, "medians.csv"))
    # shadow: two masts, two frequencies, two rings; images: one mast, one frequency
    assert len([row for row in rows if row["method"] == "shadow"]) == 8, rows
    assert len([row for row in rows if row["method"] == "images"]) == 2, rows
    for row in rows:
        check_medians(row)
    # by hand: ITU-R P.1411 (hidden, high-rise) and 3GPP UMi grow with the same distance: one tells the other's median
    row = next(r for r in rows if (r["method"], r["mast_m"], r["frequency_mhz"]) == ("shadow", "10.000", "947.000"))
    log_d = (float(row["p1411"]) - 10.2 - 23.6 * math.log10(0.947)) / 40.0
    assert math.log10(100.0) < log_d < math.log10(math.hypot(200.0, 8.5)), (log_d, row)
    near(float(row["3gpp-umi"]), 22.4 + 35.3 * log_d + 21.3 * math.log10(0.947), 0.05)
    # above the roofs P.1411 has another row of coefficients, which lies below UMa there
    row = next(r for r in rows if (r["method"], r["mast_m"], r["frequency_mhz"]) == ("shadow", "30.000", "3500.000"))
    assert row["p1411"] == "" and row["hata"] == "" and row["walfisch-ikegami"] == "", row
    log_d = (float(row["p1411-above"]) + 6.27 - 23.0 * math.log10(3.5)) / 43.9
    assert math.log10(100.0) < log_d < math.log10(math.hypot(200.0, 28.5)), (log_d, row)
    laws = {row["law"]: float(row["value"]) for row in read(os.path.join(folder, "laws.csv"))}
    assert 60.0 < laws["demo largest loss"] < 300.0 and "edge demo" in laws and "raise core by 30 m" in laws, laws
    assert read(os.path.join(folder, "measured.csv")) == []
    rows = read(os.path.join(folder, "lines.csv"))
    assert [row["frequency_mhz"] for row in rows] == ["947.000", "28000.000"], rows
    for row in rows:
        assert int(row["compared"]) > 200 and float(row["least_db"]) <= float(row["median_db"]) <= float(row["most_db"])
        assert float(row["shadow_step_db"]) < 3.0, row
        assert -4.0 < float(row["paths_least_db"]) and float(row["paths_most_db"]) < 4.0, row
    assert os.path.exists(os.path.join(folder, "line_house.svg"))
    report = open(os.path.join(folder, "report.md"), encoding="utf-8").read()
    for word in ("## Measured sets", "## Medians without", "### core, 3500 MHz", "## dB a decade", "## Laws", "## Lines"):
        assert word in report, word


def check_medians(row):
    names = ("3gpp-umi", "3gpp-uma", "p1411", "p1411-above", "walfisch-ikegami", "hata")
    models = [float(row[name]) for name in names if row[name]]
    assert len(models) >= 3, row
    near(float(row["lowest_db"]), min(models), 0.0011)
    near(float(row["highest_db"]), max(models), 0.0011)
    inside = min(models) - 3.0 <= float(row["median_db"]) <= max(models) + 3.0
    assert row["is_inside"] == str(inside), row
    assert int(row["count"]) >= 5, row


def check_tool(folder):
    """The tool's functions on cases that can be done by hand."""
    import numpy
    import accuracy
    import laws
    import measured
    import medians
    import report
    from cases import Cases
    from program import Bands, Program

    near(measured.statistics([1.0, 3.0])["mean"], 2.0, 0)
    near(measured.statistics([1.0, 3.0])["sd"], math.sqrt(2.0), 1e-12)
    near(measured.statistics([1.0, 3.0])["rmse"], math.sqrt(5.0), 1e-12)
    # two transmitters whose constants differ by 20 dB: with a constant of their own both have the errors -1 and 1
    points = [{"transmitter": name, "measured_db": value, "shadow_db": "0", "in_sight": seen}
              for name, value, seen in (("a", "9", "1"), ("a", "11", "0"), ("b", "29", "1"), ("b", "31", "0"))]
    rows = {row["class"]: row for row in measured.rows_of({"own_offset": True}, points, "shadow_db", {})}
    near(rows["all"]["rmse"], 1.0, 1e-12)
    near(rows["in sight"]["mean"], -1.0, 1e-12)
    near(rows["hidden"]["mean"], 1.0, 1e-12)
    rows = {row["class"]: row for row in measured.rows_of({"own_offset": False}, points, "shadow_db", {})}
    near(rows["all"]["mean"], 20.0, 1e-12)
    # one edge of sight down, one across; the house (NaN) has none
    bands = Bands(path_loss=numpy.array([[70.0, 82.0], [76.0, numpy.nan]]),
                  line_of_sight=numpy.array([[1.0, 0.0], [0.0, numpy.nan]]))
    assert sorted(laws.edge_steps(bands).tolist()) == [6.0, 12.0], laws.edge_steps(bands)
    decade = [{"frequency_mhz": 100.0, "median_db": 80.0}, {"frequency_mhz": 1000.0, "median_db": 103.6}]
    near(medians.slope_db(decade), 23.6, 1e-9)
    # without data the made cities remain, and each absent one is named
    tool = os.path.dirname(os.path.abspath(accuracy.__file__))
    skipped = []
    program, cases = Program(os.environ["RADIOCITY"], folder), Cases(os.path.join(tool, "cases.txt"), None)
    scenes = accuracy.make_scenes(program, cases, skipped)
    assert sorted(name for name, path in scenes.items() if path) == ["core", "grid", "highrise"], scenes
    assert [text.split(":")[0] for text in skipped] == ["munich", "saltlake", "campus", "boulder"], skipped
    # the page keeps what lies outside its marks
    page = os.path.join(folder, "accuracy.md")
    shutil.copy(os.path.join(accuracy.ROOT, "docs", "accuracy.md"), page)
    before = open(page, encoding="utf-8").read()
    saved, report.page_tables = report.page_tables, lambda result: {"laws": "NEW TABLE", "slopes": "NOT THIS ONE"}
    report.update_page(folder, None, ["laws"])
    report.page_tables = saved
    after = open(page, encoding="utf-8").read()
    mark = "<!-- accuracy laws -->"
    assert "NEW TABLE" in after and "NOT THIS ONE" not in after and after.split(mark)[0] == before.split(mark)[0]
    assert after.endswith(before.rsplit("<!-- end -->", 1)[1])
    check_lines(folder)


def check_lines(folder):
    """Angles of lines past an object by hand, and a picture that an XML reader accepts."""
    import lines
    import lines_picture
    from xml.etree import ElementTree

    near(lines.turning_rad((0.0, 0.0), [(1.0, 1.0), (1.5, -3.0)], (2.0, 0.0)), math.pi / 2.0, 1e-12)
    near(lines.turning_rad((0.0, 0.0), [(1.0, -1.0)], (2.0, 0.0)), 0.0, 1e-12)
    box = "-1,-1,1,1,10"
    assert lines.crossings_m(lines.box_of(box), (-5.0, 0.0), (5.0, 0.0)) == [4.0, 6.0]
    assert lines.crossings_m(lines.box_of(box), (-5.0, 2.0), (5.0, 2.0)) == []
    near(lines.box_angle_rad(box, (-5.0, 2.0, 1.5), (5.0, 2.0)), 0.0, 0.0)
    # around: up to the corner 4 m on and 1 m aside, along the wall, and down again; over the roof it is much steeper
    near(lines.box_angle_rad(box, (-5.0, 0.0, 1.5), (5.0, 0.0)), 2.0 * math.atan(0.25), 1e-12)
    # over: a mast far above sees down over the roof's far edge
    near(lines.box_angle_rad(box, (-5.0, 0.0, 22.0), (2.0, 0.0)), math.atan(8.5) - math.atan(2.0), 1e-12)
    # a ridge of 10 m between ends on flat ground at its feet: the thread touches near the top
    near(lines.ridge_angle_rad("10,1", (-100.0, 0.0, 1.5), (100.0, 0.0)), 2.0 * math.atan(0.085), 2e-3)
    assert lines.places_of({"first": (0.0, 1.0), "last": (0.0, 3.5)}) == [(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)]
    near(lines.largest_step_db([1.0, 4.0, 2.0]), 3.0, 0.0)
    assert lines_picture.ticks(-3.0, 42.0) == [0.0, 10.0, 20.0, 30.0, 40.0], lines_picture.ticks(-3.0, 42.0)
    row = {"frequency_mhz": 947.0, "is_compared": [False, True, True], "shadow_db": [0.0, 6.0, 9.0],
           "images_db": [-1.0, 6.0, 10.0]}
    path = os.path.join(folder, "line.svg")
    lines_picture.draw(path, "one line", [row])
    curves = ElementTree.parse(path).getroot().findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(curve.get("points").split()) for curve in curves] == [3, 3]


if __name__ == "__main__":
    if sys.argv[1] == "tool":
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "accuracy"))
        check_tool(sys.argv[2])
    else:
        check_run(sys.argv[2])
