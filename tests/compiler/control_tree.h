// SPDX-License-Identifier: Apache-2.0
// Random structured programs: a tree of ifs, loops, breaks and continues of any level, and early returns. A tree can be
// made an IR kernel, and it can be executed for a whole warp as an ideal machine would do it: lanes that parted come
// together again at the end of the statement in which they parted.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/compiler/kernel_runner.h"

namespace g80 {

struct ControlNode;
using ControlTree = std::shared_ptr<ControlNode>;

struct ControlNode {
  enum Kind {
    kBlock,     // its children
    kMark,      // mixes `number` into the state, and can be observed
    kIf,        // condition `number`; children: then, else
    kLoop,      // at most `number` & 7 turns, some lanes fewer (bit 3); bit 4: tested at the end; child: body
    kBreak,     // out of `number` + 1 loops
    kContinue,  // goes on with the next turn of the loop that is `number` further out
    kReturn     // bit 0 of `number`: stores the state first
  };
  Kind kind = kBlock;
  std::uint32_t number = 0;
  std::vector<ControlTree> children;
};

inline std::uint32_t mixed_state(std::uint32_t state, std::uint32_t number) {
  return (state ^ state >> 7) * 2654435761u + number;
}
/// Conditions look at the state, or (every fourth) at the number of the block, which is the same in all lanes.
inline bool looks_at_block(std::uint32_t number) { return number % 4 == 0; }
inline unsigned condition_bit(std::uint32_t number) { return 8 + number % 16; }

inline std::string control_text(const ControlNode& node, const std::string& indent = "") {
  const auto body = [&](std::size_t k) { return control_text(*node.children[k], indent + "  "); };
  const std::string number = std::to_string(node.number);
  switch (node.kind) {
    case ControlNode::kMark: return indent + "mark " + number + "\n";
    case ControlNode::kIf: return indent + "if " + number + "\n" + body(0) + indent + "else\n" + body(1);
    case ControlNode::kLoop: return indent + "loop " + number + "\n" + body(0);
    case ControlNode::kBreak: return indent + "break " + number + "\n";
    case ControlNode::kContinue: return indent + "continue " + number + "\n";
    case ControlNode::kReturn: return indent + "return " + number + "\n";
    default: {
      std::string text;
      for (const ControlTree& child : node.children) text += control_text(*child, indent);
      return text;
    }
  }
}

class ControlGenerator {
 public:
  explicit ControlGenerator(std::uint32_t seed) : rng_(seed) {}

  ControlTree program() {
    ControlTree tree = block(3, 4, 0);
    if (!ends_with_jump(*tree)) tree->children.push_back(mark());
    return tree;
  }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  static ControlTree make(ControlNode::Kind kind, std::uint32_t number, std::vector<ControlTree> children = {}) {
    ControlTree node = std::make_shared<ControlNode>();
    node->kind = kind;
    node->number = number;
    node->children = std::move(children);
    return node;
  }
  ControlTree mark() { return make(ControlNode::kMark, ++marks_); }
  static bool ends_with_jump(const ControlNode& block) {
    return !block.children.empty() && block.children.back()->kind >= ControlNode::kBreak;
  }

  ControlTree block(unsigned statements, unsigned depth, unsigned loops) {
    ControlTree node = make(ControlNode::kBlock, 0);
    for (unsigned k = 0; k < statements; ++k) {
      const std::uint32_t choice = pick(12);
      if (depth == 0 || choice < 4) {
        node->children.push_back(mark());
      } else if (choice < 9) {
        node->children.push_back(make(ControlNode::kIf, pick(64), {body(depth, loops), body(depth, loops)}));
      } else if (loops < 3) {
        node->children.push_back(make(ControlNode::kLoop, pick(32), {block(1 + pick(3), depth - 1, loops + 1)}));
      }
    }
    return node;
  }

  /// One side of an if, which may end with a jump.
  ControlTree body(unsigned depth, unsigned loops) {
    ControlTree node = block(pick(3), depth - 1, loops);
    if (loops > 0 && pick(4) == 0) {
      node->children.push_back(make(pick(2) == 0 ? ControlNode::kBreak : ControlNode::kContinue, pick(loops)));
    } else if (pick(12) == 0) {
      node->children.push_back(make(ControlNode::kReturn, pick(2)));
    }
    return node;
  }

  std::mt19937 rng_;
  std::uint32_t marks_ = 0;
};

/// What an ideal warp does: (mark, lanes) in any order, and the results.
struct IdealWarp {
  static constexpr unsigned kLanes = 32;
  using Lanes = std::uint32_t;

  std::uint32_t block = 0;
  std::array<std::uint32_t, kLanes> state{}, result{};
  std::multiset<std::pair<std::uint32_t, Lanes>> marks;

