#!/usr/bin/env bash
# `calibrate --method beams` in a made city: what levels were made with is found again; what was found is what a prediction takes.
# shellcheck source-path=SCRIPTDIR source=cli_test.sh
. "$(dirname "$0")/cli_test.sh"
cd "$work" || exit 1
[[ $with_nlopt -eq 1 ]] || skip_all "calibrations need NLopt"
mast=(--tx 150,150,30 --frequency-mhz 1800)
few=(--method beams --max-reflections 1)
rcity scene make --kind core --area-km2 0.1 --seed 7 -o town.rcity
expect_ok
"$python" - << 'END'
import random
random.seed(5)
with open("places.csv", "w") as out:
    out.write("x,y\n")
    for _ in range(300):
        out.write("%.1f,%.1f\n" % (random.uniform(-20, 330), random.uniform(-20, 330)))
END

# Measurements: levels of a city that reflects better than its map says and scatters more, with noise of 2 dB.
rcity predict --scene town.rcity "${mast[@]}" "${few[@]}" --reflected-db 6 --diffuse-db 15 --map-doubt 0.4 --points places.csv \
  --device host --quiet -o levels.csv
expect_ok
"$python" - << 'END'
import csv, random
random.seed(6)
with open("drive.csv", "w") as out:
    out.write("x,y,path_loss_db\n")
    for row in csv.DictReader(open("levels.csv")):
        if row["path_loss_db"]:
            out.write("%s,%s,%.3f\n" % (row["x"], row["y"], float(row["path_loss_db"]) + random.gauss(0, 2)))
END
drive=(--scene town.rcity "${mast[@]}" --measurements drive.csv --average-wavelengths 0)
for threads in 1 3; do
  rcity calibrate "${drive[@]}" "${few[@]}" --fix roofs-db --roofs-db -1.5 --threads $threads -o threads$threads.json --json
  expect_ok
  cp "$output" threads$threads.txt
done
expect_same threads1.json threads3.json
expect_same threads1.txt threads3.txt
expect_success_of "$python" - threads1.txt << 'END'
import json, sys
made = json.load(open(sys.argv[1]))
by_name = {c["name"]: c for c in made["coefficients"]}
assert list(by_name) == ["direct-db", "reflected-db", "diffracted-db", "roofs-db", "diffuse-db", "diffuse-roof-m", "map-doubt",
                         "exponent", "constant-db", "reflection-loss-db", "diffraction-loss-db",
                         "transmission-loss-db", "inside-db-per-m", "level Tx"], list(by_name)
assert by_name["roofs-db"]["value"] == -1.5 and not by_name["roofs-db"]["is_fitted"]
assert not by_name["diffuse-roof-m"]["is_fitted"] # on request only
assert not by_name["exponent"]["is_fitted"] # of the other law
for c in made["coefficients"]:
    assert not c["is_fitted"] or c["low"] <= c["value"] <= c["high"], c
assert made["training"]["rmse_db"] < 2.3 < made["before"]["rmse_db"], made
assert by_name["diffuse-db"]["value"] < 21.0 and by_name["reflected-db"]["value"] > 1.0, by_name
END
# A prediction with the file is the one with these numbers as options.
if [[ $with_jansson -eq 1 ]]; then
  read -r -a numbers < <("$python" -c '
import json
for name, value in json.load(open("threads1.json"))["options"].items():
    print("--" + name, value, end=" ")')
  points=(predict --scene town.rcity "${mast[@]}" --points places.csv --device host --quiet)
  rcity "${points[@]}" --coefficients threads1.json -o by_file.csv
  expect_ok
  rcity "${points[@]}" --method beams "${numbers[@]}" -o by_hand.csv
  expect_ok
  expect_same by_file.csv by_hand.csv
fi

# Without the surroundings their numbers make no difference, so they are not fitted.
rcity calibrate "${drive[@]}" "${few[@]}" --surroundings off -o off.json --json
expect_ok
expect_success_of "$python" - "$output" << 'END'
import json, sys
by_name = {c["name"]: c for c in json.load(open(sys.argv[1]))["coefficients"]}
assert not by_name["diffuse-db"]["is_fitted"] and not by_name["map-doubt"]["is_fitted"] and by_name["direct-db"]["is_fitted"]
END

# The paper's law, noise of 0.5 dB. A constant and the level of the only transmitter are one number.
paper=(--method beams --max-reflections 2 --law paper)
rcity predict --scene town.rcity "${mast[@]}" "${paper[@]}" --exponent 2.3 --constant-db 36 --reflection-loss-db 9 \
  --diffraction-loss-db 14 --points places.csv --device host --quiet -o levels.csv
expect_ok
"$python" - << 'END'
import csv, random
random.seed(7)
with open("drive.csv", "w") as out:
    out.write("x,y,path_loss_db\n")
    for row in csv.DictReader(open("levels.csv")):
        if row["path_loss_db"]:
            out.write("%s,%s,%.3f\n" % (row["x"], row["y"], float(row["path_loss_db"]) + random.gauss(0, 0.5)))
END
rcity calibrate "${drive[@]}" "${paper[@]}" -o paper.json --json
expect_ok
expect_success_of "$python" - "$output" << 'END'
import json, sys
made = json.load(open(sys.argv[1]))
by_name = {c["name"]: c for c in made["coefficients"]}
for name, value, most in (("exponent", 2.3, 0.15), ("reflection-loss-db", 9.0, 1.0), ("diffraction-loss-db", 14.0, 1.0)):
    assert by_name[name]["is_fitted"] and abs(by_name[name]["value"] - value) < most, by_name[name]
assert abs(by_name["constant-db"]["value"] + by_name["level Tx"]["value"] - 36.0) < 3.0, by_name
assert not by_name["direct-db"]["is_fitted"] and made["training"]["rmse_db"] < 0.6, made
END

# The same through buildings: what a wall takes and what a metre inside takes.
through=(--method beams --max-reflections 1 --max-transmissions 2 --law paper --exponent 2 --constant-db 38)
rcity predict --scene town.rcity --tx 130,150,6 --frequency-mhz 1800 "${through[@]}" --transmission-loss-db 6 --inside-db-per-m 0.3 \
  --points places.csv --device host --quiet -o levels.csv
expect_ok
"$python" - << 'END'
import csv, random
random.seed(8)
with open("drive.csv", "w") as out:
    out.write("x,y,path_loss_db\n")
    for row in csv.DictReader(open("levels.csv")):
        if row["path_loss_db"]:
            out.write("%s,%s,%.3f\n" % (row["x"], row["y"], float(row["path_loss_db"]) + random.gauss(0, 0.5)))
END
rcity calibrate --scene town.rcity --tx 130,150,6 --frequency-mhz 1800 --measurements drive.csv --average-wavelengths 0 \
  "${through[@]}" --fix exponent --fix constant-db -o through.json --json
expect_ok
expect_success_of "$python" - "$output" << 'END'
import json, sys
by_name = {c["name"]: c for c in json.load(open(sys.argv[1]))["coefficients"]}
for name, value, most in (("transmission-loss-db", 6.0, 1.0), ("inside-db-per-m", 0.3, 0.05)):
    assert by_name[name]["is_fitted"] and abs(by_name[name]["value"] - value) < most, by_name[name]
END
finish
