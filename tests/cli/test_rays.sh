#!/usr/bin/env bash
# Paths of single links: the table, JSON, files, the picture; receivers and requests that cannot be.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# A street between two blocks, and a tower; the scene spans (0, 0) to (200, 120).
{ res_box 0 0 60 40 20 1 && res_box 0 60 60 120 25 2 && res_box 120 60 200 120 30 3; } > town.res
rcity scene import town.res -o town.rcity
expect_ok
basic=(rays --scene town.rcity --tx "90,50,10" --frequency-mhz 2000)
receivers=(--rx "30,50,1.5" --rx "100,20,1.5" --rx "190,10,1.5" --rx "100,110,1.5")

# The table, and everything as JSON: the same for every number of threads.
rcity "${basic[@]}" "${receivers[@]}" --power-dbm 30
expect_ok
expect_stdout "images at 2000 MHz" "to 4 receivers" "transmitter Tx at x 90.00, y 50.00, z 10.00 m" \
  "receiver 1 at x 30.00, y 50.00, z 1.50 m: " "powers added" "fields added" "received" "K " "direct" "dBm"
rcity "${basic[@]}" "${receivers[@]}" --json --quiet
expect_ok
expect_silent_stderr
expect_json 'd["method"] == "images"' 'd["frequency_mhz"] == 2000' 'd["crs"] == "none"' \
  'd["transmitter_m"] == [90, 50, 10]' 'len(d["receivers"]) == 4' 'd["path_count"] >= 2' \
  'd["path_count"] == sum(len(r["paths"]) for r in d["receivers"])' \
  'd["receivers"][0]["state"] == "reached" and d["receivers"][0]["name"] is None' \
  'any(p["interactions"] == "direct" and p["events"] == [] for p in d["receivers"][0]["paths"])' \
  'd["receivers"][0]["received_power_dbm"] is None' 'len(d["scene_hash"]) == 64' '"sum" not in d'
cp "$output" all.json
for threads in 1 2; do
  rcity "${basic[@]}" "${receivers[@]}" --json --quiet --threads $threads
  expect_same "$output" all.json
done
expect_success_of "$python" "$here/check_rays.py" sums all.json
# Only as many paths as asked for; what is left out is counted.
rcity "${basic[@]}" "${receivers[@]}" --show 0
expect_ok
expect_stdout "left out; --show"
if grep -q "departs" "$output"; then fail "expected no path"; else pass; fi

# Orders come from the method's own list: without any there is only the straight line, by its closed form.
line=(--max-reflections 0 --max-diffractions 0 --over-roofs off --ground off)
rcity "${basic[@]}" --rx 30,50,1.5 --rx 190,110,1.5 "${line[@]}" --json --quiet --eirp-dbm 40 --rx-gain-dbi 2
expect_ok
expect_json 'len(d["receivers"][0]["paths"]) == 1' \
  'abs(d["receivers"][0]["paths"][0]["length_m"] - (60 ** 2 + 8.5 ** 2) ** 0.5) < 1e-6' \
  'abs(d["receivers"][0]["paths"][0]["departure_azimuth_deg"] - 270) < 1e-9' \
  'abs(d["receivers"][0]["paths"][0]["arrival_azimuth_deg"] - 90) < 1e-9' \
  'abs(d["receivers"][0]["path_loss_db"] - 20 * __import__("math").log10(12.566370614 * 60.5990924 * 2e9 / 299792458)) < 1e-6' \
  'abs(d["receivers"][0]["received_power_dbm"] - (40 + 2 - d["receivers"][0]["path_loss_db"])) < 1e-6' \
  'd["receivers"][1]["state"] == "in building"' 'd["max_reflections"] == 0' 'd["rx_gain_dbi"] == 2'
