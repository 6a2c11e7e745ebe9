// SPDX-License-Identifier: Apache-2.0
#include "tb/events/coverage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hw/bundles/launch_beat.h"
#include "input/input_error.h"
#include "input/regular_file.h"

namespace g80 {
namespace {

constexpr const char* kFirstLine = "cover\thits";

InputError not_written(const std::string& file) {
  return InputError(fmt::format("--coverage {}: the file cannot be written ({})", file, std::strerror(errno)));
}

/// Holds a lock on the file, which it creates, so that processes add one after the other.
class LockedFile {
 public:
  explicit LockedFile(const std::string& file) {
    if (std::error_code unknown; std::filesystem::exists(file, unknown)) {
      const std::string why = why_no_regular_file(file);  // it is replaced, and nobody replaces a device
      if (!why.empty()) throw InputError(fmt::format("--coverage {}: {}", file, why));
    }
    while (!lock(file)) ::close(descriptor_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile() { ::close(descriptor_); }

 private:
  /// False if the process that had the lock has replaced the file meanwhile.
  bool lock(const std::string& file) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct ::stat locked {
    }, named{};
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0 || ::fstat(descriptor_, &locked) != 0)
      throw not_written(file);
    return ::stat(file.c_str(), &named) == 0 && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
  }

  int descriptor_ = -1;
};

CoverCounts parse(const std::string& file, std::istream& in) {
  CoverCounts counts;
  std::string line;
  if (!std::getline(in, line)) return counts;  // new
  if (line != kFirstLine) throw InputError(fmt::format("{}: this is no coverage file", file));
  for (unsigned number = 2; std::getline(in, line); ++number) {
    std::istringstream fields(line);
    std::string name;
    std::uint64_t hits = 0;
    const bool known =
        std::getline(fields, name, '\t') && fields >> hits && fields.eof() &&
        std::any_of(covers().begin(), covers().end(), [&](const Cover& cover) { return cover.full_name() == name; });
    if (!known) {
      throw InputError(
          fmt::format("{}:{}: expected the name of a cover, a tab and a number, but found '{}'", file, number, line));
    }
    counts[name] += hits;
  }
  return counts;
}

std::uint64_t hits_of(const CoverCounts& counts, const Cover& cover) {
  const auto found = counts.find(cover.full_name());
  return found == counts.end() ? 0 : found->second;
}

std::string row_of(const CoverCounts& counts, const Cover& cover) {
  std::string condition = cover.condition;  // a bar would end the cell
  for (std::size_t at = 0; (at = condition.find('|', at)) != std::string::npos; at += 2) condition.insert(at, 1, '\\');
  const std::uint64_t hits = hits_of(counts, cover);
  return fmt::format("| {} | {} | {} | `{}` |\n", cover.name, hits, cover.meaning, condition);
}

}  // namespace

// A condition names a row by its number.
static_assert(launch_row::kTables == 37 && launch_row::kParam == 107, "command_processor.textures of covers.def");

const std::vector<Cover>& covers() {
  static const std::vector<Cover> list{
#define G80_COVER(block, name, condition, meaning) {#block, #name, condition, meaning, nullptr},
#define G80_COVER_EXPLAINED(block, name, condition, meaning, why) {#block, #name, condition, meaning, why},
#include "tb/events/covers.def"
#undef G80_COVER
#undef G80_COVER_EXPLAINED
  };
  return list;
}

Coverage::Coverage(const CoverCounts& earlier) {
  const std::vector<Field> fields = list_fields(false);
  for (const Cover& cover : covers()) {
    const std::uint64_t before = hits_of(earlier, cover);
    if (before >= kEnough) continue;
    try {
      watched_.push_back({compile_event_expression(cover.condition, fields), kEnough - before, nullptr});
      watched_.back().hits = &counts_[cover.full_name()];
    } catch (const InputError&) {  // the machine has no such block; a test compiles every condition
      continue;
    }
  }
  attach();
}

void Coverage::attach() {
  std::vector<EventExpression> conditions;
  for (const Watched& cover : watched_) conditions.push_back(cover.condition);
  watch_.reset();
  watch_ = std::make_unique<EventWatch>(std::move(conditions),
                                        [this](std::size_t number, const std::vector<std::string>& instances) {
                                          *watched_[number].hits += instances.size();
                                        });
}

void Coverage::watch() {
  const auto hit = [](const Watched& cover) { return *cover.hits >= cover.enough; };
  const auto rest = std::remove_if(watched_.begin(), watched_.end(), hit);
  if (rest == watched_.end()) return;
  watched_.erase(rest, watched_.end());
  attach();
}

CoverCounts read_coverage_file(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("{}: this file does not exist", file));
  return parse(file, in);
}

CoverCounts earlier_coverage(const std::string& file) {
  const LockedFile lock(file);
  return read_coverage_file(file);
}

void add_to_coverage_file(const std::string& file, const CoverCounts& counts) {
  const LockedFile lock(file);
  CoverCounts all = read_coverage_file(file);
  for (const auto& [name, hits] : counts) all[name] += hits;
  const std::string unfinished = file + ".part";  // a full disk must not cost what earlier runs have added
  std::ofstream out(unfinished);
  out << kFirstLine << '\n';
  for (const auto& [name, hits] : all) out << name << '\t' << hits << '\n';
  out.close();
  if (!out || std::rename(unfinished.c_str(), file.c_str()) != 0) {
    const InputError error = not_written(file);
    std::remove(unfinished.c_str());
    throw error;
  }
}

std::string coverage_page(const CoverCounts& counts) {
  const auto hit =
      std::count_if(covers().begin(), covers().end(), [&](const Cover& cover) { return hits_of(counts, cover) != 0; });
  std::string page = fmt::format("{} of {} covers were hit.\n", hit, covers().size());
  const char* const head = "| Cover | Hits | What happens | Condition |\n|---|---|---|---|\n";
  std::string holes, explained;
  for (const Cover& cover : covers()) {
    if (hits_of(counts, cover) != 0) continue;
    const std::string line = fmt::format("- `{}`: {}", cover.full_name(), cover.meaning);
    if (cover.why_not == nullptr) {
      holes += line + '\n';
    } else {
      explained += fmt::format("{}; {}\n", line, cover.why_not);
    }
  }
  if (!holes.empty()) page += "\n## Holes\n\n" + holes;
  if (!explained.empty()) page += "\n## Cannot be hit\n\n" + explained;
  std::string block;
  for (const Cover& cover : covers()) {
    if (block != cover.block) page += fmt::format("\n## {}\n\n{}", cover.block, head);
    block = cover.block;
    page += row_of(counts, cover);
  }
  return page;
}

}  // namespace g80
