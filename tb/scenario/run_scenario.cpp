// SPDX-License-Identifier: Apache-2.0
// The steps of a run, in the order in which a host program takes them.
#include "tb/scenario/run_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "hw/common/fnv.h"
#include "hw/config/config_override.h"
#include "input/input_error.h"
#include "tb/scenario/arguments.h"
#include "tb/scenario/buffer_data.h"
#include "tb/scenario/expected.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/parameters.h"
#include "tb/scenario/recorded_golden.h"
#include "tb/scenario/texture_descriptor.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/cubin.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

constexpr std::int64_t kMaxDimension = 0xffffffff;

template <class Bytes>
std::string fingerprint(const Bytes& bytes) {
  return fmt::format("{:016x}", fnv1a(bytes));
}

class ScenarioRun {
 public:
  ScenarioRun(const Scenario& scenario, const Module& module, const RunOptions& options, Backend& backend)
      : scenario_(scenario), module_(module), options_(options), backend_(backend) {}

  RunResult run() {
    arguments_ = resolve_arguments(scenario_, options_.args);
    names_ = name_table(arguments_);
    check_buffer_names(options_.load, "--load");
    check_buffer_names(options_.dump, "--dump");
    buffers_ = make_buffers(scenario_, names_, options_.seed, backend_.free_bytes());
    load_images();
    const std::vector<Buffer> initial = buffers_;
    describe_run();

    backend_.load(module_);
    place_data();
    write_constants();
    for (const TextureDecl& decl : scenario_.textures) bind(decl);
    const bool finished = run_launches();

    if (finished) {
      for (Buffer& buffer : buffers_) read_back(buffer);
    }
    if (finished || read_after_failure()) {
      for (const auto& [name, file] : options_.dump) write_memory_image(file, find(name).bytes);
    }
    if (finished) {
      compare(initial);
      for (const Buffer& buffer : buffers_) {
        if (!buffer.decl->scratch) result_.fingerprints.emplace_back(buffer.decl->name, fingerprint(buffer.bytes));
      }
      for (const std::string& name : scenario_.print) result_.contents += contents_text(find(name));
      result_.host_sum = host_sum_text(scenario_, buffers_);
      if (!options_.update_golden_file.empty()) write_recorded_golden(options_.update_golden_file, recorded_buffers());
    }
    return std::move(result_);
  }

