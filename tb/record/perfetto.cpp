// SPDX-License-Identifier: Apache-2.0
// Trace events for Perfetto.
#include <fmt/format.h>

#include <map>
#include <ostream>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

#include "hw/common/version.h"
#include "hw/isa/disassembler.h"
#include "tb/record/timeline.h"
#include "tb/record/warp_state.h"

namespace g80 {
namespace {

constexpr Cycle kIssueCycles = 2;         // a scheduler cycle
constexpr unsigned kFirstDramPid = 1000;  // processes of the viewer: SMs by number, then DRAMs

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

class Writer {
 public:
  Writer(std::ostream& out, isa::Arch arch, bool all) : out_(out), arch_(arch), all_(all) {
    out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  }

  void write(const std::vector<MachineEvent>& events) {
    for (const MachineEvent& event : events) add(event);
    const Cycle end = events.empty() ? 0 : events.back().cycle + kIssueCycles;
    for (auto& [key, track] : warps_) {
      if (track.alive) end_of_warp(key, track, end);
    }
    out_ << "\n],\"otherData\":{\"made_by\":\"g80 " << kVersion << "\",\"time\":\"1 us is 1 shader cycle\"}}\n";
  }

 private:
  using Key = std::pair<unsigned, unsigned>;  // SM, warp slot
  struct Track {
    bool alive = false;
    Cycle born = 0;
    std::string name = {};  // of the warp's life
    WarpState state = WarpState::kFetch;
    Cycle since = 0;  // drawn up to here
  };
  struct Burst {
    Cycle start;
    unsigned lane;
    bool write;
  };
  struct Dram {
    std::unordered_map<std::uint32_t, std::vector<Burst>> open;  // by uid, in order
    std::vector<bool> lanes;                                     // in use
  };

