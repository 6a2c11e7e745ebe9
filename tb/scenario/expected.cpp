// SPDX-License-Identifier: Apache-2.0
// Expected contents of buffers.
#include "tb/scenario/expected.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "hw/isa/float_bits.h"
#include "input/input_error.h"
#include "tb/scenario/golden_case.h"
#include "tb/scenario/memory_image.h"
#include "tb/scenario/recorded_golden.h"

namespace g80 {

std::optional<std::vector<Buffer>> expected_contents(const Scenario& scenario,
                                                     const std::vector<ArgumentValue>& arguments,
                                                     const std::vector<Buffer>& initial) {
  bool stated = !scenario.golden.empty();
  for (const BufferDecl& decl : scenario.buffers) stated |= decl.expect.has_value() || decl.golden_file.has_value();
  if (!stated) return std::nullopt;

  std::vector<Buffer> expected = initial;
  if (!scenario.golden.empty()) {
    const GoldenFunction function = find_golden(scenario.golden);
    if (!function) {
      throw InputError(fmt::format("{}: golden is '{}'; known are {}", scenario.path, scenario.golden,
                                   fmt::join(golden_names(), ", ")));
    }
    GoldenCase test(arguments, expected);
    function(test);
  }
  const NameTable names = name_table(arguments);
  for (Buffer& buffer : expected) {
    const BufferDecl& decl = *buffer.decl;
    if (decl.expect) {
      buffer.bytes = evaluate_elements(*decl.expect, decl.type, buffer.count, names, 0, decl.name);
    } else if (decl.golden_file) {
      const std::string path = (std::filesystem::path(scenario.folder) / decl.golden_file->text).string();
      buffer.bytes = read_memory_image(path, buffer.bytes.size(), decl.golden_file->where);
    }
  }
  return expected;
}

std::vector<Buffer> recorded_contents(const std::string& path, const std::vector<Buffer>& initial) {
  const auto contents = read_recorded_golden(path);
  std::vector<Buffer> expected = initial;
  for (Buffer& buffer : expected) {
    if (buffer.decl->scratch) continue;
    const auto found = contents.find(buffer.decl->name);
    if (found == contents.end())
      throw InputError(fmt::format("{}: the recording has no buffer {}", path, buffer.decl->name));
    if (found->second.size() != buffer.bytes.size()) {
      throw InputError(fmt::format("{}: buffer {} has {} bytes recorded; this run has {}", path, buffer.decl->name,
                                   found->second.size(), buffer.bytes.size()));
    }
    buffer.bytes = found->second;
  }
  return expected;
}

std::string host_sum_text(const Scenario& scenario, const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers) {
    if (scenario.host_sum.empty() || buffer.decl->name != scenario.host_sum) continue;
    float sum = 0;
    for (std::uint64_t i = 0; i < buffer.count; ++i) {
      float element;
      std::memcpy(&element, &buffer.bytes[i * sizeof element], sizeof element);
      sum += element;
    }
    if (std::isnan(sum)) return fmt::format("{}: nan (computed by the host)", buffer.decl->name);
    return fmt::format("{}: {:.6g} (0x{:08x})", buffer.decl->name, sum, isa::bits_of(sum));
  }
  return {};
}

}  // namespace g80
