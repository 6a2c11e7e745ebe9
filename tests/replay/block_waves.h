// SPDX-License-Identifier: Apache-2.0
// Blocks of a chip that runs, and the same blocks alone: what happens at the ports of each block in the chip is
// recorded edge by edge; then a block of the same class, bound to sc_signal and to queues that repeat the record, gets
// the same inputs and must show the same outputs and registers. A block that knows anything but its ports cannot.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hw/bundles/signals.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/host/host_link.h"
#include "tests/support/systemc_test.h"

namespace g80::testing {

/// A value and the edges at which it became another one.
template <class T>
class Wave {
 public:
  void note(Cycle edge, const T& value) {
    if (changes_.empty() || std::memcmp(static_cast<const void*>(&changes_.back().second), &value, sizeof(T)) != 0)
      changes_.emplace_back(edge, value);
  }
  /// Edges are asked for in rising order. Before the first one that was noted the value is T{}.
  const T& at(Cycle edge) {
    static const T none{};
    while (next_ < changes_.size() && changes_[next_].first <= edge) ++next_;
    return next_ == 0 ? none : changes_[next_ - 1].second;
  }
  /// It becomes another one at this edge, or has since the last edge that was asked for.
  bool changes_at(Cycle edge) const { return next_ < changes_.size() && changes_[next_].first <= edge; }
  std::size_t changes() const { return changes_.size(); }

 private:
  std::vector<std::pair<Cycle, T>> changes_;
  std::size_t next_ = 0;
};

/// What happens at some edges.
template <class T>
class Events {
 public:
  void note(Cycle edge, const T& event) { events_.emplace_back(edge, event); }
  /// Edges are asked for in rising order.
  const T* at(Cycle edge) {
    while (next_ < events_.size() && events_[next_].first < edge) ++next_;
    return next_ < events_.size() && events_[next_].first == edge ? &events_[next_].second : nullptr;
  }
  std::size_t size() const { return events_.size(); }

 private:
  std::vector<std::pair<Cycle, T>> events_;
  std::size_t next_ = 0;
};

/// One port: first of the block in the chip, then of the block alone.
class PortRecord {
 public:
  virtual ~PortRecord() = default;
  virtual void note_before(Cycle) {}  // the edge runs
  virtual void note_after(Cycle) {}
  virtual void bind(sc_core::sc_object& port) = 0;
  virtual bool drive(Cycle) = 0;                         // the edge comes; true if the block sees something new
  virtual bool changes_at(Cycle) const { return true; }  // an output does in the chip
  virtual std::optional<std::string> difference(Cycle) = 0;
  virtual void release() {}
  virtual std::size_t events() const = 0;
  virtual bool output() const = 0;
};

template <class T>
std::optional<std::string> value_difference(const T& chip, const T& alone) {
  if (std::memcmp(static_cast<const void*>(&chip), &alone, sizeof(T)) == 0 || chip == alone) return std::nullopt;
  std::ostringstream text;
  text << "in the chip " << chip << ", alone " << alone;
  return text.str();
}

template <class T>
class SignalRecord final : public PortRecord {
 public:
  SignalRecord(sc_core::sc_object& port, bool output) : output_(output) {
    auto* const interface = dynamic_cast<sc_core::sc_port_base&>(port).get_interface();
    chip_ = dynamic_cast<const sc_core::sc_signal_in_if<T>*>(interface);
  }
  void note_before(Cycle edge) override {
    if (!output_) wave_.note(edge, chip_->read());
  }
  void note_after(Cycle edge) override {
    if (output_) wave_.note(edge, chip_->read());
  }
  void bind(sc_core::sc_object& port) override {
    signal_ = std::make_unique<sc_core::sc_signal<T>>(sc_core::sc_gen_unique_name("signal"));
    if (output_) {
      dynamic_cast<sc_core::sc_out<T>&>(port).bind(*signal_);
    } else {
      dynamic_cast<sc_core::sc_in<T>&>(port).bind(*signal_);
    }
  }
  bool drive(Cycle edge) override {
    if (output_ || !wave_.changes_at(edge)) return false;
    signal_->write(wave_.at(edge));
    return true;
  }
  std::optional<std::string> difference(Cycle edge) override {
    return output_ ? value_difference(wave_.at(edge), signal_->read()) : std::nullopt;
  }
  bool changes_at(Cycle edge) const override { return wave_.changes_at(edge); }
  void release() override { signal_.reset(); }
  std::size_t events() const override { return wave_.changes(); }
  bool output() const override { return output_; }

