// SPDX-License-Identifier: Apache-2.0
// The parts of a kernel within which the lanes of a warp come together again: the kernel itself, and loops and other
// parts that lanes leave one by one.
//
// Where lanes leave a loop from inside nested branches, the rest of the loop's body lies on no path they all take: with
// join points alone the lanes that parted in such a branch would stay apart until the loop's end. Such a loop becomes a
// scope of its own. Leaving it is a `break`, which takes a lane out until all lanes have left; breakaddr in front of
// the loop says where they go on. Within the scope only the lanes that stay count, so the branches meet inside the
// body. A loop whose lanes all end when they leave it needs no breakaddr. The same holds for other code with several
// ways to its end: with `if (a || b) large;` lanes that go around the large block break.
//
// A break leaves the innermost scope with breakaddr. Lanes that leave the one around it, too, say so in a register and
// break again where the first break has led them.
#pragma once
#include <vector>

#include "toolchain/compiler/codegen/flow_graph.h"
#include "toolchain/compiler/codegen/machine.h"

namespace g80::codegen {

struct Scope {
  ir::BlockId root = 0;            // its first block
  ir::BlockId header = ir::kNone;  // of a loop: paths meet there when the next turn begins
};

struct Scopes {
  std::vector<Scope> list;              // [0]: the kernel
  std::vector<std::uint32_t> scope_of;  // by block
  /// By block: for a block that only leads into an inner scope, the block that its lanes come to when they have left it
  /// (kNone: they end). The block itself, if it does not lead into a scope.
  std::vector<ir::BlockId> after;

  /// The blocks of a scope; inner ones are skipped. Each way out leads to a node of its own, numbered behind the
  /// blocks.
  FlowGraph graph(const MachineFunction& function, std::uint32_t scope) const;
  Meeting meeting_points(const MachineFunction& function, const FlowGraph& graph, std::uint32_t scope) const;
  /// For a block that was added to the function last.
  void add_block(std::uint32_t scope);
};

/// Finds the parts that gain by breaks and gives them their breakaddr and break targets.
Scopes make_scopes(MachineFunction& function);

}  // namespace g80::codegen
