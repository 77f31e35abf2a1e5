#!/usr/bin/env bash
# Scores: measurements are made from predictions and known errors, and every figure is worked out again by the script.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
check=("$python" "$here/check_score.py")
tx=(--tx "250,252,28" --frequency-mhz 947)

expect_warning() {
  local word
  for word in "$@"; do
    if ! grep -qF -- "$word" "$errors"; then
      fail "expected '$word' on stderr"
      return
    fi
  done
  pass
}

rcity scene make --kind core --area-km2 0.3 --seed 7 -o city.rcity
expect_ok
expect_success_of "${check[@]}" points points.csv 300 1

# Losses of every kind of method: a formula, the fast map's, one without any map.
for method in shadow walfisch-ikegami free-space; do
  rcity predict --scene city.rcity "${tx[@]}" --method "$method" --extrapolate --points points.csv -o levels.csv
  expect_ok
  expect_success_of "${check[@]}" measure levels.csv measured.csv 2 loss
  rcity score --scene city.rcity "${tx[@]}" --method "$method" --extrapolate --measurements measured.csv --average-m 0 \
    -o table.csv --json
  expect_ok
  cp "$output" score.json
  expect_success_of "${check[@]}" figures score.json levels.csv measured.csv loss 250,252,28 947
  expect_success_of "${check[@]}" table table.csv score.json
done

# Received powers, with the receivers' gain taken off again by the offset.
rcity predict --scene city.rcity "${tx[@]}" --eirp-dbm 40 --points points.csv -o levels.csv
expect_ok
expect_success_of "${check[@]}" measure levels.csv powers.csv 3 power
rcity score --scene city.rcity "${tx[@]}" --eirp-dbm 40 --measurements powers.csv --average-m 0 --json
expect_ok
cp "$output" score.json
expect_success_of "${check[@]}" figures score.json levels.csv powers.csv power 250,252,28 947
rcity score --scene city.rcity "${tx[@]}" --eirp-dbm 40 --rx-gain-dbi 3 --value-offset-db 3 --measurements powers.csv \
  --average-m 0 --json
expect_ok
cp "$output" score.json
expect_success_of "${check[@]}" figures score.json levels.csv powers.csv power 250,252,28 947
rcity score --scene city.rcity "${tx[@]}" --measurements powers.csv --average-m 0 --json
expect_ok
expect_warning "states no power" "standard deviation"

# The same bytes for any number of threads.
expect_success_of "${check[@]}" measure levels.csv measured.csv 4 loss
for threads in 1 4; do
  rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --threads $threads --json -o "table$threads.csv"
  expect_ok
  cp "$output" "score$threads.json"
done
expect_success_of cmp table1.csv table4.csv
expect_success_of cmp score1.json score4.json

# The transmitter from columns of the file, and by its name from a list: the same figures.
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --average-m 0 --json
expect_ok
cp "$output" given.json
awk -F, -v OFS=, 'NR == 1 { print $0, "tx_x", "tx_y", "tx_height_m", "frequency_mhz" } NR > 1 { print $0, 250, 252, 28, 947 }' \
  measured.csv > stated.csv
rcity score --scene city.rcity --measurements stated.csv --average-m 0 --json
expect_ok
cp "$output" stated.json
expect_success_of cmp stated.json given.json
awk -F, -v OFS=, 'NR == 1 { print $0, "site" } NR > 1 { print $0, NR % 2 ? "Odd" : "Even" }' measured.csv > named.csv
printf 'site,x,y,height_m,frequency_mhz\nEven,250,252,28,947\nOdd,250,252,28,947\n' > sites.csv
rcity score --scene city.rcity --measurements named.csv --sites sites.csv --average-m 0
expect_ok
expect_stdout "2 transmitters" "transmitter: Even" "transmitter: Odd"
grep '^shadow  ' "$output" > both.txt
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --average-m 0
expect_stdout "$(cat both.txt)"

# The report for people; baselines outside their range have a star and a reason.
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --average-m 0
expect_ok
expect_stdout "shadow against 300 measured losses of 2 routes and 1 transmitter" "inside a building" "std. dev." \
  "Hata *" "constant (fitted on these points)" "route: north" "no line of sight" "mechanism: roof" \
  "* used outside the range" "Hata is extrapolated: transmitter height 28 m"
