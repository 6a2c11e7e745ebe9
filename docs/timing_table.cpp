// SPDX-License-Identifier: Apache-2.0
#include "docs/timing_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hw/common/types.h"
#include "hw/config/delays.h"
#include "hw/config/pipeline_depth.h"

namespace g80 {
namespace {

constexpr std::string_view kReference = "8600gts";  // the preset the others are based on

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string value_text(const ConfigKey& key, const Config& config) {
  const ConfigValue value = key.load(config);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return quote_config_value(value);
}

struct Preset {
  std::string name;
  ConfigDetails details;
};

/// The presets of products (their name is published), the reference first.
std::vector<Preset> products() {
  const std::size_t name_key = *find_config_key("device.name");
  std::vector<Preset> presets;
  for (const std::string& name : preset_names()) {
    Preset preset{name, load_config_details(name)};
    if (preset.details.origins[name_key].status != "published") continue;
    presets.insert(name == kReference ? presets.begin() : presets.end(), std::move(preset));
  }
  return presets;
}

std::string rows_of(const std::vector<Preset>& presets, std::size_t index) {
  const ConfigKey& key = config_keys()[index];
  std::string text;
  for (const Preset& preset : presets) {
    const ConfigOrigin& origin = preset.details.origins[index];
    const std::string value = value_text(key, preset.details.config);
    const bool is_first = &preset == &presets.front();
    if (!is_first) {  // listed only if it differs from the reference
      const ConfigOrigin& base = presets.front().details.origins[index];
      if (value == value_text(key, presets.front().details.config) && origin.status == base.status &&
          origin.source == base.source) {
        continue;
      }
    }
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", is_first ? fmt::format("`{}`", key.full_name()) : "",
                    is_first ? cell(key.doc) : "", preset.name,
                    cell(value) + (key.unit.empty() ? "" : " ") + cell(key.unit), origin.status, cell(origin.source));
  }
  return text;
}

std::string tables(const std::vector<Preset>& presets, bool timing) {
  std::string text;
  std::string_view section;
  for (std::size_t k = 0; k < config_keys().size(); ++k) {
    const ConfigKey& key = config_keys()[k];
    if (is_timing_key(key) != timing) continue;
    if (key.section != section) {
      section = key.section;
      text += fmt::format(
          "\n### {}\n\n| Key | Meaning | Device | Value | Confidence | Source |\n|---|---|---|---|---|---|\n", section);
    }
    text += rows_of(presets, k);
  }
  return text;
}

std::string structure_rows(const std::vector<Preset>& presets) {
  std::string text = "| Quantity | Follows from |";
  for (const Preset& preset : presets) text += fmt::format(" {} |", preset.name);
  text += "\n|---|---|";
  for (std::size_t k = 0; k < presets.size(); ++k) text += "---|";
  text += '\n';
  const auto row = [&](std::string_view what, std::string_view from, auto value) {
    text += fmt::format("| {} | {} |", what, from);
    for (const Preset& preset : presets) text += fmt::format(" {} |", value(preset.details.config));
    text += '\n';
  };
  constexpr unsigned kSps = 8;
  row("scheduler cycle", "front end at half the shader clock: 2 shader cycles",
      [](const Config& c) { return fmt::format("{:.3f} ns", 2000.0 / c.clock.shader_mhz); });
  row("SP instruction occupies issue", "32 lanes over 8 SPs",
      [](const Config&) { return fmt::format("{} cycles", kWarpSize / kSps); });
  row("SFU instruction occupies its unit", "32 lanes over `sm.num_sfus`",
      [](const Config& c) { return fmt::format("{} cycles", kWarpSize / c.sm.num_sfus); });
  row("fp64 instruction occupies its unit", "32 lanes over `sm.num_dps`", [](const Config& c) {
    return c.sm.num_dps == 0 ? std::string("no unit") : fmt::format("{} cycles", kWarpSize / c.sm.num_dps);
  });
  const auto registers = [](unsigned stages, unsigned functional) {
    return fmt::format("{} + {}", functional, padding_registers(stages, functional));
  };
  row("registers of an SP: stages that compute + padding", "`sm.alu_latency` minus 10 cycles of the other stages",
      [&](const Config& c) { return registers(sp_stages(c), kSpFunctionalStages); });
  row("registers of an SFU",
      "`sm.sfu_latency` minus 6 cycles of the other stages and the 32 / `sm.num_sfus` in which lanes enter",
      [&](const Config& c) { return registers(sfu_stages(c), kSfuFunctionalStages); });
  row("registers of the SFUs' multipliers", "the same with the cycles in which an fp32 multiply enters",
      [&](const Config& c) {
        return c.sm.sfu_mul ? registers(multiply_stages(c), kMultiplierFunctionalStages) : std::string("not used");
      });
  row("registers of the fp64 unit", "`sm.dp_latency` minus 6 cycles and the 32 / `sm.num_dps` in which lanes enter",
      [&](const Config& c) {
        return c.sm.num_dps == 0 ? std::string("no unit") : registers(dp_stages(c), kDpFunctionalStages);
      });
  row("cycles added to a resolved branch", "`sm.branch_latency` minus the stages from fetch to issue",
      [](const Config& c) { return std::to_string(branch_extra_cycles(c)); });
  row("cycles added to an s[] read", "`sm.smem_latency` minus (`sm.alu_latency` + 10)",
      [](const Config& c) { return std::to_string(smem_extra_cycles(c)); });
  row("cycles added to a c[] read", "`sm.const_latency` minus (`sm.alu_latency` + 8)",
      [](const Config& c) { return std::to_string(const_extra_cycles(c)); });
  row("peak fp32 multiply-add", "SMs x 8 SPs x 2 x `clock.shader_mhz`", [](const Config& c) {
    return fmt::format("{:.1f} GFLOP/s", c.gpu.num_tpcs * c.gpu.sms_per_tpc * kSps * 2 * c.clock.shader_mhz / 1000.0);
  });
  row("peak DRAM bandwidth", "`gpu.num_partitions` x 16 bytes x `clock.dram_mhz`", [](const Config& c) {
    return fmt::format("{:.1f} GB/s", c.gpu.num_partitions * 16 * c.clock.dram_mhz / 1000.0);
  });
  return text;
}

std::string confidence_rows(const std::vector<Preset>& presets) {
  std::string text = "| Device | published | derived | fitted | assumed |\n|---|---|---|---|---|\n";
  for (const Preset& preset : presets) {
    std::map<std::string, unsigned> count;
    for (std::size_t k = 0; k < config_keys().size(); ++k) {
      if (is_timing_key(config_keys()[k])) ++count[preset.details.origins[k].status];
    }
    text += fmt::format("| {} | {} | {} | {} | {} |\n", preset.name, count["published"], count["derived"],
                        count["fitted"], count["assumed"]);
  }
  return text;
}

}  // namespace

