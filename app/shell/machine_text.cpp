// SPDX-License-Identifier: Apache-2.0
#include "app/shell/machine_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/shell/leaves.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/gpu/gpu.h"
#include "hw/isa/disassembler.h"
#include "hw/isa/float_bits.h"
#include "input/input_error.h"
#include "tb/check/field_names.h"
#include "tb/driver/driver.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/launch_text.h"
#include "tb/record/machine_events.h"
#include "toolchain/cubin/kernel_name.h"
#include "toolchain/cubin/source_text.h"

namespace g80 {
namespace {

std::string value_text(std::uint32_t value, char format) {
  switch (format) {
    case 'u': return fmt::format("{:>10}", value);
    case 'd': return fmt::format("{:>11}", static_cast<std::int32_t>(value));
    case 'f': return fmt::format("{:>13.7g}", isa::float_of(value));
    default: return fmt::format("{:08x}", value);
  }
}

/// The values of a warp's lanes, eight per row. Format 'h': one hexadecimal digit each.
std::string lanes_text(const std::string& name, const std::vector<std::uint32_t>& values, char format) {
  std::string out;
  for (unsigned row = 0; row < kWarpSize; row += 8) {
    out += fmt::format("{:>{}} {:>2}:", row == 0 ? name : "", std::max<std::size_t>(5, name.size()), row);
    for (unsigned lane = row; lane < row + 8; ++lane)
      out += format == 'h' ? fmt::format(" {:x}", values[lane]) : " " + value_text(values[lane], format);
    out += '\n';
  }
  return out;
}

SmPins& sm_of(GpuBackend& machine, Selection at) { return machine.gpu().sm(at.sm); }

/// A word of device memory that lies in an allocation.
std::uint32_t device_word(GpuBackend& machine, std::uint64_t virtual_address) {
  const Allocation* const allocation =
      machine.driver().allocation_at_or_below(static_cast<std::uint32_t>(virtual_address));
  if (virtual_address > UINT32_MAX || allocation == nullptr ||
      virtual_address - allocation->address + 4 > allocation->bytes) {
    throw InputError(fmt::format("no allocation at 0x{:x}{}", virtual_address,
                                 allocation == nullptr
                                     ? ""
                                     : fmt::format("; '{}' below it is at 0x{:x}, {} bytes", allocation->name,
                                                   allocation->address, allocation->bytes)));
  }
  std::uint32_t word = 0;
  machine.gpu().device_memory().read(allocation->mapping.physical + (virtual_address - allocation->address), &word, 4);
  return word;
}

/// The live state of a warp's SM, and the warp's part of it.
struct WarpView {
  WarpView(GpuBackend& machine, Selection at) : sm(sm_of(machine, at)), warp(state.warp[at.warp]) {
    sm.read_state(state);
    const CtaSlot* const found = state.slot_of(at.warp);
    if (found == nullptr || (found->live >> at.warp & 1) == 0) {
      throw InputError(
          fmt::format("no warp is resident in SM {} slot {}; `warps` lists the resident ones", at.sm, at.warp));
    }
    slot = found;
  }
  WarpView(const WarpView&) = delete;
  WarpView& operator=(const WarpView&) = delete;

  const SmPins& sm;
  SmState state;
  const SmState::Warp& warp;
  const CtaSlot* slot = nullptr;
};

constexpr unsigned kNumFlags = 4;             // $c0 to $c3
constexpr unsigned kNumAddressRegisters = 5;  // $a0 (constant 0) to $a4

unsigned registers_of(const WarpView& view, char kind) {
  return kind == 'r' ? view.warp.registers : kind == 'c' ? kNumFlags : kNumAddressRegisters;
}

LaneWords register_values(const WarpView& view, Selection at, const RegisterName& reg) {
  const SmMemory memory = reg.kind == 'r'   ? SmMemory::kRegister
                          : reg.kind == 'c' ? SmMemory::kFlags
                                            : SmMemory::kAddress;
  return view.sm.peek(memory, at.warp, reg.index);
}

std::string place_of(const RunningKernel& kernel, std::uint32_t pc, isa::Arch arch) {
  if (kernel.loaded == nullptr) return fmt::format("pc 0x{:x}", pc);
  return place_text(*kernel.loaded->kernel, pc - kernel.loaded->start, arch);
}

}  // namespace

std::string warp_line(GpuBackend& machine, const RunningKernel& kernel, Selection at) {
  const WarpView view(machine, at);
  const CtaSlot& slot = *view.slot;
  const auto arch = static_cast<isa::Arch>(machine.config().device.compute_minor);
  const WarpState state = warp_state(view.state.ready, at.warp);
  return fmt::format("SM {} warp {} (block {},{} warp {}): {}, lanes {:08x}, {}", at.sm, at.warp, slot.x, slot.y,
                     at.warp - slot.first_warp, enum_text(state).names[static_cast<unsigned>(state)], view.warp.active,
                     place_of(kernel, view.warp.pc, arch));
}

std::string warps_text(GpuBackend& machine, const RunningKernel& kernel, Selection selected) {
  std::string out;
  SmState state;
  for (unsigned sm = 0; sm < machine.gpu().num_sms(); ++sm) {
    machine.gpu().sm(sm).read_state(state);
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      const CtaSlot* const slot = state.slot_of(warp);
      if (slot == nullptr || (slot->live >> warp & 1) == 0) continue;
      out += fmt::format("{} {}\n", sm == selected.sm && warp == selected.warp ? '*' : ' ',
                         warp_line(machine, kernel, {sm, warp}));
    }
  }
  return out.empty() ? "no warp is resident\n" : out;
}

