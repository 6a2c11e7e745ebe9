# SPDX-License-Identifier: Apache-2.0
# The sources of the RTL for other tools, beside the modules that the build makes: files.f, a list for simulators with
# paths that start at the project's folder, and g80_sm.core for FuseSoC (CAPI2).
set(sources ${G80_RTL_PACKAGE} ${G80_RTL_DECODER} ${G80_RTL_ROM} ${G80_RTL_TWINS} ${G80_RTL_PARTS})
g80_relative(list ${sources})
list(JOIN list "\n" list)
file(CONFIGURE OUTPUT ${G80_RTL_DIR}/files.f CONTENT "${list}\n" @ONLY)

set(files)
foreach(source ${sources})
  file(RELATIVE_PATH source ${G80_RTL_DIR} ${source})
  string(APPEND files "      - ${source}\n")
endforeach()
file(RELATIVE_PATH waivers ${G80_RTL_DIR} ${CMAKE_SOURCE_DIR}/rtl/lint/waivers.vlt)
file(CONFIGURE OUTPUT ${G80_RTL_DIR}/g80_sm.core @ONLY CONTENT "CAPI=2:
name: g80:rtl:sm:${PROJECT_VERSION}
description: A multiprocessor of the G80, and the coalescer behind it
filesets:
  rtl:
    file_type: systemVerilogSource
    files:
${files}  waivers:
    file_type: vlt
    files:
      - ${waivers}
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
