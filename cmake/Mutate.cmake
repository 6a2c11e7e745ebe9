# SPDX-License-Identifier: Apache-2.0
# Writes MUTANT, a copy of SOURCE in which REPLACE, which must stand there exactly once, became BY.
file(READ ${SOURCE} text)
string(FIND "${text}" "${REPLACE}" first)
string(FIND "${text}" "${REPLACE}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(FATAL_ERROR "${SOURCE} must contain '${REPLACE}' exactly once")
endif()
string(REPLACE "${REPLACE}" "${BY}" text "${text}")
file(WRITE ${MUTANT} "${text}")