  void run(const ControlNode& program, std::uint32_t block_number) {
    block = block_number;
    for (unsigned lane = 0; lane < kLanes; ++lane) state[lane] = mixed_state(block * kLanes + lane, 1);
    finish(execute(program, ~0u));
  }

 private:
  struct LoopLanes {
    Lanes broken = 0, waiting = 0;  // have left the loop; wait for its next turn
  };

  void finish(Lanes lanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) != 0) result[lane] = state[lane];
    }
  }

  /// The lanes that come to the end of the statement.
  Lanes execute(const ControlNode& node, Lanes lanes) {
    if (lanes == 0) return 0;
    switch (node.kind) {
      case ControlNode::kMark:
        marks.insert({node.number, lanes});
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          if ((lanes >> lane & 1) != 0) state[lane] = mixed_state(state[lane], node.number);
        }
        return lanes;
      case ControlNode::kIf: {
        Lanes yes = 0;
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const std::uint32_t value = looks_at_block(node.number) ? block * 0x9100 : state[lane];
          yes |= (value >> condition_bit(node.number) & 1) << lane;
        }
        const Lanes then = execute(*node.children[0], lanes & yes);
        return then | execute(*node.children[1], lanes & ~yes);
      }
      case ControlNode::kLoop: return loop(node, lanes);
      case ControlNode::kBreak: loops_[loops_.size() - 1 - node.number].broken |= lanes; return 0;
      case ControlNode::kContinue: loops_[loops_.size() - 1 - node.number].waiting |= lanes; return 0;
      case ControlNode::kReturn:
        if ((node.number & 1) != 0) finish(lanes);
        return 0;
      default:
        for (const ControlTree& child : node.children) lanes = execute(*child, lanes);
        return lanes;
    }
  }

  Lanes loop(const ControlNode& node, Lanes lanes) {
    const std::uint32_t most = node.number & 7;
    const bool differs = (node.number & 8) != 0, tested_at_end = (node.number & 16) != 0;
    std::array<std::uint32_t, kLanes> turns{};
    for (unsigned lane = 0; lane < kLanes; ++lane) turns[lane] = differs ? state[lane] >> 9 & most : most;
    Lanes left = 0;
    loops_.push_back({});
    for (std::uint32_t turn = 0; lanes != 0; ++turn) {
      Lanes again = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (turn < turns[lane] || (tested_at_end && turn == 0)) again |= Lanes{1} << lane;
      }
      left |= lanes & ~again;
      loops_.back().waiting = 0;
      const Lanes through = execute(*node.children[0], lanes & again);
      lanes = through | loops_.back().waiting;
    }
    left |= loops_.back().broken;
    loops_.pop_back();
    return left;
  }

  std::vector<LoopLanes> loops_;
};

/// Makes a tree an IR kernel. A thread's state and loop counters are in local memory; results go to out[thread]. The
/// line of a mark's instruction is the mark's number.
class ControlKernel {
 public:
  static constexpr std::uint32_t kLocalBytes = 64;

  ir::Module build(const ControlNode& program) {
    using ir::Op;
    ir::Variable memory;
    memory.name = "state";
    memory.space = ir::Space::kLocal;
    memory.bytes = kLocalBytes;
    module_.name = "test";
    module_.variables.push_back(memory);
    f_.name = "control";
    add_parameters(f_);
    block_ = f_.add_block();
    ir::Inst where = make_inst(Op::kVarAddr, {});
    where.variable = 0;
    memory_ = f_.append1(block_, where, ir::Type::kI32);
    ir::Inst special = make_inst(Op::kSpecial, {});
    const ir::ValueId tid = f_.append1(block_, special, ir::Type::kI32);
    special.special = ir::Special::kCtaidX;
    ctaid_ = f_.append1(block_, special, ir::Type::kI32);
    const ir::ValueId thread = op(Op::kAdd, op(Op::kShl, ctaid_, f_.i32(5)), tid);
    out_ = op(Op::kAdd, load_parameter(f_, block_, 0), op(Op::kShl, thread, f_.i32(2)));
    scaled_ctaid_ = op(Op::kMul, ctaid_, f_.i32(0x9100));
    set(0, mix(thread, 1));
    end_ = f_.add_block();
    statement(program);
    if (block_ != ir::kNone) jump(end_);
    block_ = end_;
    finish();
    module_.kernels.push_back(f_);
    return module_;
  }

 private:
  struct LoopBlocks {
    ir::BlockId next = 0, exit = 0;
  };

