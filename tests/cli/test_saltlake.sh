#!/usr/bin/env bash
# Salt Lake City: footprints without .prj, transmitters by longitude and latitude outside them, a drive test's points.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
[[ $with_gdal -eq 1 ]] || skip_all "a shapefile needs GDAL"
data=${RADIOCITY_DATA:-}/saltlakecity
[[ -r "$data/slc_cut.shp" ]] || skip_all "no saltlakecity/slc_cut.shp (set RADIOCITY_DATA to the folder of the real data)"
cd "$work" || exit 1

rcity scene import "$data/slc_cut.shp" --height-field MEANHEIGHT --crs EPSG:26912 -o slc.rcity
expect_ok
expect_stdout "165 buildings" "EPSG:26912"
rcity scene import "$data/slc_cut.shp" --height-field MEANHEIGHT -o absent.rcity
expect_error 2 "slc_cut.shp" "CRS" "--crs"
rcity scene import "$data/slc_cut.shp" --height-field HEIGHTS --crs EPSG:26912 -o absent.rcity
expect_error 2 "HEIGHTS" "MEANHEIGHT"
expect_no_file absent.rcity

# Both transmitters stand kilometres outside; the map lies where GDAL says it must.
ensign=(-111.888521012526 40.7910862900222)
city_creek=(-111.8807371 40.80719231)
for place in "${ensign[*]}" "${city_creek[*]}"; do
  read -r lon lat <<< "$place"
  rcity predict --method free-space --scene slc.rcity --tx-lonlat "$lon,$lat,19.9" --frequency-mhz 3475 -o map.tif
  expect_ok
  if grep -q "outside the scene" "$errors"; then pass; else fail "expected a word about the transmitter outside"; fi
  expect_success_of "$python" "$here/check_map.py" lonlat map.tif "$lon" "$lat" 19.9 3475e6 7
  expect_success_of "$python" "$here/check_map.py" is 'd.GetSpatialRef().GetAuthorityCode(None) == "26912"' \
    'd.GetGeoTransform()[0] == 424565.0 or abs(d.GetGeoTransform()[0] - 424565.01) < 0.02' map.tif
  rcity predict --method free-space --scene slc.rcity --tx-lonlat "$lat,$lon,19.9" --frequency-mhz 3475 -o absent.tif
  expect_error 2 "longitude comes first"
  expect_no_file absent.tif
done

# The drive test's points as receivers, straight from its CSV: d__km is the horizontal distance.
head -n 2000 "$data/SaltLakeCity_Urban_Ensign_3475_20230710.csv" > route.csv
rcity predict --method free-space --scene slc.rcity --tx-lonlat "${ensign[0]},${ensign[1]},19.9" --frequency-mhz 3475 --rx-height 2.82 \
  --points route.csv -o levels.csv
expect_ok
expect_success_of "$python" - << 'END'
import csv, math
route = list(csv.DictReader(open("route.csv", encoding="utf-8-sig")))
levels = list(csv.DictReader(open("levels.csv")))
assert len(route) == len(levels) == 1999, (len(route), len(levels))
for a, b in zip(route, levels):
    if b["path_loss_db"]:
        distance_m = math.hypot(float(a["d__km"]) * 1000.0, 19.9 - 2.82)
        expected_db = 20.0 * math.log10(4.0 * math.pi * distance_m * 3475e6 / 299792458.0)
        assert abs(float(b["path_loss_db"]) - expected_db) < 0.02, (a, b, expected_db)
END

# Calibrated on one transmitter the method beats on the other whatever was fitted on the first. Heights count from the
# streets.
[[ $with_nlopt -eq 1 && $with_jansson -eq 1 ]] || { skip "calibration needs NLopt and jansson"; finish; }
common=(--scene slc.rcity --rx-height 2.82 --frequency-mhz 3475)
ensign_drive=(--measurements "$data/SaltLakeCity_Urban_Ensign_3475_20230710.csv" --where "ID<54638"
  --tx-lonlat "${ensign[0]},${ensign[1]},229" --tx-name Ensign)
city_creek_drive=(--measurements "$data/SaltLakeCity_Urban_CityCreek_3475_20230710.csv"
  --tx-lonlat "${city_creek[0]},${city_creek[1]},579" --tx-name CityCreek)
rcity calibrate "${common[@]}" "${ensign_drive[@]}" -o ensign.json
expect_ok
rcity calibrate "${common[@]}" "${city_creek_drive[@]}" -o city_creek.json
expect_ok
check_other() { # the score on the other transmitter, how many points it has
  expect_ok
  expect_success_of "$python" - "$output" "$1" << 'END'
import json, sys
score = json.load(open(sys.argv[1]))
models = {(m["name"], m["fitted_on"]): m["groups"][0] for m in score["models"]}
method = next(m for m in score["models"] if m["name"] == "shadow")["groups"][0]
assert abs(method["compared"] - int(sys.argv[2])) < 30, method
others = [(key, g) for key, g in models.items() if key[0] != "shadow" and key[1] != "these points"]
assert len(others) >= 6, others
for key, figures in others:
    assert method["rmse_db"] < figures["rmse_db"] - 0.5, (method, key, figures)
    assert method["standard_deviation_db"] < figures["standard_deviation_db"], (method, key, figures)
assert method["rmse_db"] < 6.0, method
END
}
rcity score "${common[@]}" "${city_creek_drive[@]}" --coefficients ensign.json --json
check_other 1693
rcity score "${common[@]}" "${ensign_drive[@]}" --coefficients city_creek.json --json
check_other 1034
# It says that it was not fitted there, by what, and what the method says uncalibrated.
rcity score "${common[@]}" "${ensign_drive[@]}" --coefficients city_creek.json --json
expect_ok
expect_json 'sum("the coefficients were fitted at a" in w for w in d["warnings"]) == 3' \
  'any("at an elevation angle of" in w and "(100 % of the receivers lie outside)" in w for w in d["warnings"])' \
  'd["models"][1]["name"] == "shadow" and d["models"][1]["fitted_on"] is None'
# With clutter its shape does.
rcity calibrate "${common[@]}" "${ensign_drive[@]}" --fit clutter-db-per-m -o clutter.json
expect_ok
rcity score "${common[@]}" "${city_creek_drive[@]}" --coefficients clutter.json --json
expect_ok
expect_json 'all(d["models"][0]["groups"][0]["standard_deviation_db"] < m["groups"][0]["standard_deviation_db"] for m in d["models"][1:])'
finish
