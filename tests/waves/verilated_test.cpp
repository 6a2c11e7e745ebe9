// The internals of a verilated block and the SystemC state around it stand in one file, at the same times.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tb/waves/wave_sink.h"
#include "tests/support/systemc_test.h"
#include "tests/waves/wave_machine.h"
#include "wave_probe_fst.h"
#include "wave_probe_vcd.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

// The block in the place of a SystemC module of the shader clock.
template <class Model>
class Probe final : public Clocked<NoRegs> {
 public:
  explicit Probe(const sc_core::sc_module_name& name) : Clocked(name), model(WaveSink::verilated_name(this->name()).c_str()) {}
  sc_core::sc_in<Beat> in_i{"in_i"};
  sc_core::sc_out<std::uint32_t> sum_o{"sum_o"};
  Model model;

 private:
  void next() override {
    model.valid_i = in_i.read().valid;
    model.value_i = in_i.read().value;
    model.clk_i = 0;
    model.eval();
    model.clk_i = 1;
    model.eval();
  }
  void drive() override { sum_o.write(model.sum_o); }
};

template <class Model>
std::string run_probe(const fs::path& file) {
  WaveMachine machine(false, 10, 900);
  Probe<Model> probe("probe");
  Wire<std::uint32_t> sum("sum");
  probe.in_i(machine.top->pick);
  probe.sum_o(sum);
  machine.shader.add(probe);
  WaveOptions options;
  options.file = file.string();
  WaveSink sink(options, machine.domains());
  sink.add_verilated(probe.model);
  sink.open();
  sc_core::sc_start(sc_core::sc_time::from_value(40'000));
  sink.close();
  std::string lines;
  std::FILE* pipe = file.extension() == ".fst" ? ::popen(fmt::format("fst2vcd {}", file.string()).c_str(), "r")
                                               : std::fopen(file.c_str(), "r");
  if (pipe == nullptr) return lines;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) lines.push_back(static_cast<char>(c));
  file.extension() == ".fst" ? ::pclose(pipe) : std::fclose(pipe);
  return lines;
}

// Times at which the signal changed, in a VCD text where its name is unique below `scope`.
std::vector<std::uint64_t> change_times(const std::string& vcd, const std::string& scope, const std::string& name) {
  std::istringstream in(vcd);
  std::vector<std::string> path;
  std::string line, code;
  std::uint64_t time = 0;
  std::vector<std::uint64_t> times;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string word, kind, width, id, signal;
    if (!(words >> word)) continue;
    if (word == "$scope") {
      words >> kind >> signal;
      path.push_back(signal);
    } else if (word == "$upscope") {
      path.pop_back();
    } else if (word == "$var") {
      words >> kind >> width >> id >> signal;
      std::string full;
      for (const std::string& level : path) full += (full.empty() ? "" : ".") + level;
      if (full == scope && signal == name) code = id;
    } else if (word[0] == '#') {
      time = std::stoull(word.substr(1));
    } else if (!code.empty()) {
      if (word[0] == 'b') {
        words >> id;
      } else {
        id = word.substr(1);
      }
      if (id == code && time > 0) times.push_back(time);
    }
  }
  EXPECT_FALSE(code.empty()) << scope << "." << name << " is not in the file";
  return times;
}

class VerilatedTest : public testing::SystemCTest {
 protected:
  VerilatedTest() {
    dir_ = fs::temp_directory_path() / fmt::format("g80_verilated_{}", ::getpid());
    fs::create_directories(dir_);
  }
  ~VerilatedTest() override { fs::remove_all(dir_); }
  fs::path dir_;
};

void expect_both(const std::string& vcd) {
  const std::vector<std::uint64_t> wire = change_times(vcd, "top", "sum");
  EXPECT_EQ(wire.size(), 5u);
  EXPECT_EQ(wire, change_times(vcd, "probe.wave_probe", "sum_q"));
  EXPECT_EQ(wire, change_times(vcd, "probe.wave_probe", "seen_q"));
  EXPECT_FALSE(change_times(vcd, "probe.wave_probe", "state_q").empty());
  EXPECT_EQ(change_times(vcd, "gpu.pick", "value").size(), 5u);
}

TEST_F(VerilatedTest, VcdHoldsSystemCAndRtlTogether) { expect_both(run_probe<wave_probe_vcd>(dir_ / "a.vcd")); }

TEST_F(VerilatedTest, FstHoldsSystemCAndRtlTogether) {
  if (std::system("command -v fst2vcd > /dev/null 2>&1") != 0) GTEST_SKIP() << "fst2vcd is not installed (Debian package gtkwave)";
  expect_both(run_probe<wave_probe_fst>(dir_ / "a.fst"));
}

TEST_F(VerilatedTest, ABlockBuiltForTheOtherFormatIsRefused) {
  EXPECT_THROW(run_probe<wave_probe_vcd>(dir_ / "a.fst"), WaveError);
}

}  // namespace
}  // namespace g80
