#!/usr/bin/env bash
# Scenes: made, imported, described, drawn, saved; bad wall lists and broken compiled scenes.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

info_keys=(
  'isinstance(d["buildings"], int)' 'isinstance(d["walls"], int)' 'isinstance(d["outer_walls"], int)'
  'isinstance(d["area_km2"], number)' 'isinstance(d["height_median_m"], number)' 'isinstance(d["crs"], str)'
  'isinstance(d["repairs"], dict) and all(isinstance(n, int) for n in d["repairs"].values())'
  '0 <= d["outer_walls"] <= d["walls"]' 'len(d["hash"]) == 64'
)

# Every kind of city, with what makes it that kind; the same seed gives the same bytes, another one another city.
for kind in grid core highrise hills; do
  rcity scene make --kind $kind --area-km2 0.2 --seed 11 -o $kind.rcity
  expect_ok
  expect_stdout "$kind.rcity: synthetic $kind" "seed 11"
  rcity scene make --kind $kind --area-km2 0.2 --seed 11 --threads 2 -o again.rcity
  expect_same $kind.rcity again.rcity
  rcity scene make --kind $kind --area-km2 0.2 --seed 12 -o other.rcity
  expect_different $kind.rcity other.rcity
  rcity scene info $kind.rcity --json
  expect_ok
  expect_silent_stderr
  expect_json "${info_keys[@]}" 'abs(d["area_km2"] - 0.2) < 0.02' 'd["crs"] == "none"' "'$kind' in d['source']"
  case $kind in
    grid | core) expect_json 'd["buildings"] > 20' 'd["height_median_m"] > 3' 'd["has_terrain"] is False' ;;
    highrise) expect_json 'd["buildings"] > 20' 'd["has_terrain"] is True' 'd["ground_max_m"] > d["ground_min_m"]' ;;
    hills) expect_json 'd["buildings"] == 0 == d["walls"]' 'd["has_terrain"] is True' 'd["height_median_m"] == 0' ;;
  esac
  rcity scene info $kind.rcity
  expect_ok
  expect_stdout "CRS" "bounds" "buildings" "walls" "terrain" "hash" "synthetic $kind"
  if [[ $with_cairo -eq 1 ]]; then
    rcity scene draw $kind.rcity --width 600 -o $kind.png
    expect_ok
    expect_stdout $kind.png
    if [[ $(head -c 4 $kind.png | tail -c 3) == PNG ]]; then pass; else fail "expected a PNG"; fi
    rcity scene draw $kind.rcity --width 600 --threads 1 -o again.png
    expect_same $kind.png again.png
  fi
done
rcity scene make --area-km2 0.1 --crs EPSG:32632 --origin 691000,5334000 -o placed.rcity
rcity scene info placed.rcity --json
expect_json 'd["crs"] == "EPSG:32632"' 'd["bounds_m"][:2] == [691000, 5334000]'
if [[ $with_gdal -eq 1 ]]; then
  rcity scene make --area-km2 0.1 --crs EPSG:3857 -o absent.rcity
  expect_error 2 "'EPSG:3857' cannot be a scene's" "for example" "give --crs one for the place"
  if grep -q -- "--to-crs" "$errors"; then fail "scene make has no --to-crs"; else pass; fi
fi
rcity scene make --kind hills --area-km2 3600 --terrain-cell-m 120 -o region.rcity
expect_ok
rcity scene info region.rcity --json
expect_json 'd["bounds_m"] == [0, 0, 60000, 60000]' 'd["terrain_cell_m"] == 120' 'd["terrain_columns"] == 501'
rcity scene make --area-km2 0.05 -o absent.rcity
expect_error 2 "the area is 0.05 km2" "0.1 to 50"
rcity scene make --area-km2 51 -o absent.rcity
expect_error 2 "the area is 51 km2" "0.1 to 50" "--kind hills may be larger"
rcity scene make --terrain-cell-m 30 -o absent.rcity
expect_error 2 "--terrain-cell-m is for --kind hills, not for --kind core"
expect_no_file absent.rcity
if [[ $with_cairo -eq 1 ]]; then
  rcity scene draw core.rcity --width 10 -o absent.png
  expect_error 2 "10 pixels" "400 to 8000"
else
  rcity scene draw core.rcity -o absent.png
  expect_error 7 "Cairo"
fi
expect_no_file absent.png
rcity scene draw core.rcity -o absent.jpg
expect_error 2 "absent.jpg" ".png"

