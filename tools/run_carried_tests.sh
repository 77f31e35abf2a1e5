#!/usr/bin/env bash
# Runs test programs that were built elsewhere, on a machine with neither CMake nor cmocka: copy the folder `tests` of a
# build (preset bare) there and name it. Every suite of every program runs in a process of its own.
#   tools/run_carried_tests.sh FOLDER
set -u
folder=${1:?usage: run_carried_tests.sh FOLDER (such as build/bare/tests)}
folder=$(cd "$folder" && pwd) || exit 2
cd "$folder" || exit 2
export LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

run_suite() { # program suite
  local name="${1#./} $2" start=$SECONDS status
  "$1" "$2" > "$log" 2>&1 < /dev/null
  status=$?
  if [[ $status -eq 0 ]]; then
    passed=$((passed + 1))
    echo "ok      $name ($((SECONDS - start)) s)"
    grep -F SKIPPED "$log" | sed 's/^/        /'
  elif [[ $status -eq 77 ]]; then
    skipped=$((skipped + 1))
    echo "skipped $name"
    sed 's/^/        /' "$log" | tail -n 3
  else
    failed=$((failed + 1))
    echo "FAILED  $name (status $status)"
    sed 's/^/        /' "$log" | tail -n 40
  fi
}

for program in ./test_*; do
  [[ -f "$program" && -x "$program" ]] || continue
  suites=$("$program" --list) || { failed=$((failed + 1)); echo "FAILED  ${program#./} does not start"; continue; }
  for suite in $suites; do
    run_suite "$program" "$suite"
  done
done
[[ $skipped -eq 0 ]] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
