// SPDX-License-Identifier: Apache-2.0
// Bank conflict unit and banks under random traffic, against an array of bytes: data, locks, the cycle of each pass and
// reply, what the retirement port is told, sleep and reset.
#include <map>
#include <random>
#include <set>

#include "hw/bundles/retirement_port.h"
#include "hw/config/pipeline_depth.h"
#include "hw/smem/bank_conflict.h"
#include "hw/smem/shared_memory.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct Reports final : SmObserver {
  void observe(const SmReport& report) override { all.push_back(report); }
  std::vector<SmReport> all;
};

struct SmemTraffic : testing::SystemCTest {
  struct Bench {
    explicit Bench(const std::vector<std::string>& sets)
        : config(load_config("tiny", sets)), conflict("conflict", config), memory("memory", config) {
      conflict.request_i(request);
      conflict.request_ready_o(ready);
      conflict.pass_o(pass);
      conflict.replay_o(replay);
      memory.pass_i(pass);
      memory.start_i(start);
      memory.ended_i(ended);
      memory.reply_o(reply);
      memory.stored_o(stored);
      domain.add(conflict, Rate::kHalf);
      domain.add(memory, Rate::kHalf);
    }
    void observe() {
      port.attach(reports, RetirementPort::Reads::kAll);
      conflict.report_to(&port);
      memory.report_to(&port);
    }
    /// To a moment between two scheduler cycles.
    static void begin() { sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS)); }
    void cycle(unsigned count = 1) { sc_core::sc_start(sc_core::sc_time(2 * count, sc_core::SC_NS)); }

    Config config;
    Domain domain{"shader", 0, 1000, 1, false};
    BankConflict conflict;
    SharedMemory memory;
    Wire<SmemRequest> request{"request"};
    Wire<bool> ready{"ready"}, replay{"replay"}, stored{"stored"};
    Wire<SmemPass> pass{"pass"};
    Wire<SmemStart> start{"start"};
    Wire<WarpMask> ended{"ended"};
    Wire<SmemReply> reply{"reply"};
    Reports reports;
    RetirementPort port;
  };

  std::mt19937 random{random_seed()};
  unsigned draw(unsigned below) { return static_cast<unsigned>(random() % below); }

  SmemRequest random_request(std::uint32_t uid) {
    SmemRequest request;
    request.valid = true;
    request.write = draw(2) != 0;
    request.lock = draw(4) == 0;
    request.header = request.write && !request.lock && draw(4) == 0;
    request.warp = static_cast<std::uint8_t>(draw(4));
    request.unit = static_cast<std::uint8_t>(draw(8));
    request.half = static_cast<std::uint8_t>(draw(2));
    request.bytes = static_cast<std::uint8_t>(request.lock ? 4 : 1u << draw(3));
    request.sign_extend = draw(2) != 0;
    request.lanes = static_cast<HalfMask>(draw(3) == 0 ? 0xffff : 1 + draw(0xffff));
    request.origin.tag.bits = uid;
    request.origin.pc = 8 * uid;
    const unsigned span = draw(2) == 0 ? 40 : 1024;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      request.address[l] = static_cast<std::uint16_t>(draw(span) * request.bytes);
      request.data[l] = static_cast<std::uint32_t>(random());
    }
    return request;
  }
};

/// The memory as bytes, and the flags of its words by owner.
struct Model {
  explicit Model(const Config& config) : config(config), bytes(config.sm.shared_bytes) {}
  std::uint32_t read(const SmemRequest& request, unsigned lane) const {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < request.bytes; ++i) value |= std::uint32_t{bytes[request.address[lane] + i]} << 8 * i;
    const bool negative = (bytes[request.address[lane] + request.bytes - 1] & 0x80) != 0;
    for (unsigned i = request.bytes; i < 4 && request.sign_extend && negative; ++i) value |= 0xffu << 8 * i;
    return value;
  }
  void write(const SmemRequest& request, unsigned lane) {
    for (unsigned i = 0; i < request.bytes; ++i)
      bytes[request.address[lane] + i] = static_cast<std::uint8_t>(request.data[lane] >> 8 * i);
  }
  std::uint32_t word(unsigned number) const {
    SmemRequest request;
    request.address[0] = static_cast<std::uint16_t>(4 * number);
    return read(request, 0);
  }
  void set_word(unsigned number, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) bytes[4 * number + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
  bool lock(const SmemRequest& request, unsigned lane) {
    const unsigned flag = request.address[lane] / 4 % config.sm.lock_flags;
    if (owner.count(flag) != 0 || held(request.warp) >= config.sm.locks_per_warp) return false;
    owner[flag] = request.warp;
    return true;
  }
  void unlock(const SmemRequest& request, unsigned lane) {
    const auto found = owner.find(request.address[lane] / 4 % config.sm.lock_flags);
    if (found != owner.end() && found->second == request.warp) owner.erase(found);
  }
  void release(WarpMask warps) {
    for (auto it = owner.begin(); it != owner.end();)
      it = (warps >> it->second & 1) != 0 ? owner.erase(it) : std::next(it);
  }
  unsigned held(unsigned warp) const {
    unsigned count = 0;
    for (const auto& [flag, holder] : owner) count += holder == warp ? 1u : 0u;
    return count;
  }
  const Config& config;
  std::vector<std::uint8_t> bytes;
  std::map<unsigned, unsigned> owner;
};