bool is_timing_key(const ConfigKey& key) {
  for (const std::string_view unit : {"cycles", "edges", "MHz", "nanoseconds", "MB/s"}) {
    if (contains(key.unit, unit)) return true;
  }
  for (const std::string_view rate : {"per core c", "4 shader cycles"}) {
    if (contains(key.doc, rate)) return true;
  }
  const std::string name = key.full_name();
  for (const std::string_view rate : {"sm.launch_words", "sm.launch_lanes", "sm.num_sfus", "sm.num_dps"}) {
    if (name == rate) return true;  // lanes or words a cycle
  }
  return false;
}

std::string timing_page() {
  const std::vector<Preset> presets = products();

  std::string text =
      "# Every latency and rate, and its source\n\n"
      "`timing_doc` prints this page from `hw/config/config.def` and `configs/*.toml`. Do not edit it: change the "
      "configuration and run\n"
      "`cmake --build --preset release --target timing_doc && build/release/bin/timing_doc > docs/timing.md`.\n\n"
      "Confidence: **published**: the vendor printed it, or others measured it on a chip. **derived**: computed from "
      "published\n"
      "figures. **fitted**: chosen so that the model agrees with a measured time, which the source names. **assumed**: "
      "not "
      "published for this chip; the number\n"
      "of another simulator, of a later chip, or a choice of this model. `--set key=value` changes any of them.\n"
      "A key has a row for another device if its value or source differs from the 8600 GTS. The preset `tiny` is not a "
      "product and\n"
      "not listed. Shader, core and DRAM cycles are cycles of three different clocks.\n\n"
      "Latencies and rates by confidence:\n\n";
  text += confidence_rows(presets);
  text +=
      "\n## Quantities that follow from the structure\n\nThese are not keys: they follow from lanes, stages and other "
      "keys.\n\n";
  text += structure_rows(presets);
  text += "\n## Latencies and rates\n";
  text += tables(presets, true);
  text += "\n## Sizes and policies\n";
  text += tables(presets, false);
  return text;
}

std::string delays_page() {
  const ConfigDetails reference = load_config_details(std::string(kReference));
  std::string text =
      "# What every delay stands for\n\n"
      "`timing_doc delays` prints this page from `hw/config/delays.cpp`, `hw/config/config.def` and `configs/*.toml`. "
      "Do "
      "not edit it.\n"
      "`g80 list delays` prints the same list. [timing.md](timing.md) has the values of the other devices.\n\n"
      "A key that adds cycles stands for hardware. The form says how far the machine is built that way:\n\n"
      "| Form | Keys | Meaning |\n|---|---|---|\n";
  std::map<DelayForm, unsigned> count;
  for (const Delay& delay : delays()) ++count[delay.form];
  for (const auto& [form, keys] : count)
    text += fmt::format("| {} | {} | {} |\n", delay_form_text(form), keys, delay_form_meaning(form));
  std::string_view section;
  for (const Delay& delay : delays()) {
    const std::size_t index = *find_config_key(delay.key);
    const ConfigKey& key = config_keys()[index];
    if (key.section != section) {
      section = key.section;
      text += fmt::format(
          "\n## {}\n\n| Key | {} | Form | In hardware | Where | Confidence | Source |\n|---|---|---|---|---|---|---|\n",
          section, kReference);
    }
    const ConfigOrigin& origin = reference.origins[index];
    text += fmt::format("| `{}` | {} | {} | {} | `{}` | {} | {} |\n", delay.key,
                        cell(value_text(key, reference.config)) + (key.unit.empty() ? "" : " ") + cell(key.unit),
                        delay_form_text(delay.form), delay.hardware, delay.file, origin.status, cell(origin.source));
  }
  return text;
}

}  // namespace g80
