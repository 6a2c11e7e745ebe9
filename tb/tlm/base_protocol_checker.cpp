// SPDX-License-Identifier: Apache-2.0
#include "tb/tlm/base_protocol_checker.h"

#include <fmt/format.h>

#include <cstring>

namespace g80 {

using sc_core::sc_time;
using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

BaseProtocolChecker::BaseProtocolChecker(const sc_core::sc_module_name& name, Behind behind)
    : sc_module(name), behind_(behind) {
  in.register_b_transport(this, &BaseProtocolChecker::transport);
  in.register_nb_transport_fw(this, &BaseProtocolChecker::forward);
  in.register_transport_dbg(this, &BaseProtocolChecker::debug);
  in.register_get_direct_mem_ptr(this, &BaseProtocolChecker::direct_memory);
  out.register_nb_transport_bw(this, &BaseProtocolChecker::backward);
  out.register_invalidate_direct_mem_ptr(this, &BaseProtocolChecker::invalidate);
}

void BaseProtocolChecker::violation(const std::string& sentence) {
  violations_.push_back(fmt::format("{}, {}: {}", name(), sc_core::sc_time_stamp().to_string(), sentence));
}

BaseProtocolChecker::Attributes BaseProtocolChecker::attributes_of(const tlm_generic_payload& payload) const {
  Attributes attributes{payload.get_command(),         payload.get_address(),
                        payload.get_data_ptr(),        payload.get_byte_enable_ptr(),
                        payload.get_data_length(),     payload.get_byte_enable_length(),
                        payload.get_streaming_width(), {}};
  if (payload.is_write() && attributes.data != nullptr)
    attributes.written.assign(attributes.data, attributes.data + attributes.length);
  return attributes;
}

void BaseProtocolChecker::check_request(const tlm_generic_payload& payload, bool in_phases) {
  ++transactions_;
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    violation("a request has the response " + payload.get_response_string());
  if (payload.is_dmi_allowed()) violation("a request allows direct memory access");
  if (in_phases && !payload.has_mm()) violation("a request in phases has no memory manager");
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  if (payload.get_data_length() == 0) violation("the data length is 0");
  if (payload.get_data_ptr() == nullptr) violation("the data pointer is null");
  if (payload.get_streaming_width() == 0) violation("the streaming width is 0");
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (enables == nullptr) return;
  if (payload.get_byte_enable_length() == 0) violation("the byte enable length is 0");
  for (unsigned i = 0; i < payload.get_byte_enable_length(); ++i) {
    if (enables[i] == TLM_BYTE_DISABLED || enables[i] == TLM_BYTE_ENABLED) continue;
    violation(fmt::format("byte enable {} is {:#x}, neither 0 nor 0xff", i, enables[i]));
    break;
  }
}

void BaseProtocolChecker::check_unchanged(const Attributes& before, const tlm_generic_payload& payload) {
  const auto changed = [&](bool same, const char* what) {
    if (!same) violation(fmt::format("the target changed the {}", what));
  };
  changed(payload.get_command() == before.command, "command");
  changed(behind_ == Behind::kInterconnect || payload.get_address() == before.address, "address");
  changed(payload.get_data_ptr() == before.data, "data pointer");
  changed(payload.get_data_length() == before.length, "data length");
  changed(payload.get_streaming_width() == before.streaming_width, "streaming width");
  changed(payload.get_byte_enable_ptr() == before.enables, "byte enable pointer");
  changed(payload.get_byte_enable_length() == before.enable_length, "byte enable length");
  if (!before.written.empty())
    changed(std::memcmp(before.written.data(), before.data, before.written.size()) == 0, "data of a write");
}

void BaseProtocolChecker::check_response(const Attributes& before, const tlm_generic_payload& payload) {
  check_unchanged(before, payload);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) violation("a response has no status");
}

void BaseProtocolChecker::transport(tlm_generic_payload& payload, sc_time& delay) {
  if (under_way_.count(&payload) != 0 || !blocking_.insert(&payload).second)
    violation("b_transport with a transaction that is under way");
  check_request(payload, false);
  const Attributes before = attributes_of(payload);
  const sc_time called = sc_core::sc_time_stamp() + delay;
  out->b_transport(payload, delay);
  blocking_.erase(&payload);
  check_response(before, payload);
  if (sc_core::sc_time_stamp() + delay < called) violation("b_transport returned at a time before its call");
}

