#!/usr/bin/env bash
# Fit the coefficients of `shadow` with --law paper again: makes the cities of cases.txt, draws receivers, finds all paths with `images` (some
# 20 minutes on 16 cores), the paths of `shadow`, and runs fit.py. Cases that are there already are not made again.
#   RADIOCITY_DATA=... tools/shadow_fit/run.sh BUILD FOLDER
# BUILD holds radiocity and shadow_paths (cmake --build BUILD --target shadow_paths).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: run.sh BUILD FOLDER}" && pwd)
folder=${2:?usage: run.sh BUILD FOLDER}
mkdir -p "$folder"
cd "$folder"

make_scene() { # kind:km2:seed or munich
  local name=${1//:/_}
  if [[ ! -e $name.rcity ]]; then
    if [[ $1 == munich ]]; then
      "$build/radiocity" scene import "${RADIOCITY_DATA:?names the folder of munich_cost231}/munich_cost231/Munich_buildings.res" -o munich.rcity
    else
      IFS=: read -r kind km2 seed <<< "$1"
      "$build/radiocity" scene make --kind "$kind" --area-km2 "$km2" --seed "$seed" -o "$name.rcity"
    fi
  fi >&2
  echo "$name.rcity"
}

fit=() test=()
while read -r use name scene tx mhz diffractions near far count seed; do
  [[ -n $use && $use != \#* ]] || continue
  case=$use-$name
  file=$(make_scene "$scene")
  [[ -e $case.points.csv ]] ||
    "$build/shadow_paths" points "$file" "${tx%,*}" "$near" "$far" "$count" "$seed" > "$case.points.csv"
  [[ -e $case.csv ]] ||
    "$build/radiocity" predict --scene "$file" --tx "$tx" --frequency-mhz "$mhz" --method images --max-reflections 2 \
      --max-diffractions "$diffractions" --sum power --points "$case.points.csv" --device host -o "$case.csv" >&2
  "$build/shadow_paths" paths "$file" "$tx" "$mhz" 2 "$case.points.csv" > "$case.paths"
  if [[ $use == fit ]]; then fit+=("$case"); else test+=("$case"); fi
done < "$here/cases.txt"
python3 "$here/fit.py" "${fit[@]}" --test "${test[@]}"
