// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_unit.h"

#include <algorithm>

#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {

namespace {
unsigned group_lanes(const Config& config) { return std::min(config.tex.address_lanes, kHalfWarp); }
unsigned padding(const Config& config) { return config.tex.pipeline_latency - least_texture_latency(config); }
/// A request has a row at least in each stage where it is.
unsigned most_flights(const Config& config) {
  return padding(config) + config.tex.mshrs + FilterPipe::most_stages(config.tex.filter_latency) +
         2 * AddressPipe::kStages;
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
      cache_(*this, "cache", config),
      rows_(*this, "rows", padding(config), config.tex.mshrs, group_lanes(config)),
      filter_(*this, "filter", config.tex.filter_latency, group_lanes(config)),
      flights_(*this, "flights", most_flights(config)),
      results_(*this, "results", FilterPipe::most_stages(config.tex.filter_latency) + 4) {}

void TextureUnit::reset() {
  bindings_.reset();
  cache_.reset();
  headers_.reset();
  samplers_.reset();
  queue_.clear();
  addresses_.reset();
  rows_.clear();
  filter_.reset();
  flights_.clear();
  results_.clear();
  miss_.reset();
}

TextureUnit::Counters TextureUnit::counters() const {
  Counters all = counters_;
  all.hits = cache_.counters().hits;
  all.misses = cache_.counters().misses;
  return all;
}

// A request waits for each line and for its header; not for a sampler whose texture a flush has made another one.
bool TextureUnit::idle() const { return queue_.empty() && flights_.empty() && results_.empty() && samplers_.idle(); }

void TextureUnit::take_request() {
  if (queue_.size() >= queue_depth_) return;
  std::uint32_t wanting = 0;
  for (unsigned sm = 0; sm < num_sms_; ++sm) wanting |= static_cast<std::uint32_t>(sm_i[sm]->available()) << sm;
  if (wanting == 0) return;
  const unsigned sm = pick_round_robin(wanting, q_.last_sm);
  queue_.push(sm_i[sm]->front());
  queue_.at(queue_.size() - 1).sm_in_tpc = static_cast<std::uint8_t>(sm);
  sm_i[sm]->pop();
  d_.last_sm = static_cast<std::uint8_t>(sm);
}

/// What the next request names. Its rows are read at the next edge.
void TextureUnit::ask() {
  const unsigned next = unsigned{d_.setup.valid} + unsigned{d_.bound.valid};
  if (d_.asked.valid || queue_.size() <= next) return;
  const TexRequest& request = queue_.at(next);
  d_.asked.valid = true;
  d_.asked.samples = request.op == TexOp::kSample;
  d_.asked.texture = static_cast<std::uint8_t>(request.texture % kMaxTextures);
  d_.asked.sampler = static_cast<std::uint8_t>(request.sampler % kMaxSamplers);
}

/// The bindings of the request that has asked become the addresses of its descriptors.
void TextureUnit::bind() {
  if (d_.bound.valid || !q_.asked.valid) return;
  const TableBinding texture = bindings_.texture(q_.asked.texture), sampler = bindings_.sampler(q_.asked.sampler);
  const auto address = [](std::uint32_t base, std::uint32_t entry) {
    return (base & ~(kTextureHeaderBytes - 1)) + entry * kTextureHeaderBytes;
  };
  d_.bound.valid = true;
  d_.bound.has_header = bindings_.written && texture.valid && texture.entry <= bindings_.last_header;
  d_.bound.has_sampler =
      bindings_.written && q_.asked.samples && sampler.valid && sampler.entry <= bindings_.last_sampler;
  d_.bound.header = address(bindings_.header_base, texture.entry);
  d_.bound.sampler = address(bindings_.sampler_base, sampler.entry);
  d_.asked.valid = false;
}

/// Descriptors of the bound request. It goes on when they are there.
void TextureUnit::read_descriptors() {
  if (d_.setup.valid || !d_.bound.valid || flights_.full()) return;
  const TexRequest& request = queue_.front();
  HeaderCache::Result header;
  SamplerCache::Result sampler;
  if (d_.bound.has_header) {
    header = headers_.get(d_.bound.header, request.origin);
    if (header.pending()) return;
  }
  if (header.entry != HeaderCache::kNone && d_.bound.has_sampler) {
    const TextureHeader& texture = headers_.descriptor(header.entry);
    if (texture.valid && !texture.buffer) {
      sampler = samplers_.get(d_.bound.sampler, request.origin);
      if (sampler.pending()) return;
    }
  }
  start_request(request, header, sampler);
  d_.bound.valid = false;
}

void TextureUnit::start_request(const TexRequest& request, HeaderCache::Result header, SamplerCache::Result sampler) {
  ++counters_.requests;
  counters_.lanes += static_cast<unsigned>(__builtin_popcount(request.lanes));
  ++d_.to_tag;
  ++d_.to_read;
  Flight& flight = flights_.place();
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
  d_.setup.cost = 1;
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
  d_.setup.cost = flight.linear && texture.dimensions == 3 ? 2 : 1;
  d_.setup.axis = request_setup(texture, bound, request.op, request.offset);
}

/// The next lanes of the request at the front of queue_ enter the address pipe.
void TextureUnit::start_group() {
  if (!d_.setup.valid || addresses_.full()) return;
  d_.setup.waited = d_.setup.cost > address_lanes_ && !d_.setup.waited;
  if (d_.setup.waited) return;
  const TexRequest& request = queue_.front();
  AddressGroup& group = addresses_.enter();
  group.header = d_.setup.header;
  group.axes = d_.setup.axes;
  group.axis = d_.setup.axis;
  const unsigned most = std::clamp(d_.setup.cost > 1 ? address_lanes_ / 2 : address_lanes_, 1u, kHalfWarp);
  while (d_.setup.lanes != 0 && group.count < most) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(d_.setup.lanes));
    d_.setup.lanes = static_cast<HalfMask>(d_.setup.lanes & (d_.setup.lanes - 1));
    addresses_.add_lane(group, lane, request.coord[lane]);
  }
  group.last = d_.setup.lanes == 0;
  if (!group.last) return;
  d_.setup.valid = false;
  queue_.pop();
}

