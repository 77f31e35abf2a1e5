#!/usr/bin/env bash
# The chapter "calibrate", run as it stands; then what calibrations cannot be made of, and what they must not be sure of.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
data=$here/../../examples/data
cp "$data"/drive_north.csv "$data"/drive_south.csv .
mast=(--tx 674,720,20 --frequency-mhz 1800)
rcity scene make --kind core --area-km2 1.5 --seed 7 -o town.rcity
expect_ok
if [[ $with_nlopt -eq 0 ]]; then
  rcity calibrate --scene town.rcity "${mast[@]}" --eirp-dbm 46 --measurements drive_north.csv --quiet -o absent.json
  expect_error 7 "NLopt"
  expect_no_file absent.json
  finish
fi

# The page.
if [[ $with_gdal -eq 1 && $with_cairo -eq 1 && $with_jansson -eq 1 ]]; then
  page=$here/../../docs/guide/calibrate.md
  sed -n '/^```sh$/,/^```$/p' "$page" | sed 's/^```sh$/#/; s/^```$//' > page.sh
  mkdir bin
  ln -s "$RADIOCITY" bin/radiocity
  run env PATH="$work/bin:$PATH" bash -eu page.sh
  expect_ok
  # Rows that the page shows come out so.
  grep -E '^(shadow|log-distance|  (before|fitted|on pieces|intervals by pieces|line-of-sight-offset-db|roof-path-db|wall-db|diffuse-db|map-doubt|clutter-db-per-m)) ' "$page" > shown.txt
  expect_success_of "$python" - shown.txt "$output" << 'END'
import sys
shown = [line.split() for line in open(sys.argv[1])]
printed = [line.split() for line in open(sys.argv[2])]
assert len(shown) >= 12, shown
for words in shown:
    assert any(words == other[: len(words)] for other in printed), words
END
  for file in before.png city.json route.png scatter.png points.csv map.tif map.png; do
    expect_file $file
  done
else
  skip "the chapter needs GDAL, Cairo and jansson"
fi

# Figures as JSON; the same bytes whatever the number of threads; what is fixed stays.
for threads in 1 3; do
  rcity calibrate --scene town.rcity "${mast[@]}" --eirp-dbm 46 --measurements drive_north.csv --weakest -115 --fix wall-db \
    --wall-db 12.5 --threads $threads -o threads$threads.json --json
  expect_ok
  cp "$output" threads$threads.txt
done
expect_same threads1.json threads3.json
expect_same threads1.txt threads3.txt
expect_success_of "$python" - threads1.txt << 'END'
import json, sys
made = json.load(open(sys.argv[1]))
by_name = {c["name"]: c for c in made["coefficients"]}
assert by_name["wall-db"]["value"] == 12.5 and not by_name["wall-db"]["is_fitted"]
for c in made["coefficients"]:
    assert not c["is_fitted"] or c["low"] <= c["value"] <= c["high"], c
assert made["training"]["rmse_db"] < made["before"]["rmse_db"] and made["crossed"]["count"] == made["training"]["count"]
# grows with the angle, as far as corners turn
assert by_name["corner-db-per-rad"]["value"] + 2 * 3.14159 * by_name["corner-db-per-rad2"]["value"] > -0.01
END

# Another method; what was fitted is what a prediction takes.
rcity calibrate --scene town.rcity "${mast[@]}" --eirp-dbm 46 --measurements drive_north.csv --weakest -115 --method log-distance \
  --reference-distance-m 50 -o simple.json --json
expect_ok
cp "$output" simple.txt
expect_success_of "$python" - simple.txt << 'END'
import json, sys
made = json.load(open(sys.argv[1]))
assert made["method"] == "log-distance"
assert [c["name"] for c in made["coefficients"]] == ["exponent", "reference-loss-db", "level Tx"]
for c in made["coefficients"]:
    assert c["is_fitted"] and c["low"] < c["value"] < c["high"], c
