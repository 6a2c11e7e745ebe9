# SPDX-License-Identifier: Apache-2.0
# Writes how the multiprocessor in SystemVerilog looks to the adapters of its blocks: <stem>_part.h for each instance in
# rtl/sm/sm.sv, with the class <Block>Part.
#
# An adapter is a template over its model, and the part is such a model: the same pins and inner signals, but they
# are those of the instance in the one model of the multiprocessor (rtl/adapters/sm_model.h). A pin that sm.sv connects
# with a pin of its own is that pin; other inputs are driven inside, so nothing is connected.
#
# Verilated is not sm.sv but sm_machine.sv, which has it inside behind flops: it takes its straps at the end of the
# reset, and its other inputs at the falling edge. All logic behind a pin is evaluated with every change of any pin, and
# straps are in front of nearly everything.
#
# For each twin, <stem>_pins.h: visit_pins() and visit_signals() of its class, for rtl/adapters/model_pins.h: its pins
# and the signals of its observer by their names. In sm_straps.h, visit_straps(): the straps of the multiprocessor, each
# with its enumeration if it has one. And <stem>_twin.cpp, which enters it into the list of the program
# (tb/twins/twins.h), with its part if it has one: the adapter of rtl/sm/barrier.sv is BarrierTwin of
# rtl/adapters/barrier_rtl.h.
#
#   G80_SM_PARTS      stems of the blocks with a part
#   G80_SM_PART_DIR   where the headers are
#   G80_SM_MACHINE    sm_machine.sv
#   G80_TWIN_SOURCES  the sources that enter the twins
set(G80_SM_PART_DIR ${G80_RTL_DIR}/sm_parts)
set(G80_SM_MACHINE ${G80_RTL_DIR}/sm_machine.sv)
set(G80_SM_PARTS)
set(G80_TWIN_SOURCES)
set(sm_source ${CMAKE_SOURCE_DIR}/rtl/sm/sm.sv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sm_source})

# bank_conflict: BankConflict
function(g80_class_name result stem)
  string(REPLACE "_" ";" words ${stem})
  set(class)
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND class ${first}${rest})
  endforeach()
  set(${result} ${class} PARENT_SCOPE)
endfunction()