  void line(const std::string& text) {
    out_ << (first_ ? "" : ",\n") << text;
    first_ = false;
  }
  void name_process(unsigned pid, const std::string& name) {
    line(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})", pid, name));
    line(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})", pid, pid));
  }
  void name_thread(unsigned pid, unsigned tid, const std::string& name) {
    line(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", pid, tid, name));
  }
  void slice(const Key& key, Cycle from, Cycle to, const std::string& category, const std::string& name,
             const std::string& args = "") {
    line(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":{}{}}})", key.first, key.second,
                     from, to - from, category, quoted(name),
                     args.empty() ? "" : fmt::format(",\"args\":{{{}}}", args)));
  }
  void flow(const char* phase, const Key& key, Cycle at, std::uint32_t uid) {
    line(fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},"id":{},"cat":"memory","name":"access"{}}})", phase,
                     key.first, key.second, at, uid, *phase == 's' ? "" : R"(,"bp":"e")"));
  }

  Track& track_of(const Key& key) {
    const auto [place, is_new] = warps_.try_emplace(key);
    if (is_new) {
      if (named_.emplace(key.first, true).second) name_process(key.first, fmt::format("SM {}", key.first));
      name_thread(key.first, key.second, fmt::format("warp slot {}", key.second));
    }
    return place->second;
  }
  // The warp started before the window: its life is drawn from here.
  Track& living(const Key& key, Cycle now) {
    Track& track = track_of(key);
    if (!track.alive) begin_warp(track, now, "warp");
    return track;
  }
  static void begin_warp(Track& track, Cycle now, const std::string& name) {
    track = {true, now, name, WarpState::kFetch, now};
  }
  void draw_wait(const Key& key, Track& track, Cycle now) {
    if (now > track.since && (all_ || now - track.since >= kShortestSlice))
      slice(key, track.since, now, "wait", enum_text(track.state).names[static_cast<unsigned>(track.state)]);
    track.since = std::max(track.since, now);
  }
  void end_of_warp(const Key& key, Track& track, Cycle now) {
    draw_wait(key, track, now);
    const Cycle end = std::max(now, track.since);
    slice(key, track.born, end, "warp", track.name);
    track.alive = false;
  }

  void add(const MachineEvent& event) {
    const Key key{event.unit, event.warp};
    switch (event.kind) {
      case EventKind::kWarpStart: {
        Track& track = track_of(key);
        if (track.alive) end_of_warp(key, track, event.cycle);
        begin_warp(track, event.cycle, fmt::format("warp {} of block ({},{})", event.detail, event.w0, event.w1));
        return;
      }
      case EventKind::kWarpEnd: end_of_warp(key, living(key, event.cycle), event.cycle); return;
      case EventKind::kWaits: {
        const auto state = static_cast<WarpState>(event.detail);
        Track& track = state == WarpState::kAbsent ? track_of(key) : living(key, event.cycle);
        if (!track.alive) return;
        draw_wait(key, track, event.cycle);
        track.state = state;
        return;
      }
      case EventKind::kIssue: {
        Track& track = living(key, event.cycle);
        draw_wait(key, track, event.cycle);
        track.since = event.cycle + kIssueCycles;
        if (!all_) return;
        slice(key, event.cycle, event.cycle + kIssueCycles, "issue", isa::disassemble(event.w0, event.w1, arch_),
              fmt::format(R"("pc":"0x{:x}","uid":"0x{:x}")", event.pc, event.uid));
        issued_[event.uid] = {key, event.cycle};
        return;
      }
      case EventKind::kRelease: {
        const auto travelled = travelled_.find(event.uid);
        if (travelled != travelled_.end()) {
          flow("f", key, event.cycle, event.uid);
          travelled_.erase(travelled);
        }
        issued_.erase(event.uid);
        return;
      }
      case EventKind::kBarrierOpen: return;  // the warps' states say it
      case EventKind::kDramRequest:
        if (all_) begin_burst(event);
        return;
      case EventKind::kDramReply:
        if (all_) end_burst(event);
        return;
      case EventKind::kStage: return;  // for Konata
    }
  }

  void begin_burst(const MachineEvent& event) {
    if (drams_.find(event.unit) == drams_.end())
      name_process(kFirstDramPid + event.unit, fmt::format("DRAM {}", event.unit));
    Dram& dram = drams_[event.unit];
    unsigned lane = 0;  // the first track on which no other burst is drawn
    while (lane < dram.lanes.size() && dram.lanes[lane]) ++lane;
    if (lane == dram.lanes.size()) {
      dram.lanes.push_back(false);
      name_thread(kFirstDramPid + event.unit, lane, fmt::format("bursts {}", lane));
    }
    dram.lanes[lane] = true;
    dram.open[event.uid].push_back({event.cycle, lane, event.detail != 0});
    const auto issued = issued_.find(event.uid);
    if (issued == issued_.end()) return;  // not an instruction of an SM, or before the window
    if (travelled_.emplace(event.uid, true).second) flow("s", issued->second.first, issued->second.second, event.uid);
    flow("t", {kFirstDramPid + event.unit, lane}, event.cycle, event.uid);
  }
  void end_burst(const MachineEvent& event) {
    Dram& dram = drams_[event.unit];
    const auto open = dram.open.find(event.uid);
    if (open == dram.open.end()) return;  // its request lies before the window
    const Burst burst = open->second.front();
    open->second.erase(open->second.begin());
    if (open->second.empty()) dram.open.erase(open);
    dram.lanes[burst.lane] = false;
    slice({kFirstDramPid + event.unit, burst.lane}, burst.start, std::max(event.cycle, burst.start), "dram",
          burst.write ? "write" : "read", fmt::format(R"("uid":"0x{:x}")", event.uid));
  }

  std::ostream& out_;
  const isa::Arch arch_;
  const bool all_;
  bool first_ = true;
  std::map<Key, Track> warps_;
  std::map<unsigned, bool> named_;
  std::map<unsigned, Dram> drams_;
  std::unordered_map<std::uint32_t, std::pair<Key, Cycle>> issued_;  // by uid: not released yet
  std::unordered_map<std::uint32_t, bool> travelled_;                // by uid: its arrow has begun
};

}  // namespace

void write_perfetto(std::ostream& out, const std::vector<MachineEvent>& events, isa::Arch arch, bool all) {
  Writer(out, arch, all).write(events);
}

}  // namespace g80
