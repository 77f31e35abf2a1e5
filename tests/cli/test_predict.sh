#!/usr/bin/env bash
# Predictions: the map, its values, the same bytes every time; requests that cannot be met.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# A block of 20 m and one of 30 m; the scene spans (0, 0) to (200, 120).
{ res_box 0 0 60 40 20 1 && res_box 120 60 200 120 30 2; } > two.res
rcity scene import two.res -o two.rcity
expect_ok
basic=(predict --method free-space --scene two.rcity --tx "90,50,25" --frequency-mhz 2000)

# Happy path: the summary alone, then the map, then the picture.
rcity "${basic[@]}" --json
expect_ok
expect_json 'd["method"] == "free-space"' 'd["columns"] == 40 and d["rows"] == 24' 'len(d["bands"]) == 1' \
  'd["bands"][0]["name"] == "path_loss" and d["bands"][0]["unit"] == "dB"' \
  '60 < d["bands"][0]["minimum"] <= d["bands"][0]["median"] <= d["bands"][0]["maximum"] < 90' \
  '0 < d["bands"][0]["values"] < 40 * 24' 'len(d["scene_hash"]) == 64'
rcity "${basic[@]}" --json --quiet
expect_silent_stderr
cp "$output" one.json
rcity "${basic[@]}" --json --quiet --threads 1
expect_same "$output" one.json
rcity "${basic[@]}" --json --quiet --threads 2
expect_same "$output" one.json
if [[ $with_gdal -eq 1 ]]; then
  rcity "${basic[@]}" --cell 4 -o map.tif
  expect_ok
  expect_stdout "free-space at 2000 MHz, 50 x 30 cells of 4 m" "path_loss at 1.5 m" map.tif
  expect_success_of gdalinfo map.tif > gdalinfo.txt
  expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 1' 'b.DataType == 6' \
    'math.isnan(b.GetNoDataValue())' 'b.GetUnitType() == "dB"' 'b.GetDescription() == "path_loss"' \
    'd.GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE") == "DEFLATE"' \
    'd.GetMetadataItem("LAYOUT", "IMAGE_STRUCTURE") == "COG"' 'd.GetProjection() == ""' \
    'd.GetGeoTransform() == (0.0, 4.0, 0.0, 120.0, 0.0, -4.0)' \
    'd.GetMetadataItem("RADIOCITY_METHOD") == "free-space"' map.tif
  expect_success_of "$python" -m osgeo_utils.samples.validate_cloud_optimized_geotiff map.tif
  expect_success_of "$python" "$here/check_map.py" formula map.tif 90 50 25 2e9 42
  for threads in 1 2; do
    rcity "${basic[@]}" --cell 4 --threads $threads -o again.tif
    expect_same map.tif again.tif
  done
  rcity "${basic[@]}" --cell 0.25 --quiet -o large.tif
  expect_ok
  expect_success_of "$python" "$here/check_map.py" is 'd.RasterXSize == 800' 'b.GetOverviewCount() >= 1' large.tif
  expect_success_of "$python" -m osgeo_utils.samples.validate_cloud_optimized_geotiff large.tif
  # The scene's CRS, names with heights, part of the scene.
  rcity scene make --area-km2 0.1 --crs EPSG:32632 --origin 691000,5334000 -o placed.rcity
  rcity predict --method free-space --scene placed.rcity --tx 691150,5334150,90 --frequency-mhz 900 --rx-height 1.5,10,30 --cell 10 -o placed.tif
  expect_ok
  expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 3' \
    'd.GetSpatialRef().GetAuthorityCode(None) == "32632"' 'd.GetGeoTransform()[0] == 691000.0' \
    'd.GetRasterBand(2).GetDescription() == "path_loss @ 10 m"' \
    'd.GetRasterBand(3).GetMetadataItem("RX_HEIGHT_M") == "30"' placed.tif
  for crs in EPSG:99999999 EPSG:4326 nonsense; do
    rcity scene import two.res --crs $crs -o absent.rcity
    expect_error 2 "the CRS '$crs'" "EPSG:32632"
    expect_no_file absent.rcity
  done
  rcity "${basic[@]}" --area 50,10,100,60 --cell 5 --line-of-sight exact -o part.tif
  expect_ok
  expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 2' 'd.RasterXSize == 10' \
    'd.GetGeoTransform()[0] == 50.0' 'd.GetRasterBand(2).GetDescription() == "line_of_sight"' part.tif
  if find_opencl; then
    rcity "${basic[@]}" --device host --cell 1 --rx-height 1.5,25 --quiet -o host.tif
    expect_ok
    rcity "${basic[@]}" --device "$opencl" --cell 1 --rx-height 1.5,25 --quiet -o device.tif
    expect_ok
    expect_success_of "$python" "$here/check_map.py" same host.tif device.tif 0.05
  else
    skip "host against OpenCL: no usable OpenCL device"
  fi
