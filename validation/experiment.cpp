// SPDX-License-Identifier: Apache-2.0
#include "validation/experiment.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "app/run/device_copy.h"
#include "app/run/program_source.h"
#include "hw/common/check.h"
#include "hw/common/crossing_fifo.h"
#include "hw/config/data_folder.h"
#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "tb/machine/gpu_backend.h"
#include "tb/record/machine_events.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"
#include "tb/scenario/texture_descriptor.h"
#include "toolchain/assembler/assembler.h"

namespace g80::silicon {
namespace {

/// Assembles or compiles the kernel. Keeps compiled files, because many rows use the same file.
Module program(const std::string& kernel, unsigned compute_minor) {
  if (kernel.find('\n') != std::string::npos) return assemble(kernel, "experiment");
  if (!is_program_source(kernel)) return load_module(read_scenario(data_path("kernels") / kernel / "scenario.toml"));
  const std::string path = data_path("validation/kernels") / kernel;
  static std::map<std::pair<std::string, unsigned>, Module> compiled;
  Module& module = compiled[{kernel, compute_minor}];
  if (module.kernels.empty()) {
    CompileOptions options;
    options.arch = static_cast<isa::Arch>(std::min(compute_minor, 3u));  // counts from kSm10
    module = compile_source(path, options).module;
  }
  return module;
}

/// The parameters of the launch: the addresses, each as wide as its parameter, then the other words.
Words parameters(const Kernel& kernel, const Experiment& experiment, const std::vector<std::uint32_t>& addresses) {
  Words words;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    words.push_back(addresses[i]);
    if (i < kernel.params.size() && parameter_bytes(kernel.params[i]) == 8) words.push_back(0);
  }
  words.insert(words.end(), experiment.params.begin(), experiment.params.end());
  return words;
}

class EventLog final : public EventSink {
 public:
  explicit EventLog(std::vector<MachineEvent>& events) : events_(events) {}
  void event(const MachineEvent& event) override { events_.push_back(event); }

 private:
  std::vector<MachineEvent>& events_;
};

/// Records the accesses that enter the queues between the SMs and their coalescers.
class AccessLog final : public TraceSink {
 public:
  AccessLog(Gpu& gpu, std::vector<HalfWarpAccess>& accesses) : accesses_(accesses) {
    for (unsigned sm = 0; sm < gpu.num_sms(); ++sm) {
      auto* queue = dynamic_cast<CrossingFifo<HalfWarpAccess>*>(gpu.sm(sm).access_o.get_interface());
      CHECK(queue != nullptr, "SM {}: its accesses leave by something else than a queue", sm);
      queue->attach_trace(*this, sm);
      queues_.push_back({queue, 0});
    }
  }
  ~AccessLog() override {
    for (const Seen& seen : queues_) seen.queue->detach_trace(*this);
  }
  void changed(std::uint32_t sm) override {
    Seen& seen = queues_[sm];
    if (seen.queue->size() > seen.queued) accesses_.push_back(seen.queue->newest());
    seen.queued = seen.queue->size();
  }

 private:
  struct Seen {
    CrossingFifo<HalfWarpAccess>* queue;
    unsigned queued;
  };
  std::vector<Seen> queues_;
  std::vector<HalfWarpAccess>& accesses_;
};

}  // namespace

std::uint64_t Observation::sum(std::uint64_t SmCounters::*counter) const {
  std::uint64_t sum = 0;
  for (const SmCounters& sm : result.sms) sum += sm.*counter;
  return sum;
}

Observation ExperimentRunner::run(Experiment experiment) {
  experiment.sets.insert(experiment.sets.end(), sets_.begin(), sets_.end());
  const Config config = load_config(experiment.device, experiment.sets);
  const Module module = program(experiment.kernel, config.device.compute_minor);
  const Kernel* const kernel =
      experiment.entry.empty() ? &module.kernels.front() : module.find_kernel(experiment.entry);
  CHECK(kernel != nullptr, "{} has no kernel {}", experiment.kernel, experiment.entry);
  MachineOptions options;
  options.lockstep = false;
  options.profile = experiment.profile;
  GpuBackend machine(config, options);
  Observation seen;
  seen.num_sms = machine.gpu().num_sms();
  machine.load(module);
  for (const Words& words : experiment.buffers) {
    seen.addresses.push_back(machine.allocate(words.size() * 4, "buffer"));
    machine.write(seen.addresses.back(), words.data(), words.size() * 4);
  }
  if (experiment.texture) {
    TextureLayout layout;
    layout.texel = TexelElement::kU32;
    layout.linear_memory = true;
    layout.address = seen.addresses.at(0);
    layout.width = static_cast<std::uint32_t>(experiment.buffers.at(0).size());
    machine.bind_texture(encode_texture(layout));
  }
  std::vector<std::uint32_t> params = parameters(*kernel, experiment, seen.addresses);
  EventLog events(seen.events);
  std::unique_ptr<EventSource> source;
  std::unique_ptr<AccessLog> accesses;
  if (experiment.watch != Watch::kNothing) {
    using Detail = EventSource::Detail;
    source = std::make_unique<EventSource>(machine.gpu());
    source->add(events, experiment.watch == Watch::kWaits ? Detail::kEverything : Detail::kArchitecture);
  }
  if (experiment.accesses) accesses = std::make_unique<AccessLog>(machine.gpu(), seen.accesses);
  try {
    seen.result = machine.launch({config, *kernel, experiment.grid, experiment.block, std::move(params),
                                  experiment.dynamic_shared, experiment.max_cycles});
  } catch (const InputError& refusal) {
    seen.refusal = refusal.what();
    return seen;
  }
  source.reset();
  accesses.reset();
  seen.where = where_of(seen.result, config);
  note(seen.where);
  if (seen.result.end != LaunchEnd::kFinished) return seen;
  for (std::size_t i = 0; i < experiment.buffers.size(); ++i) {
    seen.buffers.emplace_back(experiment.buffers[i].size());
    machine.read(seen.addresses[i], seen.buffers[i].data(), seen.buffers[i].size() * 4);
  }
  return seen;
}

double ExperimentRunner::copy_seconds(const std::string& device, std::uint32_t more, std::uint32_t less) {
  MachineOptions options;
  options.lockstep = false;
  GpuBackend machine(load_config(device, sets_), options);
  const std::uint32_t bytes_of_each = more + less + kLeastKernelCopy;
  const std::uint32_t to = machine.allocate(bytes_of_each, "to"), from = machine.allocate(bytes_of_each, "from");
  DeviceCopy copies(machine);
  const auto seconds = [&](std::uint32_t first, std::uint32_t bytes) {
    const std::uint64_t start = machine.picoseconds();
    copies.copy({to + first, bytes}, {from + first, bytes});
    return static_cast<double>(machine.picoseconds() - start) * 1e-12;
  };
  seconds(more + less, kLeastKernelCopy);  // the driver loads its kernel with the first one
  // Each has pages of its own: measured copies are far larger than what the TLBs reach.
  const double few = seconds(0, less);
  return seconds(less, more) - few;
}

void ExperimentRunner::note(const CycleBreakdown& where) {
  if (where.cycles > longest_.cycles) longest_ = where;
}

CycleBreakdown ExperimentRunner::take() { return std::exchange(longest_, CycleBreakdown()); }

}  // namespace g80::silicon