 private:
  const bool output_;
  const sc_core::sc_signal_in_if<T>* chip_;
  std::unique_ptr<sc_core::sc_signal<T>> signal_;
  Wave<T> wave_;
};

/// What a block takes out of a queue: at most one entry an edge. Alone it reads a queue that gets each entry at the
/// edge at which the block in the chip could first see it at the head.
template <class T>
class ReadRecord final : public PortRecord {
 public:
  explicit ReadRecord(sc_core::sc_object& port)
      : chip_(dynamic_cast<const CrossingFifo<T>*>(dynamic_cast<sc_core::sc_port_base&>(port).get_interface())) {}
  void note_before(Cycle edge) override {
    size_ = chip_->size();
    if (!shown_) show(edge);
  }
  void note_after(Cycle edge) override {
    const unsigned taken = size_ - chip_->size();
    if (taken == 0) return;
    CHECK(taken == 1, "{}: {} entries are taken at one edge, the record knows the first only", chip_->name(), taken);
    taken_.note(edge, taken);
    show(edge);
  }
  void bind(sc_core::sc_object& port) override {
    alone_ = std::make_unique<CrossingFifo<T>>(sc_core::sc_gen_unique_name("queue"), nullptr, nullptr, kPlaces, 1);
    dynamic_cast<sc_core::sc_port<CrossingReadIf<T>>&>(port).bind(*alone_);
  }
  bool drive(Cycle edge) override {
    for (; next_ < heads_.size() && heads_[next_].first <= edge; ++next_) {
      if (alone_->can_push()) alone_->push(heads_[next_].second);  // a block that takes too few differs already
    }
    size_ = alone_->size();
    return false;  // the queue has woken the block
  }
  std::optional<std::string> difference(Cycle edge) override {
    const unsigned* const taken = taken_.at(edge);
    return value_difference(taken != nullptr ? *taken : 0u, size_ - alone_->size());
  }
  void release() override { alone_.reset(); }
  std::size_t events() const override { return taken_.size(); }
  bool output() const override { return true; }

 private:
  static constexpr unsigned kPlaces = 2;  // the entry that is taken at an edge and the one behind it

  void show(Cycle edge) {
    shown_ = chip_->available_at(edge);
    if (shown_) heads_.emplace_back(edge, chip_->front());
  }

  const CrossingFifo<T>* chip_;
  std::unique_ptr<CrossingFifo<T>> alone_;
  unsigned size_ = 0;   // before the edge
  bool shown_ = false;  // the head is in heads_
  std::vector<std::pair<Cycle, T>> heads_;
  std::size_t next_ = 0;
  Events<unsigned> taken_;
};

/// What a block puts into a queue. Alone it writes a queue of the same depth, which before each edge is filled and
/// emptied until a place is free for each entry that the block pushed in the chip, and one more if there was one; all
/// are if they were.
template <class T>
class WriteRecord final : public PortRecord {
 public:
  explicit WriteRecord(sc_core::sc_object& port)
      : chip_(dynamic_cast<CrossingFifo<T>*>(dynamic_cast<sc_core::sc_port_base&>(port).get_interface())),
        depth_(chip_->depth()) {}
  void note_before(Cycle edge) override {
    size_ = chip_->size();
    free_.note(edge, chip_->all_free());
  }
  void note_after(Cycle edge) override {
    if (const unsigned pushed = chip_->size() - size_; pushed != 0) put_.note(edge, {pushed, chip_->newest()});
    room_.note(edge, chip_->can_push_at(edge));
  }
  void bind(sc_core::sc_object& port) override {
    alone_ = std::make_unique<CrossingFifo<T>>(sc_core::sc_gen_unique_name("queue"), nullptr, nullptr, depth_, 1);
    dynamic_cast<sc_core::sc_port<CrossingWriteIf<T>>&>(port).bind(*alone_);
  }
  bool drive(Cycle edge) override {
    const Put* const put = put_.at(edge);
    const unsigned used = depth_ - (put != nullptr ? put->count : 0) - (room_.at(edge) ? 1 : 0);
    size_ = free_.at(edge) ? 0 : std::max(used, 1u);
    while (alone_->size() > size_) alone_->pop();
    while (alone_->size() < size_) alone_->push(T{});
    return false;  // the queue has woken the block
  }
  std::optional<std::string> difference(Cycle edge) override {
    const Put* const put = put_.at(edge);
    if (auto count = value_difference(put != nullptr ? put->count : 0u, alone_->size() - size_))
      return "entries: " + *count;
    return put != nullptr ? value_difference(put->newest, alone_->newest()) : std::nullopt;
  }
  void release() override { alone_.reset(); }
  std::size_t events() const override { return put_.size(); }
  bool output() const override { return true; }

