// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_unit.h"

#include <algorithm>

#include "hw/common/delay_registers.h"
#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {

namespace {
unsigned group_lanes(const Config& config) { return std::min(config.tex.address_lanes, kHalfWarp); }
unsigned padding(const Config& config) {
  return registers_beyond(config.tex.pipeline_latency, least_texture_latency(config));
}
/// A request has a row at least in each stage where it is, one is in the row register, and the last one may not have
/// entered yet.
unsigned most_flights(const Config& config) {
  return AddressPipe::kGroups + TexelPorts::kRows + LatencyQueue::rows(padding(config), config.tex.mshrs) + 2;
}

const TextureSampler kUnboundSampler;
}  // namespace

TextureUnit::TextureUnit(const sc_core::sc_module_name& name, const Config& config, unsigned tpc)
    : Clocked(name),
      sm_i("sm_i", config.gpu.sms_per_tpc),
      sm_o("sm_o", config.gpu.sms_per_tpc),
      num_sms_(config.gpu.sms_per_tpc),
      queue_depth_(config.tex.queue),
      address_lanes_(config.tex.address_lanes),
      filter_lanes_(config.tex.filter_lanes),
      tpc_(static_cast<std::uint8_t>(tpc)),
      addresses_(*this, "addresses", group_lanes(config)),
      ports_(*this, "ports", TextureCache::num_ports(config), group_lanes(config), config.tex.line_bytes),
      cache_(*this, "cache", config),
      rows_(*this, "rows", padding(config), config.tex.mshrs, group_lanes(config)),
      row_(*this, "row", group_lanes(config)),
      filter_(*this, "filter", config.tex.filter_latency, group_lanes(config), filter_lanes_),
      flights_(*this, "flights", most_flights(config)),
      results_(*this, "results", FilterPipe::most_stages(config.tex.filter_latency) + 4) {}

void TextureUnit::reset() {
  bindings_.reset();
  cache_.reset();
  headers_.reset();
  samplers_.reset();
  queue_.clear();
  coordinates_.clear();
  addresses_.reset();
  ports_.reset();
  rows_.clear();
  row_.reset();
  faults_ = TexFaults{};
  filter_.reset();
  flights_.clear();
  results_.clear();
  miss_.reset();
}

TextureUnit::Counters TextureUnit::counters() const {
  Counters all = counters_;
  all.misses = cache_.misses();
  all.hits = counters_.texels - all.misses;  // lines on their way included
  return all;
}

// A request waits for each line and for its header; not for a sampler whose texture a flush has made another one.
bool TextureUnit::idle() const {
  return coordinates_.empty() && flights_.empty() && results_.empty() && samplers_.idle();
}

void TextureUnit::take_request() {
  if (coordinates_.size() >= queue_depth_) return;
  std::uint32_t wanting = 0;
  for (unsigned sm = 0; sm < num_sms_; ++sm) wanting |= static_cast<std::uint32_t>(sm_i[sm]->available()) << sm;
  if (wanting == 0) return;
  const unsigned sm = pick_round_robin(wanting, q_.last_sm);
  const TexRequest& request = sm_i[sm]->front();
  queue_.push({request.op, static_cast<std::uint8_t>(sm), request.half, request.lanes, request.id, request.texture,
               request.sampler, request.offset, request.origin});
  coordinates_.push(request.coord);
  sm_i[sm]->pop();
  d_.last_sm = static_cast<std::uint8_t>(sm);
}

/// The next request. Its bindings are read at the next edge.
void TextureUnit::ask() {
  if (d_.asked.valid || queue_.empty()) return;
  d_.asked = {true, queue_.front()};
  queue_.pop();
}

