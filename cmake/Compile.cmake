# SPDX-License-Identifier: Apache-2.0
# One interface target carries every compile rule of the project.
option(G80_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(G80_LINT "run clang-tidy (.clang-tidy) on every source" OFF)

add_library(g80_compile_options INTERFACE)
target_compile_options(g80_compile_options INTERFACE
  -Wall -Wextra -Werror
  -ffp-contract=off  # a contracted multiply-add would change results
)

if(NOT G80_LINT)  # clang does not know the first
  # g++ 12 sees them in std::optional and std::vector where there are none
  target_compile_options(g80_compile_options INTERFACE -Wno-maybe-uninitialized -Wno-nonnull)
endif()

# The compiler, the program and the reports gain nothing from more; the libraries that simulate are marked HOT.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(G80_HOT_OPTIONS $<$<CONFIG:Release>:-O3>)
set(G80_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)

if(G80_SANITIZE)
  # Everything is instrumented, the trace writers too; the first finding ends the program.
  # -O1: with -O2 the build takes three times as long.
  add_compile_options(-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(G80_LINT)
  find_program(CLANG_TIDY_PROGRAM clang-tidy)
  if(NOT CLANG_TIDY_PROGRAM)
    message(FATAL_ERROR "clang-tidy was not found: install the Debian package clang-tidy")
  endif()
  set(CMAKE_CXX_CLANG_TIDY ${CLANG_TIDY_PROGRAM} --quiet)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # clang-tidy cannot read what g++ precompiled
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Paths are cached relative to the project, so that a second checkout finds what the first one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  if(NOT G80_LINT)
    add_compile_options(-fpch-preprocess)  # lets ccache see through precompiled headers
  endif()
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

# Compiles the sources of a target a few at a time: most of a source's time goes into headers, and eight sources read
# them once. clang-tidy looks at each source by itself, so there a source must include what it uses.
function(g80_unity target)
  if(NOT G80_LINT)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
