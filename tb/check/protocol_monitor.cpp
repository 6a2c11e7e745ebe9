// SPDX-License-Identifier: Apache-2.0
#include "tb/check/protocol_monitor.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <typeindex>
#include <unordered_map>

#include <fmt/format.h>

#include "hw/cache/second_level_tlb.h"
#include "hw/mem/crossbar.h"
#include "tb/waves/signal_table.h"

namespace g80 {

using namespace protocol;

namespace {

/// The names of a request's wire and of its answer's, by their ends.
constexpr struct {
  const char *request, *answer;
} kAnswerNames[] = {{"_request", "_reply"}, {"_question", "_answer"}, {"_transaction", "_reply"}, {"_miss", ""},
                    {"_miss", "_line"},     {"_line", "_fill"},       {"_texture", "_texels"},    {"_open", "_freed"},
                    {"_access", "_fill"},   {"to_dram", "from_dram"}, {"_cta", "_cta_done"}};

template <class T, class = void>
struct has_valid : std::false_type {};
template <class T>
struct has_valid<T, std::void_t<decltype(std::declval<T&>().valid)>> : std::true_type {};

/// The register `epoch[warp]` of a block.
class EpochOfWarp final : public FieldVisitor {
 public:
  explicit EpochOfWarp(unsigned warp) : warp_(warp) {}
  void enter(const char*, int) override { ++depth_; }
  void leave() override { --depth_; }
  void leaf(const char* name, int index, std::uint64_t value, unsigned, const EnumText*) override {
    if (depth_ == 0 && static_cast<unsigned>(index) == warp_ && std::strcmp(name, "epoch") == 0) epoch = value;
  }
  std::optional<std::uint64_t> epoch;

 private:
  const unsigned warp_;
  unsigned depth_ = 0;
};

/// What may be taken back before it is accepted: a fetch that a redirect of its warp has made stale.
template <class T>
typename Offer<T>::Stale stale_where(Wire<T>& wire) {
  if constexpr (std::is_same_v<T, FetchRequest>) {
    return [&wire](const FetchRequest& offered) {
      EpochOfWarp present(offered.warp);
      if (wire.driver() != nullptr) wire.driver()->trace_fields(present);
      return present.epoch && *present.epoch != offered.epoch;
    };
  }
  return {};
}

/// Watches an item whose type is known; false if its bundle is neither offered nor exchanged.
template <class T>
bool watch_offer(ProtocolMonitors& monitors, Traceable& item, Wire<bool>* ready) {
  if constexpr (has_valid<T>::value) {
    if (ready == nullptr && identity_of<T>().exchange == Exchange::kNone) return false;
    auto& wire = static_cast<Wire<T>&>(item);
    monitors.offer(wire, ready, stale_where<T>(wire));
    return true;
  }
  return false;
}
template <class T>
bool watch_queue(ProtocolMonitors& monitors, Traceable& item, Wire<bool>*) {
  monitors.queue(static_cast<CrossingFifo<T>&>(item));
  return true;
}
template <class Block>
bool watch_places(ProtocolMonitors& monitors, Traceable& item, Wire<bool>*) {
  monitors.places(static_cast<Block&>(item));
  return true;
}

using Watch = bool (*)(ProtocolMonitors&, Traceable&, Wire<bool>*);
/// By the type of the item: a machine has thousands, and a chain of dynamic casts took longer than a short kernel.
const std::unordered_map<std::type_index, Watch>& watches() {
#define G80_WATCH_OFFER(T) {typeid(Wire<T>), watch_offer<T>},
#define G80_WATCH_QUEUE(T) {typeid(CrossingFifo<T>), watch_queue<T>},
  static const std::unordered_map<std::type_index, Watch> all = {
      {typeid(RequestCrossbar), watch_places<RequestCrossbar>},
      {typeid(ReplyCrossbar), watch_places<ReplyCrossbar>},
      {typeid(SecondLevelTlb), watch_places<SecondLevelTlb>},
      G80_SIGNALS(G80_WATCH_OFFER) G80_CROSSINGS(G80_WATCH_QUEUE)};
#undef G80_WATCH_OFFER
#undef G80_WATCH_QUEUE
  return all;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool goes_to_memory(const Issue& issue) {
  const isa::Unit unit = issue.fetched.decoded().unit;
  return unit == isa::Unit::kMemory || unit == isa::Unit::kTexture;
}

}  // namespace

/// Watches one clock: what was taken counts at its next edge. Where its groups run ahead, each has edges of its own.
class ProtocolMonitors::Clock final : private TraceSink, private GroupSink {
 public:
  Clock(ProtocolMonitors& owner, Domain& domain)
      : owner_(owner), domain_(domain), groups_(domain.calls_group_sink() ? domain.num_groups() : 1) {
    domain.calls_group_sink() ? domain.attach_groups(this) : domain.attach_trace(*this);
  }
  ~Clock() override { domain_.calls_group_sink() ? domain_.attach_groups(nullptr) : domain_.detach_trace(*this); }

