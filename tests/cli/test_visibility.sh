#!/usr/bin/env bash
# The visibility matrix as a file: made, used, continued after a kill, refused where it does not belong.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# A street between two blocks, and a tower.
{ res_box 0 0 60 40 20 1 && res_box 0 60 60 120 25 2 && res_box 120 60 200 120 30 3; } > town.res
{ res_box 0 0 60 40 20 1 && res_box 0 60 60 120 25 2; } > other.res
for name in town other; do
  rcity scene import $name.res -o $name.rcity
  expect_ok
done
coarse=(--ground-margin-m 20 --tile-area-m2 100 --roof-tile-area-m2 50)

# What is printed, as words and as JSON; the same bytes for every number of threads.
rcity visibility --scene town.rcity "${coarse[@]}" -o town.vis
expect_ok
expect_stdout " of walls, " " of roofs, " " of the ground" " edges" "walls are too small for tiles" "a tile sees" "town.vis: "
expect_file town.vis
expect_no_file town.vis.part
for threads in 1 3; do
  rcity visibility --scene town.rcity "${coarse[@]}" -o threads.vis --threads $threads --json --quiet
  expect_ok
  expect_silent_stderr
  expect_json 'd["tile_count"] == sum(d["tile_count_of"].values()) > 100' 'd["dropped_wall_count"] == 0' 'd["kept_tile_count"] == 0' \
    'd["entry_count"] % 2 == 0' 'abs(d["neighbour_mean"] * d["tile_count"] - d["entry_count"]) < 1e-3' \
    "d['file_bytes'] == $(stat -c %s threads.vis)"
  expect_same town.vis threads.vis
done
rcity visibility --scene town.rcity "${coarse[@]}" --wall-width-min-m 90 --dry-run --json --quiet
expect_ok
expect_json 'd["tile_count_of"]["wall"] == 0' 'd["dropped_wall_count"] > 0' 'd["dropped_wall_area_m2"] == 200 * 20 + 240 * 25 + 280 * 30' '"entry_count" not in d'
if find_opencl; then
  rcity visibility --scene town.rcity "${coarse[@]}" -o device.vis --device "$opencl" --quiet
  expect_ok
  expect_same town.vis device.vis
fi

# A prediction with the file is the one without.
printf 'x,y,height_m\n30,50,1.5\n100,20,1.5\n190,10,1.5\n' > points.csv
levels=(predict --scene town.rcity --tx "90,50,10" --frequency-mhz 2000 --eirp-dbm 40 --method tiles --points points.csv --quiet)
rcity "${levels[@]}" "${coarse[@]}" -o without.csv
expect_ok
rcity "${levels[@]}" "${coarse[@]}" --visibility town.vis -o with.csv
expect_ok
expect_file with.csv
expect_same with.csv without.csv

