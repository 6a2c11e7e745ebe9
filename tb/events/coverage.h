// SPDX-License-Identifier: Apache-2.0
// Functional coverage: which states and simultaneous events of the machine a run has reached. The blocks know nothing
// of it: a cover is a condition on their signals (covers.def), watched only while somebody collects.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tb/events/event_watch.h"

namespace g80 {

struct Cover {
  const char *block, *name, *condition, *meaning;
  const char* why_not;  // why programs cannot hit it; null: they should
  std::string full_name() const { return std::string(block) + "." + name; }
};
const std::vector<Cover>& covers();

/// How often each cover was hit, by full name; one that is not in it never was.
using CoverCounts = std::map<std::string, std::uint64_t>;

class Coverage {
 public:
  /// A cover that was hit this often is watched no longer: its count stands for "at least".
  static constexpr std::uint64_t kEnough = 16;

  /// Watches the machine, which must be built, for covers that earlier runs have not hit often enough. Covers of blocks
  /// that the machine does not have are left out.
  explicit Coverage(const CoverCounts& earlier = {});
  /// Called outside the simulation now and then: stops watching what was hit often enough.
  void watch();
  /// Hits of this run, for each cover that is watched.
  const CoverCounts& counts() const { return counts_; }

 private:
  void attach();

  struct Watched {
    EventExpression condition;
    std::uint64_t enough;  // hits of this run that suffice
    std::uint64_t* hits;   // in counts_
  };
  CoverCounts counts_;
  std::vector<Watched> watched_;
  std::unique_ptr<EventWatch> watch_;  // of all that are watched
};

/// Adds the counts to those in the file, which need not exist; other processes may do so at the same time. Throws
/// InputError if the file is no coverage file or cannot be written.
void add_to_coverage_file(const std::string& file, const CoverCounts& counts);
CoverCounts read_coverage_file(const std::string& file);
/// The same, and nothing if the file does not exist.
CoverCounts earlier_coverage(const std::string& file);

/// A page in Markdown: every cover with its count, block by block, and the holes first.
std::string coverage_page(const CoverCounts& counts);

}  // namespace g80
