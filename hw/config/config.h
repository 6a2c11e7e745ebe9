// The typed configuration. One table (config.def) gives key, type, unit, range and doc; configs/*.toml give values and sources.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

enum class SchedulerPolicy : std::uint8_t { kLooseRoundRobin, kOldestFirst, kGreedyThenOldest };
enum class DivergenceFirst : std::uint8_t { kTaken, kFallthrough };
enum class BarrierExpected : std::uint8_t { kLive, kLaunched };
enum class InitState : std::uint8_t { kZero, kRandom, kPoison };
enum class PartitionHash : std::uint8_t { kPlain, kXor };
enum class DramPolicy : std::uint8_t { kFrFcfs, kFcfs };
enum class BankHash : std::uint8_t { kPlain, kXor };

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
#define END(section) } section;
#include "hw/config/config.def"
#undef BEGIN
#undef TEXT
#undef KEY
#undef ENUM
#undef END

  std::string source;  // file the values came from
};

/// A configuration mistake: one sentence with file, line and key.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads a preset ("8600gts") or a file, applies `key=value` overrides in order, checks ranges and combinations.
Config load_config(const std::string& preset_or_file, const std::vector<std::string>& overrides = {});

}  // namespace g80