 private:
  struct Put {
    unsigned count;
    T newest;
  };
  CrossingFifo<T>* chip_;
  const unsigned depth_;
  std::unique_ptr<CrossingFifo<T>> alone_;
  unsigned size_ = 0;  // before the edge
  Events<Put> put_;
  Wave<bool> room_, free_;
};

/// Host memory, by the packets of the host link: the bytes that its reads found, and its writes.
class HostRecord final : public PortRecord, public HostMemoryIf {
 public:
  explicit HostRecord(sc_core::sc_object& port) : link_(dynamic_cast<const HostLink&>(*port.get_parent_object())) {}
  void note_after(Cycle) override {
    const HostLink::Counters& sent = link_.counters();
    const LinkPacket& up = link_.going_up();
    if (sent.packets_up != packets_up_ && up.op == LinkOp::kWrite) writes_.push_back(up);
    const LinkPacket& down = link_.going_down();
    if (sent.packets_down != packets_down_)
      read_.insert(read_.end(), down.data.begin(), down.data.begin() + down.count);
    packets_up_ = sent.packets_up;
    packets_down_ = sent.packets_down;
  }
  void bind(sc_core::sc_object& port) override { dynamic_cast<sc_core::sc_port<HostMemoryIf>&>(port).bind(*this); }
  bool drive(Cycle) override { return false; }
  std::optional<std::string> difference(Cycle) override {
    return wrong_ ? std::optional<std::string>("other bytes were written to the host") : std::nullopt;
  }
  std::size_t events() const override { return writes_.size() + read_.size(); }
  bool output() const override { return true; }

  // Reads are completed in the order in which they arrive.
  void read(std::uint64_t, void* bytes, unsigned count) override {
    const std::size_t left = std::min<std::size_t>(count, read_.size() - next_read_);
    std::copy_n(read_.begin() + static_cast<std::ptrdiff_t>(next_read_), left, static_cast<std::uint8_t*>(bytes));
    next_read_ += left;
  }
  void write(std::uint64_t host_address, const void* bytes, unsigned count) override {
    if (next_write_ == writes_.size()) return void(wrong_ = true);
    const LinkPacket& packet = writes_[next_write_++];
    wrong_ |=
        host_address != packet.address || count != packet.count || std::memcmp(bytes, packet.data.data(), count) != 0;
  }