 private:
  void check_buffer_names(const Assignments& assignments, const char* option) const {
    for (const auto& [name, file] : assignments) {
      std::vector<std::string> known;
      for (const BufferDecl& decl : scenario_.buffers) known.push_back(decl.name);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        throw InputError(fmt::format("{} {}={}: there is no buffer '{}'; buffers are {}", option, name, file, name,
                                     known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
      }
    }
  }
  Buffer& find(const std::string& name) {
    return *std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffer& b) { return b.decl->name == name; });
  }
  /// Reads the buffers after a fault or a hang, which helps the user. A stuck machine cannot copy them.
  bool read_after_failure() {
    try {
      for (const auto& [name, file] : options_.dump) read_back(find(name));
    } catch (const InputError& error) {
      std::string& message = result_.launches.back().message;
      message += fmt::format("{}no buffer was written: {}", message.empty() ? "" : "; ", error.what());
      return false;
    }
    return true;
  }
  void read_back(Buffer& buffer) { backend_.read(buffer.address, buffer.bytes.data(), buffer.bytes.size()); }
  void load_images() {
    for (const auto& [name, file] : options_.load) {
      Buffer& buffer = find(name);
      buffer.bytes = read_memory_image(file, buffer.bytes.size(), fmt::format("--load {}={}", name, file));
    }
  }

  void describe_run() {
    result_.scenario = scenario_.name;
    result_.model = std::string(backend_.model());
    result_.expectation = std::string(expectation_name(scenario_.expect));
    result_.order_dependent = scenario_.order_dependent;
    for (const ArgumentValue& argument : arguments_)
      result_.arguments.push_back({argument.name, argument.value.text()});
  }

  void place_data() {
    for (Buffer& buffer : buffers_) {
      buffer.address = backend_.allocate(buffer.bytes.size(), fmt::format("buffer {}", buffer.decl->name));
      backend_.write(buffer.address, buffer.bytes.data(), buffer.bytes.size());
    }
  }

  void write_constants() {
    for (const ConstantDecl& decl : scenario_.constants) {
      const std::uint32_t room = variable_bytes(decl);
      if (decl.offset >= room)
        throw InputError(fmt::format("{}.offset is {}; {} has {} bytes", decl.where, decl.offset, decl.name, room));
      const std::size_t size = element_bytes(decl.type);
      const auto count = static_cast<std::uint64_t>(
          integer_at(decl.count, names_, 1, static_cast<std::int64_t>((room - decl.offset) / size)));
      const std::vector<std::uint8_t> bytes =
          evaluate_elements(decl.init, decl.type, count, names_, options_.seed, decl.name);
      backend_.write_symbol(decl.name, decl.offset, bytes.data(), bytes.size());
    }
  }

  std::uint32_t variable_bytes(const ConstantDecl& decl) const {
    for (const ConstantVariable& variable : module_.constants) {
      if (variable.name == decl.name) return variable.bytes;
    }
    for (const DeviceVariable& variable : module_.device_variables) {
      if (variable.name == decl.name) return variable.bytes;
    }
    throw InputError(
        fmt::format("{}: the program has no __constant__ or __device__ variable '{}'", decl.where, decl.name));
  }

  void bind(const TextureDecl& decl) {
    const auto reference = std::find_if(module_.textures.begin(), module_.textures.end(),
                                        [&](const TextureReference& t) { return t.name == decl.name; });
    if (reference != module_.textures.end() && reference->unit != decl.unit) {
      throw InputError(fmt::format("{}.unit is {}; the program binds {} to unit {}", decl.where, decl.unit, decl.name,
                                   reference->unit));
    }
    backend_.bind_texture(describe_texture(decl, buffers_, names_));
  }

  const Kernel& kernel_of(const LaunchDecl& decl) const {
    if (decl.kernel.empty() && module_.kernels.size() == 1) return module_.kernels.front();
    if (const Kernel* kernel = module_.find_kernel(decl.kernel)) return *kernel;
    if (module_.kernels.empty()) throw InputError(fmt::format("{}: it contains no kernel", decl.where));
    if (decl.kernel.empty()) {
      throw InputError(fmt::format("{}: the program has several kernels, {}; select one with --kernel", decl.where,
                                   kernel_list(module_.kernel_names())));
    }
    throw InputError(fmt::format("{}: {}", decl.where, no_such_kernel(decl.kernel, module_.kernel_names())));
  }

  Launch launch_of(const LaunchDecl& decl) const {
    const Kernel& kernel = kernel_of(decl);
    const auto extent = [&](const std::vector<ScenarioText>& sides) {
      Launch::Extent out{1, 1, 1};
      for (std::size_t k = 0; k < sides.size(); ++k)
        out[k] = static_cast<std::uint32_t>(integer_at(sides[k], names_, 0, kMaxDimension));
      return out;
    };
    const Launch::Extent grid = extent(decl.grid), block = extent(decl.block);
    std::vector<std::uint32_t> params = parameter_words(decl, kernel, names_, buffers_);
    const std::int64_t shared = decl.dynamic_shared ? integer_at(*decl.dynamic_shared, names_, 0, 16384) : 0;
    try {
      return {backend_.config(),
              kernel,
              grid,
              block,
              std::move(params),
              static_cast<std::uint64_t>(shared),
              options_.max_cycles ? options_.max_cycles : scenario_.max_cycles};
    } catch (const LaunchRefused& refused) {
      throw InputError(fmt::format("{}: {}", decl.where, refused.what()));
    }
  }

  bool run_launches() {
    std::vector<std::pair<Launch, std::int64_t>> launches;
    for (const LaunchDecl& decl : scenario_.launches) {  // reports every error before the run
      launches.emplace_back(launch_of(decl), decl.repeat ? integer_at(*decl.repeat, names_, 1, 1000000) : 1);
    }
    for (const auto& [launch, repeat] : launches) {
      for (std::int64_t k = 0; k < repeat; ++k) {
        result_.launches.push_back(backend_.launch(launch));
        if (result_.launches.back().end != LaunchEnd::kFinished) return false;
      }
    }
    return true;
  }

  void compare(const std::vector<Buffer>& initial) {
    std::optional<std::vector<Buffer>> expected;
    if (options_.golden_file.empty())
      expected = expected_contents(scenario_, arguments_, initial);
    else
      expected = recorded_contents(options_.golden_file, initial);
    if (!expected) return;
    result_.compared = true;
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      if (!buffers_[k].decl->scratch)
        result_.checks.push_back(compare_buffer(*buffers_[k].decl, buffers_[k].bytes, (*expected)[k].bytes));
    }
  }

  std::vector<Buffer> recorded_buffers() const {
    std::vector<Buffer> recorded;
    for (const Buffer& buffer : buffers_) {
      if (!buffer.decl->scratch) recorded.push_back(buffer);
    }
    return recorded;
  }

  const Scenario& scenario_;
  const Module& module_;
  const RunOptions& options_;
  Backend& backend_;
  std::vector<ArgumentValue> arguments_;
  NameTable names_;
  std::vector<Buffer> buffers_;
  RunResult result_;
};

}  // namespace

