# SPDX-License-Identifier: Apache-2.0
# Everything comes from Debian packages (apt.txt). A missing one stops the configure step with the package's name.
function(g80_need package debian)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found: install the Debian package ${debian} (./run does it)")
  endif()
endfunction()
g80_need(fmt libfmt-dev)
g80_need(GTest libgtest-dev)
g80_need(nlohmann_json nlohmann-json3-dev)
g80_need(CLI11 libcli11-dev)
g80_need(tomlplusplus libtomlplusplus-dev)
g80_need(ZLIB zlib1g-dev)
g80_need(verilator verilator HINTS /usr/share/verilator)

# Debian ships SystemC without a CMake package.
find_path(SYSTEMC_INCLUDE_DIR systemc)
find_library(SYSTEMC_LIBRARY systemc)
if(NOT SYSTEMC_INCLUDE_DIR OR NOT SYSTEMC_LIBRARY)
  message(FATAL_ERROR "SystemC was not found: install the Debian package libsystemc-dev (./run does it)")
endif()
find_package(Threads REQUIRED)
add_library(g80::systemc INTERFACE IMPORTED)
target_compile_definitions(g80::systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
target_include_directories(g80::systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIR})
target_link_libraries(g80::systemc INTERFACE ${SYSTEMC_LIBRARY} Threads::Threads)

# Verilator's trace writers, built once from the installed sources.
set(VERILATED_INCLUDE ${VERILATOR_ROOT}/include)
if(NOT VERILATOR_ROOT)
  set(VERILATED_INCLUDE /usr/share/verilator/include)
endif()
add_library(g80_verilated STATIC ${VERILATED_INCLUDE}/verilated.cpp ${VERILATED_INCLUDE}/verilated_vcd_c.cpp
            ${VERILATED_INCLUDE}/verilated_fst_c.cpp ${VERILATED_INCLUDE}/verilated_threads.cpp
            ${VERILATED_INCLUDE}/verilated_cov.cpp)
add_library(g80::verilated ALIAS g80_verilated)
target_include_directories(g80_verilated SYSTEM PUBLIC ${VERILATED_INCLUDE} ${VERILATED_INCLUDE}/vltstd)
target_compile_options(g80_verilated PRIVATE -w $<$<CONFIG:Release>:-O2>)
if(G80_SANITIZE)
  target_compile_options(g80_verilated PUBLIC -fno-sanitize=alignment)  # its headers store words at any address
  target_compile_options(g80_verilated PRIVATE -fno-sanitize=shift)     # the FST writer shifts negative numbers
endif()
set_target_properties(g80_verilated PROPERTIES CXX_CLANG_TIDY "")
target_link_libraries(g80_verilated PUBLIC ZLIB::ZLIB Threads::Threads)
