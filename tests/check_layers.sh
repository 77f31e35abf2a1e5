#!/usr/bin/env bash
# Proves src/LAYERS: every include goes to an allowed folder or an allowed public header.
#   tests/check_layers.sh [ROOT]   ROOT: another tree to check, for the check's own test
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
bad=0
declare -A folders headers
while IFS=: read -r name rest; do
  name=$(echo "$name" | tr -d ' ')
  [[ -z "$name" || "$name" == \#* ]] && continue
  folders[$name]=" ${rest%%|*} $name "
  headers[$name]=" ${rest#*|} "
done < src/LAYERS

allows() { # folder target: is the target, or a folder it lies in, in the folder's row?
  local part=$2
  while true; do
    [[ "${folders[$1]}" == *" $part "* ]] && return 0
    [[ "$part" == */* ]] || return 1
    part=${part%/*}
  done
}

check() { # folder file
  local line target
  while IFS= read -r line; do
    target=${line#*\"}
    target=${target%%\"*}
    if [[ "$target" == radiocity/* ]]; then
      [[ "${headers[$1]}" == *" * "* || "${headers[$1]}" == *" ${target#radiocity/} "* ]] && continue
    elif [[ "$target" != */* || "$target" == embedded/* ]]; then
      continue # the same folder, or a generated source of it
    elif allows "$1" "$target"; then
      continue
    fi
    echo "layers: $2 includes \"$target\", which $1 may not (src/LAYERS)"
    bad=1
  done < <(grep -E '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$2")
}

count=0
while IFS= read -r file; do
  folder=${file#src/}
  folder=${folder%/*}
  while [[ "$folder" == */* && -z "${folders[$folder]:-}" ]]; do
    folder=${folder%/*} # a folder without a row of its own goes by the one it lies in
  done
  if [[ -z "${folders[$folder]:-}" ]]; then
    echo "layers: $file lies in a folder that src/LAYERS does not list"
    bad=1
    continue
  fi
  check "$folder" "$file"
  count=$((count + 1))
done < <(find src bench cli examples -name '*.[ch]' -o -name '*.cl' | sort)
[[ $bad -eq 0 ]] && echo "layers: $count files, no upward include"
exit $bad
