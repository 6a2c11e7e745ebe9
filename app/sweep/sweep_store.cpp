// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/sweep_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/report/comparison.h"
#include "app/report/statistics.h"
#include "app/report/summary_table.h"
#include "hw/common/version.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kRunFormat = "g80-sweep-run 1";
constexpr const char* kUnfinished = ".tmp";

/// A new name is on the disk only when its folder is.
void flush_folder(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

void write_atomically(const std::string& path, std::string_view contents) {
  const auto refuse = [&] { return InputError(fmt::format("{}: cannot be written ({})", path, std::strerror(errno))); };
  const std::string unfinished = fmt::format("{}.{}{}", path, ::getpid(), kUnfinished);
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw refuse();
  bool written = true;
  for (std::string_view rest = contents; !rest.empty() && written;) {
    const ::ssize_t count = ::write(file, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    written = count >= 0;
    if (written) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  written = written && ::fsync(file) == 0;
  written = ::close(file) == 0 && written;
  if (!written || ::rename(unfinished.c_str(), path.c_str()) != 0) {
    const InputError error = refuse();
    ::unlink(unfinished.c_str());
    throw error;
  }
  flush_folder(fs::path(path).parent_path().string());
}

SweepOutcome sweep_outcome(const RunResult& result) {
  const Json run = statistics_document({result}).at("runs").at(0);
  SweepOutcome outcome;
  outcome.verdict = verdict(result);
  outcome.code = exit_code(result);
  outcome.as_expected = as_expected(result);
  outcome.contents = text_fingerprint(run.at("contents").dump());
  outcome.numbers = summed_counters(run);
  return outcome;
}

SweepStore::SweepStore(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_ + "/runs", error);
  if (!error) fs::create_directories(folder_ + "/failed", error);
  if (error) throw InputError(fmt::format("{}: the folder cannot be made ({})", folder_, error.message()));
}

std::string SweepStore::file_of(const std::string& id) const {
  return fmt::format("{}/runs/{}/{}.json", folder_, id.substr(0, 2), id);
}

void SweepStore::write(const SweepPlan& plan, const SweepPoint& point, const SweepOutcome& outcome) const {
  Json json;
  json["format"] = kRunFormat;
  json["run"] = plan.label(point);
  json["command"] = plan.command(point);
  json["version"] = kVersion;
  json["git_id"] = kGitId;
  json["verdict"] = outcome.verdict;
  json["code"] = outcome.code;
  json["as_expected"] = outcome.as_expected;
  json["ended"] = outcome.ended;
  json["seconds"] = outcome.seconds;
  if (!outcome.log.empty()) json["log"] = outcome.log;
  json["contents"] = outcome.contents;
  // Two lists: an ordered object looks for each of its keys among all before it when it is read.
  json["names"] = json["values"] = Json::array();
  for (const auto& [name, value] : outcome.numbers) {
    json["names"].push_back(name);
    json["values"].push_back(value);
  }
  const std::string file = file_of(point.id);
  std::error_code error;  // the writing says it
  fs::create_directory(fs::path(file).parent_path(), error);
  write_atomically(file, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool SweepStore::has(const std::string& id) const { return ::access(file_of(id).c_str(), F_OK) == 0; }

std::optional<SweepOutcome> SweepStore::read(const std::string& id) const {
  std::ifstream stream(file_of(id), std::ios::binary);
  if (!stream) return std::nullopt;
  const Json json = Json::parse(stream, nullptr, false);
  try {
    if (json.is_discarded() || json.at("format") != kRunFormat) return std::nullopt;
    SweepOutcome outcome;
    outcome.verdict = json.at("verdict");
    outcome.code = json.at("code");
    outcome.as_expected = json.at("as_expected");
    outcome.ended = json.at("ended");
    outcome.seconds = json.at("seconds");
    outcome.log = json.value("log", "");
    outcome.contents = json.at("contents");
    const Json &names = json.at("names"), &values = json.at("values");
    if (names.size() != values.size()) return std::nullopt;
    for (std::size_t i = 0; i < names.size(); ++i)
      outcome.numbers.emplace_back(names[i].get<std::string>(), values[i].get<double>());
    return outcome;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::vector<std::string> SweepStore::ids() const {
  std::vector<std::string> ids;
  std::error_code gone;  // a folder may appear meanwhile, none disappears
  for (const fs::directory_entry& folder : fs::directory_iterator(folder_ + "/runs", gone)) {
    for (const fs::directory_entry& file : fs::directory_iterator(folder.path(), gone)) {
      if (file.path().extension() == ".json") ids.push_back(file.path().stem().string());
    }
  }
  return ids;
}

void SweepStore::forget(const std::string& id) const {
  std::error_code absent;
  fs::remove(file_of(id), absent);
  fs::remove_all(failed_folder(id), absent);
}

void SweepStore::remove_unfinished() const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/runs")) {
    if (entry.path().extension() == kUnfinished) files.push_back(entry.path());
  }
  std::error_code absent;
  for (const fs::path& file : files) fs::remove(file, absent);
}

}  // namespace g80