/// Looks up the taps of a lane that have not been. False if the cache does not serve one at this edge.
bool TextureUnit::look_up_lane(const LaneTexels& texels, QueuedGroup& row, QueuedTexels& entry) {
  for (const unsigned t : set_bits(texels.present & ~texels.outside & ~unsigned{d_.tag_taps})) {
    const TextureCache::Lookup lookup = cache_.look_up(texels.address[t], tag_flight().origin);
    if (!lookup.served) return false;
    const auto tap = static_cast<std::uint8_t>(1u << t);
    d_.tag_taps = static_cast<std::uint8_t>(d_.tag_taps | tap);
    entry.taps = static_cast<std::uint8_t>(entry.taps | tap);
    entry.slot[t] = lookup.slot;
    entry.offset[t] = static_cast<std::uint8_t>(texels.address[t] & (cache_.line_bytes() - 1));
    if (lookup.miss) {
      row.fill = true;
      row.fill_slot = lookup.slot;
    }
    ++counters_.texels;
  }
  d_.tag_taps = 0;
  return true;
}

/// Looks up the next texels of the oldest group, in the order of its lanes and their taps, as far as the ports reach,
/// and writes a row of what was found.
void TextureUnit::look_up_tags() {
  if (!addresses_.arrived() || rows_.full()) return;
  cache_.begin_edge();
  const AddressGroup& group = addresses_.front();
  const std::uint64_t before = counters_.texels;
  QueuedGroup& row = rows_.free_group();
  row.fill = false;
  row.count = group.count;
  const AddressLane* const lanes = addresses_.lanes();
  QueuedTexels* const entries = rows_.free_texels();
  for (unsigned lane = 0; lane < group.count; ++lane) entries[lane].taps = 0;
  while (d_.tag_lane < group.count && look_up_lane(lanes[d_.tag_lane].texels, row, entries[d_.tag_lane])) {
    ++d_.tag_lane;
  }
  row.end = d_.tag_lane >= group.count;
  row.last = group.last;
  if (!row.end) {
    if (counters_.texels != before) rows_.push();
    return;
  }
  for (unsigned lane = 0; lane < group.count; ++lane) {
    const LaneTexels& texels = lanes[lane].texels;
    QueuedTexels& entry = entries[lane];
    entry.lane = texels.lane;
    entry.present = texels.present;
    entry.outside = texels.outside;
    entry.fraction = texels.fraction;
  }
  rows_.push();
  addresses_.pop();
  d_.tag_lane = 0;
  if (row.last) --d_.to_tag;
}

bool TextureUnit::filters_slices(const Flight& flight) const {
  return flight.linear && headers_.descriptor(flight.header).dimensions == 3;
}

unsigned TextureUnit::filter_shares(unsigned lanes) {
  const Flight& flight = read_flight();
  constexpr unsigned kBytes = 16;  // of texels that a filter lane takes at an edge
  const TextureHeader& header = headers_.descriptor(flight.header);
  const unsigned bytes = (flight.linear ? 1u << header.dimensions : 1) * header.layout.bytes();
  unsigned shares = lanes * ((bytes + kBytes - 1) / kBytes);
  if (filters_slices(flight)) shares = std::max(shares, 2 * lanes);
  return shares;
}

