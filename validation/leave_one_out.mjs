// SPDX-License-Identifier: Apache-2.0
// Measures the seven times of square_array with other values of the numbers that were fitted to them, and appends
// missing lines to leave_one_out.tsv: key, value, seven times in ms. `g80 list numbers` makes a table of them.
// An interrupted measurement continues. Usage: node validation/leave_one_out.mjs [--g80 build/release/bin/g80]
import {execFileSync} from 'node:child_process';
import {appendFileSync, existsSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'validation/leave_one_out.tsv');
const args = process.argv.slice(2);
if (args.length !== 0 && (args.length !== 2 || args[0] !== '--g80')) {
  console.error('usage: node validation/leave_one_out.mjs [--g80 PROGRAM]');
  process.exit(2);
}
const g80 = args[1] ?? join(root, 'build/release/bin/g80');
const tried = {
  'xbar.request_flits_per_cycle': [1, 4],
  'partition.request_latency': [13, 33],
  'dram.window': [32, 40, 48],
  'dram.write_high': [24, 40, 48, 64],
  'dram.write_low': [0, 4, 16, 24],
  'dram.bank_hash': ['plain'],
};

function seven_times(settings) {
  const json = join(tmpdir(), `g80_leave_one_out_${process.pid}.json`);
  const sets = settings.flatMap(setting => ['--set', setting]);
  try {
    execFileSync(g80, ['seeds', '--row', '1.3.time', '--json', json, ...sets], {stdio: 'ignore'});
  } catch (error) {
    if (error.status !== 1) throw error;  // 1: a row is out
  }
  const rows = JSON.parse(readFileSync(json, 'utf8'));
  rmSync(json);
  return [1, 2, 3, 4, 5, 6, 7].map(trial => rows.find(({row}) => row === `1.3.time${trial}`).model.toPrecision(6));
}

const known = existsSync(file) ? readFileSync(file, 'utf8').split('\n').map(line => line.split('\t').slice(0, 2).join('\t')) : [];
const measure = (key, value, settings) => {
  if (known.includes(`${key}\t${value}`)) return;
  appendFileSync(file, [key, value, ...seven_times(settings)].join('\t') + '\n');
};
measure('', '', []);
for (const [key, values] of Object.entries(tried)) {
  for (const value of values) {
    const settings = [`${key}=${value}`];
    if (key === 'partition.request_latency') settings.push(`partition.reply_latency=${value}`);  // one number
    measure(key, value, settings);
  }
}
