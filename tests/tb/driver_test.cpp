// SPDX-License-Identifier: Apache-2.0
// The driver on the host side of the chip: command processor, copy engine, chip port and TLB are real, memory and SMs
// are stubs. Addresses, contents, launches and refusals are what a CUDA program would see.
#include "tb/driver/driver.h"

#include <random>

#include "hw/cache/tlb.h"
#include "hw/gpu/chip_port.h"
#include "hw/host/host_link.h"
#include "tests/support/grid_stub.h"
#include "tests/support/level.h"
#include "tests/support/memory_stub.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct HostSide {
  explicit HostSide(const Config& config_in)
      : config(config_in),
        shader("shader", 0, config.clock.shader_mhz, config.clock.reset_cycles, false),
        core("core", 1, config.clock.core_mhz, config.clock.reset_cycles, false),
        processor("processor", config),
        copy("copy", config),
        host_link("host_link", config),
        port("port"),
        tlb("tlb", config),
        memory("memory", config.device.memory_bytes, 1, false),
        grids("grids"),
        push("push", nullptr, &core, 64, 2),
        orders("orders", nullptr, &core, 4, 2),
        fences("fences", &core, nullptr, 4, 2),
        copies("copies", &core, nullptr, 4, 2) {
    processor.push_i(push);
    processor.event_o(fences);
    processor.launch_o(launch);
    processor.grid_o(grid);
    processor.status_i(status);
    processor.request_o(command);
    processor.request_ready_i(command_ready);
    processor.copy_idle_i(copy_idle);
    processor.hold_copies_o(hold_copies);
    copy.hold_i(hold_copies);
    processor.tlb_flush_orders_i(flush_orders);
    processor.memory_idle_i(memory_idle);
    processor.code_flush_o(code_flush);
    processor.texture_flush_o(texture_flush);
    processor.tlb_flush_o(tlb_flush);
    grids.grid_i(grid);
    grids.status_o(status);
    copy.order_i(orders);
    copy.event_o(copies);
    copy.packet_o(packet);
    copy.packet_ready_i(packet_ready);
    copy.completion_i(completion);
    copy.sent_i(sent);
    host_link.packet_i[0](packet);
    host_link.packet_ready_o[0](packet_ready);
    host_link.packet_i[1](no_packet);
    host_link.packet_ready_o[1](no_packet_ready);
    host_link.completion_o[0](completion);
    host_link.completion_o[1](no_completion);
    host_link.sent_o[0](sent);
    host_link.sent_o[1](nothing_sent);
    host_link.host_memory(host_memory);
    copy.request_o(copy_request);
    copy.request_ready_i(copy_ready);
    copy.reply_i(copy_reply);
    copy.idle_o(copy_idle);
    copy.tlb_flush_orders_o(flush_orders);
    copy.page_directory_o(page_directory);
    port.command_i(command);
    port.command_ready_o(command_ready);
    port.line_i(line);
    port.line_ready_o(line_ready);
    port.tlb_o(to_tlb);
    port.tlb_ready_i(tlb_ready);
    port.translated_i(translated);
    port.translated_ready_o(translated_ready);
    port.refusal_i(refusal);
    port.refusal_ready_o(refusal_ready);
    port.copy_i(copy_request);
    port.copy_ready_o(copy_ready);
    port.request_o(request);
    port.request_ready_i(ready);
    port.reply_i(reply);
    port.reply_ready_o(reply_ready);
    port.copy_reply_o(copy_reply);
    port.line_reply_o(line_reply);
    port.line_reply_ready_i(line_reply_ready);
    port.walk_reply_o(walk);
    port.walk_reply_ready_i(walk_ready);
    port.idle_o(port_idle);
    tlb.request_i(to_tlb);
    tlb.ready_o(tlb_ready);
    tlb.request_o(translated);
    tlb.ready_i(translated_ready);
    tlb.walk_i(walk);
    tlb.walk_ready_o(walk_ready);
    tlb.fault_o(refusal);
    tlb.fault_ready_i(refusal_ready);
    tlb.page_directory_i(page_directory);
    tlb.flush_i(tlb_flush);
    tlb.question_o(question);
    tlb.question_ready_i(question_ready);
    tlb.answer_i(answer);
    tlb.idle_o(tlb_idle);
    memory.request_i(request);
    memory.request_ready_o(ready);
    memory.reply_o(reply);
    core.add(processor);
    core.add(copy);
    core.add(host_link);
    core.add(port);
    core.add(tlb);
    core.add(memory);
    core.add(grids);
    line_reply_ready.write(true);
    // Memory powers up with anything in it.
    std::mt19937 random(4);
    for (auto& byte : memory.memory) byte = static_cast<std::uint8_t>(random());
  }
  DeviceLink link() { return {push, orders, fences, copies, processor, copy, host_memory, shader, core}; }
  std::uint32_t word(std::uint32_t physical) const {
    std::uint32_t value;
    std::memcpy(&value, &memory.memory.at(physical), 4);
    return value;
  }

  Config config;
  Domain shader, core;
  CommandProcessor processor;
  CopyEngine copy;
  HostLink host_link;
  ChipPort port;
  Tlb tlb;
  testing::MemoryStub memory;
  testing::GridStub grids;
  HostMemory host_memory{"host_memory"};
  CrossingFifo<PushWords> push;
  CrossingFifo<CopyOrder> orders;
  CrossingFifo<HostEvent> fences, copies;
  Wire<GridStart> grid{"grid"};
  Wire<LaunchBeat> launch{"launch"};
  Wire<GridStatus> status{"status"};
  Wire<MemRequest> command{"command"}, line{"line"}, to_tlb{"to_tlb"}, translated{"translated"};
  Wire<MemRequest> copy_request{"copy_request"}, request{"request"};
  Wire<MemReply> reply{"reply"}, copy_reply{"copy_reply"}, line_reply{"line_reply"}, walk{"walk"}, refusal{"refusal"};
  Wire<TlbQuestion> question{"question"};  // no second level: nobody asks
  Wire<TlbAnswer> answer{"answer"};
  Wire<bool> question_ready{"question_ready"};
  Wire<bool> command_ready{"command_ready"}, line_ready{"line_ready"}, tlb_ready{"tlb_ready"}, ready{"ready"};
  Wire<bool> translated_ready{"translated_ready"}, refusal_ready{"refusal_ready"}, copy_ready{"copy_ready"};
  Wire<bool> reply_ready{"reply_ready"}, line_reply_ready{"line_reply_ready"}, walk_ready{"walk_ready"};
  Wire<LinkPacket> packet{"packet"}, completion{"completion"}, no_packet{"no_packet"}, no_completion{"no_completion"};
  Wire<bool> packet_ready{"packet_ready"}, sent{"sent"}, no_packet_ready{"no_packet_ready"},
      nothing_sent{"nothing_sent"};
  Wire<bool> hold_copies{"hold_copies"}, copy_idle{"copy_idle"}, port_idle{"port_idle"}, tlb_idle{"tlb_idle"};
  testing::Level memory_idle{"memory_idle", [this] { return memory.idle() && tlb_idle.read() && port_idle.read(); }};
  Wire<std::uint32_t> code_flush{"code_flush"}, texture_flush{"texture_flush"}, tlb_flush{"tlb_flush"};
  Wire<std::uint32_t> flush_orders{"flush_orders"}, page_directory{"page_directory"};
};

