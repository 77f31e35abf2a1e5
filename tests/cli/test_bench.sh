#!/usr/bin/env bash
# Benchmarks: the list, and results as scripts read them.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
export TMPDIR=$work

rcity bench --list
expect_ok
expect_silent_stderr
for item in load save draw; do
  if grep -Eq "^io +$item +[a-z]" "$output"; then pass; else fail "expected 'io $item' in the list"; fi
done

keys='["bench", "case", "device", "threads", "scene", "value", "unit", "best_s", "median_s", "yardstick", "yardstick_value", "ratio", "note"]'
rcity bench io --json --area-km2 0.5 --repeat 2
expect_ok
cp "$output" results.txt
expected=2
[[ $with_cairo -eq 0 ]] || expected=3
if [[ $(wc -l < results.txt) -eq $expected ]]; then pass; else fail "expected $expected results"; fi
while IFS= read -r line; do
  echo "$line" | tee "$output"
  expect_json "list(d) == $keys" 'd["bench"] == "io"' 'd["case"] in ("load", "save", "draw")' \
    'isinstance(d["device"], str)' 'isinstance(d["threads"], int) and d["threads"] >= 1' 'isinstance(d["scene"], str)' \
    'd["value"] > 0' 'isinstance(d["unit"], str)' '0 < d["best_s"] <= d["median_s"]' \
    'd["yardstick"] is None or isinstance(d["yardstick"], str)' \
    '(d["yardstick"] is None) == (d["yardstick_value"] is None) == (d["ratio"] is None)' \
    'd["ratio"] is None or abs(d["ratio"] - d["value"] / d["yardstick_value"]) <= 1e-6 * d["ratio"]'
done < results.txt

rcity bench io --case load --area-km2 0.2 --repeat 1
expect_ok
expect_stdout "load" "MB/s" "best" "times read of the same bytes"
if [[ $(wc -l < "$output") -eq 1 ]]; then pass; else fail "expected one case"; fi
rcity scene make --area-km2 0.1 --seed 3 -o city.rcity
rcity bench io --case load --scene city.rcity --repeat 1 --json
expect_ok
expect_json '"seed 3" in d["scene"]'

# Lines of sight: a small trial, and Munich left out by name where its data are absent.
rcity bench segments --case highrise --area-km2 0.2 --repeat 1 --device host --json
expect_ok
expect_json 'd["bench"] == "segments"' 'd["case"] == "highrise"' 'd["device"] == "host"' 'd["unit"] == "Msegments/s"' \
  '"% free" in d["note"]' 'd["yardstick"] is None or " agree with Embree" in d["note"]' \
  'd["yardstick"] is None or float(d["note"].split(" agree with")[0].split("; ")[-1]) > 0.999' \
  "list(d) == $keys + ([] if d['yardstick'] is None else ['yardsticks'])"
# The yardstick is the fastest of the ways in which Embree was asked; all of them answer as we do.
expect_json '(d["yardstick"] is None) == ("yardsticks" not in d)' \
  'd["yardstick"] is None or d["yardstick_value"] == max(y["value"] for y in d["yardsticks"])' \
  'd["yardstick"] is None or {"1 ray at a time, robust", "16 rays at a time"} < {y["name"] for y in d["yardsticks"]}' \
  'all(list(y) == ["name", "value", "agreement"] and 0.999 < y["agreement"] <= 1 for y in d.get("yardsticks", []))'
RADIOCITY_DATA=$work/nothing rcity bench segments --case munich --device host
expect_ok
if grep -q "segments munich is left out" "$errors"; then pass; else fail "expected a warning about Munich"; fi

# Rasters of sight: equal to the segment test, in a made city where Munich is absent.
RADIOCITY_DATA=$work/nothing rcity bench los --case street-10m --area-km2 0.2 --repeat 1 --device host --json
expect_ok
expect_json 'd["bench"] == "los"' 'd["case"] == "street-10m"' 'd["unit"] == "rasters/s"' 'd["ratio"] > 0' \
  '"; 8 of 8 equal to asking each pixel" in d["note"]' 'd["note"].startswith("256 rasters of ")'
if grep -q "los street-10m runs in a made city" "$errors"; then pass; else fail "expected a word about Munich"; fi

