# SPDX-License-Identifier: Apache-2.0
# cmake -DG80=<program> -P Train.cmake: the launches of tests/speed/instructions.tsv, without the reference and with it.
cmake_minimum_required(VERSION 3.25)
set(source ${CMAKE_CURRENT_LIST_DIR}/..)
set(ENV{G80_DATA_DIR} ${source})
file(STRINGS ${source}/tests/speed/instructions.tsv lines)
list(POP_FRONT lines)  # the columns
foreach(line ${lines})
  string(REGEX REPLACE ".*\t" "" launch "${line}")
  separate_arguments(launch UNIX_COMMAND "${launch}")
  foreach(check off lockstep)
    execute_process(COMMAND ${G80} run ${launch} --check ${check} --quiet WORKING_DIRECTORY ${source}
                    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