rcity "${basic[@]}" --rx 190,10,1.5 "${line[@]}" --polarization horizontal --rx-polarization horizontal --json --quiet
expect_ok
expect_json 'd["tx_polarization"] == "horizontal"' 'd["rx_polarization"] == "horizontal"' 'd["path_count"] == 1'
# Crossed polarizations receive nothing of the straight line, and no -400 dB of rounding; the path is still there.
rcity "${basic[@]}" --rx 190,10,1.5 "${line[@]}" --polarization horizontal --eirp-dbm 30 -o crossed.geojson -o crossed.csv
expect_ok
expect_stdout "1 path to 1 receiver" "no power is received" "orthogonal to that of every path; see --rx-polarization" " none     none"
if grep -q '"gain_db":null,"path_loss_db":null,"received_power_dbm":null,"phase_deg":null' crossed.geojson &&
  grep -q ',reached,1,,,,,,,,,,,,$' crossed.csv; then pass; else fail "expected no levels"; fi
rcity "${basic[@]}" --rx 190,10,1.5 "${line[@]}" --polarization horizontal --json --quiet
expect_json 'd["receivers"][0]["gain_db"] is None' 'd["receivers"][0]["paths"][0]["gain_db"] is None' \
  'd["receivers"][0]["paths"][0]["amplitude"] == [0, 0]' 'd["receivers"][0]["delay_spread_ns"] is None'

# Files: all of them, the same bytes each time, and the same numbers as on the screen.
files=(-o rays.geojson -o receivers.csv)
again=(-o again.geojson -o again.csv)
[[ $with_hdf5 -eq 0 ]] || files+=(-o paths.h5) again+=(-o again.h5)
[[ $with_cairo -eq 0 ]] || files+=(--png rays.png --png-width 700) again+=(--png again.png --png-width 700)
rcity "${basic[@]}" "${receivers[@]}" "${files[@]}"
expect_ok
expect_stdout rays.geojson receivers.csv
rcity "${basic[@]}" "${receivers[@]}" --quiet --threads 1 "${again[@]}"
expect_same rays.geojson again.geojson
expect_same receivers.csv again.csv
expect_success_of "$python" "$here/check_rays.py" table all.json receivers.csv
if [[ $with_gdal -eq 1 ]]; then
  expect_success_of "$python" "$here/check_rays.py" lines all.json rays.geojson
fi
expect_success_of "$python" "$here/check_rays.py" words all.json receivers.csv rays.geojson
if [[ $with_hdf5 -eq 1 ]]; then
  expect_same paths.h5 again.h5
  if command -v h5dump > /dev/null; then
    expect_success_of "$python" "$here/check_rays.py" tables all.json paths.h5
  else
    skip "h5dump is not installed (hdf5-tools); test_rays_hdf5 reads the files through the library"
  fi
else
  rcity "${basic[@]}" "${receivers[@]}" -o absent.h5
  expect_error 7 "HDF5" "absent.h5"
  expect_no_file absent.h5
fi
if [[ $with_cairo -eq 1 ]]; then
  expect_same rays.png again.png
  rcity "${basic[@]}" "${receivers[@]}" --quiet --png one.png --png-width 700 --png-receiver 1 --png-floor-db 30
  expect_ok
  expect_different one.png rays.png
else
  rcity "${basic[@]}" "${receivers[@]}" --png absent.png
  expect_error 7 "Cairo" "absent.png"
fi

# On Earth: longitude and latitude in, lines in longitude and latitude out.
rcity scene import town.res -o flat.rcity
if [[ $with_gdal -eq 1 ]]; then
  rcity scene make --area-km2 0.1 --seed 5 --crs EPSG:32632 --origin 691000,5334000 -o placed.rcity
  rcity rays --scene placed.rcity --tx-lonlat 11.5695,48.1315,40 --rx-lonlat 11.5702,48.1322,1.5 \
    --rx 691200,5334200,1.5 --frequency-mhz 1800 --quiet --json -o placed.geojson -o placed.csv
  expect_ok
  expect_json 'd["crs"] == "EPSG:32632"' 'len(d["receivers"]) == 2' \
    '690900 < d["receivers"][1]["position_m"][0] < 691500' 'd["receivers"][1]["position_m"][2] == 1.5' 'd["receivers"][0]["position_m"][0] == 691200'
  cp "$output" placed.json
  expect_success_of "$python" "$here/check_rays.py" lines placed.json placed.geojson
  expect_success_of "$python" "$here/check_rays.py" table placed.json placed.csv
  if head -n 1 placed.csv | grep -q "x,y,lon,lat"; then pass; else fail "expected lon and lat in the table"; fi
