// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/signal_records.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "tb/machine/architecture_level.h"
#include "tb/waves/standard_views.h"

namespace g80 {

SignalRecords::SignalRecords(Gpu& gpu, std::vector<Domain*> domains, const MachineOptions& options)
    : options_(options), domains_(std::move(domains)) {
  if (options_.wave) open_wave(gpu);
  if (!options_.trace) return;
  trace_ = std::make_unique<TextTrace>(options_.trace->conditions, domains_, [this](TraceLine& line) {
    const TraceField* const pc = line.find("pc");
    if (pc != nullptr && line.find("words") != nullptr)
      line.source = lines_.at(static_cast<std::uint32_t>(pc->values.front()));
    options_.trace->sink(line);
  });
  trace_->open();
}

SignalRecords::~SignalRecords() {
  if (wave_) write_lines();
}

void SignalRecords::open_wave(Gpu& gpu) {
  WaveOptions wave = *options_.wave;
  if (options_.wave_on && wave.from == 0) wave.on = options_.wave_on->text;
  wave.architecture = architecture_of(gpu);
  wave_ = std::make_unique<WaveSink>(wave, domains_);
  wave_->open();
  if (options_.wave_off)
    trigger_for("--wave-off", *options_.wave_off, gpu.shader, [](const std::string&) {});  // checks the names now
  if (!options_.wave_on) return arm_off();
  const bool launch = options_.wave_on->kind == Event::Kind::kLaunch;
  on_ = trigger_for("--wave-on", *options_.wave_on, gpu.shader, [this, launch](const std::string&) {
    wave_->begin();
    if (off_ == nullptr) arm_off();
    ends_with_launch_ = launch && !options_.wave_off;
  });
}

void SignalRecords::arm_off() {
  if (!options_.wave_off) return;
  off_ =
      trigger_for("--wave-off", *options_.wave_off, *domains_.front(), [this](const std::string&) { wave_->close(); });
}

void SignalRecords::launched(const Kernel& kernel, std::uint32_t start, std::uint64_t number) {
  if (on_) on_->launched(kernel.name, number);
  if (off_) off_->launched(kernel.name, number);
  if (wave_ || trace_) lines_.launch(kernel, start);
  if (wave_ && openings_.empty()) watch_views();
}

void SignalRecords::watch_views() {
  const Picoseconds now = sc_core::sc_time_stamp().value();
  for (ViewSpec& view : standard_views()) openings_.push_back({std::move(view), 0, nullptr});
  for (Opening& opening : openings_) {
    if (*opening.view.begins == '\0') {
      opening.at = now;
      continue;
    }
    Event event;
    event.text = event.condition = opening.view.begins;
    opening.trigger =
        trigger_for(opening.view.name.c_str(), event, *domains_.front(), [this, &opening](const std::string&) {
          if (opening.at == 0 && wave_->has_traced()) opening.at = sc_core::sc_time_stamp().value();
        });
  }
}

// The start time and marker of each view, as comments of the filter file: "#@ VIEW START MARKER". A view whose signals
// never change starts at the launch.
std::string SignalRecords::openings() const {
  constexpr double kShownBefore = 0.5;  // of the 200 pixels that the zoom counts
  std::string text;
  for (const Opening& opening : openings_) {
    const Picoseconds at = opening.at != 0 ? opening.at : openings_.front().at;
    const auto before = static_cast<Picoseconds>(kShownBefore * std::exp2(opening.view.zoom));
    text += fmt::format("#@ {} {} {}\n", opening.view.name, at > before ? at - before : 0, at);
  }
  return text;
}

void SignalRecords::launch_ended() {
  if (ends_with_launch_) wave_->close();
}

void SignalRecords::watch() {
  for (Opening& opening : openings_) {
    if (opening.at != 0) opening.trigger.reset();
  }
  if (wave_) wave_->check_file();
}

std::vector<std::string> SignalRecords::finish() {
  std::vector<std::string> sentences;
  if (trace_) {
    trace_->close();
    if (trace_->lines() == 0) sentences.push_back("--trace: no wire or FIFO showed these values");
  }
  if (on_) on_->check();
  if (off_) off_->check();
  if (!wave_) return sentences;
  wave_->close();
  wave_->check_file();
  sentences.insert(sentences.end(), wave_->warnings().begin(), wave_->warnings().end());
  if (!write_lines()) sentences.push_back(fmt::format("{}.lines: the file cannot be written", options_.wave->file));
  return sentences;
}

bool SignalRecords::write_lines() {
  if (openings_.empty() || has_lines_ || !wave_->has_traced()) return true;
  has_lines_ = true;
  std::ofstream out(options_.wave->file + ".lines");
  out << lines_.filter() << openings();
  return static_cast<bool>(out.flush());
}

}  // namespace g80
