// SPDX-License-Identifier: Apache-2.0
#include "runtime/device.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/run/failure_record.h"
#include "app/run/make_backend.h"
#include "hw/bundles/page_table.h"
#include "hw/common/check.h"
#include "hw/common/limits.h"
#include "input/input_error.h"
#include "runtime/api.h"
#include "runtime/context.h"
#include "tb/scenario/run_scenario.h"
#include "toolchain/cubin/cubin.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80::cuda {
namespace {

/// clang registers no static variable that the host program does not mention, except by its name in a string: all of
/// the program's own are looked at.
std::optional<VariableRef> variable_named(const LoadedProgram& program, const char* symbol) {
  for (const auto& [original, unique] : program.unique) {
    if (!names_kernel(symbol, original)) continue;
    const auto is_it = [&name = unique](const auto& variable) { return variable.name == name; };
    const std::vector<ConstantVariable>& constants = program.module.constants;
    const auto constant = std::find_if(constants.begin(), constants.end(), is_it);
    if (constant != constants.end()) return VariableRef{unique, constant->bytes, true};
    const std::vector<DeviceVariable>& variables = program.module.device_variables;
    const auto variable = std::find_if(variables.begin(), variables.end(), is_it);
    if (variable != variables.end()) return VariableRef{unique, variable->bytes, false};
  }
  return std::nullopt;
}

}  // namespace

Device& Device::current() {
  Device& device = current_context().device;
  device.enter();
  return device;
}

void Device::enter() {
  if (backend_) backend_->enter();
}

Backend& Device::machine() {
  wait_for_streams();
  return busy_machine();
}

bool Device::finish_work() {
  enter();
  return !work_ || work_->finish_all();
}

void Device::wait_for_streams() {
  if (!finish_work()) throw WorkFailed();
}

Backend& Device::busy_machine() {
  if (!backend_) {
    Session& session = Session::current();
    backend_ = make_backend(session.options_of_next_machine(), config());
    session.set_model(std::string(backend_->model()));
    copies_.emplace(*backend_);
    heap_.emplace(*backend_, session.placement());
    all_bytes_ = heap_->free_bytes();
    bound_units_.assign(kMaxTextures, std::nullopt);
    work_.emplace([this]() -> Backend& { return *backend_; }, [this](bool wait) { return run_work(wait); },
                  config().host.copy_channel);
  }
  load_registered();
  return *backend_;
}

void Device::complete_records() {
  if (!backend_) return;
  for (const std::string& sentence : backend_->finish()) fmt::print(stderr, "g80: {}\n", sentence);
}

void Device::reset() {
  map_host_ = false;
  finish_work();
  complete_records();
  work_.reset();
  heap_.reset();
  backend_.reset();
  copies_.reset();
  programs_.clear();
  loaded_sources_ = 0;
  allocations_.clear();
  mapped_.clear();
  arrays_.clear();
  bindings_.clear();
  sticky_error_ = cudaSuccess;
}

void Device::load_registered() {
  const std::deque<Program>& sources = registry().programs;
  while (loaded_sources_ < sources.size()) {
    const Program& source = sources[loaded_sources_++];
    if (!source.registered) continue;
    Module module = read_cubin(source.cubin, "GPU code of the program");
    if (!has_capability(config(), module.arch)) {
      throw InputError(
          fmt::format("the program was compiled for {}, {} has compute capability 1.{}: compile it with -arch=sm_1{}{}",
                      isa::arch_name(module.arch), config().device.name, config().device.compute_minor,
                      config().device.compute_minor, devices_with_capability(module.arch, ", or choose G80_DEVICE=")));
    }
    load(std::move(module), &source);
  }
}

