// SPDX-License-Identifier: Apache-2.0
// Rows of single instructions: their rates and latencies, banks, constants, launches, occupancy, peaks.
#include <fmt/format.h>

#include <algorithm>

#include "hw/common/types.h"
#include "hw/config/occupancy.h"
#include "input/input_error.h"
#include "validation/rows.h"

namespace g80::silicon {
namespace {

constexpr const char* kTutorial2008 = "NVIDIA tutorial CUDA, 2008";
constexpr const char* kWong = "Wong et al., ISPASS 2010, quoted from memory";
constexpr const char* kBrief = "GeForce GTX 200 technical brief, 2008: directed tests reach 93 to 94 % of 24 flops";
constexpr const char* kL1 = "tex.l1_bytes, tex.l1_ways, tex.line_bytes";
constexpr const char* kL2 = "tex.l2_bytes, tex.l2_ways; each partition's slice is indexed by the address inside it";
constexpr const char* kCalculator = "CUDA Occupancy Calculator 1.2, G80 sheet";

// Half-warps of s[] words `stride` apart: cycles relative to stride 1.
double conflict_degree(Bench& bench, unsigned stride) {
  const auto cycles = [&](unsigned step) {
    const std::string setup = fmt::format("  mov b32 $r3 {:#x}\n  mul $r2 u24 $r1 $r3\n  shl $a1 $r2 0x0\n", step);
    return bench.issue_cycles("mov b32 $r{d} b32 s[$a1+0x20]", 16, setup);
  };
  return cycles(stride) / cycles(1);
}

// Reads of c[] by half-warps with so many distinct addresses: cycles relative to one address.
double constant_degree(Bench& bench, unsigned addresses) {
  const auto cycles = [&](unsigned distinct) {
    const std::string setup = fmt::format("  and b32 $r2 $r1 {:#x}\n  shl $a1 $r2 0x0\n", 4 * (distinct - 1));
    return bench.issue_cycles("ld $r{d} b32 c0[$a1]", 16, setup, ".constant table u32 64\n");
  };
  return cycles(addresses) / cycles(1);
}

double microseconds_of_launch(Bench& bench) {
  const Observation seen =
      bench.run(Bench::experiment(".kernel empty\n.reg 2\n.param ptr buffer\n  exit nop\n", 1, 32));
  return static_cast<double>(seen.result.shader_cycles) / bench.shader_hz() * 1e6;
}

// Dependent loads of one thread around a ring of words that lie `stride` bytes apart; each holds the address of the
// next. The first round is not counted.
double load_latency(Bench& bench, std::uint32_t stride = 4, unsigned words = 1) {
  const unsigned uncounted = std::max(words, 16u);
  const auto chase = [&](unsigned loads) {
    std::string text = ".kernel chase\n.reg 4\n.param ptr buffer\n.param u32 stride\n.param u32 words\n";
    text += "  mov b32 $r1 b32 s[buffer]\n  mov b32 $r2 b32 s[stride]\n  mov b32 $r3 b32 s[words]\nmake:\n";
    text += "  add b32 $r0 $r1 $r2\n  st b32 g14[$r1] $r0\n  mov b32 $r1 $r0\n  add b32 $r3 $r3 0xffffffff\n";
    text += "  set $c0 # lg s32 $r3 $r124\n  (lg $c0) bra make\n";
    text += "  sub b32 $r1 $r1 $r2\n  mov b32 $r0 b32 s[buffer]\n  st b32 g14[$r1] $r0\n  mov b32 $r1 $r0\n";
    for (unsigned i = 0; i < loads; ++i) text += "  ld b32 $r1 g14[$r1]\n";
    Experiment experiment = Bench::experiment(text + "  exit nop\n", 1, 1, words * stride);
    experiment.params = {stride, words};
    return experiment;
  };
  return bench.cycles_beyond(chase(3 * uncounted), chase(uncounted)) / (2 * uncounted);
}

// Dependent texture fetches of one thread around a ring of `texels` texels that lie `stride` bytes apart; each holds
// the number of the next. At least the first round is not counted. The loop adds less than one cycle to a fetch.
double texture_latency(Bench& bench, std::uint32_t stride, unsigned texels = 32) {
  constexpr unsigned kFetches = 96;
  const unsigned round = (texels + kFetches - 1) / kFetches;  // loops that pass every texel
  const auto chase = [&](unsigned loops) {
    std::string text = ".texture texels 0\n.kernel chase\n.reg 4\n.param ptr buffer\n  mov b32 $r1 0x0\n";
    text += fmt::format("  mov b32 $r2 {:#x}\nloop:\n", loops);
    for (unsigned i = 0; i < kFetches; ++i) text += "  texfetch live $r1:#:#:# $ttexels $stexels $r1 0x0 0x0 0x0\n";
    text += "  add b32 $r2 $r2 0xffffffff\n  set $c0 # lg s32 $r2 $r124\n  (lg $c0) bra loop\n";
    text += "  add b32 $r1 $r1 0x1\n  mov b32 $r2 b32 s[buffer]\n  st b32 g14[$r2] $r1\n  exit nop\n";
    Experiment experiment = Bench::experiment(text, 1, 1, texels * stride);
    for (unsigned i = 0; i < texels; ++i) {
      experiment.buffers[0][std::size_t{i} * stride / 4] = (i + 1) % texels * stride / 4;
    }
    experiment.texture = true;
    return experiment;
  };
  const std::uint32_t last = round * kFetches % texels * stride / 4;
  if (bench.run(chase(round)).buffers[0][0] != last + 1) throw InputError("chase: it went astray");
  return bench.cycles_beyond(chase(3 * round), chase(round)) / (2 * round * kFetches);
}

// The largest number of texels `stride` bytes apart, in steps of `step`, that fetches reach as soon as the first step
// of them.
unsigned texture_knee(Bench& bench, std::uint32_t stride, unsigned step) {
  const double reached = 1.05 * texture_latency(bench, stride, step);
  unsigned within = 1, beyond = 2;
  while (texture_latency(bench, stride, beyond * step) <= reached) within = beyond, beyond *= 2;
  while (beyond - within > 1) {
    const unsigned middle = (within + beyond) / 2;
    (texture_latency(bench, stride, middle * step) <= reached ? within : beyond) = middle;
  }
  return within * step;
}

constexpr std::uint32_t kNextLine = 32, kNextL2Line = 256;
// The number of bytes from which on all lines lie in one set of one partition's second level, whatever the partitions.
constexpr std::uint32_t kSameL2Set = 3 << 16;

// KB that fit into a level. Of the second level the lines of one partition are followed, which are more than the 20
// that fit into their set of the first level; the other partitions have as many.
double texture_l1_kilobytes(Bench& bench) { return texture_knee(bench, kNextLine, 16) * kNextLine / 1024.0; }
double texture_l2_kilobytes(Bench& bench) {
  const std::uint32_t next_in_partition = bench.config().gpu.num_partitions * kNextL2Line;
  return texture_knee(bench, next_in_partition, 32) * next_in_partition / 1024.0;
}

// The smallest number of warps with which chains of dependent MADs issue every four cycles.
double knee(Bench& bench) {
  for (unsigned warps = 1; warps <= 16; ++warps) {
    if (bench.dependent_cycles("add f32 $r4 (mul $r2 $r4) $r3", warps) / warps < 4.1) return warps;
  }
  return 17;
}

// Lanes a cycle that an SM full of `warps` chains of dependent operations completes.
double lanes_a_cycle(Bench& bench, const char* operation, unsigned warps) {
  return kWarpSize * warps / bench.dependent_cycles(operation, warps);
}

// Cycles of a combination of instructions as the guide counts them: the sum of each instruction alone. In a real stream
// they overlap, because SFUs and SPs work for different warps at the same time.
double added_cycles(Bench& bench, std::initializer_list<const char*> operations) {
  double sum = 0;
  for (const char* const operation : operations)
    sum += bench.issue_cycles(operation, 16, "  set $c0 # g f32 $r2 $r3\n", ".constant table u32 64\n");
  return sum;
}

double blocks_of(Bench& bench, BlockNeeds needs) { return occupancy(bench.config(), needs).blocks; }

#define ISSUE(id, what, cycles, decided, ...)                                   \
  {                                                                             \
    id, 'B', "8600gts", what, "cycles a warp", cycles, cycles, kGuide, decided, \
        [](Bench& b) { return b.issue_cycles(__VA_ARGS__); }                    \
  }
#define STRIDE(n, degree)                                                                                             \
  {                                                                                                                   \
    "bank_stride_" #n, 'B', "8600gts", "s[] words " #n " apart: time relative to words 1 apart", "times", degree,     \
        degree, kTutorial2008, "hw/smem/bank_conflict.h: select_pass", [](Bench& b) { return conflict_degree(b, n); } \
  }
#define CONSTANT(n)                                                                                                  \
  {                                                                                                                  \
    "constant_" #n, 'B', "8600gts", "c[] with " #n " addresses in a half-warp: time relative to one", "times", n, n, \
        kGuide, "hw/cache/constant_cache.h: select_broadcast", [](Bench& b) { return constant_degree(b, n); }        \
  }

#define RATE(id, what, lanes, decided, operation)                                                          \
  {                                                                                                        \
    id, 'D', "gtx280", what ", 16 warps of dependent ones", "lanes a cycle", lanes, lanes, kWong, decided, \
        [](Bench& b) { return lanes_a_cycle(b, operation, 16); }                                           \
  }
#define TEXTURE_BYTES(id, chip, place, kilobytes, source, decided, measure)                                           \
  {                                                                                                                   \
    id, 'D', chip, "texels that dependent fetches of one thread reach in " place, "KB", kilobytes, kilobytes, source, \
        decided, measure                                                                                              \
  }
#define TEXTURE(id, chip, place, stride, low, high, source)                                                           \
  {                                                                                                                   \
    id, 'D', chip, "dependent texture fetches from " place ", one thread", "cycles", low, high, source,               \
        "tex.pipeline_latency, crossbar and partition latencies", [](Bench& b) { return texture_latency(b, stride); } \
  }

const std::vector<Row> kIssueRows = {
    ISSUE("add_f32", "add f32", 4, "8 SP lanes", "add rn f32 $r{d} $r2 $r3"),
    ISSUE("mul_f32", "mul f32", 4, "8 SP lanes", "mul rn f32 $r{d} $r2 $r3"),
    ISSUE("mad_f32", "mad f32", 4, "8 SP lanes, register banks", "add f32 $r{d} (mul $r2 $r3) $r{d}"),
    ISSUE("add_s32", "add of integers", 4, "8 SP lanes", "add b32 $r{d} $r2 $r3"),
    ISSUE("and_b32", "bitwise operation", 4, "8 SP lanes", "and b32 $r{d} $r2 $r3"),
    ISSUE("min_s32", "minimum", 4, "8 SP lanes", "min s32 $r{d} $r2 $r3"),
    ISSUE("set_s32", "comparison", 4, "8 SP lanes", "set $r{d} l s32 $r2 $r3"),
    ISSUE("cvt", "type conversion", 4, "8 SP lanes", "cvt rn f32 $r{d} s32 $r2"),
    ISSUE("mul24", "24-bit multiplication", 4, "8 SP lanes", "mul $r{d} u24 $r2 $r3"),
    ISSUE("mul32", "32-bit multiplication, four instructions", 16, "no 32-bit multiplier: a sequence",
          "mul $r{d} u16 $r2l u16 $r3h\n  add $r{d} (mul u16 $r2h $r3l) $r{d}\n  shl b32 $r{d} $r{d} 0x10\n"
          "  add $r{d} (mul u16 $r2l $r3l) $r{d}"),
    ISSUE("rcp", "reciprocal", 16, "sm.num_sfus = 2", "rcp f32 $r{d} $r2"),
    ISSUE("rsqrt", "reciprocal square root", 16, "sm.num_sfus = 2", "rsqrt f32 $r{d} $r2"),
    ISSUE("lg2", "logarithm", 16, "sm.num_sfus = 2", "lg2 f32 $r{d} $r2"),
    ISSUE("sin", "sine, with its range reduction", 32, "sm.num_sfus = 2; the reduction is an SFU instruction",
          "presin f32 $r{d} $r2\n  sin f32 $r{d} $r{d}"),
    ISSUE("ex2", "exponential, with its range reduction", 32, "sm.num_sfus = 2; the reduction is an SFU instruction",
          "preex2 f32 $r{d} $r2\n  ex2 f32 $r{d} $r{d}"),
    ISSUE("sqrt", "square root: rsqrt, rcp", 32, "sm.num_sfus = 2", "rsqrt f32 $r{d} $r2\n  rcp f32 $r{d} $r{d}"),
    {"fdividef", 'B', "8600gts", "__fdividef: rcp and mul, each alone", "cycles a warp", 20, 20, kGuide,
     "sm.num_sfus = 2, then the SPs",
     [](Bench& b) {
       return added_cycles(b, {"rcp f32 $r{d} $r2", "mul rn f32 $r{d} $r3 $r{d}"});
     }},
    // A divisor beyond 2^126 and its dividend are scaled under a guard.
    {"fdiv", 'B', "8600gts", "division: a comparison, a copy, rcp and three multiplications, each alone",
     "cycles a warp", 36, 36, kGuide, "sm.num_sfus = 2, then the SPs",
     [](Bench& b) {
       return added_cycles(
           b, {"set $c0 # g f32 abs $r2 c0[table]", "mov b32 $r{d} $r2", "(lgu $c0) mul rn f32 $r{d} $r2 c0[table]",
               "(lgu $c0) mul rn f32 $r{d} $r3 c0[table]", "rcp f32 $r{d} $r2", "mul rn f32 $r{d} $r2 $r3"});
     }},
    ISSUE("mov_shared", "read of s[] without conflict", 4, "16 banks, one half-warp in 2 cycles",
          "mov b32 $r{d} b32 s[$a1+0x20]"),
    {"barrier", 'B', "8600gts",
     "__syncthreads where no warp waits for another: blocks of one warp, all that an SM holds", "cycles a warp", 4, 4,
     kGuide, "hw/sm/barrier.h: the warp leaves the scheduler until the barrier opens",
     [](Bench& b) { return b.lone_issue_cycles("bar inc wait 0x0 0xfff"); }},
    STRIDE(0, 1),
    STRIDE(2, 2),
    STRIDE(3, 1),
    STRIDE(4, 4),
    STRIDE(5, 1),
    STRIDE(6, 2),
    STRIDE(7, 1),
    STRIDE(8, 8),
    STRIDE(12, 4),
    STRIDE(16, 16),
    ISSUE("mov_constant", "read of c[], one address", 4, "sm.const_addresses_per_4_cycles",
          "add b32 $r{d} $r2 c0[table]", 16, "", ".constant table u32 64\n"),
    CONSTANT(2),
    CONSTANT(4),
    CONSTANT(8),
    CONSTANT(16),

    {"mad_latency", 'D', "8800gtx", "dependent MADs, one warp", "cycles", 24, 24, kVolkov, "sm.alu_latency",
     [](Bench& b) { return b.dependent_cycles("add f32 $r4 (mul $r2 $r4) $r3"); }},
    {"knee", 'D', "8800gtx", "warps that hide the latency of a MAD", "warps", 6, 6, kGuide, "sm.alu_latency / 4", knee},
    {"mad_shared", 'D', "8800gtx", "MAD with an operand from s[]", "cycles a warp", 6, 6, kVolkov,
     "sm.shared_operand_cycles", [](Bench& b) { return b.issue_cycles("add f32 $r{d} (mul b32 s[0x10] $r2) $r{d}"); }},
    {"shared_latency", 'D', "8800gtx", "dependent reads of s[], one warp", "cycles", 36, 36, kVolkov, "sm.smem_latency",
     [](Bench& b) { return b.dependent_cycles("shl $a1 b32 s[$a1+0x20] 0x0", 1, "  shl $a1 $r2 0x0\n"); }},
    {"launch", 'D', "8800gtx", "a launch of an empty kernel, with the driver's time on silicon, without it here", "us",
     3, 7, kVolkov, "host.launch_cycles and gpu.cta_launch_cycles; a driver's time is not modelled",
     microseconds_of_launch},
    {"load_latency", 'D', "8600gts", "dependent loads of g[], one thread", "cycles", 400, 600, kGuide,
     "crossbar latencies, DRAM, sm.address_latency, sm.return_latency", [](Bench& b) { return load_latency(b); }},
    {"load_latency_g80", 'D', "8800gtx", "dependent loads of g[], one thread", "cycles", 470, 470, kVolkov,
     "crossbar latencies, DRAM, sm.address_latency, sm.return_latency", [](Bench& b) { return load_latency(b); }},
    {"load_beyond_tlb", 'D', "8800gtx", "dependent loads of g[] beyond the reach of the TLB, one thread", "cycles", 680,
     720, kVolkov, "tlb.l2_latency, tlb.hit_latency", [](Bench& b) { return load_latency(b, 512 << 10, 24); }},
    {"load_latency_gt200", 'D', "gtx280", "dependent loads of g[], one thread", "cycles", 441, 441, kWong,
     "crossbar latencies, DRAM, sm.address_latency, sm.return_latency", [](Bench& b) { return load_latency(b); }},
    TEXTURE("texture_l1", "8800gtx", "the first level", kNextLine, 280, 280, kVolkov),
    TEXTURE("texture_l2", "8800gtx", "the second level", kNextL2Line, 370, 390, kVolkov),
    TEXTURE("texture_dram", "8800gtx", "memory", kSameL2Set, 500, 500, kVolkov),
    TEXTURE("texture_l1_gt200", "gtx280", "the first level", kNextLine, 261, 261, kWong),
    TEXTURE("texture_l2_gt200", "gtx280", "the second level", kNextL2Line, 371, 371, kWong),
    TEXTURE("texture_dram_gt200", "gtx280", "memory", kSameL2Set, 460, 500, kWong),
    TEXTURE_BYTES("texture_l1_bytes", "8800gtx", "the first level", 5, kVolkov, kL1, texture_l1_kilobytes),
    TEXTURE_BYTES("texture_l2_bytes", "8800gtx", "the second level", 192, kVolkov, kL2, texture_l2_kilobytes),
    TEXTURE_BYTES("texture_l1_bytes_gt200", "gtx280", "the first level", 5, kWong, kL1, texture_l1_kilobytes),
    TEXTURE_BYTES("texture_l2_bytes_gt200", "gtx280", "the second level", 256, kWong, kL2, texture_l2_kilobytes),

    RATE("mad_rate", "MAD", 7.9, "8 SP lanes", "add f32 $r4 (mul $r2 $r4) $r3"),
    RATE("mul_rate", "multiplication", 11.2, "hw/sm/register_file.h: three operand ports for SPs and SFUs",
         "mul rn f32 $r4 $r4 $r3"),
    {"mad_mul", 'D', "gtx280", "MAD and multiplication in turn, of three registers together: flops of an SM",
     "flops a cycle", 0.93 * 24, 0.94 * 24, kBrief, "hw/sm/register_file.h: three operand ports for SPs and SFUs",
     [](Bench& b) {
       return 3.0 * kWarpSize /
              b.issue_cycles("add f32 $r{d} (mul $r2 0x3f800000) $r{d}\n  mul f32 $r9 $r3 0x3f800000");
     }},

    {"barrier_latency", 'D', "gtx280", "__syncthreads in a block of one warp", "cycles", 20, 20, kWong,
     "hw/sm/reconvergence_stack.h: registers of sm.branch_latency, control stack, barrier",
     [](Bench& b) { return b.dependent_cycles("bar inc wait 0x0 0xfff"); }},

    {"occupancy_256x10", 'E', "8600gts", "blocks: 256 threads, 10 registers, 4096 bytes", "blocks", 3, 3, kCalculator,
     "hw/config/occupancy.h",
     [](Bench& b) {
       return blocks_of(b, {256, 10, 4096});
     }},
    {"occupancy_256x11", 'E', "8600gts", "blocks: 256 threads, 11 registers", "blocks", 2, 2, kCalculator,
     "hw/config/occupancy.h",
     [](Bench& b) {
       return blocks_of(b, {256, 11, 16});
     }},
    {"occupancy_512", 'E', "8600gts", "blocks: 512 threads", "blocks", 1, 1, kCalculator, "hw/config/occupancy.h",
     [](Bench& b) {
       return blocks_of(b, {512, 8, 16});
     }},
    {"peak_8600gts", 'E', "8600gts", "MAD peak", "Gflop/s", 93.3, 93.3, "GeForce 8600 GTS specification",
     "SPs, shader clock",
     [](Bench& b) {
       return b.num_sms() * 2 * kWarpSize / b.issue_cycles("add f32 $r{d} (mul $r2 $r3) $r{d}") * b.shader_hz() / 1e9;
     }},
    {"peak_8800gtx", 'E', "8800gtx", "MAD peak", "Gflop/s", 345.6, 345.6, "GeForce 8800 GTX specification",
     "SPs, shader clock",
     [](Bench& b) {
       return b.num_sms() * 2 * kWarpSize / b.issue_cycles("add f32 $r{d} (mul $r2 $r3) $r{d}") * b.shader_hz() / 1e9;
     }},
    {"peak_gtx280", 'E', "gtx280", "MAD peak", "Gflop/s", 622, 622, "GeForce GTX 280 specification",
     "SPs, shader clock",
     [](Bench& b) {
       return b.num_sms() * 2 * kWarpSize / b.issue_cycles("add f32 $r{d} (mul $r2 $r3) $r{d}") * b.shader_hz() / 1e9;
     }},
};

}  // namespace

const std::vector<Row>& issue_rows() { return kIssueRows; }

}  // namespace g80::silicon
