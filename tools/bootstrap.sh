#!/usr/bin/env bash
# Installs the Debian packages that radiocity builds and tests with; names what is missing first, does nothing when nothing is.
#   tools/bootstrap.sh          what `make`, `make demo` and `make test` need
#   tools/bootstrap.sh --list   only print the packages, one a line
set -euo pipefail

packages=(
  # compilers and build: gcc is the compiler, clang carries the fuzzers, formatter and linter
  gcc g++ libc6-dev cmake ninja-build make pkg-config git
  clang libclang-rt-14-dev libomp-14-dev clang-format clang-tidy
  # the engine: checksums, OpenCL headers, a loader and a CPU driver so that every kernel runs without a GPU
  zlib1g-dev opencl-headers ocl-icd-libopencl1 pocl-opencl-icd
  # exchange formats and pictures
  libgdal-dev gdal-bin python3-gdal libcairo2-dev libhdf5-dev fonts-dejavu-core
  # calibration: the optimiser, and files of coefficients
  libnlopt-dev libjansson-dev
  # the yardstick of `radiocity bench segments`
  libembree-dev
  # tests
  libcmocka-dev python3 hdf5-tools
)

if [[ "${1:-}" == "--list" ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "bootstrap: this is not a Debian-like machine; install the counterparts of: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ "$state" == "installed" ]] || missing+=("$package")
done

if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

echo "bootstrap: installing ${missing[*]}"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "bootstrap: needs root or sudo to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
