# One interface target carries every compile rule of the project.
add_library(g80_compile_options INTERFACE)
target_compile_options(g80_compile_options INTERFACE
  -Wall -Wextra -Werror
  -ffp-contract=off  # a contracted multiply-add would change results
)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()