if grep -q "method hata" "$errors"; then fail "expected no warnings of baselines"; else pass; fi
rcity score --scene city.rcity --tx 2600,252,60 --frequency-mhz 947 --measurements measured.csv --average-m 0
expect_ok
expect_stdout "outside the building map the path is free (no terrain there)"

# Nonsense is named.
awk -F, -v OFS=, 'NR > 1 { $4 = 100 } { print }' measured.csv > constant.csv
rcity score --scene city.rcity "${tx[@]}" --measurements constant.csv --average-m 0
expect_ok
expect_warning "all measured values are the same"
head -n 11 measured.csv > few.csv
rcity score --scene city.rcity "${tx[@]}" --measurements few.csv --average-m 0
expect_ok
expect_warning "which says little"
awk -F, -v OFS=, 'NR > 1 { $4 = 260 - $4 } { print }' measured.csv > wrong.csv
rcity score --scene city.rcity "${tx[@]}" --measurements wrong.csv --average-m 0
expect_ok
expect_warning "the mean error is" "correlation"

# Plots, where a build can draw.
if [[ $with_cairo -eq 1 ]]; then
  rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --plot route.png --scatter scatter.png
  expect_ok
  expect_file route.png
  expect_file scatter.png
  expect_stdout route.png scatter.png
else
  rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --plot route.png
  expect_error 7 "Cairo" "route.png"
fi

# The worked example of the guide, run as it stands, prints what stands there.
if [[ $with_cairo -eq 1 ]]; then
  page=$here/../../docs/guide/score.md
  sed -n '/^```sh$/,/^```$/p' "$page" | sed 's/^```sh$/#/; s/^```$//' > page.sh
  mkdir bin example
  ln -s "$RADIOCITY" bin/radiocity
  (cd example && run env PATH="$work/bin:$PATH" bash -eu ../page.sh; exit "$status")
  status=$?
  expect_ok
  sed -n 's/^    \(shadow \|Hata \|line of sight\|mechanism\)/\1/p' "$page" > promised.txt
  while IFS= read -r line; do expect_stdout "$line"; done < promised.txt
  if [[ $(wc -l < promised.txt) -ge 8 ]]; then pass; else fail "expected a table on the page"; fi
  for file in points.csv route.png scatter.png; do expect_file "example/$file"; done
fi

# Coefficients: their options count, the baselines fitted elsewhere stand beside.
cat > fitted.json << 'END'
{"format": "radiocity coefficients", "format_version": 1, "radiocity_version": "0.1.0", "method": "shadow",
 "options": {"line-of-sight-offset-db": "4", "roof-path-db": "14"},
 "coefficients": [{"name": "roof-path-db", "unit": "dB", "value": 14, "low": 13, "high": 15, "bound_low": -10,
   "bound_high": 60, "fitted": true, "at_bound": false, "known": true}],
 "baselines": {"constant_db": 120, "free_space_offset_db": 30, "log_distance_db": 35, "log_distance_decade_db": 40},
 "summary": {"fitted_on": "METRO200", "point_count": 100, "outlier_count": 5, "frequency_min_hz": 947e6,
  "frequency_max_hz": 947e6, "distance_min_m": 50, "distance_max_m": 800,
  "before": {"count": 0, "mean_db": null, "rmse_db": null, "standard_deviation_db": null, "median_absolute_db": null,
   "correlation": null},
  "training": {"count": 0, "mean_db": null, "rmse_db": null, "standard_deviation_db": null, "median_absolute_db": null,
   "correlation": null},
  "crossed": {"count": 0, "mean_db": null, "rmse_db": null, "standard_deviation_db": null, "median_absolute_db": null,
   "correlation": null}},
 "sources": [], "warnings": []}
END
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --coefficients fitted.json --average-m 0 -o given.csv
if [[ $status -eq 7 ]]; then
  skip "this build does not read files of coefficients"
