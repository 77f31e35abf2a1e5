#!/usr/bin/env bash
# Every header compiles alone: public ones as C11 and C++17, internal ones as C11, kernels as C11 and OpenCL C 1.2,
# those of the wave physics and of terrain in double precision too.
set -euo pipefail
cd "$(dirname "$0")/.."
warnings="-Wall -Wextra -Wpedantic -Werror"
count=0
for header in include/radiocity/*.h; do
  echo "#include \"radiocity/$(basename "$header")\"" | gcc -std=c11 $warnings -Iinclude -fsyntax-only -x c -
  echo "#include \"radiocity/$(basename "$header")\"" | g++ -std=c++17 $warnings -Iinclude -fsyntax-only -x c++ -
  count=$((count + 1))
done
while IFS= read -r header; do
  case "$header" in # those of an optional library are left alone where it is absent
    src/io/picture/*) flags=$(pkg-config --cflags cairo 2>/dev/null) || continue ;;
    src/io/gis/* | src/io/import/* | src/io/raster/*)
      command -v gdal-config > /dev/null || continue
      flags=$(gdal-config --cflags | sed 's/-I/-isystem/g') ;;
    *) flags="" ;;
  esac
  echo "#include \"${header#src/}\"" |
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L $warnings $flags -Iinclude -Isrc -I. -fsyntax-only -x c -
  count=$((count + 1))
done < <(find src bench -name '*.h' | sort)
# As a device compiles them: its own branch of portable.h, and no double, which it may lack.
while IFS= read -r header; do
  echo "#include \"${header#src/}\"" |
    clang -x cl -cl-std=CL1.2 -target spir64-unknown-unknown -D__OPENCL_VERSION__=120 -Xclang -finclude-default-header \
      -Xclang -cl-ext=-cl_khr_fp64 -Werror -Isrc -fsyntax-only -
  count=$((count + 1))
done < <(find src/kernel -name '*.h' | sort)
while IFS= read -r header; do # the double twin
  echo "#include \"${header#src/}\"" |
    gcc -std=c11 $warnings -Wconversion -Wdouble-promotion -DRCITY_REAL_IS_DOUBLE -Isrc -fsyntax-only -x c -
  count=$((count + 1))
done < <(find src/kernel/wave src/kernel/terrain -name '*.h' -not -name terrain_loss.h | sort) # a job's numbers are single
echo "headers: $count compiled alone"