assert made["training"]["rmse_db"] < made["before"]["rmse_db"]
END
if [[ $with_jansson -eq 1 ]]; then
  map=(predict --scene town.rcity "${mast[@]}" --cell 20 --device host --json --quiet)
  read -r exponent loss < <("$python" -c '
import json, sys
print(*(json.load(open(sys.argv[1]))["options"][name] for name in ("exponent", "reference-loss-db")))' simple.json)
  rcity "${map[@]}" --method log-distance --reference-distance-m 50 --exponent "$exponent" --reference-loss-db "$loss"
  expect_ok
  cp "$output" by_hand.txt
  rcity "${map[@]}" --coefficients simple.json
  expect_ok
  cp "$output" by_file.txt
  expect_success_of "$python" -c '
import json, sys
by_hand, by_file = (json.load(open(name)) for name in sys.argv[1:])
assert "drive_north" in by_file.pop("coefficients")
assert by_hand == by_file' by_hand.txt by_file.txt
fi

# Several transmitters: intervals and cross-validation go by them. Four masts, each with a level of its own of some dB.
cat > masts.csv << 'END'
site,x,y,height_m,frequency_mhz
A,674,720,20,1800
B,300,900,35,1800
C,900,300,30,1800
D,350,350,45,1800
END
"$python" - << 'END'
import random
random.seed(5)
with open("places.csv", "w") as out:
    out.write("x,y\n")
    for _ in range(420):
        out.write("%.1f,%.1f\n" % (random.uniform(30, 1190), random.uniform(30, 1190)))
END
while IFS=, read -r site x y height _; do
  [[ $site == site ]] && continue
  rcity predict --scene town.rcity --tx "$x,$y,$height" --frequency-mhz 1800 --points places.csv --device host --quiet -o "levels_$site.csv"
  expect_ok
done < masts.csv
"$python" - << 'END'
import csv, random
random.seed(6)
level = {"A": 3.0, "B": -4.0, "C": 1.0, "D": -2.0}
for site in level:
    with open("drive_%s.csv" % site, "w") as out:
        out.write("site,x,y,path_loss_db\n")
        for row in csv.DictReader(open("levels_%s.csv" % site)):
            if row["path_loss_db"]:
                loss = float(row["path_loss_db"]) + level[site] + random.gauss(0, 5)
                out.write("%s,%s,%s,%.2f\n" % (site, row["x"], row["y"], loss))
END
many=(calibrate --scene town.rcity --sites masts.csv --average-wavelengths 0)
for sites in "A" "A B" "A B C D"; do
  files=()
  for site in $sites; do files+=(--measurements "drive_$site.csv"); done
  rcity "${many[@]}" "${files[@]}" -o "many${#files[@]}.json" --json
  expect_ok
  if grep -q "of other differences between them" "$errors"; then warned=1; else warned=0; fi
  expect_success_of "$python" - "$output" "${#files[@]}" $warned << 'END'
import json, sys
made, count, warned = json.load(open(sys.argv[1])), int(sys.argv[2]) // 2, int(sys.argv[3])
by = "transmitter" if count > 1 else "route"
assert made["transmitters"] == count and made["intervals_by"] == made["crossed_by"] == by, made
assert made["left_out"] == (count if count > 1 else 0)
assert warned == (count < 3), warned
words = [w for w in made["warnings"] if "of other differences between them" in w]
assert made["is_level_spread_estimated"] == (count > 2), made
assert made["level_spread_db"] == 4 if count < 3 else 2 < made["level_spread_db"] < 6, made
levels = {c["name"]: c["value"] for c in made["coefficients"] if c["name"].startswith("level ")}
assert sorted(levels) == ["level " + site for site in "ABCD"[:count]], levels
assert count < 3 or levels["level B"] < levels["level D"] < levels["level C"] < levels["level A"], levels
assert [("nothing" in w, "little" in w) for w in words] == {1: [(True, False)], 2: [(False, True)], 4: []}[count], words
span = made["fitted_span"]
assert span["frequency_mhz"] == [1800, 1800] and span["tx_height_m"] == {1: [20, 20], 2: [20, 35], 4: [20, 45]}[count]
assert 0 < span["distance_m"][0] < span["distance_m"][1] < 1500
assert 0 < span["elevation_deg"][0] < span["elevation_deg"][1] < 90
END
done
rcity "${many[@]}" "${files[@]}" -o many.json
expect_ok
expect_stdout "intervals by transmitter (4)" "on transmitters left out"
# For these very transmitters: no levels, and intervals as before.
rcity "${many[@]}" "${files[@]}" --level-spread-db 0 --json
expect_ok
expect_json 'd["level_spread_db"] == 0' 'not any(c["name"].startswith("level") for c in d["coefficients"])'
rcity "${many[@]}" --measurements drive_A.csv --level-spread-db 0 --json
expect_ok
if grep -q "nothing of the spread between transmitters" "$errors"; then pass; else fail "expected a warning"; fi
rcity "${many[@]}" --measurements drive_A.csv --level-spread-db 31 --quiet --json
expect_error 2 "31 dB" "0 to 30"
# Unknown powers of transmitters that are left out come from their own points.
rcity "${many[@]}" "${files[@]}" --fit-offset --json
expect_ok
expect_json 'abs(d["crossed"]["mean_db"]) < 1e-6' 'd["crossed"]["count"] == d["training"]["count"]'
# The same bytes whatever the number of threads.
for threads in 1 3; do
  rcity "${many[@]}" "${files[@]}" --threads $threads -o "many_threads$threads.json" --json
  expect_ok
done
expect_same many_threads1.json many_threads3.json
# None asked for, but intervals go by transmitter all the same.
rcity "${many[@]}" "${files[@]}" --cross-validation-blocks 0 --json
expect_ok
expect_json 'd["crossed"]["count"] == 0 and d["crossed_by"] is None' 'd["intervals_by"] == "transmitter"'
# Of more than 32 some are left out together, and the report says so.
"$python" - << 'END'
import csv
rows = [row for row in csv.DictReader(open("drive_A.csv"))]
with open("forty_sites.csv", "w") as sites, open("forty.csv", "w") as out:
    sites.write("site,x,y,height_m,frequency_mhz\n")
    out.write("site,x,y,path_loss_db\n")
    for k in range(40):
        sites.write("S%d,%g,%g,60,1800\n" % (k, 674 + 0.1 * k, 720))
    for i, row in enumerate(rows):
        out.write("S%d,%s,%s,%s\n" % (i % 40, row["x"], row["y"], row["path_loss_db"]))
END
rcity calibrate --scene town.rcity --sites forty_sites.csv --average-wavelengths 0 --measurements forty.csv --method log-distance -o forty.json
expect_ok
expect_stdout "intervals by transmitter (40, in 32 groups)"
# More files than eight.
split -n l/12 -d --filter='{ [ "$FILE" = piece_00 ] || echo site,x,y,path_loss_db; cat; } > "$FILE.csv"' drive_A.csv piece_
pieces=()
for file in piece_*.csv; do pieces+=(--measurements "$file"); done
rcity "${many[@]}" "${pieces[@]}" --json
expect_ok
expect_json 'd["transmitters"] == 1'
if [[ $with_jansson -eq 1 ]]; then
  # Old and new files: the same prediction; of what was not fitted on each quantity is named.
  rcity score --scene town.rcity --sites masts.csv --average-wavelengths 0 --measurements drive_B.csv --coefficients many2.json --json
  expect_ok
  expect_json '[(m["name"], m["fitted_on"]) for m in d["models"]][:2] == [("shadow", "drive_A"), ("shadow", None)]' \
    'd["models"][0]["is_extrapolated"]' \
    'any("a transmitter height of 20 m, here it is 35 m" in w for w in d["warnings"])'
  rcity score --scene town.rcity --sites masts.csv --average-wavelengths 0 --measurements drive_B.csv --coefficients many.json -o points.csv
  expect_ok
  if head -n 1 points.csv | grep -q ",shadow_db,"; then pass; else fail "expected a column of the uncalibrated method"; fi
  if grep -q "were fitted at" "$errors"; then fail "expected no warning"; else pass; fi
fi

# Clutter is fitted on request only.
rcity "${many[@]}" "${files[@]}" --json
expect_ok
expect_json 'not [c for c in d["coefficients"] if c["name"] == "clutter-db-per-m"][0]["is_fitted"]'
rcity "${many[@]}" "${files[@]}" --fit clutter-db-per-m --fit wall-db --json
expect_ok
expect_json 'all(c["is_fitted"] for c in d["coefficients"] if c["name"] in ("clutter-db-per-m", "wall-db", "diffuse-db"))'

# A power that nobody knows.
rcity calibrate --scene town.rcity "${mast[@]}" --measurements drive_north.csv --quiet -o absent.json
expect_error 2 "--fit-offset"
rcity calibrate --scene town.rcity "${mast[@]}" --measurements drive_north.csv --fit-offset --json
expect_ok
cp "$output" offset.txt
expect_success_of "$python" - offset.txt << 'END'
import json, sys
offset = [c for c in json.load(open(sys.argv[1]))["coefficients"] if c["name"].startswith("offset")]
assert len(offset) == 1 and offset[0]["low"] <= -46.0 <= offset[0]["high"], offset  # 46 dBm more than the 0 that is taken
END

# Powers through an antenna that looks somewhere: plain models that were fitted along are those of a score of the same points.
if [[ $with_jansson -eq 1 ]]; then
  antenna=(--scene town.rcity "${mast[@]}" --eirp-dbm 46 --antenna 3gpp --azimuth-deg 30 --tilt-deg 3 --rx-gain-dbi 2)
  rcity calibrate "${antenna[@]}" --measurements drive_north.csv --weakest -115 --cross-validation-blocks 0 -o antenna.json
  expect_ok
  rcity score "${antenna[@]}" --measurements drive_north.csv --weakest -115 --coefficients antenna.json
  expect_ok
  expect_success_of "$python" - "$output" << 'END'
import sys
rows = [line for line in open(sys.argv[1]) if "(fitted on" in line and not line.startswith("shadow")]
here = {line.split(" (")[0]: line.split(")")[1].split() for line in rows if "these points" in line}
there = {line.split(" (")[0]: line.split(")")[1].split() for line in rows if "drive_north" in line}
assert len(here) == 3, rows
for name in here:
    assert all(abs(float(a) - float(b)) < 0.011 for a, b in zip(here[name], there[name]) if a != "-"), (here, there)
END
else
  skip "scores with coefficients need jansson"
fi

# Nonsense: a route far from the city, constant values, ten points, wrong units, nothing fitting together.
nonsense() {
  rcity calibrate --scene town.rcity "${mast[@]}" --eirp-dbm 46 --quiet -o absent.json "${@:2}" --measurements "$1"
}
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 + 50000 "," $3 "," $4 }' drive_north.csv > far.csv
nonsense far.csv
expect_error 2 "far.csv" "outside the scene"
nonsense far.csv --keep-outside
expect_error 2 "free space"
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 "," $3 ",-90" }' drive_north.csv > constant.csv
nonsense constant.csv
expect_error 2 "the same"
head -n 60 drive_north.csv > few.csv
nonsense few.csv
expect_error 2 "too few"
awk -F, 'NR == 1 { print } NR > 1 && $4 != "" { print $1 "," $2 "," $3 "," (-$4) }' drive_north.csv > sign.csv
nonsense sign.csv
expect_error 2 "power"
awk -F, 'NR == 1 { print "time_s,x,y,path_loss_db" } NR > 1 && $4 != "" { print $1 "," $2 "," $3 "," $4 }' drive_north.csv > loss.csv
nonsense loss.csv
expect_error 2 "loss"
# x and y swapped: a third of the route lies in buildings.
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $3 "," $2 "," $4 }' drive_north.csv > swapped.csv
rcity calibrate --scene town.rcity "${mast[@]}" --eirp-dbm 46 --measurements swapped.csv --json
expect_ok
if grep -q "have no prediction" "$errors"; then pass; else fail "expected a word about points in buildings"; fi
# Half of a route beyond the map: said in a warning.
rcity scene make --kind core --area-km2 0.3 --seed 7 -o corner.rcity
expect_ok
rcity calibrate --scene corner.rcity --tx 300,300,40 --frequency-mhz 1800 --eirp-dbm 46 --keep-outside --measurements drive_south.csv --json
expect_ok
if grep -q "outside the scene: no building is known there" "$errors"; then pass; else fail "expected a word about points outside"; fi

