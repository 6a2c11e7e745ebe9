# SPDX-License-Identifier: Apache-2.0
# Configures the project of SOURCE in FOLDER without G80_RTL. Fails if the program needs a Verilated model nevertheless.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${FOLDER} -DCMAKE_BUILD_TYPE=Release -DG80_RTL=OFF
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ninja -C ${FOLDER} -t commands g80 OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
if(NOT commands MATCHES "-o bin/g80 ")
  message(FATAL_ERROR "g80 without RTL: no command links it")
endif()
if(commands MATCHES "--top-module ([a-z_]+)")
  message(FATAL_ERROR "g80 without RTL: Verilator translates ${CMAKE_MATCH_1}")
endif()
