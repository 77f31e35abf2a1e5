#!/usr/bin/env bash
# What knows of a method stays with the method: no string outside src/method and src/kernel has a method's name, and no file
# there includes a method's header; examples choose methods as users do. Beside it what else must not come back: a first
# transmitter that stands for all, const cast away, Embree in the library.
#   tests/check_names.sh [ROOT]   ROOT: another tree to check. RADIOCITY_BUILD: the build whose library is looked at
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
bad=0

# FILE, the name, and a piece of the line; each has its reason, and must still be there.
allowed=(
  "src/scene/material.c|tiles|{\"tiles\", \"brick\"}"                     # what a roof is covered with
  "src/io/surfaces/surfaces_hdf5.c|tiles|rcity_hdf5_add_group"            # a group of a file
  "src/visibility/tiles/tile_file.c|tiles|rcity_store_block"              # a block of a file
  "src/fit/score/baselines.c|log-distance|[RCITY_BASELINE_LOG_DISTANCE]"  # a baseline fitted to the points, not the method
  "cli/score/score_files.c|log-distance|#define BASELINE_NAME"            # the same one
  "cli/score/score_input.c|log-distance|free space and an offset"         # the same one, in the help
  "cli/score/score_input.c|walfisch-ikegami|radiocity score --scene"      # an example in the help
  "cli/predict/predict_input.c|walfisch-ikegami|radiocity predict --scene" # an example in the help
  "bench/bench.c|tiles|{{\"tiles\", "                                     # cases of the benchmark
  "bench/bench.c|beams|{{\"beams\", "                                     # cases of the benchmark
  "bench/bench.c|cubes|{{\"cubes\", "                                     # cases of the benchmark
  "bench/bench.c|terrain|{{\"terrain\", "                                 # cases of the benchmark
  "bench/bench.c|images|rcity_bench_images"                               # cases of the benchmark
  "bench/bench.c|images|\"munich_d2\""                                    # another one, on two lines
)

# The names, from the rows of the methods: those of kernels have underscores.
mapfile -t names < <(grep -rhoE '\.name = "[a-z0-9-]+"' src/method --include='*.c' | cut -d'"' -f2 | sort -u)
rows=$(grep -cE '^    &rcity_[a-z0-9_]*method(\.row)?,$' src/method/method_table.c)
if [[ ${#names[@]} -ne $rows || $rows -lt 5 ]]; then
  echo "names: ${#names[@]} names found (${names[*]}), but the table of methods has $rows rows"
  bad=1
fi

# Names that are also ordinary words, of which other folders may speak: these count where they are the whole string, or where
# the string speaks of methods.
words="tiles beams cubes terrain"

# FILE:LINE:NAME:TEXT of every string with a name in it; comments do not count, nor do includes.
find_strings() {
  awk -v names="$(IFS='|'; echo "${names[*]}")" -v words=" $words " '
    BEGIN { count = split(names, name, "|") }
    FNR == 1 { in_comment = 0 }
    {
      text = $0
      if (in_comment) { # up to its end
        if (!sub(/^.*\*\//, "", text)) next
        in_comment = 0
      }
      gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", text)
      if (sub(/\/\*.*$/, "", text)) in_comment = 1
      if (text ~ /^[ \t]*#[ \t]*include/) next
      gsub(/\\"/, "", text)
      pieces = split(text, piece, "\"")
      for (i = 2; i <= pieces; i += 2)
        for (k = 1; k <= count; k++)
          if (piece[i] ~ ("(^|[^A-Za-z0-9_-])" name[k] "($|[^A-Za-z0-9_-])") &&
              (index(words, " " name[k] " ") == 0 || piece[i] == name[k] || piece[i] ~ /method/)) print FILENAME ":" FNR ":" name[k] ":" $0
    }' "$@"
}

mapfile -t files < <(find src cli bench include -name '*.[ch]' -not -path 'src/method/*' -not -path 'src/kernel/*' | sort)
used=" "
while IFS=: read -r file line name text; do
  for i in "${!allowed[@]}"; do
    IFS='|' read -r where which piece <<< "${allowed[$i]}"
    if [[ "$file" == "$where" && "$name" == "$which" && "$text" == *"$piece"* ]]; then
      used+="$i "
      continue 2
    fi
  done
  echo "names: $file:$line: the method '$name' is named in a string: $text"
  bad=1
done < <(find_strings "${files[@]}")
for i in "${!allowed[@]}"; do
  if [[ "$used" != *" $i "* ]]; then
    echo "names: nothing is left of what is allowed here: ${allowed[$i]}"
    bad=1
  fi
done

# Benchmarks measure the parts of methods.
if grep -rnE '^[[:space:]]*#[[:space:]]*include "((method|kernel)/(shadow|images|empirical)|method/tiles)/' src cli include examples --include='*.[ch]' |
  grep -vE '^src/(method|kernel)/'; then
  echo "names: the files above include a header of a method; ask its row (src/method/method.h)"
  bad=1
fi
if grep -rnF 'transmitters[0]' src cli include examples; then
  echo "names: the lines above take the first transmitter for all"
  bad=1
fi
if ! grep -q -e '-Wcast-qual' CMakeLists.txt || grep -rnE 'u?intptr_t|-Wno-cast-qual|diagnostic ignored' src cli bench include examples CMakeLists.txt cmake; then
  echo "names: -Wcast-qual is not asked for, or the lines above go round it"
  bad=1
fi
library=${RADIOCITY_BUILD:-build/release}/libradiocity.so
looked=""
if [[ -e "$library" ]]; then
  looked=", a library without Embree"
  if ldd "$library" | grep -i embree; then
    echo "names: $library needs Embree"
    bad=1
  fi
fi
[[ $bad -eq 0 ]] && echo "names: ${#names[@]} methods, ${#files[@]} files without their names$looked"
exit $bad
