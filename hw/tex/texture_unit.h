// SPDX-License-Identifier: Apache-2.0
// Texture unit of a TPC: computes filtered texels from coordinates (docs/texture.md defines the result).
//
// An in-order pipeline on the core clock. Between its stages are registers and memories; what travels is an index:
//   queue -> asked -> bound -> setup -> address_pipe (7 stages) -> ports -> tags -> latency_queue -> row ->
//   data -> filter_pipe -> results
// docs/machine/texture_unit.md has the picture and says what happens at an edge.
//
// Rates: a group of tex.address_lanes lanes enters the address pipe at an edge; a lane of a 3D linear sample counts as
// two (a bilinear unit reads 2 x 2 texels of one slice). Groups whose texels lie in more lines than the texture cache
// has ports, or with several missing lines, take an edge of the tags for each. A filter lane takes 16 bytes of texels
// at an edge: four texels of 4 bytes; tex.filter_lanes such shares enter the filter at an edge.
// Latency: a half-warp of all lanes popped at edge k into an idle unit, descriptors and lines present, is pushed back
// at edge k + tex.pipeline_latency; one that takes fewer or more edges, earlier or later by these. Hits do not overtake
// misses, but lookups continue during an outstanding miss, up to tex.mshrs lines.
// A new count on flush_i empties texel cache and descriptors. Requests inside continue with their earlier lookups.
//
// Sleeps without requests, while the oldest row waits for its line and the stages in front are empty or wait for a
// descriptor, and during the padding: each line comes by line_i, and the padding's end is a registered edge.
#pragma once
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/tex/address_pipe.h"
#include "hw/tex/descriptor_cache.h"
#include "hw/tex/filter_pipe.h"
#include "hw/tex/latency_queue.h"
#include "hw/tex/texture_cache.h"

namespace g80 {

/// A request but for its coordinates.
struct TexCall {
  TexOp op = TexOp::kSample;
  std::uint8_t sm_in_tpc = 0, half = 0;
  HalfMask lanes = 0;
  std::uint8_t id = 0, texture = 0, sampler = 0;
  std::array<std::int8_t, 3> offset{};
  Origin origin;
  G80_FIELDS((op, 2), (sm_in_tpc, 2), (half, 1), lanes, id, (texture, 7), (sampler, 5), (offset, 4), origin);
};
/// The request whose bindings are read: the address register of their memory.
struct TexAsked {
  bool valid = false;
  TexCall call;
  G80_FIELDS(valid, call);
};
/// The request in front of the descriptors, and their addresses.
struct TexBound {
  bool valid = false;
  bool has_header = false, has_sampler = false;
  std::uint32_t header = 0, sampler = 0;
  TexCall call;
  G80_FIELDS(valid, has_header, has_sampler, header, sampler, call);
};
/// The request whose lanes enter the address pipe.
struct TexSetup {
  bool valid = false;
  HalfMask lanes = 0;       // that have not entered yet
  std::uint8_t header = 0;  // entry of the header cache
  std::uint8_t axes = 0;    // 0: no texels
  bool slices = false;      // a lane takes two address lanes
  bool waited = false;      // the only address lane has made the addresses of the first slice
  Origin origin;
  std::array<AxisSetup, 3> axis;
  G80_FIELDS(valid, lanes, (header, 5), (axes, 2), slices, waited, origin, axis);
};
/// A request between its descriptors and its reply.
struct TexFlight {
  std::uint8_t sm_in_tpc = 0, half = 0, id = 0;
  HalfMask lanes = 0;
  TexAnswer answer = TexAnswer::kZeros;
  bool linear = false;
  bool bordered = false;                 // taps outside take the border colour
  std::uint8_t header = 0, sampler = 0;  // entries of the caches
  MemFault fault = MemFault::kNone;      // of a descriptor
  std::uint32_t fault_address = 0;
  Origin origin;
  G80_FIELDS((sm_in_tpc, 2), (half, 1), id, lanes, (answer, 2), linear, bordered, (header, 5), (sampler, 5), (fault, 2),
             fault_address, origin);
};
/// The request whose texels are read.
struct TexReading {
  bool valid = false;
  std::uint8_t bytes = 0;  // of a texel
  std::uint8_t axes = 0;
  std::uint8_t share_bits = 0;  // log2 of the shares of 16 bytes that a lane has, for the filter lanes
  bool slices = false;          // it is filtered between slices of a 3D texture
  TexFlight flight;
  G80_FIELDS(valid, (bytes, 5), (axes, 2), (share_bits, 2), slices, flight);
};

/// Behind the data: faults that came with them, and the request whose last texels they were.
struct TexFaults {
  std::uint16_t ports = 0;  // bit p: of the row that was read, the line of port p could not be
  std::array<MemFault, kMaxTexturePorts> fault{};
  std::array<std::uint32_t, kMaxTexturePorts> address{};
  MemFault found = MemFault::kNone;  // the first one in earlier rows of the request
  std::uint32_t found_address = 0;
  bool ended = false;  // `flight` has been read
  TexFlight flight;
  G80_FIELDS(ports, (fault, 2), address, (found, 2), found_address, ended, flight);
};

struct TextureUnitRegs {
  std::uint8_t last_sm = 0;
  std::uint32_t flush = 0;
  std::uint8_t waiting = 0;     // requests in front of the descriptors
  std::uint16_t in_flight = 0;  // requests between the descriptors and the read of their texels
  bool reply_valid = false;     // one is behind the texel cache
  TexAsked asked;
  TexBound bound;
  TexSetup setup;
  std::uint8_t tag_port = 0;  // that the tags look up next, of the row in front of them
  // Where the data side is
  TexReading reading;
  std::uint8_t filter_shares = 0;   // of its group that are in the filter
  std::uint8_t filter_hold = 0;     // edges before which only 3D samples may follow one
  std::uint16_t replies_ready = 0;  // complete results
  G80_FIELDS((last_sm, 2), flush, waiting, in_flight, reply_valid, asked, bound, setup, (tag_port, 5), reading,
             (filter_shares, 7), (filter_hold, 4), replies_ready);
};

class TextureUnit : public Clocked<TextureUnitRegs> {
 public:
  TextureUnit(const sc_core::sc_module_name& name, const Config& config, unsigned tpc);