Config small() { return load_config("tiny", {"device.memory_bytes=4194304", "tlb.l2_entries=0"}); }

Module two_kernels() {
  Module module;
  module.name = "program";
  for (const char* name : {"first", "second"}) {
    Kernel kernel;
    kernel.name = name;
    kernel.reg = 6;
    kernel.smem = 0x18;
    kernel.code = {0x10001003, 0x00000780, 0xf0000001, 0xe0000001};  // bra 0x8; nop
    module.kernels.push_back(kernel);
  }
  module.kernels[1].constants.push_back({kLiteralBank, 4, {0xabcd, 0xef01}});
  module.constants.push_back({"table", kUserConstantBank, 8, 8, DataType::kU32, {7, 9}});
  module.device_variables.push_back({"counter", kDeviceAddressBank, 4, 4, DataType::kU32, {42}});
  module.textures.push_back({"image", 3});
  return module;
}

using DriverTest = testing::SystemCTest;

TEST_F(DriverTest, BuffersAreSeparateAndKeepTheirContents) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  const unsigned seed = 21;
  std::mt19937 random(seed);
  std::vector<std::vector<std::uint8_t>> contents;
  std::vector<std::uint32_t> address;
  for (const std::uint32_t bytes : {1u, 127u, 65536u, 65537u, 1000u}) {
    address.push_back(driver.alloc(bytes, "buffer"));
    contents.emplace_back(bytes);
    for (auto& byte : contents.back()) byte = static_cast<std::uint8_t>(random());
    driver.copy_to_device(address.back(), contents.back().data(), bytes);
  }
  for (std::size_t i = 0; i < address.size(); ++i) {
    std::vector<std::uint8_t> back(contents[i].size());
    driver.copy_from_device(back.data(), address[i], static_cast<std::uint32_t>(back.size()));
    EXPECT_EQ(back, contents[i]) << i << ", seed " << seed;
  }
  driver.fill({address[4] + 3, 9}, 0x04030201);
  std::uint8_t bytes[12];
  driver.copy_from_device(bytes, address[4] + 3, 9);
  EXPECT_EQ(bytes[0], 4);
  EXPECT_EQ(bytes[1], 1);
}