std::string listing_text(const RunningKernel& kernel, std::uint32_t pc, unsigned around, isa::Arch arch) {
  if (kernel.loaded == nullptr) throw InputError("no kernel has been launched");
  const std::vector<std::uint32_t>& code = kernel.loaded->kernel->code;
  const LineTable& lines = kernel.loaded->kernel->lines;
  std::vector<std::uint32_t> addresses;
  for (std::uint32_t at = 0; at < code.size(); at += isa::is_long(code[at]) ? 2 : 1) addresses.push_back(at * 4);
  const auto here =
      static_cast<std::size_t>(std::lower_bound(addresses.begin(), addresses.end(), pc) - addresses.begin());
  const std::size_t first = here > around ? here - around : 0, last = std::min(addresses.size(), here + around + 1);
  std::string out;
  SourceText text;
  std::optional<SourcePlace> shown;
  for (std::size_t i = first; i < last; ++i) {
    const std::optional<SourcePlace> place = lines.find(addresses[i]);
    if (place && (!shown || !(*shown == *place))) {
      const auto line = text.line(*place);
      out += fmt::format("      {}{}{}\n", to_text(*place), line ? "  " : "", line ? *line : std::string_view());
    }
    shown = place;
    const std::uint32_t w0 = code[addresses[i] / 4],
                        w1 = isa::is_long(w0) && addresses[i] / 4 + 1 < code.size() ? code[addresses[i] / 4 + 1] : 0;
    out += fmt::format("{} 0x{:04x}  {}\n", addresses[i] == pc ? "=>" : "  ", addresses[i],
                       isa::disassemble(w0, w1, arch));
  }
  return out;
}

std::string register_text(GpuBackend& machine, Selection at, const RegisterName& reg, char format) {
  const WarpView view(machine, at);
  const unsigned count = registers_of(view, reg.kind);
  if (reg.index >= count) {
    throw InputError(fmt::format("{} does not exist; ${} has the numbers 0 to {}", reg.text(), reg.kind, count - 1));
  }
  const LaneWords values = register_values(view, at, reg);
  return lanes_text(reg.text(), {values.lane, values.lane + kWarpSize}, reg.kind == 'c' ? 'h' : format);
}

std::string lane_text(GpuBackend& machine, Selection at, std::optional<std::uint64_t> wanted) {
  const WarpView view(machine, at);
  const CtaSlot& slot = *view.slot;
  const unsigned first = view.warp.active != 0 ? static_cast<unsigned>(__builtin_ctz(view.warp.active)) : 0;
  const auto lane = static_cast<unsigned>(wanted.value_or(first));
  std::string out = fmt::format("SM {} warp {} (block {},{} warp {}) lane {}\n", at.sm, at.warp, slot.x, slot.y,
                                at.warp - slot.first_warp, lane);
  for (const char kind : {'r', 'a', 'c'}) {
    for (unsigned i = 0; i < registers_of(view, kind); ++i) {
      const RegisterName reg{kind, i};
      const std::uint32_t value = register_values(view, at, reg)[lane];
      out += fmt::format("{:<4} ", reg.text());
      if (kind == 'c') {
        out += fmt::format("{:x}\n", value);
        continue;
      }
      out += fmt::format("{} {}", value_text(value, 'x'), value_text(value, 'd'));
      if (kind == 'r') out += " " + value_text(value, 'f');
      out += '\n';
    }
  }
  return out;
}