TEST_F(SmemTraffic, DataLocksAndReportsAreThoseOfAnArrayOfBytes) {
  const std::vector<std::string> machines[] = {
      {"sm.smem_passes_per_4_cycles=2", "sm.init=random"},
      {"sm.smem_passes_per_4_cycles=1", "sm.init=poison", "sm.lock_flags=16"},
      {"sm.smem_passes_per_4_cycles=2", "sm.smem_latency=60", "sm.locks_per_warp=3"}};
  for (const auto& sets : machines) {
    SCOPED_TRACE(sets.front() + " " + sets.back());
    renew_context();
    Bench bench(sets);
    bench.observe();
    Model model(bench.config);
    for (unsigned i = 0; i < bench.config.sm.shared_bytes / 4; ++i)
      model.set_word(i, InitialWords(bench.config).of_shared(i));
    bench.begin();
    const unsigned interval = smem_pass_interval(bench.config), extra = smem_extra_cycles(bench.config) / 2;
    std::map<std::uint32_t, SmemRequest> requests;
    std::map<Cycle, SmemReply> due;  // by scheduler cycle in which it is on the wire
    std::map<std::uint32_t, SmemReply> gathered;
    std::map<std::uint32_t, HalfMask> served;
    std::set<std::uint32_t> locked_reads;
    std::uint32_t uid = 0;
    unsigned replies = 0, passes = 0, of_headers = 0, conflicts = 0, refused_locks = 0;
    Cycle last_pass = 0;
    bool was_ready = bench.ready.read();
    for (Cycle now = 0; now < 6000; ++now) {
      // The block's contents change in the cycle in which a pass is performed: then comes what a new block makes
      // unwritten.
      SmemStart start;
      if (draw(40) == 0) {
        start = {true, static_cast<std::uint16_t>(draw(500)), static_cast<std::uint16_t>(1 + draw(300))};
      }
      bench.start.write(start);
      bench.ended.write(draw(30) == 0 ? WarpMask{1} << draw(4) : 0);
      if (!bench.request.read().valid && draw(3) != 0) {
        ++uid;
        requests[uid] = random_request(uid);
        bench.request.write(requests[uid]);
      }
      was_ready = bench.ready.read();
      const SmemPass pass = bench.pass.read();
      EXPECT_EQ(bench.replay.read(), pass.valid && !pass.last);
      HalfMask granted = 0;
      bool stored = false;
      if (pass.valid) {
        const std::uint32_t id = pass.request.origin.tag.bits;
        const SmemRequest& request = requests.at(id);
        EXPECT_EQ(pass.request, request);
        EXPECT_EQ(served[id] & pass.lanes, 0);
        EXPECT_EQ(pass.lanes & ~request.lanes, 0);
        if (served[id] != 0) ++conflicts;
        served[id] = static_cast<HalfMask>(served[id] | pass.lanes);
        EXPECT_EQ(pass.last, served[id] == request.lanes);
        EXPECT_GE(now - last_pass, passes == 0 ? 0 : interval);
        last_pass = now;
        ++passes;
        of_headers += request.header;
        SmemReply& reply = gathered[id];
        for (unsigned l = 0; l < kHalfWarp; ++l) {
          if ((pass.lanes >> l & 1) == 0) continue;
          if (request.write) model.write(request, l);
          if (request.write && request.lock) model.unlock(request, l);
          reply.data[l] = request.write ? request.data[l] : model.read(request, l);
          if (request.write || !request.lock) continue;
          if (model.lock(request, l)) {
            granted = static_cast<HalfMask>(granted | 1u << l);
          } else {
            ++refused_locks;
          }
        }
        reply.granted = static_cast<HalfMask>(reply.granted | granted);
        stored = pass.last && request.write;
        if (pass.last && !request.write) {
          reply.valid = true;
          reply.unit = request.unit;
          reply.half = request.half;
          reply.lanes = request.lanes;
          reply.origin = request.origin;
          due[now + 1 + extra] = reply;
        }
      }
      for (unsigned i = 0; start.valid && i < start.count; ++i) {
        model.set_word(start.first + i, InitialWords(bench.config).of_shared(start.first + i));
      }
      const WarpMask ended = bench.ended.read();
      model.release(ended);
      bench.cycle();
      if (bench.request.read().valid && was_ready) bench.request.write(SmemRequest{});
      EXPECT_EQ(bench.stored.read(), stored);
      const auto expected = due.find(now + 1);
      ASSERT_EQ(bench.reply.read().valid, expected != due.end()) << now;
      if (expected != due.end()) {
        ++replies;
        const SmemReply& seen = bench.reply.read();
        SmemReply wanted = expected->second;
        for (unsigned l = 0; l < kHalfWarp; ++l) {
          if ((wanted.lanes >> l & 1) == 0) wanted.data[l] = seen.data[l];
        }
        EXPECT_EQ(seen, wanted);
      }
      bench.port.flush();
      const std::vector<SmReport> reports = std::move(bench.reports.all);
      bench.reports.all.clear();
      unsigned smem = 0;
      for (const SmReport& report : reports) {
        EXPECT_EQ(report.ended, ended);
        for (const SmReport::Smem& entry : report.smem) {
          ++smem;
          const SmemRequest& request = pass.request;
          EXPECT_EQ(entry.tag.bits, request.origin.tag.bits);
          EXPECT_EQ(entry.write, request.write);
          EXPECT_EQ(entry.last, pass.last);
          EXPECT_EQ(entry.half, request.half);
          EXPECT_EQ(entry.lanes, pass.lanes);
          EXPECT_EQ(entry.requested, request.lanes);
          EXPECT_EQ(entry.bytes, request.bytes);
          EXPECT_EQ(entry.lock, request.lock);
          EXPECT_EQ(entry.granted, granted);
          EXPECT_EQ(entry.address, request.address);
          for (unsigned l = 0; l < kHalfWarp; ++l) {
            if ((pass.lanes >> l & 1) != 0) {
              EXPECT_EQ(entry.data[l], gathered[request.origin.tag.bits].data[l]) << l;
            }
          }
        }
        // The next pass was chosen in this cycle; it is on the wire now.
        for (const SmReport::Conflict& entry : report.conflict) {
          EXPECT_EQ(entry.pc, bench.pass.read().request.origin.pc);
          EXPECT_NE(served[bench.pass.read().request.origin.tag.bits], 0);
        }
        EXPECT_EQ(report.conflict.count,
                  bench.pass.read().valid && served[bench.pass.read().request.origin.tag.bits] != 0);
      }
      EXPECT_EQ(smem, pass.valid && !pass.request.header ? 1u : 0u) << "the launcher's words are of no instruction";
      for (unsigned warp = 0; warp < 4; ++warp) EXPECT_EQ(bench.memory.locks().held(warp), model.held(warp));
      if (HasFailure()) return;
    }
    for (unsigned w = 0; w < 512; ++w) EXPECT_EQ(bench.memory.read_word(w), model.word(w)) << w;
    EXPECT_GT(replies, 100u);
    EXPECT_GT(refused_locks, 20u);
    unsigned headers = 0;
    for (const auto& [id, request] : requests) headers += request.header;
    const bool waits = bench.request.read().valid, leaves = bench.pass.read().valid;
    EXPECT_GT(headers, 100u);
    EXPECT_EQ(bench.conflict.counters().requests, uid - headers - (waits && !bench.request.read().header ? 1 : 0));
    EXPECT_EQ(bench.conflict.counters().passes,
              passes - of_headers + (leaves && !bench.pass.read().request.header ? 1 : 0));
    EXPECT_GE(bench.conflict.counters().conflicts, conflicts);
    EXPECT_LE(bench.conflict.counters().conflicts, conflicts + 1);
  }
}

