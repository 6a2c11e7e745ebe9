// SPDX-License-Identifier: Apache-2.0
// node run.mjs [--holes] [--check]
// Which branches and bits of the twins' SystemVerilog their tests and the kernels reach: builds the preset `coverage`,
// runs kernels with `--rtl all` and the tests of the twins, and prints a line for each module.
//
//   --holes    prints the branches never taken, bits that never changed, and covers not hit, too
//   --check    exit code 1 if there is a branch that neither kernels nor tests take
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const options = parseArgs({ options: { holes: { type: 'boolean' }, check: { type: 'boolean' } } }).values;
const scratch = mkdtempSync(join(tmpdir(), 'g80-coverage-'));
const covers = join(scratch, 'covers');

function must(program, words, options = {}) {
  const done = spawnSync(program, words, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (done.status !== 0) throw new Error(`${program} ${words.join(' ')}: exit code ${done.status}`);
  return done.stdout;
}

must('cmake', ['--preset', 'coverage']);
must('cmake', ['--build', '--preset', 'coverage', '--target', 'g80', 'test_twins']);
const bin = join(root, 'build', 'coverage', 'bin');

/// Adds the counts of a run to `counts`, by `file:line`, kind and name of the signal or branch. Instances and parameters
/// of a module count together.
function count(counts, folder) {
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), 'latin1').split('\n')) {
      const point = /^C '(.*)' (\d+)$/.exec(line);
      if (!point) continue;
      const of = Object.fromEntries(point[1].split('\x01').slice(1).map((pair) => pair.split('\x02')));
      if (!/(^|\/)rtl\/.*\.sv$/.test(of.f)) continue;
      const key = JSON.stringify([of.f, Number(of.l), of.page.split('/')[0] === 'v_toggle', of.o]);
      counts.set(key, (counts.get(key) ?? 0) + Number(point[2]));
    }
  }
  rmSync(folder, { recursive: true });
}

/// One multiprocessor of the GTX 280 has every unit that an SM can have. What is left out takes longer than all others.
const names = readdirSync(join(root, 'kernels'))
  .filter((name) => existsSync(join(root, 'kernels', name, 'scenario.toml')) && !/^square_array|^matrix_mul$|_endless$/.test(name));
const oneSm = ['--device', 'gtx280', '--set', 'gpu.num_tpcs=1', '--set', 'gpu.sms_per_tpc=1'];
const leftOut = 'EveryShortWord.*:MultiprocessorInRtl.*:TwinsInTheMachine.TakeEveryValueOfTheirKeysAtRunTime';
const shards = 64;  // about one for each test
const [kernels, tests] = [new Map(), new Map()];
const waiting = [
  ...Array.from({ length: shards }, (_, shard) => (
    { counts: tests, program: 'test_twins', words: [`--gtest_filter=-${leftOut}`],
      variables: { GTEST_TOTAL_SHARDS: shards, GTEST_SHARD_INDEX: shard } })),
  ...names.map((name) => (
    { counts: kernels, program: 'g80', words: ['suite', '--only', name, ...oneSm, '--rtl', 'all', '--coverage', covers] })),
];
const failed = [];

/// Goes on until no run is left. There are as many of these as processors.
async function work() {
  for (let run = waiting.shift(); run; run = waiting.shift()) {
    const { counts, program, words, variables } = run;
    const folder = mkdtempSync(join(scratch, 'run'));
    const status = await new Promise((done) => {
      spawn(join(bin, program), words, {
        cwd: root,
        stdio: ['ignore', 2, 2],
        env: { ...process.env, ...variables, G80_RTL_COVERAGE: folder, G80_COVERAGE: covers },
      }).on('close', done);
    });
    if (status !== 0) failed.push(`${program} ${words.join(' ')}: exit code ${status}`);
    count(counts, folder);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length) throw new Error(failed.join('\n'));

const modules = new Map();
for (const key of new Set([...kernels.keys(), ...tests.keys()])) {
  const [file, line, toggle, name] = JSON.parse(key);
  const module = basename(file, '.sv');
  if (!modules.has(module)) modules.set(module, { branches: [], bits: [] });
  modules.get(module)[toggle ? 'bits' : 'branches'].push(
    { file, line, name, inKernels: (kernels.get(key) ?? 0) > 0, inTests: (tests.get(key) ?? 0) > 0 });
}
const sorted = [...modules].sort(([a], [b]) => (a < b ? -1 : 1));

const columns = [(point) => point.inKernels, (point) => point.inTests, (point) => point.inKernels || point.inTests];
const percent = (part, whole) => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1));
const cells = (points) => [points.length, ...columns.map((hit) => percent(points.filter(hit).length, points.length))].join('\t');
let table = 'module\tbranches\tkernels %\ttests %\tboth %\tbits\tkernels %\ttests %\tboth %\n';
for (const [name, module] of sorted) table += `${name}\t${cells(module.branches)}\t${cells(module.bits)}\n`;
const all = (what) => sorted.flatMap(([, module]) => module[what]);
table += `all\t${cells(all('branches'))}\t${cells(all('bits'))}\n`;

const source = (file, line) => readFileSync(join(root, file), 'utf8').split('\n')[line - 1].trim();
const missed = columns[2];
const branchHoles = [];
const bitHoles = [];
for (const [name, module] of sorted) {
  for (const point of module.branches.filter((each) => !missed(each)).sort((a, b) => a.line - b.line))
    branchHoles.push(`${name}\t${point.name}\t${source(point.file, point.line)}`);
  const signals = new Map();
  for (const bit of module.bits) {
    const signal = bit.name.replace(/(\[\d+\])+$/, '');
    const sum = signals.get(signal) ?? { bits: 0, still: 0 };
    signals.set(signal, { bits: sum.bits + 1, still: sum.still + (missed(bit) ? 0 : 1) });
  }
  const still = [...signals].filter(([, sum]) => sum.still > 0).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([signal, sum]) => (sum.still === sum.bits ? signal : `${signal} (${sum.still} of ${sum.bits})`));
  if (still.length > 0) bitHoles.push(`${name}\t${still.join(', ')}`);
}
const functional = must(join(bin, 'g80'), ['list', '--coverage', covers], { stdio: ['ignore', 'pipe', 2] }).toString();
const coverHoles = /## Holes\n\n([\s\S]*?)\n## /.exec(functional)?.[1] ?? '';
rmSync(scratch, { recursive: true });

process.stdout.write(table);
if (options.holes) {
  for (const [title, lines] of [['branches never taken', branchHoles], ['bits that never changed', bitHoles],
                                ['covers not hit', coverHoles.trim().split('\n')]]) {
    console.log(`\n${title}:\n${lines.join('\n')}`);
  }
}
if (options.check && branchHoles.length > 0) {
  console.log(`branches never taken:\n${branchHoles.join('\n')}`);
  process.exit(1);
}
