#!/usr/bin/env bash
# The tool behind `make accuracy`, cut down to one small city: what it writes, and facts that are known without it.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
[[ $with_gdal -eq 1 ]] || skip_all "maps are read with GDAL"
tool=$here/../../tools/accuracy/accuracy.py
cd "$work" || exit 1
unset RADIOCITY_DATA
export RADIOCITY

mkdir parts
expect_success_of "$python" "$here/check_accuracy.py" tool parts
run "$python" "$tool" --quick --program "$RADIOCITY" --out quick
expect_status 0
expect_stdout "quick/report.md"
expect_success_of "$python" "$here/check_accuracy.py" run quick
run "$python" "$tool" --quick --program ./absent --out none
expect_status 1
if grep -q "there is no program ./absent" "$errors"; then pass; else fail "expected the name of the program"; fi
expect_no_file none
finish