TEST_F(DriverTest, StartedCopiesEndInTheirOrderAndOtherRequestsWaitForThem) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  const std::uint32_t address = driver.alloc(8 * 1000, "buffer");
  std::vector<std::uint8_t> in(8 * 1000), out(8 * 1000), back(8 * 1000);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 7);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 4; ++i) {
    numbers.push_back(driver.start_copy(CopyOp::kToDevice, address + i * 2000, in.data() + i * 2000, 2000));
    numbers.push_back(driver.start_copy(CopyOp::kFromDevice, address + i * 2000, out.data() + i * 2000, 2000));
  }
  EXPECT_TRUE(driver.copies_running()) << "more orders than the queues hold";
  driver.copy_from_device(back.data(), address, 8 * 1000);
  EXPECT_FALSE(driver.copies_running());
  EXPECT_EQ(back, in);
  EXPECT_EQ(out, in);
  const std::vector<CopyEnd> ended = driver.take_ended_copies();
  ASSERT_EQ(ended.size(), numbers.size());
  for (std::size_t i = 0; i < ended.size(); ++i) {
    EXPECT_EQ(ended[i].number, numbers[i]);
    if (i != 0) {
      EXPECT_GT(ended[i].time, ended[i - 1].time);
    }
  }
  EXPECT_FALSE(driver.has_ended_copies());
  EXPECT_THROW(driver.start_copy(CopyOp::kToDevice, address + 4000, in.data(), 4001), DriverError);
}

