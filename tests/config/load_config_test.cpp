// SPDX-License-Identifier: Apache-2.0
// What presets hold, how files and overrides combine, and what each mistake is told as.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "hw/config/config.h"
#include "hw/config/config_keys.h"
#include "source_dir.h"

namespace g80 {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A configuration file that lives as long as the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text, const std::string& name = "user.toml")
      : path_(std::filesystem::path(::testing::TempDir()) /
              (std::to_string(::getpid()) + "_" + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
               "_" + name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// The message of the mistake in this configuration; empty if there is none.
std::string mistake(const std::string& device, const std::vector<std::string>& overrides = {}) {
  try {
    load_config(device, overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}
std::string mistake_in(const std::string& text) { return mistake(TemporaryFile(text).path()); }
std::string mistake_of(const std::string& override_text) { return mistake("8600gts", {override_text}); }

// --- presets

/// Presets of products: all but the machines made up for tests.
std::vector<std::string> chips() {
  std::vector<std::string> names;
  for (const std::string& name : preset_names()) {
    if (load_config_details(name).origins[*find_config_key("device.name")].status == "published") names.push_back(name);
  }
  return names;
}

TEST(Presets, AreTheFilesOfTheFolder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(G80_SOURCE_DIR) / "configs")) {
    if (entry.path().filename() != "common.toml") files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> presets = preset_names();
  EXPECT_THAT(presets, ::testing::IsSupersetOf({"8600gts", "8800gtx", "9800gtx", "gtx280", "tiny"}));
  for (std::string& name : presets) name += ".toml";
  EXPECT_EQ(presets, files);
  EXPECT_EQ(chips().size(), preset_names().size() - 1) << "tiny stands for no product";
}

TEST(Presets, EveryValueSaysWhereItComesFrom) {
  for (const std::string& name : preset_names()) {
    const ConfigDetails details = load_config_details(name);
    ASSERT_EQ(details.origins.size(), config_keys().size());
    for (std::size_t i = 0; i < config_keys().size(); ++i) {
      const ConfigOrigin& origin = details.origins[i];
      SCOPED_TRACE(name + " " + config_keys()[i].full_name());
      EXPECT_THAT(origin.status, AnyOf("published", "derived", "fitted", "assumed"));
      EXPECT_NE(origin.source, "");
      EXPECT_THAT(origin.where, HasSubstr(".toml:"));
    }
  }
}

TEST(Presets, NoChipRepeatsANumberThatChipsShare) {
  EXPECT_THAT(mistake("common"), HasSubstr("common.toml: device.name is missing"));
  const auto is_shared = [](const ConfigOrigin& origin) {
    return origin.where.find("common.toml:") != std::string::npos;
  };
  for (const std::string& name : chips()) {
    const ConfigDetails own = load_config_details(name);
    for (const std::string& other : chips()) {
      const ConfigDetails shared = load_config_details(other);
      for (std::size_t i = 0; i < config_keys().size(); ++i) {
        if (is_shared(own.origins[i]) || !is_shared(shared.origins[i])) continue;
        const ConfigKey& key = config_keys()[i];
        EXPECT_NE(quote_config_value(key.load(own.config)), quote_config_value(key.load(shared.config)))
            << name << " " << key.full_name();
      }
    }
  }
}

TEST(Presets, HoldTheStructureOfTheirChips) {
  struct Chip {
    const char* name;
    unsigned minor, sms, partitions, warps, registers;
    double shader, core, dram;
  };
  for (const Chip& chip :
       {Chip{"8800gtx", 0, 16, 6, 24, 8192, 1350, 575, 900}, Chip{"8600gts", 1, 4, 2, 24, 8192, 1458, 675, 1000},
        Chip{"9800gtx", 1, 16, 4, 24, 8192, 1688, 675, 1100}, Chip{"gtx280", 3, 30, 8, 32, 16384, 1296, 602, 1107}}) {
    SCOPED_TRACE(chip.name);
    const Config config = load_config(chip.name);
    EXPECT_EQ(config.device.compute_minor, chip.minor);
    EXPECT_EQ(config.gpu.num_tpcs * config.gpu.sms_per_tpc, chip.sms);
    EXPECT_EQ(config.gpu.num_partitions, chip.partitions);
    EXPECT_EQ(config.sm.max_warps, chip.warps);
    EXPECT_EQ(config.sm.num_registers, chip.registers);
    EXPECT_EQ(config.clock.shader_mhz, chip.shader);
    EXPECT_EQ(config.clock.core_mhz, chip.core);
    EXPECT_EQ(config.clock.dram_mhz, chip.dram);
  }
}

TEST(Presets, PinBandwidthIsThePublishedOne) {
  // 64 pins per partition, two transfers per clock.
  const auto gigabytes = [](const Config& c) { return c.gpu.num_partitions * 16 * c.clock.dram_mhz / 1000; };
  EXPECT_DOUBLE_EQ(gigabytes(load_config("8600gts")), 32.0);
  EXPECT_DOUBLE_EQ(gigabytes(load_config("8800gtx")), 86.4);
  EXPECT_DOUBLE_EQ(gigabytes(load_config("9800gtx")), 70.4);
  EXPECT_NEAR(gigabytes(load_config("gtx280")), 141.7, 0.05);
}

TEST(Presets, DramTimingsAreTheDataSheetNanosecondsOrTheNextClocks) {
  struct Rule {
    const char* key;
    double nanoseconds;
  };
  for (const std::string& name : chips()) {
    const Config config = load_config(name);
    for (const Rule& rule :
         {Rule{"dram.t_rrd", 10}, Rule{"dram.t_faw", 50}, Rule{"dram.t_rcd", 15}, Rule{"dram.t_ras", 31.25},
          Rule{"dram.t_rp", 12.5}, Rule{"dram.t_rc", 43.75}, Rule{"dram.cl", 12.5}, Rule{"dram.t_wr", 13.75},
          Rule{"dram.t_refi", 3900}, Rule{"dram.t_rfc", 54}}) {
      SCOPED_TRACE(name + " " + rule.key);
      const double clocks = rule.nanoseconds * config.clock.dram_mhz / 1000;
      const auto value =
          static_cast<double>(std::get<std::int64_t>(config_keys()[*find_config_key(rule.key)].load(config)));
      EXPECT_GT(value, clocks - 1);
      EXPECT_LT(value, clocks + 1.5);
    }
  }
}

TEST(Presets, AnUnloadedGlobalLoadTakesFourToSixHundredCycles) {
  // CUDA guide: 400 to 600 shader cycles. Closed row; the way through a crossing is clock.crossing_edges.
  for (const std::string& name : chips()) {
    const Config c = load_config(name);
    const double core_ns = 1000 / c.clock.core_mhz *
                           (c.xbar.request_latency + c.xbar.reply_latency + c.partition.request_latency +
                            c.partition.reply_latency + c.tlb.hit_latency + 2 * c.clock.crossing_edges);
    const double dram_ns =
        1000 / c.clock.dram_mhz * (c.dram.t_rcd + c.dram.cl + c.dram.burst_cycles + c.clock.crossing_edges);
    const double shader_cycles = c.sm.address_latency + c.sm.return_latency + c.clock.crossing_edges;
    const double total = shader_cycles + (core_ns + dram_ns) * c.clock.shader_mhz / 1000;
    EXPECT_GT(total, 400) << name;
    EXPECT_LT(total, 600) << name;
  }
  const Config g84 = load_config("8600gts");
  const double fixed_path = 1000 / g84.clock.core_mhz *
                            (g84.xbar.request_latency + g84.xbar.reply_latency + g84.partition.request_latency +
                             g84.partition.reply_latency + g84.tlb.hit_latency + 2 * g84.clock.crossing_edges);
  EXPECT_GT(fixed_path, 220);
  EXPECT_LT(fixed_path, 260);
}

TEST(Presets, CanBeReplacedByAFolderOfOnesOwn) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("g80_presets_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::filesystem::path presets = std::filesystem::path(G80_SOURCE_DIR) / "configs";
  std::filesystem::copy_file(presets / "8600gts.toml", folder / "mine.toml");
  std::filesystem::copy_file(presets / "common.toml", folder / "common.toml");
  ::setenv("G80_CONFIG_DIR", folder.c_str(), 1);
  EXPECT_EQ(preset_names(), std::vector<std::string>{"mine"});
  EXPECT_EQ(load_config("mine").device.name, "GeForce 8600 GTS");
  EXPECT_THAT(mistake("tiny"), HasSubstr("no preset or file 'tiny'"));
  ::unsetenv("G80_CONFIG_DIR");
  std::filesystem::remove_all(folder);
}

TEST(Presets, ArePartOfTheLibraries) {
  const std::vector<std::string> names = preset_names();
  const Config from_file = load_config("8600gts");
  ::setenv("G80_DATA_DIR", "/nowhere", 1);
  EXPECT_EQ(preset_names(), names);
  for (const std::string& name : names) EXPECT_EQ(load_config(name).source, "built-in/" + name + ".toml");
  const Config built_in = load_config("8600gts");
  EXPECT_EQ(resolved_config_json(built_in), resolved_config_json(from_file));
  EXPECT_THAT(mistake("8600gt"), HasSubstr("did you mean '8600gts'?"));
  ::unsetenv("G80_DATA_DIR");
}

// --- files and overrides

TEST(ConfigFile, TakesPlainValuesAndInheritsTheRest) {
  const TemporaryFile file("base = \"8800gtx\"\n[dram]\nt_rcd = 20\n[clock]\nshader_mhz = 1200\n");
  const Config config = load_config(file.path());
  EXPECT_EQ(config.dram.t_rcd, 20u);
  EXPECT_EQ(config.clock.shader_mhz, 1200.0);
  EXPECT_EQ(config.gpu.num_partitions, 6u);  // from the 8800 GTX
  EXPECT_EQ(config.sm.max_warps, 24u);       // from what all chips share
  EXPECT_EQ(config.source, file.path());
}

TEST(ConfigFile, InheritsFromAFileBesideIt) {
  const TemporaryFile parent("base = \"8600gts\"\n[sm]\nalu_latency = 26\n", "parent.toml");
  const TemporaryFile child("base = \"" + std::filesystem::path(parent.path()).filename().string() + "\"\n");
  EXPECT_EQ(load_config(child.path()).sm.alu_latency, 26u);
}

TEST(ConfigFile, OverridesWinAndTheLastOneStands) {
  const Config config = load_config("8600gts", {"dram.t_rcd=16", "dram.policy=fcfs", "coalescer.segment_rule=true",
                                                "clock.core_mhz=612.5", "dram.t_rcd = 0x11", "device.name=my card"});
  EXPECT_EQ(config.dram.t_rcd, 17u);
  EXPECT_EQ(config.dram.policy, DramPolicy::kFcfs);
  EXPECT_TRUE(config.coalescer.segment_rule);
  EXPECT_EQ(config.clock.core_mhz, 612.5);
  EXPECT_EQ(config.device.name, "my card");
}

TEST(ConfigFile, AnEntryWithoutItsOriginIsTheUsers) {
  const TemporaryFile file("base = \"tiny\"\nsm.alu_latency = 20\n");
  const ConfigDetails details = load_config_details(file.path(), {"sm.sfu_latency=40"});
  EXPECT_EQ(details.origins[*find_config_key("sm.alu_latency")].status, "user");
  EXPECT_EQ(details.origins[*find_config_key("sm.alu_latency")].where, file.path() + ":2");
  EXPECT_EQ(details.origins[*find_config_key("sm.sfu_latency")].where, "--set sm.sfu_latency=40");
}

// --- mistakes

TEST(ConfigMistake, UnknownKeyNamesFileLineAndNearestKey) {
  const TemporaryFile file("base = \"8600gts\"\n\n[dram]\nt_rdc = 12\n");
  EXPECT_EQ(mistake(file.path()), file.path() + ":4: no key 'dram.t_rdc'; did you mean 'dram.t_rcd'?");
}
TEST(ConfigMistake, KeyInTheWrongSectionIsFoundInTheRightOne) {
  EXPECT_EQ(mistake_of("sm.t_wtr=3"), "--set sm.t_wtr=3: no key 'sm.t_wtr'; did you mean 'dram.t_wtr'?");
  EXPECT_EQ(mistake_of("max_ctas=3"), "--set max_ctas=3: no key 'max_ctas'; did you mean 'sm.max_ctas'?");
}
TEST(ConfigMistake, UnknownSectionNamesTheNearest) {
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dramm]\nt_rcd = 1\n"),
              HasSubstr(":2: no section 'dramm'; did you mean 'dram'?"));
}
TEST(ConfigMistake, SectionAsValueIsRefused) {
  EXPECT_THAT(mistake_in("base = \"tiny\"\ndram = 3\n"), EndsWith(":2: dram must be a section"));
}
TEST(ConfigMistake, WrongTypeNamesWhatIsAllowed) {
  EXPECT_EQ(mistake_of("dram.t_rcd=abc"),
            "--set dram.t_rcd=abc: dram.t_rcd = 'abc' must be an integer from 1 to 255 (cycles)");
  EXPECT_EQ(mistake_of("dram.t_rcd=1.5"),
            "--set dram.t_rcd=1.5: dram.t_rcd = '1.5' must be an integer from 1 to 255 (cycles)");
  EXPECT_THAT(mistake_of("dram.t_rcd="), EndsWith("dram.t_rcd = '' must be an integer from 1 to 255 (cycles)"));
  EXPECT_THAT(mistake_of("coalescer.segment_rule=yes"), EndsWith("= 'yes' must be true or false"));
  EXPECT_THAT(mistake_of("sm.scheduler=lrr"),
              EndsWith("= 'lrr' must be one of loose_round_robin, oldest_first, greedy_then_oldest"));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = \"4\"\n"),
              EndsWith(":3: dram.t_rcd = '4' must be an integer from 1 to 255 (cycles)"));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = true\n"), HasSubstr("dram.t_rcd = true must be"));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = [1]\n"), HasSubstr("not a list"));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[coalescer]\nsegment_rule = 1\n"), EndsWith("must be true or false"));
}
TEST(ConfigMistake, ValueOutOfRangeNamesTheRange) {
  EXPECT_THAT(mistake_of("gpu.num_partitions=9"), EndsWith("gpu.num_partitions = 9 must be an integer from 1 to 8"));
  EXPECT_THAT(mistake_of("gpu.num_partitions=0"), EndsWith("= 0 must be an integer from 1 to 8"));
  EXPECT_THAT(mistake_of("gpu.num_partitions=-1"), EndsWith("= -1 must be an integer from 1 to 8"));
  EXPECT_THAT(mistake_of("gpu.num_partitions=99999999999999999999"),
              EndsWith("gpu.num_partitions = '99999999999999999999' must be an integer from 1 to 8"));
  EXPECT_THAT(mistake_of("clock.core_mhz=nan"), EndsWith("must be a number from 1 to 10000 (MHz)"));
  EXPECT_THAT(mistake_of("clock.core_mhz=0"), EndsWith("must be a number from 1 to 10000 (MHz)"));
  EXPECT_THAT(mistake_of("device.name="), EndsWith("= '' must be a text of printable characters"));
}
TEST(ConfigMistake, OverrideWithoutValueIsExplained) {
  EXPECT_EQ(mistake_of("dram.t_rcd"), "--set dram.t_rcd: must be key=value, such as dram.t_rcd=12");
}
TEST(ConfigMistake, MissingKeyIsNamed) {
  EXPECT_THAT(mistake_in("[dram]\nt_rcd = 4\n"), HasSubstr("device.name is missing"));
  EXPECT_THAT(mistake_in(""), HasSubstr("device.name is missing"));
}
TEST(ConfigMistake, EntryWithAWrongPartNamesIt) {
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = { value = 4, status = \"guessed\" }\n"),
              HasSubstr(":3: dram.t_rcd has a wrong 'status'"));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = { vaule = 4 }\n"), HasSubstr("has a wrong 'vaule'"));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = { source = \"x\" }\n"), HasSubstr("has no value"));
}
TEST(ConfigMistake, BrokenTomlNamesTheLine) {
  const std::string message = mistake_in("base = \"tiny\"\n[dram]\nt_rcd = = 4\n");
  EXPECT_THAT(message, HasSubstr(".toml:3: not TOML: "));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  EXPECT_THAT(mistake_in("base = \"tiny\"\n[dram]\nt_rcd = 4\nt_rcd = 5\n"), HasSubstr(":4: not TOML: "));
  EXPECT_THAT(mistake_in(std::string("\0\xff\x01 junk", 8)), HasSubstr(":1: not TOML: "));
}
TEST(ConfigMistake, UnknownDeviceNamesThePresets) {
  EXPECT_EQ(mistake("8600gt"),
            fmt::format("--device 8600gt: no preset or file '8600gt'; the presets are {}; did you mean '8600gts'?",
                        fmt::join(preset_names(), ", ")));
  EXPECT_EQ(mistake("no/such.toml"), "--device no/such.toml: no configuration file 'no/such.toml'");
  const TemporaryFile file("base = \"tiny\"\n");
  std::string misspelled = file.path();
  misspelled.insert(misspelled.size() - 5, "x");
  EXPECT_THAT(mistake(misspelled), HasSubstr("; did you mean '" + file.path() + "'?"));
  EXPECT_EQ(mistake("no/tinny.toml"),
            "--device no/tinny.toml: no configuration file 'no/tinny.toml'; did you mean 'tiny'?");
  EXPECT_THAT(mistake("xyzzy"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(mistake("."), HasSubstr("no preset or file '.'"));
  EXPECT_THAT(mistake(""), HasSubstr("no preset or file ''"));
}
TEST(ConfigMistake, ChainOfFilesThatNamesItselfEnds) {
  const TemporaryFile file("base = \"./ChainOfFilesThatNamesItselfEnds\"\n");
  EXPECT_THAT(mistake(file.path()), HasSubstr("no configuration file './ChainOf"));
  const std::filesystem::path self = std::filesystem::path(::testing::TempDir()) / "g80_names_itself.toml";
  std::ofstream(self) << "base = \"g80_names_itself.toml\"\n";
  EXPECT_THAT(mistake(self.string()), HasSubstr("is the chain a circle?"));
  std::filesystem::remove(self);
  EXPECT_THAT(mistake_in("base = 3\n"), EndsWith(":1: base must be the name of a preset or file"));
}
TEST(ConfigMistake, HugeFileIsRefusedUnread) {
  EXPECT_THAT(mistake_in(std::string((1 << 20) + 1, '#')), HasSubstr("but a configuration has at most 1048576"));
}

TEST(ConfigMistake, RandomBytesNeverDoMoreThanExplain) {
  const unsigned seed = 20260;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::ifstream stream(std::filesystem::path(G80_SOURCE_DIR) / "configs/tiny.toml");
  const std::string good{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  unsigned refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string text = good;
    for (int edits = 0; edits < 3; ++edits) text[random() % text.size()] = static_cast<char>(random());
    const std::string message = mistake_in(text);  // anything but ConfigError fails the test
    refused += message.empty() ? 0 : 1;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace g80