TEST_F(SmemTraffic, PassesLeaveAtTheRateOfTheBanksAndTheFirstAtOnce) {
  for (const unsigned rate : {1u, 2u}) {
    renew_context();
    Bench bench({"sm.smem_passes_per_4_cycles=" + std::to_string(rate)});
    bench.begin();
    SmemRequest request;
    request.valid = true;
    request.lanes = 0xffff;
    for (unsigned l = 0; l < kHalfWarp; ++l) request.address[l] = static_cast<std::uint16_t>(64 * l);
    bench.request.write(request);
    bench.cycle();
    bench.request.write(SmemRequest{});
    for (unsigned i = 0; i < 16 * (2 / rate); ++i) {
      EXPECT_EQ(bench.pass.read().valid, i % (2 / rate) == 0) << i;
      if (bench.pass.read().valid) {
        EXPECT_EQ(bench.pass.read().lanes, 1u << i / (2 / rate));
      }
      bench.cycle();
    }
    EXPECT_FALSE(bench.pass.read().valid);
  }
}

TEST_F(SmemTraffic, ThreeRequestsWaitAndAPlaceIsFreeWhenOneIsServed) {
  Bench bench({"sm.smem_passes_per_4_cycles=2"});
  bench.begin();
  SmemRequest request;
  request.valid = true;
  request.lanes = 0xffff;
  for (unsigned l = 0; l < kHalfWarp; ++l) request.address[l] = static_cast<std::uint16_t>(64 * l);
  unsigned taken = 0;
  std::vector<unsigned> at;
  for (unsigned cycle = 0; cycle < 60; ++cycle) {
    bench.request.write(request);
    if (bench.ready.read()) {
      ++taken;
      at.push_back(cycle);
    }
    bench.cycle();
  }
  // Two at once; ready cannot see the pass that ends a request: then one for each of 16 passes.
  ASSERT_GE(at.size(), 5u);
  EXPECT_EQ(at[1], 1u);
  for (std::size_t i = 3; i < at.size(); ++i) EXPECT_EQ(at[i] - at[i - 1], 16u) << i;
  EXPECT_EQ(bench.conflict.counters().requests, taken);
}

