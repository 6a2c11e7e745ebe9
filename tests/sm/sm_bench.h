// SPDX-License-Identifier: Apache-2.0
// One SM with neighbours made of plain memory: code and constants come from a byte image, global accesses are performed
// on it in the order in which they leave the SM and answered after a fixed time, textures answer with numbers that tell
// texture, lane, coordinate and component. For tests of the pipeline without crossbar and DRAM.
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "hw/sm/sm.h"
#include "tb/check/sm_log.h"
#include "tb/golden/semantics.h"
#include "tests/support/systemc_test.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80::testing {

inline constexpr std::uint32_t kCodeBase = 0x10000;
inline constexpr std::uint32_t kConstBase = 0x20000;
inline constexpr std::uint32_t kDataBase = 0x40000;
inline constexpr std::uint32_t kStackBase = 0x78000;  // entries of the control stacks that do not fit on chip

class SmBench {
 public:
  /// Where the SM lies in the chip.
  struct Place {
    unsigned tpc = 0, sm_in_tpc = 0;
  };
  explicit SmBench(const std::vector<std::string>& overrides = {}, unsigned memory_delay = 200, bool no_sleep = false)
      : SmBench(overrides, Place{}, memory_delay, no_sleep) {}
  SmBench(const std::vector<std::string>& overrides, Place place, unsigned memory_delay = 200, bool no_sleep = false)
      : config(load_config("tiny", overrides)),
        delay_(memory_delay),
        shader("shader", 0, 1000, 4, no_sleep),
        rows("rows", nullptr, &shader, launch_row::kEnd, 1),
        cta("cta", nullptr, &shader, 8, 1),
        done("done", &shader, nullptr, 8, 1),
        fault("fault", &shader, nullptr, 2, 1),
        access("access", &shader, nullptr, 8, 1),
        reply("reply", nullptr, &shader, 64, 1),
        tex("tex", &shader, nullptr, 8, 1),
        tex_reply("tex_reply", nullptr, &shader, 8, 1),
        line("line", &shader, nullptr, 8, 1),
        line_reply("line_reply", nullptr, &shader, 8, 1),
        sm("sm0", config, 0, place.tpc, place.sm_in_tpc, shader),
        memory(0x80000) {
    sm.launch_i(rows);
    sm.cta_i(cta);
    sm.cta_done_o(done);
    sm.fault_o(fault);
    sm.access_o(access);
    sm.reply_i(reply);
    sm.tex_o(tex);
    sm.tex_i(tex_reply);
    sm.line_o(line);
    sm.line_i(line_reply);
    launch.number = 1;
    launch.code_base = kCodeBase;
    launch.registers = 16;
    launch.shared_bytes = 1024;
    launch.threads = launch.block_x = 32;
    launch.global[14] = {true, 0, 0xffffffffu};
    launch.const_bank[1] = {true, kConstBase, 256};
    launch.stack_base = kStackBase;
    launch.stack_depth = 32;
    sm.attach(log, RetirementPort::Reads::kValues);
  }

  /// Long encodings, one per line; labels are not known here.
  void code(const std::vector<std::string>& lines) {
    std::uint32_t at = kCodeBase;
    for (const std::string& text : lines) {
      const isa::Words words = isa::assemble(text, static_cast<isa::Arch>(config.device.compute_minor));
      put(at, words.w0), at += 4;
      if (words.is_long) put(at, words.w1), at += 4;
    }
  }
  /// The value a texture returns.
  static std::uint32_t texel(unsigned texture, std::uint32_t coordinate, unsigned component) {
    return 0x10000u * (texture + 1) + 16 * coordinate + component;
  }
  void put(std::uint32_t address, std::uint32_t value) { std::memcpy(&memory[address], &value, 4); }
  std::uint32_t get(std::uint32_t address) const {
    std::uint32_t value;
    std::memcpy(&value, &memory[address], 4);
    return value;
  }

  /// Runs CTAs 0 .. count-1 until all are done, at most `max_cycles`. False if they are not.
  bool run(unsigned count, unsigned max_cycles = 200000) {
    const bool ended = run_blocks(count, max_cycles);
    sm.flush_reports();
    return ended;
  }
  /// Lets `cycles` pass without new work.
  void idle(unsigned cycles) { sc_core::sc_start(sc_core::sc_time(1000.0 * cycles, sc_core::SC_PS)); }

