# SPDX-License-Identifier: Apache-2.0
# g80_verilate(<target> SOURCE <file.sv> [PREFIX <class>] [OPTIMIZE <level>] [PARTS <stem>...]
#              [MUTANTS <manifest> MUTATED <file.sv>...])
# makes a static library with the Verilated model.
#
# The modules that it instantiates are found in the folders of rtl/ by their names; <stem>_observer.sv beside the
# source, if there is one, is bound to it.
# Verilator runs when the project is built, not when it is configured, and only when its inputs changed. It sees names
# relative to the project: its messages quote them, and every copy of the project makes the same C++. Loops stay
# loops (--unroll-count), functions are cut in pieces (--output-split-cfuncs), because the compiler takes more than twice
# as long for one that is twice as long, and its output is compiled as two files, at -O0 as one: that takes a second
# where the default takes twenty.
# With PARTS <stem>... it is a model of these blocks, too: their outputs can be read, their observers are bound, and
# no signals are there for waves (they would be half of the C++).
# With the option G80_RTL_COVERAGE the models of single blocks count what of their source they reach
# (rtl/coverage/run.mjs).
# With MUTANTS <manifest> MUTATED <file.sv>... it has all mutants of the manifest, and mutant_pkg::number selects one of
# them; 0 is none. cmake/MutateSelected.cmake describes the manifest.
option(G80_RTL "build the twins: --rtl, --rtl-check and the tests need them" ON)
option(G80_RTL_COVERAGE "let the twins count which lines and bits of their source they reach" OFF)
set(G80_RTL_DIR ${CMAKE_BINARY_DIR}/rtl)
set(G80_RTL_PACKAGE ${G80_RTL_DIR}/g80_pkg.sv)
set(G80_RTL_CHIP_PACKAGE ${G80_RTL_DIR}/8800gtx/g80_pkg.sv)
set(G80_RTL_PROBE ${G80_RTL_DIR}/g80_layout_probe.sv)
set(G80_RTL_DECODER ${G80_RTL_DIR}/opcode_decoder.sv)
set(G80_RTL_ROM ${G80_RTL_DIR}/sfu_rom.sv)
set(G80_RTL_WAIVERS ${CMAKE_SOURCE_DIR}/rtl/lint/waivers.vlt)
# A twin has an adapter; every other module is a part of twins, but for the properties of rtl/formal, which only yosys
# reads, and the testbench.
file(GLOB modules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.sv)
list(FILTER modules EXCLUDE REGEX "/rtl/(formal|tb)/")
file(GLOB adapters CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/adapters/*_rtl.h)
set(G80_RTL_TWINS)
set(G80_RTL_PARTS)
set(G80_RTL_SEARCH ${G80_RTL_DIR})
foreach(module ${modules})
  get_filename_component(stem ${module} NAME_WE)
  get_filename_component(folder ${module} DIRECTORY)
  list(APPEND G80_RTL_SEARCH ${folder})
  if(${CMAKE_SOURCE_DIR}/rtl/adapters/${stem}_rtl.h IN_LIST adapters)
    list(APPEND G80_RTL_TWINS ${module})
  elseif(NOT stem MATCHES "_observer$")
    list(APPEND G80_RTL_PARTS ${module})
  endif()
endforeach()
list(REMOVE_DUPLICATES G80_RTL_SEARCH)

# g80_relative(<list> <path>...): the paths as seen from the project.
function(g80_relative list)
  set(relative)
  foreach(path ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${path})
    list(APPEND relative ${path})
  endforeach()
  set(${list} ${relative} PARENT_SCOPE)
endfunction()
g80_relative(G80_RTL_SEARCH ${G80_RTL_SEARCH})
list(TRANSFORM G80_RTL_SEARCH PREPEND "-y;")  # two words each

function(g80_verilate target)
  cmake_parse_arguments(arg "" "SOURCE;PREFIX;OPTIMIZE;MUTANTS" "MUTATED;PARTS" ${ARGN})
  get_filename_component(stem ${arg_SOURCE} NAME_WE)
  if(NOT arg_PREFIX)
    set(arg_PREFIX V${stem})
  endif()
  if(NOT arg_OPTIMIZE)
    set(arg_OPTIMIZE -O1)  # compiles in four fifths of the time that -O2 takes
  endif()
  set(dir ${G80_RTL_DIR}/${target})
  set(sources ${arg_SOURCE})
  if(arg_MUTANTS)
    list(REMOVE_ITEM sources ${arg_MUTATED})
    set(mutants ${dir}/mutant_pkg.sv)
    foreach(module ${arg_MUTATED})
      get_filename_component(name ${module} NAME)
      list(APPEND mutants ${dir}/${name})
    endforeach()
    add_custom_command(OUTPUT ${mutants}
      COMMAND ${CMAKE_COMMAND} -DMANIFEST=${arg_MUTANTS} -DDIR=${dir} -DSELECTED=mutant_pkg::number
              -DPACKAGE=${dir}/mutant_pkg.sv -P ${CMAKE_SOURCE_DIR}/cmake/MutateSelected.cmake
      DEPENDS ${arg_MUTANTS} ${arg_MUTATED} ${CMAKE_SOURCE_DIR}/cmake/MutateSelected.cmake
      VERBATIM COMMENT "Mutating the modules of ${target}")
    list(APPEND sources ${mutants})
  endif()
  string(REPLACE ".sv" "_observer.sv" observer ${arg_SOURCE})
  if(EXISTS ${observer} AND NOT observer IN_LIST arg_MUTATED)
    list(APPEND sources ${observer})
  endif()
  if(G80_RTL_SWITCH)  # a copy of the project with mutants in rtl/ (tests/mutation/run)
    list(PREPEND sources ${G80_RTL_SWITCH}/mutant_pkg.sv)
    list(APPEND switch ${G80_RTL_SWITCH}/rtl_switch.cpp)
  endif()
  set(trace --trace-fst --trace-structs --no-trace-params)
  set(pieces 1)
  if(G80_RTL_COVERAGE AND NOT arg_PARTS AND NOT arg_MUTANTS)
    list(APPEND trace --coverage-line --coverage-toggle)
    list(PREPEND sources ${CMAKE_SOURCE_DIR}/rtl/coverage/counted.vlt)
  endif()
  if(arg_PARTS)
    set(trace)
    set(pieces 16)
    set(visible "`verilator_config\n")
    foreach(part ${arg_PARTS})
      string(APPEND visible "public_flat_rd -module \"${part}\" -var \"*_o\"\n")
      file(GLOB observer ${CMAKE_SOURCE_DIR}/rtl/*/${part}_observer.sv)
      list(APPEND sources ${observer})
    endforeach()
    file(CONFIGURE OUTPUT ${dir}.vlt CONTENT "${visible}")
    list(PREPEND sources ${dir}.vlt)
  endif()
  set(model ${dir}/${arg_PREFIX})
  if(arg_OPTIMIZE STREQUAL -O0)
    set(made ${model}__all.cpp)
  else()
    set(made ${model}__slow.cpp)
    math(EXPR last "${pieces} - 1")
    foreach(piece RANGE ${last})
      list(APPEND made ${model}__fast${piece}.cpp)
    endforeach()
    set_source_files_properties(${model}__slow.cpp PROPERTIES COMPILE_OPTIONS -O0)  # runs once, or for waves
  endif()
  g80_relative(seen ${G80_RTL_WAIVERS} ${G80_RTL_PACKAGE} ${sources})
  set(files ${CMAKE_COMMAND} -DDIR=${dir} -DPREFIX=${arg_PREFIX} -DPIECES=${pieces})
  add_custom_command(OUTPUT ${made}
    BYPRODUCTS ${model}.h ${model}___024root.h  # which adapters include
    COMMAND ${files} -DREMOVE=1 -P ${CMAKE_SOURCE_DIR}/cmake/VerilatedSources.cmake
    COMMAND ${VERILATOR_BIN} --cc --assert -O3 --unroll-count 2 --output-split-cfuncs 300 --x-initial unique
            ${trace} --prefix ${arg_PREFIX} --top-module ${stem}
            --Mdir ${dir} -Wno-fatal ${seen} ${G80_RTL_SEARCH}
    COMMAND ${files} -P ${CMAKE_SOURCE_DIR}/cmake/VerilatedSources.cmake
    DEPENDS ${sources} ${G80_RTL_PARTS} ${G80_RTL_PACKAGE} ${G80_RTL_DECODER} ${G80_RTL_ROM}
            ${G80_RTL_WAIVERS} ${CMAKE_SOURCE_DIR}/cmake/VerilatedSources.cmake
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM COMMENT "Verilating ${target}")
  add_library(${target} STATIC ${made} ${switch})
  target_include_directories(${target} SYSTEM PUBLIC ${dir})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  # gcc spends a quarter of its time on looking far for stores to the same word; it finds as much nearby.
  target_compile_options(${target} PRIVATE -w ${arg_OPTIMIZE} --param=sccvn-max-alias-queries-per-access=40
                         --param=dse-max-alias-queries-per-store=16)
  target_link_libraries(${target} PUBLIC g80::verilated)
  set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "")
endfunction()
