// SPDX-License-Identifier: Apache-2.0
// The rules that hold on wires and queues between blocks, one class each; tb/check/protocol_monitor.h attaches them.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hw/bundles/signals.h"
#include "tb/check/backlog.h"
#include "tb/check/transfer_identity.h"

namespace g80 {

class ProtocolMonitors;

namespace protocol {

/// Exchanges whose answers come in the order of their requests.
inline constexpr Exchange kInOrder[] = {Exchange::kShared};
/// Exchanges that last as long as a block of the kernel runs.
constexpr bool is_endless(Exchange exchange) { return exchange == Exchange::kCta; }

/// The present shader cycle, and what is wrong in it.
class Place {
 public:
  /// `now`: the time of the edge that runs, also of one to which a group of blocks has run ahead.
  Place(const Domain& shader, const Picoseconds& now) : shader_(shader), now_(now) {}
  [[noreturn]] void broken(const std::string& name, const std::string& rule) const {
    throw ModelError(fmt::format("protocol: cycle {}, {}: {}", cycle(now_), name, rule));
  }
  Picoseconds now() const { return now_; }
  Cycle cycle(Picoseconds time) const { return shader_.last_edge_by(time); }

 private:
  const Domain& shader_;
  const Picoseconds& now_;
};

/// "warp=3 address=64 ": the fields of a value, without arrays.
template <class T>
std::string brief(const T& value) {
  struct Printer final : FieldVisitor {
    std::string text;
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char* name, int index, std::uint64_t field, unsigned, const EnumText* names) override {
      if (index >= 0) return;
      const bool named = names != nullptr && field < names->count;
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                          named ? names->names[field] : fmt::format(field < 10 ? "{}" : "0x{:x}", field));
    }
  } printer;
  visit_fields(value, printer);
  return printer.text;
}

/// The requests of one kind between two places that have no answer yet.
class Answers {
 public:
  Answers(std::string name, const Place& place, Exchange exchange)
      : name_(std::move(name)),
        place_(place),
        in_order_(std::find(std::begin(kInOrder), std::end(kInOrder), exchange) != std::end(kInOrder)),
        endless_(is_endless(exchange)) {}

  void asked(std::uint64_t number) { waiting_.push_back({number, place_.now()}); }
  template <class Text>
  void answered(std::uint64_t number, const Text& text) {
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [number](const Request& r) { return r.number == number; });
    if (found == waiting_.end()) {
      place_.broken(name_, fmt::format("an answer came that no request waits for ({})", text()));
    }
    if (in_order_ && found != waiting_.begin()) {
      place_.broken(name_, fmt::format("an answer overtook that to an earlier request ({})", text()));
    }
    waiting_.erase(found);
  }
  void look(Picoseconds bound) const {
    if (endless_ || waiting_.empty() || place_.now() - waiting_.front().since <= bound) return;
    place_.broken(name_, fmt::format("a request of cycle {} has no answer yet", place_.cycle(waiting_.front().since)));
  }
  void finished() const {
    if (endless_ && !waiting_.empty()) {
      place_.broken(name_, fmt::format("the launch ended, but {} request{} of it {} no answer", waiting_.size(),
                                       waiting_.size() == 1 ? "" : "s", waiting_.size() == 1 ? "has" : "have"));
    }
  }
  std::string text() const { return name_ + (in_order_ ? ": answered once, in order" : ": answered once"); }

 private:
  struct Request {
    std::uint64_t number;
    Picoseconds since;
  };
  const std::string name_;
  const Place place_;
  const bool in_order_, endless_;
  std::vector<Request> waiting_;  // few; answered from anywhere
};

/// Equal fields. Equal bytes are the usual case.
template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || FieldHash::of(a) == FieldHash::of(b);
}

class alignas(kCacheLine) Monitor : public TraceSink {
 public:
  /// What a monitor is attached to: the item, the ready of what it offers, or an item whose every change counts.
  enum Slot : std::uint32_t { kItem, kReady, kEachChange };

