#!/usr/bin/env bash
# Profiles of links: what is printed, written and drawn of a link that is worked out by hand, and what is refused.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# What is wrong with the command line is said before a scene is read.
link=(profile --scene missing.rcity --from 0,0,20 --to 1000,0,20 --frequency-mhz 2000)
rcity profile --from 0,0,20 --to 1000,0,20 --frequency-mhz 2000
expect_error 2 "the scene is missing; give --scene FILE"
rcity profile --scene missing.rcity --to 1000,0,20 --frequency-mhz 2000
expect_error 2 "an end of the link is missing; give --from X,Y,HEIGHT in metres or --from-lonlat"
rcity profile --scene missing.rcity --from 0,0 --to 1000,0,20 --frequency-mhz 2000
expect_error 2 "--from takes X,Y,HEIGHT"
rcity profile --scene missing.rcity --from 0,0,20 --to 1000,0,20
expect_error 2 "the frequency is missing"
rcity "${link[@]}" --to-lonlat 11,48,20
expect_error 2 "give one of --to and --to-lonlat"
rcity "${link[@]}" --k-factor round
expect_error 2 "--k-factor is 'round', must be a number such as 1.333, or flat"
rcity "${link[@]}" --rx-sensitivity-dbm -90
expect_error 2 "--rx-sensitivity-dbm needs a power"
rcity "${link[@]}" --title Link
expect_error 2 "--title is of a picture; give --png FILE with it"
rcity "${link[@]}" --png link.jpg
expect_error 2 "a picture ends in .png"
rcity "${link[@]}"
expect_error 4 "missing.rcity"

# A wall list with one box of 25 m across the line, as in the unit test.
cat > box.res << 'END'
490 -20 510 -20 25 1 1 0
510 -20 510 20 25 1 1 0
510 20 490 20 25 1 1 0
490 20 490 -20 25 1 1 0
END
link=(profile --scene box.res --from 0,0,20 --to 1000,0,20 --frequency-mhz 2000 --k-factor flat)
rcity "${link[@]}" --csv link.csv --eirp-dbm 40 --rx-gain-dbi 3 --rx-sensitivity-dbm -90
expect_ok
expect_stdout "transmitter  x 0.00, y 0.00, antenna at 20.00 m, 20.00 m above the ground; looks 90.00 deg" \
  "1.000 km on the map" "first Fresnel zone 6.12 m halfway; flat earth" "hidden: the worst obstacle" "building 1" "touches"
if [[ $(head -n 1 link.csv) == "distance_m,x_m,y_m,ground_m,top_m,bulge_m,line_m,fresnel_m,what,building_id" ]]; then
  pass
else
  fail "the header of link.csv"
fi
if [[ $(grep -c '^490.000,.*building,1$' link.csv) -eq 1 && $(grep -c '^490.000,.*ground,$' link.csv) -eq 1 ]]; then
  pass
else
  fail "both sides of the wall at 490 m"
fi
rcity "${link[@]}" --json
expect_ok
expect_json 'd["is_in_sight"] is False' 'd["is_clear"] is False' 'd["plan_m"] == 1000' 'd["obstacles"][0]["touches_string"]'
rcity profile --scene box.res --from 0,0,20 --to 0,0,21 --frequency-mhz 2000
expect_error 2 "the ends of the link are 0 m apart on the map"
rcity profile --scene box.res --from 500,0,20 --to 0,0,21 --frequency-mhz 2000
expect_error 2 "inside building 1"
rcity "${link[@]}" --k-factor 0.01
expect_error 2 "--k-factor"
# The losses of a link over hills, and the horizon.
rcity scene make --kind hills --area-km2 4 --seed 2 -o hills.rcity
expect_ok
rcity profile --scene hills.rcity --from 200,300,30 --to 1800,1500,5 --frequency-mhz 900 --eirp-dbm 50 --loss knife-edge --rx-sensitivity-dbm -95
expect_ok
expect_stdout "loss  free-space" "loss  deygout" "loss  p1812" "(budget)" "dB (knife-edge)" "sensitivity -95.0 dBm, margin"
rcity profile --scene hills.rcity --from 200,300,30 --to 1800,1500,5 --frequency-mhz 900 --loss knive-edge
expect_error 2 "knive-edge"
rcity profile --scene hills.rcity --from 200,300,30 --horizon horizon.csv --horizon-count 8
expect_ok
expect_stdout "horizon: highest" "horizon.csv"
if [[ $(wc -l < horizon.csv) -eq 9 && $(head -n 1 horizon.csv) == "azimuth_deg,elevation_deg,distance_m,x_m,y_m" ]]; then pass; else fail "horizon.csv"; fi
rcity profile --scene box.res --from 0,0,20 --horizon horizon.csv
expect_error 2 "the scene has no terrain"
rcity profile --scene hills.rcity --from 200,300,30 --horizon horizon.csv --png link.png
expect_error 2 "--png is of a link; give its other end with --to"

if [[ $with_cairo -eq 1 ]]; then
  rcity "${link[@]}" --png one.png --title "A link"
  expect_ok
  rcity "${link[@]}" --png two.png --title "A link"
  expect_same one.png two.png
else
  rcity "${link[@]}" --png one.png
  expect_error 7 "Cairo"
fi
finish
