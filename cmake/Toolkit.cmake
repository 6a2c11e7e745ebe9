# SPDX-License-Identifier: Apache-2.0
# g80_toolkit(target folder): a folder as Makefiles of CUDA programs expect the toolkit (CUDA_DIR, CUDA_INSTALL_PATH,
# CUDA_PATH): bin/nvcc, include/, lib64/ and lib/. libcudart.so there is a script of the linker, as the C library's
# libc.so is: it names the static library `target` and all that it stands on. The other libraries name it.
#
# `installed` becomes the same for an installation (cmake/Install.cmake). There the static libraries lie beside the
# scripts, which name them without a folder: the linker finds them through the -L of the scripts. Those of the project are
# returned in g80_runtime_libraries.
function(g80_toolkit target folder installed)
  set(runtime_libraries)
  set(installed_libraries)
  set(seen)
  set(libraries)
  set(pending ${target})
  while(pending)
    list(POP_FRONT pending library)
    while(library MATCHES "^\\$<(LINK_ONLY|BUILD_INTERFACE):(.*)>$")
      set(library "${CMAKE_MATCH_2}")
    endwhile()
    if(TARGET "${library}")
      get_target_property(aliased ${library} ALIASED_TARGET)
      if(aliased)
        set(library ${aliased})
      endif()
    endif()
    if(library STREQUAL "" OR library IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${library}")
    if(NOT TARGET "${library}")
      list(APPEND libraries "${library}")
      string(REGEX REPLACE "^.*/lib([^/]*)[.]so$" "\\1" library "${library}")
      list(APPEND installed_libraries "${library}")
      continue()
    endif()
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND libraries "$<TARGET_FILE:${library}>")
      get_target_property(imported ${library} IMPORTED)
      if(imported)
        list(APPEND installed_libraries "-l:$<TARGET_FILE_NAME:${library}>")
      else()
        list(APPEND runtime_libraries ${library})
        list(APPEND installed_libraries "$<TARGET_FILE_NAME:${library}>")
      endif()
    endif()
    get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
    if(needed)
      list(APPEND pending ${needed})
    endif()
  endwhile()
  list(APPEND libraries stdc++ m)  # programs in C are linked by gcc
  list(APPEND installed_libraries stdc++ m)
  list(TRANSFORM libraries REPLACE "^([^-/$].*)$" "-l\\1")
  list(TRANSFORM installed_libraries REPLACE "^([^-/$].*)$" "-l\\1")
  set(g80_runtime_libraries ${runtime_libraries} PARENT_SCOPE)
  # The linker of g80 cc, one word a line.
  get_directory_property(options LINK_OPTIONS)
  list(JOIN options "\n" text)
  g80_toolkit_files(${folder} ${folder}/lib64/ ${folder}/lib64 "${CMAKE_CXX_COMPILER}\n${text}\n" "${libraries}"
                    ${CMAKE_SOURCE_DIR}/toolchain/cuda/include ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/g80)
  g80_toolkit_files(${installed}/cuda "" ${installed}/lib "g++\n" "${installed_libraries}"
                    ../../../share/g80/toolchain/cuda/include ../../../../bin/g80)
  file(CREATE_LINK .. ${installed}/cuda/lib64 SYMBOLIC)
endfunction()

function(g80_toolkit_files folder prefix scripts linker libraries include program)
  list(JOIN libraries "\n" text)
  file(GENERATE OUTPUT ${scripts}/libcudart.so CONTENT "GROUP (\n${text}\n)\n")
  # The driver API is in the runtime.
  file(GENERATE OUTPUT ${scripts}/libcuda.so CONTENT "INPUT (${prefix}libcudart.so)\n")
  file(MAKE_DIRECTORY ${folder}/bin)
  file(GLOB hiding ${scripts}/lib*util*.so)  # earlier builds had the SDK's libraries here
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
