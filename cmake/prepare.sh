# SPDX-License-Identifier: Apache-2.0
# Shell functions of ./run and ./test: install what is missing, configure, build. Source it from the project's folder.

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# Installs the Debian packages of a list that are missing (apt.txt); does nothing, and needs no rights, if all are there.
install_packages() {
  local list=${1:-apt.txt}
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system: the packages of $list must come from elsewhere."
    return
  fi
  local missing=() package
  while read -r package; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done <"$list"
  [ ${#missing[@]} -eq 0 ] && return
  echo "Installing ${missing[*]}"
  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "installing ${missing[*]} needs root or sudo, and this user has neither"
    as_root=(sudo "${as_root[@]}")
  fi
  "${as_root[@]}" apt-get -q update || fail "apt-get update failed, so ${missing[*]} could not be installed"
  "${as_root[@]}" apt-get -q install -y --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install ${missing[*]}"
}

# One compiler per core, as far as memory goes: SystemC sources take up to a gigabyte each.
build_jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo 1)
  [ "${gigabytes:-1}" -lt 1 ] && gigabytes=1
  echo $((cores < gigabytes ? cores : gigabytes))
}

# Configures the release preset and builds the targets named, or everything. A build folder that was made elsewhere is
# configured afresh. The Verilated blocks, most of a build, are left out unless rtl=ON or the folder has them.
# all_tests=ON or OFF: whether the folder has every test, or those of minutes.
build_release() {
  local fresh=()
  grep -qx 'G80_RTL:BOOL=ON' build/release/CMakeCache.txt 2>/dev/null && rtl=ON
  if [ -z "${HOME:-}" ]; then export CCACHE_DIR="${CCACHE_DIR:-$PWD/build/ccache}"; fi
  if [ -f build/release/CMakeCache.txt ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/release/CMakeCache.txt; then
    fresh=(--fresh)
  fi
  cmake --preset release "${fresh[@]}" "-DG80_RTL=${rtl:-OFF}" ${all_tests:+"-DG80_ALL_TESTS=$all_tests"} ||
    fail "the project could not be configured"
  cmake --build --preset release -j "$(build_jobs)" ${1:+--target "$@"} || fail "the build failed"
}
