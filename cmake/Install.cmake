# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts under a prefix (docs/library.md), and the Debian package of it.
#
#   bin/g80              the program; g80-view opens waves
#   share/g80/           what g80 reads while it runs, in the folders of the project: hw/config/data_folder.h
#   lib/g80/             static libraries; cuda/ in it is the toolkit of CUDA programs, with its shared library
#   include/g80/         headers, in the folders of the project
#   lib/cmake/g80/       find_package(g80 CONFIG COMPONENTS ..); lib/pkgconfig/ has the same components
# Everything finds the rest from where it lies itself, so a prefix may be moved.
include(CMakePackageConfigHelpers)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # installs what is built

# What other projects link: component, its target, what it stands on.
add_library(g80_gpu INTERFACE)
target_link_libraries(g80_gpu INTERFACE g80_hw)
set(components blocks gpu driver golden toolchain tlm)  # of find_package
set(exported g80_version g80_isa g80_config g80_hw g80_gpu g80_driver g80_golden g80_toolchain g80_compiler g80_tlm)
set_target_properties(g80_hw PROPERTIES EXPORT_NAME blocks)
set_target_properties(g80_gpu PROPERTIES EXPORT_NAME gpu)
set_target_properties(g80_driver PROPERTIES EXPORT_NAME driver)
set_target_properties(g80_golden PROPERTIES EXPORT_NAME golden)
set_target_properties(g80_tlm PROPERTIES EXPORT_NAME tlm)
set_target_properties(g80_compiler PROPERTIES EXPORT_NAME toolchain)
set_target_properties(g80_toolchain PROPERTIES EXPORT_NAME assembler)
foreach(name version isa config)
  set_target_properties(g80_${name} PROPERTIES EXPORT_NAME ${name})
endforeach()
foreach(target ${exported})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:include/g80>)
  target_compile_options(${target} INTERFACE $<INSTALL_INTERFACE:-ffp-contract=off>)
endforeach()
install(TARGETS ${exported} EXPORT g80Targets ARCHIVE DESTINATION lib/g80)
install(EXPORT g80Targets NAMESPACE g80:: DESTINATION lib/cmake/g80)
list(JOIN components " " components)
configure_file(cmake/g80Config.cmake.in ${CMAKE_BINARY_DIR}/installed/g80Config.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/installed/g80ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/installed/g80Config.cmake ${CMAKE_BINARY_DIR}/installed/g80ConfigVersion.cmake
        DESTINATION lib/cmake/g80)
foreach(folder input hw tb/driver tb/golden tb/tlm toolchain/assembler toolchain/cubin toolchain/compiler)
  get_filename_component(above ${folder} DIRECTORY)
  install(DIRECTORY ${folder} DESTINATION include/g80/${above} FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()

# g80_pkg_config(<component> [REQUIRES <packages>] [LIBS <libraries>])
function(g80_pkg_config name)
  cmake_parse_arguments(arg "" "ABOUT" "REQUIRES;LIBS" ${ARGN})
  list(JOIN arg_REQUIRES ", " requires)
  list(TRANSFORM arg_LIBS PREPEND -lg80_)
  list(JOIN arg_LIBS " " libraries)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/installed/g80-${name}.pc @ONLY CONTENT [[
prefix=${pcfiledir}/../..
Name: g80-@name@
Description: @arg_ABOUT@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I${prefix}/include/g80 -ffp-contract=off
Libs: -L${prefix}/lib/g80 @libraries@
]])
  install(FILES ${CMAKE_BINARY_DIR}/installed/g80-${name}.pc DESTINATION lib/pkgconfig)
endfunction()
g80_pkg_config(isa ABOUT "instruction set of the Tesla generation" REQUIRES fmt LIBS isa)
g80_pkg_config(golden ABOUT "functional reference of a G80" REQUIRES g80-isa LIBS golden)
g80_pkg_config(toolchain ABOUT "assembler, cubins and PTX compiler for a G80" REQUIRES g80-isa LIBS compiler toolchain)
g80_pkg_config(blocks ABOUT "SystemC blocks of a G80" REQUIRES systemc g80-isa LIBS hw config version)
g80_pkg_config(gpu ABOUT "a whole G80 in SystemC" REQUIRES g80-blocks)
g80_pkg_config(tlm ABOUT "a G80 as a device behind TLM-2.0 sockets" REQUIRES g80-gpu LIBS tlm)
g80_pkg_config(driver ABOUT "driver of the SystemC G80" REQUIRES g80-toolchain g80-gpu LIBS driver)

# The program and its data. A build folder has the same layout: share/g80 there is the project.
install(TARGETS g80 DESTINATION bin)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/installed/bin)
file(CREATE_LINK ../share/g80/waves/view ${CMAKE_BINARY_DIR}/installed/bin/g80-view SYMBOLIC)
install(DIRECTORY ${CMAKE_BINARY_DIR}/installed/bin DESTINATION .)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share ${CMAKE_BINARY_DIR}/lib/g80)
file(RELATIVE_PATH to_sources ${CMAKE_BINARY_DIR}/share ${CMAKE_SOURCE_DIR})
file(CREATE_LINK ${to_sources} ${CMAKE_BINARY_DIR}/share/g80 SYMBOLIC)
file(CREATE_LINK ../../cuda ${CMAKE_BINARY_DIR}/lib/g80/cuda SYMBOLIC)
foreach(folder IN ITEMS configs kernels waves validation/kernels toolchain/cuda/include)
  get_filename_component(above ${folder} DIRECTORY)
  install(DIRECTORY ${folder} DESTINATION share/g80/${above} USE_SOURCE_PERMISSIONS
          PATTERN "*.cpp" EXCLUDE)
endforeach()
install(FILES validation/sensitivity.tsv validation/leave_one_out.tsv DESTINATION share/g80/validation)
install(FILES LICENSE RENAME copyright DESTINATION share/doc/g80)
install(FILES README.md CHANGELOG.md DESTINATION share/doc/g80)
foreach(example one_block whole_gpu driver_golden)  # projects of their own; a test builds them against an installation
  install(DIRECTORY tests/install/${example} DESTINATION share/doc/g80/examples)
endforeach()
install(FILES tb/examples/one_block.cpp DESTINATION share/doc/g80/examples/one_block)

# The toolkit of CUDA programs (cmake/Toolkit.cmake).
install(TARGETS g80_installed_cudart LIBRARY DESTINATION lib/g80/cuda/lib64)
install(DIRECTORY ${CMAKE_BINARY_DIR}/installed/toolkit/cuda DESTINATION lib/g80 PATTERN libcudart.so EXCLUDE)

# The Debian package: cpack -G DEB in the build folder.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME g80)
set(CPACK_PACKAGE_CONTACT "The g80 authors <g80@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Hardware model of NVIDIA's Tesla-generation GPUs in SystemC")
set(CPACK_PACKAGE_DESCRIPTION "Runs the machine code of a G80, G84 or GT200 cycle by cycle and bit for bit.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What `g80 cc` and other projects compile with; what `g80-view` calls.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang, g++, libsystemc-dev, libfmt-dev, zlib1g-dev, gtkwave")
include(CPack)
