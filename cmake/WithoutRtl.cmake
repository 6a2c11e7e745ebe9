# SPDX-License-Identifier: Apache-2.0
# Configures the project of SOURCE in FOLDER as ./run and ./test do. Fails if they need a Verilated model nevertheless.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${FOLDER} -DCMAKE_BUILD_TYPE=Release -DG80_RTL=OFF
                        -DG80_ALL_TESTS=OFF
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ninja -C ${FOLDER} -t commands g80 tests_of_minutes
                OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
foreach(program g80 test_sm)
  if(NOT commands MATCHES "-o bin/${program} ")
    message(FATAL_ERROR "without RTL: no command links ${program}")
  endif()
endforeach()
if(commands MATCHES "--top-module ([a-z_]+)")
  message(FATAL_ERROR "without RTL: Verilator translates ${CMAKE_MATCH_1}")
endif()
