// SPDX-License-Identifier: Apache-2.0
// A kernel on the cycle model, through the driver, and on the functional reference: their memory must be equal.
//
//     driver_golden FILE.sasm KERNEL     # a kernel with parameters (ptr a, ptr b, ptr c, s32 n)
#include <cstdio>
#include <cstring>
#include <systemc>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/driver/driver.h"
#include "tb/driver/gpu_link.h"
#include "tb/golden/grid.h"
#include "tb/golden/memory_image.h"
#include "toolchain/assembler/assembler.h"

int sc_main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "driver_golden: usage: driver_golden FILE.sasm KERNEL\n");
    return 2;
  }
  constexpr std::uint32_t kCount = 500, kBlock = 64, kBytes = 4 * kCount;
  const std::uint32_t blocks = (kCount + kBlock - 1) / kBlock;
  const g80::Module module = g80::assemble_file(argv[1]);
  const g80::Kernel& kernel = *module.find_kernel(argv[2]);
  std::vector<float> a(kCount), b(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) a[i] = static_cast<float>(i) / 3, b[i] = static_cast<float>(i * i);

  g80::Gpu chip("chip", g80::load_config("tiny"));
  g80::Driver driver(chip.config, g80::link_to(chip));
  driver.load_module(module);
  std::vector<std::uint32_t> arguments;
  for (const char* name : {"a", "b", "c"}) arguments.push_back(driver.alloc(kBytes, name));
  arguments.push_back(kCount);
  driver.copy_to_device(arguments[0], a.data(), kBytes);
  driver.copy_to_device(arguments[1], b.data(), kBytes);
  driver.launch(driver.kernel(kernel.name), {chip.config, kernel, {blocks, 1, 1}, {kBlock, 1, 1}, arguments});
  if (driver.wait() != g80::WaitEnd::kDone) return 3;
  std::vector<std::uint8_t> on_chip(kBytes);
  driver.copy_from_device(on_chip.data(), arguments[2], kBytes);

  g80::golden::MemoryImage image;
  for (int i = 0; i < 3; ++i) image.allow(arguments[i], kBytes);
  std::memcpy(image.at(arguments[0]), a.data(), kBytes);
  std::memcpy(image.at(arguments[1]), b.data(), kBytes);
  g80::golden::Launch launch;
  launch.grid_x = blocks;
  launch.block_x = kBlock;
  launch.registers = kernel.reg;
  launch.params = arguments;
  const g80::golden::RunResult run = g80::golden::run_grid({kernel.code, module.arch}, launch, image);
  const bool equal = run.status == g80::golden::RunStatus::kFinished &&
                     std::memcmp(on_chip.data(), image.at(arguments[2]), kBytes) == 0;
  std::printf("%s: %llu warp instructions, %llu shader cycles: %s\n", kernel.name.c_str(),
              static_cast<unsigned long long>(run.warp_instructions),
              static_cast<unsigned long long>(driver.last_launch().shader_cycles), equal ? "equal" : "different");
  return equal ? 0 : 1;
}
