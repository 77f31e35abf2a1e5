#!/usr/bin/env bash
# Builds what the tests need and runs them.
#   tools/run_tests.sh quick   dev: every short and medium test, with sanitizers; release: the program, the library from outside,
#                              parity on every device, the sources and documents; bare: the short tests
#   tools/run_tests.sh long    all of these, the rest of release, the thread sanitizer, the fuzzers for a moment, and the
#                              long tests in full size
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-quick}
jobs=$(nproc)

# Real data that may not be committed; tests that need it skip with a visible line where it is absent.
if [[ -z "${RADIOCITY_DATA:-}" && -d ../shared/data ]]; then
  RADIOCITY_DATA=$(cd ../shared/data && pwd)
  export RADIOCITY_DATA
fi

build() { # preset [cmake --build's words]
  echo "== $1: build"
  cmake --preset "$1" > "build/$1.configure.log" 2>&1 || { cat "build/$1.configure.log"; exit 1; }
  cmake --build --preset "$1" -j "$jobs" "${@:2}" > "build/$1.build.log" 2>&1 || { tail -n 60 "build/$1.build.log"; exit 1; }
}

# The leak checker's own tracer may die after a test has passed; tests/CMakeLists.txt avoids the cause that is known. What failed
# so, and only then, runs a second time.
run() {
  echo "== $1: test"
  ctest --preset "$1" -j "$jobs" "${@:2}" && return
  grep -q "LeakSanitizer has encountered a fatal error" "build/$1/Testing/Temporary/LastTest.log" || return 1
  echo "== $1: again what failed, since the leak checker's tracer died"
  ctest --preset "$1" --rerun-failed
}

mkdir -p build
outside=(--target rcity_outside)
[[ "$mode" != long ]] || outside=()
build release "${outside[@]}"
build dev
build bare
ln -sfn release/radiocity build/radiocity
if [[ "$mode" == long ]]; then # before dev, which then finds the kernels compiled: drivers compile slowly under sanitizers
  run release
else
  run release -L 'program|parity|source'
fi
run dev
run bare -L short
if [[ "$mode" == long ]]; then
  build fuzz
  run fuzz
  build tsan
  run tsan
  jobs=1 run long -L long
fi
echo "all tests passed"
