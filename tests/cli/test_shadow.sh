#!/usr/bin/env bash
# The method shadow from the command line: bands, thread counts, devices, indoor levels, points, sectors, bad input.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
[[ $with_gdal -eq 1 ]] || skip_all "maps need GDAL"

rcity scene make --kind core --area-km2 0.3 --seed 5 -o city.rcity
expect_ok
basic=(predict --scene city.rcity --tx "150,400,45" --frequency-mhz 1800 --eirp-dbm 58 --antenna 3gpp --azimuth-deg 120 --cell 5)

# The default, its bands, and how it was made.
rcity "${basic[@]}" -o map.tif --device host --threads 2
expect_ok
expect_stdout "shadow at 1800 MHz" "path_loss at 1.5 m" "line_of_sight" "mechanism" "deflections" "received_power"
expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 5' 'd.GetMetadataItem("RADIOCITY_METHOD") == "shadow"' \
  'd.GetMetadataItem("RADIOCITY_MAX_CORNERS") == "2"' 'd.GetRasterBand(3).GetDescription() == "mechanism"' map.tif

# The same bytes with one and three threads, the same levels on every device.
for threads in 1 3; do
  rcity "${basic[@]}" -o threads.tif --device host --threads "$threads" --quiet
  expect_ok
  expect_same map.tif threads.tif
done
if find_opencl; then
  rcity "${basic[@]}" -o device.tif --device "$opencl" --quiet
  expect_ok
  expect_success_of "$python" "$here/check_map.py" same map.tif device.tif 0.05
fi

# Each mechanism by itself changes the map; indoor levels fill it.
for words in "--max-corners 0" "--over-roofs off" "--over-roofs count --law paper" "--law paper" "--through-walls off" "--through-walls count" "--sum power"; do
  # shellcheck disable=SC2086 # words of a command line
  rcity "${basic[@]}" $words -o other.tif --quiet
  expect_ok
  expect_different map.tif other.tif
done
for words in walls p2109 p2109-efficient; do
  rcity "${basic[@]}" --indoor "$words" -o indoor.tif --json --quiet
  expect_ok
  expect_json 'd["bands"][0]["values"] == d["columns"] * d["rows"]'
done

# Points are as the map; several heights.
printf 'x,y,height_m\n152.5,417.5,1.5\n302.5,302.5,1.5\n' > points.csv
rcity "${basic[@]}" --points points.csv -o levels.csv --quiet
expect_ok
expect_file levels.csv
rcity "${basic[@]}" --rx-height 1.5,10 -o heights.tif --quiet
expect_ok
expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 10' heights.tif

# Outside of what its coefficients were fitted on it says so.
for words in "28000 paper 6000" "60000 edges 30000"; do
  read -r mhz law most <<< "$words"
  rcity predict --scene city.rcity --tx 150,400,45 --frequency-mhz "$mhz" --law "$law" --cell 10 -o far.tif
  expect_ok
  if grep -q "fitted for 400 to $most MHz" "$errors"; then pass; else fail "expected a warning"; fi
  expect_success_of "$python" "$here/check_map.py" is 'd.GetMetadataItem("RADIOCITY_EXTRAPOLATED") is not None' far.tif
done
rcity predict --scene city.rcity --tx 150,400,45 --frequency-mhz 28000 --cell 10 -o near.tif
expect_ok
expect_success_of "$python" "$here/check_map.py" is 'd.GetMetadataItem("RADIOCITY_EXTRAPOLATED") is None' near.tif

# Bad input: what, and what to do.
rcity "${basic[@]}" --max-corners 1.5 -o absent.tif
expect_error 2 "--max-corners" "whole number"
rcity "${basic[@]}" --over-roofs count -o absent.tif
expect_error 2 "--over-roofs count" "--law paper"
rcity "${basic[@]}" --max-corners 9 -o absent.tif
expect_error 2 "--max-corners"
rcity "${basic[@]}" --indoor attic -o absent.tif
expect_error 2 "--indoor" "p2109"
rcity "${basic[@]}" --indoor walls --through-walls off -o absent.tif
expect_error 2 "--through-walls off"
rcity predict --scene city.rcity --tx 150,400,45 --frequency-mhz 50 --indoor p2109 -o absent.tif
expect_error 2 "P.2109" "--indoor walls"
rcity "${basic[@]}" --indoor p2109 --points points.csv -o absent.csv
expect_error 2 "--indoor walls"
rcity "${basic[@]}" --memory 1MB -o absent.tif
expect_error 3 "--memory"
expect_no_leftover "$work"
finish
