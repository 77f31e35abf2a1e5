#!/usr/bin/env bash
# The method over terrain from outside: taken where none is named, its options, its files, a score without a map.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

if [[ $with_gdal -eq 0 ]]; then
  skip_all "scenes of terrain come through GDAL"
fi

# A ridge of 100 m across a plain, 30 m cells, and the same plain flat.
"$python" - << 'PYTHON' || fail "could not make the elevation models"
import math
for name, top in (("ridge.asc", 100.0), ("flat.asc", 0.0)):
    with open(name, "w") as f:
        f.write("ncols 101\nnrows 41\nxllcenter 690000\nyllcenter 5335000\ncellsize 30\nNODATA_value -9999\n")
        for _ in range(41):
            f.write(" ".join("%.2f" % (top * math.exp(-((30 * i - 1500) / 200.0) ** 2)) for i in range(101)) + "\n")
with open("points.csv", "w") as f:
    f.write("x,y,height_m,loss_db\n")
    for x, loss in ((690700, 88.5), (691200, 95), (691900, 135), (692500, 136), (692900, 137)):
        f.write("%d,5335600,1.5,%g\n" % (x, loss))
PYTHON
for name in ridge flat; do
  rcity scene import --terrain $name.asc --crs EPSG:32632 -o $name.rcity
  expect_ok
done

# The choice of the method.
sender=(--tx 690300,5335600,20 --frequency-mhz 900)
rcity predict --scene ridge.rcity "${sender[@]}" --cell 30 --eirp-dbm 50 --device host -o ridge.tif --png ridge.png --json
expect_ok
expect_json 'd["method"] == "terrain"'
rcity predict --scene flat.rcity "${sender[@]}" --cell 30 --device host -o flat.tif --json
expect_ok
expect_json 'd["method"] == "shadow"'
rcity predict --scene ridge.rcity "${sender[@]}" --cell 30 --method free-space --device host -o free.tif --json
expect_ok
expect_json 'd["method"] == "free-space"'

# The same bytes again, on one thread; bands by their names.
rcity predict --scene ridge.rcity "${sender[@]}" --cell 30 --eirp-dbm 50 --device host --threads 1 -o again.tif
expect_ok
expect_same ridge.tif again.tif
rcity map info ridge.tif --json
expect_json '[b["name"] for b in d["bands"]] == ["path_loss", "line_of_sight", "diffraction_loss", "mechanism", "received_power"]'

# Every loss, at points; the ridge costs what it should.
for loss in free-space two-ray knife-edge bullington deygout delta-bullington p1812; do
  rcity predict --scene ridge.rcity "${sender[@]}" --method terrain --loss $loss --points points.csv --device host -o "$loss.csv"
  expect_ok
done
rcity predict --scene ridge.rcity "${sender[@]}" --method terrain --loss hata --points points.csv --skip-out-of-range --device host -o hata.csv
expect_ok
"$python" - << 'PYTHON' || fail "the losses are not those of a ridge"
import csv
def losses(name):
    rows = list(csv.DictReader(open(name + ".csv")))
    key = [k for k in rows[0] if k.startswith("path_loss")][0]
    return [float(r[key]) for r in rows]
free, edge = losses("free-space"), losses("knife-edge")
for name in ("bullington", "deygout", "delta-bullington", "p1812"):
    got = losses(name)
    assert all(abs(g - f) < 1 for g, f in zip(got[:2], free)), name
    most = 45 if name == "deygout" else 15  # its edges on one round ridge add up
    assert all(e + 5 < g < e + most for g, e in zip(got[2:], edge[2:])), (name, got, edge)
assert all(f + 20 < e < f + 45 for e, f in zip(edge[2:], free[2:]))
PYTHON

# Rays instead of profiles: before the ridge the same, behind it nothing without the knife edge.
for loss in free-space knife-edge; do
  rcity predict --scene ridge.rcity "${sender[@]}" --method terrain --search rays --loss $loss --points points.csv --device host -o "rays-$loss.csv"
  expect_ok
done
"$python" - << 'PYTHON' || fail "the losses by rays are not those of a ridge"
import csv
def losses(name):
    rows = list(csv.DictReader(open(name + ".csv")))
    key = [k for k in rows[0] if k.startswith("path_loss")][0]
    return [float(r[key]) if r[key] not in ("", "nan") else None for r in rows]
free, edge, plain = losses("rays-free-space"), losses("rays-knife-edge"), losses("knife-edge")
assert all(abs(f - p) < 1 for f, p in zip(free[:2], plain)), (free, plain)
assert free[2:] == [None] * 3, free
assert all(abs(e - p) < 3 for e, p in zip(edge[2:], plain[2:])), (edge, plain)
PYTHON
rcity predict --scene ridge.rcity "${sender[@]}" --method terrain --search rays --cell 30 -o bad.tif
expect_error 2 "--search rays has no --loss p1812"
expect_no_file bad.tif

# A score, and what is refused.
rcity score --scene ridge.rcity --measurements points.csv "${sender[@]}" --device host --json
expect_ok
expect_json 'd["method"] == "terrain"'
rcity predict --scene ridge.rcity --tx 690300,5335600,20 --frequency-mhz 28000 --cell 30 -o high.tif
expect_error 2 "published for 30 to 6000 MHz" "--extrapolate"
expect_no_file high.tif
rcity predict --scene ridge.rcity "${sender[@]}" --cell 30 --loss hills -o bad.tif
expect_error 2 "--loss" "delta-bullington"
rcity predict --scene ridge.rcity "${sender[@]}" --cell 30 --loss hata -o bad.tif
expect_error 2 "published distances" "--skip-out-of-range"
expect_no_file bad.tif
finish