# Ways over roofs: two results, strings and counts, of one raster.
rcity bench roofs --case core --area-km2 0.2 --repeat 1 --device host --json
expect_ok
cp "$output" results.txt
if [[ $(wc -l < results.txt) -eq 2 ]]; then pass; else fail "expected two results"; fi
while IFS= read -r line; do
  echo "$line" | tee "$output"
  expect_json 'd["bench"] == "roofs"' 'd["case"] == "core"' 'd["unit"] in ("maps/s", "counts/s")' 'd["yardstick"] is None' \
    '0 < d["best_s"] <= d["median_s"]' '"behind roofs" in d["note"]' 'float(d["note"].split(" a pixel")[0].split()[-1]) > 1'
done < results.txt
RADIOCITY_DATA=$work/nothing rcity bench roofs --case munich --device host
expect_ok
if grep -q "roofs munich is left out" "$errors"; then pass; else fail "expected a warning about Munich"; fi

# Beams: levels and histograms of delays in one pass.
rcity bench beams --case 1km2-3r1d --area-km2 0.1 --repeat 1 --device host --json
expect_ok
expect_json 'd["bench"] == "beams"' 'd["case"] == "1km2-3r1d"' 'd["unit"] == "Mpaths/s"' 'd["value"] > 0' \
  '" beams in " in d["note"] and " ways to them" in d["note"]' 'int(d["note"].split(" bins of delays")[0].split()[-1]) > 1000'
rcity scene make --kind core --area-km2 0.1 --seed 3 --origin 1180,1280 -o centre.rcity # around the place in Munich
expect_ok
bins_before=0
for name in munich-3r1d munich-3r1d-levels; do # what comes over roofs has bins too
  rcity bench beams --case "$name" --scene centre.rcity --repeat 1 --device host --json
  expect_ok
  bins=$("$python" -c 'import json, sys; print(json.load(sys.stdin)["note"].split(" bins of delays")[0].split()[-1])' < "$output")
  if [[ $bins -gt $bins_before ]]; then pass; else fail "expected more than $bins_before bins, got $bins"; fi
  bins_before=$bins
done
rcity bench --list
cp "$output" list.txt
for name in $(awk '$1 == "beams" && $2 ~ /munich/ { print $2 }' list.txt); do
  RADIOCITY_DATA=$work/nothing rcity bench beams --case "$name" --device host
  expect_ok
  if grep -q "beams $name is left out" "$errors"; then pass; else fail "expected a warning about Munich"; fi
done
# Tiles: the field on all of them, and beside the time of `images` to receivers in streets.
rcity bench tiles --case union5100-1 --area-km2 0.1 --repeat 1 --device host --json
expect_ok
expect_json 'd["bench"] == "tiles"' 'd["case"] == "union5100-1"' 'd["unit"] == "Mrays/s"' 'd["yardstick"] is None' \
  '0 < d["best_s"] <= d["median_s"]' '500 < int(d["note"].split(" tiles, ")[0]) < 5100'
rcity bench tiles --case images-1 --area-km2 0.1 --repeat 2 --device host --json
expect_ok
expect_json 'd["case"] == "images-1"' 'd["unit"] == "tiles/s"' 'd["yardstick"] == "images"' 'd["ratio"] > 0' \
  '"as R0 D1 and R1 D0" in d["note"]' '", 5100: " in d["note"]' 'd["best_s"] < d["median_s"]'
rcity bench tiles --case images-1 --scene city.rcity --repeat 1 --device host --json
expect_ok
expect_json '"seed 3" in d["scene"]'
rcity bench visibility --case 2km2 --area-km2 0.1 --repeat 1 --device host --json
expect_ok
expect_json 'd["bench"] == "visibility"' 'd["unit"] == "Mpairs/s"' '" neighbours, " in d["note"]' 'd["ratio"] > 0'

rcity bench nothing
expect_error 2 "no benchmark 'nothing'" "--list names them all"
rcity bench io --case nothing
expect_error 2 "'nothing'" "--list names them all"
rcity bench io --repeat 0
expect_error 2 "repeats is 0" "1 to"
rcity bench io --area-km2 1000
expect_error 2 "the area is 1000 km2"
rcity bench io --scene missing.rcity
expect_error 4 "missing.rcity"
# Nothing is left of the files it timed.
if [[ -z $(find . -name 'radiocity-bench-*') ]]; then pass; else fail "expected no leftover, found $(ls -A)"; fi
expect_no_leftover "$work"
finish
