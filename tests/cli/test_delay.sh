#!/usr/bin/env bash
# Delays: what a stored run says of a place as text, JSON, table and picture; files that are refused; which predictions have
# them. The file is made by make_delays.c, whose numbers stand here again.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
make_delays=$(realpath "${RADIOCITY_BUILD:-$(dirname "$RADIOCITY")}")/tests/make_delays
cd "$work" || exit 1

# Which predictions have delays; refused before a scene is read.
none=(predict --scene missing.rcity --tx 1,2,3 --frequency-mhz 900)
rcity "${none[@]}" --delay-bin-ns 10 -o map.tif
expect_error 2 "--delay-bin-ns is of --delays"
if [[ $with_hdf5 -eq 0 ]]; then
  rcity "${none[@]}" --delays delays.h5
  expect_error 7 "this build has no HDF5" "delays.h5"
  rcity delay delays.h5 --at 1,2
  expect_error 7 "cannot read 'delays.h5'" "this build has no HDF5"
  finish
fi
rcity "${none[@]}" --method free-space --delays delays.h5
expect_error 7 "method 'free-space' does not serve delays"
rcity "${none[@]}" --delays delays.tif
expect_error 2 "a file of delays ends in .h5"
for width in 0 -20 0.0009 1e7; do
  rcity "${none[@]}" --delays delays.h5 --delay-bin-ns=$width
  expect_error 2 "--delay-bin-ns is" "must be 0.001 to 1e+06"
done
rcity predict --scene missing.rcity --sites sites.csv --delays delays.h5
expect_error 2 "delays are of one transmitter"
rcity "${none[@]}" --points points.csv --delays delays.h5
expect_error 2 "delays are of the cells of a map; --points has none"
rcity "${none[@]}" --surfaces city.glb --delays delays.h5
expect_error 2 "delays are of the cells of a map"

run "$make_delays" delays.h5
expect_status 0

# A place in sight with two echoes, whole.
rcity delay delays.h5 --at 101,202
expect_ok
cat > expected.txt << 'END'
101, 202: cell of 5 m around 102.5, 202.5, 1.5 m above ground, bins of 20 ns
gain                  -79.2 dB, strongest bin -80.0 dB at 110 ns
mean delay            120.2 ns
RMS delay spread      23.01 ns
maximum excess delay  60 ns (down to 20 dB below the strongest bin)
Rician K              7.0 dB
coherence bandwidth   8.691 MHz (correlation 0.5)
bins                  3

    delay_ns   gain_db
       110.0     -80.0 ##################################################
       170.0     -87.0 ###########################################
       310.0    -110.0 --------------------
END
expect_same "$output" expected.txt
rcity delay delays.h5 --at 101,202 --threshold-db 30.1
expect_stdout "maximum excess delay  200 ns (down to 30.1 dB below" "310.0    -110.0 ####################"
rcity delay delays.h5 --at 107.5,202.5
expect_stdout "bins                  40" "RMS delay spread      88.97 ns" "1130.0    -137.8 ------------"
rcity delay delays.h5 --at 112,202
expect_stdout "all power is in one bin" "no limit: there is no spread" "RMS delay spread      0 ns"
rcity delay delays.h5 --at 118,202
expect_ok
expect_stdout "nothing arrives here"

# The same as JSON; the figures are those of its bins.
rcity delay delays.h5 --at 101,202 --json
expect_ok
expect_json 'd["entry_count"] == len(d["bins"]) == 3' 'd["bins"][2]["bin"] == 10' 'd["x_m"] == 102.5 and d["column"] == 0' \
  'd["notes"]["frequency_mhz"] == 2100' \
  'abs(sum(b["delay_s"] * 10 ** (b["gain_db"] / 10) for b in d["bins"]) / sum(10 ** (b["gain_db"] / 10) for b in d["bins"]) - d["mean_delay_s"]) < 1e-15' \
  'abs(d["coherence_hz"] * d["delay_spread_s"] - 0.2) < 1e-9' 'abs(d["k_factor_db"] - 6.968) < 1e-3'
