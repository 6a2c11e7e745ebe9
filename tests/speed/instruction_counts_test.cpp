// SPDX-License-Identifier: Apache-2.0
// How many instructions of the host short launches and a copy take: instructions.tsv is the record. Unlike times,
// counts hardly depend on what else the host does. What counts for a copy is 128 bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "source_dir.h"
#include "tests/support/shell.h"

namespace g80 {
namespace {

using test::shell;

constexpr double kTolerance = 0.02;

struct Launch {
  std::string name;
  double warp_instructions = 0, host_instructions = 0;
  std::string reason, command;
};
void PrintTo(const Launch& launch, std::ostream* out) { *out << launch.name; }

std::vector<Launch> recorded() {
  std::ifstream file(G80_SOURCE_DIR "/tests/speed/instructions.tsv");
  std::vector<Launch> launches;
  std::string line;
  std::getline(file, line);  // the columns
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Launch launch;
    std::string warp, host;
    std::getline(fields, launch.name, '\t');
    std::getline(fields, warp, '\t');
    std::getline(fields, host, '\t');
    std::getline(fields, launch.reason, '\t');
    std::getline(fields, launch.command, '\t');
    launch.warp_instructions = std::stod(warp);
    launch.host_instructions = std::stod(host);
    launches.push_back(launch);
  }
  return launches;
}

/// Empty if the count is near enough to the record.
std::string verdict(double count, const Launch& record) {
  const double change = count / record.host_instructions - 1;
  if (std::abs(change) <= kTolerance) return {};
  return fmt::format("{} takes {:.0f} host instructions, {:.0f} for each counted one, which is {:.1f} % {}. {}",
                     record.name, count, count / record.warp_instructions, 100 * std::abs(change),
                     change > 0 ? "more than recorded" : "less",
                     change > 0 ? "Make it faster, or write the count and the reason into tests/speed/instructions.tsv."
                                : "Write the count and the reason into tests/speed/instructions.tsv.");
}

TEST(Speed, AChangeOfMoreThanTheToleranceIsTold) {
  const Launch record{"a", 10, 1000, "", ""};
  EXPECT_EQ(verdict(1019, record), "");
  EXPECT_EQ(verdict(981, record), "");
  EXPECT_NE(verdict(1021, record).find("2.1 % more than recorded. Make it faster"), std::string::npos);
  EXPECT_NE(verdict(979, record).find("2.1 % less. Write the count"), std::string::npos);
}

class Recorded : public ::testing::TestWithParam<Launch> {};

TEST_P(Recorded, TakesAsManyHostInstructionsAsBefore) {
  if (shell("command -v valgrind").code != 0) GTEST_SKIP() << "valgrind counts the instructions";
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the record is that of a host with AVX2";
#else
  GTEST_SKIP() << "the record is that of an x86 host";
#endif
  // The launch or copy alone: no start-up.
  const bool copies = GetParam().name == "copy";
  const test::Outcome outcome = shell(fmt::format(
      "cd {} && valgrind --tool=callgrind --callgrind-out-file=/dev/null '--toggle-collect=g80::GpuBackend::{}(*' {}",
      G80_SOURCE_DIR, copies ? "copy" : "launch",
      copies ? G80_BINARY_DIR "/bin/" + GetParam().command
             : fmt::format("{} run {} --check off", G80_PROGRAM, GetParam().command)));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const std::string label = "Collected : ";
  const std::size_t place = outcome.output.find(label);
  ASSERT_NE(place, std::string::npos) << outcome.output;
  EXPECT_EQ(verdict(std::stod(outcome.output.substr(place + label.size())), GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Launches, Recorded, ::testing::ValuesIn(recorded()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace g80