std::string memory_text(GpuBackend& machine, const RunningKernel& kernel, Selection at, const MemoryPlace& place,
                        unsigned count, char format) {
  const std::uint64_t address = place.address;
  const auto word_at = [&](std::uint64_t byte) -> std::uint32_t {
    if (place.space == 'g') return device_word(machine, byte);
    if (place.space == 's') {
      const WarpView view(machine, at);
      const SmState::Warp& block = view.state.warp[view.slot->first_warp];
      if (byte + 4 > block.shared_limit) {
        throw InputError(fmt::format("s[0x{:x}]: the block has {} bytes of shared memory", byte, block.shared_limit));
      }
      return view.sm.peek(SmMemory::kShared, 0, static_cast<unsigned>((block.shared_base + byte) / 4))[0];
    }
    if (kernel.loaded == nullptr) throw InputError("no kernel has been launched");
    const LoadedKernel::Bank& bank = kernel.loaded->bank[place.bank];
    if (byte + 4 > bank.bytes) {
      throw InputError(fmt::format("c{}[0x{:x}]: the kernel has {} bytes of this bank", place.bank, byte, bank.bytes));
    }
    return device_word(machine, bank.address + byte);
  };
  std::string out;
  if (place.space == 'l') {
    const WarpView view(machine, at);
    const LaunchState& launch = machine.gpu().command_processor.launch_state();
    const std::uint32_t warp = view.warp.chip_warp;
    for (std::uint64_t byte = address; byte < address + 4ull * count; byte += 4) {
      if (byte + 4 > launch.local_bytes)
        throw InputError(fmt::format("l[0x{:x}]: a thread has {} bytes of local memory", byte, launch.local_bytes));
      std::vector<std::uint32_t> values;
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        values.push_back(device_word(machine, local_address(launch, warp, lane, static_cast<std::uint32_t>(byte))));
      out += lanes_text(fmt::format("l[0x{:x}]", byte), values, format);
    }
    return out;
  }
  for (unsigned i = 0; i < count; ++i) {
    MemoryPlace word = place;
    word.address += i * 4;
    if (i % 4 == 0) out += fmt::format("{}{}:", i == 0 ? "" : "\n", word.text());
    out += " " + value_text(word_at(address + i * 4), format);
  }
  return out + "\n";
}

std::string stack_text(GpuBackend& machine, const RunningKernel& kernel, Selection at) {
  const WarpView view(machine, at);
  const EnumText& types = enum_text(StackEntryType{});
  const auto arch = static_cast<isa::Arch>(machine.config().device.compute_minor);
  const SmState::Warp& warp = view.warp;
  std::string out = fmt::format("active {:08x}, runnable {:08x}, broke {:08x}, returned {:08x}\n", warp.active,
                                warp.runnable, warp.broke, warp.returned);
  for (unsigned depth = warp.stack_depth; depth-- != 0;) {
    LaneWords entry;
    const bool in_memory = depth < warp.stack_in_memory;
    if (in_memory) {
      const std::uint32_t address =
          stack_address(machine.gpu().command_processor.launch_state(), warp.chip_warp, depth);
      const StackEntry stored = stack_entry(device_word(machine, address), device_word(machine, address + 4));
      entry[0] = static_cast<std::uint32_t>(stored.type), entry[1] = stored.mask, entry[2] = stored.pc;
    } else {
      entry = view.sm.peek(SmMemory::kControlStack, at.warp, depth);
    }
    out += fmt::format("#{} {} lanes {:08x}, {}{}\n", depth, entry[0] < types.count ? types.names[entry[0]] : "?",
                       entry[1], place_of(kernel, entry[2], arch), in_memory ? " (in memory)" : "");
  }
  if (warp.stack_depth == 0) out += "the control stack is empty\n";
  return out;
}

std::string scoreboard_text(GpuBackend& machine, Selection at) {
  const WarpView view(machine, at);
  const ThreadState& pending = view.warp.pending;
  std::string out = fmt::format("{} instructions in flight, {} in the buffer; writes pending:", view.warp.in_flight,
                                view.warp.buffered);
  const std::size_t before = out.size();
  Leaves leaves;
  visit_fields(pending, leaves);
  for (const Leaves::Leaf& leaf : leaves.list) {  // a bit for each register
    const char kind = leaf.name == "flags" ? 'c' : leaf.name == "addrs" ? 'a' : 'r';
    const unsigned first = leaf.name == "high" ? 64 : 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      if (leaf.value >> bit & 1) out += fmt::format(" ${}{}", kind, first + bit);
    }
  }
  return out + (out.size() == before ? " none\n" : "\n");
}

