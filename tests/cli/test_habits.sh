#!/usr/bin/env bash
# What planners do: columns named their way, values in another unit, options that have no effect.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

rcity scene make --kind core --area-km2 0.1 --seed 5 -o city.rcity --quiet
expect_ok
basic=(predict --scene city.rcity --method free-space --cell 20 --quiet)

# Names and units of columns: the same map as under our own names.
printf 'site,x,y,height_m,frequency_mhz,eirp_dbm,mechanical_tilt_deg,antenna\nA,150,140,30.48,1800,60,3,3gpp\n' > ours.csv
printf 'Site Name,X (m),Y (m),Height (ft),Freq [GHz],EIRP (W),Mech. tilt (deg),Antenna type,Owner\nA,150,140,100,1.8,1000,3,3gpp,me\n' > theirs.csv
for list in ours theirs; do
  rcity "${basic[@]}" --sites $list.csv -o $list.tif
  expect_ok
done
expect_same ours.tif theirs.tif
sed 's/Height (ft)/Hoehe/' theirs.csv > unknown.csv
rcity "${basic[@]}" --sites unknown.csv -o absent.tif
expect_error 5 "unknown.csv': 1 column is not understood: Hoehe; rename it as the guide has it (sites), remove it, or go on with --accept-unusual"
expect_no_file absent.tif
rcity "${basic[@]}" --sites unknown.csv -o absent.tif --accept-unusual
expect_error 2 "unknown.csv' line 2: 'A' has no height; fill the column height_m, or give --sites-height-m for all"
rcity "${basic[@]}" --sites unknown.csv --accept-unusual --sites-height-m 30.48 -o given.tif
expect_ok
expect_same ours.tif given.tif
printf 'x,y,rx_height (ft)\n150,120,10\n' > feet.csv
rcity "${basic[@]}" --sites ours.csv --points feet.csv -o feet_levels.csv
expect_ok
if grep -q ',3.048,' feet_levels.csv; then pass; else fail "expected a height of 3.048 m"; fi
printf 'x,y,height_yd\n150,120,10\n' > yards.csv
rcity "${basic[@]}" --sites ours.csv --points yards.csv -o absent.csv
expect_error 5 "1 column of heights is not understood: height_yd"
# a table of our own comes back without a word about its levels
rcity predict --scene city.rcity --method free-space --sites ours.csv --points feet_levels.csv -o again.csv
expect_ok
if grep -q 'not used' "$errors"; then fail "expected no warning of unused columns"; else pass; fi
expect_same feet_levels.csv again.csv

# Values that are allowed and look like mistakes stop a run, and are warnings on request.
one=(predict --scene city.rcity --method free-space --cell 20 --tx "150,140,30")
unusual() { # WORDS -- OPTIONS
  local complaint=$1
  shift 2
  rcity "${one[@]}" "$@" -o absent.tif
  expect_error 2 "$complaint" "--accept-unusual"
  expect_no_file absent.tif
  rcity "${one[@]}" "$@" --accept-unusual -o unusual.tif
  expect_ok
  if grep -qF "radiocity: warning: $complaint" "$errors"; then pass; else fail "expected the warning $complaint"; fi
}
panel=$here/../../examples/data/panel_1800.msi
unusual "the frequency of 'Tx' is 3.5 MHz; if 3.5 GHz is meant, that is 3500 MHz" -- --frequency-mhz 3.5
unusual "the frequency of 'Tx' is 900000 MHz; if 900000 kHz is meant, that is 900 MHz" -- --frequency-mhz 900000
unusual "'Tx' radiates 106 dBm EIRP, which are 39.8 MW" -- --frequency-mhz 900 --eirp-dbm 106
unusual "the antenna 'Example panel 65 degrees, 4 degrees down' was measured at 1800 MHz and 'Tx' sends at 3500 MHz" -- \
  --frequency-mhz 3500 --antenna "$panel"
unusual "the azimuth of 'Tx' is without effect, since its antenna is isotropic" -- --frequency-mhz 900 --azimuth-deg 90
unusual "the tilt of 'Tx' is without effect, since its antenna is isotropic" -- --frequency-mhz 900 --tilt-deg 3
unusual "the azimuth of 'Tx' is without effect, since its antenna is an upright dipole" -- --frequency-mhz 900 --antenna dipole \
  --azimuth-deg 90
rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 46000 -o absent.tif
expect_error 2 "--eirp-dbm is 46000, must be -100 to 120 dBm; 46000 mW are 46.63 dBm"
for good in "--frequency-mhz 2100 --antenna $panel --azimuth-deg 90" "--frequency-mhz 900 --azimuth-deg 360" \
  "--frequency-mhz 900 --antenna dipole --azimuth-deg 90 --tilt-deg 2" "--frequency-mhz 30 --eirp-dbm 92"; do
  # shellcheck disable=SC2086
  rcity "${one[@]}" $good -o unusual.tif --quiet
  expect_ok
  expect_silent_stderr