/// The bindings of the request that has asked become the addresses of its descriptors.
void TextureUnit::bind() {
  if (d_.bound.valid || !q_.asked.valid) return;
  const TexCall& request = q_.asked.call;
  const TableBinding texture = bindings_.texture(request.texture % kMaxTextures);
  const TableBinding sampler = bindings_.sampler(request.sampler % kMaxSamplers);
  const auto address = [](std::uint32_t base, std::uint32_t entry) {
    return (base & ~(kTextureHeaderBytes - 1)) + entry * kTextureHeaderBytes;
  };
  d_.bound.valid = true;
  d_.bound.has_header = bindings_.written && texture.valid && texture.entry <= bindings_.last_header;
  d_.bound.has_sampler =
      bindings_.written && request.op == TexOp::kSample && sampler.valid && sampler.entry <= bindings_.last_sampler;
  d_.bound.header = address(bindings_.header_base, texture.entry);
  d_.bound.sampler = address(bindings_.sampler_base, sampler.entry);
  d_.bound.call = request;
  d_.asked.valid = false;
}

/// Descriptors of the bound request. It goes on when they are there.
void TextureUnit::read_descriptors() {
  if (d_.setup.valid || !d_.bound.valid) return;
  HeaderCache::Result header;
  SamplerCache::Result sampler;
  if (d_.bound.has_header) {
    header = headers_.get(d_.bound.header, d_.bound.call.origin);
    if (header.pending()) return;
  }
  if (header.entry != HeaderCache::kNone && d_.bound.has_sampler) {
    const TextureHeader& texture = headers_.descriptor(header.entry);
    if (texture.valid && !texture.buffer) {
      sampler = samplers_.get(d_.bound.sampler, d_.bound.call.origin);
      if (sampler.pending()) return;
    }
  }
  start_request(header, sampler);
  d_.bound.valid = false;
}

void TextureUnit::start_request(HeaderCache::Result header, SamplerCache::Result sampler) {
  const TexCall& request = d_.bound.call;
  ++counters_.requests;
  counters_.lanes += static_cast<unsigned>(__builtin_popcount(request.lanes));
  TexFlight& flight = flights_.place();
  flight.sm_in_tpc = request.sm_in_tpc;
  flight.half = request.half;
  flight.id = request.id;
  flight.lanes = request.lanes;
  flight.origin = request.origin;
  flight.answer = TexAnswer::kZeros;
  flight.linear = flight.bordered = false;
  flight.header = header.entry;
  flight.sampler = sampler.entry;
  flight.fault = header.fault != MemFault::kNone ? header.fault : sampler.fault;
  flight.fault_address = header.fault != MemFault::kNone ? d_.bound.header : d_.bound.sampler;
  headers_.take(header.entry);
  samplers_.take(sampler.entry);
  d_.setup.valid = true;
  d_.setup.lanes = 0;
  d_.setup.slices = false;
  d_.setup.origin = request.origin;
  if (flight.fault != MemFault::kNone || header.entry == HeaderCache::kNone) return;
  const TextureHeader& texture = headers_.descriptor(header.entry);
  if (!texture.valid) return;
  if (request.op == TexOp::kSize) {
    flight.answer = TexAnswer::kSize;
    return;
  }
  const TextureSampler& bound =
      sampler.entry == SamplerCache::kNone ? kUnboundSampler : samplers_.descriptor(sampler.entry);
  flight.answer = TexAnswer::kTexels;
  flight.linear = is_linear(texture, bound, request.op);
  flight.bordered = request.op == TexOp::kSample && !texture.buffer;  // without a sampler no tap is outside
  d_.setup.lanes = request.lanes;
  d_.setup.header = header.entry;
  d_.setup.axes = texture.dimensions;
  d_.setup.slices = flight.linear && texture.dimensions == 3;
  d_.setup.axis = request_setup(texture, bound, request.op, request.offset);
}

