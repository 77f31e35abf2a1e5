#!/usr/bin/env bash
# Layout, layers, messages, headers and clang-tidy; fails on the first kind of finding.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== layout"
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror
echo "== layers"
tests/check_layers.sh
echo "== messages"
tests/check_messages.sh
tests/check_names.sh
echo "== headers alone"
tests/check_headers.sh
echo "== clang-tidy"
cmake --preset tidy > /dev/null
cmake --build --preset tidy -j "$(nproc)" -- -k 0
