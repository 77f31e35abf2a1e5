#!/usr/bin/env bash
# The chapter "your own city in ten minutes", run as it stands: every block of shell on the page, in its order.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
[[ $with_gdal -eq 1 && $with_cairo -eq 1 ]] || skip_all "the chapter needs GDAL and Cairo"

page=$here/../../docs/guide/own-city.md
sed -n '/^```sh$/,/^```$/p' "$page" | sed 's/^```sh$/#/; s/^```$//' > page.sh
mkdir bin
ln -s "$RADIOCITY" bin/radiocity
grep -c '^radiocity' page.sh > count.txt
run env PATH="$work/bin:$PATH" bash -eu page.sh
expect_ok
if [[ $(cat count.txt) -ge 12 ]]; then pass; else fail "expected a dozen commands on the page"; fi
# What the page shows of the output is what came out.
"$python" "$here/page_commands.py" --shown "$page" > shown.txt
tr -s ' ' < "$output" | sed 's/^ //' > squeezed.txt
if [[ $(wc -l < shown.txt) -ge 11 ]]; then pass; else fail "expected what the page shows of its output"; fi
while IFS= read -r line; do
  if grep -qF -- "$line" squeezed.txt; then pass; else fail "expected '$line', which the page shows"; fi
done < shown.txt
expect_stdout "height_m" "best server" "Hilltop/1" "with fading"
for file in buildings.gpkg ground.tif city.rcity city.png antenna.png network.tif network.qml network.png coverage.geojson \
  network.kmz sectors/Hilltop_1.tif sectors/Station_3.tif levels.csv turned.tif change.tif; do
  expect_file $file
done
# What the page promises of its own accord.
expect_success_of "$python" "$here/check_map.py" is 'd.GetSpatialRef().GetAuthorityCode(None) == "32632"' \
  'd.GetRasterBand(1).GetDescription() == "received_power"' 'd.GetRasterBand(2).GetDescription() == "best_server"' network.tif
rcity scene info made.rcity --json
cp "$output" made.json
rcity scene info city.rcity --json
expect_success_of "$python" - made.json "$output" << 'END'
import json, sys
made, city = (json.load(open(path)) for path in sys.argv[1:])
assert made["buildings"] == city["buildings"], (made["buildings"], city["buildings"])
assert city["has_terrain"] and abs(made["height_median_m"] - city["height_median_m"]) < 0.02
END
expect_success_of "$python" - << 'END'
import csv
rows = list(csv.DictReader(open("levels.csv")))
assert [r["name"] for r in rows] == ["town hall", "school"] and all(r["best_server"] for r in rows), rows
END
finish