TEST_F(DriverTest, AGuardPageFollowsEveryGuardedAllocationAndNullIsUnmapped) {
  AddressSpace space(16 << 20);
  std::mt19937 random(2);
  std::vector<Mapping> live;
  std::map<std::uint32_t, std::uint64_t> pages;  // virtual page -> entry, as the tables say
  for (int i = 0; i < 300; ++i) {
    const Placement placement = random() % 3 == 0 ? Placement::kHeap : Placement::kGuarded;
    if (live.size() > 5 && random() % 2 == 0) {
      const std::size_t k = random() % live.size();
      space.unmap(live[k]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(k));
    } else if (const auto mapping = space.map(1 + random() % 400000, placement)) {
      live.push_back(*mapping);
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> spans, frames;
    for (const Mapping& m : live) {
      const bool guarded = m.placement == Placement::kGuarded;
      ASSERT_NE(m.address, 0u);
      ASSERT_EQ(m.address < kHeapStart, guarded);
      spans.push_back({m.address, std::uint64_t{m.address} + m.bytes + (guarded ? page_table::kPageBytes : 0)});
      frames.push_back({m.physical, std::uint64_t{m.physical} + m.bytes});
    }
    for (auto* list : {&spans, &frames}) {
      std::sort(list->begin(), list->end());
      for (std::size_t k = 1; k < list->size(); ++k) ASSERT_LE((*list)[k - 1].second, (*list)[k].first);
    }
  }
  for (const Mapping& m : live) space.unmap(m);
  EXPECT_EQ(space.free_bytes(), (16u << 20) - 2 * page_table::kPageBytes);  // the directory and one table stay
  const auto one = space.map(100'000, Placement::kHeap), next = space.map(1, Placement::kHeap);
  EXPECT_EQ(one->address, kHeapStart);
  EXPECT_EQ(next->address, one->address + one->bytes) << "blocks of the heap follow one another";
}

TEST(AddressSpace, PutsTheLastAtTheEndOfMemoryAndMovesNothingElse) {
  AddressSpace with(16u << 20), without(16u << 20);
  EXPECT_EQ(with.map(1)->physical, without.map(1)->physical);
  const auto last = with.map(200'000, Placement::kLast);
  EXPECT_EQ(last->physical + last->bytes, 16u << 20);
  EXPECT_GE(last->address, kLastStart);
  for (const Placement placement : {Placement::kGuarded, Placement::kHeap}) {
    const auto one = with.map(100'000, placement), other = without.map(100'000, placement);
    EXPECT_EQ(one->address, other->address);
    EXPECT_EQ(one->physical, other->physical);
  }
  EXPECT_FALSE(with.map(16u << 20, Placement::kLast)) << "there is no room";
}

TEST(AddressSpace, MapsHostMemoryWithoutDeviceMemory) {
  AddressSpace space(16u << 20);
  const auto before = space.map(1);
  const std::uint64_t free_bytes = space.free_bytes(), bus = page_table::kHostWindow + 0x50000;
  const auto mapping = space.map_host(bus, 2 * page_table::kPageBytes);
  EXPECT_EQ(mapping->address, before->address + 2 * page_table::kPageBytes) << "behind a guard page";
  EXPECT_EQ(space.free_bytes(), free_bytes);
  const auto entries = [&] {
    const std::uint64_t* const first = space.changes().front().entries;
    return std::vector<std::uint64_t>(first, first + mapping->address / page_table::kPageBytes + 3);
  };
  const std::vector<std::uint64_t> mapped = entries();  // a new table is listed whole
  for (unsigned page = 0; page < 3; ++page) {
    const page_table::Entry entry =
        page_table::decode_page_entry(mapped[mapping->address / page_table::kPageBytes + page]);
    EXPECT_EQ(entry.present, page < 2);
    EXPECT_EQ(entry.host, page < 2);
    if (page < 2) {
      EXPECT_EQ(entry.address, bus + std::uint64_t{page} * page_table::kPageBytes);
    }
  }
  space.unmap(*mapping);
  EXPECT_EQ(space.free_bytes(), free_bytes);
  EXPECT_EQ(space.changes().front().count, 2u);
}

TEST_F(DriverTest, CopiesDoNotReachMappedHostMemoryAndItIsFreeAfterwards) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  std::vector<std::uint8_t> host(page_table::kPageBytes);
  std::uint32_t word = 0;
  const std::uint32_t address = driver.map_host(host.data(), page_table::kPageBytes, "mapped");
  EXPECT_THROW(driver.copy_to_device(address, &word, 4), DriverError);
  EXPECT_THROW(driver.copy_from_device(&word, address, 4), DriverError);
  const std::uint64_t bus = driver.allocations().at(address).mapping.bus;
  chip.host_memory.read(bus, &word, 4);
  driver.free(address);
  EXPECT_THROW(chip.host_memory.read(bus, &word, 4), ModelError) << "it is no longer pinned";
}

void launch(Driver& driver, const Config& config, const char* name, const Launch::Extent& grid = {1, 1, 1},
            const Launch::Extent& block = {1, 1, 1}, const std::vector<std::uint32_t>& params = {},
            std::uint64_t max_cycles = 0) {
  const LoadedKernel& kernel = driver.kernel(name);
  driver.launch(kernel, {config, *kernel.kernel, grid, block, params, 0, max_cycles});
}

TEST_F(DriverTest, TheTablesInMemoryTranslateTheFence) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  launch(driver, chip.config, "first", {3, 2, 1}, {32, 1, 1}, {0x04030201, 0x08070605});
  EXPECT_TRUE(driver.running());
  EXPECT_EQ(driver.wait(), WaitEnd::kDone);
  EXPECT_EQ(driver.last_launch().record.outcome, LaunchOutcome::kComplete);
  EXPECT_GT(driver.last_launch().shader_cycles, 2 * chip.grids.length);
  const Allocation& fence = driver.allocations().begin()->second;
  EXPECT_EQ(fence.name, "fence");
  EXPECT_EQ(chip.word(fence.mapping.physical), 1u);
  EXPECT_EQ(chip.port.counters().refused_writes, 0u);
  const LaunchState& launch = chip.processor.launch_state();
  EXPECT_EQ(launch.grid_x, 3u);
  EXPECT_EQ(launch.grid_y, 2u);
  EXPECT_EQ(launch.registers, 6u);
  EXPECT_EQ(launch.shared_bytes, 64u);
  EXPECT_EQ(launch.num_params, 2u);
  EXPECT_EQ(chip.processor.launch_params()[1], 0x08070605u);
  EXPECT_TRUE(launch.global[14].enabled);
  EXPECT_EQ(launch.stack_depth, chip.config.sm.stack_depth);
}

TEST_F(DriverTest, AModuleIsPlacedRelocatedAndLinked) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  const LoadedKernel& first = driver.kernel("first");
  const LoadedKernel& second = driver.kernel("second");
  EXPECT_EQ(first.start, 0u);
  EXPECT_EQ(second.start, kKernelAlignment);
  const auto word_at = [&](std::uint32_t address) {
    std::uint32_t value;
    driver.copy_from_device(&value, address, 4);
    return value;
  };
  isa::Instruction branch;
  const std::uint32_t at = second.code_base + second.start;
  ASSERT_EQ(isa::decode(word_at(at), word_at(at + 4), isa::Arch::kSm10, branch), isa::DecodeError::kNone);
  EXPECT_EQ(branch.target, kKernelAlignment + 8);
  EXPECT_EQ(word_at(at + 8), 0xf0000001u);
  EXPECT_EQ(word_at(first.bank[0].address + 12), 9u);
  EXPECT_EQ(word_at(second.bank[1].address + 8), 0xef01u);
  EXPECT_EQ(first.bank[1].bytes, 0u);
  const std::uint32_t counter = word_at(first.bank[14].address + 4);
  EXPECT_EQ(counter, driver.device_variable("counter"));
  EXPECT_EQ(word_at(counter), 42u);
  const std::uint32_t value = 1234;
  driver.set_symbol("table", &value, 4, 4);
  EXPECT_EQ(word_at(first.bank[0].address + 12), 1234u);
  EXPECT_EQ(driver.texture_unit("image"), 3u);
}

