// SPDX-License-Identifier: Apache-2.0
// Statistics as JSON and CSV.
#include "app/report/statistics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/report/counters.h"
#include "app/report/summary_table.h"
#include "hw/common/version.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const std::vector<NamedCount>& counts) {
  Json object = Json::object();
  for (const auto& [name, value] : counts) object[name] = value;
  return object;
}

Json array_of(const std::vector<UnitCounters>& units) {
  Json array = Json::array();
  for (const UnitCounters& unit : units) array.push_back(object_of(unit));
  return array;
}

/// N of the compute capability 1.N of the run's device.
unsigned compute_minor_of(const Json& config) { return config.value("/device/compute_minor"_json_pointer, 0u); }

Json pc_json(const PcCounters& counters) {
  Json json;
  json["pc"] = counters.pc;
  json["instruction"] = counters.text;
  if (counters.line != 0) {
    json["file"] = counters.file;
    json["line"] = counters.line;
  }
  json["issued"] = counters.issued;
  json["lanes"] = counters.lanes;
  json["transactions"] = counters.transactions;
  json["bank_conflict_passes"] = counters.bank_conflict_passes;
  json["stall"] = object_of(counters.stall);
  return json;
}

Json launch_json(const LaunchResult& launch, unsigned compute_minor) {
  Json json;
  json["kernel"] = launch.kernel;
  json["grid"] = launch.grid;
  json["block"] = launch.block;
  json["end"] = launch_end_name(launch.end);
  if (!launch.message.empty()) json["message"] = launch.message;
  if (launch.timed) {
    json["shader_cycles"] = launch.shader_cycles;
    json["executing_cycles"] = launch.executing_cycles;
    json["picoseconds"] = launch.picoseconds;
  }
  json["sms"] = Json::array();
  for (const SmCounters& sm : launch.sms) {
    Json entry = object_of(counters_of(sm));
    entry["stall"] = object_of(sm.stall);
    json["sms"].push_back(entry);
  }
  json["memory"] = object_of(memory_counters(launch));
  if (!launch.chip.empty()) {
    json["tpcs"] = array_of(launch.tpcs);
    json["partitions"] = array_of(launch.partitions);
    json["chip"] = object_of(launch.chip);
    Json& profiler = json["profiler"] = Json::object();
    for (const ProfilerValue& value : profiler_values(launch, compute_minor)) {
      profiler[value.counter->name] = {{"unit", value.unit}, {"chip", value.chip}};
    }
  }
  if (!launch.pcs.empty()) {
    json["pcs"] = Json::array();
    for (const PcCounters& counters : launch.pcs) json["pcs"].push_back(pc_json(counters));
  }
  return json;
}

Json manifest_json(const RunManifest& manifest) {
  Json json;
  json["command"] = manifest.command;
  json["version"] = kVersion;
  json["git_id"] = manifest.git_id;
  json["device"] = manifest.device;
  if (!manifest.rtl.empty()) json["rtl"] = manifest.rtl;
  json["kernel_file"] = manifest.kernel_file;
  json["kernel_hash"] = manifest.kernel_hash;
  json["seed"] = manifest.seed;
  for (const InjectedFault& fault : manifest.faults) {
    json["injected_faults"].push_back({{"fault", fault.text}, {"field", fault.field}, {"changes", fault.changes}});
  }
  json["config_hash"] = manifest.config_hash;
  json["config"] = manifest.config_json.empty() ? Json::object() : Json::parse(manifest.config_json);
  return json;
}

Json run_json(const RunResult& result) {
  const RunTotals sum = totals(result);
  Json json;
  json["scenario"] = result.scenario;
  json["model"] = result.model;
  json["arguments"] = Json::object();
  for (const ArgumentText& argument : result.arguments) json["arguments"][argument.name] = argument.value;
  json["verdict"] = verdict(result);
  json["exit_code"] = exit_code(result);
  json["as_expected"] = as_expected(result);
  if (!result.order_dependent.empty()) json["order_dependent"] = result.order_dependent;
  if (!result.host_sum.empty()) json["host_sum"] = result.host_sum;
  if (sum.timed) {
    json["shader_cycles"] = sum.shader_cycles;
    json["executing_cycles"] = sum.executing_cycles;
    json["milliseconds"] = static_cast<double>(sum.shader_cycles) / (result.shader_mhz * 1000.0);
    json["ipc"] = sum.ipc();
    json["coalesced_transactions"] = sum.coalesced;
    json["uncoalesced_transactions"] = sum.uncoalesced;
    json["main_stall"] = sum.main_stall();
    json["stall"] = object_of(sum.stall);
    json["scheduler_cycles"] = sum.scheduler_cycles;
    json["issued"] = sum.issued;
  }
  json["warp_instructions"] = sum.warp_instructions;
  json["thread_instructions"] = sum.thread_instructions;
  json["branches"] = sum.branches;
  json["divergent_branches"] = sum.divergent_branches;
  json["buffers"] = Json::array();
  for (const BufferCheck& check : result.checks) {
    Json entry;
    entry["buffer"] = check.buffer;
    entry["elements"] = check.elements;
    entry["differing"] = check.differing;
    if (check.differing != 0) entry["first_difference"] = check.first_difference;
    json["buffers"].push_back(entry);
  }
  json["contents"] = Json::object();
  for (const auto& [buffer, hash] : result.fingerprints) json["contents"][buffer] = hash;
  const Json manifest = manifest_json(result.manifest);
  json["launches"] = Json::array();
  for (const LaunchResult& launch : result.launches)
    json["launches"].push_back(launch_json(launch, compute_minor_of(manifest["config"])));
  json["manifest"] = manifest;
  return json;
}