else
  expect_ok
  expect_stdout "shadow (fitted on METRO200)" "constant (fitted on METRO200)" "log-distance (fitted on METRO200)"
  rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --line-of-sight-offset-db 4 --roof-path-db 14 --average-m 0 -o own.csv
  expect_ok
  # the same losses either way: columns route to shadow_db
  cut -d, -f1-10 given.csv | tail -n +2 > given.txt
  cut -d, -f1-10 own.csv | tail -n +2 > own.txt
  expect_success_of cmp given.txt own.txt
  rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --coefficients fitted.json --method hata
  expect_error 2 "--method is hata" "fitted.json"
fi

# Bad input.
rcity score "${tx[@]}" --measurements measured.csv
expect_error 2 "--scene FILE"
rcity score --scene city.rcity "${tx[@]}"
expect_error 2 "--measurements FILE"
rcity score --scene city.rcity --measurements measured.csv --quiet
expect_error 2 "--tx X,Y,H"
rcity score --scene city.rcity --tx 250,252,28 --measurements measured.csv
expect_error 2 "--frequency-mhz"
rcity score --scene city.rcity "${tx[@]}" --measurements absent.csv
expect_error 4 "absent.csv"
rcity score --scene city.rcity "${tx[@]}" --measurements city.rcity
if [[ $status -ne 0 && ! -s "$output" ]]; then pass; else fail "expected a scene to be refused as measurements"; fi
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv -o measured.csv
expect_error 2 "measured.csv"
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv -o table.txt
expect_error 2 ".csv" "table.txt"
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --method hata --quiet
expect_error 2 "--extrapolate"
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --method images-of-all --quiet
expect_error 2 "images-of-all"
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv --extrapolate --skip-out-of-range
expect_error 2 "one of"
rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv -o absent/table.csv
expect_error 4 "absent"
awk -F, -v OFS=, 'NR > 1 { $1 += 100000 } { print }' measured.csv > far.csv
rcity score --scene city.rcity "${tx[@]}" --measurements far.csv
expect_error 2 "far.csv" "outside"
# The points for a GIS, with the values of the table.
if [[ $with_gdal -eq 1 ]]; then
  for ending in csv gpkg geojson; do
    rcity score --scene city.rcity "${tx[@]}" --measurements measured.csv -o errors.$ending --quiet
    expect_ok
  done
  for ending in gpkg geojson; do
    expect_success_of "$python" - errors.csv errors.$ending << 'END'
import csv, sys
from osgeo import ogr
ogr.UseExceptions()
rows = list(csv.DictReader(open(sys.argv[1])))
data = ogr.Open(sys.argv[2])
layer = data.GetLayer(0)
assert layer.GetFeatureCount() == len(rows) > 10
for row, feature in zip(rows, layer):
    for name in ("error_db", "measured_db", "distance_m"):
        value = feature.GetField(name)
        assert (row[name] == "") == (value is None) and (value is None or abs(value - float(row[name])) < 0.001), (name, row)
    assert feature.GetField("route") == row["route"] and abs(feature.geometry().GetX() - float(row["x"])) < 0.002
END
  done
fi
rcity score --help
expect_ok
expect_stdout "--measurements" "--coefficients" "mean error" "Examples:"

# Salt Lake City, where the transmitter stands kilometres outside the map.
data=${RADIOCITY_DATA:-}/saltlakecity
if [[ $with_gdal -eq 1 && -r "$data/slc_cut.shp" ]]; then
  rcity scene import "$data/slc_cut.shp" --height-field MEANHEIGHT --crs EPSG:26912 -o slc.rcity
  expect_ok
  rcity score --scene slc.rcity --measurements "$data/SaltLakeCity_Urban_Ensign_3475_20230710.csv" --where 'ID<54638' \
    --rx-height 2.82 --tx-lonlat -111.888521012526,40.7910862900222,226 --frequency-mhz 3475 -o slc.csv --json
  expect_ok
  cp "$output" slc.json
  expect_success_of "${check[@]}" table slc.csv slc.json
  if grep -q "outside the building map the path is free" slc.json; then pass; else fail "expected a word about the way"; fi
else
  skip "no saltlakecity/slc_cut.shp (set RADIOCITY_DATA to the folder of the real data), or no GDAL"
fi

finish
