// SPDX-License-Identifier: Apache-2.0
// Combinations that no hardware could be built for are refused, and those at the edge are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "hw/config/config.h"

namespace g80 {
namespace {

struct Broken {
  std::vector<std::string> overrides;
  std::string message;  // what the refusal contains
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << ::testing::PrintToString(broken.overrides); }

std::string test_name(const ::testing::TestParamInfo<Broken>& info) {
  std::string name;
  for (const std::string& text : info.param.overrides) name += (name.empty() ? "" : "_and_") + text;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class BrokenRule : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenRule, IsRefusedWithItsReason) {
  try {
    load_config("8600gts", GetParam().overrides);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryRule, BrokenRule,
    ::testing::Values(
        Broken{{"gpu.num_tpcs=9", "gpu.sms_per_tpc=4"},
               "--set gpu.num_tpcs=9: gpu.num_tpcs = 9 x gpu.sms_per_tpc = 4 makes 36 SMs, but 32 is the most"},
        Broken{{"sm.max_warps=16"}, "sm.max_threads = 768 must not exceed 32 x sm.max_warps (512)"},
        Broken{{"sm.max_threads=256"}, "device.max_threads_per_block = 512 must not exceed sm.max_threads (256)"},
        Broken{{"sm.num_registers=8000"}, "sm.num_registers = 8000 must be a multiple of sm.register_granule (256)"},
        Broken{{"sm.shared_granule=510"}, "sm.shared_granule = 510 must be a power of two"},
        Broken{{"sm.shared_bytes=16000"}, "sm.shared_bytes = 16000 must be a multiple of sm.shared_granule (512)"},
        Broken{{"sm.fetch_bytes=12"}, "sm.fetch_bytes = 12 must be a power of two"},
        Broken{{"sm.fetch_bytes=16", "sm.ibuffer_entries=3"},
               "sm.fetch_bytes = 16 must not exceed 4 x sm.ibuffer_entries (12)"},
        Broken{{"sm.num_sfus=3"}, "sm.num_sfus = 3 must divide the 32 lanes of a warp"},
        Broken{{"sm.smem_passes_per_4_cycles=3"}, "must divide 4"},
        Broken{{"sm.const_addresses_per_4_cycles=3"}, "must divide 4"},
        Broken{{"sm.stack_on_chip=16", "sm.stack_depth=8"}, "sm.stack_on_chip = 16 must not exceed sm.stack_depth (8)"},
        Broken{{"sm.num_dps=3"}, "sm.num_dps = 3 must divide the 32 lanes of a warp"},
        Broken{{"sm.lock_flags=100"}, "sm.lock_flags = 100 must be a power of two"},
        Broken{{"icache.line_bytes=128"}, "icache.line_bytes = 128 must equal ccache.line_bytes (64)"},
        Broken{{"icache.line_bytes=96", "ccache.line_bytes=96"}, "icache.line_bytes = 96 must be a power of two"},
        Broken{{"icache.l1_ways=3"}, "icache.l1_bytes = 4096 must be 3 ways x 64-byte lines"},
        Broken{{"ccache.l1_bytes=2000"}, "ccache.l1_bytes = 2000 must be 4 ways x 64-byte lines"},
        Broken{{"ccache.l2_bytes=12288"}, "ccache.l2_bytes = 12288 must be 4 ways x 64-byte lines x a power-of-two"},
        Broken{{"ccache.l3_ways=7"}, "ccache.l3_bytes = 32768 must be 7 ways"},
        Broken{{"tex.l1_ways=16"}, "tex.l1_bytes = 5120 must be 16 ways x 32-byte lines"},
        Broken{{"tex.l2_bytes=1056"}, "tex.l2_bytes = 1056 must be 8 ways x 32-byte lines"},
        Broken{
            {"tex.filter_latency=100"},
            "tex.pipeline_latency = 109 must be at least 115: the stages of the texture unit with tex.address_lanes = "
            "8, tex.filter_lanes = 8 and tex.filter_latency = 100"},
        Broken{{"tex.line_bytes=48"}, "tex.line_bytes = 48 must be a power of two"},
        Broken{{"device.texture_alignment=100"}, "device.texture_alignment = 100 must be a power of two"},
        Broken{{"tlb.reach_bytes=100000"}, "tlb.reach_bytes = 100000 must be a power of two"},
        Broken{{"tlb.l2_entries=60"}, "tlb.l2_entries = 60 must be 0 or 8 ways x a power-of-two number of sets"},
        Broken{{"tlb.l2_entries=48"}, "tlb.l2_entries = 48 must be 0 or 8 ways x a power-of-two number of sets"},
        Broken{{"xbar.flit_bytes=24"}, "xbar.flit_bytes = 24 must be a power of two"},
        Broken{{"partition.interleave_bytes=384"}, "partition.interleave_bytes = 384 must be a power of two"},
        Broken{{"gpu.num_partitions=3", "partition.hash=xor"},
               "partition.hash = xor needs gpu.num_partitions to be 1, 2, 4, 6 or 8, not 3"},
        Broken{{"dram.num_banks=6"}, "dram.num_banks = 6 must be a power of two"},
        Broken{{"dram.row_bytes=3072"}, "dram.row_bytes = 3072 must be a power of two"},
        Broken{{"dram.row_bytes=512", "partition.interleave_bytes=1024"},
               "dram.row_bytes = 512 must be a multiple of partition.interleave_bytes (1024)"},
        Broken{{"dram.burst_bytes=64"}, "dram.burst_bytes = 64 must be 16 x dram.burst_cycles (32)"},
        Broken{{"dram.t_ccd=1"}, "dram.t_ccd = 1 must be at least dram.burst_cycles (2)"},
        Broken{{"dram.window=16", "dram.write_high=17"}, "dram.write_high = 17 must be at most dram.window (16)"},
        Broken{{"dram.write_high=8", "dram.write_low=8"}, "dram.write_low = 8 must be less than dram.write_high (8)"},
        Broken{{"dram.t_rrd=20", "dram.t_faw=19"}, "dram.t_faw = 19 must be at least dram.t_rrd (20)"},
        Broken{{"clock.shader_mhz=1000", "clock.core_mhz=9.99"},
               "clock.core_mhz = 9.99 must be within a factor of 100 of clock.shader_mhz (1000)"},
        Broken{{"clock.shader_mhz=50", "clock.core_mhz=5001"},
               "clock.core_mhz = 5001 must be within a factor of 100 of clock.shader_mhz (50)"},
        Broken{{"clock.shader_mhz=1000", "clock.dram_mhz=9.99"},
               "clock.dram_mhz = 9.99 must be within a factor of 100 of clock.shader_mhz (1000)"},
        Broken{{"clock.shader_mhz=50", "clock.dram_mhz=5001"},
               "clock.dram_mhz = 5001 must be within a factor of 100 of clock.shader_mhz (50)"},
        Broken{{"dram.t_ras=14"}, "dram.t_ras = 14 must be at least dram.t_rcd (15)"},
        Broken{{"dram.t_rc=43"}, "--set dram.t_rc=43: dram.t_rc = 43 must be at least dram.t_ras + dram.t_rp (44)"},
        // A write: t_rcd 15, wl 7, the burst 2, t_wr 13, t_rp 13; 7 other banks to close.
        Broken{{"dram.t_refi=111"},
               "dram.t_refi = 111 must exceed dram.t_rfc (54) + 57 to open and use a row and close those of all banks"},
        Broken{{"dram.t_rtp=30", "dram.t_refi=119"}, "must exceed dram.t_rfc (54) + 65 to open and use a row"},
        Broken{{"dram.t_rc=90", "dram.t_refi=151"}, "must exceed dram.t_rfc (54) + 97 to open and use a row"}),
    test_name);

TEST(ConfigRules, ValuesAtTheEdgeAreAccepted) {
  load_config("8600gts", {"dram.t_rc=44", "dram.t_refi=112", "sm.stack_on_chip=8", "sm.stack_depth=8"});
  for (const char* partitions : {"1", "2", "4", "6", "8"})
    load_config("8600gts", {std::string("gpu.num_partitions=") + partitions, "partition.hash=xor"});
  load_config("8600gts", {"gpu.num_tpcs=8", "gpu.sms_per_tpc=4"});
  load_config("8600gts", {"sm.fetch_bytes=16", "sm.ibuffer_entries=4"});
  load_config("8600gts", {"gpu.num_partitions=3", "partition.hash=plain"});
  load_config("8600gts", {"dram.burst_bytes=64", "dram.burst_cycles=4", "dram.t_ccd=4"});
  load_config("8600gts", {"dram.t_rrd=20", "dram.t_faw=20"});
  load_config("8600gts", {"dram.window=16", "dram.write_high=16", "dram.write_low=15"});
  load_config("8600gts", {"dram.t_rcd=31", "dram.t_ras=31"});
  load_config("8600gts", {"clock.shader_mhz=1000", "clock.core_mhz=10", "clock.dram_mhz=10"});
  load_config("8600gts", {"clock.shader_mhz=50", "clock.core_mhz=5000", "clock.dram_mhz=5000"});
  load_config("8600gts", {"tex.filter_latency=99", "tex.pipeline_latency=114"});
  load_config("8600gts", {"sm.max_threads=512", "device.max_threads_per_block=512"});
  for (const char* divisor : {"1", "2", "4"}) {
    load_config("8600gts", {std::string("sm.num_sfus=") + divisor, "sm.sfu_latency=60",
                            std::string("sm.smem_passes_per_4_cycles=") + divisor,
                            std::string("sm.const_addresses_per_4_cycles=") + divisor});
  }
  for (const char* units : {"0", "1", "8"}) load_config("8600gts", {std::string("sm.num_dps=") + units});
}

TEST(ConfigRules, BlameTheLineOfTheFile) {
  try {
    load_config("8600gts", {"sm.max_warps=16"});
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::ContainsRegex("configs/common.toml:[0-9]+: sm.max_threads = 768"));
  }
}

}  // namespace
}  // namespace g80
