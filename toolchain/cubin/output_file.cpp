// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cubin/output_file.h"

#include <fstream>

#include "toolchain/cubin/module.h"

namespace g80 {

void write_output_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();  // which writes what is left
  if (!file) throw SourceError(path + ": the file cannot be written");
}

}  // namespace g80