Module load_module(const Scenario& scenario) {
  const std::string path = (std::filesystem::path(scenario.folder) / scenario.kernel_file).string();
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".sasm") return assemble_file(path);
  if (suffix == ".cubin") return read_cubin(read_text_file(path), path);
  throw InputError(fmt::format("{}: a kernel file must end in .sasm or .cubin", path));
}

Config scenario_config(const Scenario& scenario, const std::string& device, const std::vector<std::string>& sets) {
  std::vector<ConfigOverride> overrides;
  for (const ScenarioText& entry : scenario.config) overrides.push_back({entry.text, entry.where});
  for (const std::string& set : sets) overrides.push_back({set, "--set " + set});
  return device.empty() ? load_config_with(scenario.device, overrides, scenario.path + ": device ")
                        : load_config_with(device, overrides);
}

bool has_capability(const Config& config, isa::Arch arch) {
  return config.device.compute_minor >= static_cast<unsigned>(arch);  // Arch::kSm1x counts from kSm10
}

std::string devices_with_capability(isa::Arch arch, const std::string& before) {
  std::vector<std::string> presets = preset_names();
  presets.erase(std::remove_if(presets.begin(), presets.end(),
                               [&](const std::string& name) { return !has_capability(load_config(name), arch); }),
                presets.end());
  return presets.empty() ? "" : fmt::format("{}{}", before, fmt::join(presets, " or "));
}

RunResult run_scenario(const Scenario& scenario, const Module& module, const Config& config, const RunOptions& options,
                       Backend& backend) {
  if (!has_capability(config, module.arch)) {
    throw InputError(fmt::format("{}: the kernel needs {}, {} has compute capability 1.{}{}", scenario.path,
                                 isa::arch_name(module.arch), config.device.name, config.device.compute_minor,
                                 devices_with_capability(module.arch, ": choose --device ")));
  }
  RunResult result = ScenarioRun(scenario, module, options, backend).run();
  result.shader_mhz = config.clock.shader_mhz;
  return result;
}

std::string kernel_hash(const Module& module) {
  Module code = module;
  for (Kernel& kernel : code.kernels)
    kernel.lines = {};  // they hold the names of files, which differ between checkouts
  return fingerprint(write_cubin(code));
}

}  // namespace g80