else
  rcity "${basic[@]}" --quiet -o absent.tif
  expect_error 7 "GDAL"
  expect_no_file absent.tif
fi
if [[ $with_cairo -eq 1 ]]; then
  rcity "${basic[@]}" --png map.png --png-width 600 --tx-name Tower
  expect_ok
  expect_stdout map.png
  rcity "${basic[@]}" --png again.png --png-width 600 --tx-name Tower --threads 1
  expect_same map.png again.png
else
  rcity "${basic[@]}" --quiet --png absent.png
  expect_error 7 "Cairo"
  expect_no_file absent.png
fi

# Several heights give several bands; a dry run says what it would take and writes nothing.
rcity "${basic[@]}" --json --rx-height 1.5,10,45
expect_json 'len(d["bands"]) == 3' '[b["rx_height_m"] for b in d["bands"]] == [1.5, 10, 45]' \
  'd["bands"][2]["values"] == 40 * 24'
rcity "${basic[@]}" --dry-run
expect_ok
expect_stdout "would predict 960 receivers" "MB"
dry=()
[[ $with_gdal -eq 0 ]] || dry=(-o dry.tif)
rcity "${basic[@]}" --dry-run --json --rx-height 1.5,10 "${dry[@]}"
expect_ok
expect_json 'd["method"] == "free-space"' 'd["columns"] == 40' 'd["rows"] == 24' 'd["receivers"] == 1920' \
  'd["memory_bytes"] > 1920 * 4' 'd["seconds"] >= 0'
expect_no_file dry.tif

# Transmitters: outside, inside a building below its roof, on the roof, in the ground.
asked=(--json)
[[ $with_gdal -eq 0 ]] || asked=(-o absent.tif)
refused() { # status, words, -- arguments that differ
  local expected=$1 words=()
  shift
  while [[ "$1" != -- ]]; do
    words+=("$1")
    shift
  done
  rcity "${basic[@]}" "${asked[@]}" "${@:2}"
  expect_error "$expected" "${words[@]}"
  expect_no_file absent.tif
  rm -f absent.tif
}
refused 2 "(50000, 50)" "outside the scene" "(200.00, 120.00)" -- --tx 50000,50,25
refused 2 "(30.00, 20.00)" "19.00 m above ground" "inside building 1" "20.00 m" "raise or move" -- --tx 30,20,19
refused 2 "(90.00, 50.00)" "ground" "raise it" -- --tx 90,50,0
refused 2 "(90.00, 50.00)" "ground" "raise it" -- --tx 90,50,-4
rcity "${basic[@]}" --tx 30,20,20 --json
expect_ok
rcity "${basic[@]}" --tx 30,20,20.5 --json
expect_ok