# Wall lists: a good one, as read and with the line ends of another age.
res_box 0 0 20 20 10 1 > good.res
res_box 30 0 50 20 14.5 2 >> good.res
rcity scene import good.res -o good.rcity
expect_ok
expect_stdout "good.rcity: 2 buildings, 8 walls"
rcity scene info good.rcity --json
expect_json "${info_keys[@]}" 'd["buildings"] == 2' 'd["walls"] == 8 == d["outer_walls"]' \
  'd["height_median_m"] == 12.25' 'd["bounds_m"] == [0, 0, 50, 20]' 'd["source"] == "good.res"' \
  'sum(d["repairs"].values()) == 0'
cp "$output" info.json
rcity scene info good.res --json
expect_same "$output" info.json
mkdir crlf
{ sed 's/$/\r/' good.res && printf '\032'; } > crlf/good.res
rcity scene import crlf/good.res -o crlf.rcity
expect_ok
expect_same good.rcity crlf.rcity
cp good.res GOOD.RES
rcity scene import GOOD.RES --crs EPSG:31468 -o upper.rcity
expect_ok
rcity scene info upper.rcity --json
expect_json 'd["crs"] == "EPSG:31468"'

# Wall lists that are wrong: where, what, what to do; and what --bad-buildings drop makes of them.
bad() { # file, status, words...: fails, and leaves nothing
  local file=$1
  shift
  rcity scene import "$file" -o absent.rcity
  expect_error "$1" "'$file'" "${@:2}"
  expect_no_file absent.rcity
}
dropped() { # file: one building of two stays
  rcity scene import "$1" --bad-buildings drop -o dropped.rcity
  expect_ok
  rcity scene info dropped.rcity --json
  expect_json 'd["buildings"] == 1' 'd["walls"] == 4' 'd["repairs"]["dropped_buildings"] == 1'
}
head -n 7 good.res > open.res
bad open.res 8 "line 7" "building 2" "line 5" "does not close" "--bad-buildings drop"
dropped open.res
{ head -n 4 good.res && printf '%s 12 7 1 0\n' "30 0 50 20" "50 20 50 0" "50 0 30 19" "30 19 30 0"; } > crossing.res
bad crossing.res 8 "building 7" "crosses itself" "--bad-buildings drop"
dropped crossing.res
{ head -n 4 good.res && printf '%s 12 7 1 0\n' "30 0 50 20" "50 20 50 0" "50 0 30 20" "30 20 30 0"; } > bow-tie.res
bad bow-tie.res 8 "building 7" "crosses itself" "--bad-buildings drop"
dropped bow-tie.res
{ head -n 4 good.res && printf '%s 12 7 1 0\n' "30 0 40 0" "40 0 50 0" "50 0 30 0"; } > zero-area.res
bad zero-area.res 8 "building 7" "no area" "--bad-buildings drop"
dropped zero-area.res
sed '6s/^50/nan/' good.res > nan.res
bad nan.res 5 "line 6" "'nan' is not a number for x1"
sed '6s/^50/-inf/' good.res > inf.res
bad inf.res 5 "line 6" "'-inf' is not a number for x1"
sed '5,8s/ 14.5 / 0 /' good.res > low.res
bad low.res 8 "line 5" "building 2 is 0 m high, must be 0.5 to 1000 m" "--bad-buildings drop"
dropped low.res
sed '5,8s/ 14.5 / 9999 /' good.res > high.res
bad high.res 8 "line 5" "building 2 is 9999 m high" "--bad-buildings drop"
dropped high.res
sed '5,8s/ 14.5 / -3 /' good.res > negative.res
bad negative.res 8 "building 2 is -3 m high"
sed '5,8s/^\([0-9]* [0-9]*\) 50/\1 5e8/; 5,8s/^50/5e8/' good.res > far.res
bad far.res 8 "building 2" "1e+08 m" "--bad-buildings drop"
dropped far.res
sed '7s/ 14.5 / 15 /' good.res > steps.res
bad steps.res 8 "line 7" "building 2 changes its height from 14.5 to 15 m"
dropped steps.res
sed '6s/^50/51/' good.res > jump.res
bad jump.res 8 "line 6" "building 2" "(51, 0)"
dropped jump.res
sed '3s/^20/twenty/' good.res > text.res
bad text.res 5 "line 3" "'twenty' is not a number for x1" "x1 y1 x2 y2 height id 1 ground"
sed '3s/^20/20m/' good.res > unit.res
bad unit.res 5 "line 3" "'20m' is not a number"
sed '2s/ 0$//' good.res > few.res
bad few.res 5 "line 2" "7 fields, needs 8"
sed '2s/$/ 5/' good.res > many.res
bad many.res 5 "line 2" "more than 8 fields"
sed '5s/ 2 1 0$/ 2.5 1 0/' good.res > number.res
bad number.res 5 "line 5" "building id 2.5"
: > empty.res
bad empty.res 5 "no wall"
printf ' \r\n\n\032' > blank.res
bad blank.res 5 "no wall"
head -c 3000 /dev/zero > zeros.res
bad zeros.res 5 "line 1"
head -n 3 good.res > alone.res
rcity scene import alone.res --bad-buildings drop -o absent.rcity
expect_error 8 "alone.res" "all 1 buildings were dropped" "without --bad-buildings drop"
expect_no_file absent.rcity
rcity scene import good.res --close-gaps-m 9 -o absent.rcity
expect_error 2 "9 m" "0 to 5 m"
rcity scene import good.rcity -o absent.rcity
expect_error 2 "'good.rcity' is a compiled scene already"
bad missing.res 4 "No such file"
mkdir folder.res
bad folder.res 4 "not a plain file"

