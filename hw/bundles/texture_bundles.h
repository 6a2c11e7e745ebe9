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
  G80_FIELDS(valid, (op, 2), (sm_in_tpc, 2), (half, 1), lanes, id, (texture, 7), (sampler, 5), (offset, 4), origin,
             coord);
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
  G80_FIELDS(valid, (fault, 2), (sm_in_tpc, 2), (half, 1), lanes, id, origin, fault_address, texel);
};

}  // namespace g80
