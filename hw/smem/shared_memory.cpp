// SPDX-License-Identifier: Apache-2.0
#include "hw/smem/shared_memory.h"

#include "hw/config/pipeline_depth.h"

namespace g80 {

SharedMemory::SharedMemory(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      initial_(config),
      words_(config.sm.shared_bytes / 4),
      locks_(config),
      way_back_(*this, "way_back", smem_extra_cycles(config) / kSchedulerPeriod) {}

std::uint32_t SharedMemory::access(const SmemRequest& request, unsigned lane) {
  const unsigned address = request.address[lane];
  CHECK(address / 4 < words_.size(), "{}: address 0x{:x} is outside of shared memory", name(), address);
  std::uint32_t& word = words_[address / 4];
  const unsigned shift = address % 4 * 8;
  if (request.bytes == 4) {
    if (request.write) word = request.data[lane];
    return word;
  }
  const std::uint32_t mask = request.bytes == 1 ? 0xffu : 0xffffu;
  if (request.write) {
    word = (word & ~(mask << shift)) | (request.data[lane] & mask) << shift;
    return word;
  }
  const std::uint32_t value = word >> shift & mask;
  const std::uint32_t sign = request.bytes == 1 ? 0x80u : 0x8000u;
  return request.sign_extend && (value & sign) != 0 ? value | ~mask : value;
}

void SharedMemory::start(const SmemStart& start) {
  CHECK(start.first + start.count <= words_.size(), "{}: words {} to {} of a new block lie behind the last one", name(),
        start.first, start.first + start.count);
  for (unsigned i = start.first; i < start.first + 0u + start.count; ++i) words_[i] = initial_.of_shared(i);
}

void SharedMemory::next() {
  const SmemStart& started = start_i.read();
  if (started.valid) start(started);
  const SmemPass& pass = pass_i.read();
  SmemReply done;
  d_.stored = pass.valid && pass.last && pass.request.write;
  if (pass.valid) {
    const SmemRequest& request = pass.request;
    for (unsigned rest = pass.lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
      d_.gather.data[l] = access(request, l);
    }
    const unsigned warp = request.warp;
    HalfMask granted = 0;
    if (request.lock && request.write) locks_.unlock(warp, pass.lanes, request.address);
    if (request.lock && !request.write) granted = locks_.lock(warp, pass.lanes, request.address);
    d_.gather.granted = static_cast<HalfMask>(d_.gather.granted | granted);
    if (reports_ != nullptr && !request.header) {
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
                                         request.write ? request.data : d_.gather.data};
    }
    if (pass.last && !request.write) {
      d_.gather.valid = true;
      d_.gather.unit = request.unit;
      d_.gather.half = request.half;
      d_.gather.lanes = request.lanes;
      d_.gather.origin = request.origin;
      done = d_.gather;
    }
    if (pass.last) d_.gather = {};
  }
  const WarpMask ended = ended_i.read();
  if (ended != 0) {
    locks_.release(ended);
    if (reports_ != nullptr) reports_->at(edge()).ended = ended;
  }
  d_.reply = way_back_.shift(done);
  if (way_back_.empty() && !d_.reply.valid && !pass.valid && !started.valid && ended == 0) sleep();
}

}  // namespace g80
