// SPDX-License-Identifier: Apache-2.0
// The GPU as a device of a virtual platform: registers and push buffer behind a TLM-2.0 target socket, host memory
// behind an initiator socket, an interrupt. docs/tlm.md describes the registers.
//
// The machine inside is the same as everywhere else, cycle by cycle; only its host side is TLM. Words of the push
// buffer come through the window of the target socket, or the device fetches them from host memory. Copies move through
// a buffer of two chunks: the bus reads or writes one of them while the copy engine empties or fills the other.
//
// Loosely timed initiators call b_transport, approximately timed ones nb_transport_fw; both are there at any time. An
// access synchronises: the caller's annotated time passes before it takes effect, because the state depends on the
// cycle. `timing` says how the device itself accesses host memory.
#pragma once
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/tlm/initiator.h"
#include "tb/tlm/registers.h"

namespace g80 {

class GpuDevice : public sc_core::sc_module, private TraceSink {
 public:
  GpuDevice(const sc_core::sc_module_name& name, const Config& config, TlmTiming timing = TlmTiming::kLoose);
  ~GpuDevice() override;

  tlm_utils::simple_target_socket<GpuDevice> registers{"registers"};
  TlmInitiator memory;  // bind memory.socket
  sc_core::sc_out<bool> interrupt_o{"interrupt_o"};

  Gpu gpu;

  static constexpr unsigned kBurst = 128;        // bytes of an access to host memory at most
  static constexpr unsigned kChunk = 4096;       // bytes of a copy that the buffer holds twice
  static constexpr unsigned kWindowWords = 256;  // words of the push buffer that wait before the device delays a write
  static constexpr Cycle kAcceptCycles = 1;      // of the core clock, until a request to the registers is accepted
  static constexpr Cycle kResponseCycles = 2;    // and from there to the response

 private:
  // The target socket
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  void serve();
  void perform(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status perform_words(const tlm::tlm_generic_payload& payload);
  bool readable(std::uint32_t offset) const;
  bool writable(std::uint32_t offset) const;
  std::uint32_t read(std::uint32_t offset) const;
  bool write(std::uint32_t offset, std::uint32_t value);
  std::uint32_t* setting(std::uint32_t offset);

  // The host side of the machine
  void changed(std::uint32_t slot) override;
  void feed();
  void fetch();
  void copy();
  void run_copy();
  void start_order(CopyOrder order);
  void wait_for_orders(std::uint32_t id);
  bool access_host(tlm::tlm_command command, std::uint64_t address, std::uint8_t* bytes, unsigned count);
  void drain();
  void raise(std::uint32_t bits);
  void drive_interrupt();
  void queue_word(std::uint32_t word);
  sc_core::sc_time core_cycles(Cycle cycles) const;
  bool quiet() const { return words_.empty() && words_left_ == 0; }

  struct Settings {
    std::uint32_t interrupt_enable = 0;
    std::uint32_t push_low = 0, push_high = 0;
    std::uint32_t copy_device = 0, copy_bytes = 0, copy_low = 0, copy_high = 0, copy_fill = 0, copy_source = 0;
  };
  Settings settings_;
  std::uint32_t pending_ = 0;  // interrupts
  std::uint32_t fence_ = 0;
  std::deque<std::uint32_t> words_;  // of the push buffer, on their way to the command processor
  std::uint32_t words_left_ = 0;     // to fetch
  CopyOrder order_;                  // the copy under way
  bool copying_ = false;
  std::uint32_t orders_ = 0, orders_done_ = 0;  // given to the copy engine
  std::array<std::vector<std::uint8_t>, 2> chunk_;
  sc_core::sc_event arrived_, room_, words_changed_, fetch_started_, copy_started_, order_done_, interrupt_changed_;

  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_;
  tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_event end_of_response_;
};

}  // namespace g80
