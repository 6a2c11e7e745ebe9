// A GTKWave translate filter file from addresses of code to source lines.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "kernels/toolchain/cubin/module.h"

namespace g80 {

/// Adds the lines of a kernel whose first word lies at `start`: address to "scan.cu:12  text of the line".
void add_lines(const Kernel& kernel, std::uint32_t start, std::map<std::uint32_t, std::string>& lines);

/// The file's text; addresses are written as the viewer shows pc signals, in 6 hexadecimal digits.
std::string line_filter(const std::map<std::uint32_t, std::string>& lines);

}  // namespace g80
