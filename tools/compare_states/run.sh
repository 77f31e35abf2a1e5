#!/usr/bin/env bash
# Shows that a change altered no result: runs the commands of cases.txt with two programs and compares everything they write.
#   tools/compare_states/run.sh [--strict] [--fresh] [--jobs N] [--only REGEX] [--all] BEFORE AFTER [WORKDIR]
# BEFORE, AFTER: two radiocity programs. WORKDIR: where outputs go (build/compare-states unless given). Outputs are kept there for each program,
# so a second run with the same BEFORE runs only AFTER.
#   --strict      a picture (PNG) whose pixels differ is a failure too
#   --fresh       run AFTER again even where its outputs are kept
#   --jobs N      cases at a time; as many as cores unless given
#   --only REGEX  only cases whose name matches, and those they need
#   --all         name every file in the table, not only those that are not identical
# The exit status is 1 on any difference, 2 when something could not be run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3 # GDAL's Python belongs to the system's own
[[ -x "$python" ]] || python=python3
export PYTHONDONTWRITEBYTECODE=1

usage() {
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}

run_flags=() compare_flags=() fresh=()
while [[ "${1:-}" == --* ]]; do
  case "$1" in
    --strict | --all) compare_flags+=("$1") ;;
    --fresh) fresh=(--fresh) ;;
    --jobs | --only)
      [[ $# -ge 2 ]] || usage
      run_flags+=("$1" "$2")
      [[ "$1" == --jobs ]] || compare_flags+=("$1" "$2")
      shift
      ;;
    *) usage ;;
  esac
  shift
done
[[ $# -eq 2 || $# -eq 3 ]] || usage
before=$(realpath "$1")
after=$(realpath "$2")
work=${3:-$here/../../build/compare-states}
mkdir -p "$work"
work=$(cd "$work" && pwd)
for program in "$before" "$after"; do
  [[ -x "$program" ]] || { echo "compare_states: '$program' is no program" >&2; exit 2; }
done
for tool in h5dump ldd; do
  command -v "$tool" > /dev/null || { echo "compare_states: $tool is missing; tools/bootstrap.sh installs it" >&2; exit 2; }
done

# The program and its own libraries: what outputs are kept for.
key_of() {
  { cat "$1"; ldd "$1" | awk '$1 ~ /^libradiocity/ { print $3 }' | sort | xargs -r cat; } | sha256sum | cut -c 1-12
}

# Inputs at one place for both, so that no path of a checkout is in any output.
mkdir -p "$work/inputs"
cp "$here"/inputs/* "$here"/../../examples/data/* "$work/inputs/"

# Apart even for one and the same program: compared with itself it is run twice.
before_folder=$work/before-$(key_of "$before")
after_folder=$work/after-$(key_of "$after")
"$python" "$here/run_cases.py" "${run_flags[@]}" "$before" "$before_folder" "$work/inputs"
"$python" "$here/run_cases.py" "${run_flags[@]}" "${fresh[@]}" --renamed "$after" "$after_folder" "$work/inputs"
"$python" "$here/compare.py" "${compare_flags[@]}" "$before_folder" "$after_folder"
