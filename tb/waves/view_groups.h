// SPDX-License-Identifier: Apache-2.0
// The groups of the standard views: each shows one block or wire bundle of the machine with its important
// signals.
#pragma once
#include <vector>

#include "tb/waves/wave_view.h"

namespace g80::view_groups {

// They show the first SM, TPC and partition.
inline constexpr const char* kChip = "*gpu";
inline constexpr const char* kTpc = "*tpc0";
inline constexpr const char* kSm = "*sm0";
inline constexpr const char* kEverySm = "*sm[0-9]";
inline constexpr const char* kChannel = "*channel0";

// view_groups_sm.cpp
ViewGroup clocks();
ViewGroup issue();
ViewGroup launcher();
ViewGroup fetch();
ViewGroup instruction_buffer();
ViewGroup scoreboard();
ViewGroup warp_scheduler();
ViewGroup credits();
ViewGroup reconvergence();
ViewGroup operand_collector();
ViewGroup exec();
ViewGroup shared_memory();
ViewGroup bank_conflicts();
ViewGroup loads();
ViewGroup issued();
ViewGroup access();
ViewGroup control_events();
ViewGroup control_state();
ViewGroup barrier();
ViewGroup barrier_warps();
ViewGroup constant_reads();

// view_groups_memory.cpp
ViewGroup host();
ViewGroup launch_bus();
ViewGroup cta_scheduler();
ViewGroup ledger();
ViewGroup coalescer();
ViewGroup tlb();
ViewGroup tlb_stages();
ViewGroup tlb_entries();
ViewGroup second_level_tlb();
ViewGroup crossbar();
ViewGroup partition();
ViewGroup partition_transactions();
ViewGroup partition_atomics();
ViewGroup dram();
ViewGroup dram_banks();
ViewGroup dram_window();
ViewGroup half_warps();
ViewGroup transactions();
ViewGroup to_memory();
ViewGroup second_level();
ViewGroup third_level();
ViewGroup texture();
ViewGroup texture_addresses();
ViewGroup texture_texels();
ViewGroup texture_l2();
ViewGroup replies();

// view_groups_paths.cpp
std::vector<ViewGroup> stations_of_a_load();
std::vector<ViewGroup> both_languages();

}  // namespace g80::view_groups
