// SPDX-License-Identifier: Apache-2.0
// Texture unit of a TPC: computes filtered texels from coordinates (docs/texture.md defines the result).
//
// An in-order pipe: address side (tex.address_lanes lanes an edge: descriptors, texel addresses, tag lookup) -> a queue
// that hides the latency -> data side (tex.filter_lanes lanes an edge: texels out of the cache, weighted sum). Hits
// do not overtake misses, but lookups continue during an outstanding miss, so misses of many requests overlap, up to
// tex.mshrs lines. A lane costs one address and one filter slot, a lane of a 3D linear sample two (bilinear units), and
// lanes whose texels lie in more lines than the texture cache has ports take more edges. A request takes a whole number
// of edges on each side.
//
// Core clock. Latency: a half-warp popped at edge k into an idle unit, descriptors and lines present, is pushed back at
// edge k + tex.pipeline_latency; one with fewer filter edges, earlier by these, one with more, later. The last
// tex.filter_latency edges are stages behind the filter, entered when its last lane is done; the stages in front of the
// texel cache pass while a missing line is on its way. tex.queue requests wait in front; the
// latency-hiding queue holds tex.queue requests more than the pipeline needs at full rate. A new count on flush_i
// empties texel cache and descriptors. Requests inside continue with their earlier lookups.
#pragma once
#include <vector>

#include "hw/bundles/launch_state.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/tex/descriptor_cache.h"
#include "hw/tex/texture_address.h"
#include "hw/tex/texture_cache.h"
#include "hw/tex/texture_filter.h"

namespace g80 {

struct TextureUnitRegs {
  std::uint8_t last_sm = 0;
  std::uint32_t flush = 0;
  std::uint8_t waiting = 0;     // requests in front of the address side
  std::uint16_t in_flight = 0;  // requests between address side and reply
  bool reply_valid = false;     // one is behind the texel cache
  G80_FIELDS((last_sm, 2), flush, waiting, in_flight, reply_valid);
};

class TextureUnit : public Clocked<TextureUnitRegs> {
 public:
  TextureUnit(const sc_core::sc_module_name& name, const Config& config, unsigned tpc);

  // From and to each SM
  Ports<CrossingIn<TexRequest>> sm_i;
  Ports<CrossingOut<TexReply>> sm_o;
  // Reads of lines and descriptors (virtual addresses) to the TPC's arbiter, and what comes back; always taken
  In<TextureBindings> bindings_i{"bindings_i"};
  Out<MemRequest> miss_o{"miss_o"};
  In<bool> miss_ready_i{"miss_ready_i"};
  In<MemReply> line_i{"line_i"};
  Out<bool> line_ready_o{"line_ready_o"};
  // Flushes so far
  In<std::uint32_t> flush_i{"flush_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t requests = 0, lanes = 0, texels = 0;  // texels: taps of nonzero weight inside the texture
    std::uint64_t hits = 0, misses = 0;                 // of texels in the first level
    std::uint64_t descriptor_reads = 0;
    G80_FIELDS(requests, lanes, texels, hits, misses, descriptor_reads);
  };
  Counters counters() const;
  bool idle() const;

 protected:
  static constexpr unsigned kMaxQueue = 64;  // largest tex.queue
  static constexpr std::uint8_t kHeaderId = 0x80, kSamplerId = 0x81;

  /// A request between the address side and its reply.
  struct Flight {
    TexReply reply;         // filled in lane by lane
    bool constant = false;  // the same four words for all lanes, no texels
    bool linear = false;
    std::array<std::uint32_t, 4> words{};  // of a constant reply
    TextureHeader header;
    std::array<std::uint32_t, 4> border{};
  };
  /// A texel between address side and data side.
  struct Tap {
    std::uint32_t weight = 0;
    std::uint32_t slot = 0;
    std::uint8_t offset = 0;  // byte in the line
    TapKind kind = TapKind::kTexel;
    bool fill = false;    // brings its line in
    bool last = false;    // of its lane
    bool border = false;  // its lane has border taps
    bool second_slice = false;
    std::uint32_t line_address = 0;
  };

  void next() override;
  void drive() override;
  void reset() override;
  void take_request();
  void address_side();
  bool start_addressing();
  bool address_lane();
  void data_side();
  void end_filter();
  bool lane_done(Flight& flight, unsigned lane);
  void send_miss();
  void start_flight(const TexRequest& request);
  Flight& newest() { return flight_[wrap_flight(oldest_flight_ + num_flights_ - 1)]; }
  unsigned wrap_flight(unsigned i) const { return i >= flight_.size() ? i - static_cast<unsigned>(flight_.size()) : i; }
  unsigned lane_cost(const TextureHeader& header, bool linear) const {
    return linear && header.dimensions == 3 ? 2 : 1;
  }

  const unsigned num_sms_, queue_depth_;
  const int address_lanes_, filter_lanes_;
  const std::uint8_t tpc_;
  TextureCache cache_;
  HeaderCache headers_;
  SamplerCache samplers_;
  Fifo<TexRequest, kMaxQueue> queue_{*this, "queue"};
  // Address side: the request at the front of queue_, while addressing_
  bool addressing_ = false;
  TextureSampler sampler_;
  HalfMask lanes_to_address_ = 0;
  LaneTaps taps_;           // of the lane being addressed
  unsigned next_tap_ = 0;   // taps_.count: no lane under way
  int address_credit_ = 0;  // lane slots left this edge; a lane that costs two may borrow from the next
  // Between the sides
  std::vector<Flight> flight_;
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         for (Flight& flight : flight_) {
                           filler.fill(flight.reply);
                           filler.fill(flight.constant);
                           filler.fill(flight.linear);
                           filler.fill(flight.header);
                           filler.fill(flight.words);
                           filler.fill(flight.border);
                         }
                         for (Tap& tap : tap_) {
                           filler.fill(tap.weight);
                           filler.fill(tap.fill);
                           filler.fill(tap.last);
                           filler.fill(tap.border);
                           filler.fill(tap.second_slice);
                           filler.fill(tap.line_address);
                         }
                         headers_.fill_unused(filler);
                         samplers_.fill_unused(filler);
                         filler.fill(sampler_);
                       }};
  unsigned oldest_flight_ = 0, num_flights_ = 0;
  unsigned num_filtered_ = 0;    // the oldest ones, which have their texels: behind the cache
  Stored<DelayLine> addressed_;  // the stages of flights from the address side to the texel cache
  Stored<DelayLine> filtered_;   // and from the filter to the reply
  std::vector<Tap> tap_;
  unsigned oldest_tap_ = 0, num_taps_ = 0;
  // Data side: the oldest flight in front of those
  bool filtering_ = false;
  HalfMask lanes_to_filter_ = 0;
  TexelSum sum_;
  bool lane_paid_ = false;  // the lane under way has taken its filter slots
  int filter_credit_ = 0;
  // Output register, outside Regs because of its size
  OutputRegister<MemRequest> miss_{*this, "miss"};
  Counters counters_;
};

}  // namespace g80