# Compiled scenes that are missing, no scenes, cut, changed, or of another version.
broken() { # file, status, words...
  rcity scene info "$1"
  expect_error "$2" "'$1'" "${@:3}"
}
damage() {
  "$python" "$here/damage_rcity.py" good.rcity broken.rcity "$@"
}
broken missing.rcity 4 "No such file"
broken folder.res/missing.rcity 4 "No such file"
broken "$work" 4 "not a plain file"
cp good.res text.rcity
broken text.rcity 5 "not a radiocity file"
: > empty.rcity
broken empty.rcity 5 "empty"
for bytes in 3 8 40 64 200 -1; do
  damage truncate $bytes
  broken broken.rcity 5
done
cp good.rcity long.rcity
printf 'x' >> long.rcity
broken long.rcity 5 "truncated or was added to"
for offset in $(damage offsets); do
  damage flip "$offset"
  broken broken.rcity 5
done
damage version 1
broken broken.rcity 5 "version 1, this program reads version 2" "make it again"
damage layout 9
broken broken.rcity 5 "layout 9, this program reads 1" "make it again"
damage kind map
broken broken.rcity 5 "holds a map, not a scene"
damage flip 200
if [[ $with_cairo -eq 1 ]]; then
  rcity scene draw broken.rcity -o absent.png
  expect_error 5 "'broken.rcity'"
  expect_no_file absent.png
fi
rcity predict --scene broken.rcity --tx 1,1,30 --frequency-mhz 900 --dry-run
expect_error 5 "'broken.rcity'"

# Outputs that cannot be written: asked before the work, and the old file stays.
for place in /dev/null/x.rcity missing-folder/x.rcity /proc/x.rcity; do
  rcity scene import good.res -o $place
  expect_error 4 "cannot write '$place'"
done
mkdir target target.rcity
rcity scene make --area-km2 0.1 -o target.rcity
expect_error 4 "'target.rcity'" "not a plain file"
for place in target/ /dev/null other.res picture.png; do
  rcity scene make --area-km2 0.1 -o $place
  expect_error 2 "'$place'" "ends in .rcity"
done
mkfifo pipe.rcity
rcity scene info pipe.rcity # a pipe without a writer is refused, not waited for
expect_error 4 "'pipe.rcity'" "not a plain file"
if [[ $(id -u) -ne 0 ]]; then
  chmod a-w target
  rcity scene import good.res -o target/x.rcity
  expect_error 4 "cannot write 'target/x.rcity'" "Permission denied"
  chmod u+w target
else
  skip "folder without write permission: root may write everywhere"
fi
cp good.rcity old.rcity
last="scene make over an old file, files limited to 8 kB"
( trap '' XFSZ && ulimit -f 8 && exec "$RADIOCITY" scene make --area-km2 0.2 -o old.rcity --overwrite ) > "$output" 2> "$errors"
status=$?
expect_error 4 "cannot write 'old.rcity'" "nothing was left behind"
expect_same good.rcity old.rcity
expect_no_leftover "$work"
rcity scene import good.res -o good.res
expect_error 2 "good.res"
expect_no_leftover "$work"
finish
