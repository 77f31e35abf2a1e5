#!/usr/bin/env bash
# The method tiles from the command line: maps, points, paths, options and their limits.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# A street between two blocks, and a tower.
{ res_box 0 0 60 40 20 1 && res_box 0 60 60 120 25 2 && res_box 120 60 200 120 30 3; } > town.res
rcity scene import town.res -o town.rcity
expect_ok
here_tx=(--scene town.rcity --tx "90,50,10" --frequency-mhz 2000 --method tiles)
coarse=(--ground-margin-m 20 --tile-area-m2 100)

# Without running: the tiles are counted, nothing is written.
rcity predict "${here_tx[@]}" --cell 10 -o dry.rcity --dry-run
[[ $status -eq 0 ]] || rcity predict "${here_tx[@]}" --cell 10 -o dry.tif --dry-run
expect_ok
expect_stdout "tiles"
expect_no_file dry.tif

# Points: levels, the same for every number of threads and both times.
printf 'x,y,height_m\n30,50,1.5\n100,20,1.5\n190,10,1.5\n30,20,1.5\n' > points.csv
rcity predict "${here_tx[@]}" "${coarse[@]}" --points points.csv --eirp-dbm 40 -o levels.csv --threads 1 --quiet
expect_ok
expect_file levels.csv
for threads in 2 3; do
  rcity predict "${here_tx[@]}" "${coarse[@]}" --points points.csv --eirp-dbm 40 -o again.csv --threads $threads --quiet
  expect_ok
  expect_same levels.csv again.csv
done

# Each mechanism by itself changes the levels.
for words in "--scattering off" "--scattering directive" "--scattering-coefficient 0.8" "--scattering-of reflected" \
  "--max-bounces 1" "--max-reflections 0" "--max-diffractions 0" "--surroundings off" "--tile-area-m2 25"; do
  # shellcheck disable=SC2086 # words of a command line
  rcity predict "${here_tx[@]}" "${coarse[@]}" $words --points points.csv --eirp-dbm 40 -o other.csv --quiet
  expect_ok
  expect_different levels.csv other.csv
done

# Maps, where they can be written: bands, notes, threads.
if [[ $with_gdal -eq 1 ]]; then
  rcity predict "${here_tx[@]}" "${coarse[@]}" --cell 10 --eirp-dbm 40 -o map.tif --threads 2
  expect_ok
  expect_stdout "tiles at 2000 MHz" "path_loss at 1.5 m" "mean_delay" "delay_spread" "arrival_azimuth" "mechanism" "received_power"
  expect_success_of "$python" "$here/check_map.py" is 'd.GetMetadataItem("RADIOCITY_METHOD") == "tiles"' \
    'd.GetMetadataItem("RADIOCITY_TILE_AREA_M2") == "100"' 'd.GetMetadataItem("RADIOCITY_MAX_BOUNCES") == "3"' map.tif
  rcity predict "${here_tx[@]}" "${coarse[@]}" --cell 10 --eirp-dbm 40 -o threads.tif --threads 1 --quiet
  expect_same map.tif threads.tif
else
  skip "maps need GDAL"
fi

# Paths: the direct one by its closed form; with scattering there is power that no path has.
line=(--max-bounces 0 --scattering off --over-roofs off)
rcity rays "${here_tx[@]}" --rx 30,50,1.5 --rx 30,20,1.5 "${line[@]}" --json --quiet
expect_ok
expect_json 'd["method"] == "tiles"' 'd["path_count"] == 1' \
  'abs(d["receivers"][0]["paths"][0]["length_m"] - (60 ** 2 + 8.5 ** 2) ** 0.5) < 1e-4' \
  'abs(d["receivers"][0]["path_loss_db"] - 20 * __import__("math").log10(12.566370614 * 60.5990924 * 2e9 / 299792458)) < 1e-3' \
  'd["receivers"][1]["state"] == "in building"'
rcity rays "${here_tx[@]}" "${coarse[@]}" --rx 30,50,1.5 --rx 190,10,1.5 --json --quiet --threads 1
expect_ok
expect_json 'any(p["interactions"] == "R" for p in d["receivers"][0]["paths"])' \
  'any(p["interactions"] == "R-R" for p in d["receivers"][0]["paths"])' \
  'any("D" in p["interactions"] for r in d["receivers"] for p in r["paths"])'
cp "$output" one.json
rcity rays "${here_tx[@]}" "${coarse[@]}" --rx 30,50,1.5 --rx 190,10,1.5 --json --quiet --threads 3
expect_same "$output" one.json

# Values out of range, words that do not exist, options of other methods.
basic=(predict "${here_tx[@]}" --points points.csv -o refused.csv)
refuse() {
  rcity "${basic[@]}" "$1" "$2"
  shift 2
  expect_error 2 "$@"
  expect_no_file refused.csv
}
refuse --max-bounces 7 "--max-bounces" "6"
refuse --max-bounces 1.5 "--max-bounces is 1.5, must be a whole number"
refuse --max-diffractions 3 "--max-diffractions" "2"
refuse --tile-area-m2 0.5 "--tile-area-m2" "1"
refuse --tile-area-m2 big "--tile-area-m2" "big"
refuse --wall-tile-area-m2 some "--wall-tile-area-m2" "all"
refuse --loss-limit-db 20 "--loss-limit-db" "60"
refuse --scattering some "--scattering" "lambertian"
refuse --scattering-coefficient 1.2 "--scattering-coefficient"
refuse --scattering-exponent 2.5 "--scattering-exponent is 2.5, must be a whole number"
refuse --tile-range-m 0.5 "--tile-range-m is 0.5, must be 0 (no limit)"
refuse --max-corners 2 "--max-corners"
rcity rays "${here_tx[@]}" --rx 30,50,1.5 --sum coherent
expect_error 2 "unknown option --sum"

finish
