// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of statistics files, printed from the registry.
#include <nlohmann/json.hpp>

#include "app/report/counters.h"
#include "app/report/statistics.h"

namespace g80 {
namespace {

using Json = nlohmann::ordered_json;

const Json kCount = {{"type", "integer"}, {"minimum", 0}};
const Json kText = {{"type", "string"}};
const Json kNumber = {{"type", "number"}, {"minimum", 0}};
const Json kBool = {{"type", "boolean"}};

Json ref(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }
Json list_of(const Json& item) { return {{"type", "array"}, {"items", item}}; }
Json map_of(const Json& value) { return {{"type", "object"}, {"additionalProperties", value}}; }
Json one_of(std::initializer_list<const char*> names) { return {{"enum", Json(names)}}; }
Json three() { return {{"type", "array"}, {"items", kCount}, {"minItems", 3}, {"maxItems", 3}}; }

/// An object that must have the keys of `required`, may have those of `optional`, and has no others.
Json object(const Json& required, const Json& optional = Json::object()) {
  Json names = Json::array(), properties = required;
  for (const auto& [name, schema] : required.items()) names.push_back(name);
  for (const auto& [name, schema] : optional.items()) properties[name] = schema;
  return {{"type", "object"}, {"required", names}, {"properties", properties}, {"additionalProperties", false}};
}

Json counters_of_scope(CounterScope scope) {
  Json properties = Json::object();
  for (const Counter& counter : counters()) {
    if (counter.scope != scope) continue;
    properties[counter.name] = kCount;
    properties[counter.name]["description"] = counter.unit + ": " + counter.meaning;
  }
  return properties;
}

/// The counters of an SM. Required are those that the reference also has; only the machine has the others.
Json sm() {
  Json all = counters_of_scope(CounterScope::kSm), required = Json::object();
  for (const NamedCount& counter : counters_of(SmCounters())) required[counter.first] = all[counter.first];
  required["stall"] = map_of(kCount);
  return object(required, all);
}
Json machine_sm() {
  const Json all = counters_of_scope(CounterScope::kSm);
  Json names = Json::array();
  for (const auto& [name, schema] : all.items()) names.push_back(name);
  return {{"required", names}};
}

Json profiler() {
  Json properties = Json::object();
  for (const ProfilerCounter& counter : profiler_counters()) properties[counter.name] = ref("profiler_value");
  return object(Json::object(), properties);
}

Json launch() {
  Json json = object({{"kernel", kText},
                      {"grid", three()},
                      {"block", three()},
                      {"end", one_of({"finished", "barrier_deadlock", "hang", "livelock", "max_cycles", "fault"})},
                      {"sms", list_of(ref("sm"))},
                      {"memory", object(counters_of_scope(CounterScope::kMemory))}},
                     {{"message", kText},
                      {"shader_cycles", kCount},
                      {"executing_cycles", kCount},
                      {"picoseconds", kCount},
                      {"tpcs", list_of(ref("tpc"))},
                      {"partitions", list_of(ref("partition"))},
                      {"chip", ref("chip")},
                      {"profiler", ref("profiler")},
                      {"pcs", list_of(ref("pc"))}});
  json["dependentRequired"] = {
      {"chip", {"shader_cycles", "executing_cycles", "picoseconds", "tpcs", "partitions", "profiler"}}};
  json["if"] = {{"required", {"chip"}}};
  json["then"] = {{"properties", {{"sms", list_of(machine_sm())}}}};
  return json;
}

Json run() {
  const Json timed = {
      {"shader_cycles", kCount}, {"executing_cycles", kCount},       {"milliseconds", kNumber},
      {"ipc", kNumber},          {"coalesced_transactions", kCount}, {"uncoalesced_transactions", kCount},
      {"main_stall", kText},     {"stall", map_of(kCount)},          {"scheduler_cycles", kCount},
      {"issued", kCount}};
  Json optional = timed, names = Json::array();
  for (const auto& [name, schema] : timed.items()) names.push_back(name);
  optional["order_dependent"] = kText;
  optional["host_sum"] = kText;
  Json json = object({{"scenario", kText},
                      {"model", one_of({"gpu", "golden"})},
                      {"arguments", map_of(kText)},
                      {"verdict", kText},
                      {"exit_code", kCount},
                      {"as_expected", kBool},
                      {"warp_instructions", kCount},
                      {"thread_instructions", kCount},
                      {"branches", kCount},
                      {"divergent_branches", kCount},
                      {"buffers", list_of(ref("buffer"))},
                      {"contents", map_of(kText)},
                      {"launches", list_of(ref("launch"))},
                      {"manifest", ref("manifest")}},
                     optional);
  json["if"] = {{"properties", {{"model", {{"const", "gpu"}}}, {"launches", {{"minItems", 1}}}}}};
  json["then"] = {{"required", names}};
  return json;
}

}  // namespace

std::string statistics_schema() {
  Json root;
  root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "g80 --stats F.json";
  root.update(object({{"format", {{"const", kStatisticsFormat}}}, {"runs", list_of(ref("run"))}}));
  Json& definitions = root["$defs"];
  definitions["run"] = run();
  definitions["launch"] = launch();
  definitions["sm"] = sm();
  definitions["tpc"] = object(counters_of_scope(CounterScope::kTpc));
  definitions["partition"] = object(counters_of_scope(CounterScope::kPartition));
  definitions["chip"] = object(counters_of_scope(CounterScope::kChip));
  definitions["profiler"] = profiler();
  definitions["profiler_value"] = object({{"unit", kCount}, {"chip", kCount}});
  definitions["pc"] = object({{"pc", kCount},
                              {"instruction", kText},
                              {"issued", kCount},
                              {"lanes", kCount},
                              {"transactions", kCount},
                              {"bank_conflict_passes", kCount},
                              {"stall", map_of(kCount)}},
                             {{"file", kText}, {"line", kCount}});
  definitions["buffer"] =
      object({{"buffer", kText}, {"elements", kCount}, {"differing", kCount}}, {{"first_difference", kText}});
  definitions["manifest"] =
      object({{"command", kText},
              // clang-format off
                                    {"version", kText},
                                    {"git_id", kText},
                                    {"device", kText},
                                    {"kernel_file", kText},
                                    {"kernel_hash", kText},
                                    {"seed", kCount},
                                    {"config_hash", kText},
                                    {"config", {{"type", "object"}}}},
             // clang-format on
             {{"rtl", kText},
              {"injected_faults", list_of(object({{"fault", kText}, {"field", kText}, {"changes", kCount}}))}});
  return root.dump(1) + "\n";
}

}  // namespace g80
