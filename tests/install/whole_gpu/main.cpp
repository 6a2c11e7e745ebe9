// SPDX-License-Identifier: Apache-2.0
// The whole GPU in a simulation with a module of one's own: a meter on its own clock, which samples how many blocks of
// the grid have ended, while the driver runs saxpy.
//
//     whole_gpu [PRESET [NAME]]     # writes NAME.vcd, the meter's signals
#include <cstdio>
#include <cstring>
#include <systemc>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/driver/driver.h"
#include "tb/driver/gpu_link.h"
#include "toolchain/assembler/assembler.h"

namespace {

constexpr const char* kSaxpy = R"(
.kernel saxpy
.param f32 a
.param ptr x
.param ptr y

  mov b16 $r1l u16 s[0x2]                      // blockDim.x
  cvt u32 $r0 u16 $r0l                         // threadIdx.x
  add $r0 (mul u16 u16 s[0xc] $r1l) $r0
  shl b32 $r0 $r0 0x2
  add b32 $r1 b32 s[x] $r0
  add b32 $r2 b32 s[y] $r0
  ld b32 $r1 g14[$r1]
  ld b32 $r3 g14[$r2]
  mov b32 $r4 b32 s[a]
  mul rn f32 $r1 $r1 $r4
  add rn f32 $r1 $r1 $r3
  st b32 g14[$r2] $r1
  exit nop
)";

SC_MODULE(Meter) {
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_out<unsigned> ended_o{"ended_o"};
  unsigned samples = 0;

  SC_HAS_PROCESS(Meter);
  Meter(const sc_core::sc_module_name& name, const g80::Gpu& chip) : sc_module(name), chip_(chip) {
    SC_METHOD(sample);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void sample() {
    ++samples;
    ended_o.write(static_cast<unsigned>(chip_.cta_scheduler.counters().ctas_finished));
  }
  const g80::Gpu& chip_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_clock clk("clk", 100, sc_core::SC_NS);
  sc_core::sc_signal<unsigned> ended("ended");
  g80::Gpu chip("chip", g80::load_config(argc > 1 ? argv[1] : "8600gts"));
  Meter meter("meter", chip);
  meter.clk_i(clk);
  meter.ended_o(ended);
  sc_core::sc_trace_file* const vcd = sc_core::sc_create_vcd_trace_file(argc > 2 ? argv[2] : "whole_gpu");
  sc_core::sc_trace(vcd, clk, "clk");
  sc_core::sc_trace(vcd, ended, "ended");

  g80::Driver driver(chip.config, g80::link_to(chip));
  const g80::Module module = g80::assemble(kSaxpy, "saxpy.sasm");
  driver.load_module(module);
  constexpr std::uint32_t kCount = 1024, kBlock = 128, kBytes = 4 * kCount;
  const float factor = 3.5f;
  std::vector<float> x(kCount), y(kCount), result(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i)
    x[i] = static_cast<float>(i), y[i] = 0.25f * static_cast<float>(kCount - i);
  const std::uint32_t at_x = driver.alloc(kBytes, "x"), at_y = driver.alloc(kBytes, "y");
  driver.copy_to_device(at_x, x.data(), kBytes);
  driver.copy_to_device(at_y, y.data(), kBytes);
  std::vector<std::uint32_t> arguments{0, at_x, at_y};
  std::memcpy(&arguments[0], &factor, 4);
  driver.launch(driver.kernel("saxpy"),
                {chip.config, module.kernels.front(), {kCount / kBlock, 1, 1}, {kBlock, 1, 1}, arguments});
  if (driver.wait() != g80::WaitEnd::kDone) return 3;
  driver.copy_from_device(result.data(), at_y, kBytes);
  sc_core::sc_close_vcd_trace_file(vcd);

  unsigned wrong = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) wrong += result[i] != factor * x[i] + y[i];
  std::printf("%u of %u elements differ; %llu shader cycles; the meter took %u samples and saw %u blocks end\n", wrong,
              kCount, static_cast<unsigned long long>(driver.last_launch().shader_cycles), meter.samples, ended.read());
  return wrong == 0 ? 0 : 1;
}
