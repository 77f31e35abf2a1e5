#!/usr/bin/env bash
# Surfaces: tiles in files of all formats, one column of a facade, the ground as a map; and what is refused.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# A street between two blocks, and a tower; the scene spans (0, 0) to (200, 120).
{ res_box 0 0 60 40 20 1 && res_box 0 60 60 120 25 2 && res_box 120 60 200 120 30 3; } > town.res
rcity scene import town.res -o town.rcity
expect_ok
basic=(predict --scene town.rcity --tx "90,50,10" --frequency-mhz 2000)

# Refused before anything is read.
rcity "${basic[@]}" --surfaces city.gltf
expect_error 2 "'city.gltf' ends in none of .h5 (tables), .glb (3-D viewers), .ply (3-D programs), .csv (a line a tile) and .png"
rcity "${basic[@]}" --surfaces a.csv --surfaces a.csv
expect_error 2 "'a.csv' is named twice"
rcity "${basic[@]}" --surfaces a.csv --facade 1,2 --facade-csv a.csv
expect_error 2 "'a.csv' is named twice"
rcity "${basic[@]}" --facade 1,2
expect_error 2 "--facade X,Y and --facade-csv FILE belong together"
rcity "${basic[@]}" --facade-csv a.csv
expect_error 2 "--facade X,Y and --facade-csv FILE belong together"
rcity "${basic[@]}" --facade 1,2,3 --facade-csv a.csv
expect_error 2 "--facade takes X,Y"
rcity "${basic[@]}" --facade 1,2 --facade-csv a.txt
expect_error 2 "a table of a facade ends in .csv"
rcity "${basic[@]}" --surfaces a.csv --facade-distance-m 3
expect_error 2 "--facade-distance-m is of a facade"
rcity "${basic[@]}" --facade 1,2 --facade-csv a.csv --facade-distance-m -3
expect_error 2 "--facade-distance-m is -3, must be at least 0"
rcity "${basic[@]}" --surface-band path_loss -o map.tif
expect_error 2 "--surface-band is for the colours of --surfaces"
rcity "${basic[@]}" --surfaces a.csv --surface-range -60,-90
expect_error 2 "--surface-range takes LOW,HIGH, the lower value first"
rcity "${basic[@]}" --surfaces a.csv --surface-view 225,40
expect_error 2 "--surface-view is for a picture; give --surfaces FILE.png"
if [[ $with_cairo -eq 1 ]]; then
  rcity "${basic[@]}" --surfaces a.png --surface-view 225
  expect_error 2 "--surface-view takes AZIMUTH,ELEVATION"
  rcity "${basic[@]}" --surfaces a.png --surface-view 400,40
  expect_error 2 "the azimuth of --surface-view is 400, must be -360 to 360"
  rcity "${basic[@]}" --surfaces a.png --surface-view 225,3
  expect_error 2 "the elevation of --surface-view is 3, must be 5 to 90"
  rcity "${basic[@]}" --surfaces a.png --png-width 399
  expect_error 2 "--png-width is 399, must be 400 to 8000"
else
  rcity "${basic[@]}" --surfaces a.png
  expect_error 7 "this build has no Cairo"
fi
rcity "${basic[@]}" --surfaces a.csv --points points.csv
expect_error 2 "--points and surfaces are different receivers"
rcity predict --scene town.rcity --sites sites.csv --frequency-mhz 2000 --surfaces a.csv
expect_error 2 "surfaces are of one transmitter"
for option in "-o map.tif" "--png map.png" "--kmz map.kmz" "--thresholds -90" "--area 0,0,9,9" "--rx-height 1.5,3" \
  "--png-band path_loss" "--sites-geojson sites.geojson"; do
  # shellcheck disable=SC2086 # two words
  rcity "${basic[@]}" --surfaces a.csv $option
  expect_error 2 "${option%% *} is for maps"
done
if [[ $with_gdal -eq 1 ]]; then
  rcity "${basic[@]}" --street-map streets.png
  expect_error 2 "a map of streets ends in .tif"
  rcity "${basic[@]}" --street-map streets.tif --cell 0
  expect_error 2 "--cell is 0, must be 0.01 to 100000"
else
  rcity "${basic[@]}" --street-map streets.tif
  expect_error 7 "this build has no GDAL"
fi
if [[ $with_hdf5 -eq 0 ]]; then
  rcity "${basic[@]}" --surfaces a.h5
  expect_error 7 "this build has no HDF5"
fi
rcity "${basic[@]}" --surfaces town.rcity
expect_error 2 "ends in none of"
cp town.rcity town.csv
rcity predict --scene town.csv --tx 90,50,10 --frequency-mhz 2000 --surfaces town.csv
expect_error 2 "'town.csv' is the input"
rm town.csv
rcity "${basic[@]}" --surfaces nowhere/a.csv
expect_error 4 "its folder does not exist"

