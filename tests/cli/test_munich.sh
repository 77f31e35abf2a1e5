#!/usr/bin/env bash
# Munich, the COST 231 data: what the import finds, and a map of it held against the formula.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
list=${RADIOCITY_DATA:-}/munich_cost231/Munich_buildings.res
[[ -r "$list" ]] || skip_all "no munich_cost231/Munich_buildings.res (set RADIOCITY_DATA to the folder of the real data)"
cd "$work" || exit 1

rcity scene import "$list" -o munich.rcity
expect_ok
expect_stdout "2088 buildings, 17445 walls"
rcity scene info munich.rcity --json
expect_ok
expect_json 'd["buildings"] == 2088' 'd["walls"] == 17445' 'abs(d["outer_walls"] - 16262) <= 100' \
  'd["height_median_m"] == 18' 'd["source"] == "Munich_buildings.res"' 'd["repairs"]["dropped_buildings"] == 0'
rcity scene import "$list" --threads 1 -o again.rcity
expect_same munich.rcity again.rcity
if [[ $with_cairo -eq 1 ]]; then
  rcity scene draw munich.rcity -o munich.png
  expect_ok
  expect_file munich.png
fi

predict=(predict --scene munich.rcity --tx "1281.36,1381.27,13" --frequency-mhz 947 --method free-space --cell 5
  --rx-height 1.5)
rcity "${predict[@]}" --json --quiet --device host
expect_ok
expect_json 'd["bands"][0]["values"] > 100000' '40 < d["bands"][0]["minimum"] < d["bands"][0]["maximum"] < 110'
if [[ $with_gdal -eq 1 ]]; then
  outputs=(-o map.tif)
  [[ $with_cairo -eq 0 ]] || outputs+=(--png map.png)
  rcity "${predict[@]}" --threads 2 --device host "${outputs[@]}"
  expect_ok
  expect_file map.tif
  [[ $with_cairo -eq 0 ]] || expect_file map.png
  run gdalinfo map.tif
  expect_status 0
  expect_stdout "LAYOUT=COG" "Unit Type: dB" "path_loss" "NoData Value=nan"
  expect_success_of "$python" -m osgeo_utils.samples.validate_cloud_optimized_geotiff map.tif
  expect_success_of "$python" "$here/check_map.py" formula map.tif 1281.36 1381.27 13 947e6 "${RADIOCITY_SEED:-$RANDOM}"
  rcity "${predict[@]}" --threads 1 --device host "${outputs[@]//map/one}"
  expect_ok
  expect_same map.tif one.tif
  [[ $with_cairo -eq 0 ]] || expect_same map.png one.png
  rcity "${predict[@]}" --threads 2 --device host -o second.tif
  expect_same map.tif second.tif
  if find_opencl; then
    rcity "${predict[@]}" --device "$opencl" -o device.tif
    expect_ok
    expect_success_of "$python" "$here/check_map.py" same map.tif device.tif 0.05
  else
    skip "host against OpenCL: no usable OpenCL device"
  fi
fi
expect_no_leftover "$work"
finish
