// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/observers.h"

#include <fmt/format.h>

#include <utility>

#include "input/input_error.h"
#include "tb/machine/pc_statistics.h"

namespace g80 {

ProfileObserver::ProfileObserver(Gpu& gpu) : gpu_(gpu), profiles_(gpu.num_sms()) {
  const unsigned per_tpc = gpu.config.gpu.sms_per_tpc;
  for (unsigned i = 0; i < profiles_.size(); ++i) {
    gpu.sm(i).attach(profiles_[i], RetirementPort::Reads::kProfile);
    gpu.tpcs[i / per_tpc]->coalescers[i % per_tpc]->attach_profile(&profiles_[i]);
  }
}

ProfileObserver::~ProfileObserver() {
  for (unsigned i = 0; i < profiles_.size(); ++i) gpu_.sm(i).detach(profiles_[i]);
}

void ProfileObserver::launch_begins(const LoadedKernel& kernel, std::uint64_t) {
  kernel_ = kernel.kernel;
  for (unsigned i = 0; i < profiles_.size(); ++i) {
    gpu_.sm(i).flush_reports();
    profiles_[i].begin(kernel.start, kernel.kernel->code.size());
  }
}

void ProfileObserver::launch_ends(Cycle, LaunchResult& result) {
  std::vector<PcProfile> settled;
  SmState state;
  for (unsigned i = 0; i < profiles_.size(); ++i) {
    SmPins& sm = gpu_.sm(i);
    sm.flush_reports();
    sm.read_state(state);
    settled.push_back(profiles_[i].settled(sm.unreported(gpu_.shader.last_edge()), state));
  }
  result.pcs = pc_statistics(settled, *kernel_, static_cast<isa::Arch>(gpu_.config.device.compute_minor));
}

CoverageObserver::~CoverageObserver() {
  try {
    finish();
  } catch (const InputError& error) {
    fmt::print(stderr, "g80: {}\n", error.what());
  }
}

std::vector<std::string> CoverageObserver::finish() {
  if (!std::exchange(written_, true)) add_to_coverage_file(file_, coverage_.counts());
  return {};
}

}  // namespace g80
