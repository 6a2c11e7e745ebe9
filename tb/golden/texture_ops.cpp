// SPDX-License-Identifier: Apache-2.0
// Texture instructions: taps, texel reads, filtering, results packed by the write mask.
#include "hw/common/set_bits.h"
#include "tb/golden/step.h"

namespace g80::golden {

using isa::Op;

void Executor::texture(Step& s) {
  const isa::Instruction& insn = s.insn;
  if (insn.op == Op::kTexCsaa) return raise(s, FaultKind::kIllegalInstruction);
  static const TextureHeader unbound{};
  const TextureHeader& header = insn.tex < kMaxTextures ? launch_.texture[insn.tex] : unbound;
  const bool valid = header.valid();
  static const Sampler default_sampler{};
  const Sampler& sampler = insn.sampler < kMaxSamplers ? launch_.sampler[insn.sampler] : default_sampler;

  LaneWords result[4] = {};
  bool ok = true;
  for (const unsigned l : set_bits(s.lanes)) {
    if (!ok || !valid) continue;
    std::uint32_t coord[3] = {};
    for (unsigned i = 0; i < 3 && i < insn.tex_sources; ++i) coord[i] = register_of(s.warp, insn.dst.index + i)[l];
    Components words{};
    if (insn.op == Op::kTexSize) {
      words = {header.size[0], header.size[1], header.size[2], 1};
    } else if (insn.op == Op::kTexFetch) {
      Taps one;
      one.count = 1;
      one.tap[0] = fetch_tap(header, coord, insn.tex_offset);
      ok = read_taps(s, l, header, Components{}, one, words);
    } else {
      // A buffer texture has no sampler, so its border colour is zero.
      const bool buffer = header.type == TextureType::kBuffer;
      ok = read_taps(s, l, header, buffer ? Components{} : sampler.border,
                     sample_taps(header, sampler, coord, insn.tex_offset), words);
    }
    for (unsigned i = 0; i < 4; ++i) result[i][l] = words[i];
  }
  if (!ok) return;

  const LaneWords* packed[4];
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (insn.tex_mask >> i & 1u) packed[count++] = &result[i];
  }
  write_registers(s, packed, count);
}

/// Reads, decodes and filters the taps of one lane.
bool Executor::read_taps(Step& s, unsigned lane, const TextureHeader& header, const Components& border,
                         const Taps& taps, Components& result) {
  std::array<Components, 8> texel;
  for (unsigned i = 0; i < taps.count; ++i) {
    if (taps.tap[i].border) {
      texel[i] = border;
      continue;
    }
    std::uint8_t bytes[16];
    const std::uint32_t address = texel_address(header, taps.tap[i]);
    if (!s.port.texture_read(address, header.texel_bytes(), bytes)) {
      raise_access(s, FaultKind::kOutOfBounds, Space::kTexture, lane, address, header.texel_bytes(), false);
      return false;
    }
    texel[i] = decode_texel(header, bytes);
  }
  result = select_sources(header, filter(taps, texel));
  return true;
}

}  // namespace g80::golden
