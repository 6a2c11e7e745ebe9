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

# Blocks copy and clear a few hundred bytes at each edge, and read what they copied. For that g++ would use string
# instructions, which start slowly, and after which a read waits until all that was written has reached the cache. It
# also waits where g++ reads two neighbours at once that were written one by one.
include(CheckCXXCompilerFlag)
set(copy_options -mmemcpy-strategy=vector_loop:1024:noalign,libcall:-1:noalign
                 -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign -fno-tree-slp-vectorize)
check_cxx_compiler_flag("${copy_options}" G80_HAS_COPY_STRATEGY)
if(G80_HAS_COPY_STRATEGY)
  target_compile_options(g80_compile_options INTERFACE ${copy_options})
endif()

# The libraries also go into shared ones: the CUDA runtime, and what users build around the C++ libraries. So all is
# compiled once, in the form that both need. No function is replaced when a program is loaded, so functions of one
# source are still inlined into each other.
add_compile_options(-fPIC -fno-semantic-interposition)

# What neither simulates nor compiles kernels gains nothing from more. -O1 takes up to half as long again, -O2 twice.
set(CMAKE_CXX_FLAGS_RELEASE "-Og -DNDEBUG")

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
  # Paths are cached relative to the project, so that a second checkout finds what the first one compiled. What is not
  # known yet is compiled without preprocessing it first: the compiler says what it has read.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  if(NOT G80_LINT)
    add_compile_options(-fpch-preprocess)  # lets ccache see through precompiled headers
  endif()
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

# g80_batches(<variable> <name> [SIZE <n>] [ALONE <source>...] SOURCES <source>...): what a target compiles in place of
# these sources. Most of a source's time goes into headers, and the sources of a batch read them once. A batch includes
# its sources relative to the project, so that ccache knows it in every checkout. clang-tidy looks at each source by
# itself, so there a source must include what it uses.
function(g80_batches variable name)
  cmake_parse_arguments(arg "" "SIZE" "ALONE;SOURCES" ${ARGN})
  if(NOT arg_SIZE)
    set(arg_SIZE 8)
  endif()
  if(G80_LINT)
    set(${variable} ${arg_SOURCES} PARENT_SCOPE)
    return()
  endif()
  list(TRANSFORM arg_ALONE PREPEND ${CMAKE_SOURCE_DIR}/)
  list(REMOVE_ITEM arg_SOURCES ${arg_ALONE})
  set(result ${arg_ALONE})
  while(arg_SOURCES)
    list(SUBLIST arg_SOURCES 0 ${arg_SIZE} batch)
    list(REMOVE_ITEM arg_SOURCES ${batch})
    list(LENGTH result number)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/batches/${name}_${number}.cpp)
    set(text)
    foreach(source ${batch})
      file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${source})
      string(APPEND text "#include \"${source}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    list(APPEND result ${file})
  endwhile()
  set(${variable} ${result} PARENT_SCOPE)
endfunction()

# g80_precompile(<target> [<header or target>]): gives the target a precompiled header of its own, or that of a target
# which is compiled with the same options. The header is named relative to the project, as a batch names its sources.
function(g80_precompile target)
  if(NOT ARGN)
    return()
  endif()
  if(TARGET ${ARGN})
    target_precompile_headers(${target} REUSE_FROM ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE <${ARGN}>)
  endif()
endfunction()
