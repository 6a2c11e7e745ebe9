// SPDX-License-Identifier: Apache-2.0
// The contents of a scenario's buffers: at the start, as expected at the end, and the comparison of the two.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tb/scenario/arguments.h"
#include "tb/scenario/run_result.h"
#include "tb/scenario/scenario.h"

namespace g80 {

struct Buffer {
  const BufferDecl* decl = nullptr;
  std::uint64_t count = 0;
  std::uint32_t address = 0;        // set by the backend's allocation
  std::vector<std::uint8_t> bytes;  // count elements
};

inline constexpr std::uint64_t kMaxBufferBytes = 0x40000000;  // 1 GiB: more than any preset's memory

/// Creates every buffer with its initial contents. `seed` drives uniform() and random(). Throws InputError if they
/// do not fit into `device_bytes`, before it fills any.
std::vector<Buffer> make_buffers(const Scenario& scenario, const NameTable& names, std::uint64_t seed,
                                 std::uint64_t device_bytes);

/// `count` elements of an expression over `i` and the arguments, for the buffer or variable `name`. Its random numbers
/// depend on `seed` and the name.
std::vector<std::uint8_t> evaluate_elements(const ScenarioText& text, ElementType type, std::uint64_t count,
                                            const NameTable& names, std::uint64_t seed, const std::string& name);

/// Compares element by element: bit-exact, or within `decl.ulp` units in the last place for floats.
BufferCheck compare_buffer(const BufferDecl& decl, const std::vector<std::uint8_t>& seen,
                           const std::vector<std::uint8_t>& expected);

/// The elements as lines of eight: "arg1[8]: 0.5 1 ...".
std::string contents_text(const Buffer& buffer);

std::uint64_t element_at(const std::vector<std::uint8_t>& bytes, std::size_t size, std::uint64_t index);

}  // namespace g80
