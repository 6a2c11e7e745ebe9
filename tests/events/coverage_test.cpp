// SPDX-License-Identifier: Apache-2.0
// Functional coverage: every cover names signals that exist, and random programs and kernels, chosen by what they have
// reached so far, hit every one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <set>

#include "input/input_error.h"
#include "tb/events/coverage.h"
#include "tests/machine/small_run.h"
#include "tests/sm/random_program.h"
#include "tests/support/random_seed.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ProgramShape;
using testing::RandomProgram;

constexpr std::uint32_t kBytes = 0x20000;

/// A coverage file that is removed at the end.
class CoverageFile {
 public:
  CoverageFile() : path_(fmt::format("{}g80_{}.cover", ::testing::TempDir(), getpid())) { std::remove(path_.c_str()); }
  ~CoverageFile() { std::remove(path_.c_str()); }
  CoverageFile(const CoverageFile&) = delete;
  CoverageFile& operator=(const CoverageFile&) = delete;
  const std::string& path() const { return path_; }
  std::set<std::string> hit() const {
    std::set<std::string> names;
    for (const auto& [name, hits] : read_coverage_file(path_)) {
      if (hits != 0) names.insert(name);
    }
    return names;
  }

 private:
  const std::string path_;
};

std::set<std::string> names_of(bool explained) {
  std::set<std::string> names;
  for (const Cover& cover : covers()) {
    if ((cover.why_not != nullptr) == explained) names.insert(cover.full_name());
  }
  return names;
}
std::set<std::string> difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(left, left.end()));
  return left;
}

MachineOptions collecting(const std::string& file) {
  MachineOptions options;
  options.lockstep = false;  // other tests compare these programs
  options.coverage = file;
  return options;
}

void launch(const Config& config, const Module& module, unsigned blocks, unsigned threads, unsigned seed,
            const std::string& file, std::uint32_t limit = kBytes - 1) {
  GpuBackend gpu(config, collecting(file));
  gpu.load(module);
  const std::uint32_t base = gpu.allocate(kBytes, "data");
  gpu.set_global(14, base, limit);
  std::mt19937 random(seed);
  std::vector<std::uint32_t> params(4);
  for (std::uint32_t& word : params) word = static_cast<std::uint32_t>(random());
  gpu.launch({config, module.kernels.front(), {blocks, 1, 1}, {threads, 1, 1}, params, 0, 2'000'000});
  gpu.finish();
}

/// A random program on a random machine.
void run_random(unsigned seed, const std::string& file, const Config& config, unsigned threads) {
  std::mt19937 random(seed);
  ProgramShape shape;
  shape.control = random() % 4 != 0;
  shape.exchange = random() % 2 == 0;
  shape.blocks = 4 + random() % 8;
  shape.data_base = 0x1000;
  Module module;
  module.arch = shape.arch;
  Kernel& kernel = module.kernels.emplace_back();
  kernel.name = "random";
  kernel.reg = 20;
  kernel.smem = 0x800;
  kernel.lmem = 64;
  kernel.bar = 1;
  kernel.code = RandomProgram(seed, shape).generate();
  ConstantSegment& constants = kernel.constants.emplace_back();
  constants.bank = 1;
  for (unsigned i = 0; i < 64; ++i) constants.words.push_back(static_cast<std::uint32_t>(random()));
  launch(config, module, 30, threads, seed, file);  // more blocks than fit at once
}

void run_kernel(const std::string& name, const std::string& file, std::vector<std::string> sets = {}) {
  testing::MachineRun run = testing::small_run(name);
  run.machine = collecting(file);
  run.sets.insert(run.sets.end(), sets.begin(), sets.end());
  testing::execute(run);
}

void run_assembly(const std::string& body, const std::string& file, const char* device, unsigned blocks,
                  unsigned threads, std::vector<std::string> sets = {}, std::uint32_t limit = kBytes - 1) {
  sets.push_back("gpu.hang_cycles=5000");
  const Config config = load_config(device, sets);
  const Module module =
      assemble(fmt::format(".arch sm_1{}\n.constant table u32 4096\n.kernel probe\n.shared word u32 1000\n{}",
                           config.device.compute_minor, body),
               "probe.sasm");
  launch(config, module, blocks, threads, 1, file, limit);
}

/// The same instructions again and again: they fill the units and their ways back.
std::string repeated(const std::string& body) {
  std::string text =
      "  cvt u32 $r1 u16 $r0l\n  and b32 $r1 $r1 0x3f\n  shl $a1 $r1 0x6\n  mov b32 $r3 0x3f9d70a4\n  mov b32 $r2 "
      "0x0\n";
  for (unsigned i = 0; i < 8; ++i) text += body;
  return text + "  exit nop\n";
}