fi
rcity rays --scene flat.rcity --tx-lonlat 11.5,48.1,20 --rx 30,50,1.5 --frequency-mhz 900
if [[ $with_gdal -eq 1 ]]; then expect_error 2 "has no CRS"; else expect_status 7; fi

# Receivers of a file keep their names; those without a height get --rx-height.
printf 'name,x,y,height_m\nkiosk,30,50,2.5\n"corner, west",100,20,\n' > points.csv
rcity "${basic[@]}" --rx 190,10,1.5 --rx-file points.csv --rx-height 4 --json --quiet -o named.csv
expect_ok
expect_json '[r["name"] for r in d["receivers"]] == [None, "kiosk", "corner, west"]' \
  '[r["position_m"][2] for r in d["receivers"]] == [1.5, 2.5, 4]'
if grep -q '^"corner, west",' named.csv; then pass; else fail "expected the name in the table"; fi

# Receivers without paths are counted, once a reason, and the rest is done: inside a building, at the transmitter.
rcity "${basic[@]}" --rx 30,20,1.5 --rx 30,20,5 --rx 90,50,10 --rx 100,20,1.5
expect_ok
expect_stdout "in building" "near field"
if [[ $(grep -c warning "$errors") -eq 2 ]] && grep -q "2 of 4 receivers are inside a building" "$errors" &&
  grep -q "1 of 4 receivers is in the near field" "$errors"; then pass; else fail "expected two counted warnings"; fi
# Concrete is known from 1 GHz on: one warning, and a note.
rcity "${basic[@]}" --rx 100,20,1.5 --frequency-mhz 900 --json
expect_ok
expect_json '"concrete" in d["materials_extrapolated"]'
if [[ $(grep -c "warning: 900 MHz lies outside the range of" "$errors") -eq 1 ]]; then
  pass
else
  fail "expected one warning of materials"
fi

# Far outside: told, counted, and noted; the transmitter too. On one receiver the grammar holds.
rcity "${basic[@]}" --rx 100,20,1.5 --rx 900,20,1.5 --rx 4200,20,1.5 --show 0 -o outside.geojson
expect_ok
if grep -q "warning: 2 of 3 receivers lie outside the scene (the farthest is number 3 at (4200.00, 20.00), by 4000 m)" \
  "$errors" && grep -q '"receivers_outside_scene":"2"' outside.geojson; then pass; else fail "expected a counted warning"; fi
rcity "${basic[@]}" --tx 900,50,10 --rx 201,20,1.5 --show 0
if grep -q "warning: the transmitter 'Tx' at (900.00, 50.00) lies 700 m outside the scene" "$errors" &&
  grep -q "warning: the only receiver lies outside the scene (number 1 at (201.00, 20.00), by 1 m)" "$errors"; then
  pass
else
  fail "expected warnings of both ends"
fi
rcity "${basic[@]}" --rx 30,20,1.5
if grep -q "warning: the only receiver is inside a building" "$errors"; then pass; else fail "expected good grammar"; fi

# A dry run writes nothing.
rcity "${basic[@]}" "${receivers[@]}" --dry-run -o dry.geojson
expect_ok
expect_stdout "would look for paths to 4 receivers by images" "MB"
rcity "${basic[@]}" "${receivers[@]}" --dry-run --json
expect_json 'd["receivers"] == 4' 'd["memory_bytes"] > 0' 'd["fits_memory"]'
expect_no_file dry.geojson

