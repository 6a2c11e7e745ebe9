// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_unit.h"

#include <algorithm>

#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {

namespace {
/// Number of flights: the requests that the pipeline holds at full rate, and `queue` more to hide memory latency.
unsigned flights(const Config& config) {
  return (config.tex.pipeline_latency * config.tex.address_lanes + kHalfWarp - 1) / kHalfWarp + config.tex.queue + 1;
}

/// Stages in front of the texel cache: tex.pipeline_latency less the edges in which the filter takes the lanes of a
/// half-warp, less those behind it.
unsigned front_stages(const Config& config) {
  const unsigned behind =
      config.tex.filter_latency + (kHalfWarp + config.tex.filter_lanes - 1) / config.tex.filter_lanes;
  return config.tex.pipeline_latency > behind ? config.tex.pipeline_latency - behind : 0;
}
}  // namespace

TextureUnit::TextureUnit(const sc_core::sc_module_name& name, const Config& config, unsigned tpc)
    : Clocked(name),
      sm_i("sm_i", config.gpu.sms_per_tpc),
      sm_o("sm_o", config.gpu.sms_per_tpc),
      num_sms_(config.gpu.sms_per_tpc),
      queue_depth_(config.tex.queue),
      address_lanes_(static_cast<int>(config.tex.address_lanes)),
      filter_lanes_(static_cast<int>(config.tex.filter_lanes)),
      tpc_(static_cast<std::uint8_t>(tpc)),
      cache_(*this, config),
      flight_(flights(config)),
      addressed_(*this, "addressed", front_stages(config)),
      filtered_(*this, "filtered", config.tex.filter_latency + 1),
      tap_(flight_.size() * kHalfWarp * kMaxTaps) {}

void TextureUnit::reset() {
  cache_.reset();
  headers_.reset();
  samplers_.reset();
  queue_.clear();
  addressing_ = filtering_ = lane_paid_ = false;
  next_tap_ = taps_.count = 0;
  address_credit_ = filter_credit_ = 0;
  oldest_flight_ = num_flights_ = num_filtered_ = oldest_tap_ = num_taps_ = 0;
  addressed_.clear();
  filtered_.clear();
  miss_.reset();
  sum_ = TexelSum{};
}

TextureUnit::Counters TextureUnit::counters() const {
  Counters all = counters_;
  all.hits = cache_.counters().hits;
  all.misses = cache_.counters().misses;
  return all;
}

bool TextureUnit::idle() const {
  return queue_.empty() && num_flights_ == 0 && !miss_->valid && cache_.nothing_on_its_way() && headers_.idle() &&
         samplers_.idle();
}

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

/// Opens a flight for a request, with an empty reply.
void TextureUnit::start_flight(const TexRequest& request) {
  ++num_flights_;
  Flight& flight = newest();
  flight.reply = TexReply{};
  flight.reply.valid = true;
  flight.reply.sm_in_tpc = request.sm_in_tpc;
  flight.reply.half = request.half;
  flight.reply.lanes = request.lanes;
  flight.reply.id = request.id;
  flight.reply.origin = request.origin;
  flight.constant = true;
  flight.linear = false;
  flight.words = {};
  addressed_.enter();
  ++counters_.requests;
  counters_.lanes += static_cast<unsigned>(__builtin_popcount(request.lanes));
}

/// Reads the descriptors of the oldest request and opens a flight for it. False while a descriptor is missing.
bool TextureUnit::start_addressing() {
  const TexRequest& request = queue_.front();
  const TextureBindings& bindings = bindings_i.read();
  const TableBinding& texture = bindings.texture[request.texture % kMaxTextures];
  const TextureHeader* header = nullptr;
  std::uint32_t fault_address = 0;
  MemFault fault = MemFault::kNone;
  if (texture.valid && texture.entry <= bindings.last_header) {
    fault_address = (bindings.header_base & ~(kTextureHeaderBytes - 1)) + texture.entry * kTextureHeaderBytes;
    const HeaderCache::Result result = headers_.get(fault_address, request.origin);
    header = result.descriptor;
    fault = result.fault;
    if (header == nullptr && fault == MemFault::kNone) return false;
  }
  const bool reads_texels = header != nullptr && header->valid && request.op != TexOp::kSize;
  sampler_ = TextureSampler{};
  const TableBinding& bound = bindings.sampler[request.sampler % kMaxSamplers];
  if (reads_texels && request.op == TexOp::kSample && !header->buffer && bound.valid &&
      bound.entry <= bindings.last_sampler) {
    fault_address = (bindings.sampler_base & ~(kTextureHeaderBytes - 1)) + bound.entry * kTextureHeaderBytes;
    const SamplerCache::Result result = samplers_.get(fault_address, request.origin);
    fault = result.fault;
    if (result.descriptor == nullptr && fault == MemFault::kNone) return false;
    if (result.descriptor != nullptr) sampler_ = *result.descriptor;
  }
  start_flight(request);
  Flight& flight = newest();
  if (fault != MemFault::kNone) {
    flight.reply.fault = fault;
    flight.reply.fault_address = fault_address;
  } else if (reads_texels) {
    flight.constant = false;
    flight.header = *header;
    flight.linear = is_linear(*header, sampler_, request.op);
    flight.border = sampler_.border;
  } else if (header != nullptr && header->valid) {
    flight.words = {header->size[0], header->size[1], header->size[2], 1};
  }
  return true;
}