  ir::ValueId op(ir::Op o, ir::ValueId a, ir::ValueId b) {
    return f_.append1(block_, make_inst(o, {a, b}), ir::Type::kI32);
  }
  ir::ValueId mix(ir::ValueId state, std::uint32_t number) {
    const ir::ValueId folded = op(ir::Op::kXor, state, op(ir::Op::kShrU, state, f_.i32(7)));
    return op(ir::Op::kAdd, op(ir::Op::kMul, folded, f_.i32(2654435761u)), f_.i32(number));
  }
  ir::ValueId get(unsigned slot) {
    ir::Inst load = make_inst(ir::Op::kLoad, {memory_});
    load.space = ir::Space::kLocal;
    load.offset = static_cast<std::int32_t>(4 * slot);
    return f_.append1(block_, load, ir::Type::kI32);
  }
  void set(unsigned slot, ir::ValueId value) {
    ir::Inst store = make_inst(ir::Op::kStore, {memory_, value});
    store.space = ir::Space::kLocal;
    store.offset = static_cast<std::int32_t>(4 * slot);
    f_.append(block_, store, {});
  }
  void jump(ir::BlockId target) { f_.append(block_, make_inst(ir::Op::kBranch, {}, {target}), {}); }
  void branch(ir::ValueId a, ir::Compare compare, ir::ValueId b, ir::BlockId yes, ir::BlockId no) {
    ir::Inst test = make_inst(ir::Op::kSet, {a, b});
    test.compare = compare;
    const ir::ValueId holds = f_.append1(block_, test, ir::Type::kPred);
    f_.append(block_, make_inst(ir::Op::kCondBranch, {holds}, {yes, no}), {});
  }
  void finish() {
    ir::Inst store = make_inst(ir::Op::kStore, {out_, get(0)});
    f_.append(block_, store, {});
    f_.append(block_, make_inst(ir::Op::kExit, {}), {});
  }

  /// `block_` is kNone afterwards where nothing comes to the statement's end.
  void statement(const ControlNode& node) {
    if (block_ == ir::kNone) return;
    switch (node.kind) {
      case ControlNode::kMark: {
        ir::Inst event = make_inst(ir::Op::kPmevent, {});
        event.loc.ptx_line = node.number;
        f_.append(block_, event, {});
        set(0, mix(get(0), node.number));
        return;
      }
      case ControlNode::kIf: {
        const ir::BlockId yes = f_.add_block(), no = f_.add_block();
        const ir::ValueId value = looks_at_block(node.number) ? scaled_ctaid_ : get(0);
        branch(op(ir::Op::kAnd, value, f_.i32(1u << condition_bit(node.number))), ir::Compare::kNe, f_.i32(0), yes, no);
        block_ = yes;
        statement(*node.children[0]);
        const ir::BlockId yes_end = block_;
        block_ = no;
        statement(*node.children[1]);
        const ir::BlockId no_end = block_;
        if (yes_end == ir::kNone && no_end == ir::kNone) return;
        const ir::BlockId meet = f_.add_block();
        for (const ir::BlockId end : {yes_end, no_end}) {
          block_ = end;
          if (end != ir::kNone) jump(meet);
        }
        block_ = meet;
        return;
      }
      case ControlNode::kLoop: return loop(node);
      case ControlNode::kBreak:
        jump(loops_[loops_.size() - 1 - node.number].exit);
        block_ = ir::kNone;
        return;
      case ControlNode::kContinue:
        jump(loops_[loops_.size() - 1 - node.number].next);
        block_ = ir::kNone;
        return;
      case ControlNode::kReturn:
        if ((node.number & 1) != 0) {
          finish();
        } else {
          f_.append(block_, make_inst(ir::Op::kExit, {}), {});
        }
        block_ = ir::kNone;
        return;
      default:
        for (const ControlTree& child : node.children) statement(*child);
    }
  }

  void loop(const ControlNode& node) {
    const unsigned counter = 1 + 2 * static_cast<unsigned>(loops_.size()), limit = counter + 1;
    const ir::ValueId most = f_.i32(node.number & 7);
    set(limit, (node.number & 8) != 0 ? op(ir::Op::kAnd, op(ir::Op::kShrU, get(0), f_.i32(9)), most) : most);
    set(counter, f_.i32(0));
    const ir::BlockId body = f_.add_block(), next = f_.add_block(), test = f_.add_block(), exit = f_.add_block();
    jump((node.number & 16) != 0 ? body : test);
    loops_.push_back({next, exit});
    block_ = body;
    statement(*node.children[0]);
    if (block_ != ir::kNone) jump(next);
    block_ = next;
    set(counter, op(ir::Op::kAdd, get(counter), f_.i32(1)));
    jump(test);
    block_ = test;
    branch(get(counter), ir::Compare::kLtU, get(limit), body, exit);
    loops_.pop_back();
    block_ = exit;
  }

  ir::Module module_;
  ir::Function f_;
  ir::BlockId block_ = 0, end_ = 0;
  ir::ValueId memory_ = 0, ctaid_ = 0, scaled_ctaid_ = 0, out_ = 0;
  std::vector<LoopBlocks> loops_;
};

}  // namespace g80
