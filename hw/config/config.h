// SPDX-License-Identifier: Apache-2.0
// The typed configuration. One table (config.def) gives key, type, unit, range and doc; configs/*.toml give values and
// sources. Modules read it once, when they are built.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

// Of these every row of hw/config/policies.def is a value; those that other code refers to have a name here.
enum class SchedulerPolicy : std::uint8_t {
  kLooseRoundRobin,
  kOldestFirst,
  kGreedyThenOldest
};                                                                   // hw/sm/warp_policies.h
enum class DivergenceFirst : std::uint8_t { kTaken, kFallthrough };  // hw/sm/divergence_policies.h
enum class BarrierExpected : std::uint8_t { kLive, kLaunched };      // hw/sm/barrier_policies.h
enum class ReplacementPolicy : std::uint8_t { kLru };                // hw/cache/replacement_policies.h
enum class DramPolicy : std::uint8_t { kFrFcfs, kFcfs };             // hw/dram/dram_policies.h
enum class CtaPlacement : std::uint8_t { kRoundRobin };              // hw/gpu/placement_policies.h

enum class InitState : std::uint8_t { kZero, kRandom, kPoison };
enum class PartitionHash : std::uint8_t { kPlain, kXor };
enum class BankHash : std::uint8_t { kPlain, kXor };
enum class CtaOrder : std::uint8_t { kLinear, kShuffled };

// Spelling of every choice, in files and on the command line. The argument only selects the overload.
template <class Enum>
struct Choice {
  Enum value;
  std::string_view text;
};
/// Those that the RTL twin of the warp scheduler has as well: the first rows of the table.
inline constexpr std::array<Choice<SchedulerPolicy>, 3> kSchedulerPoliciesOfTheTwin{
    {{SchedulerPolicy::kLooseRoundRobin, "loose_round_robin"},
     {SchedulerPolicy::kOldestFirst, "oldest_first"},
     {SchedulerPolicy::kGreedyThenOldest, "greedy_then_oldest"}}};
std::vector<Choice<SchedulerPolicy>> choices(SchedulerPolicy);
std::vector<Choice<DivergenceFirst>> choices(DivergenceFirst);
std::vector<Choice<BarrierExpected>> choices(BarrierExpected);
std::vector<Choice<ReplacementPolicy>> choices(ReplacementPolicy);
std::vector<Choice<DramPolicy>> choices(DramPolicy);
std::vector<Choice<CtaPlacement>> choices(CtaPlacement);
constexpr std::array<Choice<InitState>, 3> choices(InitState) {
  return {{{InitState::kZero, "zero"}, {InitState::kRandom, "random"}, {InitState::kPoison, "poison"}}};
}
constexpr std::array<Choice<PartitionHash>, 2> choices(PartitionHash) {
  return {{{PartitionHash::kPlain, "plain"}, {PartitionHash::kXor, "xor"}}};
}
constexpr std::array<Choice<BankHash>, 2> choices(BankHash) {
  return {{{BankHash::kPlain, "plain"}, {BankHash::kXor, "xor"}}};
}
constexpr std::array<Choice<CtaOrder>, 2> choices(CtaOrder) {
  return {{{CtaOrder::kLinear, "linear"}, {CtaOrder::kShuffled, "shuffled"}}};
}

/// "fr_fcfs" for DramPolicy::kFrFcfs.
template <class Enum, class = decltype(choices(Enum{}))>
constexpr std::string_view to_text(Enum value) {
  for (const Choice<Enum>& choice : choices(value)) {
    if (choice.value == value) return choice.text;
  }
  return {};
}
/// The choice of that spelling, if there is one: from_text<DramPolicy>("fcfs").
template <class Enum, class = decltype(choices(Enum{}))>
constexpr std::optional<Enum> from_text(std::string_view text) {
  for (const Choice<Enum>& choice : choices(Enum{})) {
    if (choice.text == text) return choice.value;
  }
  return std::nullopt;
}

namespace config_detail {
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f64 = double;
using boolean = bool;
}  // namespace config_detail

/// One member struct per section of config.def: cfg.sm.max_warps, cfg.dram.t_rcd, ...
struct Config {
#define BEGIN(section) struct section##_keys {
#define TEXT(section, name, doc) std::string name;
#define KEY(section, name, type, unit, min, max, doc) config_detail::type name{};
#define ENUM(section, name, type, doc) type name{};
#define END(section) \
  }                  \
  section;
#include "hw/config/config.def"
#undef BEGIN
#undef TEXT
#undef KEY
#undef ENUM
#undef END

  std::string source;  // file the values came from
};

/// An error in a configuration: one sentence with file, line and key.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads a preset ("8600gts") or a file, applies `key=value` overrides in order, checks ranges and combinations.
Config load_config(const std::string& preset_or_file, const std::vector<std::string>& overrides = {});

/// The origin of a value. `status` is published, derived or assumed in a preset, user elsewhere.
struct ConfigOrigin {
  std::string where;  // "configs/8600gts.toml:12" or "--set dram.t_rcd=12"
  std::string status;
  std::string source;
};
/// A configuration with the origin of every value, in the order of config_keys().
struct ConfigDetails {
  Config config;
  std::vector<ConfigOrigin> origins;
};
ConfigDetails load_config_details(const std::string& preset_or_file, const std::vector<std::string>& overrides = {});

/// Names of the presets that load_config finds, sorted.
std::vector<std::string> preset_names();

/// Every value of the configuration as JSON, in table order: the same configuration gives the same bytes.
std::string resolved_config_json(const Config& config);

/// Sixteen hexadecimal digits that name the resolved values (not the file they came from).
std::string config_hash(const Config& config);

}  // namespace g80
