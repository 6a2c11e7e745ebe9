// SPDX-License-Identifier: Apache-2.0
// Bundles between an SM and the texture unit of its TPC.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/transaction.h"

namespace g80 {

enum class TexOp : std::uint8_t { kSample, kFetch, kSize };  // kSample: filtered; kFetch: integer texel coordinates
inline const EnumText& enum_text(TexOp) {
  static const char* const names[] = {"SAMPLE", "FETCH", "SIZE"};
  static const EnumText text{"TexOp", names, 3};
  return text;
}

/// A half-warp of texture coordinates. The unit returns all four components; the SM keeps those of the write mask.
struct TexRequest {
  bool valid = false;
  TexOp op = TexOp::kSample;
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  std::uint8_t id = 0;                  // load_table entry
  std::uint8_t texture = 0;             // $t number: index of the texture header bound by the driver
  std::uint8_t sampler = 0;             // $s number
  std::array<std::int8_t, 3> offset{};  // texel offsets of the instruction
  Origin origin;
  std::array<std::array<std::uint32_t, 4>, kHalfWarp> coord{};  // s, t, p (float bits or integers), and lod/bias
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("op", s.op, 2);
    v("sm_in_tpc", s.sm_in_tpc, 2);
    v("half", s.half, 1);
    v("lanes", s.lanes);
    v("id", s.id);
    v("texture", s.texture, 7);
    v("sampler", s.sampler, 5);
    v("offset", s.offset, 4);
    v("origin", s.origin);
    v("coord", s.coord);
  }
};
struct TexReply {
  bool valid = false;
  MemFault fault = MemFault::kNone;
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  std::uint8_t id = 0;
  Origin origin;
  std::uint32_t fault_address = 0;
  std::array<std::array<std::uint32_t, 4>, kHalfWarp> texel{};  // r, g, b, a as register bits
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("fault", s.fault, 2);
    v("sm_in_tpc", s.sm_in_tpc, 2);
    v("half", s.half, 1);
    v("lanes", s.lanes);
    v("id", s.id);
    v("origin", s.origin);
    v("fault_address", s.fault_address);
    v("texel", s.texel);
  }
};

}  // namespace g80