# Requests out of range.
refused 2 "there is no method 'ray-magic'" "free-space" -- --method ray-magic
refused 2 "--line-of-sight is 'maybe'" "ignore|exact" -- --line-of-sight maybe
refused 2 "the frequency is 0.5 MHz" "must be 1 to" -- --frequency-mhz 0.5
refused 2 "the frequency is 2000000 MHz" -- --frequency-mhz 2e6
refused 2 "the frequency is -900 MHz" -- --frequency-mhz -900
refused 2 "the cell is 0 m" -- --cell 0
refused 2 "the cell is -5 m" -- --cell -5
refused 2 "the cell is 0.001 m, must be 0.01 to" -- --cell 0.001
refused 2 "the receiver height is -1 m" -- --rx-height -1
refused 2 "the receiver height is 3000 m" -- --rx-height 1.5,3000
refused 2 "receiver area" "is empty" -- --area 10,10,10,50
refused 2 "receiver area" "is empty" "lower-left corner first" -- --area 60,60,10,10
refused 2 "receiver area" "beyond the scene" "(200.0, 120.0)" -- --area 5000,5000,6000,6000
refused 2 "device is 'cuda'" "radiocity devices" -- --device cuda
refused 6 "opencl:99" "radiocity devices" -- --device opencl:99
refused 4 "missing.rcity" "No such file" -- --scene missing.rcity
if [[ $with_gdal -eq 1 && $with_cairo -eq 1 ]]; then
  refused 2 "absent.tif" -- --png absent.tif
  refused 2 "absent.tif" ".png" -- --png ./absent.tif
  refused 2 "absent.jpg" ".tif" -- -o absent.jpg
  refused 4 "cannot write 'missing/map.png'" "folder does not exist" -- --png missing/map.png
  refused 2 "--png-width is 300" "400 to 8000" -- --png wide.png --png-width 300
  long_name=$(printf 'a%.0s' {1..252})
  refused 4 "File name too long" "shorter name" -- -o "$long_name.tif"
  # A link is followed: what it leads to is replaced, with the mode it had.
  echo "old" > private.tif
  chmod 600 private.tif
  ln -s private.tif link.tif
  rcity "${basic[@]}" --quiet -o link.tif
  expect_ok
  if [[ -L link.tif && $(stat -c %a private.tif) == 600 && $(head -c 2 private.tif) == II ]]; then
    pass
  else
    fail "expected the file behind the link replaced, its mode kept"
  fi
  ln -s nowhere/at-all.tif lost.tif
  refused 4 "'lost.tif'" "leads nowhere" -- -o lost.tif
  # The input is not an output.
  cp two.rcity input.rcity
  refused 2 "input.rcity" -- --scene input.rcity -o input.rcity
  refused 2 "input.rcity" -- --scene input.rcity --png ./input.rcity
  expect_same two.rcity input.rcity
fi

# More receivers than any machine holds, and more than --memory allows.
{ res_box 0 0 20 20 10 1 && res_box 9980 9980 10000 10000 10 2; } > wide.res
refused 3 "1e+12 receivers needs" "the limit is" "--cell" "--memory" -- --scene wide.res --tx 5000,5000,30 --cell 0.01
rcity predict --method free-space --scene wide.res --tx 5000,5000,30 --frequency-mhz 900 --cell 0.01 --dry-run --json
expect_ok
expect_json 'd["receivers"] == 10**12' 'd["memory_bytes"] > 4e12'
refused 3 "receivers needs" "the limit is 1.0 MB" "--memory" -- --cell 0.5 --memory 1MB
refused 3 "the limit is 1.0 kB" "--memory" -- --memory 1kB

# With just enough memory for the map nothing goes missing without a word.
rcity "${basic[@]}" --json --cell 1
cp "$output" enough.json
for kilobytes in 400 500 600 700 800; do
  rcity "${basic[@]}" --json --cell 1 --memory ${kilobytes}kB --quiet
  if [[ $status -eq 3 ]]; then expect_error 3 "the limit is"; else expect_same "$output" enough.json; fi
done
if [[ $with_gdal -eq 1 ]]; then
  rcity "${basic[@]}" --cell 2 -o enough.tif
  for kilobytes in 100 200 400 800 1200 1600; do
    rcity "${basic[@]}" --cell 2 --memory ${kilobytes}kB --quiet -o tight.tif
    if [[ $status -eq 3 ]]; then
      expect_error 3 "the limit is"
      expect_no_file tight.tif
    else
      expect_same tight.tif enough.tif
    fi
    rm -f tight.tif
  done
