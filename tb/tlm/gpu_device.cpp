// SPDX-License-Identifier: Apache-2.0
#include "tb/tlm/gpu_device.h"

#include <algorithm>
#include <cstring>

namespace g80 {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using namespace tlm_device;

namespace {

// Slots of the queues that the device watches.
constexpr std::uint32_t kFencesSlot = 0, kCopiesSlot = 1, kPushSlot = 2, kOrdersSlot = 3;

std::uint64_t wide(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

}  // namespace

GpuDevice::GpuDevice(const sc_core::sc_module_name& name, const Config& config, TlmTiming timing)
    : sc_module(name), memory("memory", timing), gpu("gpu", config), requests_("requests") {
  registers.register_b_transport(this, &GpuDevice::transport);
  registers.register_nb_transport_fw(this, &GpuDevice::forward);
  registers.register_transport_dbg(this, &GpuDevice::debug);
  gpu.fences.attach_trace(*this, kFencesSlot);
  gpu.copies_done.attach_trace(*this, kCopiesSlot);
  gpu.push.attach_trace(*this, kPushSlot);
  gpu.copy_orders.attach_trace(*this, kOrdersSlot);
  for (auto& chunk : chunk_) chunk.resize(kChunk);
  SC_HAS_PROCESS(GpuDevice);
  SC_THREAD(serve);
  SC_THREAD(feed);
  SC_THREAD(fetch);
  SC_THREAD(copy);
  SC_METHOD(drain);
  sensitive << arrived_;
  dont_initialize();
  SC_METHOD(drive_interrupt);
  sensitive << interrupt_changed_;
}

GpuDevice::~GpuDevice() {
  gpu.fences.detach_trace(*this);
  gpu.copies_done.detach_trace(*this);
  gpu.push.detach_trace(*this);
  gpu.copy_orders.detach_trace(*this);
}

sc_time GpuDevice::core_cycles(Cycle cycles) const { return sc_time::from_value(gpu.core.edge_time(cycles)); }

// --- the target socket

void GpuDevice::transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
  sc_core::wait(delay + core_cycles(kAcceptCycles));
  delay = core_cycles(kResponseCycles);
  perform(payload);
}

tlm::tlm_sync_enum GpuDevice::forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();
    requests_.notify(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  CHECK(phase == tlm::END_RESP && responding_ == &payload, "{}: phase {} comes from the initiator", name(),
        phase.get_name());
  end_of_response_.notify(delay);
  return tlm::TLM_COMPLETED;
}

// One request after the other, so the two channels are free when they are needed.
void GpuDevice::serve() {
  while (true) {
    tlm::tlm_generic_payload* payload = requests_.get_next_transaction();
    if (payload == nullptr) {
      wait(requests_.get_event());
      continue;
    }
    wait(core_cycles(kAcceptCycles));
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = SC_ZERO_TIME;
    registers->nb_transport_bw(*payload, phase, delay);
    perform(*payload);
    wait(core_cycles(kResponseCycles));
    responding_ = payload;
    phase = tlm::BEGIN_RESP;
    delay = SC_ZERO_TIME;
    if (registers->nb_transport_bw(*payload, phase, delay) == tlm::TLM_ACCEPTED) {
      wait(end_of_response_);
    } else {
      wait(delay);
    }
    responding_ = nullptr;
    payload->release();
  }
}

void GpuDevice::perform(tlm::tlm_generic_payload& payload) { payload.set_response_status(perform_words(payload)); }

tlm::tlm_response_status GpuDevice::perform_words(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const sc_dt::uint64 address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (bytes % 4 != 0 || payload.get_streaming_width() < bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (address % 4 != 0 || bytes > kWindowEnd || address > kWindowEnd - bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const auto first = static_cast<std::uint32_t>(address);
  // All words or none.
  for (std::uint32_t offset = first; offset < first + bytes; offset += 4) {
    if (!readable(offset) && !writable(offset)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (!(payload.is_read() ? readable(offset) : writable(offset))) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  for (std::uint32_t offset = first; offset < first + bytes; offset += 4) {
    unsigned char* const at = payload.get_data_ptr() + (offset - first);
    std::uint32_t word = 0;
    if (payload.is_read()) {
      word = read(offset);
      std::memcpy(at, &word, 4);
    } else {
      std::memcpy(&word, at, 4);
      if (!write(offset, word)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
  }
  return tlm::TLM_OK_RESPONSE;
}

unsigned GpuDevice::debug(tlm::tlm_generic_payload& payload) {
  const sc_dt::uint64 first = payload.get_address();
  unsigned done = 0;
  if (!payload.is_read() || first % 4 != 0) return 0;
  while (done + 4 <= payload.get_data_length() && first + done < kWindowEnd) {
    const auto offset = static_cast<std::uint32_t>(first + done);
    if (!readable(offset)) break;
    const std::uint32_t word = read(offset);
    std::memcpy(payload.get_data_ptr() + done, &word, 4);
    done += 4;
  }
  return done;
}

// --- registers

/// The register that only keeps what is written; nullptr if `offset` is none of them.
std::uint32_t* GpuDevice::setting(std::uint32_t offset) {
  switch (offset) {
    case kInterruptEnable: return &settings_.interrupt_enable;
    case kPushAddressLow: return &settings_.push_low;
    case kPushAddressHigh: return &settings_.push_high;
    case kCopyDevice: return &settings_.copy_device;
    case kCopyBytes: return &settings_.copy_bytes;
    case kCopyHostLow: return &settings_.copy_low;
    case kCopyHostHigh: return &settings_.copy_high;
    case kCopyFill: return &settings_.copy_fill;
    case kCopySource: return &settings_.copy_source;
    default: return nullptr;
  }
}

bool GpuDevice::readable(std::uint32_t offset) const {
  switch (offset) {
    case kId:
    case kStatus:
    case kInterrupt:
    case kFence:
    case kLaunches:
    case kOutcome:
    case kPushWords: return true;
    default: return const_cast<GpuDevice*>(this)->setting(offset) != nullptr;
  }
}

bool GpuDevice::writable(std::uint32_t offset) const {
  return offset == kInterrupt || offset == kPushWords || offset == kCopyOp || offset >= kPushWindow ||
         const_cast<GpuDevice*>(this)->setting(offset) != nullptr;
}

std::uint32_t GpuDevice::read(std::uint32_t offset) const {
  const auto& launches = gpu.command_processor.launches();
  switch (offset) {
    case kId: return kIdValue;
    case kStatus: {
      const bool parser = gpu.command_processor.busy() || gpu.push.size() != 0;
      return (quiet() ? 0u : kStatusPush) | (copying_ ? kStatusCopy : 0u) | (parser ? kStatusParser : 0u);
    }
    case kInterrupt: return pending_;
    case kFence: return fence_;
    case kLaunches: return static_cast<std::uint32_t>(launches.size());
    case kOutcome: {
      if (launches.empty()) return 0;
      const LaunchRecord& last = launches.back();
      return static_cast<std::uint32_t>(last.outcome) | static_cast<std::uint32_t>(last.error) << 8 |
             (last.fault.valid ? static_cast<std::uint32_t>(last.fault.kind) << 16 : 0);
    }
    case kPushWords: return words_left_;
    default: return *const_cast<GpuDevice*>(this)->setting(offset);
  }
}

/// False if the device is busy with what the write would start.
bool GpuDevice::write(std::uint32_t offset, std::uint32_t value) {
  if (offset >= kPushWindow) {
    if (words_left_ != 0) return false;  // the order of the words would be nobody's choice
    queue_word(value);
  } else if (offset == kInterrupt) {
    pending_ &= ~value;
    interrupt_changed_.notify(SC_ZERO_TIME);
  } else if (offset == kPushWords) {
    if (words_left_ != 0 || settings_.push_low % 4 != 0) return false;
    words_left_ = value;
    fetch_started_.notify(SC_ZERO_TIME);
  } else if (offset == kCopyOp) {
    if (copying_ || value > static_cast<std::uint32_t>(CopyOp::kOnDevice)) return false;
    order_ = {};
    order_.op = static_cast<CopyOp>(value);
    order_.device_address = settings_.copy_device;
    order_.bytes = settings_.copy_bytes;
    order_.host_address = wide(settings_.copy_high, settings_.copy_low);
    order_.fill_word = settings_.copy_fill;
    order_.source_address = settings_.copy_source;
    copying_ = true;
    copy_started_.notify(SC_ZERO_TIME);
  } else {
    *setting(offset) = value;
    if (offset == kInterruptEnable) interrupt_changed_.notify(SC_ZERO_TIME);
  }
  return true;
}

void GpuDevice::raise(std::uint32_t bits) {
  pending_ |= bits;
  interrupt_changed_.notify(SC_ZERO_TIME);
}

void GpuDevice::drive_interrupt() { interrupt_o.write((pending_ & settings_.interrupt_enable) != 0); }

// --- the push buffer

/// The queue's place may be taken by a caller of the window: it waits here.
void GpuDevice::queue_word(std::uint32_t word) {
  while (words_.size() >= kWindowWords) wait(words_changed_);
  words_.push_back(word);
  words_changed_.notify(SC_ZERO_TIME);
}

/// Hands words to the command processor, as many at once as the host interface delivers.
void GpuDevice::feed() {
  // The machine takes nothing before its reset has ended.
  for (const Domain* clock : {&gpu.core, &gpu.shader}) {
    if (!clock->in_reset()) continue;
    const auto until = [&](Picoseconds behind) {  // the next edge, or behind it
      wait(sc_time::from_value(clock->edge_time(clock->first_edge_after_now()) + behind) - sc_core::sc_time_stamp());
    };
    while (clock->in_reset()) until(1);
    until(0);
  }
  while (true) {
    while (words_.empty()) wait(words_changed_);
    while (!gpu.push.can_push()) wait(room_);
    PushWords together;
    while (together.count < gpu.config.host.pushbuffer_words_per_cycle && !words_.empty()) {
      together.word[together.count++] = words_.front();
      words_.pop_front();
    }
    gpu.push.push(together);
    words_changed_.notify(SC_ZERO_TIME);
    wait(core_cycles(1));
  }
}

void GpuDevice::fetch() {
  while (true) {
    while (words_left_ == 0) wait(fetch_started_);
    std::uint64_t address = wide(settings_.push_high, settings_.push_low);
    std::array<std::uint32_t, kBurst / 4> words;
    while (words_left_ != 0) {
      const unsigned count = std::min<unsigned>(words_left_, kBurst / 4);
      if (!access_host(tlm::TLM_READ_COMMAND, address, reinterpret_cast<std::uint8_t*>(words.data()), 4 * count)) {
        words_left_ = 0;
        raise(kInterruptError);
        break;
      }
      for (unsigned i = 0; i < count; ++i) queue_word(words[i]);
      words_left_ -= count;
      address += 4 * count;
      if (words_left_ == 0) raise(kInterruptFetched);
    }
  }
}

// --- copies

bool GpuDevice::access_host(tlm::tlm_command command, std::uint64_t address, std::uint8_t* bytes, unsigned count) {
  while (count != 0) {
    const unsigned part = std::min(count, kBurst - static_cast<unsigned>(address % kBurst));
    if (memory.transfer(command, address, bytes, part) != tlm::TLM_OK_RESPONSE) return false;
    address += part;
    bytes += part;
    count -= part;
  }
  return true;
}

void GpuDevice::copy() {
  while (true) {
    while (!copying_) wait(copy_started_);
    run_copy();
    copying_ = false;
    raise(kInterruptCopy);
  }
}

void GpuDevice::start_order(CopyOrder order) {
  while (!gpu.copy_orders.can_push()) wait(room_);
  order.id = ++orders_;
  gpu.copy_orders.push(order);
}

void GpuDevice::wait_for_orders(std::uint32_t id) {
  while (orders_done_ < id) wait(order_done_);
}

void GpuDevice::run_copy() {
  if (order_.op != CopyOp::kToDevice && order_.op != CopyOp::kFromDevice) {
    start_order(order_);
    wait_for_orders(orders_);
    return;
  }
  if (order_.bytes == 0) return;
  const std::uint32_t before = orders_, chunks = (order_.bytes + kChunk - 1) / kChunk;
  std::array<std::uint64_t, 2> pinned{};
  for (unsigned i = 0; i < 2; ++i) pinned[i] = gpu.host_memory.pin(static_cast<void*>(chunk_[i].data()), kChunk);
  const auto bytes_of = [&](std::uint32_t number) { return std::min(kChunk, order_.bytes - number * kChunk); };
  const auto start = [&](std::uint32_t number) {
    CopyOrder order = order_;
    order.device_address += number * kChunk;
    order.bytes = bytes_of(number);
    order.host_address = pinned[number % 2];
    start_order(order);
  };
  const auto over_bus = [&](std::uint32_t number) {
    const bool to_device = order_.op == CopyOp::kToDevice;
    return access_host(to_device ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
                       order_.host_address + std::uint64_t{number} * kChunk, chunk_[number % 2].data(),
                       bytes_of(number));
  };
  bool good = true;
  for (std::uint32_t number = 0; good && number < chunks; ++number) {
    if (order_.op == CopyOp::kToDevice) {
      if (number >= 2) wait_for_orders(before + number - 1);  // the chunk before the last one is in the device
      good = over_bus(number);
      if (good) start(number);
    } else {
      if (number == 0) start(0);
      if (number + 1 < chunks) start(number + 1);
      wait_for_orders(before + number + 1);
      good = over_bus(number);
    }
  }
  wait_for_orders(orders_);
  for (const std::uint64_t address : pinned) gpu.host_memory.unpin(address);
  if (!good) raise(kInterruptError);
}

// --- events of the machine

// Called inside of an edge: the processes run after it.
void GpuDevice::changed(std::uint32_t slot) {
  (slot == kFencesSlot || slot == kCopiesSlot ? arrived_ : room_).notify(SC_ZERO_TIME);
}

void GpuDevice::drain() {
  while (gpu.fences.available()) {
    fence_ = gpu.fences.front().value;
    gpu.fences.pop();
    raise(kInterruptFence);
  }
  while (gpu.copies_done.available()) {
    orders_done_ = gpu.copies_done.front().value;
    gpu.copies_done.pop();
    order_done_.notify(SC_ZERO_TIME);
  }
}

}  // namespace g80
