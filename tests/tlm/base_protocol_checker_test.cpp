// SPDX-License-Identifier: Apache-2.0
// Each rule of the checker with an initiator or a target that breaks it, and traffic that breaks none.
#include "tb/tlm/base_protocol_checker.h"

#include <functional>
#include <string>
#include <vector>

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

DECLARE_EXTENDED_PHASE(OWN_PHASE);

using Call = std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)>;

tlm_sync_enum accept(tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; }

struct Master : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Master> socket{"socket"};
  Call answer = accept;
  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &Master::call);
  }
  tlm_sync_enum call(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    return answer(payload, phase, delay);
  }
};

struct Slave : sc_core::sc_module {
  tlm_utils::simple_target_socket<Slave> socket{"socket"};
  Call answer = accept;
  std::function<void(tlm_generic_payload&, sc_time&)> blocking = [](tlm_generic_payload& payload, sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  explicit Slave(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &Slave::call);
    socket.register_b_transport(this, &Slave::transport);
  }
  tlm_sync_enum call(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    return answer(payload, phase, delay);
  }
  void transport(tlm_generic_payload& payload, sc_time& delay) { blocking(payload, delay); }
};

struct Manager : tlm::tlm_mm_interface {
  void free(tlm_generic_payload*) override {}
};

class BaseProtocol : public testing::SystemCTest {
 protected:
  BaseProtocol() {
    master_.socket.bind(checker_.in);
    checker_.out.bind(slave_.socket);
    sc_core::sc_start(SC_ZERO_TIME);
    for (tlm_generic_payload* payload : {&first_, &second_}) prepare(*payload);
  }
  void prepare(tlm_generic_payload& payload) {
    payload.set_mm(&manager_);
    payload.acquire();
    payload.set_write();
    payload.set_address(0x40);
    payload.set_data_ptr(data_);
    payload.set_data_length(sizeof data_);
    payload.set_streaming_width(sizeof data_);
  }
  void blocking(tlm_generic_payload& payload) {
    sc_time delay = SC_ZERO_TIME;
    master_.socket->b_transport(payload, delay);
  }
  tlm_sync_enum forward(tlm_generic_payload& payload, tlm_phase phase, double ns = 0) {
    sc_time delay(ns, SC_NS);
    return master_.socket->nb_transport_fw(payload, phase, delay);
  }
  tlm_sync_enum backward(tlm_generic_payload& payload, tlm_phase phase, double ns = 0) {
    sc_time delay(ns, SC_NS);
    return slave_.socket->nb_transport_bw(payload, phase, delay);
  }
  void respond(tlm_generic_payload& payload, double ns = 0) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    backward(payload, tlm::BEGIN_RESP, ns);
  }
  /// The checker found exactly these, apart from name and time.
  void expect(const std::vector<std::string>& sentences) {
    std::vector<std::string> found;
    for (const std::string& text : checker_.violations()) found.push_back(text.substr(text.find(": ") + 2));
    EXPECT_EQ(found, sentences);
  }

  Manager manager_;
  unsigned char data_[8] = {};
  tlm_generic_payload first_, second_;
  Master master_{"master"};
  BaseProtocolChecker checker_{"checker", BaseProtocolChecker::Behind::kTarget};
  Slave slave_{"slave"};
};

TEST_F(BaseProtocol, LegalTrafficIsClean) {
  blocking(first_);
  first_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  forward(first_, tlm::BEGIN_REQ, 1);
  backward(first_, tlm::END_REQ, 2);
  forward(second_, tlm::BEGIN_REQ);  // a second request while the first waits for its response
  respond(first_, 3);
  forward(first_, tlm::END_RESP, 5);
  respond(second_);  // implies END_REQ
  forward(second_, tlm::END_RESP);
  EXPECT_EQ(checker_.unfinished(), 0u);
  EXPECT_EQ(checker_.transactions(), 3u);
  expect({});
}

TEST_F(BaseProtocol, EarlyCompletionAndUpdatedPhasesAreClean) {
  slave_.answer = [](tlm_generic_payload& payload, tlm_phase&, sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  forward(first_, tlm::BEGIN_REQ);
  slave_.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  forward(second_, tlm::BEGIN_REQ);
  master_.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_time&) {
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  };
  respond(second_);
  EXPECT_EQ(checker_.unfinished(), 0u);
  expect({});
}

TEST_F(BaseProtocol, AWrongRequestIsFound) {
  unsigned char enables[2] = {0xff, 0x0f};
  const std::vector<std::pair<std::function<void()>, std::string>> plants = {
      {[&] { first_.set_data_length(0); }, "the data length is 0"},
      {[&] { first_.set_data_ptr(nullptr); }, "the data pointer is null"},
      {[&] { first_.set_streaming_width(0); }, "the streaming width is 0"},
      {[&] { first_.set_byte_enable_ptr(enables); }, "the byte enable length is 0"},
      {[&] { first_.set_byte_enable_ptr(enables), first_.set_byte_enable_length(2); },
       "byte enable 1 is 0xf, neither 0 nor 0xff"},
      {[&] { first_.set_response_status(tlm::TLM_OK_RESPONSE); }, "a request has the response TLM_OK_RESPONSE"},
      {[&] { first_.set_dmi_allowed(true); }, "a request allows direct memory access"},
  };
  std::vector<std::string> sentences;
  for (const auto& [plant, sentence] : plants) {
    first_.set_byte_enable_ptr(nullptr);
    first_.set_byte_enable_length(0);
    first_.set_dmi_allowed(false);
    first_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    prepare(first_);
    plant();
    blocking(first_);
    sentences.push_back(sentence);
    expect(sentences);
  }
}