TEST_F(SmemTraffic, WithoutTrafficBothSleep) {
  Bench bench({"sm.smem_latency=80"});
  bench.begin();
  bench.cycle(4);
  std::uint64_t before = bench.domain.activations();
  bench.cycle(1000);
  EXPECT_EQ(bench.domain.activations(), before);
  SmemRequest request;
  request.valid = true;
  request.lanes = 1;
  bench.request.write(request);
  bench.cycle();
  bench.request.write(SmemRequest{});
  bench.cycle(1000);
  // The pass is on the wire, and off it; the memory works until the reply has left its registers and the wire.
  const unsigned stages = smem_extra_cycles(bench.config) / 2;
  EXPECT_LE(bench.domain.activations() - before, 3u + stages + 3u);
  before = bench.domain.activations();
  bench.ended.write(1);
  bench.cycle(1000);
  bench.ended.write(0);
  EXPECT_GE(bench.domain.activations() - before, 1u);
  bench.cycle(4);
  before = bench.domain.activations();
  bench.cycle(1000);
  EXPECT_EQ(bench.domain.activations(), before);
}

TEST_F(SmemTraffic, AResetLeavesNoWorkAndNoLock) {
  Bench bench({"sm.smem_latency=60"});
  const testing::ResetCheck check({&bench.conflict, &bench.memory});
  bench.begin();
  for (std::uint32_t uid = 1; uid < 200; ++uid) {
    SmemRequest request = random_request(uid);
    request.write = false;  // the words of a memory have no reset
    bench.request.write(request);
    bench.cycle();
  }
  EXPECT_NE(bench.memory.locks().holders(), 0u);
  bench.conflict.hold_reset();
  bench.memory.hold_reset();
  EXPECT_EQ(bench.memory.locks().holders(), 0u);
  EXPECT_EQ(bench.conflict.counters().requests, 0u);
  EXPECT_EQ(bench.conflict.counters().passes, 0u);
}

}  // namespace
}  // namespace g80
