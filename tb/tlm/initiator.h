// SPDX-License-Identifier: Apache-2.0
// An initiator of the TLM-2.0 base protocol, one transaction at a time: loosely timed (b_transport) or approximately
// timed (the four phases of nb_transport). Several threads may share it; they take turns.
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>

namespace g80 {

enum class TlmTiming : std::uint8_t { kLoose, kApproximate };

class TlmInitiator : private tlm::tlm_mm_interface {
 public:
  TlmInitiator(const char* socket_name, TlmTiming timing);
  ~TlmInitiator() override;

  tlm_utils::simple_initiator_socket<TlmInitiator> socket;

  /// Reads or writes `bytes` bytes; returns when the target has answered. Call it in a thread of SystemC.
  tlm::tlm_response_status transfer(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes);
  tlm::tlm_response_status read(std::uint64_t address, void* data, unsigned bytes) {
    return transfer(tlm::TLM_READ_COMMAND, address, data, bytes);
  }
  tlm::tlm_response_status write(std::uint64_t address, const void* data, unsigned bytes) {
    return transfer(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
  }

 private:
  void transfer_in_phases(tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum take_backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void free(tlm::tlm_generic_payload* payload) override;

  TlmTiming timing_;
  sc_core::sc_mutex turn_;
  sc_core::sc_event response_;
  tlm::tlm_generic_payload* payload_ = nullptr;  // returned by its last user, for the next transaction
};

}  // namespace g80
