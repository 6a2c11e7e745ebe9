// SPDX-License-Identifier: Apache-2.0
// A virtual platform: a model of software, a bus, memory, and the GPU as a device. The software launches vec_add
// through registers; docs/tlm.md explains it.
//
//     build/release/bin/virtual_platform [loose|approximate [PRESET [FILE.sasm]]]
//
//   software ─► checker ─► bus ─► checker ─► GPU registers
//   GPU ──────► checker ─►     └► memory
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <systemc>
#include <vector>

#include "hw/config/data_folder.h"
#include "hw/host/compute_class.h"
#include "tb/driver/address_space.h"
#include "tb/driver/module_image.h"
#include "tb/driver/push_buffer.h"
#include "tb/tlm/base_protocol_checker.h"
#include "tb/tlm/gpu_device.h"
#include "toolchain/assembler/assembler.h"

namespace {

using g80::TlmInitiator;
using g80::TlmTiming;
using sc_core::sc_time;
namespace device = g80::tlm_device;
namespace method = g80::method;

constexpr std::uint64_t kMemoryBytes = 1 << 20, kDeviceBase = 0xf000'0000;

class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), bytes_(kMemoryBytes) {
    socket.register_b_transport(this, &Memory::transport);
  }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    delay += sc_time(60, sc_core::SC_NS);
    if (payload.get_byte_enable_ptr() != nullptr) {
      payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (payload.get_address() + payload.get_data_length() > bytes_.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else {
      std::uint8_t* const at = &bytes_[payload.get_address()];
      if (payload.is_read()) std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
      if (payload.is_write()) std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  }
  std::vector<std::uint8_t> bytes_;
};

/// Two initiators, two targets. Sockets of the library turn the phases of initiators into b_transport.
class Bus : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Bus> from_software{"from_software"}, from_device{"from_device"};
  TlmInitiator to_memory, to_device;
  Bus(const sc_core::sc_module_name& name, TlmTiming timing)
      : sc_module(name), to_memory("to_memory", timing), to_device("to_device", timing) {
    from_software.register_b_transport(this, &Bus::transport);
    from_device.register_b_transport(this, &Bus::transport);
  }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    wait(delay + sc_time(10, sc_core::SC_NS));
    delay = sc_core::SC_ZERO_TIME;
    const sc_dt::uint64 address = payload.get_address();
    const bool of_device = address >= kDeviceBase;
    payload.set_response_status((of_device ? to_device : to_memory)
                                    .transfer(payload.get_command(), of_device ? address - kDeviceBase : address,
                                              payload.get_data_ptr(), payload.get_data_length()));
  }
};

/// What a driver does: memory of the device, program, push buffer.
class Software : public sc_core::sc_module {
 public:
  TlmInitiator bus;
  sc_core::sc_in<bool> interrupt_i{"interrupt_i"};
  int wrong = -1;  // elements, once the program has run

  SC_HAS_PROCESS(Software);
  Software(const sc_core::sc_module_name& name, TlmTiming timing, const g80::Config& config, const g80::Module& program)
      : sc_module(name), bus("bus", timing), config_(config), program_(program), space_(config.device.memory_bytes) {
    SC_THREAD(run);
  }

 private:
  static constexpr std::uint64_t kStaging = 0x1000, kPushBuffer = 0x80000;  // in host memory

  void write_register(std::uint32_t offset, std::uint32_t value) {
    if (bus.write(kDeviceBase + offset, &value, 4) != tlm::TLM_OK_RESPONSE)
      SC_REPORT_FATAL(name(), ("register " + std::to_string(offset) + " refused a write").c_str());
  }
  std::uint32_t read_register(std::uint32_t offset) {
    std::uint32_t value = 0;
    if (bus.read(kDeviceBase + offset, &value, 4) != tlm::TLM_OK_RESPONSE)
      SC_REPORT_FATAL(name(), ("register " + std::to_string(offset) + " refused a read").c_str());
    return value;
  }
  void wait_for_interrupt(std::uint32_t bit) {
    while (true) {
      if (!interrupt_i.read()) wait(interrupt_i.posedge_event());
      const std::uint32_t pending = read_register(device::kInterrupt);
      if ((pending & device::kInterruptError) != 0) SC_REPORT_FATAL(name(), "the device could not reach host memory");
      write_register(device::kInterrupt, pending);
      wait(sc_time(100, sc_core::SC_NS));  // the level falls
      if ((pending & bit) != 0) return;
    }
  }
  void copy(g80::CopyOp op, std::uint32_t address, std::uint32_t bytes) {
    write_register(device::kCopyDevice, address);
    write_register(device::kCopyBytes, bytes);
    write_register(device::kCopyHostLow, kStaging);
    write_register(device::kCopyHostHigh, 0);
    write_register(device::kCopyOp, static_cast<std::uint32_t>(op));
    wait_for_interrupt(device::kInterruptCopy);
  }
  void upload(std::uint32_t physical, const void* from, std::uint32_t bytes) {
    bus.write(kStaging, from, bytes);
    copy(g80::CopyOp::kToDevice, physical, bytes);
  }
  g80::Mapping map(std::uint32_t bytes) {
    const g80::Mapping mapping = *space_.map(bytes);
    for (const g80::TableChange& change : space_.changes()) upload(change.physical, change.entries, 8 * change.count);
    copy(g80::CopyOp::kSetPageDirectory, space_.page_directory(), 0);
    return mapping;
  }
  /// Puts the words into host memory; the device fetches and obeys them.
  void submit(const g80::PushBuffer& buffer) {
    const std::vector<std::uint32_t>& words = buffer.words();
    bus.write(kPushBuffer, words.data(), static_cast<unsigned>(4 * words.size()));
    write_register(device::kPushAddressLow, kPushBuffer);
    write_register(device::kPushAddressHigh, 0);
    write_register(device::kPushWords, static_cast<std::uint32_t>(words.size()));
    wait_for_interrupt(device::kInterruptFence);
  }