/// Caches of constants and instructions in which most lines are evicted before they are read again.
std::vector<std::string> small_caches(std::mt19937& random) {
  const unsigned mshrs = 4u << random() % 3, first = 256u << random() % 2, second = 1024u << random() % 3;
  return {"gpu.num_tpcs=1",
          fmt::format("ccache.mshrs={}", mshrs),
          fmt::format("icache.l1_bytes={}", first),
          fmt::format("ccache.l1_bytes={}", first),
          fmt::format("ccache.l2_bytes={}", second),
          fmt::format("ccache.l2_latency={}", 2 + random() % 40)};
}

/// Long code in which warps take ways of their own, and whose threads read constants from many lines.
void run_code_and_constants(unsigned seed, const std::string& file, bool small) {
  std::mt19937 random(seed);
  std::string text =
      "  cvt u32 $r1 u16 $r0l\n  mov b32 $r3 0x3f9d70a4\n"
      "  mov b32 $r2 0x20\n  and b32 $r2 $r1 $r2\n  set $c0 # e u32 $r2 $r124\n"
      "  mov b32 $r2 0x40\n  and b32 $r2 $r1 $r2\n  set $c1 # e u32 $r2 $r124\n"
      "  mov b32 $r2 0x1f\n  and b32 $r2 $r1 $r2\n  shl $a1 $r2 0x8\n";
  const auto piece = [&] {
    if (random() % 2 == 0) {  // only misses of the instruction cache
      for (auto left = 1 + random() % 40; left != 0; --left) text += "  add f32 $r4 $r3 $r3\n";
      return;
    }
    for (auto left = 1 + random() % 6; left != 0; --left) {
      const auto offset = 4 * (random() % 100);
      text += random() % 3 == 0 ? fmt::format("  ld $r7 b32 c0[$a1+0x{:x}]\n", offset)
                                : fmt::format("  add b32 $r4 $r3 c0[0x{:x}]\n", offset);
    }
  };
  for (unsigned i = 0; i < 10; ++i) {
    text += fmt::format("  joinat join{0}\n  (lg $c{1}) bra other{0}\n", i, random() % 2);
    piece();
    text += fmt::format("  bra join{0}\nother{0}:\n", i);
    piece();
    text += fmt::format("join{0}:\n  join (never) nop\n", i);
  }
  run_assembly(text + "  exit nop\n", file, "8600gts", 12, 128,
               small ? small_caches(random) : std::vector<std::string>{});
}

/// Copies between host and device in both directions and inside the device, and a kernel that reads and writes mapped
/// memory of the host.
void run_copies(const std::string& file) {
  const Config config = load_config("gtx280", {"gpu.num_tpcs=2"});
  GpuBackend gpu(config, collecting(file));
  const Module module = assemble(
      ".arch sm_13\n.kernel probe\n  cvt u32 $r1 u16 $r0l\n  shl b32 $r1 $r1 0x6\n  ld b32 $r2 g14[$r1]\n"
      "  st b32 g14[$r1] $r2\n  ld b32 $r2 g14[$r1]\n  st b32 g14[$r1] $r2\n  exit nop\n",
      "probe.sasm");
  gpu.load(module);
  alignas(4096) static std::array<std::uint8_t, kBytes> host{};
  const std::uint32_t from = gpu.allocate(kBytes, "from"), to = gpu.allocate(kBytes, "to");
  gpu.write(from, host.data(), kBytes);
  gpu.copy({to, kBytes}, {from, kBytes});
  gpu.read(to, host.data(), kBytes);
  gpu.set_global(14, gpu.map_host(host.data(), host.size()), kBytes - 1);
  gpu.launch({config, module.kernels.front(), {4, 1, 1}, {128, 1, 1}, {}, 0, 2'000'000});
  gpu.finish();
}

/// What can be run for coverage. Those that draw from a seed may be run again and again.
struct Stimulus {
  std::string name;
  bool random;
  std::function<void(unsigned seed, const std::string& file)> run;
};