/// The next lanes of the request in setup enter the address pipe.
void TextureUnit::start_group() {
  if (!d_.setup.valid || addresses_.full()) return;
  d_.setup.waited = d_.setup.slices && address_lanes_ == 1 && !d_.setup.waited;
  if (d_.setup.waited) return;
  AddressGroup& group = addresses_.enter();
  group.origin = d_.setup.origin;
  group.header = d_.setup.header;
  group.axes = d_.setup.axes;
  group.axis = d_.setup.axis;
  const unsigned most = std::clamp(d_.setup.slices ? address_lanes_ / 2 : address_lanes_, 1u, kHalfWarp);
  const HalfMask entering = lanes_of_group(d_.setup.lanes, most);
  for (const unsigned lane : set_bits(entering)) addresses_.add_lane(group, lane, coordinates_.front()[lane]);
  d_.setup.lanes = static_cast<HalfMask>(d_.setup.lanes & ~entering);
  group.last = d_.setup.lanes == 0;
  if (!group.last) return;
  d_.setup.valid = false;
  coordinates_.pop();
}

/// Texels of the oldest group get ports of the tags.
void TextureUnit::give_ports() {
  if (!addresses_.arrived()) return;
  const AddressGroup& group = addresses_.front();
  if (ports_.give(group, addresses_.lanes())) addresses_.pop();
}

/// Looks up the lines of the row in front of the tags that have not been, and writes a row of what was found.
void TextureUnit::look_up_tags() {
  if (ports_.empty() || rows_.full()) return;
  const PortLines& lines = ports_.front();
  QueuedGroup& row = rows_.free_group();
  const TextureCache::Lookups found = cache_.look_up(lines, d_.tag_port, row.slot);
  const bool all = found.end == lines.ports;
  if (!all && found.end == d_.tag_port) return;
  row.count = lines.lanes;
  row.end = all && lines.end;
  row.last = lines.last;
  row.first = d_.tag_port;
  row.ports = static_cast<std::uint8_t>(found.end);
  row.fill = found.miss != TextureCache::kNoPort;
  if (row.fill) row.fill_slot = row.slot[found.miss];
  const PortTexels* const texels = ports_.texels();
  std::copy_n(texels, lines.lanes, rows_.free_texels());
  for (unsigned i = 0; i < lines.lanes; ++i) {
    for (const unsigned t : set_bits(texels[i].taps)) counters_.texels += row.reads(texels[i].port[t]);
  }
  rows_.push();
  d_.tag_port = all ? 0 : row.ports;
  if (all) ports_.pop();
}

/// The next request whose texels are read.
void TextureUnit::begin_reading() {
  if (d_.reading.valid || flights_.empty() || results_.full()) return;
  TexReading& reading = d_.reading;
  reading.valid = true;
  reading.flight = flights_.front();
  flights_.pop();
  const TextureHeader& header = headers_.descriptor(reading.flight.header);
  reading.bytes = static_cast<std::uint8_t>(header.layout.bytes());
  reading.axes = header.dimensions;
  reading.slices = reading.flight.linear && header.dimensions == 3;
  const unsigned taps = reading.flight.linear ? 1u << header.dimensions : 1;
  reading.share_bits = static_cast<std::uint8_t>(share_bits_of(taps * reading.bytes, reading.slices));
  results_.place();
}

/// Reads the texels of the row.
void TextureUnit::read_row() {
  const QueuedGroup& row = row_.group;
  for (unsigned port = row.first; port < row.ports; ++port) {
    const MemFault fault = cache_.fault(row.slot[port]);
    if (fault == MemFault::kNone) continue;
    faults_.ports = static_cast<std::uint16_t>(faults_.ports | 1u << port);
    faults_.fault[port] = fault;
    faults_.address[port] = *cache_.line(row.slot[port]);
  }
  const unsigned bytes = d_.reading.bytes;
  for (unsigned i = 0; i < row.count; ++i) {
    const PortTexels& entry = row_.texels[i];
    ReadLane& lane = filter_.texels(i);
    lane.lane = entry.lane;
    lane.present = entry.present;
    lane.outside = entry.outside;
    lane.fraction = entry.fraction;
    unsigned taps = 0;
    for (const unsigned t : set_bits(entry.taps)) {
      if (!row.reads(entry.port[t])) continue;
      lane.read(t, cache_.line(row.slot[entry.port[t]]), entry.offset[t] & (cache_.line_bytes() - bytes), bytes);
      taps |= 1u << t;
    }
    filter_.note_read(i, taps, row.end);
  }
}

