// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/sm_model.h"

#include <map>
#include <systemc>
#include <utility>

#include "rtl/adapters/assertions.h"

#include "Vsm.h"
#include "Vsm___024root.h"

namespace g80 {
namespace {

std::unique_ptr<VerilatedContext> make_context(const std::string& sm) {
  auto context = std::make_unique<VerilatedContext>();
  prepare_context(*context, sm);
  return context;
}

}  // namespace

std::shared_ptr<SmModel> SmModel::of(const std::string& sm) {
  // Several machines of a program have the same names in simulations of their own.
  static std::map<std::pair<const sc_core::sc_simcontext*, std::string>, std::weak_ptr<SmModel>> models;
  std::weak_ptr<SmModel>& place = models[{sc_core::sc_get_curr_simcontext(), sm}];
  std::shared_ptr<SmModel> model = place.lock();
  if (model == nullptr) place = model = std::make_shared<SmModel>(sm);
  return model;
}

SmModel::SmModel(std::string sm)
    : name_(std::move(sm)),
      context_(make_context(name_)),
      model_(std::make_unique<Vsm>(context_.get(), name_.c_str())) {
  Verilated::threadContextp(Verilated::defaultContextp());  // of the models to come
  begin_reset(*model_);
  model_->cfg_log2_multipliers_i = 3;                       // without them no adapter sets it, and they know 4 and 8
}

SmModel::~SmModel() = default;

const VerilatedScope* SmModel::scope(const std::string& instance) const {
  return context_->scopeFind(fmt::format("{}.sm_machine.u_sm.u_{}", model_->name(), instance).c_str());
}

Vsm___024root& SmModel::inside() { return *model_->rootp; }

void SmModel::clock(Cycle edge, bool out_of_reset) {
  if (clocked_ == edge) return;
  clocked_ = edge;
  model_->rst_ni = out_of_reset;
  model_->clock_i = static_cast<std::uint32_t>(edge);
  for (const Block& each : blocks_) {
    if (each.block->runs_at(edge)) each.write_pins(edge);
  }
  model_->clk_i = 0;
  model_->eval();
  if (out_of_reset) {
    for (const Block& each : blocks_) {
      if (each.block->awake() && each.block->runs_at(edge)) each.at_edge();
    }
  }
  model_->clk_i = 1;
  model_->eval();
  check_assertions(*context_, name_.c_str(), edge);
}

}  // namespace g80
