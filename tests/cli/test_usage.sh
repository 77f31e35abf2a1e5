#!/usr/bin/env bash
# The command line itself: help, version, unknown words, wrong values.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# Help goes to stdout and shows how it is done.
rcity --help
expect_ok
expect_stdout "Usage: radiocity" demo scene predict rays devices bench "radiocity scene make --kind"
expect_silent_stderr
cp "$output" help.txt
rcity -h
expect_same "$output" help.txt
rcity help
expect_same "$output" help.txt
for command in demo scene predict rays delay visibility devices bench "scene make" "scene import" "scene info" "scene draw"; do
  # shellcheck disable=SC2086 # two words
  rcity $command --help
  expect_ok
  expect_stdout "Usage: radiocity $command"
  expect_silent_stderr
  case "$command" in
    demo | devices | scene) ;;
    *)
      expect_stdout "Example" "radiocity $command "
      expect_stdout "--threads" "--memory" "--quiet"
      ;;
  esac
done
rcity predict --help all
expect_stdout "free-space" "--line-of-sight" "ignore|exact" "--png-band" "--threads"
rcity predict --help
expect_stdout "--scene" "--sites" "--help outputs" "--help METHOD" "walfisch-ikegami"
if [[ $(wc -l < "$output") -le 75 ]]; then pass; else fail "expected a help that fits two screens"; fi
if grep -q -- "--png-band NAME" "$output"; then fail "expected the short help"; else pass; fi
rcity predict --help outputs
expect_ok
expect_stdout "Further outputs:" "--png-band" "--kmz"
if grep -q -- "--cell" "$output"; then fail "expected one group of options"; else pass; fi
rcity predict --help free-space
expect_ok
expect_stdout "--line-of-sight"
rcity predict --help nonsense
expect_ok # the short help and a note
expect_stdout "--help outputs"
if grep -q "no help on 'nonsense'" "$errors"; then pass; else fail "expected a note about the word"; fi
for command in score calibrate rays; do
  rcity $command --help
  if [[ $(wc -l < "$output") -le 75 ]]; then pass; else fail "expected a help that fits two screens"; fi
  rcity $command --help all
  expect_ok
done

# What an unknown option may have meant: by its beginning, its spelling, its sense.
meant() { # OPTION WORDS
  rcity predict --scene x.rcity "$1" 5
  expect_error 2 "unknown option $1; did you mean $2?"
}
meant --eirp --eirp-dbm
meant --freq --frequency-mhz
meant --crs "--sites-crs or --out-crs"
meant --height "--rx-height or --sites-height-m"
meant --output -o
meant --resolution --cell
meant --power "--power-dbm or --power-w"
meant --gain --rx-gain-dbi
meant --bbox --area
meant --treshold --thresholds
meant --threads-count --threads
rcity predict --scene x.rcity --flux-capacitor 5
expect_error 2 "unknown option --flux-capacitor (see"
rcity predict --scene a.rcity --help
expect_ok
expect_stdout "Usage: radiocity predict"
rcity --version
expect_ok
if grep -Eqx 'radiocity [0-9]+\.[0-9]+\.[0-9]+' "$output"; then pass; else fail "expected 'radiocity X.Y.Z'"; fi

# No command: the help, on stderr, and a status that says so.
rcity
expect_status 2
if grep -qF "Usage: radiocity COMMAND" "$errors" && [[ ! -s "$output" ]]; then pass; else fail "expected the help on stderr"; fi
rcity scene
expect_status 2
if grep -qF "Usage: radiocity scene ACTION" "$errors" && [[ ! -s "$output" ]]; then pass; else fail "expected the help on stderr"; fi

# Unknown words; near misses are named.
rcity predcit
expect_error 2 "unknown command 'predcit'" "radiocity --help"
rcity scene mkae
expect_error 2 "unknown action 'scene mkae'" "radiocity scene --help"
rcity predict --sceen a.rcity
expect_error 2 "unknown option --sceen" "did you mean --scene?" "radiocity predict --help"
rcity scene make --aera-km2 1 -o a.rcity
expect_error 2 "unknown option --aera-km2" "did you mean --area-km2?"
rcity scene info --jsno a.rcity
expect_error 2 "unknown option --jsno" "did you mean --json?"
rcity devices --thread 2
expect_error 2 "did you mean --threads?"
rcity bench --entirely-unknown
expect_error 2 "unknown option --entirely-unknown" "radiocity bench --help"
rcity devices -x
expect_error 2 "unknown option -x"
rcity devices more
expect_error 2 "'more' is an unexpected argument"
rcity scene info a.rcity b.rcity
expect_error 2 "'b.rcity' is an unexpected argument"

