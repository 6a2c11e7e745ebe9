// SPDX-License-Identifier: Apache-2.0
// Each field of a bundle that is narrower than 32 bits holds the largest value that the keys of a legal machine allow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "hw/bundles/signals.h"
#include "hw/config/config_keys.h"
#include "hw/dram/dram_bank.h"

namespace g80 {
namespace {

std::uint64_t most(const std::string& key) {
  const auto found = find_config_key(key);
  CHECK(found, "there is no key {}", key);
  return static_cast<std::uint64_t>(config_keys()[*found].max);
}
std::uint64_t least(const std::string& key) {
  return static_cast<std::uint64_t>(config_keys()[*find_config_key(key)].min);
}

/// The largest value of a field, by the end of its name: `entry.insn.pc` is what `pc` says unless `insn.pc` says more.
std::map<std::string, std::uint64_t> largest_values() {
  const std::uint64_t words_of_shared = most("sm.shared_bytes") / 4, lane = kWarpSize - 1, modulo_256 = 0xff;
  const std::uint64_t dram_time = most("dram.t_rfc") - 1;
  return {
      {"warp", most("sm.max_warps") - 1},
      {"ended_warp", most("sm.max_warps") - 1},
      {"sm", kMaxSms - 1},  // a rule bounds the product of the two keys
      {"tpc", most("gpu.num_tpcs") - 1},
      {"sm_in_tpc", most("gpu.sms_per_tpc") - 1},
      {"port", most("gpu.num_tpcs")},  // the last is the chip's own
      {"cta_slot", most("sm.max_ctas") - 1},
      {"warp_in_cta", most("device.max_threads_per_block") / kWarpSize - 1},
      {"warps_in_cta", most("device.max_threads_per_block") / kWarpSize},
      {"cta_x", most("device.max_grid") - 1},
      {"cta_y", most("device.max_grid") - 1},
      {"grid_x", most("device.max_grid")},
      {"grid_y", most("device.max_grid")},
      {"block_x", most("device.max_block_x")},
      {"block_y", most("device.max_block_y")},
      {"block_z", most("device.max_block_z")},
      {"threads", most("device.max_threads_per_block")},
      {"shared_bytes", most("sm.shared_bytes")},
      {"shared_base", most("sm.shared_bytes") - 1},
      {"registers", kMaxRegistersPerThread},
      {"base_row", most("sm.num_registers") / kWarpSize - 1},
      {"reg", kMaxRegistersPerThread - 1},
      {"num_params", kMaxUserParams},
      {"grid_id", 0xffff},     // counted modulo 65536
      {"call_limit_log", 16},  // by the compute class
      {"pc", (1u << 24) - 1},  // the space of code
      {"start_pc", (1u << 24) - 1},
      {"lane", lane},
      {"flags.lane", 0xf},  // $c: Z, S, C, O
      {"value.lane", 0xf},
      {"flags", 0xf},
      {"lanes", 0xffff},  // a half-warp
      {"granted", 0xffff},
      {"half", 3},  // -1: both
      {"to", kOperandWords - 1},
      {"unit", most("sm.collector_units") - 1},
      {"collector", std::max(modulo_256, most("sm.collector_units"))},
      {"memory", std::max(modulo_256, most("sm.collector_units"))},
      {"load", std::max(modulo_256, most("sm.load_table_entries"))},
      {"Credits.wide", modulo_256},
      {"epoch", modulo_256},
      {"DramBeat.enable", 0xffff},
      {"id", most("sm.load_table_entries") - 1},
      {"HalfWarpAccess.id", (3u << 6) + most("sm.load_table_entries") - 1},  // and the word of the access
      {"MemRequest.id", (3u << 6) + most("sm.load_table_entries") - 1},
      {"MemReply.id", (3u << 6) + most("sm.load_table_entries") - 1},
      {"LineRequest.id", most("ccache.mshrs") - 1},
      {"LineReply.id", most("ccache.mshrs") - 1},
      {"ConstRequest.id", most("sm.collector_units") - 1},
      {"ConstReply.id", most("sm.collector_units") - 1},
      {"AddrIncrement.index", 7},  // as it is encoded; the file drops what names no register
      {"AddrWrite.index", 7},
      {"AddrIncrement.value", 0xffff},
      {"AddressLanes.addr", 0xffff},
      {"FlagWrite.index", 3},
      {"BufferLevel.count", most("sm.ibuffer_entries")},
      {"DecodedGroup.count", most("sm.fetch_bytes") / 4},
      {"FetchReply.bytes", most("sm.fetch_bytes")},
      {"FetchRequest.bytes", most("sm.fetch_bytes")},
      {"ConstRequest.bytes", 4},
      {"HalfWarpAccess.bytes", 16},
      {"LineRequest.bytes", std::max(most("icache.line_bytes"), most("ccache.line_bytes"))},
      {"MemReply.bytes", kMaxTransactionBytes},
      {"MemRequest.bytes", kMaxTransactionBytes},
      {"atom_op", 0xf},  // as it is encoded
      {"atom_bytes", 8},
      {"ExecResult.first", lane},
      {"LaunchBeat.row", launch_row::kEnd - 1},
      {"LaunchState.number", 0xff},
      {"LaunchState.local_bytes", 8u << 13},
      {"LaunchState.stack_depth", most("sm.stack_depth")},
      {"LaunchState.const_bank.bytes", 0x10000},
      {"LinkPacket.tag", std::max(most("host.copy_reads"), most("host.mapped_reads")) - 1},
      {"LinkPacket.first", kMaxTransactionBytes - 1},
      {"LinkPacket.count", kMaxTransactionBytes},
      {"LinkPacket.data", 0xff},
      {"LoadLanes.offset", kMaxTransactionBytes - 1},
      {"LoadResult.word", 3},
      {"PushWords.num_words", most("host.pushbuffer_words_per_cycle")},
      {"SmemFill.count", most("sm.launch_words")},
      {"SmemFill.first", words_of_shared - 1},
      {"SmemStart.count", words_of_shared},
      {"SmemStart.first", words_of_shared - 1},
      {"request.address", most("sm.shared_bytes") - 1},
      {"SmemRequest.address", most("sm.shared_bytes") - 1},
      {"request.bytes", 4},
      {"SmemRequest.bytes", 4},
      {"StackAccess.number", most("sm.stack_depth") - 1},
      {"GridStart.ctas_per_sm", most("sm.max_ctas")},
      {"TexRequest.texture", kMaxTextures - 1},
      {"TexRequest.sampler", kMaxSamplers - 1},
      {"TexRequest.offset", 0xf},  // -8 to 7
      {"walker", most("tlb.walkers") - 1},
      {"TlbQuestion.flush", 0xff},  // low bits
      {"burst", kMaxTransactionBytes / least("dram.burst_bytes") - 1},
      {"slot", 32 + 192 - 1},  // of the partition: those of atomics, then those of reads
      {"bank", most("dram.num_banks") - 1},
      {"column", most("dram.row_bytes") - 1},
      {"row",
       most("device.memory_bytes") / (least("gpu.num_partitions") * least("dram.num_banks") * least("dram.row_bytes")) -
           1},
      {"DramCommand.address",
       most("device.memory_bytes") / (least("gpu.num_partitions") * least("dram.num_banks") * least("dram.row_bytes")) -
           1},
      {"DramRank.oldest", 3},
      {"activate_wait", dram_time},
      {"column_wait", dram_time},
      {"precharge_wait", dram_time},
      {"read_wait", dram_time},
      {"write_wait", dram_time},
      {"window_wait", dram_time},
      {"block.height", BlockShape::kMostBits},
      {"block.depth", BlockShape::kMostBits},
      {"surface.height", 0xffff},  // what the header of a texture can say
      {"surface.y", 0xffff},
      {"surface.z", 0xfff},
      {"source_surface.height", 0xffff},
      {"source_surface.y", 0xffff},
      {"source_surface.z", 0xfff},
  };
}

/// Compares the fields of bundles with that list.
class Widths final : public FieldVisitor {
 public:
  Widths() : FieldVisitor(true) {}
  template <class T>
  void compare_fields(const std::string& name) {
    if constexpr (is_bundle<T>) {
      const std::string::size_type colons = name.rfind(':');
      path_ = {colons == std::string::npos ? name : name.substr(colons + 1)};
      fields_of(T{});
    }
  }
  std::vector<std::string> too_narrow, unknown;
  unsigned checked = 0;