# Values that have nothing to do with the places: no error, but no confidence either.
awk -F, 'BEGIN { srand(1) } NR == 1 { print "x,y,path_loss_db" } NR > 1 { printf "%s,%s,%.1f\n", $2, $3, 90 + 60 * rand() }' \
  drive_north.csv > noise.csv
rcity calibrate --scene town.rcity "${mast[@]}" --measurements noise.csv --json
expect_ok
if grep -q warning "$errors"; then pass; else fail "expected a warning"; fi
expect_success_of "$python" - "$output" << 'END'
import json, sys
made = json.load(open(sys.argv[1]))
assert any("no better than a constant" in warning for warning in made["warnings"]), made["warnings"]
END

# Words that are none.
rcity calibrate --scene town.rcity "${mast[@]}" --measurements drive_north.csv
expect_error 2 "-o FILE.json"
rcity calibrate --scene town.rcity "${mast[@]}" --measurements drive_north.csv -o map.tif
expect_error 2 ".json"
nonsense drive_north.csv --fix wall
expect_error 2 "'wall' is no coefficient of" "; it has: "
nonsense drive_north.csv --fit clutter
expect_error 2 "'clutter' is no coefficient of" "; it has: "
nonsense drive_north.csv --fit clutter-loss
expect_error 2 "clutter-loss has a new name: clutter-db-per-m"
nonsense drive_north.csv --fit wall-db --fix wall-db
expect_error 2 "'wall-db' is both to be fitted (--fit) and to stay as it is (--fix)"
nonsense drive_north.csv --method hata
expect_error 7 "has no coefficients" "log-distance" "shadow"
nonsense drive_north.csv --cross-validation-blocks 1
expect_error 2 "blocks"
nonsense drive_north.csv --fit-position-m -3
expect_error 2 "-3 m"
nonsense absent.csv
expect_error 4 "absent.csv"
expect_no_file absent.json
finish
