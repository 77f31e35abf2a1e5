#!/usr/bin/env bash
# Antennas: described and drawn; bad names, bad files.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
examples=$(cd "$here/../../examples/data" && pwd)
cd "$work" || exit 1

# What they are.
rcity antenna info dipole --json
expect_ok
expect_silent_stderr
expect_json 'd["kind"] == "dipole"' 'abs(d["gain_dbi"] - 2.15) < 1e-9' 'd["horizontal_width_deg"] == 360' \
  'abs(d["vertical_width_deg"] - 78) < 0.2' 'd["frequency_mhz"] is None'
rcity antenna info 3gpp
expect_ok
expect_stdout "3gpp" "8.00 dBi" "65.0 degrees" "30.0 dB"
rcity antenna info "$examples/panel_1800.msi" --json
expect_ok
expect_silent_stderr
expect_json 'd["kind"] == "cuts"' 'd["gain_dbi"] == 17.3' 'd["electrical_tilt_deg"] == 4' 'd["frequency_mhz"] == 1800' \
  'abs(d["horizontal_width_deg"] - 65) < 0.5' 'abs(d["vertical_width_deg"] - 8.1) < 0.2'

# Pictures: the same bytes each time; a tilt changes them.
if [[ $with_cairo -eq 1 ]]; then
  for name in isotropic dipole 3gpp "$examples/panel_1800.msi"; do
    rcity antenna draw "$name" --width 600 -o a.png
    expect_ok
    expect_stdout a.png
    if [[ $(head -c 4 a.png | tail -c 3) == PNG ]]; then pass; else fail "expected a PNG"; fi
    rcity antenna draw "$name" --width 600 --threads 1 -o again.png
    expect_same a.png again.png
  done
  rcity antenna draw "$examples/panel_1800.msi" --width 600 --electrical-tilt-deg 4 -o again.png
  expect_same a.png again.png
  rcity antenna draw "$examples/panel_1800.msi" --width 600 --electrical-tilt-deg 8 -o tilted.png
  expect_ok
  expect_different a.png tilted.png
  rcity antenna draw "$examples/panel_1800.msi" --width 600 --pattern-synthesis sum -o sum.png
  expect_ok
  expect_different a.png sum.png
  rcity antenna draw dipole --width 10 -o absent.png
  expect_error 2 "10 pixels" "400 to 8000"
  rcity antenna draw dipole --electrical-tilt-deg 91 -o absent.png
  expect_error 2 "tilt is 91 degrees"
  rcity antenna draw dipole -o "$work/absent/a.png"
  expect_error 4 "absent"
else
  rcity antenna draw dipole -o absent.png
  expect_error 7 "Cairo"
fi
expect_no_file absent.png

# Two cuts as CSV.
{
  echo '# gain_dbi: 10'
  echo 'angle_deg,horizontal_loss_db,vertical_loss_db'
  for angle in {0..355..5}; do echo "$angle,0,$((angle > 180 ? (360 - angle) / 10 : angle / 10))"; done
} > cuts.csv
rcity antenna info cuts.csv --json
expect_ok
expect_json 'd["gain_dbi"] == 10' 'd["horizontal_width_deg"] == 360' 'd["name"] == "cuts.csv"'

# Files that are wrong say where, and what to do.
grep -v '^1[0-9][0-9] ' "$examples/panel_1800.msi" > missing.msi
rcity antenna info missing.msi
expect_error 5 "missing.msi" "angles are missing" "horizontal cut" "between 99 and 200 degrees"
grep -v '^GAIN' "$examples/panel_1800.msi" > gainless.msi
rcity antenna info gainless.msi
expect_error 5 "gainless.msi" "no GAIN" "GAIN 17.5 dBi"
sed 's/^45 .*/45 x/' "$examples/panel_1800.msi" > words.msi
rcity antenna info words.msi
expect_error 5 "words.msi" "line 58" "'x' is not a number"
rcity antenna info yagi
expect_error 4 "'yagi' is no built-in antenna (isotropic, dipole, 3gpp)"
rcity antenna draw words.msi -o absent.png
expect_status 5
expect_no_file absent.png

# The command line.
rcity antenna --help
expect_ok
expect_stdout "Usage: radiocity antenna ACTION" draw info
for action in draw info; do
  rcity antenna $action --help
  expect_ok
  expect_stdout "Usage: radiocity antenna $action" "Example: radiocity antenna $action " "--threads"
done
rcity antenna
expect_status 2
rcity antenna paint dipole
expect_error 2 "unknown action 'antenna paint'" "radiocity antenna --help"
rcity antenna draw dipole
expect_error 2 "the output is missing"
rcity antenna draw -o a.png
expect_error 2 "the antenna is missing"
rcity antenna draw dipole -o a.jpg
expect_error 2 "let 'a.jpg' end in .png"
rcity antenna draw dipole --pattern-synthesis other -o a.png
expect_error 2 "--pattern-synthesis is 'other', must be projection or sum"
expect_no_leftover "$work"
finish
