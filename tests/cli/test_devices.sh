#!/usr/bin/env bash
# The list of devices, as text and as JSON, with and without an OpenCL loader.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

rcity devices
expect_ok
expect_silent_stderr
expect_stdout "host" "compute units"
cat "$output"
rcity devices --json
expect_ok
expect_silent_stderr
expect_json 'set(d) == {"devices"}' 'len(d["devices"]) >= 1' 'd["devices"][0]["id"] == "host"' \
  'd["devices"][0]["kind"] == "host"' 'd["devices"][0]["is_usable"] is True' \
  'all(isinstance(x[k], str) for x in d["devices"] for k in ("id", "kind", "name", "vendor", "driver"))' \
  'all(isinstance(x["compute_units"], int) for x in d["devices"])' \
  'all(isinstance(x[k], number) for x in d["devices"] for k in ("memory_bytes", "buffer_max_bytes"))' \
  'all(isinstance(x[k], bool) for x in d["devices"] for k in ("has_fp64", "has_int64_atomics", "is_usable", "is_default"))' \
  'sum(x["is_default"] for x in d["devices"]) == 1' \
  'all(x["refusal"] is None if x["is_usable"] else len(x["refusal"]) > 0 for x in d["devices"])'
rcity devices --json --threads 1
expect_json 'd["devices"][0]["compute_units"] == 1'

# Without any OpenCL driver the host stays, and a device that is named is refused with a reason.
run env OCL_ICD_VENDORS="$work/none" "$RADIOCITY" devices --json
expect_ok
if grep -qE '"id": "opencl:[0-9]+".*"is_usable": true' "$output"; then
  skip "no OpenCL driver: this machine's loader finds them without OCL_ICD_VENDORS"
  finish
fi
expect_json 'd["devices"][0]["id"] == "host" and d["devices"][0]["is_default"]' \
  'all(not x["is_usable"] and x["refusal"] for x in d["devices"][1:])'
{ res_box 0 0 20 20 10 1 && res_box 60 60 80 80 10 2; } > two.res
run env OCL_ICD_VENDORS="$work/none" "$RADIOCITY" predict --scene two.res --tx 40,40,20 --frequency-mhz 900 --device opencl:0 \
  --json
expect_error 6 "opencl" "radiocity devices"
run env OCL_ICD_VENDORS="$work/none" "$RADIOCITY" predict --scene two.res --tx 40,40,20 --frequency-mhz 900 --json --quiet
expect_ok
expect_json 'd["device"] == "host"'
finish
