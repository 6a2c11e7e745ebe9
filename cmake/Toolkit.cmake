# SPDX-License-Identifier: Apache-2.0
# g80_toolkit(runtime folder): a folder as Makefiles of CUDA programs expect the toolkit (CUDA_DIR, CUDA_INSTALL_PATH,
# CUDA_PATH): bin/nvcc, include/, lib64/ and lib/. libcudart.so there is the static library `runtime` with all that it
# stands on; libcuda.so is the same file, so that a process has one device, whichever it loads.
#
# A program that any linker makes starts without LD_LIBRARY_PATH: its name for the library is the path in this build.
# An installation may be moved, so its library (target g80_installed_cudart, cmake/Install.cmake) has the name of
# NVIDIA's, and `g80 cc` tells programs where it lies.
function(g80_toolkit runtime folder)
  # The linker of g80 cc, one word a line.
  get_directory_property(options LINK_OPTIONS)
  list(JOIN options "\n" text)
  g80_runtime_library(g80_toolkit_cudart ${runtime} ${folder}/lib64 ${folder}/lib64/libcudart.so)
  g80_toolkit_files(${folder} "${CMAKE_CXX_COMPILER}\n${text}\n" ${CMAKE_SOURCE_DIR}/toolchain/cuda/include
                    ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/g80)
  set(installed ${CMAKE_BINARY_DIR}/installed/toolkit/cuda)
  g80_runtime_library(g80_installed_cudart ${runtime} ${installed}/lib64 libcudart.so.3)
  g80_toolkit_files(${installed} "g++\n" ../../../share/g80/toolchain/cuda/include ../../../../bin/g80)
  file(CREATE_LINK libcudart.so ${installed}/lib64/libcudart.so.3 SYMBOLIC)
endfunction()

# The symbols are those of the API. -z nodelete: a machine cannot be unloaded. The wrapped function is in its source.
function(g80_runtime_library name runtime folder soname)
  add_library(${name} SHARED ${CMAKE_SOURCE_DIR}/runtime/shared/static_objects.cpp)
  set(symbols ${CMAKE_SOURCE_DIR}/runtime/shared/symbols.map)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME cudart NO_SONAME ON LINK_DEPENDS ${symbols}
                        LIBRARY_OUTPUT_DIRECTORY ${folder})
  target_link_libraries(${name} PRIVATE g80_compile_options $<LINK_LIBRARY:WHOLE_ARCHIVE,${runtime}> ${G80_WITH_TWINS})
  target_link_options(${name} PRIVATE -Wl,-soname,${soname} -Wl,--version-script=${symbols} -Wl,-z,nodelete
                      -Wl,--wrap=__cxa_atexit)
endfunction()

function(g80_toolkit_files folder linker include program)
  file(MAKE_DIRECTORY ${folder}/bin ${folder}/lib64)
  foreach(name cuda.so cuda.so.1)
    file(CREATE_LINK libcudart.so ${folder}/lib64/lib${name} SYMBOLIC)
  endforeach()
  file(GLOB hiding ${folder}/lib64/lib*util*.so)  # earlier builds had the SDK's libraries here
  if(hiding)
    file(REMOVE ${hiding})
  endif()
  g80_toolkit_sdk(${folder})
  file(CREATE_LINK lib64 ${folder}/lib SYMBOLIC)
  file(CREATE_LINK ${include} ${folder}/include SYMBOLIC)
  file(CREATE_LINK ${program} ${folder}/bin/nvcc SYMBOLIC)
  file(GENERATE OUTPUT ${folder}/linker CONTENT "${linker}")
endfunction()

# Folders as Makefiles expect the SDK (NVIDIA_COMPUTE_SDK_LOCATION, SDK_DIR), for programs that come without one. They are
# apart from the toolkit's: Makefiles pass the toolkit first, and a program's own SDK must not be hidden by these.
function(g80_toolkit_sdk folder)
  set(sdk ${folder}/sdk)
  file(MAKE_DIRECTORY ${sdk}/common/lib ${sdk}/C/common/lib ${sdk}/shared ${folder}/samples/common)
  file(CREATE_LINK ../../include/sdk ${sdk}/common/inc SYMBOLIC)
  file(CREATE_LINK ../../../include/sdk ${sdk}/C/common/inc SYMBOLIC)
  file(CREATE_LINK ../../include/sdk ${sdk}/shared/inc SYMBOLIC)
  file(CREATE_LINK ../lib ${sdk}/C/lib SYMBOLIC)
  file(CREATE_LINK ../lib ${sdk}/shared/lib SYMBOLIC)
  file(CREATE_LINK ../../lib ${sdk}/common/lib/linux SYMBOLIC)
  file(CREATE_LINK ../../../lib ${sdk}/C/common/lib/linux SYMBOLIC)
  file(CREATE_LINK ../../include/sdk ${folder}/samples/common/inc SYMBOLIC)  # its name from CUDA 5 on
  # The functions are in the headers. An archive without members, because Makefiles also look for the file.
  foreach(name cutil cutilD cutil_x86_64 cutil_x86_64D cutil_i386 shrutil_x86_64 shrutil_x86_64D shrutil_i386)
    file(GENERATE OUTPUT ${sdk}/lib/lib${name}.a CONTENT "!<arch>\n")
  endforeach()
endfunction()
