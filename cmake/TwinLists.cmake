# SPDX-License-Identifier: Apache-2.0
# Writes what follows from the names of the twins, so that nobody lists them. The twin of class BankConflict is
# rtl/smem/bank_conflict.sv; its adapter, rtl/adapters/bank_conflict_rtl.h, has the class BankConflictRtl; its block is
# declared in hw/smem/bank_conflict.h.
#
#   rtl/<stem>_twin.cpp, rtl/twin_list.cpp   the registry (rtl/adapters/twins.h); the sources are in G80_TWIN_SOURCES.
#                                            Without G80_RTL it has no twins.
#   generated/twin_state.h, .def             registers and counters of each block whose twin has an observer, for
#                                            rtl/adapters/bundles.def: BankConflictRegs, BankConflict::Counters
#   generated/twin_constants.def             every `inline constexpr unsigned kName = ...;  // meaning` of the shared
#                                            headers and of the blocks' own: CONSTANT(kName, Name, "meaning")
set(G80_TWIN_SOURCES ${G80_RTL_DIR}/twin_list.cpp)
set(constant_headers ${CMAKE_SOURCE_DIR}/hw/common/limits.h ${CMAKE_SOURCE_DIR}/hw/common/types.h
    ${CMAKE_SOURCE_DIR}/hw/bundles/transaction.h ${CMAKE_SOURCE_DIR}/hw/config/pipeline_depth.h
    ${CMAKE_SOURCE_DIR}/hw/exec/sp_datapath.h ${CMAKE_SOURCE_DIR}/hw/exec/sp_words.h)
file(GLOB bundle_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hw/bundles/*_bundles.h)
list(APPEND constant_headers ${bundle_headers})
set(state_headers)
set(state_lines)
set(twin_functions)
set(twin_calls)

# bank_conflict: BankConflict
function(g80_class_name result stem)
  string(REPLACE "_" ";" words ${stem})
  set(class)
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND class ${first}${rest})
  endforeach()
  set(${result} ${class} PARENT_SCOPE)
endfunction()

include(SmParts)
set(stems)
foreach(twin ${G80_RTL_TWINS})
  get_filename_component(stem ${twin} NAME_WE)
  list(APPEND stems ${stem})
  set(${stem}_source ${twin})
endforeach()
list(SORT stems)
foreach(stem ${stems})
  set(twin ${${stem}_source})
  file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${twin})
  string(REGEX REPLACE "^rtl/(.*)[.]sv$" "hw/\\1.h" header ${source})
  g80_class_name(class ${stem})
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${header})
    message(FATAL_ERROR "${source} is a twin, but its block ${header} does not exist")
  endif()
  list(APPEND constant_headers ${CMAKE_SOURCE_DIR}/${header})

  string(APPEND twin_functions "TwinInfo ${stem}_twin();\n")
  string(APPEND twin_calls "      ${stem}_twin(),\n")
  list(APPEND G80_TWIN_SOURCES ${G80_RTL_DIR}/${stem}_twin.cpp)
  set(adapters ${class}Rtl)
  set(part_header)
  if(stem IN_LIST G80_SM_PARTS)
    string(APPEND adapters ", ${class}Twin<${class}Part>")
    set(part_header "#include \"${stem}_part.h\"")
  endif()
  file(CONFIGURE OUTPUT ${G80_RTL_DIR}/${stem}_twin.cpp @ONLY CONTENT [[
#include "rtl/adapters/@stem@_rtl.h"
#include "rtl/adapters/twins.h"
@part_header@

namespace g80 {
TwinInfo @stem@_twin();
TwinInfo @stem@_twin() { return twin_info<@adapters@>("@stem@", "@source@"); }
}  // namespace g80
]])

  string(REPLACE ".sv" "_observer.sv" observer ${twin})
  if(EXISTS ${observer})
    string(APPEND state_headers "#include \"${header}\"\n")
    file(READ ${CMAKE_SOURCE_DIR}/${header} text)
    if(text MATCHES "struct ${class}Regs")
      string(APPEND state_lines "STATE(${class}Regs, ${stem}_regs)\n")
    endif()
    if(text MATCHES "(struct|using) Counters")
      string(APPEND state_lines "STATE(${class}::Counters, ${stem}_counters)\n")
    endif()
  endif()
endforeach()

set(constants)
foreach(header ${constant_headers})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} lines REGEX "^inline constexpr unsigned k")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^inline constexpr unsigned k([A-Za-z0-9]+) = [^;]+;( *// *(.*))?$" matched "${line}")
    if(matched)
      set(meaning "${CMAKE_MATCH_3}")
      set(constant ${CMAKE_MATCH_1})
      string(REPLACE "\"" "'" meaning "${meaning}")
      string(APPEND constants "CONSTANT(k${constant}, ${constant}, \"${meaning}\")\n")
    endif()
  endforeach()
endforeach()

if(NOT G80_RTL)
  set(G80_TWIN_SOURCES ${G80_RTL_DIR}/twin_list.cpp)
  set(twin_functions)
  set(twin_calls)
endif()
file(CONFIGURE OUTPUT ${G80_RTL_DIR}/twin_list.cpp @ONLY CONTENT [[
#include "rtl/adapters/twins.h"

namespace g80 {
@twin_functions@
const std::vector<TwinInfo>& twins() {
  static const std::vector<TwinInfo> list = {
@twin_calls@  };
  return list;
}
}  // namespace g80
]])
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/twin_state.h CONTENT "#pragma once\n${state_headers}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/twin_state.def CONTENT "${state_lines}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/twin_constants.def CONTENT "${constants}")
