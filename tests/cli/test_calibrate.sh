#!/usr/bin/env bash
# The chapter "calibrate", run as it stands; then what calibrations cannot be made of.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
data=$here/../../examples/data
mast=(--tx 674,720,20 --frequency-mhz 1800)
rcity scene make --kind core --area-km2 1.5 --seed 7 -o town.rcity
expect_ok
if [[ ${with_nlopt:-1} -eq 0 ]]; then
  rcity calibrate --scene town.rcity "${mast[@]}" --eirp-dbm 46 --measurements "$data/drive_north.csv" -o absent.json
  expect_error 6 "NLopt"
  expect_no_file absent.json
  skip_all "calibration needs NLopt"
fi
