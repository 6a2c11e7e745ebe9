// SPDX-License-Identifier: Apache-2.0
// Bundles of the host link: command words and copy orders go in, events come back, copies read and write host memory.
#pragma once
#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/bundles/cta_bundles.h"
#include "hw/common/block_linear.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

/// 32-bit words of the push buffer that the host interface delivers together: at most
/// host.pushbuffer_words_per_cycle.
struct PushWords {
  std::uint8_t count = 0;
  std::array<std::uint32_t, kMaxPushWords> word{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("num_words", s.count, 4);  // a queue shows a count of its own
    v("word", s.word);
  }
};

/// kSetPageDirectory makes device_address the page directory and orders a TLB flush: also after any change of its
/// tables.
enum class CopyOp : std::uint8_t { kToDevice, kFromDevice, kFill, kSetPageDirectory, kOnDevice };
inline const EnumText& enum_text(CopyOp) {
  static const char* const names[] = {"TO_DEVICE", "FROM_DEVICE", "FILL", "SET_PAGE_DIRECTORY", "ON_DEVICE"};
  static const EnumText text{"CopyOp", names, 5};
  return text;
}

/// A block-linear surface on one side of a copy, and where in it the first line begins. Lines go down from there.
struct CopySurface {
  bool block_linear = false;  // false: the side's lines are a pitch apart
  BlockShape block = {};
  std::uint32_t width = 0, height = 0;  // bytes, lines
  std::uint32_t x = 0, y = 0, z = 0;    // bytes, lines, slices
  G80_FIELDS(block_linear, block, width, (height, 16), x, (y, 16), (z, 12));
};

/// One order for the copy engine: `lines` lines of `bytes` bytes. Device addresses are physical; that of a block-linear
/// surface is its beginning. The host's side is a bus address.
struct CopyOrder {
  CopyOp op = CopyOp::kToDevice;
  std::uint32_t device_address = 0;  // what a copy on the device writes
  std::uint32_t bytes = 0;           // of a line
  std::uint64_t host_address = 0;    // of copies over the link
  std::uint32_t fill_word = 0;       // byte i of the range becomes byte (address mod 4) of this word
  std::uint32_t id = 0;              // comes back with the event
  std::uint32_t lines = 1;
  std::uint32_t pitch = 0;           // from line to line at device_address
  std::uint32_t source_address = 0;  // what a copy on the device reads
  std::uint32_t source_pitch = 0;
  std::uint32_t host_pitch = 0;
  CopySurface surface = {};         // at device_address
  CopySurface source_surface = {};  // at source_address
  G80_FIELDS((op, 3), device_address, bytes, host_address, fill_word, id, lines, pitch, source_address, source_pitch,
             host_pitch, surface, source_surface);
};

/// Host memory as the copy engine's bus master sees it.
class HostMemoryIf : virtual public sc_core::sc_interface {
 public:
  virtual void read(std::uint64_t host_address, void* bytes, unsigned count) = 0;
  virtual void write(std::uint64_t host_address, const void* bytes, unsigned count) = 0;
};

/// Host memory of this program, as far as it is pinned. Bus addresses are the testbench's own and not pointers: the
/// addresses of the program's memory appear in no signal, so equal runs give equal waves.
class HostMemory final : public sc_core::sc_object, public HostMemoryIf {
 public:
  explicit HostMemory(const char* name) : sc_object(name) {}

  /// Lets the device reach a range, from the bus address returned, until unpin(). One that is const can only be read.
  std::uint64_t pin(const void* bytes, std::uint64_t count) {
    return place({count, count, static_cast<const std::uint8_t*>(bytes), nullptr}, kPage);
  }
  std::uint64_t pin(void* bytes, std::uint64_t count) {
    return place({count, count, static_cast<const std::uint8_t*>(bytes), static_cast<std::uint8_t*>(bytes)}, kPage);
  }
  /// The same with the pages of the device that hold the range. Behind it, as where nothing answers on the bus, reads
  /// are all ones and writes are lost.
  std::uint64_t pin_pages(void* bytes, std::uint64_t count);
  void unpin(std::uint64_t address);
  /// The device reaches what another one does.
  void pin_as(const HostMemory& other) { windows_ = other.windows_; }

  void read(std::uint64_t host_address, void* bytes, unsigned count) override;
  void write(std::uint64_t host_address, const void* bytes, unsigned count) override;

 private:
  struct Window {
    std::uint64_t reserved, count;
    const std::uint8_t* readable;
    std::uint8_t* writable;
    std::uint64_t address = 0;
    /// How many of the bytes at a bus address lie in the range.
    unsigned present(std::uint64_t at, unsigned bytes) const {
      const std::uint64_t left = address + count > at ? address + count - at : 0;
      return left < bytes ? static_cast<unsigned>(left) : bytes;
    }
  };
  static constexpr std::uint64_t kPage = 4096;
  std::uint64_t place(Window window, std::uint64_t alignment);
  const Window& window_of(std::uint64_t address, unsigned count) const;

  std::vector<Window> windows_;  // in the order of their addresses
};

/// Of a nanosecond: queries and events carry the time of the chip's timer (hw/host/timer.h).
constexpr Picoseconds kPicosecondsPerTick = 1000;

enum class HostEventKind : std::uint8_t { kCopyDone, kFence };
inline const EnumText& enum_text(HostEventKind) {
  static const char* const names[] = {"COPY_DONE", "FENCE"};
  static const EnumText text{"HostEventKind", names, 2};
  return text;
}
struct HostEvent {
  HostEventKind kind = HostEventKind::kCopyDone;
  std::uint32_t value = 0;  // id of the copy, sequence number of the fence
  std::uint64_t time = 0;   // of the chip's timer, in nanoseconds, a multiple of 32
  G80_FIELDS((kind, 1), value, time);
};

}  // namespace g80
