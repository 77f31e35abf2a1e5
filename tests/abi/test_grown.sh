#!/usr/bin/env bash
# Programs outlive structs: a program built against the headers as they are runs with a library whose structs have grown, with
# the same results; one built against the grown headers is refused by the library as it is, with a sentence.
#   test_grown.sh LIBRADIOCITY_SO COMPILER CMAKE GENERATOR MAKE_PROGRAM
# shellcheck source-path=SCRIPTDIR source=../cli/cli_test.sh
. "$(dirname "$0")/../cli/cli_test.sh"
library=$1 compiler=$2 cmake=$3 generator=$4 maker=$5
here=$(cd "$(dirname "$0")" && pwd)
source_root=$(cd "$here/../.." && pwd)
cd "$work" || exit 1
unset LD_LIBRARY_PATH

# The tree once more, with headers in which structs of each kind have a field of a later version.
mkdir later
for item in "$source_root"/*; do
  case $(basename "$item") in
    build | include) ;;
    *) ln -s "$item" later/ ;;
  esac
done
cp -r "$source_root/include" later/include
grown=(rcity_city_options rcity_request rcity_network_options rcity_building rcity_scene_info rcity_method_info
  rcity_method_option rcity_material rcity_permittivity rcity_device_info rcity_estimate rcity_band rcity_band_summary
  rcity_coverage rcity_point_result rcity_predictor_effort rcity_line_measure
  rcity_tile_visibility_options rcity_tile_visibility_info rcity_delays_info rcity_delay_cell rcity_delay_summary
  rcity_delays_draw_options rcity_link_profile_options rcity_link_profile_info rcity_link_profile_point
  rcity_link_profile_obstacle rcity_link_profile_draw_options)
for name in "${grown[@]}"; do
  sed -i "s|^} $name;|    double later_m[3];\n} $name;|" later/include/radiocity/*.h
done
if [[ $(cat later/include/radiocity/*.h | grep -c later_m) -eq ${#grown[@]} ]]; then pass; else fail "expected grown structs"; fi
options=(-DRCITY_BUILD_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0)
for name in GDAL CAIRO HDF5 EMBREE NLOPT JANSSON; do
  options+=("-DRCITY_WITH_$name=OFF")
done
run "$cmake" -S later -B built -G "$generator" -DCMAKE_MAKE_PROGRAM="$maker" -DCMAKE_C_COMPILER="$compiler" "${options[@]}"
expect_status 0
run "$cmake" --build built --target radiocity_library
expect_status 0

build_program() { # name include
  run "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$2" "$here/program.c" -o "$1" "$library" -lm
  expect_status 0
}
build_program old "$source_root/include"
build_program new later/include

run env LD_LIBRARY_PATH="$(dirname "$library")" ./old
expect_status 0
cp "$output" today.txt
cp "$errors" sizes.txt
run env LD_LIBRARY_PATH="$work/built" ./old
expect_status 0
expect_same "$output" today.txt
expect_stdout "map " "path_loss dB" "best_server" "point " "line " "coverage " "effort " "tiles " "delays " "cell " "picture 1200 " "profile " "profile picture 1200"
run env LD_LIBRARY_PATH="$work/built" ./new
expect_status 0
expect_same "$output" today.txt
expect_different "$errors" sizes.txt
run env LD_LIBRARY_PATH="$(dirname "$library")" ./new
expect_status 1
for words in "RCITY_ERR_ARGUMENT: a rcity_city_options of " "start from rcity_city_options_default() and build the program"; do
  if grep -qF "$words" "$errors"; then pass; else fail "expected '$words'"; fi
done
finish