/// The next shares of the group enter the filter, one for each of its lanes or what is left, once their texels have
/// been read. Returns whether they were the last ones.
bool TextureUnit::enter_shares(const QueuedGroup& row) {
  const TexReading& reading = d_.reading;
  const unsigned first = d_.filter_shares, left = (row.count << reading.share_bits) - first;
  const unsigned count = std::min(left, filter_lanes_);
  const bool there = row.end || (left > count && filter_.was_read(first, count, reading.axes, reading.share_bits));
  if (!there || (!reading.slices && d_.filter_hold != 0)) return false;
  FilterBeat& beat = filter_.enter();
  beat.first = static_cast<std::uint8_t>(first);
  beat.count = static_cast<std::uint8_t>(count);
  beat.share_bits = reading.share_bits;
  beat.header = reading.flight.header;
  beat.sampler = reading.flight.sampler;
  beat.linear = reading.flight.linear;
  beat.bordered = reading.flight.bordered;
  beat.slices = reading.slices;
  beat.last = row.last && count == left;
  beat.answer = reading.flight.answer;
  if (reading.slices) d_.filter_hold = kSecondSliceStages + 1;
  d_.filter_shares = static_cast<std::uint8_t>(count == left ? 0 : first + count);
  return count == left;
}

/// The first fault of the row that was read is the request's, if none was before it. Behind its last row its reply gets
/// what it has beside texels; the next one may have its place already.
void TextureUnit::end_reading() {
  if (faults_.ports != 0 && faults_.found == MemFault::kNone) {
    const auto port = static_cast<unsigned>(__builtin_ctz(faults_.ports)) % kMaxTexturePorts;
    faults_.found = faults_.fault[port];
    faults_.found_address = faults_.address[port];
  }
  faults_.ports = 0;
  if (!faults_.ended) return;
  const TexFlight& flight = faults_.flight;
  const bool of_texels = faults_.found != MemFault::kNone;
  TexReply& reply = results_.at(results_.size() - (d_.reading.valid ? 2 : 1));
  reply.valid = true;
  reply.fault = of_texels ? faults_.found : flight.fault;
  reply.sm_in_tpc = flight.sm_in_tpc;
  reply.half = flight.half;
  reply.lanes = flight.lanes;
  reply.id = flight.id;
  reply.origin = flight.origin;
  reply.fault_address = of_texels ? faults_.found_address : flight.fault_address;
  faults_.found = MemFault::kNone;
  faults_.ended = false;
}

/// The row in the register is read. It leaves then; the last row of a group with the last share.
void TextureUnit::read_texels() {
  if (d_.filter_hold != 0) --d_.filter_hold;
  if (!d_.reading.valid || !row_.valid) return;
  if (!row_.read) read_row();
  const bool done = enter_shares(row_.group);
  row_.read = row_.valid = row_.group.end && !done;
  if (!done || !row_.group.last) return;
  faults_.ended = true;
  faults_.flight = d_.reading.flight;
  d_.reading.valid = false;
}

/// A line or descriptor arrives.
void TextureUnit::take_line() {
  const MemReply& line = line_i.read();
  if (line.valid) {
    if (line.id == kHeaderId) {
      headers_.arrive(line);
    } else if (line.id == kSamplerId) {
      samplers_.arrive(line);
    } else {
      cache_.arrive(line);
    }
  }
}

/// The row at the front of the queue goes into the register, and the line that it brings in, one that has just arrived
/// or one that waits, into its slot.
void TextureUnit::next_row() {
  if (row_.valid || !rows_.arrived()) return;
  const QueuedGroup& row = rows_.front();
  if (row.fill) {
    if (!cache_.can_fill()) return;
    cache_.fill(row.fill_slot);
  }
  rows_.pop(row_);
}

