// SPDX-License-Identifier: Apache-2.0
// Any line is a command of the shell or an InputError; so it is an event, whose condition can be evaluated, and a
// fault.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <sstream>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "app/shell/command.h"
#include "input/input_error.h"
#include "tb/check/fault_text.h"
#include "tb/check/field_names.h"
#include "tb/events/event.h"
#include "tb/events/event_expression.h"
#include "tb/waves/signal_table.h"

int sc_main(int, char**) { return 0; }  // SystemC's library asks for it

namespace g80 {

// There is no machine: its signals are the table below.
std::vector<Traceable*> collect_items(const TraceSelection&) { return {}; }

namespace {

class Signal final : public Traceable {
 public:
  explicit Signal(std::string name) : name_(std::move(name)) {}
  const char* trace_name() const override { return name_.c_str(); }
  void trace_fields(FieldVisitor&) const override {}

 private:
  std::string name_;
};

const std::vector<Field>& fields() {
  static std::deque<Signal> signals;
  static const std::vector<Field> all = [] {
    const EnumText& states = enum_text(WarpState{});
    std::vector<Field> list;
    for (const std::string sm : {"gpu.tpc0.sm0", "gpu.tpc0.sm1", "gpu.tpc1.sm0"}) {
      std::uint32_t leaf = 0;
      const auto signal = [&](const char* name) {
        signals.emplace_back(sm + name);
        leaf = 0;
      };
      const auto add = [&](const std::string& field, unsigned width, const EnumText* text = nullptr) {
        Signal& of = signals.back();
        list.push_back({of.trace_name() + field, &of, leaf++, 1, width, text});
      };
      signal(".pick");
      add(".stall", 4, &states);
      add(".warp", 5);
      signal(".issue");
      add(".valid", 1);
      add(".insn.pc", 24);
      signal(".to_sp");
      for (int lane = 0; lane < 4; ++lane) add(".lanes[" + std::to_string(lane) + "]", 32);
      signal(".smem_ready");
      add("", 1);
    }
    return list;
  }();
  return all;
}

template <class Read>
void try_to(const Read& read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

void evaluate(const Event& event) {
  if (event.kind != Event::Kind::kCondition) return;
  const EventExpression compiled = compile_event_expression(event.condition, fields());
  std::vector<Value> slots(compiled.slots.size(), Value::of(0));
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, INT64_MIN, INT64_MAX}) {
    try_to([&] { compiled.expression.evaluate({&slots, 0, 0}).truth(); });
    for (Value& slot : slots) slot = Value::of(value);
  }
}

}  // namespace
}  // namespace g80

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  for (std::string line; std::getline(lines, line);) {
    g80::try_to([&] { g80::evaluate(g80::parse_event(line)); });
    g80::try_to([&] { g80::parse_fault(line); });
    g80::try_to([&] {
      const std::optional<g80::ShellCommand> command = g80::parse_command(line);
      if (!command) return;
      if (command->verb == g80::Verb::kHelp) g80::help_text(command->name);
      if (!command->stop.event.empty()) g80::evaluate(g80::parse_event(command->stop.event));
      if (command->verb == g80::Verb::kPrint && !command->reg) g80::find_field(command->name, g80::fields());
    });
  }
  return 0;
}
