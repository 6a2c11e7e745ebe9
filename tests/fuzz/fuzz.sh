#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes one program: first the inputs that once broke it, then $G80_FUZZ_SECONDS (5) of new ones.
# Usage: fuzz.sh NAME PROGRAM G80 SEED_PATTERNS WORD_TABLES CLANG, in the project's folder; lists are separated by ;
# The cubin fuzzer's seeds are assembled here, CUDA programs compiled to PTX, with and without optimisation. The corpus
# stays beside the program, so that longer runs go on where others ended; an input that breaks something stays in its
# folder `found`.
set -euo pipefail
shopt -s nullglob
name=$1 program=$2 g80=$3 clang=$6
IFS=';' read -ra seeds <<<"$4"
IFS=';' read -ra tables <<<"$5"
seconds=${G80_FUZZ_SECONDS:-5}
here=$(dirname "$(readlink -f "$0")")
work=$(dirname "$program")/../fuzz/$name
mkdir -p "$work/corpus" "$work/found"
rm -rf "$work/seeds"
mkdir "$work/seeds"

for pattern in "${seeds[@]}"; do
  for file in $pattern; do
    seed=$work/seeds/$(tr / _ <<<"$file")
    if [ "$name" = cubin ]; then
      "$g80" asm "$file" -o "$seed.cubin"
    elif [ "${file##*.}" = cu ]; then
      "$g80" compile --ptx "$file" -o "$seed.ptx"
      "$clang" -x cuda --cuda-gpu-arch=sm_20 --cuda-path=none -nocudainc -nocudalib --cuda-device-only \
        -Wno-everything -fdeclspec -include toolchain/cuda/include/cuda_runtime.h -Itoolchain/cuda/include \
        -O0 -S "$file" -o "$seed.O0.ptx"
    else
      cp "$file" "$seed"
    fi
  done
done
if [ "$name" = cubin ]; then
  cp "${G80_BINARIES_DIR:-../shared/binaries}"/*.cubin "$work/seeds/" 2>/dev/null || true
fi
grep -ohE '[$.]?[A-Za-z_][A-Za-z0-9_.]+' "${tables[@]}" | sort -u | sed 's/.*/"&"/' >"$work/words.dict"

export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=0} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
limits=(-timeout=1000 -rss_limit_mb=2048 -artifact_prefix="$work/found/")
tell() {
  echo "The input is kept in $work/found; $program FILE shows what it does again."
  echo "Once it is fixed it belongs in tests/fuzz/regressions/$name/."
}
trap 'status=$?; [ $status -eq 0 ] || tell' EXIT

known=("$here/regressions/$name"/*)
if [ ${#known[@]} -gt 0 ]; then "$program" "${limits[@]}" "${known[@]}"; fi
if [ "$seconds" -gt 0 ]; then
  seed=${G80_TEST_SEED:-1}
  "$program" "${limits[@]}" -seed="${seed/fresh/0}" -max_total_time="$seconds" -max_len=16384 -dict="$work/words.dict" -print_final_stats=1 \
    "$work/corpus" "$work/seeds" 2>&1 | tail -n 40
fi
