// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "toolchain/compiler/optimize/passes.h"

namespace g80::ir {

void find_textures(Function& function, const Module& module, const std::string& filename) {
  for (const Block& block : function.blocks) {
    for (const InstId id : block.insts) {
      Inst& inst = function.insts[id];
      if (inst.op != Op::kTexture) continue;
      const Value& handle = function.values[inst.operands.back()];
      const std::uint64_t index = handle.bits - kTextureTag;
      if (!handle.is_constant() || index >= module.textures.size())
        throw SourceError(fmt::format(
            "{}:{}: this texture instruction must name one texture of the module, known when it is compiled", filename,
            inst.loc.ptx_line));
      inst.texture = static_cast<std::uint32_t>(index);
      inst.operands.pop_back();
    }
  }
}

}  // namespace g80::ir
