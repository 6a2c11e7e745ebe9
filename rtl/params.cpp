// SPDX-License-Identifier: Apache-2.0
// Prints rtl's package g80_params_pkg from the C++ headers, so that both languages have their numbers from one place.
// The build runs it; the file it makes lies in the build folder.
#include <cctype>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "hw/config/config.h"
#include "hw/mem/coalescer.h"
#include "hw/sm/warp_scheduler.h"
#include "hw/smem/bank_conflict.h"

namespace g80 {
namespace {

/// Largest value of a configuration key: what a twin is built for.
unsigned key_max(std::string_view wanted) {
#define BEGIN(section)
#define TEXT(section, name, doc)
#define KEY(section, name, type, unit, min, max, doc) \
  if (wanted == #section "." #name) return static_cast<unsigned>(max);
#define ENUM(section, name, type, doc)
#define END(section)
#include "hw/config/config.def"
#undef BEGIN
#undef TEXT
#undef KEY
#undef ENUM
#undef END
  throw std::out_of_range(std::string(wanted));
}

/// NO_WARP and greedy_then_oldest become NoWarp and GreedyThenOldest.
std::string upper_camel(std::string_view text) {
  std::string out;
  bool first = true;
  for (const char c : text) {
    if (c == '_') {
      first = true;
    } else {
      out += static_cast<char>(first ? std::toupper(static_cast<unsigned char>(c))
                                     : std::tolower(static_cast<unsigned char>(c)));
      first = false;
    }
  }
  return out;
}

unsigned bits_for(unsigned values) {
  unsigned bits = 1;
  while ((1u << bits) < values) ++bits;
  return bits;
}

void constant(const char* name, unsigned value, const char* doc) {
  fmt::print("  localparam int unsigned {:<20} = {:<6} // {}\n", name, fmt::format("{};", value), doc);
}

/// An enumeration with the values 0, 1, 2, ... in the order of `names`.
void enumeration(const char* type, const char* prefix, const std::vector<std::string>& names) {
  const unsigned bits = bits_for(static_cast<unsigned>(names.size()));
  fmt::print("\n  typedef enum logic [{}:0] {{\n", bits - 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    fmt::print("    {}{} = {}'d{}{}\n", prefix, names[i], bits, i, i + 1 < names.size() ? "," : "");
  }
  fmt::print("  }} {};\n", type);
}

template <class Enum>
std::vector<std::string> texts() {
  const EnumText& text = enum_text(Enum{});
  std::vector<std::string> names;
  for (unsigned i = 0; i < text.count; ++i) names.push_back(upper_camel(text.names[i]));
  return names;
}
template <class Choices>
std::vector<std::string> spellings(const Choices& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) {
    CHECK(static_cast<std::size_t>(choice.value) == names.size(), "the choices are not in the order of their values");
    names.push_back(upper_camel(choice.text));
  }
  return names;
}

struct Names {
  std::vector<std::string> list;
  template <class T>
  void operator()(const char* name, const T&, unsigned = 0) {
    list.push_back(upper_camel(name));
  }
};
template <class Counters>
void counters(const char* type, const char* count) {
  Names names;
  Counters all;
  Counters::visit(all, names);
  enumeration(type, "Count", names.list);
  constant(count, static_cast<unsigned>(names.list.size()), "counters of the block, in the order of its C++ struct");
}

void print_package() {
  fmt::print("// Written by rtl/params.cpp from the headers of hw/. Changes belong there.\npackage g80_params_pkg;\n");
  constant("WarpSize", kWarpSize, "lanes in a warp");
  constant("HalfWarp", kHalfWarp, "lanes of one memory request");
  constant("NumSpLanes", kNumSpLanes, "scalar processors in an SM");
  constant("NumSmemBanks", kNumSmemBanks, "shared-memory banks, 32 bits each");
  constant("SectorBytes", kSectorBytes, "one DRAM burst of a partition");
  constant("MaxTransactionBytes", kMaxTransactionBytes, "of one memory transaction");
  constant("MaxWarps", kMaxWarps, "warp slots of an SM");
  constant("MaxSharedBytes", kMaxSharedBytes, "shared memory of an SM");
  constant("SmemQueue", kSmemQueue, "requests waiting at bank_conflict");
  constant("MaxCollectorUnits", key_max("sm.collector_units"), "operand collector units");
  constant("MaxLoadEntries", key_max("sm.load_table_entries"), "outstanding memory instructions of an SM");
  constant("MaxCoalescerQueue", key_max("coalescer.queue"), "transactions waiting for the crossbar");
  constant("MaxCoalescerCycles", key_max("coalescer.cycles_per_transaction"),
           "core cycles from transaction to transaction");
  enumeration("scheduler_policy_e", "Policy", spellings(kSchedulerPoliciesOfTheTwin));
  enumeration("stall_reason_e", "Stall", texts<StallReason>());
  constant("NumStallReasons", kNumStallReasons, "reasons, issuing included");
  enumeration("mem_op_e", "MemOp", texts<MemOp>());
  enumeration("mem_client_e", "MemClient", texts<MemClient>());
  counters<BankConflictPorts::Counters>("bank_conflict_counter_e", "NumBankConflictCounters");
  counters<CoalescerPorts::Counters>("coalescer_counter_e", "NumCoalescerCounters");
  fmt::print("endpackage\n");
}

}  // namespace
}  // namespace g80

// The SystemC library wants sc_main to exist.
int sc_main(int, char**) { return 0; }

int main() {
  g80::print_package();
  return 0;
}
