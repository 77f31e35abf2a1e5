#!/usr/bin/env bash
# SINR of a network: worked out again from the sectors' maps, report, picture, style, bad input.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
[[ $with_gdal -eq 1 ]] || skip_all "maps need GDAL"

rcity scene make --kind core --area-km2 0.3 --seed 5 -o city.rcity
expect_ok
cat > sites.csv << 'END'
site,sector,x,y,height_m,azimuth_deg,mechanical_tilt_deg,frequency_mhz,eirp_dbm,antenna,load
North,1,150,400,45,0,4,1800,58,3gpp,
North,2,150,400,45,120,4,1800,58,3gpp,
North,3,150,400,45,240,4,1800,58,3gpp,0.25
South,1,400,120,50,30,6,1800,58,3gpp,
South,2,400,120,50,150,6,1804,58,3gpp,
South,3,400,120,50,270,6,2100,-20,3gpp,0
END
basic=(predict --scene city.rcity --sites sites.csv --method walfisch-ikegami --extrapolate --cell 5)
channel=(--bandwidth-mhz 10 --noise-figure-db 8 --load-fraction 0.6)
rcity "${basic[@]}" "${channel[@]}" --sector-maps sectors -o network.tif --png-band sinr
expect_ok
expect_stdout "sinr at 1.5 m:" "median" "sinr at 1.5 m, of" "-6 dB" "0 dB" "10 dB"
rcity "${basic[@]}" "${channel[@]}" --json --quiet
expect_ok
cp "$output" network.json
expect_json 'd["bandwidth_mhz"] == 10 and d["noise_figure_db"] == 8 and d["load"] == 0.6 and d["server_3_load"] == 0.25' \
  'd["noise_dbm"] == -95.98' '[row["threshold_db"] for row in d["sinr_coverage"]] == [-6, 0, 10]'
expect_success_of "$python" "$here/check_network.py" --sinr network.json network.tif sectors/North_{1,2,3}.tif sectors/South_{1,2,3}.tif
expect_success_of "$python" "$here/check_map.py" is 'd.RasterCount == 5' 'd.GetRasterBand(4).GetDescription() == "sinr"' \
  'd.GetRasterBand(4).GetUnitType() == "dB"' 'd.GetMetadataItem("RADIOCITY_BANDWIDTH_MHZ") == "10"' \
  'd.GetMetadataItem("RADIOCITY_NOISE_FIGURE_DB") == "8"' 'd.GetMetadataItem("RADIOCITY_LOAD") == "0.6"' network.tif
expect_success_of "$python" "$here/check_style.py" network.qml singlebandpseudocolor sinr network.tif
if [[ $with_cairo -eq 1 ]]; then
  rcity "${basic[@]}" "${channel[@]}" --png sinr.png --png-band sinr --quiet
  expect_ok
  expect_file sinr.png
fi
# The same bytes with another number of threads.
rcity "${basic[@]}" "${channel[@]}" -o again.tif --threads 1 --quiet
expect_ok
expect_same network.tif again.tif
# Other thresholds; other programs count the band as any other.
rcity "${basic[@]}" "${channel[@]}" --sinr-thresholds 3 --json --quiet
expect_ok
expect_json '[row["threshold_db"] for row in d["sinr_coverage"]] == [3]'
cp "$output" three.json
rcity map coverage network.tif --band sinr --thresholds 3 --json
expect_ok
cp "$output" counted.json
expect_success_of "$python" -c '
import json
told = json.load(open("three.json"))["sinr_coverage"][0]["covered_percent"]
assert 0 < told < 100 and abs(told - 100 * json.load(open("counted.json"))["coverage"][0]["fraction"]) < 1e-6'
# A load is a number, a sector called 7 has a name.
sed 's/^North,1,/7,,/' sites.csv > digits.csv
rcity predict --method free-space --scene city.rcity --sites digits.csv --cell 20 "${channel[@]}" --json --quiet
expect_ok
expect_json 'd["server_1"] == "7" and d["server_6_load"] == 0'
# Without a bandwidth nothing of it is there.
rcity "${basic[@]}" --json --quiet
expect_ok
expect_json 'all(b["name"] != "sinr" for b in d["bands"])' '"sinr_coverage" not in d and "load" not in d'

# Bad input, before the work.
refused() { # words..., -- arguments
  local words=()
  while [[ "$1" != -- ]]; do
    words+=("$1")
    shift
  done
  rcity "${basic[@]}" -o absent.tif "${@:2}"
  expect_error 2 "${words[@]}"
  expect_no_file absent.tif
}
refused "--bandwidth-mhz is -10" "1e-06 to 100000" -- --bandwidth-mhz -10
refused "--bandwidth-mhz is 0, must be" -- --bandwidth-mhz 0
refused "--bandwidth-mhz" "nan" -- --bandwidth-mhz nan
refused "the load is 2, must be 0 to 1" -- --bandwidth-mhz 10 --load-fraction 2
refused "the noise figure is -3 dB, must be 0 to 50 dB" -- --bandwidth-mhz 10 --noise-figure-db -3
refused "--load-fraction is for maps of SINR" "--bandwidth-mhz" -- --load-fraction 0.5
refused "--noise-figure-db" "--bandwidth-mhz" -- --noise-figure-db 5
refused "--sinr-thresholds" "--bandwidth-mhz" -- --sinr-thresholds 5
refused "no band 'sinr'" "best_server" -- --png-band sinr --quiet
sed 's/,0.25$/,25/' sites.csv > percent.csv
rcity predict --method free-space --scene city.rcity --sites percent.csv --bandwidth-mhz 10 -o absent.tif
expect_error 5 "percent.csv" "line 4" "'load'" "25" "0 to 1"
rcity predict --method free-space --scene city.rcity --tx 150,400,45 --frequency-mhz 1800 --eirp-dbm 58 --bandwidth-mhz 10 -o absent.tif
expect_error 2 "--sites" "a list of one line"
printf 'x,y\n100,100\n' > points.csv
rcity predict --method free-space --scene city.rcity --sites sites.csv --points points.csv --bandwidth-mhz 10 -o absent.csv
expect_error 2 "--bandwidth-mhz" "--points"
# What sums and band take is asked for before the work: three carriers of 8 bytes and a band of 4.
memory() {
  "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["memory_bytes"])' "$output"
}
rcity "${basic[@]}" --dry-run --json
without=$(memory)
rcity "${basic[@]}" "${channel[@]}" --dry-run --json
expect_json "d['memory_bytes'] == $without + d['receivers'] * (3 * 8 + 4)"
expect_no_file absent.tif
expect_no_leftover .
finish
