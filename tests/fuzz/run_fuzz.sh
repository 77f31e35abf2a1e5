#!/usr/bin/env bash
# Runs a fuzzer for a moment from the committed seeds, whose folder stays as it is.
#   run_fuzz.sh PROGRAM SEEDS LONGEST [DICTIONARY]
# RADIOCITY_FUZZ_SECONDS (20) and RADIOCITY_FUZZ_SEED (1) make it longer or different; an input that breaks something is
# kept in the build folder and named.
set -euo pipefail
program=$1 seeds=$2 longest=$3 dictionary=${4:-}
seconds=${RADIOCITY_FUZZ_SECONDS:-20}
seed=${RADIOCITY_FUZZ_SEED:-1}
corpus=$(mktemp -d "${TMPDIR:-/tmp}/radiocity-fuzz-XXXXXX")
files=$(mktemp -d "${TMPDIR:-/tmp}/radiocity-fuzz-XXXXXX")
trap 'rm -rf "$corpus" "$files"' EXIT
export TMPDIR=$files # of fuzzers that write files: libFuzzer ends them without a chance to tidy up
kept=$(dirname "$program")/found
mkdir -p "$kept"

options=("-artifact_prefix=$kept/$(basename "$program")-" -timeout=20 -rss_limit_mb=2048)
echo "seeds of $seeds, one by one"
"$program" "${options[@]}" "$seeds"/* > "$corpus.log" 2>&1 || { tail -n 60 "$corpus.log"; rm -f "$corpus.log"; exit 1; }
rm -f "$corpus.log"
echo "seed $seed, $seconds s, inputs up to $longest bytes"
options+=("-max_total_time=$seconds" "-seed=$seed" "-max_len=$longest" -print_final_stats=1 -verbosity=0)
[[ -z "$dictionary" ]] || options+=("-dict=$dictionary")
"$program" "${options[@]}" "$corpus" "$seeds"
