// SPDX-License-Identifier: Apache-2.0
// The image of a module for loading: one code segment with every kernel relocated, the constant banks, the variables.
//
// In a module each kernel's branch targets count from its own first instruction; in the segment they are addresses.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/common/limits.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// `value` to the next multiple of `unit`.
constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit * unit; }

/// Contents of one constant bank; empty = the bank is not used.
using BankImage = std::vector<std::uint8_t>;

struct KernelImage {
  std::uint32_t start = 0;  // byte address in the code segment
  std::uint32_t bytes = 0;
  std::array<BankImage, kNumConstBanks> bank;  // banks of which the kernel has words of its own, complete
};

struct ModuleImage {
  std::vector<std::uint32_t> code;             // the segment
  std::vector<KernelImage> kernels;            // in the module's order
  std::array<BankImage, kNumConstBanks> bank;  // shared by all kernels; device addresses are still zero
};

/// Kernels begin on a line of the largest instruction cache line.
inline constexpr std::uint32_t kKernelAlignment = 128;
/// A constant buffer's length is a multiple of this (machine description, constant spaces).
inline constexpr std::uint32_t kConstantAlignment = 256;

ModuleImage make_module_image(const Module& module);

/// The words of a kernel that starts at byte address `start`: targets of branches, calls, breaks and joins moved there.
std::vector<std::uint32_t> relocate(const std::vector<std::uint32_t>& code, isa::Arch arch, std::uint32_t start);

}  // namespace g80
