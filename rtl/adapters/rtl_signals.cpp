// SPDX-License-Identifier: Apache-2.0
#include "rtl/adapters/rtl_signals.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "hw/common/field_values.h"

namespace g80 {
namespace {

/// The inputs of the outermost module: their names end in _i.
class InputTexts final : public FieldVisitor {
 public:
  void enter(const char* name, int index) override { path_.push_back(element_name(name, index)); }
  void leave() override { path_.pop_back(); }
  void leaf(const char* name, int index, std::uint64_t value, unsigned, const EnumText* text) override {
    const std::string last = element_name(name, index);
    const std::string& port = path_.empty() ? last : path_.front();
    const std::string_view stem = std::string_view(port).substr(0, port.find('['));
    const bool input = stem.size() > 2 && stem.substr(stem.size() - 2) == "_i";
    const bool strap = stem.substr(0, 4) == "cfg_";
    if (value == 0 || !input || strap || stem == "clk_i" || stem == "rst_ni") return;
    std::string full;
    for (const std::string& part : path_) full += part + ".";
    full += last + " = ";
    full += text != nullptr && value < text->count ? text->names[value] : fmt::format("{:#x}", value);
    texts.push_back(full);
  }
  std::vector<std::string> texts;

 private:
  std::vector<std::string> path_;
};

}  // namespace

void RtlSignals::trace_fields(FieldVisitor& visitor) const {
  if (trace_ == nullptr) {
    trace_ = std::make_unique<RtlTrace>();
    RtlTraceFile file(*trace_);
    connect(file);
  }
  trace_->update();
  trace_->visit(visitor);
}

std::string RtlSignals::inputs_text() const {
  constexpr std::size_t kMost = 40;
  InputTexts inputs;
  trace_fields(inputs);
  const std::size_t shown = std::min(inputs.texts.size(), kMost);
  std::string text = fmt::format("{}", fmt::join(inputs.texts.begin(), inputs.texts.begin() + shown, ", "));
  if (shown < inputs.texts.size()) text += fmt::format(", and {} more", inputs.texts.size() - shown);
  return text.empty() ? "all zero" : text;
}

bool RtlSignals::clock_low(Cycle edge) {
  while (!block_.runs_at(edge)) ++edge;
  if (!block_.will_run(edge)) return false;
  settle(edge);
  return true;
}

}  // namespace g80
