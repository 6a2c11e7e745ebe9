// SPDX-License-Identifier: Apache-2.0
// Rows of the bandwidth of device memory, with coalesced accesses and with accesses in another order.
//
// The guide's rules describe the memory alone. Their kernel is a copy in place whose threads process many elements.
// The SMs' offsets in time decide which DRAM rows they share, and a run keeps these offsets for long. So the result is
// the mean of several starts with different offsets (validation/staggered_start.h). In the tutorial's experiment a
// thread updates one element, and blocks follow one another on each SM. A grid of 72 blocks for each SM is run, and its
// rate is extrapolated to the published size.
#include <fmt/format.h>

#include <map>

#include "hw/config/occupancy.h"
#include "input/input_error.h"
#include "validation/rows.h"
#include "validation/staggered_start.h"

namespace g80::silicon {
namespace {

constexpr const char* kTutorial = "NVIDIA tutorial CUDA, 2008: 3M floats on a G80 board";
constexpr const char* kUncoalesced = "hw/mem/coalesce.h: a transaction of 32 bytes for every lane";
constexpr const char* kBus = "DRAM data bus: bursts, turnarounds, rows";
constexpr const char* kDeviceCopy = "copies from device to device, quoted from memory";
constexpr const char* kOffsets = "CUDA C Best Practices Guide, misaligned accesses: one half of full bandwidth";
constexpr const char* kShifts = "CUDA C Best Practices Guide 2.x, textureShiftCopy, quoted from memory";
constexpr const char* kDriverCopy = "app/run/device_copy.h: a kernel; DRAM data bus: bursts, turnarounds, rows";
constexpr const char* kTextureCopy = "tex.l2_mshrs, tex.mshrs: lines on their way; crossbar; DRAM data bus";
constexpr unsigned kThreads = 256;
constexpr unsigned kRoundsInStep = 24, kRoundsOfGrid = 72, kRoundsAtEnd = 4;  // a block for each SM is a round

enum class Order : std::uint8_t { kStraight, kRotated, kWithGaps, kThrees };

constexpr const char* kRotate =
    "  add b32 $r2 $r0 0x1\n  and b32 $r2 $r2 0xf\n  and b32 $r0 $r0 0xfff0\n  or b32 $r0 $r0 $r2\n";

// Of 1, 2 or 4 words.
struct Element {
  unsigned shift;
  const char *type, *group;  // the registers of one: $r8 and the group
  explicit Element(unsigned words)
      : shift(words == 1   ? 2
              : words == 2 ? 3
                           : 4),
        type(words == 1   ? "b32"
             : words == 2 ? "b64"
                          : "b128"),
        group(words == 1   ? ""
              : words == 2 ? "d"
                           : "q") {}
};

// a[i] = a[i] + 1, with elements of `words` words. Rotated: each thread of a half-warp accesses the next thread's
// element, the last thread the first element. With gaps: every fourth thread does nothing. In threes: float3, word by
// word.
std::string increment(unsigned words, Order order) {
  const Element element(words);
  std::string text =
      ".kernel increment\n.reg 12\n.param ptr buffer\n  mov b16 $r1l u16 s[0x2]\n  cvt u32 $r0 u16 $r0l\n";
  if (order == Order::kWithGaps)
    text += "  and b32 $r2 $r0 0x3\n  set $c0 # e s32 $r2 $r124\n  (lg $c0) bra on\n  exit nop\non:\n";
  if (order == Order::kRotated) text += kRotate;
  text += "  mul $r2 u16 u16 s[0xc] u16 $r1l\n  add b32 $r2 $r2 $r0\n";
  if (order == Order::kThrees) {
    text += "  mul $r2 u24 $r2 0xc\n  add b32 $r2 b32 s[buffer] $r2\n  add b32 $r3 $r2 0x4\n  add b32 $r4 $r2 0x8\n";
    text += "  ld b32 $r5 g14[$r2]\n  ld b32 $r6 g14[$r3]\n  ld b32 $r7 g14[$r4]\n";
    for (unsigned i = 5; i < 8; ++i) text += fmt::format("  add f32 $r{0} $r{0} 0x3f800000\n", i);
    return text + "  st b32 g14[$r2] $r5\n  st b32 g14[$r3] $r6\n  st b32 g14[$r4] $r7\n  exit nop\n";
  }
  text += fmt::format("  shl b32 $r2 $r2 {:#x}\n  add b32 $r2 b32 s[buffer] $r2\n  ld {} $r8{} g14[$r2]\n",
                      element.shift, element.type, element.group);
  for (unsigned i = 8; i < 8 + words; ++i) text += fmt::format("  add f32 $r{0} $r{0} 0x3f800000\n", i);
  return text + fmt::format("  st {} g14[$r2] $r8{}\n  exit nop\n", element.type, element.group);
}

// Microseconds for `blocks` blocks, from the doorbell to the end of the last block. The rate counts between the first
// third of a smaller grid, when the SMs are no longer in step, and its last blocks, which have the chip for themselves.
double microseconds(Bench& bench, unsigned words, Order order, unsigned blocks) {
  const unsigned sms = bench.num_sms(), few = kRoundsInStep * sms, most = (kRoundsOfGrid - kRoundsAtEnd) * sms;
  const std::uint32_t bytes = kThreads * (order == Order::kThrees ? 12 : 4 * words);
  Experiment grid =
      Bench::experiment(increment(words, order), kRoundsOfGrid * sms, kThreads, kRoundsOfGrid * sms * bytes);
  grid.watch = Watch::kEvents;
  const Observation seen = bench.run(std::move(grid));
  std::vector<Cycle> ends;  // of warps
  for (const MachineEvent& event : seen.events) {
    if (event.kind == EventKind::kWarpEnd) ends.push_back(event.cycle);
  }
  constexpr unsigned kWarps = kThreads / kWarpSize;
  const double block = static_cast<double>(ends.at(most * kWarps - 1) - ends.at(few * kWarps - 1)) / (most - few);
  return (static_cast<double>(seen.result.shader_cycles) + block * (blocks - kRoundsOfGrid * sms)) / bench.shader_hz() *
         1e6;
}

constexpr unsigned kSettling = 4, kRounds = 24;  // of a copy
constexpr unsigned kStarts = 5, kSlots = 8;      // the SMs in step, and 1/8, 2/8, 3/8 and 4/8 of a round apart
constexpr unsigned kLoopRegisters = 8, kLoopInstructions = 6;

// A copy in place. Each thread copies kRounds elements, and uses few registers, so that the SMs are full of threads.
std::string copy_kernel(const Bench& bench, unsigned words, bool rotated, unsigned threads, std::uint32_t apart) {
  const Element element(words);
  std::string text = fmt::format(".kernel copy\n.reg {}\n.param ptr buffer\n", kLoopRegisters);
  text += staggered(bench.num_sms(), apart);
  text += "  mov b16 $r1l u16 s[0x2]\n  cvt u32 $r0 u16 $r0l\n";
  if (rotated) text += kRotate;
  text += fmt::format(
      "  mul $r2 u16 u16 s[0xc] u16 $r1l\n  add b32 $r2 $r2 $r0\n  shl b32 $r2 $r2 {:#x}\n  add b32 $r2 b32 "
      "s[buffer] $r2\n  mov b32 $r3 {:#x}\n  mov b32 $r1 {:#x}\n",
      element.shift, threads * words * 4, kRounds);
  return text + fmt::format(
                    "again:\n  ld {0} $r4{1} g14[$r2]\n  add b32 $r1 $r1 0xffffffff\n  set $c0 # lg s32 $r1 $r124\n"
                    "  st {0} g14[$r2] $r4{1}\n  add b32 $r2 $r2 $r3\n  (lg $c0) bra again\n  exit nop\n",
                    element.type, element.group);
}

// Shader cycles of one round of all threads, measured while all run: after the last warp has settled, before the first
// warp ends.
double cycles_of_round(Bench& bench, unsigned words, bool rotated, unsigned blocks, std::uint32_t apart) {
  const unsigned threads = blocks * kThreads, warps = threads / kWarpSize;
  Experiment experiment = Bench::experiment(copy_kernel(bench, words, rotated, threads, apart), blocks, kThreads,
                                            threads * words * 4 * kRounds);
  experiment.watch = Watch::kEvents;
  const Observation seen = bench.run(std::move(experiment));
  constexpr unsigned kBefore = 12 + kSettling * kLoopInstructions;  // in front of the loop there are at most 12
  std::map<std::pair<unsigned, unsigned>, unsigned> issued;         // by SM and warp
  unsigned settled = 0, instructions = 0;
  Cycle from = 0, to = 0;
  for (const MachineEvent& event : seen.events) {
    if (event.kind == EventKind::kWarpEnd) {
      to = event.cycle;
      break;
    }
    if (event.kind != EventKind::kIssue || event.pc < kStaggeredBytes) continue;
    if (settled == warps) ++instructions;
    if (++issued[{event.unit, event.warp}] == kBefore && ++settled == warps) from = event.cycle;
  }
  if (instructions == 0) throw InputError("copy: the blocks were not on the SMs together");
  return static_cast<double>(to - from) * warps * kLoopInstructions / instructions;
}

// Gigabytes per second, read and written, of a copy in place with coalesced or rotated accesses: the mean of starts
// with different offsets between the SMs.
double copy(Bench& bench, unsigned words, bool rotated) {
  return bench.once(fmt::format("copy {} {}", words, rotated), [&] {
    const unsigned blocks = bench.num_sms() * occupancy(bench.config(), {kThreads, kLoopRegisters, 16 + 4}).blocks;
    const double in_step = cycles_of_round(bench, words, rotated, blocks, 0);
    double sum = in_step;
    for (unsigned start = 1; start < kStarts; ++start)
      sum += cycles_of_round(bench, words, rotated, blocks, static_cast<std::uint32_t>(in_step * start / kSlots));
    return 2.0 * blocks * kThreads * words * 4 / (sum / kStarts / bench.shader_hz()) / 1e9;
  });
}

double loss(Bench& bench, unsigned words) { return copy(bench, words, false) / copy(bench, words, true); }
double gain(Bench& bench, unsigned words) { return copy(bench, words, false) / copy(bench, 1, false); }

// Shader cycles for a MB read and a MB written, float by float: each thread reads `shift` elements beyond its own,
// through a texture or not, and writes its own, or with `offset` also `shift` elements beyond.
double cycles_of_shifted(Bench& bench, unsigned shift, bool texture, bool offset) {
  std::string text = texture ? ".texture texels 0\n" : "";
  text += ".kernel copy\n.reg 8\n.param ptr from\n.param ptr to\n  mov b16 $r1l u16 s[0x2]\n  cvt u32 $r0 u16 $r0l\n";
  text += fmt::format("  mul $r2 u16 u16 s[0xc] u16 $r1l\n  add b32 $r0 $r2 $r0\n  add b32 $r2 $r0 {:#x}\n", shift);
  text += offset ? "  shl b32 $r0 $r2 0x2\n" : "  shl b32 $r0 $r0 0x2\n";
  text += texture ? "  texfetch live $r2:#:#:# $ttexels $stexels $r2 0x0 0x0 0x0\n"
                  : "  shl b32 $r2 $r2 0x2\n  add b32 $r2 b32 s[from] $r2\n  ld b32 $r2 g14[$r2]\n";
  text += "  add b32 $r0 b32 s[to] $r0\n  st b32 g14[$r0] $r2\n  exit nop\n";
  const auto of = [&](unsigned blocks) {
    Experiment experiment = Bench::experiment(text, blocks, kThreads, blocks * kThreads * 4 + 128);
    experiment.buffers.push_back(experiment.buffers[0]);
    experiment.texture = texture;
    return experiment;
  };
  constexpr unsigned kBlocksOfMegabyte = 1'000'000 / 4 / kThreads;
  return bench.cycles_beyond(of(4 * kBlocksOfMegabyte), of(2 * kBlocksOfMegabyte)) / 2;
}
double texture_copy(Bench& bench) { return 2e-3 * bench.shader_hz() / cycles_of_shifted(bench, 3, true, false); }

const std::vector<Row> kBandwidthRows = {
    {"coalesced_32", 'B', "8600gts", "32-bit elements: bandwidth, at most that of the pins", "GB/s", 0, 32,
     "GeForce 8600 GTS specification", kBus, [](Bench& b) { return copy(b, 1, false); }},
    {"coalesced_64", 'B', "8600gts", "64-bit elements: bandwidth beside 32-bit elements'", "times", 0.9, 1, kGuide,
     kBus, [](Bench& b) { return gain(b, 2); }},
    {"coalesced_128", 'B', "8600gts", "128-bit elements: bandwidth beside 32-bit elements'", "times", 0.5, 0.9, kGuide,
     "hw/mem/coalesce.h: two transactions for each half-warp", [](Bench& b) { return gain(b, 4); }},
    {"uncoalesced_32", 'B', "8600gts", "32-bit elements: coalesced bandwidth beside rotated", "times", 8, 12, kGuide,
     kUncoalesced, [](Bench& b) { return loss(b, 1); }},
    {"uncoalesced_64", 'B', "8600gts", "64-bit elements: coalesced bandwidth beside rotated", "times", 4, 4, kGuide,
     kUncoalesced, [](Bench& b) { return loss(b, 2); }},
    {"uncoalesced_128", 'B', "8600gts", "128-bit elements: coalesced bandwidth beside rotated", "times", 2, 2, kGuide,
     kUncoalesced, [](Bench& b) { return loss(b, 4); }},
    {"increment", 'B', "8800gtx", "a[i] + 1 for 12K blocks of 256 threads, coalesced: 70.7 GB/s", "us", 356, 356,
     kTutorial, kBus, [](Bench& b) { return microseconds(b, 1, Order::kStraight, 12 * 1024); }},
    {"increment_gaps", 'B', "8800gtx", "the same, some threads do not take part", "us", 357, 357, kTutorial,
     "hw/mem/coalesce.h: lanes may be missing",
     [](Bench& b) { return microseconds(b, 1, Order::kWithGaps, 12 * 1024); }},
    {"increment_permuted", 'B', "8800gtx", "the same, threads permuted", "us", 3494, 3494, kTutorial, kUncoalesced,
     [](Bench& b) { return microseconds(b, 1, Order::kRotated, 12 * 1024); }},
    {"increment_float3", 'B', "8800gtx", "4K blocks of 256 float3", "us", 3302, 3302, kTutorial, kUncoalesced,
     [](Bench& b) { return microseconds(b, 1, Order::kThrees, 4 * 1024); }},
    {"device_copy", 'B', "8800gtx", "copy on the device, read and written", "GB/s", 70, 70, kDeviceCopy, kDriverCopy,
     [](Bench& b) { return b.copy_rate() / 1e9; }},
    {"device_copy_gt200", 'B', "gtx280", "copy on the device, read and written", "GB/s", 117, 120, kDeviceCopy,
     kDriverCopy, [](Bench& b) { return b.copy_rate() / 1e9; }},
    {"offset_copy_gt200", 'B', "gtx280", "copy of floats, each one element beyond: bandwidth beside aligned", "times",
     0.5, 0.58, kOffsets, "hw/mem/coalesce.h: 224 bytes for a warp's 128",
     [](Bench& b) { return cycles_of_shifted(b, 0, false, true) / cycles_of_shifted(b, 1, false, true); }},
    {"texture_copy", 'B', "8800gtx", "copy of floats through a texture, shifted by three", "GB/s", 70, 70, kShifts,
     kTextureCopy, texture_copy},
    {"texture_copy_gt200", 'B', "gtx280", "copy of floats through a texture, shifted by three", "GB/s", 110, 110,
     kShifts, kTextureCopy, texture_copy},
};

}  // namespace

const std::vector<Row>& bandwidth_rows() { return kBandwidthRows; }

}  // namespace g80::silicon
