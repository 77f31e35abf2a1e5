#!/usr/bin/env bash
# predict --coefficients: a file written by hand gives the map that the same options give on the command line, bit for
# bit; what wins, what is said, and files that are refused.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

rcity scene make --kind core --area-km2 0.1 --seed 5 -o city.rcity
expect_ok
basic=(predict --scene city.rcity --tx "150,150,40" --frequency-mhz 1800 --cell 5 --device host)
options=(--max-corners 1 --corner-path-db 2.25 --roof-edge-db-per-rad 19.999999999999996 --through-walls off)

# method options coefficients frequency_hz distance_m [more]
write_file() {
  cat << END
{"format": "radiocity coefficients", "format_version": 1, "radiocity_version": "0.1.0", "method": "$1",
 "options": {$2},
 "coefficients": [$3],
 "baselines": {"constant_db": 120, "free_space_offset_db": 30, "log_distance_db": 30, "log_distance_decade_db": 35},
 "summary": {"fitted_on": "the ring road", "point_count": 900, "outlier_count": 30,
  "frequency_min_hz": $4, "frequency_max_hz": $4, "distance_min_m": 20, "distance_max_m": $5,
  "before": {"count": 900, "mean_db": 3, "rmse_db": 9, "standard_deviation_db": 8.5, "median_absolute_db": 6, "correlation": 0.5},
  "training": {"count": 900, "mean_db": 0, "rmse_db": 6, "standard_deviation_db": 6, "median_absolute_db": 4, "correlation": 0.8},
  "crossed": {"count": 0, "mean_db": null, "rmse_db": null, "standard_deviation_db": null, "median_absolute_db": null, "correlation": null}},
 "sources": [], "warnings": [${6:-}]}
END
}
texts='"max-corners": "1", "corner-path-db": "2.25", "roof-edge-db-per-rad": "19.999999999999996", "through-walls": "off"'
street='{"name": "corner-path-db", "unit": "dB", "value": 2.25, "low": 1, "high": 3, "bound_low": -10, "bound_high": 20,
  "fitted": true, "at_bound": false, "known": true}'
offset='{"name": "offset A", "unit": "dB", "value": -7, "low": -8, "high": -6, "bound_low": -60, "bound_high": 60,
  "fitted": true, "at_bound": false, "known": true}'
write_file shadow "$texts" "$street" 1.8e9 2000 > fit.json

if [[ $with_jansson -eq 0 ]]; then
  rcity "${basic[@]}" --coefficients fit.json --json
  expect_error 7 "fit.json" "jansson"
  finish
fi

# The same numbers as by hand, and the notes say where they come from, without a path.
rcity "${basic[@]}" "${options[@]}" --json --quiet
expect_ok
cp "$output" by_hand.json
mkdir folder
cp fit.json folder
rcity "${basic[@]}" --coefficients folder/fit.json --json
expect_ok
if grep -q "warning\|fit.json" "$errors"; then fail "expected no warning"; else pass; fi
expect_json 'd["method"] == "shadow"' 'd["max_corners"] in (1, "1")' '"fitted on the ring road" in d["coefficients"]' \
  '"folder" not in d["coefficients"] and "json" not in d["coefficients"]'
cp "$output" by_file.json
run "$python" -c '
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
a.pop("coefficients")
sys.exit(a != b)' by_file.json by_hand.json
expect_status 0

