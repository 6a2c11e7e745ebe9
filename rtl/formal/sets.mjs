// SPDX-License-Identifier: Apache-2.0
// The property sets of rtl/formal/<set>_props.sv: sizes of the proof and of the bounded check, and mutants: the
// assertion that must find it, the module, a piece of its text that occurs once, and what it becomes.
export const sets = {
  round_robin: {
    small: { Width: 8 },
    full: { Width: 32 },
    edges: 40,
    mutants: [
      ['NeverIdles', 'round_robin', '.mask_i (wanting_i)', '.mask_i (behind)'],
      ['GrantsWhoWants', 'lowest_set', 'if (lowest[i])', 'if (below[i])'],
      ['NextInTurnGoesFirst', 'round_robin', 'IndexW\'(i) > last_i', 'IndexW\'(i) != last_i'],
      ['StarvesNone', 'round_robin', 'found_behind ? index_behind : index_first', 'index_first'],
    ],
  },
  shift_queue: {
    small: { Depth: 3, Width: 2 },
    full: { Depth: 3, Width: 8 },
    mutants: [
      ['EmptyIsTrue', 'shift_queue', 'assign empty_o        = count_q ==', 'assign empty_o        = count =='],
      ['HeadIsValid', 'shift_queue', 'assign head_valid_o   = count !=', 'assign head_valid_o   = count_q !='],
      ['CountIsTrue', 'shift_queue', 'count - CountW\'(pop_i)', 'count_q - CountW\'(pop_i)'],
      ['HeadIsTheOldest', 'shift_queue', 'push_i && count_q == CountW\'(i)', 'push_i && count_q >= CountW\'(i)'],
    ],
  },
  pair_queue: {
    small: { Width: 4 },
    full: { Width: 8 },
    mutants: [
      ['EmptyIsTrue', 'pair_queue', '(pop_i || !head_valid_o)', '!head_valid_o'],
      ['HeadIsValid', 'pair_queue', 'assign head_valid_o   = !empty_q || push_i', 'assign head_valid_o   = !empty_q'],
      ['SecondIsValid', 'pair_queue', 'full || (!empty_q && push_i)', 'full || push_i'],
      ['CountIsTrue', 'pair_queue', 'second_valid_o && !pop_i', 'second_valid_o'],
      ['HeadIsTheOldest', 'pair_queue', 'count_q == \'0 ? data_i', 'push_i ? data_i'],
      ['SecondFollows', 'pair_queue', 'full ? entry_q[!head_q]', 'full ? entry_q[head_q]'],
    ],
  },
  delayed_queue: {
    small: { Stages: 4, Width: 2 },
    full: { Stages: 16, Width: 1 },
    edges: 24,
    mutants: [
      ['ArrivesInItsCycle', 'delayed_queue', 'IndexW\'(cfg_stages_i - CountW\'(1))', 'IndexW\'(cfg_stages_i)'],
      ['ArrivesUnchanged', 'delayed_queue', 'read_q + IndexW\'(leaves)', 'read_q + IndexW\'(leaves && !push_i)'],
      ['EmptyIsTrue', 'delayed_queue', 'assign empty_next_o = valid_d ==', 'assign empty_next_o = valid_q =='],
    ],
  },
  use_tree: {
    small: { Lanes: 8 },
    full: { Lanes: 16 },
    mutants: [
      ['VictimEndsTheWalk', 'use_tree', '== ((l / Width) % 2 == 0)', '!= ((l / Width) % 2 == 0)'],
      ['VictimIsACandidate', 'use_tree', 'candidates_i[l] && (&takes)', '(&takes)'],
      ['LastUsedStays', 'use_tree', '? used_i[LaneW-1-Depth]', '? !used_i[LaneW-1-Depth]'],
    ],
  },
  trees: {
    full: { Width: 32 },
    mutants: [
      ['FindsAnyBit', 'lowest_set', '|mask_i', '|below'],
      ['FindsTheLowestBit', 'lowest_set', 's = 2 * s', 's = 4 * s'],
      ['CountsAllOnes', 'popcount', 'sum[2*i] + sum[2*i+1]', 'sum[2*i] | sum[2*i+1]'],
      ['CountsLeadingZeros', 'leading_zeros', 'place[b][0] && !empty[0]', 'place[b][0]'],
      ['AddsThermometers', 'thermometer_sum', '<< (k + 1)', '<< k'],
    ],
  },
  select_pass: {
    small: { HalfWarp: 4, NumSmemBanks: 4, MaxSharedBytes: 64 },
    full: { HalfWarp: 16, NumSmemBanks: 16 },
    mutants: [
      ['MeetsItsSpecification', 'select_pass', '!write_i && (lowest & same_word) != \'0', '(lowest & same_word) != \'0'],
      ['BankServesOneWord', 'select_pass', '(1 << l) - 1', '(1 << l) / 2'],
      ['EveryPassServesALane', 'select_pass', 'pending_i & (lowest_of_bank', 'pending_i & ~lowest & (lowest_of_bank'],
      ['ServesWhoIsWanted', 'select_pass', 'assign served_o = pending_i &', 'assign served_o ='],
      ['ServesNoneTwice', 'select_pass', 'assign served_o = pending_i &', 'assign served_o ='],
      ['EndsInTime', 'select_pass', 'pending_i & (lowest_of_bank', 'pending_i & ~lowest & (lowest_of_bank'],
    ],
  },
  bank_conflict: {
    small: { HalfWarp: 4, NumSmemBanks: 2, MaxSharedBytes: 16 },
    full: { HalfWarp: 8, NumSmemBanks: 8, MaxSharedBytes: 64 },
    mutants: [
      ['PassBelongsToARequest', 'bank_conflict', 'send && last),', 'send && last && second_valid),'],
      ['RequestHasRoom', 'bank_conflict', '!count_next[1]', '1\'b1'],
      ['ServesWhoIsWanted', 'bank_conflict', '? second.lanes : left', '? head.lanes : left'],
      ['ServesNoneTwice', 'bank_conflict', 'pending & ~served', 'pending & ~(served << 1)'],
      ['ServesAllInTheEnd', 'bank_conflict', 'left == \'0;', '(left << 1) == \'0;'],
      ['KeepsItsRequest', 'bank_conflict', 'pass_d.request = head', 'pass_d.request = second_valid ? second : head'],
      ['ReplaysUnlessLast', 'bank_conflict', 'pass_q.valid && !pass_q.last', '!pass_q.last'],
    ],
  },
  control_turns: {
    small: { MaxWarps: 2 },
    full: { MaxWarps: 4 },
    mutants: [
      ['NeverIdles', 'control_turns', ' || second_valid_i;', ';'],
      ['TurnsAreInOrder', 'control_turns', 'tail + WarpW\'(first_valid_i)', 'tail + WarpW\'(second_valid_i)'],
    ],
  },
  age_matrix: {
    small: { Lanes: 4 },
    full: { Lanes: 8 },
    mutants: [
      ['LastUsedIsYounger', 'age_matrix', 'used_i != LaneW\'(o) &&', ''],
      ['NoThreeInACircle', 'age_matrix', 'used_i == LaneW\'(l) ||', '(used_i == LaneW\'(l) && o - l != 2) ||'],
    ],
  },
  pick_warp: {
    small: { MaxWarps: 4 },
    full: { MaxWarps: 8 },
    mutants: [
      ['NeverIdles', 'round_robin', '.mask_i (wanting_i)', '.mask_i (behind)'],
      ['PicksWhoMay', 'age_matrix', 'candidates_i[l] && (&is_older)', '(&is_older)'],
      ['StarvesNone', 'round_robin', 'found_behind ? index_behind : index_first', 'index_first'],
      ['LastGoesOn', 'pick_warp', 'eligible_i[last_i] ? last_i : oldest_i', 'oldest_i'],
      ['OldestGoesFirst', 'age_matrix', 'younger_i[l*(l-1)/2+o] || !candidates_i[o]', '!candidates_i[o]'],
    ],
  },
  booth: {
    full: { Width: 8 },
    engine: 'bdd',
    mutants: [
      ['Multiplies', 'booth_rows', '(digits[Place+1] ^ negative) & ~once', 'digits[Place+1] & ~once'],
    ],
  },
  rounding: {
    full: { Width: 24, Below: 24 },
    mutants: [
      ['NearestIsNear', 'rounding', 'guard_i && (sticky_i || odd_i)', 'sticky_i'],
      ['TieGoesToEven', 'rounding', '(sticky_i || odd_i)', '(sticky_i || !odd_i)'],
      ['DownIsBelow', 'rounding', 'sign_i ? round_i == g80_pkg::RoundRm', 'sign_i ? round_i == g80_pkg::RoundRp'],
      ['UpIsAbove', 'rounding', 'away_o && (guard_i || sticky_i)', 'away_o && guard_i'],
      ['ZeroIsToZero', 'rounding', 'nearest_o && guard_i', 'guard_i'],
      ['ExactStays', 'rounding', '(away_o && (guard_i || sticky_i))', 'away_o'],
    ],
  },
  mshr: {
    small: { Entries: 2, Places: 2, LineW: 1, Width: 1 },
    full: { Entries: 2, Places: 2, LineW: 2, Width: 4 },
    unbounded: true,
    engine: 'scorr',
    mutants: [
      ['AsksOnce', 'mshr', 'used_q[e] && !stale[e] &&', 'used_q[e] && !stale_q[e] && e == 0 &&'],
      ['MergesWhereItsLineIs', 'mshr', '!stale[e] && line_q', '!stale_q[e] && line_q'],
      ['RefusesOnlyWhenFull', 'mshr', '!found && has_free', 'has_free && !used_q[0]'],
      ['ServesInTurn', 'mshr', 'first_d[fill_entry_i] = behind', 'first_d[fill_entry_i] = place'],
      ['LosesNone', 'mshr', 'if (fill_last_o) used_d', 'used_d'],
      ['LastIsTrue', 'mshr', 'last_d[entry_o] = place;', 'if (allocate_o) last_d[entry_o] = place;'],
      ['LineIsTrue', 'mshr', 'stale_d[entry_o] = 1\'b0;', ''],
      ['SendsItsFirst', 'mshr', 'sends_now ? waiter_i : first_waiter', 'first_waiter'],
      ['EmptyIsTrue', 'mshr', 'if (fill_last_o) used_d', 'used_d'],
    ],
  },
  scoreboard: {
    full: { MaxWarps: 2, MaxBufferEntries: 4, MaxDecodeGroup: 2, ThreadStateWidth: 2, ReleaseWidth: 129 },
    instead: { hazards: 'free_hazards' },
    engine: 'scorr',
    mutants: [
      ['ReadyWhenClear', 'scoreboard', 'head.drains && busy[w]', '1\'b0'],
      ['NoHazardGetsThrough', 'scoreboard', '| (picked[w] ? picked_writes : \'0)) & ~written;', ') & ~written;'],
      ['DrainedHasNothingInFlight', 'scoreboard', 'ended_d & ~busy', 'ended_d'],
    ],
  },
  warp_scheduler: {
    full: { MaxWarps: 4 },
    engine: 'scorr',
    mutants: [
      ['NeverIdles', 'warp_scheduler', 'ready_i.ready & ~hidden_q', 'ready_i.ready & ~hidden_q & ~ready_i.wait_alu'],
      ['PicksWhoMay', 'warp_scheduler', 'ready_i.ready & ~hidden_q', 'ready_i.ready'],
      ['OnlyMultipliesGoToTheSfus', 'warp_scheduler', 'ready_i.multiply[warp] && !on_port[warp]', '!on_port[warp]'],
      ['StarvesNone', 'warp_scheduler', 'picks ? warp : last_q', 'warp'],
    ],
  },
  barrier: {
    full: { MaxWarps: 4, MaxCtasPerSm: 2, MaxBarriers: 2, MaxWarpsPerCta: 4 },
    instead: { opcode_decoder: 'barrier_decoder' },
    engine: 'scorr',
    mutants: [
      ['OpensWhenAllHaveArrived', 'all_arrived', 'arrived_i >= expected_i', 'arrived_i > expected_i'],
      ['WaitsUntilItOpens', 'barrier', 'ends[c] ? complete_after_end : complete', 'complete'],
    ],
  },
  coalesce: {
    full: { HalfWarp: 4 },
    mutants: [
      ['ServesWhoIsWanted', 'coalesce', 'pending_i & segment', 'segment'],
      ['ServesTheLowest', 'lowest_set', 'if (lowest[i])', 'if (below[i])'],
      ['ServesWhoShares', 'coalesce', 'cfg_share_words_i && read_i', 'cfg_share_words_i'],
      ['EndsInTime', 'coalesce', 'Lanes\'(1) << lowest', '\'0'],
      ['HoldsItsLanes', 'coalesce', 'touched[2] && touched[3]', 'touched[2] && touched[1]'],
      ['SizeIsOfATransaction', 'coalesce', '|| whole) bytes_o = 8\'d64', '|| whole) bytes_o = 8\'d96'],
      ['IsAligned', 'coalesce', 'first[5] && bytes_o == 8\'d32', 'first[5] && bytes_o != 8\'d128'],
      ['TouchesBothHalves', 'coalesce', 'touched[0] && touched[1]', 'touched[0] || touched[1]'],
      ['WholeIsOne', 'coalesce', '(whole && bytes_i != 5\'d4)', 'whole'],
    ],
  },
  warp_control: {
    small: { WarpSize: 4, MaxSmStackOnChip: 4 },
    full: { WarpSize: 32, MaxSmStackOnChip: 4 },
    unbounded: true,
    mutants: [
      ['SidesPartitionTheLanes', 'warp_control', 'active_i & ~taken_i', 'active_i'],
      ['ActiveLanesHaveNotEnded', 'warp_control', 'active_o = top.mask & runnable', 'active_o = top.mask'],
      ['WarpHasAnActiveLane', 'warp_control', '(leaves && left == \'0) ||', ''],
      ['NoLaneIsLost', 'warp_control', 'active_o = top.mask & runnable', 'active_o = top.mask & active_i'],
      ['BreakIsWaitedFor', 'warp_control', 'broke & ~back', 'broke'],
      ['SideThatWaitsIsApart', 'warp_control', 'active_o = taken_first_i ? taken_i : rest', 'active_o = taken_i'],
      ['SidesStayApart', 'warp_control', 'active_o = taken_first_i ? taken_i : rest', 'active_o = taken_i'],
      ['JoinHoldsAllAbove', 'warp_control', 'at.mask & (runnable | back)', 'state_i.runnable'],
      ['JoinHasItsLanesAgain', 'warp_control', 'active_o = top.mask & runnable', 'active_o = top.mask & active_i'],
    ],
  },
  fp32_add: {
    full: { Below: 34 },
    engine: 'scorr',
    mutants: [
      ['IsTheRoundedSum', 'sp_add_product', 'MaxAlignment = 10\'d32', 'MaxAlignment = 10\'d24'],
      ['IsTheRoundedSum', 'sp_add_product', '10\'(wide) : {10{wide}}', '10\'(wide) : 10\'(wide)'],
      ['IsTheRoundedSum', 'sp_align', 'kept[0] || guard || sticky}', 'kept[0] || guard}'],
      ['IsTheRoundedSum', 'sp_add', 'negative ? ~plain : sum', 'negative ? -plain : sum'],
      ['IsTheRoundedSum', 'sp_count_zeros', 'exponent == \'0 && sum_i.limited', 'exponent == \'0'],
      ['IsTheRoundedSum', 'sp_round', 'word[6:0] != \'0', 'word[5:0] != \'0'],
      ['IsTheRoundedSum', 'rounding', '(sticky_i || odd_i)', 'sticky_i'],
    ],
  },
  register_turns: {
    full: { MaxCollectorUnits: 4, OperandWords: 4, MaxRegisterBanks: 4 },
    engine: 'scorr',
    mutants: [
      ['ReadsWhatIsWanted', 'unit_turns', ' && !busy_i[bank_i[w]]', ''],
      ['BankServesTheFirst', 'unit_turns', 'bank_i[v] == bank_i[w]', 'bank_i[v] == bank_i[w] && v == 0'],
      ['PortsGoInOrder', 'register_turns', 'older[u][o] ? reads[o]', 'o < u ? reads[o]'],
      ['NoPortIdles', 'unit_turns', ' && !older[bank_i[w]]', ' && !older[0]'],
      ['PortsAreCounted', 'register_turns', '!passing_i[Ports-1-n]', '!passing_i[n]'],
      ['BankKnowsItsUnit', 'register_turns', 'served[u][b]', 'served[0][b]'],
    ],
  },
};