fi

# Asked to stop, by a user or a batch system: status 9, nothing left behind, the old file still there.
if [[ $with_gdal -eq 1 ]]; then
  rcity scene make --kind core --area-km2 4 --seed 2 -o large.rcity --quiet
  expect_ok
  for name in INT TERM HUP; do
    echo "old" > stopped.tif
    last="predict stopped by SIG$name"
    python3 "$(dirname "${BASH_SOURCE[0]}")/send_signal.py" "$name" "$RADIOCITY" predict --overwrite --method free-space --scene "$work/large.rcity" \
      --tx 1000,1000,200 --frequency-mhz 2000 --quiet --line-of-sight exact --cell 1 -o "$work/stopped.tif" \
      > "$output" 2> "$errors"
    status=$?
    expect_error 9 "stopped at"
    if [[ $(cat stopped.tif) == old ]]; then pass; else fail "expected the old stopped.tif"; fi
    expect_no_leftover "$work"
  done
fi

# A disk that is full: one line, nothing left behind, the old file still there.
full_disk() { # how, file to write, command...
  local how=$1 file=$2
  shift 2
  echo "old" > "$file"
  last="$how: $*"
  "$how" "$@" > "$output" 2> "$errors"
  status=$?
  expect_error 4 "'$file'" "nothing was left behind"
  if [[ $(cat "$file") == old ]]; then pass; else fail "expected the old $file"; fi
  expect_no_leftover "$work"
  rm -f "$file"
}
# shellcheck disable=SC2317 # called through full_disk
limited() { # no file over 1 kB
  ( trap '' XFSZ && ulimit -f 1 && exec "$@" )
}
if [[ "${RADIOCITY_SANITIZE:-}" == *thread* ]]; then
  skip "file size limits: the thread sanitizer keeps its own memory in files"
  finish
fi
if [[ $with_gdal -eq 1 ]]; then
  full_disk limited full.tif "$RADIOCITY" "${basic[@]}" --overwrite --cell 1 --quiet -o full.tif
fi
if [[ $with_cairo -eq 1 ]]; then
  full_disk limited full.png "$RADIOCITY" "${basic[@]}" --overwrite --cell 5 --quiet --png full.png
fi
full_disk limited full.rcity "$RADIOCITY" scene import two.res --overwrite --quiet -o full.rcity
# The picture that fails takes nothing with it that was there before.
if [[ $with_gdal -eq 1 && $with_cairo -eq 1 ]]; then
  echo "old" > both.tif
  last="limited to 16 kB: map fits, picture does not"
  ( trap '' XFSZ && ulimit -f 16 && exec "$RADIOCITY" "${basic[@]}" --overwrite --quiet -o both.tif --png both.png ) > "$output" 2> "$errors"
  status=$?
  expect_error 4 "'both.png'"
  expect_no_file both.png
  if [[ $(cat both.tif 2> /dev/null) == old ]]; then pass; else fail "expected the old both.tif: both outputs or none"; fi
  expect_no_leftover "$work"
fi
# The same on a real file system of 64 kB, where this machine lets us mount one.
mkdir disk
if unshare -rm mount -t tmpfs -o size=64k none disk 2> /dev/null; then
  # shellcheck disable=SC2016 # expands in the shell below
  run unshare -rm bash -c '
    mount -t tmpfs -o size=64k none disk || exit 99
    echo old > disk/full.rcity
    "$1" scene make --area-km2 0.2 --overwrite --quiet -o disk/full.rcity
    status=$?
    [[ $(cat disk/full.rcity) == old ]] && [[ $(find disk -type f | wc -l) -eq 1 ]] || exit 98
    exit $status' - "$RADIOCITY"
  expect_error 4 "disk/full.rcity" "No space left on device"
else
  skip "full tmpfs: this machine does not let us mount one"
fi
expect_no_leftover "$work"
finish
