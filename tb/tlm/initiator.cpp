// SPDX-License-Identifier: Apache-2.0
#include "tb/tlm/initiator.h"

#include "hw/common/check.h"

namespace g80 {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

TlmInitiator::TlmInitiator(const char* socket_name, TlmTiming timing) : socket(socket_name), timing_(timing) {
  socket.register_nb_transport_bw(this, &TlmInitiator::take_backward);
}

TlmInitiator::~TlmInitiator() { delete payload_; }

void TlmInitiator::free(tlm::tlm_generic_payload* payload) {
  if (payload_ != nullptr) delete payload_;
  payload_ = payload;
}

tlm::tlm_response_status TlmInitiator::transfer(tlm::tlm_command command, std::uint64_t address, void* data,
                                                unsigned bytes) {
  turn_.lock();
  tlm::tlm_generic_payload* payload = payload_;
  payload_ = nullptr;
  if (payload == nullptr) payload = new tlm::tlm_generic_payload(this);
  payload->acquire();
  payload->set_command(command);
  payload->set_address(address);
  payload->set_data_ptr(static_cast<unsigned char*>(data));
  payload->set_data_length(bytes);
  payload->set_streaming_width(bytes);
  payload->set_byte_enable_ptr(nullptr);
  payload->set_dmi_allowed(false);
  payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (timing_ == TlmTiming::kLoose) {
    sc_time delay = SC_ZERO_TIME;
    socket->b_transport(*payload, delay);
    sc_core::wait(delay);
  } else {
    transfer_in_phases(*payload);
  }
  const tlm::tlm_response_status status = payload->get_response_status();
  payload->release();
  turn_.unlock();
  return status;
}

void TlmInitiator::transfer_in_phases(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket->nb_transport_fw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    sc_core::wait(delay);
    return;
  }
  if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    sc_core::wait(delay);
  } else {
    sc_core::wait(response_);
  }
  phase = tlm::END_RESP;
  delay = SC_ZERO_TIME;
  socket->nb_transport_fw(payload, phase, delay);
}

// END_REQ would free the request channel, but the next request waits for the response anyway.
tlm::tlm_sync_enum TlmInitiator::take_backward(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time& delay) {
  CHECK(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, "{}: phase {} comes from a target", socket.name(),
        phase.get_name());
  if (phase == tlm::BEGIN_RESP) response_.notify(delay);
  return tlm::TLM_ACCEPTED;
}

}  // namespace g80