TEST_F(DriverTest, LaunchesQueueUpAndReportInOrder) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  launch(driver, chip.config, "first");
  launch(driver, chip.config, "second");
  launch(driver, chip.config, "first");
  EXPECT_EQ(driver.wait(), WaitEnd::kDone);
  ASSERT_EQ(driver.launches().size(), 3u);
  EXPECT_EQ(driver.launches()[1].kernel->kernel->name, "second");
  for (const LaunchReport& report : driver.launches()) EXPECT_EQ(report.record.outcome, LaunchOutcome::kComplete);
  EXPECT_EQ(chip.code_flush.read(), 1u);
}

TEST_F(DriverTest, TexturesAndSpacesReachTheLaunch) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  driver.bind_texture(3, {1, 2, 3, 4, 5, 6, 7, 8}, {11, 12});
  driver.set_global(2, true, 0x10000, 0xfff);
  launch(driver, chip.config, "first");
  ASSERT_EQ(driver.wait(), WaitEnd::kDone);
  const LaunchState& launch = chip.processor.launch_state();
  const TextureBindings& textures = chip.processor.texture_bindings();
  EXPECT_TRUE(textures.texture(3).valid);
  EXPECT_FALSE(textures.texture(4).valid);
  std::uint32_t header[8];
  driver.copy_from_device(header, textures.header_base + 3 * kDescriptorBytes, sizeof header);
  EXPECT_EQ(header[7], 8u);
  EXPECT_EQ(launch.global[2].base, 0x10000u);
  EXPECT_EQ(launch.global[2].limit, 0xfffu);
  EXPECT_EQ(chip.texture_flush.read(), 1u);
}

TEST_F(DriverTest, AFaultIsReportedAndTheDeviceRefusesMore) {
  HostSide chip(small());
  chip.grids.faults = true;
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  launch(driver, chip.config, "first");
  EXPECT_EQ(driver.wait(), WaitEnd::kDone);
  EXPECT_EQ(driver.last_launch().record.outcome, LaunchOutcome::kFault);
  EXPECT_EQ(driver.last_launch().record.fault.kind, FaultKind::kPageNotPresent);
  launch(driver, chip.config, "first");
  EXPECT_THROW(driver.wait(), DriverError);
}

TEST_F(DriverTest, TheChipItselfRefusesWhatItCannotRun) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  const LoadedKernel& first = driver.kernel("first");
  Launch larger(chip.config, *first.kernel, {1, 1, 1}, {1, 1, 1});
  larger.shape.block = {513, 1, 1};  // nothing makes such a launch
  driver.launch(first, larger);
  EXPECT_THROW(driver.wait(), DriverError);
}