  bool is_of(const Domain* domain) const { return &domain_ == domain; }
  /// The list for monitors that move at the edges of a block.
  std::vector<Monitor*>& list_of(const ClockedBase& block) {
    MayMove& lists = groups_[domain_.calls_group_sink() ? domain_.group_of(block) : 0];
    return block.runs_at(1) ? lists.each : lists.even;
  }

 private:
  /// Monitors that may move at edges of a group, or only at even ones. Those that no longer do are taken out then.
  struct MayMove {
    std::vector<Monitor*> each, even;
  };
  static void move_all(std::vector<Monitor*>& monitors) {
    std::size_t kept = 0;
    for (Monitor* const monitor : monitors) {
      monitor->listed_ = monitor->moves_;
      if (!monitor->moves_) continue;
      monitors[kept++] = monitor;
      monitor->move();
    }
    monitors.resize(kept);
  }
  void changed(std::uint32_t) override {}
  void edge_begin(Domain&) override { edge_begin(0, {domain_.edge(), sc_core::sc_time_stamp().value()}); }
  void edge_done(Domain&) override { edge_done(); }
  void edge_begin(unsigned group, const Moment& now) override {
    owner_.now_ = now.time;
    MayMove& lists = groups_[group];
    if (!lists.each.empty()) move_all(lists.each);
    if ((now.edge & 1) == 0 && !lists.even.empty()) move_all(lists.even);
  }
  void edge_done() override {
    if (!owner_.touched_.empty()) owner_.settle();
  }

