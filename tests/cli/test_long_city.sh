#!/usr/bin/env bash
# A city at full size, 20 km2 of towers on hills: made, saved, loaded, drawn, with times and peak memory.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

# Time one command; its seconds go to $seconds, the figures to the log.
measured() { # name, arguments...
  local name=$1 start end memory="unknown"
  shift
  start=$(date +%s.%N)
  if [[ -x /usr/bin/time ]]; then
    run /usr/bin/time -f '%M' -o "$base/memory" "$RADIOCITY" "$@"
    memory=$("$python" -c 'import sys; print(f"{int(open(sys.argv[1]).read().split()[-1]) / 1000:.0f} MB")' "$base/memory")
  else
    rcity "$@"
  fi
  end=$(date +%s.%N)
  seconds=$("$python" -c "print(f'{$end - $start:.2f}')")
  expect_ok
  echo "$name: $seconds s, peak memory $memory"
}
below() { # limit in seconds, for the last command; means nothing under a sanitizer
  if [[ -n "$sanitize" ]]; then
    skip "times mean nothing under a sanitizer"
  elif "$python" -c "import sys; sys.exit(0 if $seconds < $1 else 1)"; then
    pass
  else
    fail "took $seconds s, expected under $1 s"
  fi
}

measured "make and save 20 km2 highrise" scene make --kind highrise --area-km2 20 --seed 1 -o city.rcity --quiet
below 30
echo "file: $(($(wc -c < city.rcity) / 1000000)) MB"
measured "load and describe" scene info city.rcity --json
below 1
expect_json 'abs(d["area_km2"] - 20) < 0.5' 'd["buildings"] > 5000' 'd["has_terrain"]' 'd["height_max_m"] > 100'
"$python" -c '
import json, sys
d = json.load(open(sys.argv[1]))
print("city: %d buildings, %d walls, %d facades" % (d["buildings"], d["walls"], d["facades"]))' "$output"
if [[ $with_cairo -eq 1 ]]; then
  measured "load and draw" scene draw city.rcity -o city.png
  below 60
  expect_file city.png
fi
measured "make again" scene make --kind highrise --area-km2 20 --seed 1 --threads 1 -o again.rcity --quiet
expect_same city.rcity again.rcity
expect_no_leftover "$work"
finish
