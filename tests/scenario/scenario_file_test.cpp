// SPDX-License-Identifier: Apache-2.0
// What a scenario file may say, and how its mistakes are told.
#include "tb/scenario/scenario_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "input/input_error.h"
#include "tb/scenario/arguments.h"

namespace g80 {
namespace {

class ScenarioFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("g80_scenario_") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) {
    const std::string path = (folder_ / "scenario.toml").string();
    std::ofstream(path) << text;
    return path;
  }
  Scenario read(const std::string& text) { return read_scenario(write(text)); }
  /// The message without the folder.
  std::string error_of(const std::string& text) {
    const std::string path = write(text);
    try {
      read_scenario(path);
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::size_t at = message.find(path);
      return at == std::string::npos ? message : message.substr(at + path.size() - std::string("scenario.toml").size());
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

constexpr const char* kHead = "kernel = 'k.sasm'\nsummary = 's'\n";
constexpr const char* kLaunch = "[[launch]]\ngrid = [1]\nblock = [32]\n";

TEST_F(ScenarioFile, HoldsWhatItSays) {
  const Scenario s = read(
      std::string(kHead) +
      "golden = 'vec_add'\nmax_cycles = 7\n[config.sm]\nbarrier_expected = 'launched'\nmax_warps = 8\n"
      "[args.b]\ntype = 'u32'\ndefault = 2\ndoc = 'd'\n[args.a]\ntype = 'f32'\ndefault = 'b * 2'\nmin = 1\ndoc = 'd'\n"
      "[buffer.x]\ntype = 's16'\ncount = 'b'\ninit = [1, -2]\nulp = 3\n"
      "[[launch]]\ngrid = ['b', 2]\nblock = 'b'\nparams = ['x', { f32 = 'a' }, 4]\n[[suite]]\nb = 3\n");
  EXPECT_EQ(s.golden, "vec_add");
  EXPECT_EQ(s.max_cycles, 7u);
  ASSERT_EQ(s.config.size(), 2u);
  EXPECT_EQ(s.config[0].text, "sm.barrier_expected=launched");
  EXPECT_EQ(s.config[1].text, "sm.max_warps=8");
  ASSERT_EQ(s.args.size(), 2u);
  EXPECT_EQ(s.args[0].name, "b") << "arguments keep the order in which they are written";
  EXPECT_EQ(s.args[1].type, ElementType::kF32);
  ASSERT_EQ(s.buffers.size(), 1u);
  EXPECT_EQ(s.buffers[0].values.size(), 2u);
  EXPECT_EQ(s.buffers[0].ulp, 3u);
  ASSERT_EQ(s.launches.size(), 1u);
  EXPECT_EQ(s.launches[0].grid.size(), 2u);
  ASSERT_EQ(s.launches[0].params.size(), 3u);
  EXPECT_EQ(s.launches[0].params[1].type, ElementType::kF32);
  EXPECT_EQ(s.launches[0].params[2].value.text, "4");
  ASSERT_EQ(s.suite.size(), 1u);
  EXPECT_EQ(s.suite[0].at("b"), "3");
}

TEST_F(ScenarioFile, MistakesNameFileLineAndKey) {
  EXPECT_EQ(error_of("kernel = 'k.sasm'\n"), "scenario.toml:1: summary is missing (a string)");
  EXPECT_EQ(error_of(kHead), "scenario.toml: [[launch]] is missing");
  EXPECT_EQ(error_of(std::string(kHead) + "expect = 'maybe'\n" + kLaunch),
            "scenario.toml:3: expect is 'maybe'; allowed are pass, barrier_deadlock, livelock, fault");
  EXPECT_NE(error_of(std::string(kHead) + "colour = 1\n" + kLaunch)
                .find("scenario.toml:3: colour: unknown key; allowed are kernel"),
            std::string::npos);
  EXPECT_EQ(error_of(std::string(kHead) + "[buffer.x]\ntype = 'int'\ncount = 1\n" + kLaunch),
            "scenario.toml:4: buffer.x.type is 'int'; allowed are u8, s8, u16, s16, u32, s32, u64, f32, f64");
  EXPECT_EQ(error_of(std::string(kHead) + "[buffer.x]\ntype = 'u8'\ncount = true\n" + kLaunch),
            "scenario.toml:5: buffer.x.count must be an expression: a string or a number");
  EXPECT_EQ(error_of(std::string(kHead) + "[[launch]]\ngrid = [1, 1, 1, 1]\nblock = 1\n"),
            "scenario.toml:4: launch.grid must be 1 to 3 values");
  EXPECT_EQ(error_of(std::string(kHead) + "max_cycles = -1\n" + kLaunch)
                .find("scenario.toml:3: max_cycles must be an integer"),
            0u);
  EXPECT_EQ(error_of(std::string(kHead) + "host_sum = 'x'\n" + kLaunch),
            "scenario.toml: host_sum is 'x'; it must name a buffer of type f32");
  EXPECT_EQ(error_of("kernel = \n").find("scenario.toml:1: "), 0u) << "syntax errors have a line too";
}

TEST_F(ScenarioFile, NamesAreUniqueAndUsable) {
  const std::string arg = "[args.n]\ntype = 'u32'\ndefault = 1\ndoc = ''\n";
  EXPECT_EQ(error_of(kHead + arg + "[buffer.n]\ntype = 'u8'\ncount = 1\n" + kLaunch),
            "scenario.toml: the name 'n' is used twice");
  EXPECT_NE(
      error_of(std::string(kHead) + "[buffer.i]\ntype = 'u8'\ncount = 1\n" + kLaunch).find("'i' cannot be a name"),
      std::string::npos);
}

class Arguments : public ScenarioFile {
 protected:
  void SetUp() override {
    ScenarioFile::SetUp();
    scenario_ = read(std::string(kHead) +
                     "[args.trial]\ntype='u32'\ndefault=1\nmin=1\nmax=3\ndoc=''\n"
                     "[args.stride]\ntype='u32'\ndefault='pick(trial - 1, 32, 16, 8)'\ndoc=''\n"
                     "[[require]]\ncondition='stride != 5'\nmessage='five is right out'\n" +
                     kLaunch);
  }
  std::string error_of(const std::vector<std::pair<std::string, std::string>>& given) {
    try {
      resolve_arguments(scenario_, given);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  Scenario scenario_;
};

TEST_F(Arguments, DefaultsFollowEarlierArguments) {
  EXPECT_EQ(resolve_arguments(scenario_, {})[1].value.integer, 32);
  EXPECT_EQ(resolve_arguments(scenario_, {{"trial", "3"}})[1].value.integer, 8);
  EXPECT_EQ(resolve_arguments(scenario_, {{"trial", "3"}, {"stride", "4"}})[1].value.integer, 4);
  EXPECT_EQ(resolve_arguments(scenario_, {{"stride", "trial + 8"}})[1].value.integer, 9);
}

TEST_F(Arguments, MistakesNameTheArgumentAndWhatIsAllowed) {
  EXPECT_NE(error_of({{"trial", "4"}}).find("argument 'trial' is 4; allowed is 1 to 3"), std::string::npos);
  EXPECT_NE(error_of({{"foo", "4"}}).find("has no argument 'foo'; it has trial, stride"), std::string::npos);
  EXPECT_NE(error_of({{"stride", "-3000000000"}}).find("does not fit u32"), std::string::npos);
  EXPECT_NE(error_of({{"stride", "0.5"}}).find("is not an integer"), std::string::npos);
  EXPECT_NE(error_of({{"stride", "5"}}).find("five is right out"), std::string::npos);
  EXPECT_NE(error_of({{"stride", "("}}).find("--arg stride: in '('"), std::string::npos);
}

}  // namespace
}  // namespace g80
