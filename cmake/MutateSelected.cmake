# SPDX-License-Identifier: Apache-2.0
# Writes into DIR a copy of every module that MANIFEST names, and mutant_pkg.sv. A line of MANIFEST is a number, a
# source file, an expression that stands there exactly once, and what it becomes if mutant_pkg::number is that number;
# tabs between them.
cmake_minimum_required(VERSION 3.20)
file(STRINGS ${MANIFEST} lines)
set(copies)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([0-9]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)$" matched "${line}")
  if(NOT matched)
    message(FATAL_ERROR "${MANIFEST}: '${line}' is no mutant")
  endif()
  set(number ${CMAKE_MATCH_1})
  set(source ${CMAKE_MATCH_2})
  set(expression "${CMAKE_MATCH_3}")
  set(becomes "${CMAKE_MATCH_4}")
  get_filename_component(name ${source} NAME_WE)
  if(NOT name IN_LIST copies)
    list(APPEND copies ${name})
    file(READ ${source} text_of_${name})
  endif()
  string(FIND "${text_of_${name}}" "${expression}" first)
  string(FIND "${text_of_${name}}" "${expression}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${source} must contain '${expression}' exactly once")
  endif()
  string(REPLACE "${expression}" "(mutant_pkg::number == ${number} ? (${becomes}) : (${expression}))" text_of_${name}
         "${text_of_${name}}")
endforeach()
foreach(name IN LISTS copies)
  file(WRITE ${DIR}/${name}.sv "${text_of_${name}}")
endforeach()
file(WRITE ${DIR}/mutant_pkg.sv
     "package mutant_pkg;\n  int unsigned number /*verilator public_flat_rw*/;\nendpackage\n")
