#!/usr/bin/env bash
# The README, run as it stands: its blocks of shell that call the program, with data made for them. check_docs.sh knows its
# make targets.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
[[ $with_gdal -eq 1 && $with_cairo -eq 1 && $with_jansson -eq 1 && $with_nlopt -eq 1 ]] ||
  skip_all "the README needs GDAL, Cairo, jansson and NLopt"
root=$here/../..
page=$root/README.md

# What the blocks read: the town and the sites of the guide, and two drives of which the page's own command makes the levels.
rcity scene make --kind highrise --area-km2 1 --seed 4 --crs EPSG:32632 --origin 691000,5334000 -o made.rcity --quiet
expect_ok
rcity scene export made.rcity -o buildings.gpkg --quiet
expect_ok
rcity scene export made.rcity -o ground.tif --quiet
expect_ok
sed -n "/^cat > sites.csv/,/^END/p" "$root/docs/guide/own-city.md" | sed '1d; $d' > sites.csv
rcity scene make --kind core --area-km2 1 --seed 7 -o drives.rcity --quiet
expect_ok
for drive in drive other; do
  "$python" - $drive > route.csv << 'END'
import math, sys
phase = {"drive": 0.0, "other": 0.7}[sys.argv[1]]
print("name,x,y,height_m")
for i in range(600):
    turn = phase + 0.01 * i
    print("%d,%.2f,%.2f,1.5" % (i, 500 + 420 * math.sin(3 * turn) * math.cos(turn), 500 + 420 * math.sin(5 * turn)))
END
  rcity predict --scene drives.rcity --tx 500,500,30 --frequency-mhz 2100 --points route.csv -o levels.csv --quiet
  expect_ok
  expect_success_of "$python" - $drive.csv << 'END'
import csv, sys
rows = list(csv.DictReader(open("levels.csv")))
with open(sys.argv[1], "w") as out:
    out.write("x,y,loss_db\n")
    for i, row in enumerate(rows):
        if row["path_loss_db"]:
            out.write("%s,%s,%.2f\n" % (row["x"], row["y"], float(row["path_loss_db"]) + 3.0 * (i * 7 % 13 - 6) / 6))
END
done

sed -n '/^```sh$/,/^```$/p' "$page" | sed 's/^```sh$/#/; s/^```$//' | grep -v '^make' > page.sh
mkdir bin
ln -s "$RADIOCITY" bin/radiocity
if [[ $(grep -c '^radiocity' page.sh) -ge 11 ]]; then pass; else fail "expected eleven commands on the page"; fi
run env PATH="$work/bin:$PATH" bash -eu page.sh
expect_ok
expect_stdout "28 paths to 1 receiver" "coverage at 1.5 m" # the examples find something
for file in city.rcity network.tif coverage.geojson network.kmz core.rcity core.png map.tif map.png rays.png core.json antenna.png; do
  expect_file $file
done
finish
