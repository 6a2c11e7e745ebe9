// SPDX-License-Identifier: Apache-2.0
// Compile-time maxima: array sizes of the model and bus widths of the RTL twins. Run-time values come from the
// configuration.
#pragma once

namespace g80 {

inline constexpr unsigned kMaxTpcs = 16;
inline constexpr unsigned kMaxSmsPerTpc = 4;
inline constexpr unsigned kMaxSms = 32;
inline constexpr unsigned kMaxWarps = 32;  // warp slots of an SM
inline constexpr unsigned kMaxCtasPerSm = 8;
inline constexpr unsigned kMaxThreadsPerCta = 512;
inline constexpr unsigned kMaxWarpsPerCta = kMaxThreadsPerCta / 32;
inline constexpr unsigned kMaxRegistersPerSm = 16384;  // 32-bit registers
inline constexpr unsigned kMaxRegistersPerThread = 128;
inline constexpr unsigned kMaxSharedBytes = 16384;
inline constexpr unsigned kMaxPartitions = 8;
inline constexpr unsigned kMaxDramBanks = 8;
inline constexpr unsigned kMaxRegisterBanks = 32;
inline constexpr unsigned kMaxBarriers = 16;      // per CTA
inline constexpr unsigned kMaxStackDepth = 4096;  // entries of one warp's control stack
inline constexpr unsigned kNumConstBanks = 16;    // c0..c15
inline constexpr unsigned kNumGlobalSpaces = 16;  // g0..g15
inline constexpr unsigned kMaxUserParams = 64;    // 32-bit words from s[0x10]
inline constexpr unsigned kMaxTextures = 128;
inline constexpr unsigned kMaxSamplers = 16;
inline constexpr unsigned kMaxPushWords = 8;  // command words that arrive together

}  // namespace g80
