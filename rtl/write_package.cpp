// SPDX-License-Identifier: Apache-2.0
// Prints the package g80_pkg from the C++ headers: constants, enumerations, and a packed struct for every bundle of
// rtl/adapters/bundles.def. So both languages take numbers and layouts from one source. packed_struct.h describes the
// layout. With --probe it prints a module for the tests, which splits every struct into its fields. With --device NAME
// [KEY=VALUE..] sizes are those of one chip instead of the largest ones, for synthesis; structs stay as they are. The
// build runs this program and keeps its output in the build folder.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "hw/config/config.h"
#include "hw/config/pipeline_depth.h"
#include "hw/exec/sp_words.h"
#include "hw/isa/instruction.h"
#include "hw/sm/warp_scheduler.h"
#include "rtl/adapters/bundle_names.h"
#include "rtl/adapters/cache_straps.h"
#include "rtl/adapters/packed_struct.h"

namespace g80 {
namespace {

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

void constant(const std::string& name, unsigned value, const std::string& doc = {}) {
  fmt::print("  localparam int unsigned {:<20} = {}{};{}{}\n", name, value >> 31 != 0 ? "32'd" : "", value,
             doc.empty() ? "" : "  // ", doc);
}

/// The chip of --device.
std::optional<Config> chip;

/// Registers on the way of c[] operands, for the largest sm.const_latency.
constexpr unsigned kMaxConstStages = 127;

/// Of --device, the chip itself: a key may give it the unit for synthesis.
bool has_fp64() { return !chip || chip->device.compute_minor >= 3; }

/// The value of each integer key that sizes the twins: the largest one, or that of the chip. coalescer.queue gives
/// MaxCoalescerQueue.
void key_maxima() {
  using u32 = unsigned;
  using u64 = std::uint64_t;
  using f64 = double;
  using boolean = bool;
#define BEGIN(section)
#define TEXT(section, name, doc)
#define KEY(section, name, type, unit, min, max, doc)                                       \
  if constexpr (std::is_same_v<type, u32>)                                                  \
    constant("Max" + upper_camel(#section "_" #name),                                       \
             chip ? static_cast<unsigned>(chip->section.name) : static_cast<unsigned>(max), \
             chip ? #section "." #name : "largest " #section "." #name);
#define ENUM(section, name, type, doc)
#define END(section)
#include "hw/config/config.def"
#undef BEGIN
#undef TEXT
#undef KEY
#undef ENUM
#undef END
}

/// The size of an array in the chip, if a key gives it.
unsigned sized(std::string_view name, unsigned most) {
  if (!chip) return most;
  const auto& sm = chip->sm;
  const std::map<std::string_view, unsigned> sizes = {
      {"MaxWarps", sm.max_warps},
      {"MaxCtasPerSm", sm.max_ctas},
      {"MaxRegistersPerSm", sm.num_registers},
      {"MaxRegisterBanks", sm.register_banks},
      {"MaxSharedBytes", sm.shared_bytes},
      {"MaxStackDepth", sm.stack_depth},
      {"MaxCollectorUnits", sm.collector_units},
      {"MaxBufferEntries", sm.ibuffer_entries},
      {"MaxLoads", sm.load_table_entries},
      {"OperandWords", has_fp64() ? kOperandWords : kDataWords + kMostDataWords},
      {"MaxConstStages", std::max(2u, const_extra_cycles(*chip) / kSchedulerPeriod)},
      {"MaxExecStages", std::max({sp_stages(*chip), sfu_stages(*chip), dp_stages(*chip)})},
  };
  const auto found = sizes.find(name);
  return found == sizes.end() ? most : found->second;
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

/// DramCommandKind becomes dram_command_kind.
std::string snake(std::string_view camel) {
  std::string out;
  for (const char c : camel) {
    if (std::isupper(static_cast<unsigned char>(c)) && !out.empty()) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

/// A named enumeration of the C++ headers: FaultKind with "-" and "TRAP" becomes fault_kind_e with FaultNone and
/// FaultTrap.
std::string enum_type(const EnumText& text) { return snake(text.type) + "_e"; }
void enumeration_once(const EnumText& text) {
  static std::set<std::string> printed;
  if (!printed.insert(text.type).second) return;
  std::string prefix = text.type;
  for (const std::string_view end : {"Kind", "Reason"}) {
    if (prefix.size() > end.size() && prefix.substr(prefix.size() - end.size()) == end)
      prefix.resize(prefix.size() - end.size());
  }
  std::vector<std::string> names;
  for (unsigned i = 0; i < text.count; ++i)
    names.push_back(std::string(text.names[i]) == "-" ? "None" : upper_camel(text.names[i]));
  enumeration(enum_type(text).c_str(), prefix.c_str(), names);
}

/// A field's name. Keywords of SystemVerilog, and those of C++ that Verilator rejects, get an underscore.
std::string identifier(const char* name) {
  static const std::set<std::string> keywords = {
      "abort",     "begin",  "bind",     "bit",      "break",   "buf",      "byte",     "case",     "cell",
      "clocking",  "config", "context",  "continue", "cover",   "design",   "disable",  "do",       "edge",
      "else",      "end",    "enum",     "event",    "expect",  "export",   "extends",  "final",    "first_match",
      "force",     "fork",   "function", "global",   "if",      "import",   "input",    "instance", "int",
      "interface", "join",   "large",    "library",  "local",   "logic",    "matches",  "medium",   "module",
      "new",       "null",   "output",   "package",  "packed",  "priority", "process",  "property", "pull0",
      "pure",      "rand",   "ref",      "reg",      "release", "repeat",   "return",   "sequence", "signed",
      "small",     "solve",  "stack",    "static",   "strong",  "struct",   "super",    "table",    "tagged",
      "task",      "this",   "time",     "type",     "union",   "unique",   "unsigned", "use",      "var",
      "virtual",   "void",   "wait",     "weak",     "while",   "wire",     "with",     "within"};
  return keywords.count(name) != 0 ? std::string(name) + '_' : name;
}

/// Collects the fields of a struct for its declaration, and prints the enumerations that they need.
class Members {
 public:
  std::vector<std::pair<std::string, std::string>> list;  // type, name
  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    member(name, "", value, width);
  }
  template <class T>
  void stored(const char* name, const T& value, unsigned width = 0) {
    member(name, "", value, width);
  }
  template <class T>
  void shown(const char* name, const T& value, unsigned width = 0) {
    member(name, "", value, width);
  }
  template <class T>
  void unseen(const char*, const T&) {}
  template <class F>
  void implied(const char* name, unsigned, const F& compute) {
    member(name, "", compute(), 0);
  }
  void print() const {
    std::size_t widest = 0;
    for (const auto& [type, name] : list) widest = std::max(widest, type.size());
    fmt::print("\n  typedef struct packed {{\n");
    for (const auto& [type, name] : list) fmt::print("    {:<{}} {};\n", type, widest, name);
  }

 private:
  template <class T>
  void member(const char* name, const std::string& dimensions, const T& value, unsigned width) {
    if constexpr (fields_detail::is_array<T>::value) {
      member(name, fmt::format("{}[{}:0]", dimensions, std::size(value) - 1), value[0], width);
    } else if constexpr (fields_detail::has_text<T>::value) {
      const EnumText& text = enum_text(value);
      CHECK(width == 0 || width == packed_field_width<T>(0), "field {}: {} bits, but {} has {} values", name, width,
            text.type, text.count);
      enumeration_once(text);
      declare(enum_type(text), dimensions, name);
    } else if constexpr (fields_detail::is_leaf<T>) {
      const unsigned bits = packed_field_width<T>(width);
      declare("logic", dimensions + (bits == 1 ? "" : fmt::format("[{}:0]", bits - 1)), name);
    } else {
      declare(fmt::format("{}_t", BundleName<T>::text), dimensions, name);
    }
  }
  void declare(const std::string& type, const std::string& dimensions, const char* name) {
    list.emplace_back(dimensions.empty() ? type : type + ' ' + dimensions, identifier(name));
  }
};

/// Hands the elements of a stage register's arrays on: the fields of one lane.
struct LaneFields {
  Members& members;
  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    if constexpr (fields_detail::is_array<T>::value) members(name, value[0], width);
  }
};

/// Prints the struct, its width, and the default value of its C++ bundle.
template <class Bundle>
void bundle_struct() {
  const Bundle bundle{};
  Members members;
  visit_fields(bundle, members);
  members.print();
  const std::string name = BundleName<Bundle>::text;
  fmt::print("  }} {}_t;\n", name);
  const unsigned width = packed_width<Bundle>();
  std::vector<std::uint32_t> words((width + 31) / 32);
  pack(bundle, words.data());
  std::string digits;
  for (std::size_t i = words.size(); i-- > 0;) digits += fmt::format("{:08x}", words[i]);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  fmt::print("  localparam int unsigned {}Width = {};\n", upper_camel(name), width);
  fmt::print("  localparam {}_t {}Default = {}'h{};\n", name, upper_camel(name), width, digits);
}

template <class Stage>
void lane_struct(const std::string& name) {
  const Stage stage{};
  Members members;
  LaneFields fields{members};
  visit_fields(stage, fields);
  members.print();
  fmt::print("  }} {}_lane_t;\n", name);
  fmt::print("  localparam int unsigned {}LaneWidth = {};\n", upper_camel(name), packed_lane_width<Stage>());
}

/// Collects the paths of a bundle's fields, in the order of visit(): origin.uid, address[3].
class Places final : public FieldVisitor {
 public:
  Places() : FieldVisitor(true) {}
  void enter(const char* name, int index) override {
    path_.push_back(path_.empty() ? place(name, index) : '.' + place(name, index));
  }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t, unsigned, const EnumText*) override {
    std::string full;
    for (const std::string& part : path_) full += part;
    const bool row = std::string(name) == "at" && index >= 0;  // of a two-dimensional array
    list.push_back(row ? fmt::format("{}[{}]", full, index)
                       : fmt::format("{}{}{}", full, full.empty() ? "" : ".", place(name, index)));
  }
  std::vector<std::string> list;

 private:
  static std::string place(const char* name, int index) {
    return index < 0 ? identifier(name) : fmt::format("{}[{}]", identifier(name), index);
  }
  std::vector<std::string> path_;
};

struct ProbePort {
  std::string name;
  std::vector<std::string> places;
};
template <class Bundle>
ProbePort probe_port() {
  const Bundle bundle{};
  Places places;
  visit_fields(bundle, static_cast<FieldVisitor&>(places));
  return {BundleName<Bundle>::text, places.list};
}

void print_probe() {
  const std::vector<ProbePort> ports = {
#define BUNDLE(type, name) probe_port<type>(),
#define STATE(type, name) probe_port<type>(),
#include "rtl/adapters/bundles.def"
#undef BUNDLE
#undef STATE
  };
  fmt::print(
      "// Written by rtl/write_package.cpp: every bundle, and the fields that SystemVerilog finds in it, 64 bits "
      "each.\n");
  fmt::print("module g80_layout_probe (\n");
  for (const ProbePort& port : ports) {
    fmt::print("  input  g80_pkg::{0}_t {0}_i,\n  output logic [{1}:0] {0}_o{2}\n", port.name,
               64 * port.places.size() - 1, &port == &ports.back() ? "" : ",");
  }
  fmt::print(");\n");
  for (const ProbePort& port : ports) {
    for (std::size_t i = 0; i < port.places.size(); ++i) {
      fmt::print("  assign {0}_o[{1}:{2}] = 64'({0}_i.{3});\n", port.name, 64 * i + 63, 64 * i, port.places[i]);
    }
  }
  fmt::print("endmodule\n");
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

std::vector<std::string> replacement_policies() {
  std::vector<std::string> names;
  for (const std::string_view name : kReplacementPoliciesOfTheTwins) names.push_back(upper_camel(name));
  return names;
}

// clang-format off
/// Those of the headers that the modules use.
void shared_constants() {
#define CONSTANT(name) constant(#name, sized(#name, k##name));
  CONSTANT(MaxWarps) CONSTANT(MaxCtasPerSm) CONSTANT(MaxThreadsPerCta) CONSTANT(MaxWarpsPerCta)
  CONSTANT(MaxRegistersPerSm) CONSTANT(MaxSharedBytes) CONSTANT(MaxRegisterBanks) CONSTANT(MaxBarriers)
  CONSTANT(MaxStackDepth) CONSTANT(MaxUserParams) CONSTANT(WarpSize) CONSTANT(HalfWarp) CONSTANT(NumSpLanes)
  CONSTANT(NumSmemBanks) CONSTANT(MaxTransactionBytes) CONSTANT(ResultAheadCycles) CONSTANT(MaxExecStages)
  CONSTANT(MaxConstStages) CONSTANT(NumConstBanks) CONSTANT(NumGlobalSpaces)
  CONSTANT(SpOccupancy) CONSTANT(SpProductBits) CONSTANT(SpExponentOffset) CONSTANT(MaxSpShift) CONSTANT(SpDigits)
  CONSTANT(MaxCollectorUnits) CONSTANT(PortLanes) CONSTANT(ExecUnits) CONSTANT(MaxWaitingResults)
  CONSTANT(MaxFetchBytes) CONSTANT(LoadRows) CONSTANT(HighWords) CONSTANT(DataWords) CONSTANT(MostDataWords)
      CONSTANT(OperandWords)
  CONSTANT(FlagWrites) CONSTANT(WritePorts) CONSTANT(MaxDecodeGroup) CONSTANT(SmemQueue) CONSTANT(MaxBufferEntries) CONSTANT(MaxLoads)
  CONSTANT(NumAddressRegisters) CONSTANT(OperandPorts) CONSTANT(MaxThreadNumbers) CONSTANT(NumbersPatience)
  CONSTANT(LongRun) CONSTANT(MostWritesInARow) CONSTANT(PickPatience) CONSTANT(DelayCountBits)
#undef CONSTANT
}
// clang-format on

void print_package() {
  fmt::print("// Written by rtl/write_package.cpp from the headers of hw/. Changes belong there.\npackage g80_pkg;\n");
  shared_constants();
  constant("SpFunctionalStages", kSpFunctionalStages, "stages of the SPs that compute");
  constant("MultiplierFunctionalStages", kMultiplierFunctionalStages, "stages of the SFUs' multipliers that compute");
  constant("SfuFunctionalStages", kSfuFunctionalStages, "stages of the SFUs that compute");
  constant("DpFunctionalStages", kDpFunctionalStages, "stages of the fp64 unit that compute");
  constant("HasMultipliers", !chip || chip->sm.sfu_mul, "of the SFUs");
  constant("HasDp", has_fp64(), "a unit for fp64");
  constant("DpProductBits", dp::kProductBits, "of each word of the product");
  constant("DpWindowTop", dp::kWindowTop, "highest bit of the window of the fp64 unit");
  constant("LaunchRowCode", launch_row::kCode, "rows of the launch state");
  constant("LaunchRowGrid", launch_row::kGrid);
  constant("LaunchRowBlock", launch_row::kBlock);
  constant("LaunchRowLocal", launch_row::kLocal);
  constant("LaunchRowStack", launch_row::kStack);
  constant("LaunchRowGlobal", launch_row::kGlobal);
  constant("LaunchRowConstBank", launch_row::kConstBank);
  constant("LaunchRowParam", launch_row::kParam);
  constant("LaunchRowLimits", launch_row::kLimits);
  key_maxima();
  enumeration("scheduler_policy_e", "Policy", spellings(kSchedulerPoliciesOfTheTwin));
  enumeration("replacement_policy_e", "Replace", replacement_policies());
  enumeration_once(enum_text(StallReason{}));
  enumeration_once(enum_text(WritePort{}));
  enumeration("round_e", "Round", {"Rn", "Rm", "Rp", "Rz"});
#define BUNDLE(type, name) bundle_struct<type>();
#define STATE(type, name) bundle_struct<type>();
#define FIELDS(type, name) bundle_struct<type>();
#define LANES(type, name) lane_struct<type>(#name);
#include "rtl/adapters/bundles.def"
#undef BUNDLE
#undef STATE
  fmt::print("endpackage\n");
}

}  // namespace
}  // namespace g80

// The SystemC library refers to sc_main.
int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() > 1 && words[0] == "--device")
    g80::chip = g80::load_config(words[1], {words.begin() + 2, words.end()});
  !words.empty() && words[0] == "--probe" ? g80::print_probe() : g80::print_package();
  return 0;
}
