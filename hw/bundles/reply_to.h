// SPDX-License-Identifier: Apache-2.0
// Builds the reply to a transaction from its request: destination and identity. The replying block adds data and
// fault.
#pragma once
#include "hw/bundles/transaction.h"

namespace g80 {

inline MemReply reply_to(const MemRequest& request) {
  MemReply reply;
  reply.valid = true;
  reply.op = request.op;
  reply.client = request.client;
  reply.port = request.port;
  reply.sm_in_tpc = request.sm_in_tpc;
  reply.id = request.id;
  reply.half = request.half;
  reply.lanes = request.lanes;
  reply.bytes = request.bytes;
  reply.origin = request.origin;
  reply.virtual_address = request.virtual_address;
  return reply;
}

}  // namespace g80