/// Loads the code of one source file. Static functions and variables of several files may have the same name, so a
/// name that is taken gets a number.
unsigned Device::load(Module module, const Program* source) {
  if (!backend_) busy_machine();
  const auto place = std::find_if(programs_.begin(), programs_.end(), [](const auto& one) { return one.unloaded; });
  const auto number = static_cast<unsigned>(place - programs_.begin());
  LoadedProgram& loaded = place != programs_.end() ? * place = LoadedProgram() : programs_.emplace_back();
  const auto make_unique = [&](std::string& name) {
    const std::string original = name;
    const auto taken = [&](const std::string& text) {
      return std::any_of(programs_.begin(), programs_.end(), [&](const LoadedProgram& other) {
        return &other != &loaded && std::any_of(other.unique.begin(), other.unique.end(),
                                                [&](const auto& entry) { return entry.second == text; });
      });
    };
    for (unsigned copy = 2; taken(name); ++copy) name = fmt::format("{}.{}", original, copy);
    loaded.unique[original] = name;
  };
  for (Kernel& kernel : module.kernels) make_unique(kernel.name);
  for (ConstantVariable& variable : module.constants) make_unique(variable.name);
  for (DeviceVariable& variable : module.device_variables) make_unique(variable.name);
  for (AddressWord& word : module.addresses) {
    word.variable = loaded.unique[word.variable];
    word.target = loaded.unique[word.target];
  }
  for (const TextureReference& texture : module.textures) loaded.textures.emplace_back(texture.name, texture.unit);
  loaded.module = std::move(module);
  loaded.source = source;
  try {
    backend_->load(loaded.module);
  } catch (const InputError&) {
    loaded = LoadedProgram();
    loaded.unloaded = true;
    throw;
  }
  for (const DeviceVariable& variable : loaded.module.device_variables) {
    allocations_[backend_->device_variable(variable.name)] = variable.bytes;
  }
  return number;
}

void Device::unload(unsigned program) {
  Backend& machine = this->machine();
  LoadedProgram& loaded = programs_.at(program);
  for (const DeviceVariable& variable : loaded.module.device_variables)
    allocations_.erase(machine.device_variable(variable.name));
  machine.unload(loaded.module);
  loaded = LoadedProgram();
  loaded.unloaded = true;
}

std::optional<KernelRef> Device::kernel_of(const void* stub) {
  busy_machine();
  for (unsigned k = 0; k < programs_.size(); ++k) {
    if (!programs_[k].is_registered()) continue;
    const auto found = programs_[k].source->kernels.find(stub);
    if (found == programs_[k].source->kernels.end()) continue;
    const auto name = programs_[k].unique.find(found->second);
    if (name == programs_[k].unique.end()) continue;
    return KernelRef{k, programs_[k].module.find_kernel(name->second)};
  }
  return std::nullopt;
}

cudaError_t Device::variable_of(const void* symbol, VariableRef& found) {
  if (symbol == nullptr) return cudaErrorInvalidSymbol;
  busy_machine();
  unsigned named = 0;
  for (const LoadedProgram& program : programs_) {
    if (!program.is_registered()) continue;
    for (const RegisteredVariable& variable : program.source->variables) {
      const auto name = program.unique.find(variable.name);
      if (variable.host != symbol || name == program.unique.end()) continue;
      found = {name->second, variable.bytes, variable.constant};
      return cudaSuccess;
    }
  }
  for (const LoadedProgram& program : programs_) {
    if (!program.is_registered()) continue;
    const std::optional<VariableRef> variable = variable_named(program, static_cast<const char*>(symbol));
    if (!variable) continue;
    found = *variable;
    ++named;
  }
  return named == 0 ? cudaErrorInvalidSymbol : named == 1 ? cudaSuccess : cudaErrorDuplicateVariableName;
}

std::uint64_t Device::free_bytes() {
  busy_machine();
  std::uint64_t elsewhere = 0;
  for_each_context(
      [&](const CUctx_st& context) { elsewhere += &context.device != this ? context.device.used_bytes() : 0; });
  const std::uint64_t bytes = heap_->free_bytes();
  return bytes - std::min(bytes, elsewhere);
}

std::optional<std::uint32_t> Device::allocate(std::uint64_t bytes) {
  machine();
  if (bytes > free_bytes()) return std::nullopt;
  try {
    const std::uint32_t address = heap_->allocate(bytes);
    allocations_[address] = bytes;
    return address;
  } catch (const InputError&) {  // there is not enough
    return std::nullopt;
  }
}

bool Device::release(std::uint32_t address) {
  machine();
  if (!heap_->release(address)) return false;
  allocations_.erase(address);
  return true;
}

