// SPDX-License-Identifier: Apache-2.0
// The Tesla compute class on the push buffer: header words and method numbers.
//
// Method numbers and fields are those of the public register database (envytools: g80_compute, g80_texture).
#pragma once
#include <cstdint>

#include "hw/common/field_list.h"

namespace g80 {

inline constexpr std::uint32_t kComputeClassG80 = 0x50c0;    // G80 .. G9x, GT200
inline constexpr std::uint32_t kComputeClassGt215 = 0x85c0;  // GT215 and later

/// First word of a packet: `count` data words follow, for successive methods or all for the same one.
struct PushHeader {
  std::uint32_t method = 0;  // byte offset, a multiple of 4
  std::uint32_t subchannel = 0;
  std::uint32_t count = 0;
  bool same_method = false;
  G80_FIELDS((method, 13), (subchannel, 3), (words_left, count, 11), same_method);
};
constexpr PushHeader decode_header(std::uint32_t word) {
  return {word & 0x1ffc, (word >> 13) & 7, (word >> 18) & 0x7ff, ((word >> 30) & 1) != 0};
}
constexpr std::uint32_t encode_header(const PushHeader& header) {
  return (header.method & 0x1ffc) | (header.subchannel & 7) << 13 | (header.count & 0x7ff) << 18 |
         (header.same_method ? 1u << 30 : 0);
}
inline constexpr std::uint32_t kMaxPacketWords = 0x7ff;

namespace method {
enum : std::uint32_t {
  kBindClass = 0x0000,
  kCpAddressHigh = 0x0210,
  kCpAddressLow = 0x0214,
  kStackAddressHigh = 0x0218,
  kStackAddressLow = 0x021c,
  kStackSizeLog = 0x0220,
  kCallLimitLog = 0x0224,
  kTscAddressHigh = 0x022c,
  kTscAddressLow = 0x0230,
  kTscLimit = 0x0234,
  kCbAddr = 0x0238,
  kCbData = 0x023c,  // 16 copies, 4 bytes apart
  kWatchdogTimer = 0x0288,
  kLocalAddressHigh = 0x0294,
  kLocalAddressLow = 0x0298,
  kLocalSizeLog = 0x029c,
  kCbDefAddressHigh = 0x02a4,
  kCbDefAddressLow = 0x02a8,
  kCbDefSet = 0x02ac,
  kBlockAlloc = 0x02b4,
  kLanes32Enable = 0x02b8,
  kCpRegAllocTemp = 0x02c0,
  kTicAddressHigh = 0x02c4,
  kTicAddressLow = 0x02c8,
  kTicLimit = 0x02cc,
  kBlockdimLatch = 0x02f8,
  kLocalWarpsLogAlloc = 0x02fc,
  kLocalWarpsNoClamp = 0x0300,
  kStackWarpsLogAlloc = 0x0304,
  kStackWarpsNoClamp = 0x0308,
  kQueryAddressHigh = 0x0310,
  kQueryAddressLow = 0x0314,
  kQuerySequence = 0x0318,
  kQueryGet = 0x031c,
  kLaunch = 0x0368,
  kUserParamCount = 0x0374,
  kIsaFlags = 0x037c,
  kCodeCbFlush = 0x0380,
  kGridId = 0x0388,
  kWrcacheFlush = 0x0398,
  kGridDim = 0x03a4,
  kSharedSize = 0x03a8,
  kBlockdimXy = 0x03ac,
  kBlockdimZ = 0x03b0,
  kCpStartId = 0x03b4,
  kRegMode = 0x03b8,
  kTexLimits = 0x03bc,
  kBindTsc = 0x03c0,
  kBindTic = 0x03c4,
  kSetProgramCb = 0x03c8,
  kTexCacheCtl = 0x03d0,
  kGlobal = 0x0400,     // 16 spaces, 0x20 bytes apart: address high, low, pitch, limit, mode
  kUserParam = 0x0600,  // 64 words
};
inline constexpr std::uint32_t kCbDataWords = 16;
inline constexpr std::uint32_t kGlobalStride = 0x20;
}  // namespace method

inline constexpr std::uint32_t kTexCacheFlush = 2;  // in TEX_CACHE_CTL [5:4]
inline constexpr std::uint32_t kRegModeStriped = 2;
inline constexpr unsigned kNumConstBuffers = 128;
inline constexpr unsigned kDescriptorBytes = 32;         // a texture header or a sampler
inline constexpr std::uint32_t kSharedHeaderBytes = 16;  // grid and block numbers in front of the parameters in s[]

}  // namespace g80
