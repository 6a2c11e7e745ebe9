// SPDX-License-Identifier: Apache-2.0
#include "tb/check/fault_injector.h"

#include <fmt/format.h>

#include "input/input_error.h"
#include "tb/waves/number.h"

namespace g80 {
namespace {

FieldEdit edit_of(const FaultText& text, const Field& target) {
  const auto wrong = [&](const std::string& what) {
    return InputError(fmt::format("--inject {}: {}", text.text, what));
  };
  FieldEdit edit;
  edit.invert = text.invert;
  if (!parse_number(text.value, edit.value)) {
    std::string names;
    for (unsigned i = 0; target.text != nullptr && i < target.text->count; ++i) {
      if (text.value == target.text->names[i] && !text.invert) {
        edit.value = i;
        return edit;
      }
      names += (i == 0 ? "" : ", ") + std::string(target.text->names[i]);
    }
    throw wrong(names.empty() ? fmt::format("'{}' is not a number", text.value)
                              : fmt::format("'{}' is not a number and not one of {}", text.value, names));
  }
  if (target.count > 1 && (edit.value != 0 || edit.invert)) {
    throw wrong(fmt::format("{} has {} fields; together they can only be set to 0", target.name, target.count));
  }
  if (target.width < 64 && edit.value >> target.width != 0) {
    throw wrong(fmt::format("{} has {} bits, allowed are values up to 0x{:x}", target.name, target.width,
                            (std::uint64_t{1} << target.width) - 1));
  }
  if (target.text != nullptr && !edit.invert && edit.value >= target.text->count) {
    throw wrong(fmt::format("{} has the values 0 to {}", target.name, target.text->count - 1));
  }
  if (edit.invert && edit.value == 0) throw wrong("the value inverts no bit");
  return edit;
}

}  // namespace

FaultInjector::FaultInjector(const std::vector<std::string>& faults, std::vector<Domain*> domains)
    : domains_(std::move(domains)) {
  Domain& shader = *domains_.front();
  for (const std::string& text : faults) {
    Fault fault;
    fault.text = parse_fault(text);
    try {
      fault.target = find_fault_target(fault.text.path);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--inject {}: {}", text, error.what()));
    }
    fault.edit = edit_of(fault.text, fault.target);
    FieldEditor probe(fault.target.first, fault.target.count, {true, 0});
    fault.target.item->edit_fields(probe);
    fault.queue = !probe.edits_queue() && fault.target.item->attach_push_hook(this);
    fault.from_time = shader.edge_time(shader.mhz(), fault.text.from);
    fault.to_time =
        fault.text.to == FaultText::kToTheEnd ? ~Picoseconds{0} : shader.edge_time(shader.mhz(), fault.text.to);
    faults_.push_back(fault);
  }
  for (Domain* domain : domains_) domain->attach_faults(this);
}

FaultInjector::~FaultInjector() {
  for (Domain* domain : domains_) domain->attach_faults(nullptr);
  for (Fault& fault : faults_) fault.target.item->attach_push_hook(nullptr);
}

std::vector<InjectedFault> FaultInjector::report() const {
  std::vector<InjectedFault> out;
  for (const Fault& fault : faults_) out.push_back({fault.text.text, fault.target.name, fault.changes});
  return out;
}

void FaultInjector::apply(Fault& fault) {
  FieldEditor editor(fault.target.first, fault.target.count, fault.edit);
  fault.target.item->edit_fields(editor);
  fault.changes += editor.changed();
  if (fault.text.once) fault.done = true;
}

// Called at the machine's first edge, where every block runs. The drivers of faulty fields are then kept awake.
void FaultInjector::arm() {
  armed_ = true;
  for (Fault& fault : faults_) {
    fault.driver = fault.target.item->driver();
    fault.domain =
        fault.driver != nullptr && fault.driver->domain() != nullptr ? fault.driver->domain() : domains_.front();
    fault.first_edge = std::max<Cycle>(1, fault.domain->first_edge_from(fault.from_time));
    fault.last_edge =
        fault.to_time == ~Picoseconds{0} ? ~Cycle{0} : fault.domain->first_edge_from(fault.to_time + 1) - 1;
    if (fault.driver != nullptr && !fault.queue) fault.driver->wake_at(fault.first_edge);
  }
}

void FaultInjector::edge_committed(Domain& domain) {
  if (!armed_) arm();
  const Cycle edge = domain.edge();
  for (Fault& fault : faults_) {
    if (fault.domain != &domain || fault.queue || fault.done || edge < fault.first_edge) continue;
    if (edge > fault.last_edge && !fault.text.once) {
      fault.done = true;
      continue;
    }
    if (fault.driver == nullptr || fault.driver->runs_at(edge)) apply(fault);
    if (fault.driver != nullptr) fault.driver->wake();  // the next edge drives the true value again
  }
}

void FaultInjector::item_pushed(Traceable& queue) {
  const Picoseconds now = sc_core::sc_time_stamp().value();
  for (Fault& fault : faults_) {
    if (fault.target.item == &queue && !fault.done && now >= fault.from_time && now <= fault.to_time) apply(fault);
  }
}

}  // namespace g80