bool Device::map_host(void* host, std::size_t bytes) {
  if (bytes > page_table::kHostWindowBytes) return false;
  try {
    mapped_[host] = machine().map_host(host, bytes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void Device::unmap_host(const void* host) {
  const auto found = mapped_.find(host);
  if (found == mapped_.end()) return;
  machine().release(found->second);
  mapped_.erase(found);
}

std::optional<std::uint32_t> Device::mapped_address(const void* host) const {
  const auto found = mapped_.find(host);
  return found == mapped_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> Device::allocation_start(const void* pointer) const {
  if (reinterpret_cast<std::uintptr_t>(pointer) > 0xffffffffu) return std::nullopt;
  const auto above = allocations_.upper_bound(address_of(pointer));
  if (above == allocations_.begin()) return std::nullopt;
  return std::prev(above)->first;
}

std::uint64_t Device::bytes_from(const void* pointer) const {
  const std::optional<std::uint32_t> start = allocation_start(pointer);
  if (!start) return 0;
  const std::uint64_t offset = address_of(pointer) - *start, bytes = allocations_.at(*start);
  return offset < bytes ? bytes - offset : 0;
}

bool Device::contains(const void* pointer, std::uint64_t bytes) const {
  return bytes != 0 && bytes <= bytes_from(pointer);
}

void Device::add(std::unique_ptr<cudaArray> array) {
  const cudaArray* const key = array.get();
  arrays_[key] = std::move(array);
}

void Device::release(const cudaArray* array) {
  const auto found = arrays_.find(array);
  release(found->second->address);
  arrays_.erase(found);
}

void Device::bind(const textureReference* host, const TextureBinding& binding, std::size_t offset) {
  wait_for_streams();
  bindings_[host] = {binding, offset};
}

void Device::unbind(const textureReference* host) {
  wait_for_streams();
  bindings_.erase(host);
}

std::optional<std::size_t> Device::bound_offset(const textureReference* host) const {
  const auto found = bindings_.find(host);
  return found == bindings_.end() ? std::nullopt : std::optional(found->second.offset);
}

/// Each program numbers its texture units from 0, so each launch binds the units of its own program.
void Device::bind_textures(const LoadedProgram& program) {
  for (const auto& [name, unit] : program.textures) {
    TextureBinding wanted;  // an invalid header: reads zeros
    if (const auto bound = program.bindings.find(name); bound != program.bindings.end()) wanted = bound->second;
    if (program.source != nullptr) {
      for (const RegisteredTexture& texture : program.source->textures) {
        const auto found = bindings_.find(texture.host);
        if (texture.name == name && found != bindings_.end()) wanted = found->second.binding;
      }
    }
    wanted.unit = unit;
    std::optional<TextureBinding>& bound = bound_units_[unit];
    if (bound && bound->header == wanted.header && bound->sampler == wanted.sampler) continue;
    backend_->bind_texture(wanted);
    bound = wanted;
  }
}

/// Of a launch that fails the last events are written, as g80 run does.
template <class Step>
auto Device::recorded(const Step& step) {
  try {
    return step();
  } catch (const ModelError&) {
    write_flight_log(*backend_, program_invocation_short_name);
    throw;
  }
}

Backend::Ended Device::run_work(bool wait) {
  Backend::Ended ended = recorded([&] { return backend_->run_started(wait); });
  if (ended.launch && ended.launch->end != LaunchEnd::kFinished)
    write_flight_log(*backend_, program_invocation_short_name);
  return ended;
}

void Device::start_launch(const KernelRef& kernel, const Launch& launch) {
  bind_textures(programs_[kernel.program]);
  recorded([&] { backend_->start(launch); });
}

bool Device::end_launch(LaunchResult result) {
  const LaunchEnd end = result.end;
  result.kernel = demangled_name(result.kernel);
  if (!result.message.empty())
    fmt::print(stderr, "g80: kernel {}: {}: {}\n", result.kernel, launch_end_name(end), result.message);
  Session::current().keep(std::move(result));
  if (end == LaunchEnd::kFinished) return true;
  sticky_error_ = end == LaunchEnd::kFault ? cudaErrorLaunchFailure : cudaErrorLaunchTimeout;
  return false;
}

cudaError_t synchronized() {
  Device::current().wait_for_streams();
  return sticky_error();
}

}  // namespace g80::cuda
