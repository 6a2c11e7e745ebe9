// SPDX-License-Identifier: Apache-2.0
// The multiprocessor in SystemVerilog, rtl/sm/sm.sv, in the place of all blocks of an SM: one Verilated model.
//
// Its blocks keep their adapters. The model of each is a part of this one (cmake/SmParts.cmake): the pins of its
// instance and the signals of its observer. So registers, counters, wires, reports and questions are those of the
// SystemC machine, and an SM is built as always, with the adapters in the place of its blocks.
// The model is clocked once at an edge: when the first of its blocks that are awake is stepped. Models of several SMs
// may be clocked by several threads, so each has a context of Verilator of its own.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/clocked.h"

class VerilatedContext;
class VerilatedScope;
class Vsm;
class Vsm___024root;

namespace g80 {

class SmModel {
 public:
  /// What a block has to do before the edge.
  struct Block {
    ClockedBase* block;
    std::function<void(Cycle edge)> write_pins;
    std::function<void()> at_edge;
  };

  /// The model of the SM with this name. The first of its blocks makes it.
  static std::shared_ptr<SmModel> of(const std::string& sm);
  explicit SmModel(std::string sm);
  SmModel(const SmModel&) = delete;
  SmModel& operator=(const SmModel&) = delete;
  ~SmModel();

  void join(Block block) { blocks_.push_back(std::move(block)); }
  /// Takes the model past this edge, unless another block has.
  void clock(Cycle edge, bool out_of_reset);

  Vsm& pins() { return *model_; }
  Vsm___024root& inside();
  /// An instance inside, by the name of the block: "<block>.gen_bank[3].u_memory". Null if there is none.
  const VerilatedScope* scope(const std::string& instance) const;

 private:
  static constexpr Cycle kNone = ~Cycle{0};

  const std::string name_;
  const std::unique_ptr<VerilatedContext> context_;
  const std::unique_ptr<Vsm> model_;
  std::vector<Block> blocks_;
  Cycle clocked_ = kNone;  // the last edge
};

/// Base class of the parts, the models of adapters.
class SmModelPart {
 public:
  /// `block`: full name of the block.
  explicit SmModelPart(const std::string& block) : sm_(SmModel::of(block.substr(0, block.rfind('.')))) {}
  SmModel& sm() { return *sm_; }

 protected:
  Vsm& pins() { return sm_->pins(); }
  Vsm___024root& inside() { return sm_->inside(); }

 private:
  std::shared_ptr<SmModel> sm_;
};

/// An input pin of a part that another one drives: nothing writes it.
struct DrivenInside {};

}  // namespace g80