std::vector<Stimulus> stimuli() {
  std::vector<Stimulus> list;
  for (const char* device : {"8600gts", "8800gtx", "gtx280"}) {
    const Config config = load_config(device, {"gpu.num_tpcs=1"});
    for (const unsigned threads : {50u, 150u}) {
      list.push_back({fmt::format("random program, {}, {} threads", device, threads), true,
                      [=](unsigned seed, const std::string& file) { run_random(seed, file, config, threads); }});
    }
  }
  for (const char* name : {"texture_read", "constant_read", "dot_product_hang", "dot_product", "vec_add"}) {
    list.push_back({name, false, [name](unsigned, const std::string& file) { run_kernel(name, file); }});
  }
  list.push_back({"copies", false, [](unsigned, const std::string& file) { run_copies(file); }});
  list.push_back(
      {"texture_read, small caches", false, [](unsigned, const std::string& file) {
         run_kernel("texture_read", file, {"tex.l1_bytes=256", "tex.l1_ways=1", "tex.l2_bytes=1024", "tex.l2_ways=1"});
       }});
  // Many TPCs read lines of one partition again and again, so that hits meet lines on their way.
  list.push_back({"texture_read, one partition", false, [](unsigned, const std::string& file) {
                    testing::MachineRun run{"texture_read", "8800gtx"};
                    run.machine = collecting(file);
                    run.sets = {"gpu.num_partitions=1", "tex.l1_bytes=256", "tex.l1_ways=1", "tex.mshrs=4",
                                "tex.l2_bytes=2048",    "tex.l2_ways=2",    "tex.l2_mshrs=2"};
                    testing::execute(run);
                  }});
  for (const bool small : {false, true}) {
    list.push_back({small ? "code and constants, small caches" : "code and constants", true,
                    [small](unsigned seed, const std::string& file) { run_code_and_constants(seed, file, small); }});
  }
  const auto add_assembly = [&](const char* name, const char* device, std::vector<std::string> sets,
                                const std::string& body, std::uint32_t limit = kBytes - 1) {
    list.push_back({name, false, [=](unsigned, const std::string& file) {
                      run_assembly(body, file, device, 16, 128, sets, limit);
                    }});
  };
  add_assembly("locks", "tiny", {"device.compute_minor=3", "sm.num_dps=1"},
               "  mov b32 $r6 0x1\n  joinat one\n"
               "all:\n  ld lock $c0 $r1 b32 s[0x14]\n  (lg $c0) add b32 $r1 $r1 $r6\n"
               "  (lg $c0) st unlock b32 s[0x14] $r1\n  (e $c0) bra all\n"
               "one:\n  join nop\n  exit nop\n");
  add_assembly("bank conflicts", "8600gts", {},
               repeated("  st b32 s[$a1+0x20] $r3\n  rcp f32 $r4 $r3\n  mul f32 $r5 $r3 $r3\n  add f32 $r6 $r3 $r3\n"
                        "  mov b32 $r7 b32 s[$a1+0x20]\n  rsqrt f32 $r8 $r4\n  add f32 $r9 $r3 $r7\n"));
  list.push_back({"one register bank", false, [](unsigned, const std::string& file) {
                    run_assembly(
                        repeated("  rcp f32 $r20 $r3\n  mul f32 $r36 $r3 $r3\n  add f32 $r4 $r3 $r3\n"
                                 "  add f32 $r52 $r3 $r3\n  rsqrt f32 $r20 $r3\n  mul f32 $r36 $r3 $r3\n"
                                 "  add f32 $r4 $r3 $r3\n  add rn f64 $r52d $r2d $r2d\n  add f32 $r4 $r3 $r3\n"),
                        file, "gtx280", 16, 256, {"gpu.num_tpcs=1"});
                  }});
  add_assembly("stack overflow", "tiny", {}, "again:\n  call again\n  exit nop\n");
  add_assembly("misaligned address", "tiny", {}, "  mov b32 $r1 0x2\n  ld b32 $r2 g14[$r1]\n  exit nop\n");
  add_assembly("page not present", "tiny", {}, "  mov b32 $r1 0x70000000\n  ld b32 $r2 g14[$r1]\n  exit nop\n",
               0xf0000000u);
  return list;
}

class FunctionalCoverage : public ::testing::Test {};

TEST_F(FunctionalCoverage, EveryConditionNamesSignalsOfAMachine) {
  std::set<std::string> names = names_of(false);
  names.merge(names_of(true));
  EXPECT_EQ(names.size(), covers().size()) << "two covers have one name";
  GpuBackend gpu(load_config("gtx280", {"gpu.num_tpcs=2"}), {});
  const Coverage coverage;
  std::set<std::string> found;
  for (const auto& [name, hits] : coverage.counts()) found.insert(name);
  EXPECT_THAT(difference(names, found), IsEmpty());
}