/// Looks up the remaining texels of the current lane. False if the cache has no port or no room for a miss.
bool TextureUnit::address_lane() {
  bool border = false;
  for (unsigned t = 0; t < taps_.count; ++t) border |= taps_.tap[t].kind == TapKind::kBorder;
  for (; next_tap_ < taps_.count; ++next_tap_) {
    const TexelTap& from = taps_.tap[next_tap_];
    Tap tap;
    tap.weight = from.weight;
    tap.kind = from.kind;
    tap.border = border;
    tap.second_slice = from.second_slice;
    tap.last = next_tap_ + 1 == taps_.count;
    if (from.kind == TapKind::kTexel) {
      const TextureCache::Lookup lookup = cache_.look_up(from.address, from.second_slice, newest().reply.origin);
      if (!lookup.found_place) return false;
      tap.slot = lookup.slot;
      tap.fill = lookup.fill;
      tap.offset = static_cast<std::uint8_t>(from.address % cache_.line_bytes());
      tap.line_address = from.address - tap.offset;
      ++counters_.texels;
    }
    unsigned at = oldest_tap_ + num_taps_++;
    if (at >= tap_.size()) at -= static_cast<unsigned>(tap_.size());
    tap_[at] = tap;
  }
  return true;
}

void TextureUnit::address_side() {
  address_credit_ = (address_credit_ < 0 ? address_credit_ : 0) + address_lanes_;
  if (!addressing_) {
    if (queue_.empty() || num_flights_ == flight_.size() || !start_addressing()) return;
    if (newest().constant) {
      queue_.pop();
      return;
    }
    addressing_ = true;
    lanes_to_address_ = queue_.front().lanes;
    next_tap_ = taps_.count = 0;
  }
  const TexRequest& request = queue_.front();
  const Flight& flight = newest();
  while (true) {
    if (next_tap_ < taps_.count && !address_lane()) return;
    if (lanes_to_address_ == 0) break;
    if (address_credit_ <= 0) return;
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes_to_address_));
    lanes_to_address_ = static_cast<HalfMask>(lanes_to_address_ & (lanes_to_address_ - 1));
    address_credit_ -= static_cast<int>(lane_cost(flight.header, flight.linear));
    taps_ = lane_taps(flight.header, sampler_, request.op, request.coord[lane], request.offset);
    next_tap_ = 0;
  }
  addressing_ = false;
  queue_.pop();
}

/// Filters the remaining texels of a lane. False if a texel's line has not arrived yet or has no port.
bool TextureUnit::lane_done(Flight& flight, unsigned lane) {
  while (num_taps_ > 0) {
    const Tap& tap = tap_[oldest_tap_];
    if (tap.fill && !cache_.can_fill(tap.slot)) return false;
    if (tap.kind == TapKind::kTexel && !cache_.open(tap.slot, tap.second_slice)) return false;
    if (tap.fill) cache_.fill(tap.slot);
    std::array<std::uint32_t, 4> rgba{};
    if (tap.kind == TapKind::kBorder) {
      rgba = flight.border;
    } else if (tap.kind == TapKind::kTexel) {
      rgba = texel_components(cache_.line(tap.slot), tap.offset, flight.header.layout, flight.header.type);
      if (cache_.fault(tap.slot) != MemFault::kNone && flight.reply.fault == MemFault::kNone) {
        flight.reply.fault = cache_.fault(tap.slot);
        flight.reply.fault_address = tap.line_address;
      }
    }
    // Skips components that neither the texel nor the border has: they are 0.
    sum_.add(rgba, tap.weight, flight.header.dimensions, tap.border ? 4 : flight.header.layout.components,
             flight.linear);
    const bool last = tap.last;
    if (++oldest_tap_ == tap_.size()) oldest_tap_ = 0;
    --num_taps_;
    if (!last) continue;
    flight.reply.texel[lane] = select_sources(flight.header, sum_.rgba());
    sum_ = TexelSum{};
    return true;
  }
  return false;
}