TEST_F(DriverTest, ALaunchIsJudgedWhenItIsMade) {
  const Config config = small();
  const Module module = two_kernels();
  const auto refused = [&](const Launch::Extent& block, std::size_t params, std::uint64_t dynamic) -> std::string {
    try {
      Launch(config, module.kernels.front(), {1, 1, 1}, block, std::vector<std::uint32_t>(params), dynamic);
    } catch (const LaunchRefused& error) {
      return fmt::format("{}{}", error.of_sizes ? "sizes: " : "", error.what());
    }
    return "";
  };
  EXPECT_EQ(refused({128, 1, 1}, 4, 1024), "");
  EXPECT_THAT(refused({1024, 1, 1}, 0, 0), ::testing::HasSubstr("sizes: block dimension x is 1024"));
  EXPECT_THAT(refused({1, 1, 1}, 65, 0), ::testing::StartsWith("the parameters take 260 bytes"));
  EXPECT_THAT(refused({1, 1, 1}, 0, 0x10000), ::testing::StartsWith("a block takes"));
}

TEST_F(DriverTest, AKernelWithoutEndStopsAtTheCycleLimit) {
  HostSide chip(small());
  chip.grids.length = 100'000'000;
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  launch(driver, chip.config, "first", {1, 1, 1}, {1, 1, 1}, {}, 10'000);
  EXPECT_EQ(driver.wait(), WaitEnd::kMaxCycles);
  EXPECT_THROW(driver.alloc(4, "more"), DriverError);
}

TEST_F(DriverTest, TheWatchCanStopAWait) {
  HostSide chip(small());
  chip.grids.length = 100'000'000;
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  int calls = 0;
  driver.set_watch([&] { return ++calls < 5; }, 1000);
  launch(driver, chip.config, "first");
  EXPECT_EQ(driver.wait(), WaitEnd::kStopped);
  EXPECT_EQ(calls, 5);
}

TEST_F(DriverTest, AnObserverSeesWhatTheHostWrites) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  std::map<std::uint32_t, std::uint8_t> seen;
  driver.set_write_observer([&](std::uint32_t address, const void* data, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) seen[address + i] = static_cast<const std::uint8_t*>(data)[i];
  });
  const std::uint32_t buffer = driver.alloc(100'000, "buffer");
  const char text[] = "tesla";
  driver.copy_to_device(buffer + 1, text, sizeof text);
  EXPECT_EQ(seen[buffer + 1], 't');
  EXPECT_EQ(seen.size(), sizeof text);
}

TEST_F(DriverTest, AnAllocationTakesWholePagesUntilItIsFreed) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.alloc(4, "first");  // the page tables are made with it
  const std::uint64_t free_bytes = driver.free_bytes();
  const std::uint32_t buffer = driver.alloc(100'000, "buffer");
  EXPECT_EQ(free_bytes - driver.free_bytes(), 131072u);
  driver.free(buffer);
  EXPECT_EQ(driver.free_bytes(), free_bytes);
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const DriverError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST_F(DriverTest, WhatCannotBeDoneIsRefusedInOneSentence) {
  HostSide chip(small());
  Driver driver(chip.config, chip.link());
  driver.load_module(two_kernels());
  std::uint32_t word = 0;
  const std::uint32_t buffer = driver.alloc(100, "buffer");
  // clang-format off
  EXPECT_EQ(refusal([&] { driver.alloc(0, "nothing"); }), "allocation 'nothing' has 0 bytes, but must have at least 1");
  EXPECT_NE(refusal([&] { driver.alloc(1u << 30, "huge"); }).find("'huge' of 1073741824 bytes does not fit"), std::string::npos);
  EXPECT_NE(refusal([&] { driver.copy_to_device(buffer + 98, &word, 4); }).find("is not inside"), std::string::npos);
  EXPECT_NE(refusal([&] { driver.free(buffer + 4); }).find("no allocation at"), std::string::npos);
  EXPECT_NE(refusal([&] { launch(driver, chip.config, "third"); }).find("loaded: first, second"), std::string::npos);
  EXPECT_NE(refusal([&] { driver.set_symbol("nobody", &word, 4); }).find("'nobody'"), std::string::npos);
  EXPECT_NE(refusal([&] { driver.set_symbol("table", &word, 4, 6); }).find("do not fit in 'table'"), std::string::npos);
  EXPECT_NE(refusal([&] { driver.bind_texture(128, {}, {}); }).find("units are 0 to 127"), std::string::npos);
  EXPECT_NE(refusal([&] { driver.load_module(two_kernels()); }).find("two loaded modules"), std::string::npos);
  // clang-format on
}

}  // namespace
}  // namespace g80
