// SPDX-License-Identifier: Apache-2.0
// The registers of the GPU as a device of a virtual platform (docs/tlm.md): offsets and bits. All are 32-bit words.
#pragma once
#include <cstdint>

namespace g80::tlm_device {

enum Register : std::uint32_t {
  kId = 0x00,               // read: kIdValue
  kStatus = 0x04,           // read: kStatus..
  kInterrupt = 0x08,        // read: pending, kInterrupt..; write: ones clear
  kInterruptEnable = 0x0c,  // read, write
  kFence = 0x10,            // read: sequence number of the last QUERY_GET performed
  kLaunches = 0x14,         // read: LAUNCH methods so far, refused ones too
  kOutcome = 0x18,          // read: of the last of them: [7:0] LaunchOutcome, [15:8] LaunchError, [23:16] FaultKind
  kPushAddressLow = 0x20,   // read, write: where in host memory the push buffer lies, a multiple of 4
  kPushAddressHigh = 0x24,
  kPushWords = 0x28,   // write: fetches so many words; read: words not fetched yet
  kCopyDevice = 0x40,  // read, write: physical address in device memory
  kCopyBytes = 0x44,
  kCopyHostLow = 0x48,
  kCopyHostHigh = 0x4c,
  kCopyFill = 0x50,     // the word of a fill
  kCopySource = 0x54,   // physical address that a copy on the device reads
  kCopyOp = 0x58,       // write: a CopyOp, which starts
  kPushWindow = 0x800,  // write: words of the push buffer, at any offset up to kWindowEnd
};
inline constexpr std::uint32_t kWindowEnd = 0x1000;

inline constexpr std::uint32_t kIdValue = 0x50c0;  // the compute class

// Bits of kStatus.
inline constexpr std::uint32_t kStatusPush = 1;    // words of the push buffer wait or are fetched
inline constexpr std::uint32_t kStatusCopy = 2;    // a copy is under way
inline constexpr std::uint32_t kStatusParser = 4;  // the command processor waits, or a grid runs
// Bits of kInterrupt and kInterruptEnable.
inline constexpr std::uint32_t kInterruptFence = 1;
inline constexpr std::uint32_t kInterruptCopy = 2;     // the copy has ended
inline constexpr std::uint32_t kInterruptFetched = 4;  // the last word of the push buffer has been fetched
inline constexpr std::uint32_t kInterruptError = 8;    // the bus refused an access: the fetch or copy was given up

}  // namespace g80::tlm_device
