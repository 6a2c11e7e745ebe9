// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/random_state.h"

#include <algorithm>
#include <cstring>

#include "hw/common/crossing_fifo.h"
#include "hw/config/initial_word.h"
#include "tb/waves/signal_table.h"

namespace g80 {
namespace {

/// Numbers the leaves that mean nothing now: those of a struct with `valid` 0, and the front of an empty queue.
class Meaningless final : public FieldVisitor {
 public:
  struct Leaf {
    std::uint32_t number;
    unsigned width;
    const EnumText* text;
  };
  Meaningless() : FieldVisitor(true) {}
  std::vector<Leaf> leaves;

  void enter(const char* name, int) override {
    const Scope& outside = scopes_.back();
    scopes_.push_back({outside.invalid || (outside.empty && is_front(name)), false});
  }
  void leave() override { scopes_.pop_back(); }
  void leaf(const char* name, int, std::uint64_t value, unsigned width, const EnumText* text) override {
    Scope& scope = scopes_.back();
    if (scope.invalid || (scope.empty && is_front(name))) {
      leaves.push_back({next_, width, text});
    } else if (width == 1 && value == 0 && std::strcmp(name, "valid") == 0) {
      scope.invalid = scopes_.size() > 1;  // the bit itself has a reset value
    } else if (value == 0 && std::strcmp(name, "count") == 0) {
      scope.empty = true;
    }
    ++next_;
  }

 private:
  struct Scope {
    bool invalid = false;
    bool empty = false;
  };
  static bool is_front(const char* name) { return std::strcmp(name, "front") == 0; }
  std::vector<Scope> scopes_{{}};
  std::uint32_t next_ = 0;
};

std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

}  // namespace

RandomState::RandomState(std::vector<Domain*> domains, std::uint64_t seed)
    : domains_(std::move(domains)), seed_(seed), done_(domains_.size()) {
  for (Domain* domain : domains_) domain->attach_trace(*this);
  for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
    if (dynamic_cast<QueueView*>(item) != nullptr) scramble(*item);
  }
}

RandomState::~RandomState() {
  for (Domain* domain : domains_) domain->detach_trace(*this);
}

void RandomState::scramble(Traceable& item) {
  Meaningless meaningless;
  item.trace_fields(meaningless);
  const std::uint64_t place = hash_of(item.trace_name());
  for (const Meaningless::Leaf& leaf : meaningless.leaves) {
    std::uint64_t value = std::uint64_t{random_word(seed_, place + 2 * leaf.number)} << 32 |
                          random_word(seed_, place + 2 * leaf.number + 1);
    value &= ~std::uint64_t{0} >> (64 - leaf.width);
    if (leaf.text != nullptr) value %= leaf.text->count;
    FieldEditor editor(leaf.number, 1, {false, value});
    item.edit_fields(editor);
    fields_ += editor.changed();
  }
  FieldEditor filler(place + seed_);  // of the places behind the head of queues, and of caches
  item.edit_fields(filler);
  fields_ += filler.changed();
}

// The first edge after reset: all blocks are as the reset has left them.
void RandomState::edge_begin(Domain& domain) {
  const auto number = static_cast<std::size_t>(std::find(domains_.begin(), domains_.end(), &domain) - domains_.begin());
  if (done_[number] || domain.in_reset()) return;
  done_[number] = true;
  for (ClockedBase* block : domain.modules()) scramble(*block);
}

void RandomState::fill(DeviceMemory memory, const Mapping& mapping, std::uint8_t* reference) const {
  std::vector<std::uint32_t> words(mapping.bytes / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = random_word(seed_, mapping.physical / 4 + i);
  memory.write(mapping.physical, words.data(), mapping.bytes);
  if (reference != nullptr) std::memcpy(reference, words.data(), mapping.bytes);
}

}  // namespace g80