rcity delay delays.h5 --at 118,202 --json
expect_json 'd["bins"] == [] and d["gain_db"] is None and d["entry_count"] == 0'

# Table and picture.
rcity delay delays.h5 --at 101,202 --csv bins.csv
expect_ok
printf 'bin,delay_ns,gain_db\n0,110.000,-80.000\n3,170.000,-86.990\n10,310.000,-110.000\n' > expected.csv
expect_same bins.csv expected.csv
if [[ $with_cairo -eq 1 ]]; then
  rcity delay delays.h5 --at 101,202 --png place.png --png-width 800
  expect_ok
  expect_file place.png
  if [[ $(head -c 24 place.png | tail -c 8 | od -An -tx1 | tr -d ' ' | cut -c 1-8) == 00000320 ]]; then pass; else fail "expected 800 pixels"; fi
  rm bins.csv
  rcity delay delays.h5 --at 118,202 --csv bins.csv --png nothing.png
  expect_error 2 "nothing arrives at 117.5, 202.5"
  expect_no_file nothing.png
  expect_no_file bins.csv
fi

# Places, options and files that cannot be.
rcity delay delays.h5 --at 99.9,202
expect_error 2 "99.9, 202 lies outside" "x 100 to 120" "y 200 to 205"
rcity delay delays.h5
expect_error 2 "the place is missing; give --at X,Y"
rcity delay delays.h5 --at 101
expect_error 2 "--at takes X,Y"
rcity delay --at 101,202
expect_error 2 "the file of delays is missing"
rcity delay delays.h5 --at 101,202 --threshold-db -1
expect_error 2 "--threshold-db is -1, must be 0 to 300"
rcity delay delays.h5 --at 101,202 --png place.jpg
expect_error 2 "a picture ends in .png"
rcity delay delays.h5 --at 101,202 --png place.png --png-width 20
expect_error 2 "--png-width is 20"
rcity delay delays.h5 --at 101,202 --csv nowhere/bins.csv
expect_error 4 "nowhere/bins.csv"
rcity delay missing.h5 --at 101,202
expect_error 4 "missing.h5"
printf 'x,y\n1,2\n' > table.h5
rcity delay table.h5 --at 101,202
expect_error 5 "'table.h5' is not an HDF5 file"
head -c 5000 delays.h5 > short.h5
rcity delay short.h5 --at 101,202
expect_error 5 "'short.h5' has no checksum at its end" "make it again"
"$python" - << 'END'
data = bytearray(open("delays.h5", "rb").read())
data[len(data) // 2] ^= 0x10
open("damaged.h5", "wb").write(data)
END
rcity delay damaged.h5 --at 101,202 --csv none.csv
expect_error 5 "'damaged.h5' is damaged: the checksum" "make it again"
expect_no_file none.csv
expect_no_leftover "$work"
# The first block of the guide, run as it stands.
if [[ $with_cairo -eq 1 ]]; then
  mkdir bin page
  ln -s "$RADIOCITY" bin/radiocity
  sed -n '/^```sh$/,/^```$/p' "$here/../../docs/guide/delays.md" | sed '/^```/d' > page/page.sh
  run env -C page PATH="$work/bin:$PATH" bash -eu page.sh
  expect_ok
  expect_stdout "330, 300: cell of 5 m" "RMS delay spread" "#######"
  expect_file page/delays.png
fi
# A real one: delays of a small city beside its map.
rcity scene make --kind core --area-km2 0.1 --seed 3 -o city.rcity
expect_ok
rcity predict --scene city.rcity --tx 101,101,60 --frequency-mhz 2100 --method beams --max-reflections 2 -o map.tif --delays city.h5
expect_ok
rcity delay city.h5 --at 130,130
expect_ok
expect_stdout "mean delay" "RMS delay spread" "maximum excess delay"
cp city.h5 first.h5
rcity predict --scene city.rcity --tx 101,101,60 --frequency-mhz 2100 --method beams --max-reflections 2 -o map.tif --delays city.h5 --threads 1
expect_ok
expect_same city.h5 first.h5

finish
