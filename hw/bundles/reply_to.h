// SPDX-License-Identifier: Apache-2.0
// Builds the reply to a transaction from its request: destination and identity. The replying block adds data and
// fault.
#pragma once
#include "hw/bundles/transaction.h"

namespace g80 {

/// What a reply repeats of its request: all that a block keeps which owes the reply.
struct ReplyHeader {
  MemOp op = MemOp::kRead;
  MemClient client = MemClient::kGlobal;
  std::uint8_t port = 0;
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t id = 0;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  std::uint8_t bytes = 32;
  Origin origin;
  std::uint32_t virtual_address = 0;
  G80_FIELDS((op, 2), (client, 3), (port, 5), (sm_in_tpc, 2), id, (half, 1), lanes, bytes, origin, virtual_address);
};

inline ReplyHeader header_of(const MemRequest& request) {
  return {request.op,   request.client, request.port,  request.sm_in_tpc, request.id,
          request.half, request.lanes,  request.bytes, request.origin,    request.virtual_address};
}
/// `reply` becomes one to this request, without a fault. Its data stay as they are.
inline void set_header(MemReply& reply, const ReplyHeader& header) {
  reply.valid = true;
  reply.op = header.op;
  reply.client = header.client;
  reply.fault = MemFault::kNone;
  reply.port = header.port;
  reply.sm_in_tpc = header.sm_in_tpc;
  reply.id = header.id;
  reply.half = header.half;
  reply.lanes = header.lanes;
  reply.bytes = header.bytes;
  reply.origin = header.origin;
  reply.virtual_address = header.virtual_address;
}

inline MemReply reply_to(const MemRequest& request) {
  MemReply reply;
  set_header(reply, header_of(request));
  return reply;
}

}  // namespace g80
