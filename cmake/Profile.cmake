# SPDX-License-Identifier: Apache-2.0
# Profile-guided optimisation of what simulates (preset `fast`). A first build of g80 counts what it does in the launches
# of tests/speed/instructions.tsv; the libraries are then compiled for that. The counts are taken once: later changes of
# a source find those of the functions that are still the same. Remove the folder profile/ of the build to take them
# again. Results do not depend on them.
option(G80_PROFILE "optimise the simulator for what short runs of it do: builds it twice" OFF)
set(G80_COUNTS "" CACHE PATH "this is the first build for G80_PROFILE: the folder of the counts")

if(NOT G80_PROFILE AND NOT G80_COUNTS)
  function(g80_profile target)
  endfunction()
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  message(FATAL_ERROR "G80_PROFILE reads the profiles of g++, not those of ${CMAKE_CXX_COMPILER_ID}")
endif()

# Counts are found by the object's path in the build folder.
set(profile_options -fprofile-prefix-path=${CMAKE_BINARY_DIR})
if(G80_COUNTS)
  list(APPEND profile_options -fprofile-generate=${G80_COUNTS})
  add_link_options(-fprofile-generate)
else()
  set(folder ${CMAKE_BINARY_DIR}/profile)
  # What never ran is compiled as without a profile.
  list(APPEND profile_options -fprofile-use=${folder}/counts -fprofile-partial-training -Wno-missing-profile
                              -Wno-coverage-mismatch)
  add_custom_command(OUTPUT ${folder}/counts
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${folder} -G ${CMAKE_GENERATOR}
            -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DG80_RTL=OFF
            -DG80_COUNTS=${folder}/counts
    COMMAND ${CMAKE_COMMAND} --build ${folder} --target g80
    COMMAND ${CMAKE_COMMAND} -DG80=${folder}/bin/g80 -P ${CMAKE_SOURCE_DIR}/cmake/Train.cmake
    COMMENT "Building g80 and counting what it does" USES_TERMINAL VERBATIM)
  add_custom_target(g80_counts DEPENDS ${folder}/counts)
endif()

# g80_profile(<target>): compiles the library with these options.
function(g80_profile target)
  target_compile_options(${target} PRIVATE ${profile_options})
  if(TARGET g80_counts)
    add_dependencies(${target} g80_counts)
  endif()
endfunction()
