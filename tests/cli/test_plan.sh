#!/usr/bin/env bash
# radiocity plan: the guide's example as it stands, but with a short search; the same answer after a stop; lists that
# predict reads; senseless demand.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1

page=$here/../../docs/guide/plan.md
sed -n '/^```sh$/,/^```$/p' "$page" | sed 's/^```sh$/#/; s/^```$//; s/--stations 3/--stations 3 --moves 160/' > page.sh
mkdir bin
ln -s "$RADIOCITY" bin/radiocity
if [[ $with_gdal -eq 1 && $with_cairo -eq 1 ]]; then
  run env PATH="$work/bin:$PATH" bash -eu page.sh
  expect_ok
  expect_stdout "plan-3" "greedy alone" "predictions"
  rcity plan --scene city.rcity --demand-raster network.tif --demand-band best_server --cluster-m 60 --stations 2 --frequency-mhz 900 \
    --eirp-dbm 20 --least-dbm -50 --method free-space --moves 60 --points raster.csv --quiet
  expect_ok
  if [[ $(wc -l < raster.csv) -gt 50 ]]; then pass; else fail "expected a point for each square of 60 m"; fi
  rcity plan --scene city.rcity --demand-raster network.tif --stations 2 --frequency-mhz 900 --eirp-dbm 20 --json --quiet
  expect_error 2 "is above 0"
  for file in city.rcity sites.csv points.csv network.tif plan/index.html plan/report.json plan/map.png; do
    expect_file $file
  done
else
  skip "the guide's example needs GDAL and Cairo"
  rcity scene make --kind core --area-km2 0.25 --seed 7 -o city.rcity
fi

# Demand as a list; the same search whole, and stopped.
{
  echo "x,y,weight"
  for i in 1 2 3 4 5 6 7 8 9; do
    echo "$((40 + 47 * i)),$((500 - 51 * i)),$i"
    echo "$((480 - 45 * i)),$((470 - 43 * i)),2"
  done
} > demand.csv
task=(--scene city.rcity --demand demand.csv --stations 2 --frequency-mhz 900 --eirp-dbm 20 --least-dbm -55 --method free-space
  --device host)
rcity plan "${task[@]}" --moves 400 -o whole.csv --json
expect_ok
cp "$output" whole.json
rcity plan "${task[@]}" --moves 400 --threads 1 -o again.csv --json
expect_ok
expect_same whole.csv again.csv
rcity plan "${task[@]}" --moves 400 --checkpoint search.rcity -o kept.csv
expect_ok
rcity plan "${task[@]}" --moves 400 --checkpoint search.rcity --resume -o resumed.csv
expect_ok
expect_same whole.csv resumed.csv
rcity plan "${task[@]}" --moves 401 --checkpoint search.rcity --resume --quiet -o other.csv
expect_error 1 "another task"

# What was stopped is written, and goes on.
if command -v "$python" > /dev/null; then
  "$RADIOCITY" plan "${task[@]}" --moves 3000000 --checkpoint long.rcity -o best.csv > /dev/null 2> stopped.txt &
  pid=$!
  sleep 2
  kill -TERM $pid
  wait $pid
  status=$?
  if [[ $status -eq 9 ]]; then pass; else fail "a stopped search ended with $status: $(cat stopped.txt)"; fi
  expect_file best.csv
  expect_file long.rcity
fi

# Lists of sites go into predict.
rcity predict --scene city.rcity --sites whole.csv --method free-space --cell 50 --json
expect_ok
expect_stdout "plan-1" "plan-2"
rcity predict --scene city.rcity --sites whole.csv --method free-space --cell 1 --demand demand.csv --thresholds -55 --json
expect_ok
if [[ -n $python ]]; then
  cp "$output" network.json
  run "$python" - whole.json network.json << 'END'
import json, sys
plan, network = (json.load(open(path)) for path in sys.argv[1:])
demand = network["demand"]
assert demand["points"] == plan["points"] and demand["weight"] == plan["weight"], demand
row = demand["coverage"][0]
assert abs(row["covered_weight"] - plan["found"]["covered_weight"]) <= 0.1 * plan["weight"], (row, plan["found"])
END
  expect_status 0
fi
rcity predict --scene city.rcity --sites whole.csv --demand demand.csv --json --quiet
expect_error 2 "--thresholds"
if [[ $with_gdal -eq 1 ]]; then
  rcity plan "${task[@]}" --moves 100 -o sites.geojson
  expect_ok
fi

# Sites that stand stay, forbidden places are empty, candidates are kept to.
printf 'site,x,y,height_m,frequency_mhz,eirp_dbm\nplan-1,100,100,40,900,20\n' > old.csv
printf 'name,x,y\nsouth,-10,-10\nsouth,600,-10\nsouth,600,250\nsouth,-10,250\n' > forbidden.csv
rcity plan "${task[@]}" --moves 200 --existing old.csv --forbidden forbidden.csv --station-height-m 60 -o more.csv --points got.csv
expect_ok
expect_stdout "before" "plan-1" "plan-2" "plan-3"
rcity predict --scene city.rcity --sites more.csv --method free-space --cell 50 --json
expect_ok
if awk -F, 'NR > 2 && $3 < 250 { bad = 1 } END { exit bad }' more.csv; then pass; else fail "a station stands where it may not"; fi
printf 'x,y\n10,10\n' > one.csv
rcity plan "${task[@]}" --candidates one.csv --quiet --json
expect_error 2 "fewer than the 2 stations"

# Demand that makes no sense.
echo "x,y,weight" > none.csv
rcity plan --scene city.rcity --demand none.csv --stations 1 --frequency-mhz 900 --eirp-dbm 20 --quiet --json
expect_error 5 "no point of demand"
printf 'x,y,weight\n20000,20000,1\n' > far.csv
rcity plan --scene city.rcity --demand far.csv --stations 1 --frequency-mhz 900 --eirp-dbm 20 --quiet --json
expect_error 2 "outside the scene"
printf 'x,y,weight\n100,100,-1\n' > negative.csv
rcity plan --scene city.rcity --demand negative.csv --stations 1 --frequency-mhz 900 --eirp-dbm 20 --quiet --json
expect_error 5 "weight"
rcity plan --scene city.rcity --demand demand.csv --frequency-mhz 900 --eirp-dbm 20 --quiet --json
expect_error 2 "--stations"
rcity plan --scene city.rcity --stations 1 --frequency-mhz 900 --eirp-dbm 20 --quiet --json
expect_error 2 "one source of demand"
rcity plan "${task[@]}" --quiet
expect_error 2 "no output"
finish