  ProtocolMonitors& owner_;
  Domain& domain_;
  std::vector<MayMove> groups_;  // of a domain that is watched as a whole the first one has all
};

ProtocolMonitors::ProtocolMonitors(const std::vector<Domain*>& domains, Cycle bound)
    : shader_(*domains.front()), bound_(shader_.edge_time(shader_.mhz(), bound)) {
  for (Domain* const domain : domains) clocks_.push_back(std::make_unique<Clock>(*this, *domain));
}

ProtocolMonitors::~ProtocolMonitors() { stop(); }

void ProtocolMonitors::stop() {
  clocks_.clear();
  for (const Attached& attached : attached_) attached.item->detach_trace(*attached.monitor);
  attached_.clear(), touched_.clear(), answers_.clear(), monitors_.clear();
}

void ProtocolMonitors::attach(Traceable& item, Monitor& monitor, Monitor::Slot slot) {
  item.attach_trace(monitor, slot);
  attached_.push_back({&item, &monitor});
}

Monitor& ProtocolMonitors::add(std::unique_ptr<Monitor> monitor) {
  monitor->touched_list_ = &touched_;
  monitors_.push_back(std::move(monitor));
  return *monitors_.back();
}

Monitor* ProtocolMonitors::monitor_of(const Traceable& item) const {
  for (const Attached& attached : attached_) {
    if (attached.item == &item) return attached.monitor;
  }
  return nullptr;
}

void ProtocolMonitors::answers(const Traceable& request, const Traceable& answer) {
  Monitor* const asks = monitor_of(request);
  Monitor* const gives = monitor_of(answer);
  CHECK(asks != nullptr && gives != nullptr, "{} and {} are not watched", request.trace_name(), answer.trace_name());
  const Exchange exchange = asks->identity().exchange;
  CHECK(exchange != Exchange::kNone && !asks->identity().is_answer && gives->identity().is_answer &&
            gives->identity().exchange == exchange,
        "{} does not answer {}", answer.trace_name(), request.trace_name());
  const std::string name = fmt::format("{} for {}", answer.trace_name(), request.trace_name());
  answers_.push_back(std::make_unique<Answers>(name, place(), exchange));
  asks->count_at(*answers_.back(), false);
  gives->count_at(*answers_.back(), true);
}

void ProtocolMonitors::credits(Wire<Issue>& issue, bool (*takes)(const Issue&), Wire<Credits>& returned,
                               std::uint8_t Credits::*member, unsigned limit) {
  Monitor* issues = monitor_of(issue);
  if (issues == nullptr) {
    offer(issue, nullptr);
    issues = attached_.back().monitor;
  }
  Monitor& account = add(std::make_unique<CreditAccount>(issue, takes, returned, member, limit, place()));
  attach(returned, account);
  issues->lead(account);
}

void ProtocolMonitors::watch_machine(const Config& config) {
  const std::vector<Traceable*> items = collect_items({{}, WaveLevel::kLanes});
  std::map<std::string, Traceable*> named;              // the wires
  std::unordered_map<std::type_index, bool> wire_type;  // a cast of each item would take longer
  for (Traceable* item : items) {
    const auto [type, is_new] = wire_type.emplace(typeid(*item), false);
    if (is_new) {
      const auto* const object = dynamic_cast<const sc_core::sc_object*>(item);
      type->second = object != nullptr && std::string(object->kind()) == "wire";
    }
    if (type->second) named.emplace(item->trace_name(), item);
  }
  const auto find = [&](const std::string& name) {
    const auto found = named.find(name);
    return found == named.end() ? nullptr : found->second;
  };
  std::map<const Traceable*, Wire<bool>*> readies;
  for (Traceable* item : items) {
    if (typeid(*item) != typeid(Wire<bool>)) continue;
    const std::string name = item->trace_name(), end = "_ready";
    if (!ends_with(name, end)) continue;
    auto* const ready = static_cast<Wire<bool>*>(item);
    const std::string offered = name.substr(0, name.size() - end.size());
    const Traceable* const wire = find(offered) != nullptr ? find(offered) : find(offered + "_request");
    CHECK(wire != nullptr, "{} is the ready of no wire: there is no {}", name, offered);
    readies.emplace(wire, ready);
  }
  const auto watch = [&](Traceable& item) {
    const auto ready = readies.find(&item);
    Wire<bool>* const ready_wire = ready == readies.end() ? nullptr : ready->second;
    const auto kind = watches().find(typeid(item));
    if (kind != watches().end() && kind->second(*this, item, ready_wire)) return;
    CHECK(ready_wire == nullptr, "{} has a ready and is not watched: its bundle belongs into hw/bundles/signals.h",
          item.trace_name());
    CHECK(dynamic_cast<QueueView*>(&item) == nullptr,
          "{} is a queue and is not watched: its bundle belongs into hw/bundles/signals.h", item.trace_name());
  };
  for (Traceable* item : items) watch(*item);
  watch_answers();
  watch_credits(config, named);
}

void ProtocolMonitors::watch_answers() {
  std::map<std::string, const Attached*> named;
  for (const Attached& attached : attached_) named.emplace(attached.item->trace_name(), &attached);
  for (const auto& [name, asks] : named) {
    const TransferIdentity request = asks->monitor->identity();
    if (request.exchange == Exchange::kNone || request.is_answer || asks->monitor->name() != name) continue;
    for (const auto& pair : kAnswerNames) {
      if (!ends_with(name, pair.request)) continue;
      const auto found = named.find(name.substr(0, name.size() - std::string(pair.request).size()) + pair.answer);
      if (found == named.end()) continue;
      const TransferIdentity answer = found->second->monitor->identity();
      if (answer.is_answer && answer.exchange == request.exchange) answers(*asks->item, *found->second->item);
    }
  }
}

// The credits that come back to the scheduler of each SM.
void ProtocolMonitors::watch_credits(const Config& config, const std::map<std::string, Traceable*>& items) {
  const struct {
    const char* end;
    bool (*takes)(const Issue&);
    std::uint8_t Credits::*member;
    unsigned limit;
  } kinds[] = {
      {"collector_credit", [](const Issue&) { return true; }, &Credits::collector, config.sm.collector_units},
      {"memory_credit", goes_to_memory, &Credits::memory, std::max(1u, config.sm.collector_units / 2)},
      {"load_credit", [](const Issue& issue) { return issue.fetched.decoded().uses_load_table; }, &Credits::load,
       config.sm.load_table_entries},
      {"collector_credit", [](const Issue& issue) { return issue.fetched.decoded().wide; }, &Credits::wide, 1},
  };
  for (const auto& [name, item] : items) {
    if (typeid(*item) != typeid(Wire<Credits>)) continue;
    auto* const returned = static_cast<Wire<Credits>*>(item);
    bool known = false;
    for (const auto& kind : kinds) {
      if (!ends_with(name, kind.end)) continue;
      const auto issue = items.find(name.substr(0, name.size() - std::string(kind.end).size()) + "issue");
      CHECK(issue != items.end(), "{}: there is no issue beside it", name);
      credits(dynamic_cast<Wire<Issue>&>(*issue->second), kind.takes, *returned, kind.member, kind.limit);
      known = true;
    }
    CHECK(known, "{}: credits of what?", name);
  }
}

// Looks at what an edge wrote, and lists what moves at the next one.
void ProtocolMonitors::settle() {
  for (Monitor* const monitor : touched_) {
    monitor->touched_ = false;
    monitor->moves_ = monitor->settle();
    if (!monitor->moves_ || monitor->listed_ || !monitor->is_counted()) continue;
    if (monitor->list_ == nullptr) {
      const ClockedBase* const block = monitor->driver();
      if (block == nullptr) continue;
      const auto clock =
          std::find_if(clocks_.begin(), clocks_.end(), [&](const auto& c) { return c->is_of(block->domain()); });
      if (clock == clocks_.end()) continue;
      monitor->list_ = &(*clock)->list_of(*block);
    }
    monitor->listed_ = true;
    monitor->list_->push_back(monitor);
  }
  touched_.clear();
}

void ProtocolMonitors::look() {
  now_ = sc_core::sc_time_stamp().value();
  for (const auto& monitor : monitors_) monitor->look(bound_);
  for (const auto& answers : answers_) answers->look(bound_);
}

void ProtocolMonitors::launch_finished() const {
  for (const auto& monitor : monitors_) monitor->finished();
  for (const auto& answers : answers_) answers->finished();
}

std::vector<std::string> ProtocolMonitors::list() const {
  std::vector<std::string> lines;
  for (const auto& monitor : monitors_) lines.push_back(monitor->text());
  for (const auto& answers : answers_) lines.push_back(answers->text());
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace g80
