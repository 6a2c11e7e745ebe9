// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/signal_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "hw/config/data_folder.h"
#include "tb/machine/architecture_level.h"
#include "tb/waves/standard_views.h"

namespace g80 {
namespace {

/// The left edge of a window in which a moment is half a unit of GTKWave's zoom away from it.
Picoseconds begins_before(Picoseconds moment, double zoom) {
  const auto before = static_cast<Picoseconds>(std::exp2(zoom) / 2);
  return moment > before ? moment - before : 0;
}

}  // namespace

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
  if (wave_) write_companions();
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
  off_ = trigger_for("--wave-off", *options_.wave_off, *domains_.front(), [this](const std::string&) {
    wave_->close();
    off_happened_ = true;
  });
}

void SignalRecords::launch_begins(const LoadedKernel& loaded, std::uint64_t number) {
  const Kernel& kernel = *loaded.kernel;
  if (on_) on_->launched(kernel.name, number);
  if (off_) off_->launched(kernel.name, number);
  if (wave_ || trace_) lines_.launch(kernel, loaded.start);
  if (!wave_) return;
  if (places_.empty()) watch_places();
  if (places_.front().at == 0 && wave_->is_tracing()) places_.front().at = sc_core::sc_time_stamp().value();
}

void SignalRecords::watch_places() {
  launch_ = sc_core::sc_time_stamp().value();
  const std::vector<Field> fields = list_fields(false);
  for (const WavePlace& place : wave_places()) places_.push_back({place, 0, nullptr});
  for (Place& place : places_) {
    if (*place.is.event == '\0') continue;
    place.watch = std::make_unique<EventWatch>(std::vector{compile_event_expression(place.is.event, fields)},
                                               [this, &place](std::size_t, const std::vector<std::string>&) {
                                                 if (place.at == 0 && wave_->is_tracing())
                                                   place.at = sc_core::sc_time_stamp().value();
                                               });
  }
}

Picoseconds SignalRecords::moment_of(const std::string& place) const {
  const auto found = std::find_if(places_.begin(), places_.end(), [&](const Place& p) { return p.is.name == place; });
  return found->at != 0 ? found->at : launch_;
}

// Comments of the filter file: "#at MARKER PLACE" for each place that the wave has, and "#@ VIEW START MARKER" for each
// view; one whose place does not come opens at the launch.
std::string SignalRecords::openings() const {
  std::string text;
  for (const Place& place : places_) {
    if (place.at != 0) text += fmt::format("#at {} {}\n", place.at, place.is.name);
  }
  for (const ViewSpec& view : standard_views()) {
    const Picoseconds at = moment_of(view.place);
    text += fmt::format("#@ {} {} {}\n", view.name, begins_before(at, view.zoom), at);
  }
  return text;
}

std::string SignalRecords::view() const {
  constexpr double kFailureWindows = 5;  // GTKWave's waves are about a thousand pixels wide
  const std::vector<ViewSpec> views = standard_views();
  ViewSpec view = views.front();
  view.partial = true;
  view.dump = std::filesystem::absolute(options_.wave->file).string();
  const Domain& shader = *domains_.front();
  const Picoseconds failure = options_.wave_failure != 0 ? shader.edge_time(options_.wave_failure)
                              : !finished_               ? Picoseconds{sc_core::sc_time_stamp().value()}
                                                         : failure_;
  if (options_.wave_failure != 0) {
    const Picoseconds begin = shader.edge_time(options_.wave->from), end = shader.edge_time(options_.wave->to);
    view.start = begin;
    view.zoom = std::log2(static_cast<double>(end - begin) / kFailureWindows);
  } else {
    const auto issue = std::find_if(views.begin(), views.end(), [](const ViewSpec& v) { return v.name == "issue"; });
    view.zoom = issue->zoom;
    view.marker = failure != 0 ? failure : moment_of(issue->place);
    view.start = begins_before(view.marker, view.zoom);
  }
  if (failure != 0) {
    view.question = "What happened before the failure at the marker?";
    view.marker = failure;
  }
  const std::optional<std::filesystem::path> data = find_data_folder();
  const std::string filters = data ? (*data / "waves/filters").string() : "waves/filters";
  return view_text(view, wave_->signals(), filters, view.dump + ".lines");
}

void SignalRecords::launch_ends(Cycle, LaunchResult& result) {
  if (result.end != LaunchEnd::kFinished) failure_ = sc_core::sc_time_stamp().value();
  if (ends_with_launch_) wave_->close();
}

void SignalRecords::watch() {
  for (Place& place : places_) {
    if (place.at != 0) place.watch.reset();
  }
  if (wave_) wave_->check_file();
}

std::vector<std::string> SignalRecords::finish() {
  std::vector<std::string> sentences;
  if (trace_) {
    trace_->close();
    if (options_.trace->end) options_.trace->end();
    if (trace_->lines() == 0) sentences.push_back("--trace: no wire or FIFO showed these values");
  }
  if (on_) on_->check();
  if (off_) off_->check();
  if (!wave_) return sentences;
  wave_->close();
  wave_->check_file();
  if (options_.wave_off && !off_happened_ && wave_->has_traced())
    sentences.push_back(fmt::format("--wave-off: {} did not happen after the wave had begun", options_.wave_off->text));
  sentences.insert(sentences.end(), wave_->warnings().begin(), wave_->warnings().end());
  finished_ = true;
  if (!write_companions())
    sentences.push_back(fmt::format("{0}.lines and {0}.gtkw cannot be written", options_.wave->file));
  return sentences;
}

bool SignalRecords::write_companions() {
  if (places_.empty() || has_companions_ || !wave_->has_traced()) return true;
  has_companions_ = true;
  std::ofstream lines(options_.wave->file + ".lines"), saved(options_.wave->file + ".gtkw");
  lines << lines_.filter() << openings();
  saved << view();
  return lines.flush() && saved.flush();
}

}  // namespace g80