std::string blocks_text(GpuBackend& machine) {
  std::string out;
  SmState state;
  for (unsigned sm = 0; sm < machine.gpu().num_sms(); ++sm) {
    machine.gpu().sm(sm).read_state(state);
    unsigned blocks = 0, warps = 0;
    std::string list;
    for (const CtaSlot& slot : state.slot) {
      if (!slot.valid) continue;
      ++blocks;
      warps += static_cast<unsigned>(__builtin_popcount(slot.live));
      list += fmt::format("  block {},{}: warp slots {} to {}, live {:x}\n", slot.x, slot.y, slot.first_warp,
                          slot.first_warp + slot.num_warps - 1, slot.live);
    }
    out +=
        fmt::format("SM {}: {} blocks, {} of {} warps, {} blocks ended\n{}", sm, blocks, warps,
                    machine.config().sm.max_warps, machine.gpu().sm(sm).counters(machine.shader_cycle()).blocks, list);
  }
  return out;
}

std::string kernel_line(const RunningKernel& kernel) {
  if (kernel.loaded == nullptr) return "no kernel has been launched\n";
  const Kernel& k = *kernel.loaded->kernel;
  const auto &grid = kernel.launch->shape.grid, &block = kernel.launch->shape.block;
  return fmt::format("{}: grid {} x {}, block {} x {} x {}, {} bytes of code at 0x{:x}\n", demangled_name(k.name),
                     grid[0], grid[1], block[0], block[1], block[2], k.code.size() * 4, kernel.loaded->start);
}

std::string kernel_text(const Config& config, const RunningKernel& kernel) {
  std::string out = kernel_line(kernel);
  if (kernel.loaded == nullptr) return out;
  const Kernel& k = *kernel.loaded->kernel;
  out += fmt::format("{} registers and {} bytes of local memory per thread, {} + {} bytes of shared memory per block\n",
                     k.reg, k.lmem, k.smem, kernel.launch->dynamic_shared);
  const LaunchOccupancy fits = launch_occupancy(config, kernel.launch->shape);
  out += fmt::format("{} blocks fit on an SM, {} of {} warps; limited by {}\n", fits.blocks, fits.warps,
                     fits.most_warps, fits.limit);
  const std::vector<std::string> types = parameter_types(k.name);
  for (std::size_t i = 0; i < kernel.launch->params.size(); ++i) {
    const auto byte = static_cast<std::uint32_t>(i * 4);
    const auto is_it = [byte](const Parameter& parameter) { return parameter.offset == kParameterBase + byte; };
    const auto named = std::find_if(k.params.begin(), k.params.end(), is_it);
    const std::uint32_t value = kernel.launch->params[i];
    out += fmt::format("s[0x{:x}] {} = 0x{:08x} ({})\n", kParameterBase + byte,
                       named == k.params.end()           ? ""
                       : types.size() == k.params.size() ? types[static_cast<std::size_t>(named - k.params.begin())]
                                                         : named->name,
                       value, value);
  }
  return out;
}

std::uint64_t signal_value(const std::string& path) {
  const Field field = find_field(path, list_fields(false));
  Leaves leaves;
  field.item->trace_fields(leaves);
  return leaves.list[field.first].value;
}

// One line for each leaf of a struct. An array takes one line, where equal neighbours are counted.
std::string signal_text(const std::string& path) {
  const Field field = find_field(path, list_fields(false), true);
  Leaves leaves;
  field.item->trace_fields(leaves);
  const auto begin = leaves.list.begin() + field.first, end = begin + field.count;
  if (field.count == 1) return fmt::format("{} = {}\n", field.name, leaf_text(*begin));
  const auto name_of = [&](const Leaves::Leaf& leaf) {
    const std::string full =
        fmt::format("{}.{}{}{}", field.item->trace_name(), leaf.bundle, leaf.bundle.empty() ? "" : ".", leaf.name);
    const std::size_t skipped = field.name.size() + (full[field.name.size()] == '.' ? 1 : 0);
    return full.substr(skipped);
  };
  std::string out = field.name + "\n";
  for (auto leaf = begin; leaf != end;) {
    const std::string name = name_of(*leaf), array = name.back() == ']' ? name.substr(0, name.rfind('[')) : "";
    auto next = leaf + 1;
    if (name.back() == ']') {
      const auto of_it = [&](const Leaves::Leaf& other) {
        return name_of(other).compare(0, array.size() + 1, array + "[") == 0;
      };
      next = std::find_if_not(leaf, end, of_it);
    }
    out += fmt::format("  {} = ", next == leaf + 1 ? name : fmt::format("{}[0 to {}]", array, next - leaf - 1));
    for (auto from = leaf; from != next;) {
      const std::string text = leaf_text(*from);
      const auto other =
          std::find_if(from, next, [&](const Leaves::Leaf& element) { return leaf_text(element) != text; });
      out += fmt::format("{}{}{}", from == leaf ? "" : ", ", text,
                         other - from > 1 ? fmt::format(" ({} times)", other - from) : "");
      from = other;
    }
    out += '\n';
    leaf = next;
  }
  return out;
}

}  // namespace g80