  // From and to each SM
  Ports<CrossingIn<TexRequest>> sm_i;
  Ports<CrossingOut<TexReply>> sm_o;
  // From the launch registers: rows of the tables, between two grids
  In<LaunchBeat> tables_i{"tables_i"};
  // Reads of lines and descriptors (virtual addresses) to the TPC's arbiter, and what comes back; always taken
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

  void next() override;
  void drive() override;
  void reset() override;
  // The stages, the last one first
  void send_reply();
  void end_filter();
  void end_reading();
  void read_texels();
  void begin_reading();
  void take_line();
  void next_row();
  void read_row();
  bool enter_shares(const QueuedGroup& row);
  void look_up_tags();
  void give_ports();
  void start_group();
  void read_descriptors();
  void bind();
  void ask();
  void take_request();
  void send_miss();
  void start_request(HeaderCache::Result header, SamplerCache::Result sampler);
  bool may_sleep();

  const unsigned num_sms_, queue_depth_, address_lanes_, filter_lanes_;
  const std::uint8_t tpc_;
  Fifo<TexCall, kMaxQueue> queue_{*this, "queue"};
  using Coordinates = std::array<std::array<std::uint32_t, 4>, kHalfWarp>;
  // Of the same requests, and of those in asked, bound and setup, whose lanes are entering
  Fifo<Coordinates, kMaxQueue> coordinates_{*this, "coordinates"};
  Stored<TextureBindings> bindings_{*this, "bindings"};
  Stored<HeaderCache> headers_{*this, "headers"};
  Stored<SamplerCache> samplers_{*this, "samplers"};
  Stored<AddressPipe> addresses_;
  Stored<TexelPorts> ports_;
  Stored<TextureCache> cache_;
  Stored<LatencyQueue> rows_;
  Stored<RowRegister> row_;
  Stored<TexFaults> faults_{*this, "faults"};
  Stored<FilterPipe> filter_;
  Queue<TexFlight> flights_;
  Queue<TexReply> results_;  // of requests whose texels are or were read; the reply is put together here
  // Output register, outside Regs because of its size
  OutputRegister<MemRequest> miss_{*this, "miss"};
  Counters counters_;
};

}  // namespace g80
