#!/usr/bin/env bash
# Maps after the prediction: info, diff, coverage; styles, polygons and globe files; files that are no maps.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

rcity map
expect_status 2
rcity map --help
expect_ok
expect_stdout info diff coverage
rcity map nonsense
expect_error 2 "unknown action 'map nonsense'"
for action in info diff coverage; do
  rcity map $action --help
  expect_ok
  expect_stdout "Usage: radiocity map $action" Example
done
if [[ $with_gdal -eq 0 ]]; then
  rcity map info absent.tif
  expect_error 7 "this build has no GDAL" "libgdal-dev"
  finish
fi

rcity scene make --kind core --area-km2 0.1 --seed 3 --crs EPSG:32632 --origin 691000,5334000 -o city.rcity --quiet
expect_ok
common=(predict --method free-space --scene city.rcity --tx "691150,5334150,60" --eirp-dbm 43 --cell 5 --quiet)
rcity "${common[@]}" --frequency-mhz 2000 -o a.tif --kmz a.kmz --geojson a.geojson --sites-geojson tx.geojson \
  --thresholds -40,-50,-45 --fade-db 8
expect_ok
rcity "${common[@]}" --frequency-mhz 1000 -o b.tif
expect_ok

# What a map holds.
rcity map info a.tif
expect_ok
expect_stdout "EPSG:32632" "cells of 5 m" "received_power at 1.5 m" dBm scene_hash
rcity map info a.tif --json
expect_ok
expect_json 'd["crs"] == "EPSG:32632" and d["cell"] == 5 and d["cell_unit"] == "m"' \
  'd["west"] == 691000' 'any(b["name"] == "received_power" and b["unit"] == "dBm" for b in d["bands"])' \
  'any(b["name"] == "coverage_probability_-45_dbm" and 0 <= b["minimum"] <= b["maximum"] <= 1 for b in d["bands"])' \
  'd["notes"]["method"] == "free-space" and d["notes"]["frequency_mhz"] == "2000"'

# Half the frequency is 6.02 dB less loss, everywhere.
rcity map diff a.tif b.tif --json
expect_ok
expect_json 'd["unit"] == "dB" and d["both"] > 1000 and d["only_first"] == 0 and d["only_second"] == 0' \
  'abs(d["mean"] - 6.0206) < 1e-4 and d["standard_deviation"] < 1e-4' \
  'abs(d["minimum"] - 6.0206) < 1e-3 and abs(d["maximum"] - 6.0206) < 1e-3'
rcity map diff a.tif b.tif --band path_loss -o change.tif
expect_ok
expect_stdout "path_loss at 1.5 m" "mean" "-6.0206 dB" change.tif
expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 1' 'b.GetDescription() == "difference"' \
  'b.GetUnitType() == "dB"' 'abs(b.ComputeStatistics(False)[2] + 6.0206) < 1e-4' \
  'd.GetMetadataItem("RADIOCITY_FIRST_FREQUENCY_MHZ") == "2000"' \
  'd.GetMetadataItem("RADIOCITY_SECOND_FREQUENCY_MHZ") == "1000"' change.tif
rcity map diff a.tif a.tif --tolerance 0
expect_ok
rcity map diff a.tif b.tif --tolerance 6.1
expect_ok
rcity map diff a.tif b.tif --tolerance 6 --json
expect_status 10
expect_json 'd["is_within"] is False and d["tolerance"] == 6'
if grep -q "differ by up to 6.02.* dB" "$errors" && [[ $(wc -l < "$errors") -eq 1 ]]; then pass; else fail "expected one line on stderr"; fi
rcity map diff a.tif b.tif --band 1 --second-band 1
expect_ok
rcity map diff a.tif b.tif --band received_power@1.5
expect_ok

# Coverage: the table, and the polygons.
rcity map coverage a.tif --thresholds -50,-45,-40 --fade-db 8 --geojson again.geojson --json
expect_ok
expect_json 'd["band"] == "received_power" and len(d["coverage"]) == 3' \
  '1 >= d["coverage"][0]["fraction"] >= d["coverage"][1]["fraction"] >= d["coverage"][2]["fraction"] >= 0' \
  'all(0 < c["fading_fraction"] < 1 for c in d["coverage"])' \
  'abs(d["coverage"][1]["covered_km2"] - d["coverage"][1]["covered"] * 25e-6) < 1e-12'
for areas in a.geojson again.geojson; do
  expect_success_of "$python" "$here/check_coverage.py" $areas a.tif received_power
done
rcity map coverage a.tif --thresholds -45 --fade-db 8
expect_ok
expect_stdout "received_power at 1.5 m" "-45 dBm" "km2" "with fading"
rcity map coverage a.tif --band path_loss --thresholds 80 --json
expect_ok
expect_json 'd["unit"] == "dB" and d["coverage"][0]["fading_fraction"] is None'
run ogrinfo -ro -so -al tx.geojson
expect_status 0
expect_stdout "Geometry: Point" "Feature Count: 1" "eirp_dbm"

