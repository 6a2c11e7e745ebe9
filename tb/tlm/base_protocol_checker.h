// SPDX-License-Identifier: Apache-2.0
// Checks the TLM-2.0 base protocol (IEEE 1666-2011, clauses 14 to 16) between two sockets. It passes every call on
// unchanged and keeps a sentence for each violation:
//
//   payload    length, data pointer, streaming width, byte enables and initial response as an initiator must set them
//   immutable  what the target may not change: command, data pointer, length, streaming width, byte enables, data of a
//              write; the address too, if a target is behind the checker and not an interconnect
//   response   a response has a status; a request has none
//   phases     BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP in this order and direction; legal return values
//   exclusion  one request and one response at a time; no transaction object is used twice at once
//   time       the annotated times of a transaction do not go back
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <systemc>
#include <vector>

namespace g80 {

class BaseProtocolChecker : public sc_core::sc_module {
 public:
  enum class Behind : std::uint8_t { kTarget, kInterconnect };
  explicit BaseProtocolChecker(const sc_core::sc_module_name& name, Behind behind = Behind::kInterconnect);

  tlm_utils::simple_target_socket<BaseProtocolChecker> in{"in"};       // bind the initiator's socket to it
  tlm_utils::simple_initiator_socket<BaseProtocolChecker> out{"out"};  // bind it to the target's socket

  /// "checker, 10 ns: what is wrong", in the order they were seen.
  const std::vector<std::string>& violations() const { return violations_; }
  std::uint64_t transactions() const { return transactions_; }
  /// Transactions whose last phase has not come.
  std::size_t unfinished() const { return under_way_.size(); }

 private:
  enum class State : std::uint8_t { kRequest, kRequestEnded, kResponse };
  struct Attributes {
    tlm::tlm_command command;
    sc_dt::uint64 address;
    const unsigned char *data, *enables;
    unsigned length, enable_length, streaming_width;
    std::vector<unsigned char> written;
  };
  struct UnderWay {
    State state;
    Attributes attributes;
    sc_core::sc_time time;
  };

  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    return out->get_direct_mem_ptr(payload, dmi);
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { in->invalidate_direct_mem_ptr(first, last); }

  Attributes attributes_of(const tlm::tlm_generic_payload& payload) const;
  void check_request(const tlm::tlm_generic_payload& payload, bool in_phases);
  void check_unchanged(const Attributes& before, const tlm::tlm_generic_payload& payload);
  void check_response(const Attributes& before, const tlm::tlm_generic_payload& payload);
  void enter(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay,
             bool from_initiator);
  void check_return(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& sent, tlm::tlm_sync_enum answer,
                    const tlm::tlm_phase& phase, const sc_core::sc_time& delay, bool from_initiator);
  void finish(const tlm::tlm_generic_payload& payload);
  void violation(const std::string& sentence);

  const Behind behind_;
  std::map<const tlm::tlm_generic_payload*, UnderWay> under_way_;
  std::set<const tlm::tlm_generic_payload*> blocking_;
  const tlm::tlm_generic_payload *request_ = nullptr, *response_ = nullptr;  // that hold the two channels
  std::vector<std::string> violations_;
  std::uint64_t transactions_ = 0;
};

}  // namespace g80