  void run() {
    constexpr std::uint32_t kCount = 1000, kBlock = 64, kBytes = 4 * kCount;
    write_register(device::kInterruptEnable,
                   device::kInterruptFence | device::kInterruptCopy | device::kInterruptError);
    const g80::Kernel& kernel = program_.kernels.front();
    const std::vector<std::uint32_t> code = g80::make_module_image(program_).code;
    const g80::Mapping code_at = map(static_cast<std::uint32_t>(4 * code.size())), fence = map(16);
    upload(code_at.physical, code.data(), static_cast<std::uint32_t>(4 * code.size()));
    std::vector<float> a(kCount), b(kCount), c(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i)
      a[i] = static_cast<float>(i), b[i] = 0.5f * static_cast<float>(kCount - i);
    const g80::Mapping at_a = map(kBytes), at_b = map(kBytes), at_c = map(kBytes);
    upload(at_a.physical, a.data(), kBytes);
    upload(at_b.physical, b.data(), kBytes);

    g80::PushBuffer buffer;
    buffer.write(method::kBindClass, {g80::kComputeClassG80});
    buffer.write(method::kLanes32Enable, {1});
    buffer.write(method::kRegMode, {g80::kRegModeStriped});
    buffer.write(method::kStackSizeLog, {0});
    buffer.write(method::kGlobal + 14 * method::kGlobalStride, {0, 0, 0, 0xffffffff, 1});  // g14: all of memory
    buffer.write(method::kCpAddressHigh, {0, code_at.address});
    buffer.write(method::kCpStartId, {0});
    buffer.write(method::kCpRegAllocTemp, {kernel.reg});
    buffer.write(method::kSharedSize, {64});
    buffer.write(method::kUserParamCount, {4 << 8});
    buffer.write(method::kUserParam, {at_a.address, at_b.address, at_c.address, kCount});
    buffer.write(method::kGridDim, {1 << 16 | (kCount + kBlock - 1) / kBlock});
    buffer.write(method::kBlockdimXy, {1 << 16 | kBlock, 1});
    buffer.write(method::kBlockAlloc, {kBlock});
    buffer.write(method::kBlockdimLatch, {1});
    buffer.write(method::kCodeCbFlush, {0});
    buffer.write(method::kLaunch, {0});
    buffer.write(method::kQueryAddressHigh, {0, fence.address, 1, 0});
    submit(buffer);

    const std::uint32_t outcome = read_register(device::kOutcome);
    std::printf("fence %u, %u launch, outcome %06x\n", read_register(device::kFence), read_register(device::kLaunches),
                outcome);
    copy(g80::CopyOp::kFromDevice, at_c.physical, kBytes);
    bus.read(kStaging, c.data(), kBytes);
    wrong = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) wrong += c[i] != a[i] + b[i];
    sc_core::sc_stop();
  }

  const g80::Config& config_;
  const g80::Module& program_;
  g80::AddressSpace space_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  const std::string style = argc > 1 ? argv[1] : "loose";
  if (style != "loose" && style != "approximate") {
    std::fprintf(stderr, "virtual_platform: '%s': allowed are loose and approximate\n", style.c_str());
    return 2;
  }
  const TlmTiming timing = style == "loose" ? TlmTiming::kLoose : TlmTiming::kApproximate;
  const g80::Config config = g80::load_config(argc > 2 ? argv[2] : "8600gts");
  const g80::Module program =
      g80::assemble_file(argc > 3 ? argv[3] : g80::data_path("kernels/vec_add/vec_add.sasm").string());

  using Checker = g80::BaseProtocolChecker;
  Software software("software", timing, config, program);
  Bus bus("bus", timing);
  Memory memory("memory");
  g80::GpuDevice gpu("gpu", config, timing);
  Checker of_software("of_software"), of_registers("of_registers", Checker::Behind::kTarget), of_device("of_device");
  sc_core::sc_signal<bool> interrupt("interrupt");
  software.bus.socket.bind(of_software.in);
  of_software.out.bind(bus.from_software);
  bus.to_device.socket.bind(of_registers.in);
  of_registers.out.bind(gpu.registers);
  gpu.memory.socket.bind(of_device.in);
  of_device.out.bind(bus.from_device);
  bus.to_memory.socket.bind(memory.socket);
  gpu.interrupt_o(interrupt);
  software.interrupt_i(interrupt);
  sc_core::sc_start(sc_time(100, sc_core::SC_MS));

  std::size_t violations = 0;
  for (const Checker* checker : {&of_software, &of_registers, &of_device}) {
    violations += checker->violations().size() + checker->unfinished();
    std::printf("%s: %llu transactions, %zu violations of the base protocol\n", checker->name(),
                static_cast<unsigned long long>(checker->transactions()), checker->violations().size());
    for (const std::string& sentence : checker->violations()) std::printf("  %s\n", sentence.c_str());
  }
  const auto& launches = gpu.gpu.command_processor.launches();
  if (launches.empty() || software.wrong < 0) {
    std::fprintf(stderr, "virtual_platform: vec_add has not ended after 100 ms\n");
    return 3;
  }
  const g80::Cycle core_cycles = launches.back().ended_edge - launches.back().accepted_edge;
  std::printf("%s: %d of 1000 elements differ, %.3f us from doorbell to end\n", style.c_str(), software.wrong,
              static_cast<double>(gpu.gpu.core.edge_time(core_cycles)) / 1e6);
  return software.wrong == 0 && violations == 0 ? 0 : 1;
}
