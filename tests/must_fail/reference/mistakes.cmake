# SPDX-License-Identifier: Apache-2.0
# Mistakes in the reference's arithmetic. All of them are in one copy of tb/golden, which takes the place of the library
# in test_must_fail_reference; the test selects one (mistake.h).
# g80_mistake(<number> <source in tb/golden> <expression> <what it becomes>)
set(mistakes_dir ${CMAKE_CURRENT_BINARY_DIR}/mistakes)
set(mistakes_manifest)
set(mistakes_sources)
set(mistakes_count 0)
macro(g80_mistake number source expression by)
  string(APPEND mistakes_manifest "${number}\t${CMAKE_SOURCE_DIR}/tb/golden/${source}\t${expression}\t${by}\n")
  list(APPEND mistakes_sources ${CMAKE_SOURCE_DIR}/tb/golden/${source})
  set(mistakes_count ${number})
endmacro()

# The product of a multiply-add keeps the bits below the 24th.
g80_mistake(1 semantics_fp32.cpp "bits_of(out.lane[l]) & kCut" "bits_of(out.lane[l])")
# A difference lacks the one that makes a complement of an inversion.
g80_mistake(2 semantics_int.cpp "(a_in[l] ^ flip_a) + (b_in[l] ^ flip_b) + carry[l]"
            "(a_in[l] ^ flip_a) + (b_in[l] ^ flip_b)")
# The reciprocal takes its coefficients from the neighbouring row of the table.
g80_mistake(3 semantics_sfu.cpp "kRcpRom[mantissa >> 16]" "kRcpRom[mantissa >> 16 ^ 1]")
# The reciprocal's sum is rounded up by one place too many.
g80_mistake(4 semantics_sfu.cpp "0x47e7" "0xc7e7")
# A double addend is aligned one place too far to the right.
g80_mistake(5 semantics_fp64.cpp "shift_right_jam(y.mantissa >> 1, x.exponent - y.exponent)"
            "shift_right_jam(y.mantissa >> 1, x.exponent - y.exponent + 1)")
# A double product is half as large.
g80_mistake(6 semantics_fp64.cpp "a.exponent + b.exponent + 1" "a.exponent + b.exponent")
# The atomic maximum of signed numbers compares them as unsigned ones.
g80_mistake(7 semantics_atomic.cpp "is_signed ? signed_less(old_value, b) : old_value < b" "old_value < b")

list(REMOVE_DUPLICATES mistakes_sources)
file(CONFIGURE OUTPUT ${mistakes_dir}/manifest.tsv CONTENT "${mistakes_manifest}" @ONLY)
file(GLOB golden_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tb/golden/*.cpp)
list(REMOVE_ITEM golden_sources ${mistakes_sources})
set(mistaken_sources)
foreach(source ${mistakes_sources})
  get_filename_component(name ${source} NAME)
  list(APPEND mistaken_sources ${mistakes_dir}/${name})
endforeach()
add_custom_command(OUTPUT ${mistaken_sources}
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${mistakes_dir}/manifest.tsv -DDIR=${mistakes_dir} -DSELECTED=g80::must_fail::mistake
          -P ${CMAKE_SOURCE_DIR}/cmake/MutateSelected.cmake
  DEPENDS ${mistakes_dir}/manifest.tsv ${mistakes_sources} ${CMAKE_SOURCE_DIR}/cmake/MutateSelected.cmake
  VERBATIM COMMENT "Planting mistakes in the reference")
set_source_files_properties(${mistaken_sources} PROPERTIES
  COMPILE_OPTIONS "-include;${CMAKE_CURRENT_SOURCE_DIR}/must_fail/reference/mistake.h")
# Objects of the program itself: the linker then takes nothing from the library.
g80_batches(golden_batches g80_golden_with_mistakes SOURCES ${golden_sources})
set(g80_reference_with_mistakes ${golden_batches} ${mistaken_sources})