  Config config;
  unsigned delay_;
  LaunchState launch;
  std::array<std::uint32_t, kMaxUserParams> param{};
  Domain shader;
  CrossingFifo<LaunchBeat> rows;
  CrossingFifo<CtaLaunch> cta;
  CrossingFifo<CtaDone> done;
  CrossingFifo<KernelFault> fault;
  CrossingFifo<HalfWarpAccess> access;
  CrossingFifo<MemReply> reply;
  CrossingFifo<TexRequest> tex;
  CrossingFifo<TexReply> tex_reply;
  CrossingFifo<LineRequest> line;
  CrossingFifo<LineReply> line_reply;
  Sm sm;
  std::vector<std::uint8_t> memory;
  SmLog log;
  std::vector<HalfWarpAccess> accesses;  // every half-warp access seen
  std::vector<TexRequest> tex_requests;  // every texture request seen
  bool told_idle = false;                // the last word of the SM
  std::uint32_t absent_from = ~0u;       // lines from here on lie in a page that is not present
  std::function<void(unsigned cycle)> each_cycle;
  KernelFault seen_fault;  // why run() returned false

 private:
  bool run_blocks(unsigned count, unsigned max_cycles) {
    idle(0);  // ports are bound
    if (!(sm.launcher.launch_o.read() == launch)) {
      for (const LaunchBeat& row : sm_rows(launch, param)) rows.push(row);
      while (rows.size() != 0) idle(1);
    }
    unsigned sent = 0, ended = 0;
    const unsigned at_once = std::min(config.sm.max_ctas, config.sm.max_warps / ((launch.threads + 31u) / 32));
    for (unsigned cycle = 0; cycle < max_cycles && ended < count; ++cycle) {
      if (sent < count && sent - ended < at_once && cta.can_push()) {
        cta.push({true, static_cast<std::uint16_t>(sent), 0, 1});
        ++sent;
      }
      sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_PS));
      if (each_cycle) each_cycle(cycle);
      serve(cycle);
      if (done.available()) {
        told_idle = done.front().idle;
        ended += told_idle ? 0u : 1u;
        done.pop();
      }
      if (fault.available()) {
        seen_fault = fault.front();
        return false;
      }
    }
    return ended == count;
  }
  void serve(unsigned cycle) {
    while (line.available()) {
      const LineRequest& in = line.front();
      LineReply out;
      out.valid = true;
      out.client = in.client;
      out.id = in.id;
      out.address = in.address;
      if (in.address >= absent_from) {
        out.fault = MemFault::kPageNotPresent;
      } else {
        std::memcpy(out.data.data(), &memory[in.address], in.bytes);
      }
      line_reply.push(out);
      line.pop();
    }
    while (access.available()) {
      serve_access(access.front(), cycle);
      accesses.push_back(access.front());
      access.pop();
    }
    while (tex.available() && tex_reply.can_push()) {
      const TexRequest& in = tex.front();
      TexReply out;
      out.valid = true;
      out.half = in.half;
      out.lanes = in.lanes;
      out.id = in.id;
      for (unsigned l = 0; l < kHalfWarp; ++l) {
        for (unsigned c = 0; c < 4; ++c) out.texel[l][c] = texel(in.texture, in.coord[l][0], c);
      }
      tex_reply.push(out);
      tex_requests.push_back(in);
      tex.pop();
    }
    while (!waiting_.empty() && waiting_.front().first <= cycle && reply.can_push()) {
      reply.push(waiting_.front().second);
      waiting_.pop_front();
    }
  }
  void serve_access(const HalfWarpAccess& in, unsigned cycle) {
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      if ((in.lanes >> l & 1) == 0) continue;
      CHECK(std::size_t{in.address[l]} + in.bytes <= memory.size(), "access at {:#x}", in.address[l]);
      if (in.op == MemOp::kWrite) {
        std::memcpy(&memory[in.address[l]], in.data[l].data(), in.bytes);
        continue;
      }
      const std::uint32_t old = get(in.address[l] & ~3u);
      if (in.op != MemOp::kRead) {
        put(in.address[l], golden::atomic32(in.atom_op, in.atom_signed, old, in.data[l][0], in.data[l][2]));
        if (in.op == MemOp::kReduce) continue;
      }
      MemReply out;
      out.valid = true;
      out.op = in.op;
      out.client = in.client;
      out.id = in.id;
      out.half = in.half;
      out.lanes = static_cast<HalfMask>(1u << l);
      out.bytes = 32;
      out.virtual_address = in.address[l] & ~31u;
      std::memcpy(out.data.data(), &memory[out.virtual_address], 32);
      if (in.op == MemOp::kAtomic) out.data[0] = old;
      waiting_.push_back({cycle + delay_, out});
    }
  }
  std::deque<std::pair<unsigned, MemReply>> waiting_;
};

}  // namespace g80::testing