TEST_F(FunctionalCoverage, RandomProgramsAndKernelsHitEveryCover) {
  constexpr unsigned kMostRuns = 200;
  const CoverageFile file;
  const std::set<std::string> wanted = names_of(false);
  const std::vector<Stimulus> list = stimuli();
  std::vector<std::size_t> gain(list.size(), wanted.size());  // covers that the last run of each hit first
  std::set<std::string> hit;
  unsigned runs = 0;
  const unsigned seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  // Each once; then always the one that brought most when it ran last.
  for (; runs < kMostRuns && !difference(wanted, hit).empty(); ++runs) {
    const std::size_t best = static_cast<std::size_t>(std::max_element(gain.begin(), gain.end()) - gain.begin());
    list[best].run(seed + runs, file.path());
    const std::set<std::string> now = file.hit();
    gain[best] = list[best].random ? std::max<std::size_t>(now.size() - hit.size(), gain[best] == 1 ? 0 : 1) : 0;
    if (*std::max_element(gain.begin(), gain.end()) == 0) {
      for (std::size_t i = 0; i < list.size(); ++i) gain[i] = list[i].random ? 2 : 0;
    }
    if (now.size() != hit.size())
      fmt::print("run {} ({}): {} of {} covers\n", runs + 1, list[best].name, now.size(), wanted.size());
    hit = now;
  }
  EXPECT_THAT(difference(wanted, hit), IsEmpty()) << "after " << runs << " runs";
  EXPECT_THAT(difference(hit, wanted), IsEmpty()) << "these are explained as impossible";
}

TEST_F(FunctionalCoverage, CollectingChangesNothing) {
  const CoverageFile file;
  testing::MachineRun run = testing::small_run("dot_product");
  const std::string without = statistics_json({testing::execute(run).result});
  run.machine.coverage = file.path();
  EXPECT_EQ(statistics_json({testing::execute(run).result}), without);
  EXPECT_THAT(file.hit(), ::testing::Contains("warp_scheduler.memory"));
}

TEST_F(FunctionalCoverage, FilesAddUp) {
  const CoverageFile file;
  add_to_coverage_file(file.path(), {{"tlb.queue", 3}, {"tlb.fault", 0}});
  add_to_coverage_file(file.path(), {{"tlb.queue", 4}, {"coalescer.blocked", 1}});
  EXPECT_EQ(read_coverage_file(file.path()),
            (CoverCounts{{"tlb.queue", 7}, {"tlb.fault", 0}, {"coalescer.blocked", 1}}));
  const std::string page = coverage_page(read_coverage_file(file.path()));
  EXPECT_THAT(page, HasSubstr(fmt::format("2 of {} covers were hit.", covers().size())));
  EXPECT_THAT(page, HasSubstr("\n- `tlb.fault`: a transaction has no page\n"));
  EXPECT_THAT(page, HasSubstr("\n| queue | 7 | two transactions are translated |"));
  EXPECT_THAT(page, ::testing::Not(HasSubstr("- `tlb.queue`")));
}

TEST_F(FunctionalCoverage, AFailedWriteLeavesTheFileAsItWas) {
  const CoverageFile file;
  add_to_coverage_file(file.path(), {{"tlb.queue", 3}});
  std::filesystem::create_directories(file.path() + ".part/x");
  EXPECT_THROW(add_to_coverage_file(file.path(), {{"tlb.queue", 4}}), InputError);
  EXPECT_EQ(read_coverage_file(file.path()), (CoverCounts{{"tlb.queue", 3}}));
  std::filesystem::remove_all(file.path() + ".part");
}

// It is replaced by a file.
TEST_F(FunctionalCoverage, ADeviceIsRefused) {
  const CoverageFile file;
  std::filesystem::remove(file.path());
  std::filesystem::create_symlink("/dev/null", file.path());
  EXPECT_THAT([&] { add_to_coverage_file(file.path(), {}); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("it is a device")));
  EXPECT_TRUE(std::filesystem::is_symlink(file.path()));
}

TEST_F(FunctionalCoverage, OtherFilesAreRefused) {
  const CoverageFile file;
  const auto error_of = [&](const std::string& text) {
    std::ofstream(file.path()) << text;
    try {
      add_to_coverage_file(file.path(), {{"tlb.queue", 1}});
      return std::string("accepted");
    } catch (const InputError& error) {
      return std::string(error.what()).substr(file.path().size());
    }
  };
  EXPECT_EQ(error_of("cycles\n"), ": this is no coverage file");
  EXPECT_EQ(error_of("cover\thits\ntlb.queue\t1\ntlb.queu\t1\n"),
            ":3: expected the name of a cover, a tab and a number, but found 'tlb.queu\t1'");
  EXPECT_EQ(error_of("cover\thits\ntlb.queue\tmany\n"),
            ":2: expected the name of a cover, a tab and a number, but found 'tlb.queue\tmany'");
  EXPECT_EQ(testing::contents_of(file.path()), "cover\thits\ntlb.queue\tmany\n") << "it stays as it was";
  EXPECT_THROW(add_to_coverage_file("/nowhere/there", {}), InputError);
}

}  // namespace
}  // namespace g80
