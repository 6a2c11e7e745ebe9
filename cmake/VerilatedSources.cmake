# SPDX-License-Identifier: Apache-2.0
# Writes PIECES files from DIR/PREFIX__fast0.cpp on and DIR/PREFIX__slow.cpp, which include what Verilator made for
# PREFIX: what runs at every evaluation, and what runs once or for the sample of a wave. DIR/PREFIX__all.cpp includes
# all of it.
#
# What the model would tell Verilator's FST writer, names, types and values of its signals, it tells g80::RtlTrace instead:
# one model for every wave format, and its signals for all who look at the machine. rtl/adapters/rtl_trace.h has the
# writer's interface as release 5.006 calls it; with another release this does not compile.
file(GLOB generated ${DIR}/${PREFIX}*.cpp ${DIR}/${PREFIX}*.h)
if(REMOVE)  # before Verilator runs: it may make fewer files than the last time
  if(generated)
    file(REMOVE ${generated})
  endif()
  return()
endif()
foreach(file ${generated})
  file(READ ${file} text)
  string(REPLACE "class VerilatedFstC;" "#include \"rtl/adapters/rtl_trace.h\"" bound "${text}")
  string(REPLACE "\"verilated_fst_c.h\"" "\"verilated_trace.h\"" bound "${bound}")  # VerilatedTraceConfig
  string(REPLACE "VerilatedFstC" "g80::RtlTraceFile" bound "${bound}")
  string(REPLACE "VerilatedFst" "g80::RtlTrace" bound "${bound}")
  # g80::RtlTrace takes all values of a sample: functions that store changed ones alone are not compiled.
  string(REGEX REPLACE "[^\n]*->add(Chg|Cleanup)Cb\\([^\n]*\n" "" bound "${bound}")
  # Calls that declare signals and scopes become lines of tables, because a call takes ten times as long to compile.
  if(file MATCHES "__Trace__[0-9]+__Slow")
    set(call "\n *tracep->")
    set(signal "\\(c\\+([0-9]+),(\"[^\"]*\"),([-0-9]+),[^\n]* false,-1")  # code, name and enumeration
    string(REGEX REPLACE "${call}declBit${signal}\\);" "\n@{\\2, \\1, \\3}," bound "${bound}")
    string(REGEX REPLACE "${call}decl[BQA][a-z]+${signal}, ([0-9]+),([0-9]+)\\);" "\n@{\\2, \\1, \\3, \\4, \\5},"
           bound "${bound}")
    string(REGEX REPLACE "${call}pushNamePrefix\\((\"[^\"]*\")\\);" "\n@{\\1}," bound "${bound}")
    string(REGEX REPLACE "${call}popNamePrefix\\(([0-9]+)\\);" "\n@{nullptr, \\1}," bound "${bound}")
    set(table "{ static const g80::RtlTrace::Line lines[] = {")
    string(REGEX REPLACE "(\n[^@\n][^\n]*)\n@" "\\1\n${table}\n@" bound "${bound}")
    string(REGEX REPLACE "(\n@[^\n]*)\n([^@])" "\\1 }; tracep->declare(lines); }\n\\2" bound "${bound}")
    string(REPLACE "\n@" "\n" bound "${bound}")
  endif()
  # A module that is a class of its own has a copy of each function with messages for every instance, because they name
  # the instance. With the name from the object the copies are equal: all but the first become calls of it.
  if(file MATCHES "/(${PREFIX}_[a-zA-Z].*)__DepSet_.*__[0-9]+\\.cpp$")
    set(class ${CMAKE_MATCH_1})
    string(REGEX REPLACE "%N[]a-z0-9_.[]*\\.([a-z_]+: )" "%N\\1" bound "${bound}")
    string(REPLACE "vlSymsp->name()" "vlSelf->name()" bound "${bound}")
    string(REGEX MATCHALL "${class}___[A-Za-z0-9_]+\\(${class}\\* vlSelf\\) {" heads "${bound}")
    foreach(head ${heads})
      string(REGEX REPLACE "\\(.*" "" name ${head})
      string(FIND "${bound}" "${head}" begin)
      string(SUBSTRING "${bound}" ${begin} -1 body)
      string(FIND "${body}" "\n}\n" length)
      string(SUBSTRING "${body}" 0 ${length} body)
      string(REPLACE ${name} "" key "${body}")
      string(MD5 key "${class} ${key}")
      if(DEFINED first_${key})
        string(REPLACE "${body}" "${head} void ${first_${key}}(${class}*); ${first_${key}}(vlSelf);" bound "${bound}")
      else()
        set(first_${key} ${name})
      endif()
    endforeach()
  endif()
  # No folder of the build in the model: it may come from the compiler cache of another checkout.
  get_filename_component(name ${file} NAME)
  string(REPLACE "__FILE__" "\"${name}\"" bound "${bound}")
  if(NOT bound STREQUAL text)
    file(WRITE ${file} "${bound}")
  endif()
endforeach()
file(GLOB sources RELATIVE ${DIR} ${DIR}/${PREFIX}*.cpp)
list(SORT sources)
set(fast_number 0)
foreach(source ${sources})
  if(source MATCHES "Slow")
    string(APPEND slow "#include \"${source}\"\n")
  elseif(NOT source MATCHES "__Trace__")
    math(EXPR piece "${fast_number} % ${PIECES}")
    math(EXPR fast_number "${fast_number} + 1")
    string(APPEND fast${piece} "#include \"${source}\"\n")
    string(APPEND fast "#include \"${source}\"\n")
  endif()
endforeach()
set(all "${fast}${slow}")
math(EXPR last "${PIECES} - 1")
foreach(piece RANGE ${last})
  file(WRITE ${DIR}/${PREFIX}__fast${piece}.cpp "${fast${piece}}")
endforeach()
foreach(kind slow all)
  file(WRITE ${DIR}/${PREFIX}__${kind}.cpp "${${kind}}")
endforeach()
