// SPDX-License-Identifier: Apache-2.0
#include "hw/smem/shared_memory.h"

#include "hw/common/delay_registers.h"
#include "hw/common/set_bits.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {

SharedMemory::SharedMemory(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      initial_(config),
      words_(config.sm.shared_bytes / 4),
      word_written_(words_.size()),
      locks_(config),
      way_back_(*this, "way_back", smem_extra_cycles(config) / kSchedulerPeriod) {}

void SharedMemory::store(const SmemRequest& request, unsigned lane) {
  const unsigned address = request.address[lane];
  CHECK(address / 4 < words_.size(), "{}: address 0x{:x} is outside of shared memory", name(), address);
  const std::uint32_t mask = (request.bytes == 4 ? ~0u : request.bytes == 2 ? 0xffffu : 0xffu) << address % 4 * 8;
  words_[address / 4] = (word(address / 4) & ~mask) | (request.data[lane] << address % 4 * 8 & mask);
  word_written_[address / 4] = 1;
}

/// The words of the lanes of a pass, extended if they are narrow.
void SharedMemory::load(const SmemPass& pass) {
  const SmemRequest& request = pass.request;
  const bool narrow = request.bytes != 4;
  const std::uint32_t mask = !narrow ? ~0u : request.bytes == 1 ? 0xffu : 0xffffu;
  const std::uint32_t sign = narrow && request.sign_extend ? mask / 2 + 1 : 0;
  for (const unsigned l : set_bits(pass.lanes)) {
    const unsigned address = request.address[l], shift = narrow ? address % 4 * 8 : 0;
    CHECK(address / 4 < words_.size(), "{}: address 0x{:x} is outside of shared memory", name(), address);
    const std::uint32_t value = word(address / 4) >> shift & mask;
    d_.gather.data[l] = (value & sign) != 0 ? value | ~mask : value;
  }
}

void SharedMemory::start(const SmemStart& start) {
  CHECK(start.first + start.count <= words_.size(), "{}: words {} to {} of a new block lie behind the last one", name(),
        start.first, start.first + start.count);
  std::fill_n(word_written_.begin() + start.first, start.count, std::uint8_t{0});
}

/// Returns the answer to a half-warp's read, if this is its last pass.
SmemReply SharedMemory::perform(const SmemPass& pass) {
  const SmemRequest& request = pass.request;
  if (request.write) {
    for (const unsigned l : set_bits(pass.lanes)) store(request, l);
  } else if (request.bytes == 4 && pass.lanes == 0xffffu) {  // the usual case
    std::uint8_t all_written = 1;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      const unsigned number = request.address[l] / 4u;
      CHECK(number < words_.size(), "{}: address 0x{:x} is outside of shared memory", name(), request.address[l]);
      all_written &= word_written_[number];
      d_.gather.data[l] = words_[number];
    }
    if (all_written == 0) load(pass);
  } else {
    load(pass);
  }
  HalfMask granted = 0;
  if (request.lock && request.write) locks_.unlock(request.warp, pass.lanes, request.address);
  if (request.lock && !request.write) {
    granted = locks_.lock(request.warp, pass.lanes, request.address);
    counters_.granted[request.warp] += static_cast<unsigned>(__builtin_popcount(granted));
    d_.gather.granted = static_cast<HalfMask>(d_.gather.granted | granted);
  }
  observe(pass, granted, d_.gather.data);
  SmemReply done;
  if (!pass.last) return done;
  if (!request.write) {
    done = {true, request.unit, request.half, request.lanes, d_.gather.granted, request.origin, d_.gather.data};
  }
  d_.gather = {};
  return done;
}

void SharedMemory::observe(const SmemPass& pass, HalfMask granted, const std::array<std::uint32_t, kHalfWarp>& read) {
  const SmemRequest& request = pass.request;
  if (reports_ == nullptr || request.header) return;
  reports_->at(edge()).smem.add() = {request.origin.tag,
                                     request.write,
                                     pass.last,
                                     request.half,
                                     pass.lanes,
                                     request.lanes,
                                     request.bytes,
                                     request.lock,
                                     granted,
                                     request.address,
                                     request.write ? request.data : read};
}

void SharedMemory::observe_ended() {
  if (reports_ != nullptr && ended_i.read() != 0) reports_->at(edge()).ended = ended_i.read();
}

// The bits of a new block's words are cleared before it uses them, so such a cycle changes nothing that another block
// sees, and the memory need not stay awake for it.
void SharedMemory::next() {
  const SmemPass& pass = pass_i.read();
  const WarpMask ended = ended_i.read();
  d_.stored = pass.valid && pass.last && pass.request.write;
  if (pass.valid || !way_back_.empty()) {
    d_.reply = way_back_.shift(pass.valid ? perform(pass) : SmemReply{});
  } else if (q_.reply.valid) {
    d_.reply = {};
  }
  if (start_i.read().valid) start(start_i.read());
  if (ended != 0) locks_.release(ended);
  observe_ended();
  if (way_back_.empty() && !d_.reply.valid && !pass.valid && ended == 0) sleep();
}

}  // namespace g80
