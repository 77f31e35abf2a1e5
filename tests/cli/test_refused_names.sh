#!/usr/bin/env bash
# Names of versions before 0.2.0 are refused, and the message says what they are called now: options, --fix, files of coefficients.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

all=$(for command in predict score calibrate "scene import"; do
  # shellcheck disable=SC2086 # two words
  "$RADIOCITY" $command --help all
done)
while read -r old new; do
  rcity predict "--$old" 1
  expect_error 2 "--$old has a new name: --$new"
  rcity predict "--$old=1"
  expect_error 2 "--$old has a new name: --$new"
  if grep -qE -- "--$new( |\$)" <<< "$all"; then pass; else fail "no --help knows --$new"; fi
  if grep -qE -- "--$old( |\$)" <<< "$all"; then fail "a --help still has --$old"; else pass; fi
done << END
azimuth azimuth-deg
bad bad-buildings
blocks cross-validation-blocks
building-separation building-separation-m
clutter-height clutter-height-m
clutter-limit clutter-limit-db
clutter-loss clutter-db-per-m
default-height default-height-m
direct-offset line-of-sight-offset-db
electrical-tilt electrical-tilt-deg
fill fill-voids
first-wall-loss wall-path-db
fit-height fit-height-m
fit-position fit-position-m
floor-height floor-height-m
gap close-gaps-m
load load-fraction
metre-loss building-db-per-m
offset measurements-offset-m
order max-corners
orientation street-orientation-deg
reference-distance reference-distance-m
reference-loss reference-loss-db
roof-decade roof-edge-db-per-decade
roof-first roof-path-db
roof-height roof-height-m
roof-linear roof-edge-db-per-rad
roof-square roof-edge-db-per-rad2
roof-turn roof-edge-db
scattering-after-m scattering-near-m
street-decade corner-db-per-decade
street-first corner-path-db
street-linear corner-db-per-rad
street-square corner-db-per-rad2
street-turn corner-db
street-width street-width-m
synthesis pattern-synthesis
terrain-cell terrain-cell-m
terrain-margin terrain-margin-m
tilt tilt-deg
vegetation-height vegetation-height-m
wall-loss wall-db
END

rcity calibrate --scene city.rcity --measurements drive.csv --tx 1,2,3 --frequency-mhz 947 --fix roof-square -o city.json
expect_error 2 "roof-square" "has a new name: roof-edge-db-per-rad2"
[[ $with_jansson -eq 0 ]] && finish

# options name of a member of the summary
write_file() {
  cat << END
{"format": "radiocity coefficients", "format_version": 1, "radiocity_version": "0.1.0", "method": "shadow",
 "options": {"$1": "2.25"}, "coefficients": [{"name": "$2", "unit": "dB", "value": 2.25, "low": 1, "high": 3,
  "bound_low": -10, "bound_high": 20, "fitted": true, "at_bound": false, "known": true}],
 "baselines": {"constant_db": 120, "free_space_offset_db": 30, "log_distance_db": 30, "log_distance_decade_db": 35},
 "summary": {"fitted_on": "the ring road", "point_count": 900, "outlier_count": 30,
  "frequency_min_hz": 1e9, "frequency_max_hz": 1e9, "distance_min_m": 20, "distance_max_m": 2000,
  "before": {"count": 900, "mean_db": 3, "$3": 9, "standard_deviation_db": 8.5, "median_absolute_db": 6, "correlation": 0.5},
  "training": {"count": 900, "mean_db": 0, "$3": 6, "standard_deviation_db": 6, "median_absolute_db": 4, "correlation": 0.8},
  "crossed": {"count": 0, "mean_db": null, "$3": null, "standard_deviation_db": null, "median_absolute_db": null, "correlation": null}},
 "sources": [], "warnings": []}
END
}
rcity scene make --kind core --area-km2 0.1 --seed 5 -o city.rcity
expect_ok
predict=(predict --scene city.rcity --tx "150,150,40" --frequency-mhz 1000 --cell 10 --device host --json --coefficients)
write_file corner-path-db corner-path-db rmse_db > new.json
rcity "${predict[@]}" new.json
expect_ok
write_file street-first corner-path-db rmse_db > old.json
rcity "${predict[@]}" old.json
expect_error 5 "options.street-first has a new name: corner-path-db"
write_file corner-path-db street-first rmse_db > old.json
rcity "${predict[@]}" old.json
expect_error 5 "street-first has a new name: corner-path-db"
write_file corner-path-db corner-path-db mse_db > old.json
rcity "${predict[@]}" old.json
expect_error 5 "summary.before.mse_db has a new name: rmse_db"
finish
