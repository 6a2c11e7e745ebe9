# SPDX-License-Identifier: Apache-2.0
# Where the time of ./test goes: the processor time of its build and of its tests (seconds, -v build=, -v tests=) in
# minutes for each part, divided as the times are that ninja and ctest have noted for single steps and tests. Those are
# longer than the processor time where other programs run.
# awk -f tests/gate.awk -v command=./test -v build=S -v tests=S build/release/.ninja_log build/release/test.log
BEGIN {
  FS = "\t"
  count = split("chip model,RTL,synthesis and proofs,pages", parts, ",")
}
FILENAME ~ /ninja_log$/ {
  if ($0 !~ /^#/) took[$1 FS $2 FS $5] = ($2 - $1) FS ($4 ~ /rtl|test_twins/ ? "RTL" : "chip model")  # once a step
  next
}
match($0, /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: [^ ]+/) && match($0, / [0-9.]+ sec/) {
  seconds = substr($0, RSTART) + 0
  sub(/^[^:]*: /, "")
  part = /^rtl\/(synthesis|formal|Slang)/ ? parts[3] : /^(rtl|twins)\// ? "RTL" : /^(pages|docs)\// ? "pages" : "chip model"
  spent["tests", part] += seconds
  all["tests"] += seconds
}
END {
  for (step in took) {
    split(took[step], of, FS)
    spent["build", of[2]] += of[1]
    all["build"] += of[1]
  }
  for (i = 1; i <= count; ++i) {
    printf "%s\t%s", command, parts[i]
    printf "\t%.1f", build / 60 * (all["build"] ? spent["build", parts[i]] / all["build"] : 0)
    printf "\t%.1f\n", tests / 60 * (all["tests"] ? spent["tests", parts[i]] / all["tests"] : 0)
  }
}
