// SPDX-License-Identifier: Apache-2.0
// Which requests get an answer, and how an answer names its request.
//
// A bundle that asks has `asks`, one that answers has `answers`; both give the same number for the same request, and
// none for what needs no answer.
#pragma once
#include <optional>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/dram_bundles.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/bundles/tlb_bundles.h"
#include "hw/bundles/transaction.h"
#include "tb/check/field_hash.h"

namespace g80 {

/// The kinds of question and answer.
enum class Exchange : std::uint8_t {
  kNone,
  kFetch,
  kConstant,
  kShared,
  kLine,
  kTlb,
  kMemory,
  kTexture,
  kLoad,
  kStack,
  kDram,
  kCta
};

/// What a transferred value means to whom it may concern.
struct TransferIdentity {
  Exchange exchange = Exchange::kNone;
  bool is_answer = false;
  std::optional<std::uint64_t> (*number)(const void* value) = nullptr;
};

namespace transfer_detail {

using Number = std::optional<std::uint64_t>;

inline Number number(const FetchRequest& v) { return FieldHash::of(v.warp, v.epoch, v.bytes, v.address); }
inline Number number(const FetchReply& v) { return FieldHash::of(v.warp, v.epoch, v.bytes, v.address); }
inline Number number(const ConstRequest& v) { return FieldHash::of(v.id, v.warp, v.lanes, v.origin); }
inline Number number(const ConstReply& v) { return FieldHash::of(v.id, v.warp, v.lanes, v.origin); }
inline Number number(const SmemRequest& v) {
  if (v.write) return std::nullopt;
  return FieldHash::of(v.unit, v.half, v.lanes, v.origin);
}
inline Number number(const SmemReply& v) { return FieldHash::of(v.unit, v.half, v.lanes, v.origin); }
// The SM's port adds TPC and SM to the requests of its caches.
template <class Line>
Number number_of_line(const Line& v) {
  return FieldHash::of(v.client, v.id, v.address, v.origin);
}
inline Number number(const LineRequest& v) { return number_of_line(v); }
inline Number number(const LineReply& v) { return number_of_line(v); }
inline Number number(const TlbQuestion& v) {
  if (v.fill) return std::nullopt;
  return FieldHash::of(v.walker, v.virtual_address, v.origin);
}
inline Number number(const TlbAnswer& v) { return FieldHash::of(v.walker, v.virtual_address, v.origin); }
// A write and a reduction are not answered; the TLB may refuse one, which is a reply with a fault.
template <class Memory>
Number number_of_memory(const Memory& v) {
  if (v.op == MemOp::kWrite || v.op == MemOp::kReduce) return std::nullopt;
  return FieldHash::of(v.op, v.client, v.sm_in_tpc, v.id, v.half, v.lanes, v.bytes, v.origin, v.virtual_address);
}
inline Number number(const MemRequest& v) { return number_of_memory(v); }
inline Number number(const MemReply& v) { return number_of_memory(v); }
inline Number number(const TexRequest& v) { return FieldHash::of(v.sm_in_tpc, v.half, v.lanes, v.id, v.origin); }
inline Number number(const TexReply& v) { return FieldHash::of(v.sm_in_tpc, v.half, v.lanes, v.id, v.origin); }
inline Number number(const LoadOpen& v) { return v.id; }
inline Number number(const LoadFreed& v) { return v.id; }
inline Number number(const StackAccess& v) {
  if (v.write) return std::nullopt;
  return v.warp;
}
inline Number number(const StackFill& v) { return v.warp; }
inline Number number(const DramRequest& v) { return FieldHash::of(v.write, v.slot, v.burst, v.tag.bits); }
inline Number number(const DramReply& v) { return FieldHash::of(v.write, v.slot, v.burst, v.tag.bits); }
inline Number number(const CtaLaunch& v) { return FieldHash::of(v.cta_x, v.cta_y); }
inline Number number(const CtaDone& v) {
  if (v.idle) return std::nullopt;
  return FieldHash::of(v.cta_x, v.cta_y);
}

template <class T>
TransferIdentity identity(Exchange exchange, bool is_answer) {
  return {exchange, is_answer, [](const void* value) { return number(*static_cast<const T*>(value)); }};
}

}  // namespace transfer_detail

/// Bundles that neither ask nor answer.
template <class T>
TransferIdentity identity_of() {
  return {};
}
#define G80_EXCHANGE(kind, Request, Answer)                           \
  template <>                                                         \
  inline TransferIdentity identity_of<Request>() {                    \
    return transfer_detail::identity<Request>(Exchange::kind, false); \
  }                                                                   \
  template <>                                                         \
  inline TransferIdentity identity_of<Answer>() {                     \
    return transfer_detail::identity<Answer>(Exchange::kind, true);   \
  }
G80_EXCHANGE(kFetch, FetchRequest, FetchReply)
G80_EXCHANGE(kConstant, ConstRequest, ConstReply)
G80_EXCHANGE(kShared, SmemRequest, SmemReply)
G80_EXCHANGE(kLine, LineRequest, LineReply)
G80_EXCHANGE(kTlb, TlbQuestion, TlbAnswer)
G80_EXCHANGE(kMemory, MemRequest, MemReply)
G80_EXCHANGE(kTexture, TexRequest, TexReply)
G80_EXCHANGE(kLoad, LoadOpen, LoadFreed)
G80_EXCHANGE(kStack, StackAccess, StackFill)
G80_EXCHANGE(kDram, DramRequest, DramReply)
G80_EXCHANGE(kCta, CtaLaunch, CtaDone)
#undef G80_EXCHANGE

}  // namespace g80
