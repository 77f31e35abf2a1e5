#!/usr/bin/env bash
# The flat header for foreign-function interfaces: it compiles alone, agrees with the real headers in every size, offset and
# constant, declares what the library shows, and ctypes predicts with it.
#   test_ffi.sh RADIOCITY_FFI_H LIBRADIOCITY_SO COMPILER
# shellcheck source-path=SCRIPTDIR source=../cli/cli_test.sh
. "$(dirname "$0")/../cli/cli_test.sh"
header=$1 library=$2 compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
include=$(cd "$here/../../include" && pwd)
export PYTHONDONTWRITEBYTECODE=1
cd "$work" || exit 1
cp "$header" radiocity_ffi.h

echo '#include "radiocity_ffi.h"' > alone.c
run "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -I. -c alone.c -o alone.o
expect_status 0
run grep -cE '\binline\b|__attribute__|^#(if|undef|include ")' radiocity_ffi.h
if [[ $status -eq 1 ]]; then pass; else fail "expected plain declarations alone"; fi

command -v python3 > /dev/null || { skip "python3 is not installed"; finish; }
run python3 "$here/ffi_layout.py" radiocity_ffi.h
expect_status 0
cp "$output" layout.c
run "$compiler" -std=c11 -DHEADER='"radiocity_ffi.h"' -I. layout.c -o flat
expect_status 0
run "$compiler" -std=c11 -DHEADER='"radiocity/radiocity.h"' -I"$include" layout.c -o real
expect_status 0
./flat > flat.txt && ./real > real.txt
expect_same flat.txt real.txt
if [[ $(wc -l < flat.txt) -gt 400 ]]; then pass; else fail "expected some hundred sizes and offsets"; fi

nm -D --defined-only "$library" | awk '{print $NF}' | grep -E '^rcity_' | sort -u > shown.txt
grep -oE '\brcity_[a-z0-9_]+\(' radiocity_ffi.h | tr -d '(' | sort -u > declared.txt
run diff declared.txt shown.txt
expect_status 0

run python3 "$here/test_ctypes.py" radiocity_ffi.h "$library"
cat "$output"
expect_status 0
finish