/// The names of files in it may be any bytes.
std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_csv(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

/// The name of a run in the CSV: the scenario and its arguments.
std::string run_name(const RunResult& result) {
  std::string name = result.scenario;
  for (const ArgumentText& argument : result.arguments) name += fmt::format(" {}={}", argument.name, argument.value);
  for (const InjectedFault& fault : result.manifest.faults) name += fmt::format(" --inject {}", fault.text);
  return name;
}

}  // namespace

Json statistics_document(const std::vector<RunResult>& results) {
  Json root;
  root["format"] = kStatisticsFormat;
  root["runs"] = Json::array();
  for (const RunResult& result : results) root["runs"].push_back(run_json(result));
  return root;
}

std::string statistics_json(const std::vector<RunResult>& results) { return text_of(statistics_document(results)); }

std::string statistics_csv(const std::vector<RunResult>& results) {
  std::string text = "run,launch,sm,counter,value,version\n";
  for (const RunResult& result : results) {
    const std::string name = csv_field(run_name(result));
    for (std::size_t k = 0; k < result.launches.size(); ++k) {
      const LaunchResult& launch = result.launches[k];
      const auto line = [&](const std::string& sm, const std::string& counter, std::uint64_t value) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", name, k, sm, counter, value, kVersion);
      };
      if (launch.timed) {
        line("", "shader_cycles", launch.shader_cycles);
        line("", "executing_cycles", launch.executing_cycles);
        line("", "picoseconds", launch.picoseconds);
      }
      for (std::size_t sm = 0; sm < launch.sms.size(); ++sm) {
        for (const auto& [counter, value] : counters_of(launch.sms[sm])) line(std::to_string(sm), counter, value);
        for (const auto& [reason, value] : launch.sms[sm].stall) line(std::to_string(sm), "stall_" + reason, value);
      }
      for (const auto& [counter, value] : memory_counters(launch)) line("", counter, value);
      const auto units = [&](const std::string& unit, const std::vector<UnitCounters>& list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
          for (const auto& [counter, value] : list[i]) line("", fmt::format("{}{}_{}", unit, i, counter), value);
        }
      };
      units("tpc", launch.tpcs);
      units("partition", launch.partitions);
      for (const auto& [counter, value] : launch.chip) line("", "chip_" + counter, value);
      for (const PcCounters& pc : launch.pcs) {
        const std::string start = fmt::format("pc_0x{:04x}_", pc.pc);
        const auto count = [&](const std::string& counter, std::uint64_t value) {
          if (value != 0) line("", start + counter, value);
        };
        count("line", pc.line);
        count("issued", pc.issued);
        count("lanes", pc.lanes);
        count("transactions", pc.transactions);
        count("bank_conflict_passes", pc.bank_conflict_passes);
        for (const auto& [reason, value] : pc.stall) count("stall_" + reason, value);
      }
    }
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string statistics_text(const std::string& path, const std::vector<RunResult>& results) {
  return is_csv(path) ? statistics_csv(results) : statistics_json(results);
}

std::string joined_statistics(const std::string& path, const std::vector<std::string>& texts) {
  if (is_csv(path)) {
    std::string all = statistics_csv({});
    for (const std::string& text : texts) all += text.substr(text.find('\n') + 1);
    return all;
  }
  Json root = statistics_document({});
  for (const std::string& text : texts) {
    const Json document = Json::parse(text);
    for (const Json& run : document.at("runs")) root["runs"].push_back(run);
  }
  return text_of(root);
}

void check_statistics_name(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (path != "-" && suffix != ".json" && suffix != ".csv")
    throw InputError(fmt::format("--stats {}: the name must end in .json or .csv, or be -", path));
}

StatisticsFile::StatisticsFile(std::string path) : path_(std::move(path)) {
  if (path_ != "-") return;
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  output_ = kept < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? nullptr : ::fdopen(kept, "w");
  if (output_ == nullptr) throw InputError("--stats -: standard output is not open");
}

void StatisticsFile::write(const std::string& text) const {
  if (path_.empty()) return;
  if (output_ == nullptr) {
    write_file(path_, text);
  } else if (std::fwrite(text.data(), 1, text.size(), output_) != text.size() || std::fflush(output_) != 0) {
    throw InputError("--stats -: standard output cannot be written");
  }
}

}  // namespace g80
