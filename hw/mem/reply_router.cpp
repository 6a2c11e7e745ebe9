// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/reply_router.h"

namespace g80 {
ReplyRouter::ReplyRouter(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name), sm_o("sm_o", config.gpu.sms_per_tpc), num_sms_(config.gpu.sms_per_tpc) {}

void ReplyRouter::reset() {
  replies_.clear();
  refused_.clear();
  texture_.clear();
  walk_.clear();
  reply_tried_ = refused_tried_ = refused_an_access_ = false;
  counters_ = {};
}

void ReplyRouter::next() {
  if (q_.texture_offered && texture_ready_i.read()) texture_.pop();
  if (q_.walk_offered && walk_ready_i.read()) walk_.pop();
  std::uint32_t given = 0;
  bool moved = deliver(refused_, refused_tried_, given);
  moved |= deliver(replies_, reply_tried_, given);
  const MemReply& reply = reply_i.read();
  if (reply.valid && q_.reply_ready) replies_.push(reply), moved = true;
  const MemReply& refused = refused_i.read();
  if (refused.valid && q_.refused_ready) refused_.push(refused), moved = true;
  d_.reply_ready = !replies_.full();
  d_.refused_ready = !refused_.full();
  d_.texture_offered = !texture_.empty();
  d_.walk_offered = !walk_.empty();
  const bool tries = moved && !(replies_.empty() && refused_.empty());  // what did not move waits for room
  const bool goes = (d_.texture_offered && texture_ready_i.read()) || (d_.walk_offered && walk_ready_i.read());
  if (!tries && !goes) sleep();
}

bool ReplyRouter::deliver(ReplyQueue& source, bool& tried, std::uint32_t& given) {
  if (source.empty()) return false;
  const MemReply& reply = source.front();
  bool delivered = false;
  switch (reply.client) {
    case MemClient::kGlobal:
    case MemClient::kLocal:
    case MemClient::kStack: {
      CHECK(reply.sm_in_tpc < num_sms_, "{}: a reply goes to SM {}, but the TPC has {} SMs", name(), reply.sm_in_tpc,
            num_sms_);
      auto& port = sm_o[reply.sm_in_tpc];
      delivered = (given >> reply.sm_in_tpc & 1) == 0 && port->can_push();
      if (!delivered) break;
      port->push(reply);
      given |= 1u << reply.sm_in_tpc;
      break;
    }
    case MemClient::kTexture:
    case MemClient::kPageTable: {
      ReplyQueue& queue = reply.client == MemClient::kTexture ? texture_ : walk_;
      delivered = !queue.full();
      if (delivered) queue.push(reply);
      break;
    }
    default: CHECK(false, "{}: a reply came for client {}", name(), static_cast<int>(reply.client));
  }
  if (delivered) {
    ++counters_.replies;
    if (reply.fault != MemFault::kNone) {
      ++counters_.faults;
      // A failed page-table read is not an access itself: the accesses that wait for it fault and come here later.
      if (reply.client != MemClient::kPageTable) refused_an_access_ = true;
    }
    source.pop();
  } else if (!tried) {
    ++counters_.held_back;
  }
  tried = !delivered;
  return delivered;
}

void ReplyRouter::drive() {
  idle_o.write(idle());
  reply_ready_o.write(q_.reply_ready);
  refused_ready_o.write(q_.refused_ready);
  texture_o.offer(q_.texture_offered, texture_.front());
  walk_o.offer(q_.walk_offered, walk_.front());
}

}  // namespace g80
