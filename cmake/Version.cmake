# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, which defines what hw/common/version.h declares: VERSION, and the commit of SOURCE ("-dirty" appended if
# files differ from it; "unknown" outside git). An OUTPUT that says the same already is left alone.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT id)
  set(id unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"hw/common/version.h\"
namespace g80 {
const char* const kVersion = \"@VERSION@\";
const char* const kGitId = \"@id@\";
}  // namespace g80
" @ONLY)