# Requests that cannot be met: one line, nothing written.
refused() { # status, words, -- arguments that differ
  local expected=$1 words=()
  shift
  while [[ "$1" != -- ]]; do
    words+=("$1")
    shift
  done
  rcity "${basic[@]}" -o absent.csv --quiet "${@:2}"
  expect_error "$expected" "${words[@]}"
  expect_no_file absent.csv
}
good=(--rx "100,20,1.5")
refused 2 "there is no receiver" "--rx" "--rx-file" --
refused 2 "--rx takes three numbers" "'10,20'" -- --rx 10,20
refused 2 "--rx-height is for receivers of --rx-file" -- "${good[@]}" --rx-height 4
refused 2 "--png-floor-db is of a picture" "--png FILE" -- "${good[@]}" --png-floor-db 20
refused 2 "--png-receiver is of a picture" -- "${good[@]}" --png-receiver 1
printf 'a,b\n1,2\n' > wrong.csv
refused 5 "'wrong.csv' has neither columns x and y nor lon and lat" "has: a, b" -- --rx-file wrong.csv
printf 'x,y\n100,5,20,5\n' > wrong.csv
refused 5 "'wrong.csv' line 2 has 4 values" "decimal comma" "semicolons" -- --rx-file wrong.csv
refused 2 "receiver 1 is" "0 to 2000 m above ground" -- --rx 100,20,-1
refused 2 "receiver 1 at (900000.00, 20.00) lies far outside" -- --rx 900000,20,1.5
refused 4 "nowhere.csv" -- --rx-file nowhere.csv
refused 2 "inside building 1" -- "${good[@]}" --tx 30,20,10
refused 2 "give one of --tx and --tx-lonlat" -- "${good[@]}" --tx-lonlat 11,48,20
refused 2 "--max-reflections is '9'" "0 to 6" -- "${good[@]}" --max-reflections 9
refused 2 "--max-diffractions is 0.5" "whole number" -- "${good[@]}" --max-diffractions 0.5
refused 2 "--over-roofs is 'maybe'" "on|off" -- "${good[@]}" --over-roofs maybe
refused 2 "--polarization is 'round'" "slant" -- "${good[@]}" --polarization round
refused 2 "unknown option --max-reflectoins" "did you mean --max-reflections?" -- "${good[@]}" --max-reflectoins 1
refused 2 "unknown option --line-of-sight" -- "${good[@]}" --line-of-sight exact
refused 2 "unknown option --sum" -- "${good[@]}" --sum coherent
refused 2 "the frequency is 0.2 MHz" -- "${good[@]}" --frequency-mhz 0.2
refused 2 "give one of --eirp-dbm" -- "${good[@]}" --eirp-dbm 30 --power-w 2
refused 2 "'rays.txt' ends in none of .geojson" -- "${good[@]}" -o rays.txt
refused 2 "'absent.csv' is named twice" -- "${good[@]}" -o absent.csv
refused 4 "cannot write 'missing/rays.csv'" "folder does not exist" -- "${good[@]}" -o missing/rays.csv
refused 4 "missing.rcity" -- "${good[@]}" --scene missing.rcity
refused 4 "pattern.msi" -- "${good[@]}" --antenna pattern.msi
if [[ $with_cairo -eq 1 ]]; then
  refused 2 "--png-receiver is 2, and there is 1 receiver" -- "${good[@]}" --png absent.png --png-receiver 2
  refused 2 "--png-width is 100" -- "${good[@]}" --png absent.png --png-width 100
  refused 2 "--png-floor-db is 0" -- "${good[@]}" --png absent.png --png-floor-db 0
  refused 2 "a picture ends in .png" -- "${good[@]}" --png absent.jpg
fi
cp points.csv input.csv
refused 2 "'input.csv' is the input" -- --rx-file input.csv -o input.csv
expect_same points.csv input.csv
rcity rays --tx 1,2,3 --rx 1,2,3 --frequency-mhz 900
expect_error 2 "the scene is missing"
rcity rays --scene town.rcity --rx 1,2,3 --frequency-mhz 900
expect_error 2 "the transmitter is missing" "in metres or --tx-lonlat"
rcity rays --scene town.rcity --tx 90,50,10 --rx 1,2,3
expect_error 2 "the frequency is missing"

# More receivers than the memory holds: said before the work.
{ echo "x,y"; yes "100,20" | head -n 60000; } > many.csv
rcity "${basic[@]}" --rx-file many.csv --memory 8MB --quiet -o absent.csv
expect_error 3 "the limit is 8.0 MB" "--memory"
expect_no_file absent.csv
# Orders that need more than it allows: which, and what to do.
rcity scene make --area-km2 0.2 --seed 3 -o dense.rcity
rcity rays --scene dense.rcity --tx 200,200,8 --rx 230,220,1.5 --frequency-mhz 2000 --max-reflections 6 --memory 10MB --quiet
expect_error 3 "--max-reflections 6, --max-diffractions 1, --max-transmissions 0 take more memory in this scene" "raise --memory"
# A file that cannot be written in the end takes the others back, old ones stay.
if [[ $with_hdf5 -eq 1 ]]; then
  echo "old" > kept.csv
  rcity "${basic[@]}" "${good[@]}" --quiet --memory 2MB -o kept.csv -o large.h5
  expect_error 3 "large.h5" "the limit is 2.0 MB"
  if [[ $(cat kept.csv) == old ]]; then pass; else fail "expected the old file back"; fi
  expect_no_file large.h5
