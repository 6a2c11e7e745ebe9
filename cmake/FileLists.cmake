# SPDX-License-Identifier: Apache-2.0
# The sources of the RTL for other tools, from what is in rtl/: files.f, a list for simulators, and g80_sm.core for
# FuseSoC (CAPI2).
#
#   cmake -P cmake/FileLists.cmake              fails if one of them is not what it should be
#   cmake -DWRITE=1 -P cmake/FileLists.cmake    writes both
#
# Generated modules are in the build folder of the preset `release`: ninja -C build/release rtl_package.
cmake_minimum_required(VERSION 3.25)
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
file(STRINGS ${root}/CMakeLists.txt project REGEX "^project\\(")
string(REGEX MATCH "VERSION ([0-9.]+)" matched "${project}")
set(version ${CMAKE_MATCH_1})

file(GLOB sources RELATIVE ${root}/rtl ${root}/rtl/*/*.sv)
list(FILTER sources EXCLUDE REGEX "^formal/|_observer[.]sv$")
list(SORT sources)
set(generated g80_pkg opcode_decoder sfu_rom)

set(list "// Written by cmake/FileLists.cmake. Paths start at the project's folder. Top: sm, or any twin.\n")
set(core "CAPI=2:
# Written by cmake/FileLists.cmake.
name: g80:rtl:sm:${version}
description: A multiprocessor of the G80, and the coalescer behind it
filesets:
  rtl:
    file_type: systemVerilogSource
    files:\n")
foreach(stem ${generated})
  string(APPEND list "build/release/rtl/${stem}.sv\n")
  string(APPEND core "      - ../build/release/rtl/${stem}.sv\n")
endforeach()
foreach(source ${sources})
  string(APPEND list "rtl/${source}\n")
  string(APPEND core "      - ${source}\n")
endforeach()
string(APPEND core "  waivers:
    file_type: vlt
    files:
      - lint/waivers.vlt
targets:
  default:
    filesets: [rtl]
    toplevel: sm
  lint:
    default_tool: verilator
    filesets: [waivers, rtl]
    toplevel: sm
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall, -Wno-UNUSEDSIGNAL]  # signals that only observers read
")

foreach(name files.f g80_sm.core)
  set(text "${list}")
  if(name STREQUAL g80_sm.core)
    set(text "${core}")
  endif()
  set(file ${root}/rtl/${name})
  if(WRITE)
    file(WRITE ${file} "${text}")
    continue()
  endif()
  set(before)
  if(EXISTS ${file})
    file(READ ${file} before)
  endif()
  if(NOT before STREQUAL text)
    message(FATAL_ERROR "rtl/${name} does not list the modules of rtl/: cmake -DWRITE=1 -P cmake/FileLists.cmake")
  endif()
endforeach()
