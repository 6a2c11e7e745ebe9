# SPDX-License-Identifier: Apache-2.0
# Writes HEADER with the commit of SOURCE ("-dirty" appended if files differ from it; "unknown" outside git).
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT id)
  set(id unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\nnamespace g80 {\ninline constexpr const char* kGitId = \"@id@\";\n}  // namespace g80\n" @ONLY)
