#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# headers.sh BUILD [PATTERN]: installs BUILD and compiles each installed header (whose name has PATTERN) by itself, and
# all of them together: a program may include any two.
set -euo pipefail
build=$1
pattern=${2:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }
cd "$folder/prefix/include/g80"
compile() {
  g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -DSC_INCLUDE_DYNAMIC_PROCESSES -I. -x c++ -
}
alone() {
  echo "#include \"$1\"" | compile || echo "$1 does not compile by itself"
}
export -f compile alone
find . -name "*.h" -printf '%P\n' | grep -e "$pattern" | sort >"$folder/headers"
[ -s "$folder/headers" ] || { echo "no header is installed"; exit 1; }
xargs -P "$(nproc)" -I{} bash -c 'alone {}' <"$folder/headers" >"$folder/output" 2>&1
sed 's/.*/#include "&"/' "$folder/headers" | compile >>"$folder/output" 2>&1 ||
  echo "the headers do not compile together" >>"$folder/output"
cat "$folder/output"
echo "$(wc -l <"$folder/headers") headers"
[ ! -s "$folder/output" ]