TEST_F(BaseProtocol, ARequestInPhasesNeedsAMemoryManager) {
  tlm_generic_payload unmanaged;
  unmanaged.set_data_ptr(data_);
  unmanaged.set_data_length(1);
  unmanaged.set_streaming_width(1);
  forward(unmanaged, tlm::BEGIN_REQ);
  expect({"a request in phases has no memory manager"});
}

TEST_F(BaseProtocol, ATargetThatChangesAttributesIsFound) {
  unsigned char other[8];
  const std::vector<std::pair<std::function<void(tlm_generic_payload&)>, std::string>> plants = {
      {[](tlm_generic_payload& p) { p.set_read(); }, "the target changed the command"},
      {[](tlm_generic_payload& p) { p.set_address(0); }, "the target changed the address"},
      {[&](tlm_generic_payload& p) { p.set_data_ptr(other); }, "the target changed the data pointer"},
      {[](tlm_generic_payload& p) { p.set_data_length(4); }, "the target changed the data length"},
      {[](tlm_generic_payload& p) { p.set_streaming_width(4); }, "the target changed the streaming width"},
      {[&](tlm_generic_payload& p) { p.set_byte_enable_ptr(other); }, "the target changed the byte enable pointer"},
      {[](tlm_generic_payload& p) { p.set_byte_enable_length(4); }, "the target changed the byte enable length"},
      {[](tlm_generic_payload& p) { p.get_data_ptr()[3] ^= 1; }, "the target changed the data of a write"},
      {[](tlm_generic_payload& p) { p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); }, "a response has no status"},
  };
  std::vector<std::string> sentences;
  for (const auto& [plant, sentence] : plants) {
    first_.set_byte_enable_ptr(nullptr);
    first_.set_byte_enable_length(0);
    first_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    prepare(first_);
    slave_.blocking = [&, plant = plant](tlm_generic_payload& payload, sc_time&) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      plant(payload);
    };
    blocking(first_);
    sentences.push_back(sentence);
    expect(sentences);
  }
}

TEST_F(BaseProtocol, PhasesOutOfOrderAreFound) {
  forward(first_, tlm::END_RESP);
  expect({"END_RESP without BEGIN_REQ"});
  forward(first_, tlm::BEGIN_REQ);
  forward(first_, tlm::END_RESP);
  expect({"END_RESP without BEGIN_REQ", "END_RESP before BEGIN_RESP"});
}

TEST_F(BaseProtocol, PhasesFromTheWrongSideAreFound) {
  forward(first_, tlm::BEGIN_REQ);
  forward(first_, tlm::END_REQ);
  backward(first_, tlm::END_RESP);
  forward(first_, OWN_PHASE);
  expect({"the initiator sends END_REQ", "the target sends END_RESP", "OWN_PHASE is no phase of the base protocol"});
}

TEST_F(BaseProtocol, PhasesThatComeTwiceAreFound) {
  forward(first_, tlm::BEGIN_REQ);
  backward(first_, tlm::END_REQ);
  backward(first_, tlm::END_REQ);
  respond(first_);
  respond(first_);
  expect({"END_REQ although the request has ended", "BEGIN_RESP although the response has begun"});
}

TEST_F(BaseProtocol, TwoRequestsOrResponsesAtOnceAreFound) {
  forward(first_, tlm::BEGIN_REQ);
  forward(second_, tlm::BEGIN_REQ);
  expect({"BEGIN_REQ before the end of the request before it"});
  respond(first_);
  respond(second_);
  expect({"BEGIN_REQ before the end of the request before it", "BEGIN_RESP before the end of the response before it"});
}

TEST_F(BaseProtocol, ATransactionInUseTwiceIsFound) {
  forward(first_, tlm::BEGIN_REQ);
  forward(first_, tlm::BEGIN_REQ);
  blocking(first_);
  expect({"BEGIN_REQ with a transaction that is under way", "b_transport with a transaction that is under way"});
}

TEST_F(BaseProtocol, AResponseInPhasesWithoutStatusIsFound) {
  forward(first_, tlm::BEGIN_REQ);
  backward(first_, tlm::BEGIN_RESP);
  expect({"a response has no status"});
}

TEST_F(BaseProtocol, IllegalReturnValuesAreFound) {
  slave_.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  forward(first_, tlm::BEGIN_REQ);
  master_.answer = [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
  backward(first_, tlm::END_REQ);
  master_.answer = accept;
  respond(first_);
  slave_.answer = [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_UPDATED; };
  forward(first_, tlm::END_RESP);
  expect({"BEGIN_REQ was accepted and became END_REQ", "TLM_COMPLETED as the answer to END_REQ",
          "TLM_UPDATED as the answer to END_RESP"});
}

TEST_F(BaseProtocol, TimesThatGoBackAreFound) {
  forward(first_, tlm::BEGIN_REQ, 10);
  backward(first_, tlm::END_REQ, 4);
  expect({"END_REQ at a time before the phase before it"});
}

TEST_F(BaseProtocol, AnUnfinishedTransactionIsCounted) {
  forward(first_, tlm::BEGIN_REQ);
  EXPECT_EQ(checker_.unfinished(), 1u);
}

}  // namespace
}  // namespace g80
