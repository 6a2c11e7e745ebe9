// SPDX-License-Identifier: Apache-2.0
// Memory contents in files: raw little-endian bytes, or hexadecimal text if the name ends in .hex (one 32-bit word,
// least significant byte at the lowest address, per group of eight digits; # and // begin a comment).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace g80 {

/// The image in the file. Throws InputError naming file, line and what is wrong.
std::vector<std::uint8_t> read_memory_image(const std::string& path);
/// The same for a file that must have `bytes`; `where` is for messages.
std::vector<std::uint8_t> read_memory_image(const std::string& path, std::uint64_t bytes, const std::string& where);
void write_memory_image(const std::string& path, const std::vector<std::uint8_t>& bytes);

/// Throws InputError naming the option if the file cannot be written; changes nothing. For files that are
/// written at the end of a run: errors appear before the run, not after it.
void check_writable(const std::string& option, const std::string& path);

/// Contents of a whole file, and its writing. Throw InputError naming the file and the reason.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& contents);

}  // namespace g80
