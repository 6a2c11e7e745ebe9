// SPDX-License-Identifier: Apache-2.0
#include "tb/events/event_watch.h"

#include <algorithm>

#include "input/input_error.h"

namespace g80 {

/// An object and the leaves of it that expressions read.
struct EventWatch::Item {
  struct Part {
    std::uint32_t first, count, signal;
  };
  Traceable* item;
  std::vector<Part> parts;  // by first leaf
  bool marked = false;
};

namespace {

/// Visits the leaves and passes on those that expressions read. Several leaves become one number, a hash.
template <class Parts, class Take>
class LeafReader final : public FieldVisitor {
 public:
  LeafReader(const Parts& parts, const Take& take) : parts_(parts), take_(take), sums_(parts.size(), 0) {}
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char*, int, std::uint64_t value, unsigned width, const EnumText*) override {
    value &= ~std::uint64_t{0} >> (64 - width);
    for (std::size_t p = 0; p < parts_.size() && parts_[p].first <= next_; ++p) {
      if (next_ >= parts_[p].first + parts_[p].count) continue;
      sums_[p] = parts_[p].count == 1 ? value : (sums_[p] ^ value) * 0x100000001b3ull + (sums_[p] >> 29);
      if (next_ + 1 == parts_[p].first + parts_[p].count) take_(parts_[p].signal, sums_[p]);
    }
    ++next_;
  }

 private:
  const Parts& parts_;
  const Take& take_;
  std::vector<std::uint64_t> sums_;
  std::uint32_t next_ = 0;
};

}  // namespace

EventWatch::EventWatch(std::vector<EventExpression> events, Happened happened)
    : events_(std::move(events)), happened_(std::move(happened)), alarm_("event_watch", [this] { look(); }) {
  for (std::uint32_t e = 0; e < events_.size(); ++e) {
    const EventExpression& event = events_[e];
    for (std::uint32_t i = 0; i < event.instances.size(); ++i) {
      for (std::uint32_t s = 0; s < event.slots.size(); ++s) {
        const std::uint32_t signal = number_of(event.signals[event.slots[s].signal[i]]);
        users_[signal].emplace_back(static_cast<std::uint32_t>(instances_.size()), s);
      }
      instances_.push_back({e, i, std::vector<Value>(event.slots.size(), Value::of(0))});
    }
  }
  for (Item& item : items_) {
    std::sort(item.parts.begin(), item.parts.end(),
              [](const Item::Part& a, const Item::Part& b) { return a.first < b.first; });
    read(item);
  }
  stale_.clear();
  for (Instance& instance : instances_) {  // the first value is not a change
    const EventExpression& event = events_[instance.event];
    for (std::uint32_t s = 0; s < event.slots.size(); ++s) {
      if (event.slots[s].use != SignalUse::kValue) instance.slots[s] = Value::of(0);
    }
    instance.pulsed = instance.stale = false;
    instance.was = evaluate(instance);
  }
  check();
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    items_[i].item->attach_trace(*this, i);
    // The domain's modules run edge by edge then.
    const ClockedBase* driver = items_[i].item->driver();
    Domain* domain = driver != nullptr ? driver->domain() : nullptr;
    if (domain == nullptr || std::find(domains_.begin(), domains_.end(), domain) != domains_.end()) continue;
    domain->attach_trace(*this);
    domains_.push_back(domain);
  }
}

/// The signal's number, a new one if no event before has named it.
std::uint32_t EventWatch::number_of(const Field& signal) {
  auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& i) { return i.item == signal.item; });
  if (item == items_.end()) item = items_.insert(items_.end(), Item{signal.item, {}});
  for (const Item::Part& part : item->parts) {
    if (part.first == signal.first && part.count == signal.count) return part.signal;
  }
  const auto number = static_cast<std::uint32_t>(values_.size());
  item->parts.push_back({signal.first, signal.count, number});
  values_.push_back(0);
  users_.emplace_back();
  return number;
}

EventWatch::~EventWatch() {
  for (Item& item : items_) item.item->detach_trace(*this);
  for (Domain* domain : domains_) domain->detach_trace(*this);
}

void EventWatch::check() const {
  if (!failure_.empty()) throw InputError(failure_);
}

void EventWatch::changed(std::uint32_t slot) {
  if (items_[slot].marked) return;
  items_[slot].marked = true;
  if (marked_.empty()) alarm_.notify(sc_core::SC_ZERO_TIME);
  marked_.push_back(slot);
}

void EventWatch::read(Item& item) {
  const auto take_one = [this](std::uint32_t signal, std::uint64_t value) { take(signal, value); };
  LeafReader reader(item.parts, take_one);
  item.item->trace_fields(reader);
}

void EventWatch::take(std::uint32_t signal, std::uint64_t value) {
  const std::uint64_t before = values_[signal];
  if (value == before) return;
  values_[signal] = value;
  for (const auto& [number, s] : users_[signal]) {
    Instance& instance = instances_[number];
    if (!instance.stale) stale_.push_back(number);
    instance.stale = true;
    switch (events_[instance.event].slots[s].use) {
      case SignalUse::kValue: instance.slots[s] = Value::of(static_cast<std::int64_t>(value)); continue;
      case SignalUse::kRises: instance.slots[s] = Value::of(value > before); break;
      case SignalUse::kFalls: instance.slots[s] = Value::of(value < before); break;
      case SignalUse::kChanges: instance.slots[s] = Value::of(1); break;
    }
    instance.pulsed = true;
  }
}

bool EventWatch::evaluate(const Instance& instance) {
  try {
    return events_[instance.event].expression.evaluate({&instance.slots, 0, 0}).truth();
  } catch (const InputError& error) {  // a division by zero: the simulation stops, and check() reports it
    failure_ = error.what();
    return true;
  }
}

void EventWatch::look() {
  for (const std::uint32_t slot : marked_) {
    items_[slot].marked = false;
    read(items_[slot]);
  }
  marked_.clear();
  std::sort(stale_.begin(), stale_.end());
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> happened;  // by event
  for (const std::uint32_t number : stale_) {
    Instance& instance = instances_[number];
    const EventExpression& event = events_[instance.event];
    instance.stale = false;
    const bool now = evaluate(instance);
    if (now && !instance.was) {
      if (happened.empty() || happened.back().first != instance.event) happened.push_back({instance.event, {}});
      happened.back().second.push_back(event.instances[instance.place]);
    }
    instance.was = now;
    if (!instance.pulsed) continue;
    for (std::uint32_t s = 0; s < event.slots.size(); ++s) {
      if (event.slots[s].use != SignalUse::kValue) instance.slots[s] = Value::of(0);
    }
    instance.pulsed = false;
    instance.was = evaluate(instance);
  }
  stale_.clear();
  for (const auto& [event, instances] : happened) happened_(event, instances);
}

}  // namespace g80
