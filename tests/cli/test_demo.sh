#!/usr/bin/env bash
# The demo: everything it promises is there, and there again in the same bytes.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

files=(city.rcity README.txt)
[[ $with_gdal -eq 0 ]] || files+=(map.tif)
[[ $with_cairo -eq 0 ]] || files+=(map.png)
picture=README.txt
[[ $with_cairo -eq 0 ]] || picture=map.png

rcity demo --folder first --device host
expect_ok
if [[ $(tail -n 1 "$output") == first/$picture ]]; then pass; else fail "expected the path of the picture last"; fi
for file in "${files[@]}"; do
  expect_file "first/$file"
done
if [[ $(find first -type f | wc -l) -eq ${#files[@]} ]]; then pass; else fail "expected no other file, found $(ls -A first)"; fi
run cat first/README.txt
expect_stdout "What was done" "What to try next" "radiocity predict --scene city.rcity" "MHz" "dB"
rcity scene info first/city.rcity --json
expect_ok
expect_json 'd["buildings"] > 100'
# What the text tells people to try works as it stands.
grep -E '^  radiocity (scene info|devices)' first/README.txt > tries.txt
if [[ -s tries.txt ]]; then pass; else fail "expected commands to try"; fi
while read -r _ words; do
  # shellcheck disable=SC2086 # words of a command line
  run env -C first "$RADIOCITY" $words
  expect_ok
done < tries.txt
if [[ $with_gdal -eq 1 ]]; then
  expect_success_of "$python" -m osgeo_utils.samples.validate_cloud_optimized_geotiff first/map.tif
  expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 5' \
    'd.GetRasterBand(2).GetDescription() == "line_of_sight"' 'b.GetUnitType() == "dB"' first/map.tif
fi

# A second time, over the first and elsewhere, with another number of threads.
cp -r first kept
rcity demo --folder first --device host --threads 1 --quiet
expect_ok
expect_silent_stderr
rcity demo --folder second --device host --threads 2 --quiet
expect_ok
for file in "${files[@]}"; do
  expect_same "kept/$file" "first/$file"
  expect_same "kept/$file" "second/$file"
done

# Folders that cannot be.
echo "a file" > taken
rcity demo --folder taken
expect_error 4 "taken"
rcity demo --folder missing/inside
expect_error 4 "cannot make the folder 'missing/inside'" "--folder"
rcity demo --folder /dev/null/x
expect_error 4 "/dev/null/x"
rcity demo --folder third --device opencl:99 --quiet
expect_error 6 "opencl:99"
expect_no_leftover "$work"
finish
