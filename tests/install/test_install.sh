#!/usr/bin/env bash
# Installs the build into a fresh folder and builds a consumer against it, through find_package and through pkg-config;
# first proves that the consumer fails without it. A shared library shows its public functions and nothing else.
#   test_install.sh shared|static COMPILER CMAKE GENERATOR MAKE_PROGRAM    with RADIOCITY_BUILD naming the build
# shellcheck source-path=SCRIPTDIR source=../cli/cli_test.sh
. "$(dirname "$0")/../cli/cli_test.sh"
kind=$1 compiler=$2 cmake=$3
tools=(-G "$4" -DCMAKE_MAKE_PROGRAM="$5" -DCMAKE_C_COMPILER="$compiler")
source_root=$(cd "$(dirname "$0")/../.." && pwd)
consumer=$(cd "$(dirname "$0")" && pwd)/consumer
prefix=$work/prefix
# The place it was built in must not help: what is not installed is not there.
unset LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH
mkdir "$work/empty"
cd "$work" || exit 1

# Without it there is nothing to find.
alone=(-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH=OFF)
run "$cmake" -S "$consumer" -B without "${tools[@]}" "${alone[@]}"
if [[ $status -ne 0 ]] && grep -q 'package configuration file provided by "radiocity"' "$errors"; then
  pass
else
  fail "expected the consumer to miss radiocity"
fi

run "$cmake" --install "$RADIOCITY_BUILD" --prefix "$prefix"
expect_status 0
for file in bin/radiocity include/radiocity/radiocity.h include/radiocity_ffi.h; do
  expect_file "$prefix/$file"
done
config=$(find "$prefix" -name radiocity-config.cmake)
pc=$(find "$prefix" -name radiocity.pc)
expect_file "$config"
expect_file "$pc"
library=$(find "$prefix" \( -name 'libradiocity.so' -o -name 'libradiocity.a' \) | head -n 1)
expect_file "$library"
run "$prefix/bin/radiocity" --version
expect_ok
expect_stdout "radiocity "
# Nothing installed remembers where it was built.
run grep -rlF "$source_root" "$prefix/include" "$(dirname "$config")" "$pc"
if [[ $status -eq 1 ]]; then pass; else fail "expected no path of the source in what is installed"; fi

# find_package
run "$cmake" -S "$consumer" -B with "${tools[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
expect_status 0
run "$cmake" --build with
expect_status 0
run with/consumer
expect_ok
if grep -Eqx 'radiocity [0-9.]+: median loss [0-9]+\.[0-9]+ dB' "$output"; then pass; else fail "expected a loss"; fi
cat "$output"
cp "$output" first.txt

# pkg-config
if command -v pkg-config > /dev/null; then
  run env PKG_CONFIG_LIBDIR="$work/empty" pkg-config --exists radiocity
  if [[ $status -ne 0 ]]; then pass; else fail "expected pkg-config to miss radiocity"; fi
  wants_static=()
  [[ $kind == shared ]] || wants_static=(--static)
  run env PKG_CONFIG_PATH="$(dirname "$pc")" pkg-config "${wants_static[@]}" --cflags --libs radiocity
  expect_status 0
  read -ra flags < "$output"
  run "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror "$consumer/consumer.c" -o plain "${flags[@]}"
  expect_status 0
  run env LD_LIBRARY_PATH="$(dirname "$library")" ./plain
  expect_ok
  expect_same "$output" first.txt
  # The whole program of the guide, as a reader copies it, prints what the guide says.
  awk '/^```c$/ {inside = 1; text = ""; next} /^```$/ {if (text ~ /int main/) printf "%s", text; inside = 0; text = ""}
    inside {text = text $0 "\n"}' "$source_root/docs/guide/c-api.md" > guide.c
  run "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror guide.c -o guide "${flags[@]}"
  expect_status 0
  run env LD_LIBRARY_PATH="$(dirname "$library")" ./guide
  expect_ok
  sed -n '/^It prints$/,/^More programs/s/^    //p' "$source_root/docs/guide/c-api.md" > said.txt
  expect_same "$output" said.txt
  run env PKG_CONFIG_PATH="$(dirname "$pc")" pkg-config --modversion radiocity
  if [[ $(cat "$output") == "$("$RADIOCITY" --version | cut -d' ' -f2)" ]]; then pass; else fail "expected the same version"; fi
else
  skip "pkg-config is not installed"
fi

# What the library shows is what the headers declare, and it brings no library of the benchmarks.
if [[ -e $prefix/include/radiocity/bench.h ]]; then fail "expected no header of the benchmarks"; else pass; fi
if [[ $kind == shared ]]; then
  run ldd "$library"
  expect_status 0
  if grep -qi embree "$output"; then fail "expected a library without Embree"; else pass; fi
  cat "$prefix"/include/radiocity/*.h | tr '\n' ' ' | grep -oE 'RCITY_API [^;(]*\(' |
    grep -oE 'rcity_[a-z0-9_]+ *\($' | tr -d ' (' | sort -u > declared.txt
  # the linker adds marks of its own
  nm -D --defined-only "$library" | awk '{print $NF}' | grep -vxE '__bss_start|_edata|_end|_init|_fini' | sort -u > shown.txt
  run diff declared.txt shown.txt
  if [[ $status -eq 0 && $(wc -l < declared.txt) -gt 20 ]]; then
    pass
    echo "$(wc -l < shown.txt) functions, all declared in include/radiocity"
  else
    fail "expected the functions of the headers (<) to be those of the library (>)"
  fi
fi
finish