# Missing values and words.
rcity scene make -o
expect_error 2 "-o needs a value"
rcity predict --scene
expect_error 2 "--scene needs a value: FILE"
rcity predict --line-of-sight
expect_error 2 "--line-of-sight needs a value"
rcity scene make --kind
expect_error 2 "--kind needs a value"
rcity scene make
expect_error 2 "the output is missing" "-o FILE"
rcity scene import
expect_error 2 "the input is missing"
rcity scene info
expect_error 2 "the scene is missing"
rcity scene draw
expect_error 2 "the scene is missing"
rcity scene draw a.rcity
expect_error 2 "the output is missing"
rcity predict --tx 1,2,3 --frequency-mhz 900 -o a.tif
expect_error 2 "the scene is missing" "--scene FILE"
rcity predict --scene a.rcity --frequency-mhz 900 -o a.tif
expect_error 2 "the transmitter is missing" "--tx"
rcity predict --scene a.rcity --tx 1,2,3 -o a.tif
expect_error 2 "the frequency is missing" "--frequency-mhz"
rcity predict --scene a.rcity --tx 1,2,3 --frequency-mhz 900
expect_error 2 "-o FILE.tif" "--json" "--dry-run"

# Wrong kinds of values.
rcity predict --cell wide
expect_error 2 "--cell takes a number, not 'wide'"
rcity predict --cell 5m
expect_error 2 "--cell takes a number, not '5m'"
rcity predict --cell nan
expect_error 2 "--cell takes a number, not 'nan'"
rcity predict --frequency-mhz inf
expect_error 2 "--frequency-mhz takes a number, not 'inf'"
rcity predict --frequency-mhz 1e999
expect_error 2 "--frequency-mhz takes a number"
rcity predict --tx 1,,3
expect_error 2 "--tx takes X,Y,H, numbers separated by commas, not '1,,3'"
rcity predict --tx 1,2,nan
expect_error 2 "--tx takes X,Y,H, numbers separated by commas"
rcity predict --frequency-mhz 947,5
expect_error 2 "--frequency-mhz takes a number, with a point for decimals, not '947,5'"
rcity predict --scene a.rcity --tx 1,2 --frequency-mhz 900 -o a.tif
expect_error 2 "the transmitter is missing or incomplete"
rcity predict --scene a.rcity --tx 1,2,3 --frequency-mhz 900 --area 1,2,3 -o a.tif
expect_error 2 "--area takes XMIN,YMIN,XMAX,YMAX"
rcity predict --rx-height "$(printf '1,%.0s' {1..80})1"
expect_error 2 "--rx-height takes up to 64 numbers separated by commas"
rcity scene make --seed -1 -o a.rcity
expect_error 2 "--seed takes a whole number" "'-1'"
rcity scene make --seed 18446744073709551616 -o a.rcity
expect_error 2 "--seed takes a whole number" "18446744073709551615"
rcity scene make --seed 1.5 -o a.rcity
expect_error 2 "--seed takes a whole number"
rcity scene make --origin 5 -o a.rcity
expect_error 2 "--origin takes X,Y"
rcity devices --threads two
expect_error 2 "--threads takes a whole number, not 'two'"
rcity devices --threads 1.5
expect_error 2 "--threads takes a whole number"
rcity devices --threads 5000
expect_error 2 "--threads is 5000, must be 0 to 1024"
rcity devices --memory much
expect_error 2 "--memory takes a size such as 500MB or 4GB, not 'much'"
rcity devices --memory 0
expect_error 2 "--memory takes a size"
rcity devices --memory 5XB
expect_error 2 "--memory takes a size" "'5XB'"
rcity scene info --json=1 a.rcity
expect_error 2 "--json takes no value"
rcity scene import a.res --bad-buildings ignore -o a.rcity
expect_error 2 "--bad-buildings is 'ignore', must be fail or drop"
rcity scene make --kind village -o a.rcity
expect_error 2 "there is no city kind 'village'" grid core highrise hills
rcity scene make --kind= -o a.rcity
expect_error 2 "--kind takes a word"

# None of this wrote anything.
if [[ $(find . -type f | grep -cv '^./help.txt$') -eq 0 ]]; then pass; else fail "expected no file, found $(ls -A)"; fi

# --name=value is --name value.
rcity scene make --kind core --area-km2 0.1 --seed 5 -o a.rcity
expect_ok
rcity scene make --kind=core --area-km2=0.1 --seed=5 -o b.rcity
expect_ok
expect_same a.rcity b.rcity

# --quiet leaves errors and nothing else.
rcity scene info a.rcity --quiet
expect_ok
expect_silent_stderr
res_box 0 0 20 20 10 1 > box.res
sed 's/^20 0 20 20 /20 0 20 0 10 1 1 0\n&/' box.res > repeated.res
rcity scene import repeated.res -o c.rcity
expect_ok
if grep -q 'points that repeat' "$errors"; then pass; else fail "expected a note on the repair"; fi
rcity scene import repeated.res -o c.rcity --quiet
expect_ok
expect_silent_stderr
rcity scene info missing.rcity --quiet
expect_error 4 "missing.rcity"

# Standard output that cannot be written is a failure too.
if [[ -c /dev/full ]]; then
  last="scene info a.rcity --json > /dev/full"
  "$RADIOCITY" scene info a.rcity --json > /dev/full 2> "$errors"
  status=$?
  : > "$output"
  expect_error 4 "standard output"
else
  skip "no /dev/full here"
fi
expect_no_leftover "$work"
finish