void TextureUnit::data_side() {
  filter_credit_ = (filter_credit_ < 0 ? filter_credit_ : 0) + filter_lanes_;
  if (!addressed_.arrived()) return;
  Flight& flight = flight_[wrap_flight(oldest_flight_ + num_filtered_)];
  if (flight.constant) {
    for (const unsigned lane : set_bits(flight.reply.lanes)) flight.reply.texel[lane] = flight.words;
    end_filter();
    return;
  }
  if (!filtering_) {
    filtering_ = true;
    lanes_to_filter_ = flight.reply.lanes;
  }
  while (lanes_to_filter_ != 0) {
    if (!lane_paid_) {
      if (filter_credit_ <= 0) return;
      filter_credit_ -= static_cast<int>(lane_cost(flight.header, flight.linear));
      lane_paid_ = true;
    }
    if (!lane_done(flight, static_cast<unsigned>(__builtin_ctz(lanes_to_filter_)))) return;
    lane_paid_ = false;
    lanes_to_filter_ = static_cast<HalfMask>(lanes_to_filter_ & (lanes_to_filter_ - 1));
  }
  filtering_ = false;
  end_filter();
}

/// The oldest flight in front of the filter goes behind it.
void TextureUnit::end_filter() {
  addressed_.leave();
  filtered_.enter();
  ++num_filtered_;
}

/// Moves the next read into the free output register. Descriptors go first, because the address side waits for them.
void TextureUnit::send_miss() {
  if (!headers_.has_read() && !samplers_.has_read() && !cache_.has_read()) return;
  MemRequest& miss = miss_.edit();
  miss = {};
  miss.valid = true;
  miss.op = MemOp::kRead;
  miss.client = MemClient::kTexture;
  miss.port = tpc_;
  if (headers_.has_read() || samplers_.has_read()) {
    const bool header = headers_.has_read();
    miss.id = header ? kHeaderId : kSamplerId;
    miss.bytes = kTextureHeaderBytes;
    miss.virtual_address = header ? headers_.take_read() : samplers_.take_read();
    miss.origin = header ? headers_.origin() : samplers_.origin();
    ++counters_.descriptor_reads;
  } else {
    const TextureCache::Read read = cache_.take_read();
    miss.id = read.id;
    miss.bytes = static_cast<std::uint8_t>(cache_.line_bytes());
    miss.virtual_address = read.address;
    miss.origin = read.origin;
  }
}

void TextureUnit::next() {
  addressed_.step();
  filtered_.step();
  cache_.begin_edge();
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    cache_.flush();
    headers_.flush();
    samplers_.flush();
  }
  if (miss_->valid && miss_ready_i.read()) miss_.drop();
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
  if (filtered_.arrived()) {
    const Flight& flight = flight_[oldest_flight_];
    if (sm_o[flight.reply.sm_in_tpc]->can_push()) {
      sm_o[flight.reply.sm_in_tpc]->push(flight.reply);
      oldest_flight_ = wrap_flight(oldest_flight_ + 1);
      --num_flights_;
      --num_filtered_;
      filtered_.leave();
    }
  }
  data_side();
  take_request();
  address_side();
  if (!miss_->valid) send_miss();

  d_.waiting = static_cast<std::uint8_t>(queue_.size());
  d_.in_flight = static_cast<std::uint16_t>(num_flights_);
  d_.reply_valid = num_filtered_ != 0;
  bool requests = false;
  for (unsigned sm = 0; sm < num_sms_; ++sm) requests |= sm_i[sm]->available();
  if (!requests && queue_.empty() && num_flights_ == 0 && !miss_->valid && !line.valid &&
      address_credit_ == address_lanes_ && filter_credit_ == filter_lanes_) {
    sleep();
  }
}

void TextureUnit::drive() {
  idle_o.write(idle());
  line_ready_o.write(true);
  miss_.drive(miss_o);
}

}  // namespace g80