# Files that do not belong to the prediction, and what is left of one.
refuse() { # STATUS FILE WORD... -- OPTION...
  local expected=$1 file=$2 words=()
  shift 2
  while [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  shift
  rcity "${levels[@]}" "$@" --visibility "$file" -o refused.csv
  expect_error "$expected" "${words[@]}"
  expect_no_file refused.csv
}
rcity visibility --scene other.rcity "${coarse[@]}" -o other.vis --quiet
expect_ok
refuse 5 other.vis "other.vis" "another scene" -- "${coarse[@]}"
refuse 5 town.vis "town.vis" "another tiling" -- --ground-margin-m 20 --tile-area-m2 64
refuse 5 town.vis "--tile-range-m 0" "not 100 m" -- "${coarse[@]}" --tile-range-m 100
refuse 5 town.rcity "town.rcity" -- "${coarse[@]}"
refuse 4 missing.vis "missing.vis" -- "${coarse[@]}"
head -c $(($(stat -c %s town.vis) - 100)) town.vis > short.vis
refuse 5 short.vis "short.vis" -- "${coarse[@]}"
for share in 3 2; do
  "$python" - $share << 'END'
import sys
data = bytearray(open("town.vis", "rb").read())
data[len(data) - len(data) // int(sys.argv[1])] ^= 0x10
open("damaged.vis", "wb").write(data)
END
  refuse 5 damaged.vis "damaged.vis" "damaged" -- "${coarse[@]}"
done
rcity predict --scene town.rcity --tx "90,50,10" --frequency-mhz 2000 --method free-space --points points.csv --visibility town.vis -o refused.csv
expect_error 2 "free-space" "--visibility"

# A run that is killed is continued: its finished tiles are kept, and the file is that of a run in one go. Little memory makes
# the pieces small that are finished at a time.
rcity scene make --kind core --area-km2 0.1 --seed 5 -o city.rcity
expect_ok
fine=(visibility --scene city.rcity --tile-area-m2 25 --memory 12MB)
rcity "${fine[@]}" -o whole.vis --json --quiet
expect_ok
expect_json 'd["kept_tile_count"] == 0'
stop() { # SIGNAL: sent when the first piece is in the file
  "$RADIOCITY" "${fine[@]}" -o stopped.vis > "$output" 2> "$errors" < /dev/null &
  local pid=$! size=0
  while [[ $size -lt 200000 ]] && kill -0 $pid 2> /dev/null; do
    sleep 0.02
    size=$(stat -c %s stopped.vis.part 2> /dev/null || echo 0)
  done
  kill -s "$1" $pid 2> /dev/null
  wait $pid 2> /dev/null
  status=$? last="${fine[*]}, stopped by $1"
}
for signal in KILL TERM; do
  rm -f stopped.vis
  stop $signal
  if [[ $signal == KILL ]]; then
    expect_status 137
  else
    expect_status 9
    if grep -q "stopped; 'stopped.vis.part' has [0-9]* of [0-9]* tiles" "$errors"; then pass; else fail "expected what was kept"; fi
  fi
  expect_file stopped.vis.part
  expect_no_file stopped.vis
  rcity "${fine[@]}" -o stopped.vis --threads 1 --json
  expect_ok
  if grep -q "'stopped.vis.part' has .* going on from there" "$errors"; then pass; else fail "expected that it goes on"; fi
  expect_json '0 < d["kept_tile_count"] < d["tile_count"]'
  expect_same stopped.vis whole.vis
  expect_no_file stopped.vis.part
done

# What was begun for other tiles is begun again.
stop KILL
mv stopped.vis.part town.vis.part
rcity visibility --scene town.rcity "${coarse[@]}" -o town.vis --json --quiet
expect_json 'd["kept_tile_count"] == 0'
expect_same town.vis threads.vis

# Options that are missing, unknown, out of range or not of a matrix.
basic=(visibility --scene town.rcity -o bad.vis --quiet)
bad() {
  rcity "${basic[@]}" "$1" "$2"
  shift 2
  expect_error 2 "$@"
  expect_no_file bad.vis
}
bad --tile-area-m2 0.5 "--tile-area-m2" "1 to 10000"
bad --wall-tile-area-m2 some "--wall-tile-area-m2" "all"
bad --tile-range-m 0.5 "--tile-range-m is 0.5, must be 0 (no limit)"
bad --tile-orientation north "--tile-orientation" "outlines"
bad --max-bounces 2 "unknown option --max-bounces"
bad --tile-area 50 "did you mean --tile-area-m2?"
rcity visibility -o bad.vis
expect_error 2 "the scene is missing"
rcity visibility --scene town.rcity
expect_error 2 "the output is missing"
rcity visibility --scene town.rcity -o town.rcity
expect_error 2 "town.rcity"
rcity visibility --scene missing.rcity -o bad.vis
expect_error 4 "missing.rcity"
rcity visibility --scene town.rcity -o nowhere/bad.vis
expect_error 4 "nowhere/bad.vis"
rcity "${basic[@]}" --device none
expect_error 2 "the device is 'none'"
expect_no_file bad.vis
expect_no_leftover "$work"
finish