  Monitor(std::string name, const Place& place) : details_(new Details{std::move(name), place, {}}) {}
  /// The item was written, in the middle of an edge; of one that counts every change, else settle() looks at it.
  virtual void written() {}
  /// An edge at which it was written is over. True: what is offered is taken at the next edge of its clock.
  virtual bool settle() { return false; }
  /// An edge begins, and the item moves at it.
  virtual void move() {}
  /// The block whose edges move it.
  virtual const ClockedBase* driver() const { return nullptr; }
  virtual void look(Picoseconds) const {}
  virtual void finished() const {}
  virtual std::string text() const = 0;
  virtual TransferIdentity identity() const { return {}; }
  const std::string& name() const { return details_->name; }
  /// Also moves when this one does.
  void lead(Monitor& follower) { details_->followers.push_back(&follower), leads_ = true; }
  /// Where what goes over this item is counted.
  void count_at(Answers& answers, bool is_answer) { answers_ = &answers, is_answer_ = is_answer; }

 protected:
  [[noreturn]] void broken(const std::string& rule) const { details_->place.broken(name(), rule); }
  /// A value that went over this item, where it asks for an answer or is one.
  template <class T>
  void count(const T& value) {
    if (answers_ == nullptr) return;
    const auto number = identity_of<T>().number(&value);
    if (!number) return;
    is_answer_ ? answers_->answered(*number, [&] { return brief(value); }) : answers_->asked(*number);
  }
  void check_wait(Picoseconds since, Picoseconds bound, const char* what) const {
    if (now() - since > bound) broken(fmt::format("{} since cycle {}", what, details_->place.cycle(since)));
  }
  Picoseconds now() const { return details_->place.now(); }
  void notify_followers() const {
    if (!leads_) return;
    for (Monitor* follower : details_->followers) follower->move();
  }

 private:
  friend class g80::ProtocolMonitors;
  struct Details {
    std::string name;
    Place place;
    std::vector<Monitor*> followers;
  };
  void changed(std::uint32_t slot) final {
    if (slot == kEachChange) return written();
    if (slot == kReady && !shows_) return;  // of no offer
    rewritten_ |= slot == kItem;
    if (touched_) return;
    touched_ = true;
    touched_list_->push_back(this);
  }
  /// Somebody wants to know when it moves.
  bool is_counted() const { return answers_ != nullptr || leads_; }

  // What every edge looks at lies in one line of the host's cache, with what an offer has.
  bool touched_ = false;  // an edge wrote the item or its ready
  bool moves_ = false;    // what it offers is taken at the next edge
  bool listed_ = false;   // among those that may move
  bool leads_ = false, is_answer_ = false;

 protected:
  bool rewritten_ = false;  // the item, since its offer was looked at
  bool waits_ = false;      // an offer that was not taken yet
  bool shows_ = true;       // there was an offer when settle() looked last

 private:
  std::vector<Monitor*>* touched_list_ = nullptr;  // since the edge began
  std::vector<Monitor*>* list_ = nullptr;          // of those that may move, once it is known
  Answers* answers_ = nullptr;
  const std::unique_ptr<Details> details_;
};

template <class T>
class Offer final : public Monitor {
 public:
  using Stale = std::function<bool(const T& offered)>;
  /// An offer that is `stale` may be taken back, or replaced; none: it must stay.
  Offer(Wire<T>& wire, Wire<bool>* ready, Stale stale, const Place& place)
      : Monitor(wire.trace_name(), place), wire_(wire), ready_(ready), stale_(std::move(stale)) {}

  bool settle() override {
    const T& value = wire_.read();
    if (waits_ && rewritten_) {
      const bool stays = value.valid && same(value, offered_);
      if (!stays && stale_ && stale_(offered_)) waits_ = false;
      if (waits_ && !value.valid) this->broken("the offer was taken back before it was accepted");
      if (waits_ && !stays) this->broken("the offer changed while it waited (" + brief(value) + ")");
    }
    rewritten_ = false;
    shows_ = value.valid;
    const bool taken = value.valid && (ready_ == nullptr || ready_->read());
    const bool waited = waits_;
    waits_ = value.valid && !taken;
    if (waits_ && !waited) {
      std::memcpy(static_cast<void*>(&offered_), &value, sizeof value);
      since_ = this->now();
    }
    return taken;
  }
  const ClockedBase* driver() const override { return wire_.driver(); }
  void move() override {
    this->count(wire_.read());
    this->notify_followers();
  }
  void look(Picoseconds bound) const override {
    if (waits_) this->check_wait(since_, bound, "the offer has not been accepted");
  }
  std::string text() const override {
    return this->name() + (ready_ == nullptr ? ": taken at once" : ": held until " + std::string(ready_->trace_name()));
  }
  TransferIdentity identity() const override { return identity_of<T>(); }

