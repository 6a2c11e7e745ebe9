# SPDX-License-Identifier: Apache-2.0
# g80_verilate(<target> SOURCE <file.sv> [PREFIX <class>] [OPTIMIZE <level>] [REPLACE <text> BY <text>])
# makes a static library with the Verilated model.
#
# Verilator runs when the project is built, not when it is configured, and only when its inputs changed. Loops stay loops
# (--unroll-count), and its output is compiled as two files: that takes a second where the default takes twenty.
# With REPLACE the library is a mutant: the text must stand in the source exactly once.
set(G80_RTL_DIR ${CMAKE_BINARY_DIR}/rtl)
set(G80_RTL_PACKAGE ${G80_RTL_DIR}/g80_params_pkg.sv)
set(G80_RTL_WAIVERS ${CMAKE_SOURCE_DIR}/rtl/lint/waivers.vlt)

function(g80_verilate target)
  cmake_parse_arguments(arg "" "SOURCE;PREFIX;OPTIMIZE;REPLACE;BY" "" ${ARGN})
  get_filename_component(stem ${arg_SOURCE} NAME_WE)
  if(NOT arg_PREFIX)
    set(arg_PREFIX V${stem})
  endif()
  if(NOT arg_OPTIMIZE)
    set(arg_OPTIMIZE -O2)
  endif()
  set(dir ${G80_RTL_DIR}/${target})
  set(source ${arg_SOURCE})
  if(arg_REPLACE)
    set(source ${dir}/${stem}.sv)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${arg_SOURCE} -DMUTANT=${source} "-DREPLACE=${arg_REPLACE}" "-DBY=${arg_BY}"
              -P ${CMAKE_SOURCE_DIR}/cmake/Mutate.cmake
      DEPENDS ${arg_SOURCE} ${CMAKE_SOURCE_DIR}/cmake/Mutate.cmake VERBATIM COMMENT "Mutating ${stem}.sv for ${target}")
  endif()
  add_custom_command(OUTPUT ${dir}/${arg_PREFIX}__fast.cpp ${dir}/${arg_PREFIX}__slow.cpp
    COMMAND ${VERILATOR_BIN} --cc --assert -O3 --unroll-count 2 --x-initial 0
            --trace-fst --trace-structs --no-trace-params --prefix ${arg_PREFIX} --top-module ${stem}
            --Mdir ${dir} -Wno-fatal ${G80_RTL_WAIVERS} ${G80_RTL_PACKAGE} ${source}
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -DPREFIX=${arg_PREFIX} -P ${CMAKE_SOURCE_DIR}/cmake/VerilatedSources.cmake
    DEPENDS ${source} ${G80_RTL_PACKAGE} ${G80_RTL_WAIVERS} ${CMAKE_SOURCE_DIR}/cmake/VerilatedSources.cmake
    VERBATIM COMMENT "Verilating ${target}")
  set_source_files_properties(${dir}/${arg_PREFIX}__slow.cpp PROPERTIES COMPILE_OPTIONS -O0)  # runs once
  add_library(${target} STATIC ${dir}/${arg_PREFIX}__fast.cpp ${dir}/${arg_PREFIX}__slow.cpp)
  target_include_directories(${target} SYSTEM PUBLIC ${dir})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -w ${arg_OPTIMIZE})
  target_link_libraries(${target} PUBLIC g80::verilated)
  set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "")
endfunction()
