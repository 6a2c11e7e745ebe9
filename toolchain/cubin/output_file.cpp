// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "toolchain/cubin/module.h"

namespace g80 {

void write_output_file(const std::string& path, std::string_view content) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();  // which writes what is left
  if (!file) throw SourceError(fmt::format("{}: the file cannot be written ({})", path, std::strerror(errno)));
}

}  // namespace g80