# g80_ports(<list> <file.sv>): the ports, inputs as "i:name", outputs as "o:name"
function(g80_ports list file)
  file(STRINGS ${file} lines REGEX "^  (input|output) ")
  set(ports)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " *//.*$" "" line "${line}")
    string(REGEX MATCH "^  (in|out)put .* ([a-z0-9_]+),?$" matched "${line}")
    if(CMAKE_MATCH_1 STREQUAL in)
      list(APPEND ports i:${CMAKE_MATCH_2})
    else()
      list(APPEND ports o:${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(${list} ${ports} PARENT_SCOPE)
endfunction()

g80_ports(sm_ports ${sm_source})
file(STRINGS ${sm_source} sm_lines)
set(scope)
set(widths)
set(inputs)
set(variables)
set(pins)
set(strap_visits)
foreach(line IN LISTS sm_lines)
  string(REGEX REPLACE " *//.*$" "" line "${line}")
  if(line MATCHES "^  localparam int unsigned" AND NOT variables)
    string(REGEX REPLACE ",$" "" line "${line}")
    list(APPEND widths "${line}")  # of straps
  elseif(line MATCHES "^  input  (.*[^ ]) +([a-z0-9_]+),?$")
    set(type ${CMAKE_MATCH_1})
    set(input ${CMAKE_MATCH_2})
    if(input MATCHES "^cfg_")
      set(taken "posedge rst_ni")
      string(REGEX MATCH "^g80_pkg::[a-z_]+" enumeration "${type}")
      string(APPEND strap_visits "  v(\"${enumeration}\", \"${input}\", sm.${input});\n")
    else()
      set(taken "negedge clk_i")
    endif()
    if(NOT input MATCHES "^(clk_i|rst_ni)$")
      string(APPEND inputs ",\n  input ${type} ${input}")
      string(APPEND variables "  ${type} ${input}_q;\n  always_ff @(${taken}) ${input}_q <= ${input};\n")
      string(APPEND pins ",\n    .${input}(${input}_q)")
    endif()
  elseif(line MATCHES "^  output .* ([a-z0-9_]+),?$")
    string(APPEND pins ",\n    .${CMAKE_MATCH_1}()")
  elseif(line MATCHES " begin : (gen_[a-z_]+)$")
    set(scope ${CMAKE_MATCH_1}__DOT__)
  elseif(line MATCHES "^  end$")
    set(scope)
  elseif(line MATCHES "^ +([a-z0-9_]+) (u_[a-z0-9_]+) \\($")
    set(stem ${CMAKE_MATCH_1})
    set(${stem}_at sm_machine__DOT__u_sm__DOT__${scope}${CMAKE_MATCH_2})
    list(APPEND instances ${stem})
  elseif(line MATCHES "^ +[a-z0-9_]+ #[(]")
    message(FATAL_ERROR "${sm_source}: an instance with parameters would be no part: ${line}")
  elseif(line MATCHES "^ +[.]([a-z0-9_]+) *\\(([a-z0-9_]+)\\),?$")
    set(${stem}_${CMAKE_MATCH_1}_to ${CMAKE_MATCH_2})
  elseif(line MATCHES "^ +[.]([a-z0-9_]+),?$")
    set(${stem}_${CMAKE_MATCH_1}_to ${CMAKE_MATCH_1})
  endif()
endforeach()

foreach(twin ${G80_RTL_TWINS})
  get_filename_component(stem ${twin} NAME_WE)
  g80_class_name(class ${stem})
  file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${twin})
  set(adapters ${class}Rtl)
  set(part_header)
  if(stem IN_LIST instances)
    list(APPEND G80_SM_PARTS ${stem})
    string(APPEND adapters ", ${class}Twin<${class}Part>")
    set(part_header "#include \"${stem}_part.h\"")
  endif()
  list(APPEND G80_TWIN_SOURCES ${G80_RTL_DIR}/${stem}_twin.cpp)
  file(CONFIGURE OUTPUT ${G80_RTL_DIR}/${stem}_twin.cpp @ONLY CONTENT [[
#include "rtl/adapters/@stem@_rtl.h"
#include "tb/twins/twins.h"
@part_header@

namespace g80 {
static const TwinEntry entry(twin_info<@adapters@>("@stem@", "@source@"));
}  // namespace g80
]])
  string(REGEX REPLACE "^rtl/(.*)[.]sv$" "hw/\\1.h" header ${source})
  g80_ports(ports ${twin})
  set(pin_visits)
  foreach(port ${ports})
    string(SUBSTRING ${port} 2 -1 name)
    if(NOT name MATCHES "^(clk_i|rst_ni)$")
      string(APPEND pin_visits "  v(\"${name}\", model.${name});\n")
    endif()
  endforeach()
  string(REPLACE ".sv" "_observer.sv" observer ${twin})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${observer})
  file(STRINGS ${observer} lines REGEX "/[*]verilator public_flat_rd[*]/;")
  set(observed)
  set(signal_visits)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "([a-z0-9_]+) +/[*]verilator" matched "${line}")
    list(APPEND observed ${stem}__DOT__u_observer__DOT__${CMAKE_MATCH_1})
    string(APPEND signal_visits
           "  v(\"${CMAKE_MATCH_1}\", model.rootp->${stem}__DOT__u_observer__DOT__${CMAKE_MATCH_1});\n")
  endforeach()
  file(CONFIGURE OUTPUT ${G80_SM_PART_DIR}/${stem}_pins.h @ONLY CONTENT [[
#pragma once
#include "@header@"

#include "V@stem@.h"
#include "V@stem@___024root.h"

namespace g80 {

template <class Model, class V>
void visit_pins(const @class@*, Model& model, V& v) {
@pin_visits@}
template <class Model, class V>
void visit_signals(const @class@*, Model& model, V& v) {
@signal_visits@}

}  // namespace g80
]])
  if(NOT stem IN_LIST instances)
    continue()
  endif()
  set(at ${${stem}_at})
  set(members)
  foreach(port ${ports})
    string(SUBSTRING ${port} 2 -1 name)
    set(to "${${stem}_${name}_to}")
    if(port MATCHES "^o:")
      string(APPEND members "  decltype(Vsm___024root::${at}__DOT__${name})& ${name} = inside().${at}__DOT__${name};\n")
    elseif(i:${to} IN_LIST sm_ports)
      string(APPEND members "  decltype(Vsm::${to}) ${name} = pins().${to};\n")
    elseif(NOT name STREQUAL clk_i)
      string(APPEND members "  DrivenInside ${name};\n")
    endif()
  endforeach()

  # Inner signals: those of the observer, and those that the adapter reads by hand.
  set(adapter ${CMAKE_SOURCE_DIR}/rtl/adapters/${stem}_rtl.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${adapter} ${twin})
  file(READ ${adapter} text)
  string(REGEX MATCHALL "[A-Za-z0-9_]*${stem}__DOT__[A-Za-z0-9_]+" signals "${text}")
  list(APPEND signals ${observed})
  list(REMOVE_DUPLICATES signals)
  set(inner)
  foreach(signal ${signals})
    string(REPLACE "${stem}__DOT__" "${at}__DOT__" inside ${signal})
    string(APPEND inner "    decltype(Vsm___024root::${inside})& ${signal};\n")
    list(APPEND inner_values "at.${inside}")
  endforeach()
  list(JOIN inner_values ",\n                   " values)
  set(inner_values)
  string(REGEX MATCHALL "#include \"V${stem}_[a-z0-9_]+[.]h\"" classes "${text}")
  list(FILTER classes EXCLUDE REGEX "___024root")
  string(REPLACE "V${stem}_" "Vsm_" classes "${classes}")
  list(JOIN classes "\n" classes)
  file(CONFIGURE OUTPUT ${G80_SM_PART_DIR}/${stem}_part.h @ONLY CONTENT [[
#pragma once
#include "rtl/adapters/sm_model.h"

#include "Vsm.h"
#include "Vsm___024root.h"
@classes@

namespace g80 {

class @class@Part : public SmModelPart {
 public:
  using SmModelPart::SmModelPart;
@members@
  struct Inner {
@inner@  };
  Inner* const rootp = &inner_;

 private:
  static Inner inner_of(Vsm___024root& at) {
    return {@values@};
  }
  Inner inner_ = inner_of(inside());
};

}  // namespace g80
]])
endforeach()
file(CONFIGURE OUTPUT ${G80_SM_PART_DIR}/sm_straps.h @ONLY CONTENT [[
#pragma once
#include "Vsm.h"

namespace g80 {

template <class V>
void visit_straps(const Vsm& sm, const V& v) {
@strap_visits@}

}  // namespace g80
]])
list(JOIN widths ",\n" widths)
file(CONFIGURE OUTPUT ${G80_SM_MACHINE} @ONLY CONTENT [[
module sm_machine #(
@widths@
) (
  input logic clk_i,
  input logic rst_ni@inputs@
);
@variables@
  sm u_sm (
    .clk_i,
    .rst_ni@pins@
  );
endmodule
]])