 private:
  const HostLink& link_;
  std::uint64_t packets_up_ = 0, packets_down_ = 0;
  std::vector<LinkPacket> writes_;
  std::vector<std::uint8_t> read_;
  std::size_t next_write_ = 0, next_read_ = 0;  // alone
  bool wrong_ = false;
};

/// The record of a port of the chip, by the port's type. Null: no port, or one that is not bound.
inline std::unique_ptr<PortRecord> record_of(sc_core::sc_object& object) {
  auto* const port = dynamic_cast<sc_core::sc_port_base*>(&object);
  if (port == nullptr || port->get_interface() == nullptr) return nullptr;
#define G80_RECORD_SIGNAL(T)                                                                                      \
  if (dynamic_cast<sc_core::sc_in<T>*>(port) != nullptr) return std::make_unique<SignalRecord<T>>(object, false); \
  if (dynamic_cast<sc_core::sc_out<T>*>(port) != nullptr) return std::make_unique<SignalRecord<T>>(object, true);
#define G80_RECORD_CROSSING(T)                                              \
  if (dynamic_cast<sc_core::sc_port<CrossingReadIf<T>>*>(port) != nullptr)  \
    return std::make_unique<ReadRecord<T>>(object);                         \
  if (dynamic_cast<sc_core::sc_port<CrossingWriteIf<T>>*>(port) != nullptr) \
    return std::make_unique<WriteRecord<T>>(object);
  if (dynamic_cast<sc_core::sc_port<HostMemoryIf>*>(port) != nullptr) return std::make_unique<HostRecord>(object);
  G80_RECORD_SIGNAL(bool)
  G80_SIGNALS(G80_RECORD_SIGNAL)
  G80_CROSSINGS(G80_RECORD_CROSSING)
#undef G80_RECORD_SIGNAL
#undef G80_RECORD_CROSSING
  throw std::runtime_error(fmt::format("{}: a port of another kind", object.name()));
}

/// The ports of a block, in the order of their declaration.
inline void collect_ports(const std::vector<sc_core::sc_object*>& objects, std::vector<sc_core::sc_object*>& ports) {
  for (sc_core::sc_object* object : objects) {
    const std::string name = object->basename();
    if (dynamic_cast<sc_core::sc_port_base*>(object) != nullptr && name != "clk_i" && name != "rst_ni")
      ports.push_back(object);
  }
}

/// The fields that waves show of a block, as one number.
inline std::uint64_t state_of(const ClockedBase& block) {
  class Sum final : public FieldVisitor {
   public:
    std::uint64_t sum = 0;
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char*, int, std::uint64_t value, unsigned, const EnumText*) override {
      sum = (sum ^ value) * 0x9e3779b97f4a7c15u;
      sum ^= sum >> 32;
    }
  } sum;
  sum.show_at(1);  // counters by the edge at which they end, which stays while the block sleeps
  block.trace_fields(sum);
  return sum.sum;
}

class BlockWaves final : public TraceSink {
 public:
  using Make = std::function<std::unique_ptr<ClockedBase>(const char* name)>;

  ~BlockWaves() override { stop(); }
  /// Records a block of the chip from now on; `make` makes another one like it.
  void record(ClockedBase& block, Make make) {
    block.attach_trace(*this, static_cast<std::uint32_t>(records_.size()));
    Record& record = records_.emplace_back();
    record.name = block.name();
    record.block = &block;
    record.domain = block.domain();
    record.rate = block.runs_at(1) ? Rate::kFull : Rate::kHalf;
    record.make = std::move(make);
    if (std::find(domains_.begin(), domains_.end(), record.domain) == domains_.end()) {
      domains_.push_back(record.domain);
      record.domain->attach_trace(*this);
      clocks_.push_back({record.domain, record.domain->mhz(), 0, 0});
    }
  }
  /// The chip ends after this.
  void stop() {
    for (Domain* domain : domains_) domain->detach_trace(*this);
    if (!domains_.empty()) {
      for (Record& record : records_) record.block->detach_trace(*this);
    }
    domains_.clear();
  }

  /// Runs the blocks alone, in a SystemC kernel of its own. The first difference of each block.
  std::vector<std::string> differences() {
    std::vector<std::string> found;
    for (const Clock& clock : clocks_) replay(clock, found);
    return found;
  }
  /// Blocks that did nothing: their state stayed the same.
  std::vector<std::string> idle_blocks() const {
    std::vector<std::string> out;
    for (const Record& record : records_) {
      if (record.state.changes() < 2) out.push_back(record.name);
    }
    return out;
  }
  std::uint64_t compared() const { return compared_; }  // values of outputs, states
  std::size_t blocks() const { return records_.size(); }

 private:
  struct Port {
    std::string name;
    std::unique_ptr<PortRecord> record;
  };
  struct Record {
    std::string name;
    ClockedBase* block = nullptr;  // in the chip, then alone
    Domain* domain = nullptr;
    Rate rate = Rate::kFull;
    Make make;
    std::vector<Port> ports;
    Wave<std::uint64_t> state;
    bool committed = false;  // the block has run at this edge
    bool differs = false;
  };
  struct Clock {
    Domain* domain;
    double mhz;
    Cycle reset_edges, last;
  };

