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
      ['SecondIsValid', 'shift_queue', 'count > CountW\'(1)', 'count >= CountW\'(1)'],
      ['CountIsTrue', 'shift_queue', 'count - CountW\'(pop_i)', 'count_q - CountW\'(pop_i)'],
      ['HeadIsTheOldest', 'shift_queue', 'push_i && count_q == CountW\'(i)', 'push_i && count_q >= CountW\'(i)'],
      ['SecondFollows', 'shift_queue', 'assign entry_d[i] = pop_i ?', 'assign entry_d[i] = pop_i && !push_i ?'],
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
};