done
# in lists, for links and for paths too
printf 'site,x,y,height_m,frequency_mhz,azimuth\nA,150,140,30,1800,90\n' > round.csv
rcity "${basic[@]}" --sites round.csv --eirp-dbm 50 -o absent.tif
expect_error 2 "the azimuth of 'A' is without effect"
rcity rays --scene city.rcity --tx 150,140,30 --rx 150,100,1.5 --frequency-mhz 3.5
expect_error 2 "the frequency of 'Tx' is 3.5 MHz"
rcity profile --scene city.rcity --from 150,140,30 --to 150,100,1.5 --frequency-mhz 3.5
expect_error 2 "the frequency of 'Tx' is 3.5 MHz"

# Files that exist are not replaced unasked, whatever the command; nor is an option that comes again silently the last.
as_given=1
printf 'x,y\n150,120\n' > route.csv
rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 -o kept.tif --quiet
expect_ok
expect_file kept.tif
taken() { # FILE -- COMMAND
  local file=$1 before
  shift 2
  [[ -e "$file" ]] || echo "mine" > "$file"
  before=$(sha256sum "$file")
  rcity "$@"
  expect_error 4 "'$file' exists; replace it with --overwrite, or choose another name"
  if [[ $(sha256sum "$file") == "$before" ]]; then pass; else fail "expected $file as it was"; fi
}
taken kept.tif -- "${one[@]}" --frequency-mhz 900 -o kept.tif
mv kept.tif moved.tif
taken kept.qml -- "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 -o kept.tif
expect_no_file kept.tif
taken city.rcity -- scene make --kind core --area-km2 0.1 -o city.rcity
taken sites.geojson -- "${basic[@]}" --sites ours.csv --sites-geojson sites.geojson
taken levels.csv -- "${basic[@]}" --sites ours.csv --points route.csv -o levels.csv
taken paths.csv -- rays --scene city.rcity --tx 150,140,30 --rx 150,120,1.5 --frequency-mhz 900 -o paths.csv
taken link.csv -- profile --scene city.rcity --from 150,140,30 --to 150,120,1.5 --frequency-mhz 900 --csv link.csv
mkdir -p sectors
taken sectors/A.tif -- "${basic[@]}" --sites ours.csv --sector-maps sectors
if [[ $with_cairo -eq 1 ]]; then
  taken city.png -- scene draw city.rcity -o city.png
  taken antenna.png -- antenna draw 3gpp -o antenna.png
  taken second.png -- "${one[@]}" --frequency-mhz 900 --png first.png --png second.png
  expect_no_file first.png
fi
rcity "${one[@]}" --frequency-mhz 900 -o kept.tif --overwrite --quiet
expect_ok
for twice in "--cell 10" "--tx 1,2,3" "--method hata" "--scene other.rcity"; do
  # shellcheck disable=SC2086
  rcity "${one[@]}" --frequency-mhz 900 $twice -o absent.tif
  expect_error 2 "${twice%% *} is given twice; give it once"
done
rcity "${one[@]}" --frequency-mhz 900 --line-of-sight exact --line-of-sight ignore -o absent.tif
expect_error 2 "--line-of-sight is given twice"
rcity "${one[@]}" --frequency-mhz 900 --line-of-sight --quiet
expect_error 2 "--line-of-sight needs a value"

# Several pictures of one run, each with its band.
if [[ $with_cairo -eq 1 ]]; then
  rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 --png power.png --png loss.png --png-band received_power --png-band path_loss --quiet
  expect_ok
  rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 --png alone.png --png-band path_loss --quiet
  expect_ok
  expect_same loss.png alone.png
  expect_different loss.png power.png
  rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 --png a.png --png b.png --png-band path_loss
  expect_error 2 "there are 2 --png and one --png-band"
  rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 --png a.png --png a.png
  expect_error 2 "--png names 'a.png' twice"
  rcity "${one[@]}" --frequency-mhz 900 --eirp-dbm 50 --png a.png --png b.png --png-band path_loss --png-band snow --quiet
  expect_error 2 "has no band 'snow'"
  expect_no_file a.png
fi
unset as_given

# Where on Earth: in degrees and in words a person can check; x and y swapped.
if [[ $with_gdal -eq 1 ]]; then
  rcity scene make --kind core --area-km2 0.1 --seed 5 --crs EPSG:26912 --origin 424800,4514000 -o utah.rcity --quiet
  expect_ok
  rcity scene info utah.rcity
  expect_stdout "corners         longitude -111.89" "latitude 40.77" "place           in or beside Salt Lake City, United States"
  rcity scene info utah.rcity --json
  expect_json '-111.9 < d["west_deg"] < d["east_deg"] < -111.88' '40.77 < d["south_deg"] < d["north_deg"] < 40.78' \
    '"Salt Lake City" in d["place"]'
  for place in "691000,5334000 EPSG:32632 Munich, Germany" "334000,6250000 EPSG:32756 Sydney, Australia" \
    "500000,6700000 EPSG:32632 of Oslo, Norway" "500000,4000000 EPSG:32601 more than 600 km from any large city"; do
    read -r origin crs words <<< "$place"
    rcity scene make --kind core --area-km2 0.1 --seed 5 --crs "$crs" --origin "$origin" -o there.rcity --quiet
    expect_ok
    rcity scene info there.rcity
    expect_stdout "$words"
  done
  rcity scene export utah.rcity -o utah.gpkg --quiet
  rcity scene import utah.gpkg -o again.rcity
  expect_ok
  expect_stdout "longitude -111.89" "in or beside Salt Lake City"
  rcity predict --scene utah.rcity --method free-space --tx 4514100,424900,30 --frequency-mhz 900 -o absent.tif
  expect_error 2 "with the two numbers swapped it lies in the scene: x, to the east, comes first"
  printf 'x,y\n4514100,424900\n' > swapped.csv
  rcity predict --scene utah.rcity --method free-space --tx 424900,4514100,30 --frequency-mhz 900 --points swapped.csv -o far.csv
  if grep -q "with x and y swapped they would lie in the scene" "$errors"; then pass; else fail "expected words about x and y"; fi
