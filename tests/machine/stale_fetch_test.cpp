// SPDX-License-Identifier: Apache-2.0
// A fetch that takes longer than 256 jumps of its warp: nobody takes its reply for a later fetch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/machine/gpu_backend.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

/// Text of a kernel whose instructions are all of eight bytes.
class Program {
 public:
  void add(const std::string& instruction) {
    text_ += "  " + instruction + " .long\n";
    bytes_ += 8;
  }
  void label(const std::string& name) { text_ += name + ":\n"; }
  /// The next instruction is `before` bytes before a multiple of `unit`.
  void align(unsigned unit, unsigned before = 0) {
    while ((bytes_ + before) % unit != 0) add("nop");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = ".kernel late\n.param ptr out\n";
  unsigned bytes_ = 0;
};

/// The last instruction of the line at `P` jumps, and the next line misses in all caches. Meanwhile the warp jumps 256
/// times in lines that it has, and then to `T`, whose line misses, too.
std::string jumps_beside_a_miss() {
  constexpr unsigned kJumps = 84, kWarmUp = 60, kRounds = 3;
  Program p;
  p.add("mov b32 $r3 0x0");
  p.add(fmt::format("mov b32 $r1 {:#x}", kWarmUp));
  p.add("bra pad");
  p.align(256);
  p.label("loop");
  p.add("add b32 $r1 $r1 0xffffffff");
  p.add("set $c0 # lg s32 $r1 $r124");
  for (unsigned jump = 0; jump < kJumps; ++jump) {
    p.add(fmt::format("bra b{}", jump));
    p.add("nop");
    p.label(fmt::format("b{}", jump));
  }
  p.add("(lg $c0) bra loop");
  p.add("set $c1 # e s32 $r3 $r124");
  p.add("(lg $c1) bra P");
  p.add("bra T");
  p.label("pad");
  for (unsigned i = 0; i < 26; ++i) p.add("nop");
  p.add("bra loop");
  p.align(1024);
  p.label("P");
  for (unsigned i = 0; i < 5; ++i) p.add("nop");
  p.add("mov b32 $r3 0x1");
  p.add(fmt::format("mov b32 $r1 {:#x}", kRounds));
  p.align(128, 8);
  p.add("bra loop");
  for (unsigned i = 0; i < 16; ++i) p.add("mov b32 $r4 0xbad");
  p.align(1024);
  p.label("T");
  p.add("mov b32 $r4 0x600d");
  p.add("mov b32 $r2 b32 s[out]");
  p.add("st b32 g14[$r2] $r4");
  p.add("exit nop");
  return p.text();
}

TEST(StaleFetch, IsNotTakenForOneThatFollows256JumpsLater) {
  const Module module = assemble(jumps_beside_a_miss(), "late.sasm");
  const MachineOptions options;
  GpuBackend gpu(load_config("tiny", {"clock.core_mhz=60", "ccache.l2_latency=255", "ccache.l3_latency=255",
                                      "icache.l1_bytes=4096"}),
                 options);
  gpu.load(module);
  const std::uint32_t out = gpu.allocate(4, "out");
  const Launch launch(gpu.config(), module.kernels.front(), {1, 1, 1}, {1, 1, 1}, {out}, 0, 2'000'000);
  ASSERT_EQ(gpu.launch(launch).end, LaunchEnd::kFinished);
  std::uint32_t word = 0;
  gpu.read(out, &word, sizeof word);
  EXPECT_EQ(word, 0x600du);
}

}  // namespace
}  // namespace g80