void BaseProtocolChecker::enter(tlm_generic_payload& payload, const tlm_phase& phase, const sc_time& delay,
                                bool from_initiator) {
  const char* const side = from_initiator ? "initiator" : "target";
  if (phase != BEGIN_REQ && phase != END_REQ && phase != BEGIN_RESP && phase != END_RESP) {
    violation(fmt::format("{} is no phase of the base protocol", phase.get_name()));
    return;
  }
  if (from_initiator != (phase == BEGIN_REQ || phase == END_RESP)) {
    violation(fmt::format("the {} sends {}", side, phase.get_name()));
    return;
  }
  const auto found = under_way_.find(&payload);
  const sc_time time = sc_core::sc_time_stamp() + delay;
  if (phase == BEGIN_REQ) {
    if (found != under_way_.end() || blocking_.count(&payload) != 0) {
      violation("BEGIN_REQ with a transaction that is under way");
      return;
    }
    if (request_ != nullptr) violation("BEGIN_REQ before the end of the request before it");
    check_request(payload, true);
    request_ = &payload;
    under_way_[&payload] = {State::kRequest, attributes_of(payload), time};
    return;
  }
  if (found == under_way_.end()) {
    violation(fmt::format("{} without BEGIN_REQ", phase.get_name()));
    return;
  }
  UnderWay& transaction = found->second;
  if (time < transaction.time) violation(fmt::format("{} at a time before the phase before it", phase.get_name()));
  transaction.time = time;
  if (phase == END_REQ) {
    if (transaction.state != State::kRequest) violation("END_REQ although the request has ended");
    if (transaction.state == State::kRequest) transaction.state = State::kRequestEnded;
    if (request_ == &payload) request_ = nullptr;
    check_unchanged(transaction.attributes, payload);
  } else if (phase == BEGIN_RESP) {
    if (transaction.state == State::kResponse) violation("BEGIN_RESP although the response has begun");
    if (response_ != nullptr && response_ != &payload) violation("BEGIN_RESP before the end of the response before it");
    if (request_ == &payload) request_ = nullptr;  // the response implies END_REQ
    response_ = &payload;
    transaction.state = State::kResponse;
    check_response(transaction.attributes, payload);
  } else {
    if (transaction.state != State::kResponse) violation("END_RESP before BEGIN_RESP");
    finish(payload);
  }
}

void BaseProtocolChecker::finish(const tlm_generic_payload& payload) {
  if (request_ == &payload) request_ = nullptr;
  if (response_ == &payload) response_ = nullptr;
  under_way_.erase(&payload);
}

void BaseProtocolChecker::check_return(tlm_generic_payload& payload, const tlm_phase& sent, tlm_sync_enum answer,
                                       const tlm_phase& phase, const sc_time& delay, bool from_initiator) {
  if (answer == tlm::TLM_ACCEPTED) {
    if (phase != sent) violation(fmt::format("{} was accepted and became {}", sent.get_name(), phase.get_name()));
  } else if (answer == tlm::TLM_UPDATED) {
    if (sent == END_RESP || sent == END_REQ) {
      violation(fmt::format("TLM_UPDATED as the answer to {}", sent.get_name()));
    } else {
      enter(payload, phase, delay, !from_initiator);
    }
  } else if (sent == END_REQ) {
    violation("TLM_COMPLETED as the answer to END_REQ");
  } else if (sent == BEGIN_REQ || sent == BEGIN_RESP) {
    const auto found = under_way_.find(&payload);
    if (found != under_way_.end() && sent == BEGIN_REQ) check_response(found->second.attributes, payload);
    finish(payload);
  }
}

tlm_sync_enum BaseProtocolChecker::forward(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
  const tlm_phase sent = phase;
  enter(payload, phase, delay, true);
  const tlm_sync_enum answer = out->nb_transport_fw(payload, phase, delay);
  check_return(payload, sent, answer, phase, delay, true);
  return answer;
}

tlm_sync_enum BaseProtocolChecker::backward(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
  const tlm_phase sent = phase;
  enter(payload, phase, delay, false);
  const tlm_sync_enum answer = in->nb_transport_bw(payload, phase, delay);
  check_return(payload, sent, answer, phase, delay, false);
  return answer;
}

unsigned BaseProtocolChecker::debug(tlm_generic_payload& payload) {
  const unsigned bytes = out->transport_dbg(payload);
  if (bytes > payload.get_data_length())
    violation(fmt::format("transport_dbg returned {} of {} bytes", bytes, payload.get_data_length()));
  return bytes;
}

}  // namespace g80
