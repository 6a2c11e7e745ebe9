// SPDX-License-Identifier: Apache-2.0
// Inputs are regular files: opening a FIFO waits for its writer, and a device may have no end.
#pragma once
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace g80 {

/// The reason why `path` cannot be an input, "it is a FIFO; allowed are regular files"; empty if it is a regular file.
/// Opens nothing.
inline std::string why_no_regular_file(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();  // of what a link leads to
  const char* what = nullptr;
  switch (type) {
    case fs::file_type::regular: return {};
    case fs::file_type::not_found: return std::strerror(ENOENT);
    case fs::file_type::directory: what = "a folder"; break;
    case fs::file_type::fifo: what = "a FIFO"; break;
    case fs::file_type::socket: what = "a socket"; break;
    case fs::file_type::block:
    case fs::file_type::character: what = "a device"; break;
    default: return error ? error.message() : "it is no regular file";
  }
  return std::string("it is ") + what + "; allowed are regular files";
}

}  // namespace g80