 private:
  void enter(const char* name, int) override { path_.push_back(name); }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int, std::uint64_t, unsigned width, const EnumText* text) override {
    if (width == 1 || width >= 32) return;
    ++checked;
    std::string field = name;
    for (std::size_t i = path_.size(); i-- > 0;) field = path_[i] + "." + field;
    std::uint64_t largest = text != nullptr ? text->count - 1 : 0;
    if (text == nullptr) {
      std::string end = field;
      while (largest_.count(end) == 0 && end.find('.') != std::string::npos) end.erase(0, end.find('.') + 1);
      if (largest_.count(end) == 0) return unknown.push_back(field);
      largest = largest_.at(end);
    }
    if (largest >> width != 0) too_narrow.push_back(fmt::format("{}: {} in {} bits", field, largest, width));
  }

  const std::map<std::string, std::uint64_t> largest_ = largest_values();
  std::vector<std::string> path_;
};

TEST(BundleWidths, HoldWhatTheKeysOfALegalMachineAllow) {
  Widths widths;
#define G80_LOOK_AT(T) widths.compare_fields<T>(#T);
  G80_SIGNALS(G80_LOOK_AT)
  G80_CROSSINGS(G80_LOOK_AT)
  G80_LOOK_AT(DramBank)
  G80_LOOK_AT(DramRank)
#undef G80_LOOK_AT
  EXPECT_THAT(widths.too_narrow, ::testing::IsEmpty());
  EXPECT_THAT(widths.unknown, ::testing::IsEmpty()) << "say what their largest value is";
  EXPECT_GT(widths.checked, 250u);
}

}  // namespace
}  // namespace g80