if [[ $with_gdal -eq 1 ]]; then
  rcity "${basic[@]}" "${options[@]}" --quiet -o by_hand.tif
  expect_ok
  rcity "${basic[@]}" --coefficients fit.json --quiet -o by_file.tif
  expect_ok
  expect_success_of "$python" "$here/check_map.py" same by_hand.tif by_file.tif 0
  expect_success_of "$python" "$here/check_map.py" is \
    'd.GetMetadataItem("RADIOCITY_COEFFICIENTS").endswith("fitted on the ring road")' \
    'd.GetMetadataItem("RADIOCITY_CORNER_PATH_DB") == "2.25"' by_file.tif
  rcity "${basic[@]}" --quiet -o plain.tif
  expect_success_of "$python" "$here/check_map.py" is 'd.GetMetadataItem("RADIOCITY_COEFFICIENTS") is None' plain.tif
  run "$python" "$here/check_map.py" same plain.tif by_file.tif 0
  expect_status 1
  # Sectors of a list get them too.
  printf 'site,x,y,height_m,frequency_mhz,eirp_dbm\nA,150,150,40,1800,50\nB,60,60,40,1800,50\n' > sites.csv
  network=(predict --scene city.rcity --sites sites.csv --cell 10 --device host --quiet)
  rcity "${network[@]}" "${options[@]}" -o net_hand.tif
  expect_ok
  rcity "${network[@]}" --coefficients fit.json -o net_file.tif --sector-maps sectors
  expect_ok
  expect_success_of "$python" "$here/check_map.py" same net_hand.tif net_file.tif 0
  for map in net_file.tif sectors/*.tif; do
    expect_success_of "$python" "$here/check_map.py" is 'd.GetMetadataItem("RADIOCITY_COEFFICIENTS") is not None' "$map"
  done
fi

# Options of the command line win; the method may be repeated, but not be another.
rcity "${basic[@]}" --method shadow --coefficients fit.json --max-corners 2 --json
expect_ok
expect_json 'd["max_corners"] in (2, "2")' 'd["corner_path_db"] in (2.25, "2.25")'
rcity "${basic[@]}" --method free-space --coefficients fit.json --json
expect_error 2 "--method is free-space" "coefficients of shadow" "leave --method out"
rcity "${basic[@]}" --coefficients fit.json --max-corners 9 --json
expect_error 2 "--max-corners is '9'"

# What the file has beyond the method is not used, and said; so are its warnings.
write_file shadow "$texts" "$street, $offset" 1.8e9 2000 '"the roofs are hardly seen", "another"' > more.json
rcity "${basic[@]}" --coefficients more.json --json
expect_ok
if grep -q "1 correction of the transmitters it was fitted on ('offset A'); it is not applied here" "$errors"; then pass; else fail "expected a word on the offset"; fi
if grep -q "came with 2 warnings: the roofs are hardly seen; ..." "$errors"; then pass; else fail "expected the warnings"; fi
expect_same "$output" by_file.json
rcity "${basic[@]}" --coefficients more.json --json --quiet
expect_silent_stderr

# Outside what was fitted on: by frequency beyond 10 %, by distance for more than a fifth of the area or of the points.
for case in 1.65e9:0 1.6e9:1 1.95e9:0 2.0e9:1 null:0; do
  write_file shadow "$texts" "$street" "${case%:*}" 2000 > far.json
  rcity "${basic[@]}" --coefficients far.json --json
  expect_ok
  if [[ $(grep -c "were fitted at a frequency of" "$errors") -eq ${case#*:} ]]; then pass; else fail "expected $case"; fi
done
for case in 40:1 2000:0 null:0; do
  write_file shadow "$texts" "$street" 1.8e9 "${case%:*}" > far.json
  rcity "${basic[@]}" --coefficients far.json --json
  expect_ok
  if [[ $(grep -c "were fitted at a distance of 20 to" "$errors") -eq ${case#*:} ]]; then pass; else fail "expected $case"; fi
done
write_file shadow "$texts" "$street" 1.8e9 60 > far.json
printf 'x,y\n150,160\n150,170\n140,150\n160,150\n300,300\n' > points.csv
rcity "${basic[@]}" --coefficients far.json --points points.csv --json
if grep -q "were fitted at" "$errors"; then fail "expected no warning"; else pass; fi
printf 'x,y\n150,160\n20,20\n300,300\n' > points.csv
rcity "${basic[@]}" --coefficients far.json --points points.csv --json
if grep -q "a distance of 20 to 60 m, here it is 39.78 to 215.6 m (67 % of the receivers lie outside)" "$errors"; then pass; else fail "expected a warning"; fi

# Version 2 knows elevations, heights and transmitters as well.
for case in 60,90,40,40:0 2,3,40,40:1 60,90,20,30:1 null,null,null,null:0; do
  IFS=, read -r low high lowest highest <<< "${case%:*}"
  sed -e 's/"format_version": 1/"format_version": 2/' -e "s/\"fitted_on\"/\"transmitter_count\": 4, \"left_out_count\": 4, \
\"elevation_min_deg\": $low, \"elevation_max_deg\": $high, \"tx_height_min_m\": $lowest, \"tx_height_max_m\": $highest, &/" \
    fit.json > spans.json
  printf 'x,y\n150,160\n150,165\n' > points.csv
  rcity "${basic[@]}" --coefficients spans.json --points points.csv --json
  expect_ok
  if [[ $(grep -c "were fitted at" "$errors") -eq ${case#*:} ]]; then pass; else fail "expected $case"; fi
done
sed -i 's/"tx_height_max_m": null, //' spans.json
rcity "${basic[@]}" --coefficients spans.json --json
expect_error 5 "summary.tx_height_max_m is missing"

# Files that are refused, each with what is wrong; nothing is written.
rcity "${basic[@]}" --coefficients absent.json --json
expect_error 4 "absent.json"
rcity "${basic[@]}" --coefficients city.rcity --json
expect_error 5 "city.rcity" "line 1"
head -n 3 fit.json > cut.json
rcity "${basic[@]}" --coefficients cut.json --json
expect_error 5 "cut.json" "line 4"
write_file shadows "$texts" "$street" 1.8e9 2000 > bad.json
rcity "${basic[@]}" --coefficients bad.json --json
expect_error 5 "bad.json" "shadows"
write_file shadow '"max-corners": "7"' "$offset" 1.8e9 2000 > bad.json
rcity "${basic[@]}" --coefficients bad.json --png absent.png --json
expect_error 5 "bad.json" "--max-corners is '7', must be a number from 0 to 6"
expect_no_file absent.png
write_file shadow '"corner-path-db": "2.5"' "$street" 1.8e9 2000 > bad.json
rcity "${basic[@]}" --coefficients bad.json --json
expect_error 5 "corner-path-db" "2.25" "'2.5'"
sed 's/"format_version": 1/"format_version": 3/' fit.json > bad.json
rcity "${basic[@]}" --coefficients bad.json --json
expect_error 5 "version 3" "calibrate again"
sed 's/"sources"/"colour": "red", "sources"/' fit.json > extra.json
rcity "${basic[@]}" --coefficients extra.json --json
expect_ok
if grep -q "1 member is not known here and left aside, such as colour" "$errors"; then pass; else fail "expected a word on colour"; fi

# The file is an input: no output takes its place.
cp fit.json fit.png
rcity "${basic[@]}" --coefficients fit.png --png fit.png --json
expect_error 2 "fit.png"
expect_same fit.json fit.png
finish