# A method that does not serve surfaces names those that do.
rcity "${basic[@]}" --method free-space --surfaces a.csv --quiet
expect_error 7 "method 'free-space' does not serve surfaces"
server=$(sed -n "s/.*these do: \([a-z0-9-]*\).*/\1/p" "$errors")
expect_no_file a.csv
if [[ -z "$server" ]]; then
  skip "no method of this build serves surfaces"
  finish
fi
basic+=(--method "$server" --quiet)

# All files at once; without a power there is path loss, and the same bytes for every number of threads.
files=(--surfaces tiles.csv --surfaces tiles.glb --surfaces tiles.ply --facade 90,50 --facade-csv facade.csv)
[[ $with_hdf5 -eq 0 ]] || files+=(--surfaces tiles.h5)
[[ $with_cairo -eq 0 ]] || files+=(--surfaces tiles.png --png-width 600)
[[ $with_gdal -eq 0 ]] || files+=(--street-map streets.tif --cell 4)
rcity "${basic[@]}" "${files[@]}"
expect_ok
expect_stdout "$server at 2000 MHz" " of walls, " " of roofs, " " of the ground" "path_loss: " "tiles.glb" "facade.csv"
expect_no_leftover .
expect_success_of "$python" "$here/check_surfaces.py" glb tiles.glb tiles.csv path_loss_db
expect_success_of "$python" "$here/check_surfaces.py" ply tiles.ply tiles.csv
expect_success_of "$python" "$here/check_surfaces.py" facade facade.csv tiles.csv
if [[ $with_hdf5 -eq 1 ]] && command -v h5dump > /dev/null; then
  expect_success_of "$python" "$here/check_surfaces.py" tables tiles.h5 tiles.csv
fi
if [[ $with_gdal -eq 1 ]]; then
  expect_file streets.qml
  expect_success_of "$python" "$here/check_surfaces.py" streets streets.tif tiles.csv
fi
mkdir before
mv tiles.* facade.csv before
[[ $with_gdal -eq 0 ]] || mv streets.* before
for threads in 1 2; do
  rcity "${basic[@]}" "${files[@]}" --threads $threads
  expect_ok
  for file in before/*; do expect_same "$file" "$(basename "$file")"; done
done

# Received power colours files where there is a power; another band and the ends of its colours on request.
rcity "${basic[@]}" --eirp-dbm 40 --surfaces power.glb --surfaces power.csv
expect_ok
expect_success_of "$python" "$here/check_surfaces.py" glb power.glb power.csv received_power_dbm
rcity "${basic[@]}" --eirp-dbm 40 --surfaces loss.glb --surface-band path_loss --surface-range 60,120
expect_ok
expect_success_of "$python" "$here/check_surfaces.py" glb loss.glb power.csv path_loss_db
expect_different power.glb loss.glb
if grep -aq '"colour_min":60,"colour_max":120' loss.glb; then pass; else fail "expected the ends of the colours"; fi

# Pictures from two sides differ.
if [[ $with_cairo -eq 1 ]]; then
  rcity "${basic[@]}" --surfaces west.png --surface-view 270,30 --png-width 600
  expect_ok
  rcity "${basic[@]}" --surfaces east.png --surface-view -270,30 --png-width 600
  expect_ok
  expect_different west.png east.png
  expect_different west.png before/tiles.png
fi

# The summary as JSON, and what would be done.
rcity "${basic[@]}" --surfaces json.csv --json
expect_ok
expect_json "d['method'] == '$server'" 'd["frequency_mhz"] == 2000' 'd["tile_count"] == sum(d["tile_count_of"].values())' \
  'set(d["tile_count_of"]) == {"wall", "roof", "ground"}' 'any(b["name"] == "path_loss" and b["values"] > 0 for b in d["bands"])' \
  'len(d["scene_hash"]) == 64' '"cell_m" not in d and "rx_height_m" not in d'
rcity "${basic[@]}" --surfaces plan.csv --dry-run
expect_ok
expect_stdout "would predict about " "tiles of surfaces by $server"
expect_no_file plan.csv

# All files appear or none.
echo "an old file" > old.csv
rcity "${basic[@]}" --surfaces old.csv --surfaces new.ply --facade 5000,5000 --facade-csv far.csv
expect_error 2 "no wall is within 50 m of (5000.00, 5000.00)"
expect_no_file new.ply
expect_no_file far.csv
if [[ $(cat old.csv) == "an old file" ]]; then pass; else fail "expected the old file"; fi
rcity "${basic[@]}" --surfaces old.csv --surfaces new.glb --surface-band nothing
expect_error 2 "the surfaces have no band 'nothing'; they have: " "path_loss"
expect_no_file new.glb
expect_no_leftover .
rcity "${basic[@]}" --surfaces new.glb --memory 300kB
expect_error 3 "--memory"
expect_no_file new.glb
finish
