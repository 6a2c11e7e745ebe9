// SPDX-License-Identifier: Apache-2.0
#include "hw/config/key_lists.h"

#include <fmt/format.h>

#include <map>

#include "hw/common/types.h"
#include "hw/config/config_keys.h"
#include "hw/config/delays.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {
namespace {

std::string registers(unsigned stages, unsigned functional) {
  return fmt::format("{} + {}", functional, padding_registers(stages, functional));
}

/// With its unit.
std::string value_text(const ConfigKey& key, const Config& config) {
  return quote_config_value(key.load(config)) + (key.unit.empty() ? "" : " ") + std::string(key.unit);
}

std::string origin_line(const ConfigOrigin& origin) {
  return fmt::format("      {}: {}\n", origin.status, origin.source);
}

}  // namespace

std::string key_list(const std::string& device) {
  const ConfigDetails details = load_config_details(device);
  std::string text =
      fmt::format("configuration keys (--set key=value): value on {}, meaning; how it is known:\n", device);
  for (std::size_t i = 0; i < config_keys().size(); ++i) {
    const ConfigKey& key = config_keys()[i];
    text += fmt::format("  {:<34} {:<16} {}; {}\n", key.full_name(), value_text(key, details.config), key.doc,
                        key.allowed());
    text += origin_line(details.origins[i]);
  }
  return text;
}

std::string delay_list(const std::string& device) {
  const ConfigDetails details = load_config_details(device);
  std::string text = fmt::format("keys that add cycles: value on {}, form in the model, hardware, where:\n", device);
  std::map<DelayForm, unsigned> keys;
  for (const Delay& delay : delays()) ++keys[delay.form];
  for (const auto& [form, count] : keys)
    text += fmt::format("  {}, {} keys: {}\n", delay_form_text(form), count, delay_form_meaning(form));
  for (const Delay& delay : delays()) {
    const std::size_t index = *find_config_key(delay.key);
    text += fmt::format("  {:<34} {:<16} {:<10} {}; {}\n", delay.key, value_text(config_keys()[index], details.config),
                        delay_form_text(delay.form), delay.hardware, delay.file);
    text += origin_line(details.origins[index]);
  }
  return text;
}

std::vector<Quantity> quantities(const Config& c) {
  const std::string no_unit = "no unit";
  const double fp32 = 2.0 * c.gpu.num_tpcs * c.gpu.sms_per_tpc * kNumSpLanes * c.clock.shader_mhz / 1000;
  return {
      {"scheduler cycle", "front end at half the shader clock: 2 shader cycles",
       fmt::format("{:.3f} ns", 2000.0 / c.clock.shader_mhz)},
      {"SP instruction occupies issue", "32 lanes over 8 SPs", fmt::format("{} cycles", kSpOccupancy)},
      {"SFU instruction occupies its unit", "32 lanes over sm.num_sfus", fmt::format("{} cycles", sfu_occupancy(c))},
      {"fp64 instruction occupies its unit", "32 lanes over sm.num_dps",
       c.sm.num_dps == 0 ? no_unit : fmt::format("{} cycles", dp_occupancy(c))},
      {"registers of an SP: stages that compute + padding", "sm.alu_latency minus 10 cycles of the other stages",
       registers(sp_stages(c), kSpFunctionalStages)},
      {"registers of an SFU",
       "sm.sfu_latency minus 6 cycles of the other stages and the 32 / sm.num_sfus in which lanes enter",
       registers(sfu_stages(c), kSfuFunctionalStages)},
      {"registers of the SFUs' multipliers", "the same with the cycles in which an fp32 multiply enters",
       c.sm.sfu_mul ? registers(multiply_stages(c), kMultiplierFunctionalStages) : "not used"},
      {"registers of the fp64 unit", "sm.dp_latency minus 6 cycles and the 32 / sm.num_dps in which lanes enter",
       c.sm.num_dps == 0 ? no_unit : registers(dp_stages(c), kDpFunctionalStages)},
      {"cycles added to a resolved branch", "sm.branch_latency minus the stages from fetch to issue",
       std::to_string(branch_extra_cycles(c))},
      {"cycles added to an s[] read", "sm.smem_latency minus (sm.alu_latency + 10)",
       std::to_string(smem_extra_cycles(c))},
      {"cycles added to a c[] read", "sm.const_latency minus (sm.alu_latency + 8)",
       std::to_string(const_extra_cycles(c))},
      {"peak fp32 multiply-add", "SMs x 8 SPs x 2 x clock.shader_mhz", fmt::format("{:.1f} GFLOP/s", fp32)},
      {"peak DRAM bandwidth", "gpu.num_partitions x 16 bytes x clock.dram_mhz",
       fmt::format("{:.1f} GB/s", c.gpu.num_partitions * 16 * c.clock.dram_mhz / 1000.0)},
  };
}

std::string quantity_list(const std::string& device) {
  std::string text = fmt::format("what follows from the keys: value on {}, and how it follows:\n", device);
  for (const Quantity& quantity : quantities(load_config(device)))
    text += fmt::format("  {:<50} {:<14} {}\n", quantity.what, quantity.value, quantity.follows_from);
  return text;
}

}  // namespace g80
