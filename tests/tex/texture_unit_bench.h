// SPDX-License-Identifier: Apache-2.0
// A texture unit between two SMs and a memory, and the texels that docs/texture.md says they get.
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "hw/common/set_bits.h"
#include "hw/host/compute_state.h"
#include "hw/tex/texture_unit.h"
#include "tb/golden/texture_math.h"
#include "tb/machine/random_state.h"
#include "tests/cache/mem_server.h"
#include "tests/support/systemc_test.h"

namespace g80::testing {

class TexClient final : public Clocked<NoRegs> {
 public:
  explicit TexClient(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_port<CrossingWriteIf<TexRequest>> request_o{"request_o"};
  sc_core::sc_port<CrossingReadIf<TexReply>> reply_i{"reply_i"};
  const std::deque<LaunchBeat>* rows = nullptr;  // that leave first
  std::deque<TexRequest> todo;
  std::vector<TexReply> replies;
  std::vector<Cycle> sent, received;
  bool takes = true;  // replies

 private:
  void next() override {
    if (takes && reply_i->available()) {
      replies.push_back(reply_i->front());
      EXPECT_TRUE(replies.back().valid);
      received.push_back(edge());
      reply_i->pop();
    }
    if (!todo.empty() && rows->empty() && request_o->can_push()) {
      request_o->push(todo.front());
      sent.push_back(edge());
      todo.pop_front();
    }
  }
  void drive() override {}
};

/// A row at an edge.
class RowSource final : public Clocked<NoRegs> {
 public:
  explicit RowSource(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<LaunchBeat> row_o{"row_o"};
  std::deque<LaunchBeat> todo;

 private:
  void next() override {
    beat_ = todo.empty() ? LaunchBeat{} : todo.front();
    if (!todo.empty()) todo.pop_front();
  }
  void drive() override { row_o.write(beat_); }
  LaunchBeat beat_;
};

inline Config small_texture_unit_config() {
  Config config;
  config.gpu.sms_per_tpc = 2;
  config.tex.l1_bytes = 2 * 2 * 32;  // 2 sets of 2 lines: 3D samples evict their own lines
  config.tex.l1_ways = 2;
  config.tex.line_bytes = 32;
  config.tex.address_lanes = 4;
  config.tex.filter_lanes = 8;
  config.tex.pipeline_latency = 40;
  config.tex.filter_latency = 10;
  config.tex.mshrs = 3;
  config.tex.queue = 4;
  return config;
}

constexpr std::uint32_t kHeaders = 0x100000, kSamplers = 0x110000;

struct TextureUnitBench {
  const bool no_sleep;
  Domain domain;
  ComputeState bindings;
  CrossingFifo<TexRequest> requests0, requests1;
  CrossingFifo<TexReply> replies0, replies1;
  TexClient sm0{"sm0"}, sm1{"sm1"};
  RowSource rows{"rows"};
  TextureUnit unit;
  MemServer memory;
  Wire<LaunchBeat> row{"row"};
  std::array<std::optional<std::uint64_t>, launch_row::kEnd> shown;  // rows
  Wire<MemRequest> miss{"miss"};
  Wire<bool> idle{"idle"}, miss_ready{"miss_ready"}, line_ready{"line_ready"};
  Wire<MemReply> line{"line"}, walk{"walk"};
  Wire<std::uint32_t> flush{"flush"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  explicit TextureUnitBench(const Config& config, bool no_sleep = false, unsigned jitter = 0, unsigned delay = 30)
      : no_sleep(no_sleep),
        domain("domain", 0, 1000, 2, no_sleep),
        requests0("requests0", &domain, &domain, 4, 1),
        requests1("requests1", &domain, &domain, 4, 1),
        replies0("replies0", &domain, &domain, 4, 1),
        replies1("replies1", &domain, &domain, 4, 1),
        unit("unit", config, 1),
        memory("memory", delay, jitter, 17) {
    sm0.request_o(requests0);
    sm0.reply_i(replies0);
    sm1.request_o(requests1);
    sm1.reply_i(replies1);
    unit.sm_i[0](requests0);
    unit.sm_i[1](requests1);
    unit.sm_o[0](replies0);
    unit.sm_o[1](replies1);
    unit.tables_i(row);
    rows.row_o(row);
    sm0.rows = sm1.rows = &rows.todo;
    unit.miss_o(miss);
    unit.miss_ready_i(miss_ready);
    unit.line_i(line);
    unit.line_ready_o(line_ready);
    unit.flush_i(flush);
    unit.idle_o(idle);
    memory.request_i(miss);
    memory.ready_o(miss_ready);
    memory.reply_o(line);
    memory.reply_ready_i(line_ready);
    memory.walk_o(walk);
    memory.reads_virtual = true;
    bindings.tic.low = kHeaders;
    bindings.tsc.low = kSamplers;
    bindings.tic_limit = 31;
    bindings.tsc_limit = 7;
    show_bindings();
    domain.add(rows);
    domain.add(sm0);
    domain.add(sm1);
    domain.add(unit);
    domain.add(memory);
  }
  /// Requests wait until the rows that differ have gone.
  void show_bindings() {
    for (unsigned i = launch_row::kTables; i < launch_row::kParam; ++i) {
      const std::uint64_t data = launch_row_of(bindings, read_memories(bindings, address_of(bindings, i)), 0);
      if (shown[i] != data) rows.todo.push_back({true, static_cast<std::uint8_t>(i), data});
      shown[i] = data;
    }
  }
  void bind_texture(unsigned texture, unsigned entry) {
    apply_method(bindings, method::kBindTic, entry << 9 | texture << 1 | 1);
    show_bindings();
  }
  void set_header(unsigned texture, unsigned entry, const std::array<std::uint32_t, 8>& words) {
    bind_texture(texture, entry);
    for (unsigned i = 0; i < 8; ++i) memory.words[kHeaders + entry * 32 + 4 * i] = words[i];
  }
  void set_sampler(unsigned sampler, unsigned entry, const std::array<std::uint32_t, 8>& words) {
    bindings.sampler[sampler] = {true, entry};
    show_bindings();
    for (unsigned i = 0; i < 8; ++i) memory.words[kSamplers + entry * 32 + 4 * i] = words[i];
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  bool done() const {
    return sm0.todo.empty() && sm1.todo.empty() && sm0.sent.size() == sm0.replies.size() &&
           sm1.sent.size() == sm1.replies.size();
  }
  void finish() {
    for (int i = 0; i < 8000 && !done(); ++i) run(25);
    ASSERT_TRUE(done());
    run(50);
    EXPECT_TRUE(unit.idle() && idle.read());
    if (memory.busy_one_in == 0) {
      EXPECT_EQ(unit.awake(), no_sleep);
    }
  }
  /// What docs/texture.md says, with the descriptors and texels of the memory as it is now.
  std::array<std::uint32_t, 4> expected(const TexRequest& request, unsigned lane) const {
    const auto descriptor = [this](std::uint32_t base, unsigned entry) {
      std::array<std::uint32_t, 8> words;
      for (unsigned i = 0; i < 8; ++i) words[i] = memory.word(base + entry * 32 + 4 * i);
      return words;
    };
    if (!bindings.texture_bound[request.texture]) return {};
    const golden::TextureHeader header =
        golden::parse_texture_header(descriptor(kHeaders, bindings.memories.texture_entry[request.texture]).data());
    if (!header.valid()) return {};
    if (request.op == TexOp::kSize) return {header.size[0], header.size[1], header.size[2], 1};
    golden::Sampler sampler;
    const TableBinding& bound = bindings.sampler[request.sampler];
    if (bound.valid) sampler = golden::parse_sampler(descriptor(kSamplers, bound.entry).data());
    golden::Taps taps;
    if (request.op == TexOp::kFetch) {
      taps.count = 1;
      taps.tap[0] = golden::fetch_tap(header, request.coord[lane].data(), request.offset.data());
    } else {
      taps = golden::sample_taps(header, sampler, request.coord[lane].data(), request.offset.data());
    }
    const bool bordered = request.op == TexOp::kSample && header.type != golden::TextureType::kBuffer;
    std::array<golden::Components, 8> texel{};
    for (unsigned t = 0; t < taps.count; ++t) {
      if (taps.tap[t].border) {
        if (bordered) texel[t] = sampler.border;
        continue;
      }
      const std::uint32_t address = golden::texel_address(header, taps.tap[t]);
      std::uint32_t words[5];  // of which a texel may begin in the middle of one
      for (unsigned i = 0; i < 5; ++i) words[i] = memory.word((address & ~3u) + 4 * i);
      texel[t] = golden::decode_texel(header, reinterpret_cast<const std::uint8_t*>(words) + address % 4);
    }
    return golden::select_sources(header, golden::filter(taps, texel));
  }
  void expect_equal(const TexRequest& request, const TexReply& reply) const {
    ASSERT_EQ(reply.fault, MemFault::kNone);
    ASSERT_EQ(reply.id, request.id);
    ASSERT_EQ(reply.lanes, request.lanes);
    ASSERT_EQ(reply.half, request.half);
    for (const unsigned l : set_bits(request.lanes)) ASSERT_EQ(reply.texel[l], expected(request, l)) << "lane " << l;
  }
};

/// 1D buffer of R32 uint.
inline constexpr std::array<std::uint32_t, 8> buffer_header(std::uint32_t base, std::uint32_t width) {
  return {0x0f | 4u << 6 | 2u << 18 | 0u << 21 | 0u << 24 | 6u << 27, base, 6u << 14, 0, width, 0, 0, 0};
}

inline TexRequest fetch_of(std::uint32_t first, unsigned id = 0, HalfMask lanes = 0xffff, std::uint32_t stride = 1) {
  TexRequest request;
  request.valid = true;
  request.op = TexOp::kFetch;
  request.lanes = lanes;
  request.id = static_cast<std::uint8_t>(id);
  for (unsigned l = 0; l < kHalfWarp; ++l) request.coord[l][0] = first + l * stride;
  return request;
}

}  // namespace g80::testing