 private:
  Wire<T>& wire_;
  Wire<bool>* const ready_;
  Picoseconds since_ = 0;
  T offered_{};  // what waits
  const Stale stale_;
};

/// `Queue` is a CrossingFifo, or what behaves like one.
template <class Queue>
class QueueMonitor final : public Monitor {
  using T = std::decay_t<decltype(std::declval<Queue>().newest())>;

 public:
  QueueMonitor(Queue& fifo, const Place& place) : Monitor(fifo.trace_name(), place), fifo_(fifo) {
    if (fifo.size() != 0) broken("it holds entries already");
  }

  void written() override {
    const unsigned size = fifo_.size();
    if (size > fifo_.depth()) this->broken(fmt::format("{} entries in {} places", size, fifo_.depth()));
    if (size == entries_.size()) return;  // a fault in a flop
    if (size == entries_.size() + 1) {
      const T& value = fifo_.newest();
      Entry& entry = entries_.add();
      std::memcpy(static_cast<void*>(&entry.value), &value, sizeof value);
      entry.since = this->now();
      entry.of_host = fifo_.read_by_host() || fifo_.driver() == nullptr;
      this->count(value);
      return;
    }
    if (size + 1 != entries_.size()) {
      this->broken(fmt::format("{} entries became {} at once", entries_.size(), size));
    }
    entries_.pop();
    this->notify_followers();
    if (size == 0) return;
    entries_.front().since = this->now();
    if (!same(fifo_.front(), entries_.front().value)) {
      this->broken("the entry at its head is not the one that was written (" + brief(fifo_.front()) + ")");
    }
  }
  void look(Picoseconds bound) const override {
    if (!entries_.empty() && !entries_.front().of_host) {
      this->check_wait(entries_.front().since, bound, "the entry at its head has not been taken");
    }
  }
  std::string text() const override { return this->name() + ": first in, first out"; }
  TransferIdentity identity() const override { return identity_of<T>(); }

 private:
  struct Entry {
    T value;
    Picoseconds since;
    bool of_host;  // may wait for the host as long as it likes
  };
  Queue& fifo_;
  Backlog<Entry> entries_;
};

/// Credits of one kind: what an instruction that issues takes, and what comes back.
class CreditAccount final : public Monitor {
 public:
  CreditAccount(Wire<Issue>& issue, bool (*takes)(const Issue&), Wire<Credits>& returned, std::uint8_t Credits::*member,
                unsigned limit, const Place& place)
      : Monitor(returned.trace_name(), place),
        issue_(issue),
        takes_(takes),
        returned_(returned),
        member_(member),
        limit_(limit) {}

  void move() override {
    if (!takes_(issue_.read())) return;
    if (++taken_ > limit_) broken(fmt::format("{} credits are taken, but only {} exist", taken_, limit_));
  }
  bool settle() override {
    const std::uint8_t count = returned_.read().*member_;
    const auto back = static_cast<std::uint8_t>(count - count_);
    count_ = count;
    if (back > taken_) broken(fmt::format("{} credits came back, but only {} were taken", back, taken_));
    taken_ -= back;
    return false;
  }
  void finished() const override {
    if (taken_ != 0) broken(fmt::format("the launch ended, but {} credits have not come back", taken_));
  }
  std::string text() const override { return fmt::format("{}: {} credits, none lost, none made", name(), limit_); }

 private:
  Wire<Issue>& issue_;
  bool (*const takes_)(const Issue&);
  Wire<Credits>& returned_;
  std::uint8_t Credits::*const member_;
  const unsigned limit_;
  unsigned taken_ = 0;
  std::uint8_t count_ = 0;
};

/// Places of queues that a block counts itself.
template <class Block>
class PlaceAccount final : public Monitor {
 public:
  PlaceAccount(const Block& block, const Place& place) : Monitor(block.trace_name(), place), block_(block) {}

  void look(Picoseconds) const override { finished(); }
  void finished() const override {
    block_.count_places([this](const char* what, unsigned port, int lost) {
      if (lost != 0)
        broken(fmt::format("it {} {} of the {} {}", lost > 0 ? "lost" : "made", std::abs(lost), what, port));
    });
  }
  std::string text() const override { return name() + ": all places are there"; }

 private:
  const Block& block_;
};

}  // namespace protocol
}  // namespace g80