/// The results of the oldest beat go into the reply of its request.
void TextureUnit::end_filter() {
  if (!filter_.arrived()) return;
  const FilterBeat& beat = filter_.front();
  TexReply& reply = results_.at(d_.replies_ready);
  const TextureHeader& header = headers_.descriptor(beat.header);
  beat.each_lane(filter_.shares(), [&](const FilterShare& lane) {
    reply.texel[lane.lane % kHalfWarp] = select_sources(header, lane.sum);
  });
  if (beat.answer == TexAnswer::kSize) reply.texel.fill({header.size[0], header.size[1], header.size[2], 1});
  if (beat.answer == TexAnswer::kZeros) reply.texel.fill({});
  if (beat.last) {
    headers_.release(beat.header);
    samplers_.release(beat.sampler);
    ++d_.replies_ready;
  }
  filter_.pop();
}

void TextureUnit::send_reply() {
  if (d_.replies_ready == 0) return;
  const TexReply& reply = results_.front();
  if (!sm_o[reply.sm_in_tpc]->can_push()) return;
  sm_o[reply.sm_in_tpc]->push(reply);
  results_.pop();
  --d_.replies_ready;
}

/// Moves the next read into the free output register. Descriptors go first, because the address side waits for them.
void TextureUnit::send_miss() {
  if (!headers_.has_read() && !samplers_.has_read() && !cache_.has_read()) return;
  MemRequest& miss = miss_.edit();
  miss = {};
  miss.valid = true;
  miss.client = MemClient::kTexture;
  miss.port = tpc_;
  if (headers_.has_read() || samplers_.has_read()) {
    const bool header = headers_.has_read();
    miss.id = header ? kHeaderId : kSamplerId;
    miss.virtual_address = header ? headers_.take_read() : samplers_.take_read();
    miss.origin = header ? headers_.origin() : samplers_.origin();
    ++counters_.descriptor_reads;
  } else {
    const TextureCache::Read read = cache_.take_read();
    miss.id = read.row;
    miss.bytes = static_cast<std::uint8_t>(cache_.line_bytes());
    miss.virtual_address = read.address;
    miss.origin = read.origin;
  }
}

/// Nothing changes before an input does, or before the edge at which it asks to be woken.
bool TextureUnit::may_sleep() {
  for (unsigned sm = 0; sm < num_sms_; ++sm) {
    if (sm_i[sm]->available()) return false;
  }
  if (miss_->valid || line_i.read().valid) return false;  // a read that has not left waits for the register
  const bool descriptor_comes = headers_.sent() || samplers_.sent();
  if (d_.setup.valid || !addresses_.empty() || !ports_.empty() ||
      (d_.bound.valid ? !descriptor_comes : !coordinates_.empty()))
    return false;
  if (row_.valid || !filter_.empty() || d_.replies_ready != 0) return false;
  if (rows_.arrived() && (!rows_.front().fill || cache_.can_fill())) return false;
  if (rows_.moving()) wake_at(rows_.next_arrival(edge()));
  return true;
}

void TextureUnit::next() {
  rows_.step_to(edge());
  const LaunchBeat& beat = tables_i.read();
  if (beat.valid) bindings_.store(beat.row, beat.data);
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    cache_.flush();
    headers_.flush();
    samplers_.flush();
  }
  miss_.hand_over(miss_ready_i.read());
  send_reply();
  filter_.step(headers_, samplers_);
  end_filter();
  end_reading();
  read_texels();
  begin_reading();
  take_line();
  next_row();
  const bool ports_free = !ports_.full();
  look_up_tags();
  if (ports_free) give_ports();
  addresses_.step(headers_);
  start_group();
  read_descriptors();
  bind();
  take_request();
  ask();
  if (!miss_->valid) send_miss();

  d_.waiting = static_cast<std::uint8_t>(coordinates_.size());
  d_.in_flight = static_cast<std::uint16_t>(flights_.size());
  d_.reply_valid = !filter_.empty() || d_.replies_ready != 0;
  if (may_sleep()) sleep();
}

void TextureUnit::drive() {
  idle_o.write(idle());
  line_ready_o.write(true);
  miss_.drive(miss_o);
}

}  // namespace g80