fi
expect_no_leftover .

# The same method makes small maps and serves points.
rcity predict --scene town.rcity --tx 90,50,10 --frequency-mhz 2000 --method images --cell 20 --eirp-dbm 30 --json --quiet
expect_ok
expect_json '[b["name"] for b in d["bands"]] == ["path_loss", "delay_spread", "arrival_azimuth_spread", "k_factor",
  "received_power"]' '0 < d["bands"][0]["values"] < 60' 'd["bands"][1]["unit"] == "ns"' 'd["sum"] == "grouped"'
rcity predict --scene town.rcity --tx 90,50,10 --frequency-mhz 2000 --method images --cell 20 --scattering directive \
  --scattering-coefficient 0.3 --scattering-of reflected --scattering-near-m 30 --json --quiet
expect_ok
expect_json 'd["scattering"] == "directive"' 'd["scattering_of"] == "reflected"' '0 < d["bands"][0]["values"] < 60'
rcity predict --scene town.rcity --tx 90,50,10 --frequency-mhz 2000 --method images --cell 20 --roof-form gable --json --quiet
expect_ok
expect_json 'd["roof_form"] == "gable"' '0 < d["bands"][0]["values"] < 60'
refused 2 "roof-form" "round" "screens|flat|gable" -- "${good[@]}" --roof-form round
rcity "${basic[@]}" --rx-file points.csv --scattering lambertian
expect_ok
expect_stdout "scattered -"
refused 2 "scattering-coefficient" "1.5" -- "${good[@]}" --scattering-coefficient 1.5
rcity predict --scene town.rcity --tx 90,50,10 --frequency-mhz 2000 --method images --sum power --points points.csv \
  --quiet -o levels.csv
expect_ok
rcity "${basic[@]}" --rx-file points.csv --quiet -o same.csv
if "$python" - levels.csv same.csv << 'END'; then pass; else fail "expected the same losses"; fi
import csv, sys
levels, same = (list(csv.DictReader(open(path))) for path in sys.argv[1:])
assert len(levels) == len(same) == 2
for a, b in zip(levels, same):
    assert abs(float(a["path_loss_db"]) - float(b["path_loss_db"])) < 2e-3, (a, b)
END
# A cell at the antenna has no far field: counted. What holds for all sectors is said once, with how often it came.
rcity predict --scene town.rcity --tx 90,50,1.6 --frequency-mhz 900 --method images --cell 20 --json
expect_ok
expect_json 'd["receivers_at_transmitter"] == 1'
if grep -q "warning: 1 of 60 receivers is nearer to the transmitter at (90.00, 50.00) than a wavelength" "$errors"; then
  pass
else
  fail "expected the cell at the transmitter"
fi
printf 'site,x,y,height_m,frequency_mhz,eirp_dbm\nA,90,50,10,900,40\nB,100,20,10,900,40\nC,190,10,10,900,40\n' > sectors.csv
for target in "--cell 20 --json" "--points points.csv -o levels3.csv"; do
  # shellcheck disable=SC2086 # several words
  rcity predict --scene town.rcity --sites sectors.csv --method images --max-diffractions 0 $target
  expect_ok
  if [[ $(grep -c "warning: 900 MHz lies outside the range" "$errors") -eq 1 ]] &&
    grep -q "the warning '900 MHz lies outside the range of .*' came 3 times" "$errors"; then
    pass
  else
    fail "expected one warning of materials for three sectors"
  fi
done
rcity predict --scene town.rcity --tx 90,50,10 --frequency-mhz 2000 --method images --max-reflections 1.5 --json
expect_error 2 "--max-reflections is 1.5, must be a whole number"
finish