fi
# Points: sight, the first obstacle, the reason for an empty cell; as CSV and as vectors with the same values.
cat > wall.res << 'END'
END
{ res_box 100 0 110 100 20 1; res_box 300 0 310 10 20 2; } > wall.res
rcity scene import wall.res -o wall.rcity --quiet
expect_ok
printf 'name,x,y,height_m\nfree,90,50,1.5\nbehind,120,50,1.5\nindoors,105,50,1.5\nroof,105,50,25\n' > four.csv
rcity predict --scene wall.rcity --method free-space --line-of-sight exact --tx 50,50,10 --frequency-mhz 900 --eirp-dbm 30 --points four.csv \
  -o four_levels.csv --quiet
expect_ok
expect_success_of "$python" - << 'END'
import csv
rows = {row["name"]: row for row in csv.DictReader(open("four_levels.csv"))}
found = {name: (row["line_of_sight"], row["obstacle"], row["reason"], row["path_loss_db"] != "") for name, row in rows.items()}
assert found == {"free": ("1", "", "", True), "behind": ("0", "wall", "no path", False),
                 "indoors": ("0", "wall", "in building", False), "roof": ("1", "", "", True)}, found
END
if [[ $with_gdal -eq 1 ]]; then
  for ending in gpkg geojson; do
    rcity predict --scene wall.rcity --method free-space --line-of-sight exact --tx 50,50,10 --frequency-mhz 900 --eirp-dbm 30 \
      --points four.csv -o four_levels.$ending --quiet
    expect_ok
    expect_success_of "$python" - four_levels.$ending << 'END'
import csv, sys
from osgeo import ogr
ogr.UseExceptions()
data = ogr.Open(sys.argv[1])
layer = data.GetLayer(0)
rows = list(csv.DictReader(open("four_levels.csv")))
assert layer.GetFeatureCount() == len(rows) == 4
for row, feature in zip(rows, layer):
    for name in ("name", "obstacle", "reason"):
        assert (feature.GetField(name) or "") == row[name], (name, row)
    for name in ("height_m", "path_loss_db", "received_power_dbm", "line_of_sight"):
        value = feature.GetField(name)
        assert (value is None) == (row[name] == "") and (value is None or abs(value - float(row[name])) < 0.001), (name, row)
    assert abs(feature.geometry().GetX() - float(row["x"])) < 0.001
END
  done
  rcity predict --scene wall.rcity --method free-space --tx 50,50,10 --frequency-mhz 900 --points four_levels.gpkg -o back.csv --quiet
  expect_ok
fi
# Levels in buildings: the shares outdoors are those of a map without them, height by height, and those indoors stand apart.
levels=(predict --scene city.rcity --tx "150,140,30" --frequency-mhz 1800 --eirp-dbm 40 --cell 5 --rx-height "1.5,10" --quiet --fade-db 6
  --thresholds "-80,-60")
rcity "${levels[@]}" --json
expect_ok
cp "$output" outdoors.json
rcity "${levels[@]}" --indoor walls --json
expect_ok
cp "$output" both.json
expect_success_of "$python" - << 'END'
import json
outdoors, both = (json.load(open(name))["coverage"] for name in ("outdoors.json", "both.json"))
assert len(outdoors) == len(both) == 4
for a, b in zip(outdoors, both):
    assert "indoor" not in a and b["indoor"]["receiver_km2"] > 0.01, b
    for key in ("threshold_dbm", "rx_height_m", "receiver_km2", "covered_km2", "covered_percent", "fading_percent"):
        assert abs(a[key] - b[key]) < 1e-3 * max(1.0, abs(a[key])), (key, a, b)
    assert b["indoor"]["covered_percent"] < a["covered_percent"] and b["indoor"]["fading_percent"] < a["fading_percent"], b
assert both[0]["indoor"]["receiver_km2"] >= both[2]["indoor"]["receiver_km2"] # fewer roofs are above 10 m
END
rcity "${levels[@]}" --indoor walls
expect_stdout "coverage at 1.5 m, of" "km2 outdoors" "km2 indoors" "coverage at 10 m"
rcity scene info city.rcity
if grep -q '^place' "$output"; then fail "expected no place of a scene without CRS"; else pass; fi
finish