# A style beside the map, and a globe file.
expect_success_of "$python" "$here/check_style.py" a.qml singlebandpseudocolor received_power a.tif
expect_success_of "$python" "$here/check_kmz.py" a.kmz a.tif
run ogrinfo -ro -al -so "/vsizip/{$work/a.kmz}/doc.kml"
expect_status 0
expect_stdout "Layer name: Coverage" "Layer name: Transmitters"
rcity "${common[@]}" --frequency-mhz 2000 -o again.tif --kmz again.kmz --thresholds -40,-50,-45 --fade-db 8 --threads 1
expect_same a.kmz again.kmz
expect_same a.tif again.tif
expect_same a.qml again.qml

# In another CRS: the same levels in the right place, and maps in degrees are still maps.
rcity "${common[@]}" --frequency-mhz 2000 -o degrees.tif --out-crs EPSG:4326
expect_ok
rcity map info degrees.tif --json
expect_json 'd["crs"] == "EPSG:4326" and d["cell_unit"] == "degree"' '11.5 < d["west"] < 11.7 and 48 < d["north"] < 48.3' \
  'd["notes"]["warped_from_crs"] == "EPSG:32632"'
rcity map coverage degrees.tif --thresholds -45 --json
expect_ok
expect_json 'd["receiver_km2"] is None and d["coverage"][0]["covered_km2"] is None and 0 < d["coverage"][0]["fraction"] <= 1'
rcity map diff degrees.tif degrees.tif --tolerance 0 -o none.tif
expect_ok

# Web Mercator stretches metres by half and more: areas are not known there, shares are.
rcity map coverage a.tif --thresholds -45 --json
fraction=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["coverage"][0]["fraction"])' "$output")
rcity "${common[@]}" --frequency-mhz 2000 -o mercator.tif --out-crs EPSG:3857
expect_ok
rcity map coverage mercator.tif --thresholds -45 --geojson mercator.geojson --json
expect_ok
expect_json 'd["receiver_km2"] is None and d["coverage"][0]["covered_km2"] is None' \
  "abs(d['coverage'][0]['fraction'] - $fraction) < 0.02"
expect_success_of grep -q '"area_km2":null' mercator.geojson
rcity map coverage mercator.tif --thresholds -45
expect_stdout "km2 unknown (cells in projected metre)"
rcity "${common[@]}" --frequency-mhz 2000 -o zone33.tif --out-crs EPSG:32633 # 3 degrees beside its own: 1.003 of a metre
expect_ok
rcity map coverage zone33.tif --thresholds -45 --json
expect_json 'd["receiver_km2"] > 0'

# What cannot be done is one line, and leaves nothing.
rcity map info absent.tif
expect_error 4 "absent.tif" "No such file"
echo "words" > words.tif
rcity map info words.tif
expect_error 5 "words.tif" "not a raster"
rcity map info
expect_error 2 "the map is missing"
rcity map diff a.tif
expect_error 2 "two maps are needed, 1 given"
rcity map diff a.tif b.tif --band nothing
expect_error 2 "'a.tif' has no band 'nothing'" "1 path_loss at 1.5 m"
rcity map diff a.tif b.tif --band 99
expect_error 2 "no band '99'"
rcity map diff a.tif b.tif --band path_loss --second-band received_power -o absent.tif
expect_error 2 "differ in unit" "'dB'" "'dBm'"
expect_no_file absent.tif
rcity map diff a.tif degrees.tif
expect_error 2 "differ in size"
rcity "${common[@]}" --frequency-mhz 2000 --cell 10 -o coarse.tif
rcity map diff a.tif coarse.tif
expect_error 2 "differ in size"
run gdal_translate -q -a_srs EPSG:32633 a.tif other.tif
rcity map diff a.tif other.tif
expect_error 2 "differ in CRS" "EPSG:32632" "EPSG:32633"
rcity map diff a.tif b.tif -o a.tif
expect_error 2 "'a.tif' is the input"
rcity map diff a.tif b.tif -o b.tif
expect_error 2 "'b.tif' is the input"
rcity map diff a.tif b.tif -o diff.png
expect_error 2 "diff.png" ".tif"
rcity map diff a.tif b.tif --tolerance -1
expect_error 2 "--tolerance is -1"
rcity map diff a.tif b.tif -o missing/diff.tif
expect_error 4 "missing/diff.tif" "folder does not exist"
rcity map coverage a.tif
expect_error 2 "the thresholds are missing"
rcity map coverage a.tif --thresholds low
expect_error 2 "--thresholds takes" "'low'"
rcity map coverage a.tif --thresholds -90 --fade-db -3
expect_error 2 "standard deviation of fading is -3 dB"
rcity map coverage a.tif --thresholds -90 --geojson a.tif
expect_error 2 "'a.tif' is the input"
rcity map coverage a.tif --thresholds -90 --geojson missing/areas.geojson
expect_error 4 "missing/areas.geojson"
rcity map info a.tif --memory 10kB
expect_error 3 "needs" "the limit is 10.0 kB" "--memory"
{ res_box 0 0 60 40 20 1 && res_box 120 60 200 120 30 2; } > two.res
rcity predict --method free-space --scene two.res --tx 90,50,25 --frequency-mhz 2000 --eirp-dbm 40 --quiet --kmz plain.kmz
expect_error 2 "no CRS"
expect_no_file plain.kmz
expect_no_leftover "$work"
finish
