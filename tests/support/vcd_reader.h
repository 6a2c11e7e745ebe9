// SPDX-License-Identifier: Apache-2.0
// The reader of waves in tests: every signal's changes by name and time, from a VCD, or an FST that fst2vcd translates.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace g80::testing {

inline bool has_fst2vcd() { return std::system("command -v fst2vcd > /dev/null 2>&1") == 0; }

struct Vcd {
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> signals;  // name -> (time -> value)
  std::map<std::string, unsigned> widths;
  std::uint64_t first_time = 0, last_time = 0;
  bool times_rise = true;

  explicit Vcd(const std::filesystem::path& path) {
    std::string vcd = path.string();
    if (path.extension() == ".fst") {
      vcd += ".vcd";
      EXPECT_EQ(std::system(("fst2vcd -f " + path.string() + " -o " + vcd).c_str()), 0);
    }
    std::ifstream in(vcd);
    std::unordered_map<std::string, std::vector<std::map<std::uint64_t, std::uint64_t>*>> drawn;  // by code
    std::vector<std::string> scope;
    std::string line;
    std::uint64_t time = 0;
    bool timed = false;
    while (std::getline(in, line)) {
      if (line.empty()) continue;
      if (line[0] == '0' || line[0] == '1' || line[0] == 'b') {  // most lines of a long file
        const std::size_t end = line[0] == 'b' ? line.find(' ') : 0;
        const std::uint64_t value = std::stoull(line.substr(end == 0 ? 0 : 1, end == 0 ? 1 : end - 1), nullptr, 2);
        for (auto* changes : drawn[line.substr(end + 1)]) changes->insert_or_assign(changes->end(), time, value);
        continue;
      }
      std::istringstream words(line);
      std::string word;
      if (!(words >> word)) continue;
      if (word == "$scope") {
        std::string kind, name;
        words >> kind >> name;
        scope.push_back(name);
      } else if (word == "$upscope") {
        scope.pop_back();
      } else if (word == "$var") {
        std::string kind, width, code, name, full;
        words >> kind >> width >> code >> name;
        for (const std::string& level : scope) full += level + ".";
        widths[full + name] = static_cast<unsigned>(std::stoul(width));
        drawn[code].push_back(&signals[full + name]);
      } else if (word[0] == '#') {
        const std::uint64_t next = std::stoull(word.substr(1));
        if (timed && next <= time) times_rise = false;
        if (!timed) first_time = next;
        time = last_time = next;
        timed = true;
      }
    }
    if (vcd != path.string()) std::filesystem::remove(vcd);
  }
  /// The value that stands from `time` on.
  std::uint64_t at(const std::string& name, std::uint64_t time) const {
    const auto found = signals.find(name);
    if (found == signals.end()) {
      ADD_FAILURE() << name << " is not in the file";
      return ~0ull;
    }
    const auto after = found->second.upper_bound(time);
    EXPECT_NE(after, found->second.begin()) << name << " has no value at " << time;
    return after == found->second.begin() ? ~0ull : std::prev(after)->second;
  }
  /// Times at which it changed, the first moment of the file left out.
  std::vector<std::uint64_t> change_times(const std::string& name) const {
    std::vector<std::uint64_t> times;
    const auto found = signals.find(name);
    if (found == signals.end()) {
      ADD_FAILURE() << name << " is not in the file";
      return times;
    }
    for (const auto& [time, value] : found->second) {
      if (time != found->second.begin()->first) times.push_back(time);
    }
    return times;
  }
};

}  // namespace g80::testing
