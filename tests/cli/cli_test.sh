# What the tests of the program share; sourced by each of them.
#   run COMMAND...       keeps status, stdout and stderr of any command
#   rcity ARGUMENT...    the same for the program under test, which $RADIOCITY names; outputs are replaced
#   expect_*             one check each, counted; a failed one shows the last command and what it printed
#   finish               prints "N passed, N failed" and ends the script
# Every script works in a folder of its own, $work, which goes when the script ends.
# shellcheck shell=bash
set -u

: "${RADIOCITY:?names the program under test}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # used by the scripts
with_gdal=${RADIOCITY_WITH_GDAL:-1} with_cairo=${RADIOCITY_WITH_CAIRO:-1} with_hdf5=${RADIOCITY_WITH_HDF5:-1} with_jansson=${RADIOCITY_WITH_JANSSON:-1} with_nlopt=${RADIOCITY_WITH_NLOPT:-1} sanitize=${RADIOCITY_SANITIZE:-}
# GDAL's Python belongs to the system's own Python, where there is one.
python=/usr/bin/python3
[[ -x "$python" ]] || python=python3

base=$(mktemp -d "${TMPDIR:-/tmp}/radiocity-cli-XXXXXX")
work=$base/work
output=$base/stdout
checked=$base/checked
errors=$base/stderr
mkdir "$work"
passed=0 failed=0 skipped=0 is_finished=0 status=0 last=""

end_script() {
  local code=$?
  rm -rf "$base"
  if [[ $is_finished -eq 0 ]]; then
    echo "the script ended before its end"
    [[ $code -ne 0 ]] || code=1
  fi
  exit "$code"
}
trap end_script EXIT

finish() {
  is_finished=1
  [[ $skipped -eq 0 ]] || echo "$skipped skipped"
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 && $passed -gt 0 ]] || exit 1
  exit 0
}

# End the whole script: something it cannot do without is absent. CTest counts 77 as skipped.
skip_all() {
  is_finished=1
  echo "SKIPPED: $1"
  exit 77
}

skip() {
  skipped=$((skipped + 1))
  echo "SKIPPED: $1"
}

pass() {
  passed=$((passed + 1))
}

fail() {
  failed=$((failed + 1))
  echo "FAILED: $1 (line ${BASH_LINENO[${#BASH_LINENO[@]} - 2]} of $(basename "$0"))"
  echo "  command: $last"
  echo "  status:  $status"
  sed 's/^/  stdout:  /' "$output" | head -n 20
  sed 's/^/  stderr:  /' "$errors" | head -n 40
}

run() {
  last="$*"
  "$@" > "$output" 2> "$errors" < /dev/null
  status=$?
}

# Scripts write the same file again and again, and vary a command by an option behind it: --overwrite is added, and of an
# option with one value that comes again the last is kept. With as_given=1 the words are those of the script.
rcity() {
  local commands=" demo scene predict profile rays delay visibility score calibrate map antenna "
  local lists=" --fit --fix --measurements --png --png-band --rx --rx-lonlat --surfaces "
  if [[ $# -lt 3 || -n "${as_given:-}" || "$commands" != *" $1 "* ]]; then
    run "$RADIOCITY" "$@"
    return
  fi
  local words=("$@") kept=() i k
  for ((i = 0; i < $#; i++)); do
    local word=${words[i]} comes_again=0
    if [[ "$word" == --* && "$lists" != *" $word "* || "$word" == -o && "$1" != rays ]] && [[ $((i + 1)) -lt $# && "${words[i + 1]}" != --* ]]; then
      for ((k = i + 1; k < $#; k++)); do [[ "${words[k]}" != "$word" ]] || comes_again=1; done
    fi
    if [[ $comes_again -eq 1 ]]; then i=$((i + 1)); else kept+=("$word"); fi
  done
  run "$RADIOCITY" "${kept[@]}" --overwrite
}

expect_status() {
  if [[ $status -eq $1 ]]; then pass; else fail "expected status $1"; fi
}

# Success; says nothing on stderr but notes of the program's own.
expect_ok() {
  if [[ $status -ne 0 ]]; then
    fail "expected success"
  elif grep -qv '^radiocity: ' "$errors"; then
    fail "expected only the program's own notes on stderr"
  else
    pass
  fi
}

# Failure with a status, nothing on stdout, and one line on stderr that holds all the words given.
expect_error() {
  local expected=$1 word
  shift
  if [[ $status -ne $expected ]]; then
    fail "expected status $expected"
  elif [[ $(wc -l < "$errors") -ne 1 || $(head -c 11 "$errors") != "radiocity: " ]]; then
    fail "expected one line on stderr that starts with 'radiocity: '"
  elif [[ -s "$output" ]]; then
    fail "expected nothing on stdout"
  else
    for word in "$@"; do
      if ! grep -qF -- "$word" "$errors"; then
        fail "expected '$word' on stderr"
        return
      fi
    done
    pass
  fi
}

expect_stdout() {
  local word
  for word in "$@"; do
    if ! grep -qF -- "$word" "$output"; then
      fail "expected '$word' on stdout"
      return
    fi
  done
  pass
}

expect_silent_stderr() {
  if [[ -s "$errors" ]]; then fail "expected nothing on stderr"; else pass; fi
}

expect_file() {
  if [[ -f "$1" && -s "$1" ]]; then pass; else fail "expected the file $1"; fi
}

expect_no_file() {
  if [[ -e "$1" ]]; then fail "expected no file $1"; else pass; fi
}

expect_same() {
  if cmp "$1" "$2" > /dev/null 2>&1; then pass; else fail "expected the same bytes in $1 and $2"; fi
}

expect_different() {
  if cmp "$1" "$2" > /dev/null 2>&1; then fail "expected different bytes in $1 and $2"; else pass; fi
}

# No half-written file is left in a folder: they are hidden while they are made.
expect_no_leftover() {
  local found
  found=$(find "$1" -mindepth 1 -name '.*')
  if [[ -z "$found" ]]; then pass; else fail "expected no leftover, found $found"; fi
}

# stdout is one JSON value `d` on one line, for which each Python condition given holds.
expect_json() {
  local complaint
  if complaint=$("$python" "$here/json_holds.py" "$output" "$@" 2>&1); then pass; else fail "JSON: $complaint"; fi
}

# An external check, such as a Python script, which may come as its input; it may read $output of the command before. Its
# own status counts.
expect_success_of() {
  last="$*"
  "$@" > "$checked" 2> "$errors"
  status=$?
  mv "$checked" "$output"
  if [[ $status -eq 0 ]]; then
    pass
    cat "$output"
  else
    fail "expected success"
  fi
}

# Four walls of a box as lines of a wall list: x0 y0 x1 y1 height id.
res_box() {
  printf '%s %s %s %s %s %s 1 0\n' "$1" "$2" "$3" "$2" "$5" "$6" "$3" "$2" "$3" "$4" "$5" "$6" \
    "$3" "$4" "$1" "$4" "$5" "$6" "$1" "$4" "$1" "$2" "$5" "$6"
}

# Has the program an OpenCL device it can use? Its id goes to $opencl.
# shellcheck disable=SC2034
find_opencl() {
  opencl=$("$RADIOCITY" devices --json --quiet 2> /dev/null | "$python" -c '
import json, sys
devices = json.load(sys.stdin)["devices"]
print(next((d["id"] for d in devices if d["id"].startswith("opencl:") and d["is_usable"]), ""))' 2> /dev/null)
  [[ -n "$opencl" ]]
}