  /// Ports are bound when the simulation begins.
  static void find_ports(Record& record) {
    std::vector<sc_core::sc_object*> ports;
    collect_ports(record.block->get_child_objects(), ports);
    for (sc_core::sc_object* port : ports) record.ports.push_back({port->basename(), record_of(*port)});
  }

  void changed(std::uint32_t slot) override { records_[slot].committed = true; }
  void edge_begin(Domain& domain) override {
    for (Clock& clock : clocks_) {
      if (clock.domain == &domain && domain.in_reset()) clock.reset_edges = domain.edge();
    }
    for (Record& record : records_) {
      if (record.domain != &domain) continue;
      if (record.ports.empty()) find_ports(record);
      for (Port& port : record.ports) {
        if (port.record != nullptr) port.record->note_before(domain.edge());
      }
    }
  }
  void edge_done(Domain& domain) override {
    for (Record& record : records_) {
      if (record.domain != &domain) continue;
      for (Port& port : record.ports) {
        if (port.record != nullptr) port.record->note_after(domain.edge());
      }
      if (record.committed) record.state.note(domain.edge(), state_of(*record.block));
      record.committed = false;
    }
    for (Clock& clock : clocks_) {
      if (clock.domain == &domain) clock.last = domain.edge();
    }
  }

  void replay(const Clock& clock, std::vector<std::string>& found) {
    SystemCTest::renew_context();
    Domain domain("clock", 0, clock.mhz, clock.reset_edges, false);
    std::vector<std::unique_ptr<ClockedBase>> blocks;
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
      Record& record = records_[i];
      if (record.domain != clock.domain) continue;
      blocks.push_back(record.make(sc_core::sc_gen_unique_name("block")));
      record.block = blocks.back().get();
      record.block->attach_trace(*this, i);
      domain.add(*record.block, record.rate);
      std::vector<sc_core::sc_object*> ports;
      collect_ports(record.block->get_child_objects(), ports);
      for (std::size_t p = 0; p < ports.size(); ++p) {
        if (record.ports.at(p).record != nullptr) record.ports[p].record->bind(*ports[p]);
      }
    }
    for (Cycle edge = 1; edge <= clock.last; ++edge) {
      for (Record& record : records_) {
        if (record.domain != clock.domain) continue;
        for (Port& port : record.ports) {
          if (port.record != nullptr && port.record->drive(edge)) record.block->wake();
        }
      }
      const Picoseconds now = sc_core::sc_time_stamp().value(), until = domain.edge_time(edge) + 1;
      try {
        sc_core::sc_start(sc_core::sc_time::from_value(until - now));
      } catch (const std::exception& error) {  // a block's check; one that differed before may go on to that
        found.emplace_back(error.what());
        break;
      }
      for (Record& record : records_) {
        if (record.domain == clock.domain && !record.differs) compare(record, edge, found);
      }
    }
    blocks.clear();
    for (Record& record : records_) {
      for (Port& port : record.ports) {
        if (port.record != nullptr && record.domain == clock.domain) port.record->release();
      }
    }
  }

  void compare(Record& record, Cycle edge, std::vector<std::string>& found) {
    for (Port& port : record.ports) {
      if (port.record == nullptr || !port.record->output()) continue;
      if (!record.committed && !port.record->changes_at(edge)) continue;
      ++compared_;
      if (const auto difference = port.record->difference(edge)) {
        found.push_back(fmt::format("{}.{} at edge {}: {}", record.name, port.name, edge, *difference));
        record.differs = true;
        return;
      }
    }
    if (!record.committed && !record.state.changes_at(edge)) return;
    record.committed = false;
    ++compared_;
    const std::uint64_t chip = record.state.at(edge);
    if (record.state.changes() == 0 || chip == state_of(*record.block)) return;
    found.push_back(fmt::format("{} at edge {}: its registers are not those in the chip", record.name, edge));
    record.differs = true;
  }

  std::vector<Record> records_;
  std::vector<Domain*> domains_;
  std::vector<Clock> clocks_;
  std::uint64_t compared_ = 0;
};

}  // namespace g80::testing
