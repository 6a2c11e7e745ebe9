// SPDX-License-Identifier: Apache-2.0
// The GPU behind TLM-2.0 sockets: registers, copies, interrupts, and both coding styles under the checker.
#include "tb/tlm/gpu_device.h"

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hw/host/compute_class.h"
#include "tb/tlm/base_protocol_checker.h"
#include "tests/support/shell.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using namespace tlm_device;
using sc_core::SC_NS;
using sc_core::sc_time;

/// Host memory from kFirst on; everything else is an error.
struct HostRam : sc_core::sc_module {
  static constexpr std::uint64_t kFirst = 0x1'0000'0000;
  tlm_utils::simple_target_socket<HostRam> socket{"socket"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(64 << 10);
  explicit HostRam(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &HostRam::transport);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    delay += sc_time(50, SC_NS);
    const std::uint64_t at = payload.get_address() - kFirst, length = payload.get_data_length();
    if (payload.get_address() < kFirst || at + length > bytes.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &bytes[at], length);
    if (payload.is_write()) std::memcpy(&bytes[at], payload.get_data_ptr(), length);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Program : sc_core::sc_module {
  TlmInitiator bus;
  sc_core::sc_in<bool> interrupt_i{"interrupt_i"};
  std::function<void(Program&)> body;
  bool ended = false;

  SC_HAS_PROCESS(Program);
  Program(const sc_core::sc_module_name& name, TlmTiming timing) : sc_module(name), bus("bus", timing) {
    SC_THREAD(run);
  }
  void run() {
    body(*this);
    ended = true;
    sc_core::sc_stop();
  }
  tlm::tlm_response_status write(std::uint32_t offset, std::uint32_t value) { return bus.write(offset, &value, 4); }
  std::uint32_t read(std::uint32_t offset) {
    std::uint32_t value = ~0u;
    EXPECT_EQ(bus.read(offset, &value, 4), tlm::TLM_OK_RESPONSE) << std::hex << offset;
    return value;
  }
  std::uint32_t wait_for_interrupt() {
    if (!interrupt_i.read()) wait(interrupt_i.posedge_event());
    const std::uint32_t pending = read(kInterrupt);
    EXPECT_EQ(write(kInterrupt, pending), tlm::TLM_OK_RESPONSE);
    wait(sc_time(20, SC_NS));
    EXPECT_FALSE(interrupt_i.read());
    return pending;
  }
  std::uint32_t copy(CopyOp op, std::uint32_t device, std::uint64_t host, std::uint32_t bytes) {
    const std::uint32_t words[] = {device, bytes, static_cast<std::uint32_t>(host),
                                   static_cast<std::uint32_t>(host >> 32)};
    EXPECT_EQ(bus.write(kCopyDevice, words, sizeof words), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(write(kCopyOp, static_cast<std::uint32_t>(op)), tlm::TLM_OK_RESPONSE);
    return wait_for_interrupt();
  }
};

class GpuDeviceTest : public testing::SystemCTest {
 protected:
  /// Runs `body` on a platform of its own; the checkers must find nothing.
  void run(TlmTiming timing, const std::function<void(Program&, HostRam&, GpuDevice&)>& body) {
    renew_context();
    HostRam ram("ram");
    GpuDevice device("device", load_config("tiny"), timing);
    Program program("program", timing);
    BaseProtocolChecker registers("registers", BaseProtocolChecker::Behind::kTarget);
    BaseProtocolChecker memory("memory", BaseProtocolChecker::Behind::kTarget);
    sc_core::sc_signal<bool> interrupt("interrupt");
    program.bus.socket.bind(registers.in);
    registers.out.bind(device.registers);
    device.memory.socket.bind(memory.in);
    memory.out.bind(ram.socket);
    device.interrupt_o(interrupt);
    program.interrupt_i(interrupt);
    program.body = [&](Program& self) { body(self, ram, device); };
    sc_core::sc_start(sc_time(20, sc_core::SC_MS));
    EXPECT_TRUE(program.ended);
    for (const BaseProtocolChecker* checker : {&registers, &memory}) {
      EXPECT_EQ(checker->violations(), std::vector<std::string>{});
      EXPECT_EQ(checker->unfinished(), 0u) << checker->name();
    }
    EXPECT_GT(registers.transactions(), 0u);
  }
};

TEST_F(GpuDeviceTest, RegistersRefuseWhatTheyCannotDo) {
  for (const TlmTiming timing : {TlmTiming::kLoose, TlmTiming::kApproximate}) {
    run(timing, [](Program& program, HostRam&, GpuDevice&) {
      EXPECT_EQ(program.read(kId), kIdValue);
      EXPECT_EQ(program.read(kStatus), 0u);
      std::uint32_t words[2] = {1, 2};
      EXPECT_EQ(program.bus.read(0x1000, words, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(program.bus.read(0xffc, words, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(program.bus.read(~std::uint64_t{3}, words, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(program.bus.read(0x1c, words, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // between registers
      EXPECT_EQ(program.bus.read(kId + 2, words, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(program.bus.read(kId, words, 2), tlm::TLM_BURST_ERROR_RESPONSE);
      EXPECT_EQ(program.write(kId, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
      EXPECT_EQ(program.bus.read(kPushWindow, words, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
      EXPECT_EQ(program.write(kCopyOp, 5), tlm::TLM_GENERIC_ERROR_RESPONSE);
      // All words of a burst or none: the second is read-only.
      EXPECT_EQ(program.bus.write(kInterruptEnable, words, 8), tlm::TLM_COMMAND_ERROR_RESPONSE);
      EXPECT_EQ(program.read(kInterruptEnable), 0u);
      EXPECT_EQ(program.bus.write(kCopyDevice, words, 8), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(program.read(kCopyBytes), 2u);
    });
  }
}

TEST_F(GpuDeviceTest, CopiesOfOddSizesMakeTheRoundTripOverTheBus) {
  for (const TlmTiming timing : {TlmTiming::kLoose, TlmTiming::kApproximate}) {
    run(timing, [](Program& program, HostRam& ram, GpuDevice&) {
      std::mt19937 random(7);
      for (auto& byte : ram.bytes) byte = static_cast<std::uint8_t>(random());
      program.write(kInterruptEnable, kInterruptCopy | kInterruptError);
      constexpr std::uint32_t kTo = 30'000;  // of host memory; the copies come back behind it
      for (const std::uint32_t bytes : {1u, 127u, 4096u, 9001u, 20'000u}) {
        const std::uint32_t offset = bytes % 61, device = 0x10000 + bytes % 13;
        EXPECT_EQ(program.copy(CopyOp::kToDevice, device, HostRam::kFirst + offset, bytes), kInterruptCopy);
        EXPECT_EQ(program.copy(CopyOp::kFromDevice, device, HostRam::kFirst + kTo, bytes), kInterruptCopy);
        EXPECT_EQ(std::memcmp(&ram.bytes[offset], &ram.bytes[kTo], bytes), 0) << bytes;
      }
      program.write(kCopyFill, 0x04030201);
      EXPECT_EQ(program.copy(CopyOp::kFill, 0x10000, 0, 8), kInterruptCopy);
      EXPECT_EQ(program.copy(CopyOp::kFromDevice, 0x10002, HostRam::kFirst, 4), kInterruptCopy);
      EXPECT_EQ(ram.bytes[0], 3);
      EXPECT_EQ(ram.bytes[3], 2);
    });
  }
}

TEST_F(GpuDeviceTest, AnErrorOfTheBusEndsTheCopyAndTheFetch) {
  run(TlmTiming::kLoose, [](Program& program, HostRam&, GpuDevice&) {
    program.write(kInterruptEnable, kInterruptCopy | kInterruptFetched | kInterruptError);
    const std::uint64_t last = HostRam::kFirst + (64 << 10) - 5000;
    EXPECT_EQ(program.copy(CopyOp::kToDevice, 0x10000, last, 9000), kInterruptCopy | kInterruptError);
    EXPECT_EQ(program.copy(CopyOp::kFromDevice, 0x10000, last, 9000), kInterruptCopy | kInterruptError);
    program.write(kPushAddressLow, 0);
    program.write(kPushAddressHigh, 0);
    program.write(kPushWords, 10);
    EXPECT_EQ(program.wait_for_interrupt(), kInterruptError);
    EXPECT_EQ(program.read(kPushWords), 0u);
    EXPECT_EQ(program.copy(CopyOp::kToDevice, 0x10000, HostRam::kFirst, 100), kInterruptCopy);  // and it goes on
  });
}

// The class is not bound, so the launch is refused: all of it is seen at the registers.
TEST_F(GpuDeviceTest, WordsOfTheWindowAndOfHostMemoryReachTheCommandProcessor) {
  run(TlmTiming::kApproximate, [](Program& program, HostRam& ram, GpuDevice& device) {
    program.write(kInterruptEnable, kInterruptFetched);
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < 500; ++i) {  // more than the device holds
      words.push_back(encode_header({method::kGridId, 0, 1, false}));
      words.push_back(i);
    }
    words.push_back(encode_header({method::kLaunch, 0, 1, false}));
    words.push_back(0);
    for (std::size_t first = 0; first < words.size(); first += 256) {
      const auto count = std::min<std::size_t>(256, words.size() - first);
      EXPECT_EQ(program.bus.write(kPushWindow, &words[first], static_cast<unsigned>(4 * count)), tlm::TLM_OK_RESPONSE);
    }
    while (program.read(kStatus) != 0) {
    }
    EXPECT_EQ(program.read(kLaunches), 1u);
    EXPECT_EQ(program.read(kOutcome), static_cast<std::uint32_t>(LaunchOutcome::kRefused) |
                                          static_cast<std::uint32_t>(LaunchError::kNoClass) << 8);
    EXPECT_EQ(device.gpu.command_processor.counters().words, words.size());

    std::memcpy(ram.bytes.data(), words.data(), 4 * words.size());
    program.write(kPushAddressHigh, static_cast<std::uint32_t>(HostRam::kFirst >> 32));
    program.write(kPushAddressLow, 0);
    program.write(kPushWords, static_cast<std::uint32_t>(words.size()));
    EXPECT_EQ(program.write(kPushWords, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);  // it fetches
    EXPECT_EQ(program.write(kPushWindow, 0), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(program.wait_for_interrupt(), kInterruptFetched);
    while (program.read(kStatus) != 0) {
    }
    EXPECT_EQ(program.read(kLaunches), 2u);
    EXPECT_EQ(device.gpu.command_processor.counters().words, 2 * words.size());
  });
}

TEST(VirtualPlatform, SoftwareLaunchesVecAddThroughRegistersInBothStyles) {
  for (const std::string style : {"loose", "approximate"}) {
    const test::Outcome outcome = test::shell(G80_VIRTUAL_PLATFORM " " + style + " tiny");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("fence 1, 1 launch, outcome 000001\n"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find(style + ": 0 of 1000 elements differ"), std::string::npos) << outcome.output;
    for (const char* checker : {"of_software", "of_registers", "of_device"}) {
      const std::size_t line = outcome.output.find(checker);
      ASSERT_NE(line, std::string::npos) << outcome.output;
      EXPECT_EQ(outcome.output.find(": 0 transactions", line), std::string::npos) << outcome.output;
      EXPECT_NE(outcome.output.find(" transactions, 0 violations of the base protocol\n", line), std::string::npos);
    }
  }
  EXPECT_EQ(test::shell(G80_VIRTUAL_PLATFORM " exact").code, 2);
}

}  // namespace
}  // namespace g80