/// Reads the texels of a row. The last row of a group sends it into the filter.
void TextureUnit::read_row(const QueuedGroup& row) {
  Flight& flight = read_flight();
  if (!filter_.reading()) {
    FilterGroup& group = filter_.begin();
    group.count = row.count;
    group.header = flight.header;
    group.sampler = flight.sampler;
    group.linear = flight.linear;
    group.bordered = flight.bordered;
    group.slices = filters_slices(flight);
  }
  const QueuedTexels* const entries = rows_.texels();
  FilterLane* const lanes = filter_.read_lanes();
  const unsigned bytes = headers_.descriptor(flight.header).layout.bytes();
  for (unsigned i = 0; i < row.count; ++i) {
    const QueuedTexels& entry = entries[i];
    FilterLane& lane = lanes[i];
    for (const unsigned t : set_bits(entry.taps)) {
      const unsigned slot = entry.slot[t];
      lane.read(t, cache_.line(slot), entry.offset[t] & (cache_.line_bytes() - bytes), bytes);
      const TextureCache::LineFault& line = cache_.fault(slot);
      if (flight.fault == MemFault::kNone) {
        flight.fault = line.fault;
        flight.fault_address = line.address;
      }
    }
    if (!row.end) continue;
    lane.lane = entry.lane;
    lane.present = entry.present;
    lane.outside = entry.outside;
    lane.fraction = entry.fraction;
  }
  if (!row.end) return;
  filter_.end().last = row.last;
  if (row.last) --d_.to_read;
}

/// The row at the front of the queue is read. A group goes into the
/// filter when its last row has been read, at the end of the edges in which the filter lanes take it, and while there
/// is room for the results of its request.
void TextureUnit::read_texels() {
  if (d_.filter_hold != 0) --d_.filter_hold;
  if (rows_.arrived() && (!rows_.front().fill || d_.filled) &&
      flights_.size() - d_.to_read + results_.size() < results_.capacity()) {
    const QueuedGroup& row = rows_.front();
    if (!d_.filtering) d_.filter_shares = static_cast<std::uint8_t>(filter_shares(row.count));
    d_.filtering = true;
    d_.filter_shares = static_cast<std::uint8_t>(std::max<unsigned>(d_.filter_shares, filter_lanes_) - filter_lanes_);
    const bool slices = filters_slices(read_flight());
    if (!row.end || (d_.filter_shares == 0 && (slices || d_.filter_hold == 0))) {
      read_row(row);
      if (row.end && slices) d_.filter_hold = kSecondSliceStages + 1;
      d_.filtering = !row.end;
      d_.filled = false;
      rows_.pop();
    }
  }
}

/// A line or descriptor arrives; and the line of the front row, this one or one that waits, goes into its slot.
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
  if (rows_.empty() || !rows_.front().fill || d_.filled || !cache_.can_fill()) return;
  cache_.fill(rows_.front().fill_slot);
  d_.filled = true;
}

/// The results of the oldest group go into the reply of its request.
void TextureUnit::end_filter() {
  if (!filter_.arrived()) return;
  const FilterGroup& group = filter_.front();
  const Flight& flight = flights_.front();
  if (results_.size() == d_.replies_ready) {  // the first group of its request
    TexReply& reply = results_.place();
    reply = TexReply{};
    reply.valid = true;
    reply.sm_in_tpc = flight.sm_in_tpc;
    reply.half = flight.half;
    reply.lanes = flight.lanes;
    reply.id = flight.id;
    reply.origin = flight.origin;
  }
  TexReply& reply = results_.back();
  const TextureHeader& header = headers_.descriptor(flight.header);
  const FilterLane* const lanes = filter_.lanes();
  for (unsigned i = 0; i < group.count; ++i) {
    const FilterLane& lane = lanes[i];
    reply.texel[lane.lane % kHalfWarp] = select_sources(header, lane.sum);
  }
  if (group.last) {
    if (flight.answer == TexAnswer::kSize) {
      for (const unsigned lane : set_bits(flight.lanes)) {
        reply.texel[lane] = {header.size[0], header.size[1], header.size[2], 1};
      }
    }
    reply.fault = flight.fault;
    reply.fault_address = flight.fault_address;
    headers_.release(flight.header);
    samplers_.release(flight.sampler);
    flights_.pop();
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
  if (d_.setup.valid || !addresses_.empty() || (d_.bound.valid ? !descriptor_comes : !queue_.empty())) return false;
  if (!filter_.still() || !results_.empty()) return false;
  if (rows_.empty()) return true;
  const bool line_comes = rows_.front().fill && !d_.filled;
  if (line_comes ? cache_.can_fill() : rows_.arrived()) return false;
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
  read_texels();
  take_line();
  look_up_tags();
  addresses_.step(headers_);
  start_group();
  read_descriptors();
  bind();
  take_request();
  ask();
  if (!miss_->valid) send_miss();

  d_.waiting = static_cast<std::uint8_t>(queue_.size());
  d_.in_flight = static_cast<std::uint16_t>(flights_.size());
  d_.reply_valid = !filter_.empty() || !results_.empty();
  if (may_sleep()) sleep();
}

void TextureUnit::drive() {
  idle_o.write(idle());
  line_ready_o.write(true);
  miss_.drive(miss_o);
}

}  // namespace g80
